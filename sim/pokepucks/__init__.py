"""PokéPucks: designs of pucks, throws of slammers, and whole battles.

==================  ===============================================================================
design, designfile  what is printed on a puck; lists of designs from files (designfields: one)
puckdex, puckmart   the shipped lists; catalogue has both, and a user's own
outcome, throws     what a throw comes to, as the rules see it, and who may say so
physicsthrows       throws that are slams of the physics
tablethrows         throws drawn from recorded slams; throwtable makes the table that is shipped
oddsthrows          throws drawn from the odds of a file; throwkinds: what tables tell apart
battle/             set-up, turns, players, records: the rules
special/            the special rules of slammers, Items and Trainers
tournament/         every slammer against every other
==================  ===============================================================================
"""
