"""Choices: who chooses next, which choices are legal, and choices as text.

``put RP c7`` puts a red puck on c7. ``c7N`` and ``T:K3+90`` are moves, as in
`pucklab.sim.bumpers.move_notation`. ``play Board Shift`` and ``pick Board Shift`` name a card,
``name red`` a player; ``pass`` is to pass. A shuffle is the numbers of the cards, the top one last:
``shuffle 3.17.0``.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from pucklab.sim.bumpers.board import board_of, start_spaces
from pucklab.sim.bumpers.cards import CardKind
from pucklab.sim.bumpers.game.card_effects import HOOKS, may_continue_series
from pucklab.sim.bumpers.game.piles import is_layout_legal
from pucklab.sim.bumpers.game.state import (
    Choice,
    Choices,
    GameState,
    MakeMove,
    NameColour,
    Pass,
    Phase,
    PickCard,
    PlacePiece,
    PlayCard,
    Shuffled,
)
from pucklab.sim.bumpers.mat_notation import problem_in
from pucklab.sim.bumpers.mats import Kind, Piece
from pucklab.sim.bumpers.move_notation import move_text, parse_move
from pucklab.sim.bumpers.moves import PieceMove, bare_move_text
from pucklab.sim.bumpers.rules import legal_moves

_SHUFFLE = re.compile(r"shuffle ([0-9]{1,9}(?:\.[0-9]{1,9})*)")
_MOVE = re.compile(r"[a-z]{0,2}[0-9]*[NESW]?x?\*?|[TSH]:.*")
_WORDS = ("put", "play", "pick", "name", "pass", "shuffle")
_SHOWN = 8


def chooser(state: GameState) -> int | None:
    """Return the player who chooses next; None if a shuffle is due or the game is over."""
    if state.shuffle_due or state.phase is Phase.OVER:
        return None
    if state.asked is not None:
        return state.neighbour(state.player, state.asked + 1)
    if state.pending is not None and state.pending.colour is not None:
        return state.config.owner(state.pending.colour)
    return state.player


@lru_cache(maxsize=8)
def choices(state: GameState) -> Choices:
    """Return the legal choices; empty if a shuffle is due or the game is over.

    Example:
        >>> import numpy as np
        >>> from pucklab.sim.bumpers.game import make_config, new_game, shuffle, step
        >>> state = new_game(make_config(2))
        >>> state, _ = step(state, shuffle(state, np.random.default_rng(1)))
        >>> len(choices(state)), choices(state)[0].piece.code
        (44, 'RP')
    """
    if state.shuffle_due or state.phase is Phase.OVER:
        return ()
    if state.phase is Phase.PLACING:
        # Every kind of piece left to place, on every free start space of its kind (PB-20).
        taken = {space for space, _ in state.position.pieces}
        return tuple(
            PlacePiece(piece, space)
            for piece in unplaced(state, state.player)
            for space in start_spaces(state.position.layout, piece.kind)
            if space not in taken
        )
    if state.asked is not None:
        who = state.neighbour(state.player, state.asked + 1)
        return (*quick_plays(state, who), Pass())
    if state.phase is Phase.DISCARD:
        return tuple(PickCard(card) for card in sorted(set(state.hands[state.player])))
    if state.pending is not None:
        hook = HOOKS[state.card(state.pending.card).hook]
        assert hook.options is not None
        return (*hook.options(state), *(_free_plays(state) if hook.may_interrupt else ()))
    # The action phase: an action is compulsory if one is legal (PB-21).
    actions: list[Choice] = []
    if state.turn.taken < state.actions_allowed:
        if is_layout_legal(state):
            moves = legal_moves(state.position, colours=state.movable, before=state.turn.before)
            actions += [MakeMove(move) for move in moves]
        actions += _playable_cards(state, state.player, CardKind.DRAW, CardKind.GAME_CHANGER)
    end = () if actions and not state.config.may_pass else (Pass(),)
    return (*actions, *_free_plays(state), *end)


def quick_plays(state: GameState, player: int) -> tuple[PlayCard, ...]:
    """Return the quick plays that a player may play now (PB-25)."""
    return _playable_cards(state, player, CardKind.QUICK_PLAY)


def unplaced(state: GameState, player: int) -> tuple[Piece, ...]:
    """Return the pieces that a player has yet to place, each kind once."""
    mine = (Piece(colour, kind) for colour in state.config.colours_of(player) for kind in Kind)
    each = state.config.pieces_each
    return tuple(piece for piece in mine if state.position.count(piece) < each[piece.kind])


def why_unplayable(state: GameState, player: int, card: int) -> str:
    """Return why a player may not play a card now; empty if they may."""
    kind, name = state.card(card).kind, state.card(card).name
    if card not in state.hands[player]:
        return f"{state.config.name(player)} does not hold {name}"
    if state.phase not in {Phase.DRAW, Phase.ACTION}:
        return "no card can be played now"
    if state.actions >= state.config.max_actions:
        return f"all {state.config.max_actions} actions of the game are taken (PB-33)"
    if kind is not CardKind.QUICK_PLAY:
        if player != state.player or state.phase is not Phase.ACTION:
            return f"{name} is played in your own turn, after the draw"
        if state.asked is not None:
            return f"only quick plays can be played now; {name} is not one"
        is_action = kind in {CardKind.DRAW, CardKind.GAME_CHANGER}
        if is_action and state.turn.taken >= state.actions_allowed:
            return f"it is an action, and all {state.actions_allowed} of this turn are taken"
    return HOOKS[state.card(card).hook].why_unplayable(state, player)


def _free_plays(state: GameState) -> tuple[PlayCard, ...]:
    """Return the cards that the player may play without spending an action."""
    return _playable_cards(state, state.player, CardKind.ACTION, CardKind.QUICK_PLAY)


def _playable_cards(state: GameState, player: int, *kinds: CardKind) -> tuple[PlayCard, ...]:
    """Return the cards of some kinds that a player may play now."""
    return tuple(
        PlayCard(card)
        for card in sorted(set(state.hands[player]))
        if state.card(card).kind in kinds and not why_unplayable(state, player, card)
    )


def choice_text(state: GameState, choice: Choice) -> str:
    """Return the text of a choice; `parse_choice` reads it back."""
    cards = state.config.deck.cards
    if isinstance(choice, Shuffled):
        return "shuffle " + ".".join(map(str, choice.cards))
    if isinstance(choice, PlacePiece):
        name = board_of(state.position.layout).name_of(choice.space)
        return f"put {choice.piece.code} {name}"
    if isinstance(choice, MakeMove):
        return _move_text(state, choice)
    if isinstance(choice, NameColour):
        return f"name {choice.colour.word}"
    if isinstance(choice, Pass):
        return "pass"
    word = "play" if isinstance(choice, PlayCard) else "pick"
    known = 0 <= choice.card < len(cards)
    return f"{word} {cards[choice.card].name if known else choice.card}"


def _move_text(state: GameState, choice: MakeMove) -> str:
    """Return the text of a move; only a piece move without a card has marks for its outcome."""
    own = state.phase is Phase.ACTION and state.pending is None
    if own and isinstance(choice.move, PieceMove) and state.position.piece_on(choice.move.space):
        return move_text(state.position, choice.move)
    return bare_move_text(state.position.layout, choice.move)


def parse_choice(state: GameState, text: str) -> Choice:
    """Return the legal choice that a text denotes.

    Except in moves, capitals and extra blanks are ignored, and an unambiguous beginning of a
    card's name is enough.

    Raises:
        NotationError: No legal choice fits, or more than one; the message lists the candidates.
    """
    text = " ".join(text.split())
    match = _SHUFFLE.fullmatch(text)
    if match and state.shuffle_due:
        return Shuffled(tuple(int(number) for number in match[1].split(".")))
    if state.shuffle_due:
        message = (
            "a shuffle is due; give shuffle and the numbers of the cards, such as shuffle 3.17.0"
        )
        raise problem_in("choice", text, message)
    legal = choices(state)
    if any(isinstance(choice, MakeMove) for choice in legal) and text and _MOVE.fullmatch(text):
        if state.pending is None:
            move = parse_move(state.position, text, colours=state.movable, before=state.turn.before)
        else:
            fitting = [c for c in legal if isinstance(c, MakeMove) and _move_text(state, c) == text]
            if fitting:
                return fitting[0]
            move = parse_move(state.position, text, temporary=may_continue_series(state))
        if (choice := MakeMove(move)) in legal:
            return choice
        names = list_choices([choice_text(state, other) for other in legal])
        raise problem_in("choice", text, f"not now; give one of {names}")
    texts = [(choice_text(state, choice), choice) for choice in legal]
    lower = text.lower()
    fits = [pair for pair in texts if pair[0].lower() == lower]
    if not fits and len(text.split()) > 1:
        fits = [pair for pair in texts if pair[0].lower().startswith(lower)]
    if len(fits) == 1:
        return fits[0][1]
    if fits:
        message = f"{len(fits)} choices fit: {list_choices([t for t, _ in fits])}; give one of them"
    else:
        message = f"not a choice now; give one of {list_choices([t for t, _ in texts])}"
        message = message if texts else "the game is over"
    raise problem_in("choice", text, message)


def list_choices(texts: Sequence[str]) -> str:
    """Return choices for an error: first those in words, then up to eight others."""
    words = [text for text in texts if text.split()[0] in _WORDS and not text.startswith("put")]
    others = [text for text in texts if text not in words]
    more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
    return ", ".join(words + others[:_SHOWN]) + more
