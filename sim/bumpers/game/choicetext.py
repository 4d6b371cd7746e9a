"""Choices as text, for records and for people.

``put RP c7`` puts a red puck on c7; ``c7N`` and mat moves such as ``T:K3+90`` are the engine's
notation; ``play Board Shift``, ``pick Board Shift``, ``name red``, ``pass``; a shuffle is the
numbers of the cards, the top one last: ``shuffle 3.17.0``.
"""

import re
from collections.abc import Sequence

from sim.bumpers.board import board_of
from sim.bumpers.game.asking import choices
from sim.bumpers.game.choice import Choice, Go, Name, Pass, Play, Put, Shuffled
from sim.bumpers.game.mathooks import may_follow
from sim.bumpers.game.state import GameState, Phase
from sim.bumpers.marking import NotationError, Problem
from sim.bumpers.movenotation import move_text, parse_move
from sim.bumpers.moves import PieceMove
from sim.bumpers.movetext import plain_text

_SHUFFLE = re.compile(r"shuffle ([0-9]{1,9}(?:\.[0-9]{1,9})*)")
_MOVE = re.compile(r"[a-z]{0,2}[0-9]*[NESW]?x?\*?|[TSH]:.*")
_WORDS = ("put", "play", "pick", "name", "pass", "shuffle")
_SHOWN = 8


def choice_text(state: GameState, choice: Choice) -> str:
    """Return a choice's text; `parse_choice` reads it back."""
    cards = state.table.deck.cards
    if isinstance(choice, Shuffled):
        return "shuffle " + ".".join(map(str, choice.cards))
    if isinstance(choice, Put):
        board = board_of(state.position.layout)
        return f"put {choice.piece.code} {board.name(board.squares[choice.space])}"
    if isinstance(choice, Go):
        return _move_text(state, choice)
    if isinstance(choice, Name):
        return f"name {choice.colour.word}"
    if isinstance(choice, Pass):
        return "pass"
    word = "play" if isinstance(choice, Play) else "pick"
    known = 0 <= choice.card < len(cards)
    return f"{word} {cards[choice.card].name if known else choice.card}"


def parse_choice(state: GameState, text: str) -> Choice:
    """Return the choice that a text says, of those that there are.

    Capitals and blanks do not matter but in moves; the beginning of a card's name is enough if
    only one card begins so.

    Raises:
        NotationError: No choice there is, or more than one; the message gives the candidates.
    """
    text = " ".join(text.split())
    match = _SHUFFLE.fullmatch(text)
    if match and state.shuffle_due:
        return Shuffled(tuple(int(number) for number in match[1].split(".")))
    if state.shuffle_due:
        message = (
            "a shuffle is due; give shuffle and the numbers of the cards, such as shuffle 3.17.0"
        )
        raise NotationError("choice", text, [Problem(message, 0, len(text))])
    there = choices(state)
    if any(isinstance(choice, Go) for choice in there) and text and _MOVE.fullmatch(text):
        return _parse_go(state, text, there)
    texts = [(choice_text(state, choice), choice) for choice in there]
    lower = text.lower()
    fits = [pair for pair in texts if pair[0].lower() == lower]
    if not fits and len(text.split()) > 1:
        fits = [pair for pair in texts if pair[0].lower().startswith(lower)]
    if len(fits) == 1:
        return fits[0][1]
    if fits:
        message = f"{len(fits)} choices fit: {listed([t for t, _ in fits])}; give one of them"
    else:
        message = f"no choice now; give one of {listed([t for t, _ in texts])}"
        message = message if texts else "the game is over"
    raise NotationError("choice", text, [Problem(message, 0, len(text))])


def listed(texts: Sequence[str]) -> str:
    """Return choices as an error lists them: those in words, then the first of the others."""
    words = [text for text in texts if text.split()[0] in _WORDS and not text.startswith("put")]
    others = [text for text in texts if text not in words]
    more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
    return ", ".join(words + others[:_SHOWN]) + more


def _move_text(state: GameState, choice: Go) -> str:
    own = state.phase is Phase.ACTION and state.pending is None
    if own and isinstance(choice.move, PieceMove) and state.position.piece_on(choice.move.space):
        return move_text(state.position, choice.move)
    return plain_text(state.position.layout, choice.move)


def _parse_go(state: GameState, text: str, there: Sequence[Choice]) -> Choice:
    if state.pending is None:
        move = parse_move(state.position, text, colours=state.movable, before=state.turn.before)
    else:
        fits = [c for c in there if isinstance(c, Go) and _move_text(state, c) == text]
        if fits:
            return fits[0]
        move = parse_move(state.position, text, temporary=may_follow(state))
    choice = Go(move)
    if choice in there:
        return choice
    names = listed([choice_text(state, other) for other in there])
    raise NotationError("choice", text, [Problem(f"not now; give one of {names}", 0, len(text))])
