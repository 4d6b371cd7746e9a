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
live, refusal           a battle that goes on with each answer; why one is refused
match                   a battle of players, with throws from anywhere
players, greedy         who decides; greedyuses and worth are what the greedy player goes by
record, statejson       battles, moments and events as JSON; answertext, tablejson, textforms
telling, tellevents     transcripts
housetable, setupfile   what players bring: house collections, or what a file tells
changing, fieldchanges  states with other values in some fields, made quickly
validity                states checked
======================  ===========================================================================

The special rules themselves are not here: `sim.pokepucks.special` has them, and they come in with
the table.

Example:
    >>> from sim.pokepucks.design_file import shipped_catalogue
    >>> from sim.pokepucks.throw_sources import shipped_table
    >>> find = shipped_catalogue().find
    >>> table = house_table([find("pikachu"), find("onix")])
    >>> *_, last = play_battle(table, [GreedyPlayer(), RandomPlayer()], shipped_table(), seed=7)
    >>> last.after.step.value, last.ask.asking.value if isinstance(last.ask, Question) else "throw"
    ('over', 'throw')
"""

from sim.pokepucks.battle.events import Event
from sim.pokepucks.battle.ledger import apply, replay_events
from sim.pokepucks.battle.live import (
    BattleMatch,
    Exchange,
    LiveBattle,
    Moment,
    advance,
    begin,
    play_battle,
    player_generator,
    shot_of,
    throw_generator,
)
from sim.pokepucks.battle.players import PLAYERS, GreedyPlayer, Player, RandomPlayer, player_of
from sim.pokepucks.battle.questions import (
    Answer,
    Ask,
    Asking,
    Option,
    Question,
    Reply,
    ThrowCall,
    Use,
)
from sim.pokepucks.battle.record import (
    Record,
    answer_text,
    event_from,
    event_json,
    moment_from,
    moment_json,
    option_text,
    parse_answer,
    read_record,
    record_from,
    record_json,
    record_of,
    replay,
    state_from,
    state_json,
)
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.setup_file import house_collection, house_table, read_setup
from sim.pokepucks.battle.state import Attack, BattleState, Place, StackKind, Status, Step, Turn
from sim.pokepucks.battle.table import BattleOptions, Mode, Puck, Table
from sim.pokepucks.battle.timing import check_answer
from sim.pokepucks.battle.transcript import (
    Home,
    homes,
    tell_battle,
    tell_event,
    tell_stacks,
    tell_standing,
)

__all__ = [
    "PLAYERS",
    "Answer",
    "Ask",
    "Asking",
    "Attack",
    "BattleMatch",
    "BattleOptions",
    "BattleState",
    "Event",
    "Exchange",
    "GreedyPlayer",
    "Home",
    "LiveBattle",
    "Mode",
    "Moment",
    "Option",
    "Place",
    "Player",
    "Puck",
    "Question",
    "RandomPlayer",
    "Record",
    "Reply",
    "StackKind",
    "Status",
    "Step",
    "Table",
    "ThrowCall",
    "Turn",
    "Use",
    "advance",
    "answer_text",
    "apply",
    "begin",
    "check_answer",
    "event_from",
    "event_json",
    "homes",
    "house_collection",
    "house_table",
    "moment_from",
    "moment_json",
    "new_battle",
    "option_text",
    "parse_answer",
    "play_battle",
    "player_generator",
    "player_of",
    "read_record",
    "read_setup",
    "record_from",
    "record_json",
    "record_of",
    "replay",
    "replay_events",
    "shot_of",
    "state_from",
    "state_json",
    "tell_battle",
    "tell_event",
    "tell_stacks",
    "tell_standing",
    "throw_generator",
]
