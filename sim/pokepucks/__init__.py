"""PokéPucks: designs of pucks, throws of slammers, whole battles and tournaments.

In: names of slammers or a set-up file, and a source of throws. Out: battles as exchanges, records
and transcripts, and tables of results. Begin with `pucklab.sim.pokepucks.battle`.

=======================  ==========================================================================
designs, design_file     the facts printed on a puck; the shipped lists and a user's own
throws, throw_sources    outcomes of throws, and their sources: physics, tables, odds
battle/                  set-up, turns, players and records: the rules
special/                 the special rules of slammers, Items and Trainers
career                   trainer cards: pucks kept between battles
tournament               every slammer against every other
arena                    kinds of players and decks against each other
deck_search, balance     decks that win; the worth of slammers, abilities and pucks
=======================  ==========================================================================
"""
