"""The battle of PokéPucks: set-up, turns, statuses, special rules, players and records.

In: a `Table` (pucks, names, options), players, and a source of throws. Out: steps, each with
the events it caused and the moments before and after. Begin with `play_battle`, or with a match
(`battle_match`) to give the answers one by one.

=====================  ============================================================================
table                  the set-up, which never changes: pucks, names, options
state, events          everything that can change, and the only changes there are
questions              questions and throws that scripts ask for
rules                  special rules, the book of those in play, and the ledger
timing, handling       when rules act, which answers are legal; changes shared by rules and steps
setup, turn            the steps, each a script
live                   battles that go on answer by answer, as values
evaluation, players    values of pucks and attacks; who decides
expert                 better rules, and a player that searches from them
match, player_kinds    the game for matches and records; players by their names
record, setup_file     JSON and text; set-ups from files, legal pucks, proxies, house collections
narration, transcript  battles as told to a person; every event as text, and the standing
=====================  ============================================================================

The special rules themselves are in `pucklab.sim.pokepucks.special`, which imports the modules down
to turn; those below import it.

Example:
    >>> from pucklab.sim.core.players import RandomPlayer
    >>> from pucklab.sim.pokepucks.battle.match import play_battle
    >>> from pucklab.sim.pokepucks.battle.players import GreedyPlayer
    >>> from pucklab.sim.pokepucks.battle.setup_file import house_setup
    >>> from pucklab.sim.pokepucks.design_file import shipped_catalogue
    >>> from pucklab.sim.pokepucks.throw_sources import shipped_table
    >>> find = shipped_catalogue().find
    >>> table = house_setup([find("pikachu"), find("onix")])
    >>> *_, last = play_battle(table, [GreedyPlayer(), RandomPlayer()], shipped_table(), seed=7)
    >>> last.after.state.step.value
    'over'
"""
