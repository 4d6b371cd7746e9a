"""The battle of PokéPucks: set-up, turns, statuses, special rules, players and records.

In: a `Table` (pucks, names, options), players, and a source of throws. Out: exchanges, each with
the events it caused and the states before and after. Begin with `play_battle`, or with `LiveBattle`
to give the answers one by one.

=====================  ============================================================================
table                  the set-up, which never changes: pucks, names, options
state, events          everything that can change, and the only changes there are
questions              questions and throws that scripts ask for
rules                  special rules, the book of those in play, and the ledger
timing, handling       when rules act, which answers are legal; changes shared by rules and steps
setup, turn            the steps, each a script
live                   battles that go on answer by answer
evaluation, players    values of pucks and attacks; who decides
position, expert       the chance to win by a fit to many battles; a player that searches
record, setup_file     JSON and text; set-ups from files, legal pucks, proxies, house collections
narration, transcript  battles as told to a person; every event as text, and the standing
=====================  ============================================================================

The special rules themselves are in `sim.pokepucks.special`.

Example:
    >>> from sim.pokepucks.design_file import shipped_catalogue
    >>> from sim.pokepucks.throw_sources import shipped_table
    >>> find = shipped_catalogue().find
    >>> table = house_table([find("pikachu"), find("onix")])
    >>> *_, last = play_battle(table, [GreedyPlayer(), RandomPlayer()], shipped_table(), seed=7)
    >>> last.after.step.value, last.ask.asking.value if isinstance(last.ask, Question) else "throw"
    ('over', 'throw')
"""

from sim.pokepucks.battle.events import Event, apply, replay_events
from sim.pokepucks.battle.live import (
    BattleMatch,
    Exchange,
    LiveBattle,
    Moment,
    advance,
    begin,
    decide_first,
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
from sim.pokepucks.battle.rules import RuleBook, rules_of, shipped_rules
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.setup_file import house_collection, house_table, read_setup
from sim.pokepucks.battle.state import Attack, BattleState, Place, StackKind, Status, Step, Turn
from sim.pokepucks.battle.table import BattleOptions, Mode, Puck, Table
from sim.pokepucks.battle.timing import check_answer
from sim.pokepucks.battle.transcript import (
    Winnings,
    battle_transcript,
    describe_event,
    stack_lines,
    standing_lines,
    winnings_of,
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
    "RuleBook",
    "StackKind",
    "Status",
    "Step",
    "Table",
    "ThrowCall",
    "Turn",
    "Use",
    "Winnings",
    "advance",
    "answer_text",
    "apply",
    "battle_transcript",
    "begin",
    "check_answer",
    "decide_first",
    "describe_event",
    "event_from",
    "event_json",
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
    "rules_of",
    "shipped_rules",
    "shot_of",
    "stack_lines",
    "standing_lines",
    "state_from",
    "state_json",
    "throw_generator",
    "winnings_of",
]
