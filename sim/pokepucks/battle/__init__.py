"""The battle of PokéPucks: set-up, turns, statuses, special rules, players and records.

A state is an immutable value, and events are all that changes it: ``apply(state, event)``. Steps of
the turn and special rules are scripts, generators that enter events into a ledger and yield what
they ask for: a decision of a player, or a throw. So a battle waits for each answer as long as it
takes, whoever gives it; a moment holds all that is needed to go on from it.

======================  ===========================================================================
pucks, table, options   what stays the same
places, state           stacks, and all that can change
events, applying        what changes it, and how
ledger, script          the state now and the events so far; how scripts ask
question                what is asked, and what is answered
rule, windows           special rules, and the points of the turn at which they act
condition, handling     statuses and pucks, as the rules allow: what special rules work with
steps                   the table of the steps: setup, topoff, knockout, counting, attacking, ending
======================  ===========================================================================

The special rules themselves are not here: `sim.pokepucks.special` has them, and they come in with
the table.
"""
