"""The game of Puck Bumpers: placing, turns, cards, players, records.

A state is immutable. ``choices`` are what whoever is to choose may do, ``step`` takes one of them;
a game is its list of choices, shuffles among them, and replays from it exactly.

Example:
    >>> import numpy as np
    >>> table = make_table(2, max_actions=30)
    >>> *_, last = play_game(table, [RandomPlayer(), GreedyPlayer()], np.random.default_rng(7))
    >>> last.after.phase.value
    'over'
"""

from sim.bumpers.game.asking import choices, chooser, quick_plays, unplaced, why_not_play
from sim.bumpers.game.cardcount import cards_of
from sim.bumpers.game.cards import Card, CardKind, Deck
from sim.bumpers.game.choice import Choice, Go, Name, Pass, Pick, Play, Put, Shuffled
from sim.bumpers.game.choicetext import choice_text, parse_choice
from sim.bumpers.game.deckfile import deck_from, house_deck, read_deck
from sim.bumpers.game.distance import lone_slides
from sim.bumpers.game.events import Event, Happening
from sim.bumpers.game.match import Step, play_game, random_start
from sim.bumpers.game.players import PLAYERS, GreedyPlayer, Player, RandomPlayer, player_of
from sim.bumpers.game.record import (
    Record,
    read_record,
    record_from,
    record_json,
    record_of,
    replay,
)
from sim.bumpers.game.setting import make_table
from sim.bumpers.game.state import GameState, Phase, Quick, Turn
from sim.bumpers.game.statejson import state_from, state_json
from sim.bumpers.game.steps import new_game, shuffle, step
from sim.bumpers.game.table import Table
from sim.bumpers.game.telling import tell_event, tell_game, tell_standing

__all__ = [
    "PLAYERS",
    "Card",
    "CardKind",
    "Choice",
    "Deck",
    "Event",
    "GameState",
    "Go",
    "GreedyPlayer",
    "Happening",
    "Name",
    "Pass",
    "Phase",
    "Pick",
    "Play",
    "Player",
    "Put",
    "Quick",
    "RandomPlayer",
    "Record",
    "Shuffled",
    "Step",
    "Table",
    "Turn",
    "cards_of",
    "choice_text",
    "choices",
    "chooser",
    "deck_from",
    "house_deck",
    "lone_slides",
    "make_table",
    "new_game",
    "parse_choice",
    "play_game",
    "player_of",
    "quick_plays",
    "random_start",
    "read_deck",
    "read_record",
    "record_from",
    "record_json",
    "record_of",
    "replay",
    "shuffle",
    "state_from",
    "state_json",
    "step",
    "tell_event",
    "tell_game",
    "tell_standing",
    "unplaced",
    "why_not_play",
]
