"""The game of Puck Bumpers: set-up, turns, cards, players, records.

A state is immutable: `choices` lists the legal choices of the player who chooses next, `step`
returns the state after one of them. A game is its list of choices, shuffles included, and replays
exactly. Begin with `make_config` and `BUMPERS`; the types are in `pucklab.sim.bumpers.game.state`,
the flow of a turn in `pucklab.sim.bumpers.game.turn`. Players are in `players` and `planner`, and
by name in `player_kinds`.

Example:
    >>> from pucklab.sim.core.game import play
    >>> config = make_config(2, max_actions=30)
    >>> *_, last = play(BUMPERS, config, [RandomPlayer(), GreedyPlayer()], 7)
    >>> last.after.phase.value
    'over'
"""

from pucklab.sim.bumpers.cards import CardKind, Deck
from pucklab.sim.bumpers.game.choices import (
    choice_text,
    choices,
    chooser,
    parse_choice,
    unplaced,
)
from pucklab.sim.bumpers.game.deck_file import deck_from, house_deck, read_deck
from pucklab.sim.bumpers.game.match import (
    BUMPERS,
    first_player,
    make_config,
    place_at_random,
    random_start,
)
from pucklab.sim.bumpers.game.players import (
    GreedyPlayer,
    RandomPlayer,
    goal_distances,
)
from pucklab.sim.bumpers.game.state import (
    Choice,
    Event,
    GameConfig,
    GameState,
    MakeMove,
    NameColour,
    Pass,
    Phase,
    PickCard,
    PlacePiece,
    PlayCard,
)
from pucklab.sim.bumpers.game.transcript import event_text, game_transcript, result_lines
from pucklab.sim.bumpers.game.turn import new_game, shuffle, step

__all__ = [
    "BUMPERS",
    "CardKind",
    "Choice",
    "Deck",
    "Event",
    "GameConfig",
    "GameState",
    "GreedyPlayer",
    "MakeMove",
    "NameColour",
    "Pass",
    "Phase",
    "PickCard",
    "PlacePiece",
    "PlayCard",
    "RandomPlayer",
    "choice_text",
    "choices",
    "chooser",
    "deck_from",
    "event_text",
    "first_player",
    "game_transcript",
    "goal_distances",
    "house_deck",
    "make_config",
    "new_game",
    "parse_choice",
    "place_at_random",
    "random_start",
    "read_deck",
    "result_lines",
    "shuffle",
    "step",
    "unplaced",
]
