"""A board to explore: what is chosen, and what comes of moves and edits.

Functions take a desk and return another. What cannot be done leaves all as it is but for a line
that says why.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from physics import InputError
from render.boardwindow.history import Entry, History, gone_to, history_of, with_entry
from render.boardwindow.picking import (
    laid,
    mat_move_to,
    slot_of,
    way_at,
    ways_of,
    why_not_laid,
)
from sim.bumpers import (
    Colour,
    Direction,
    Kind,
    MatMove,
    Move,
    Piece,
    PieceMove,
    Position,
    Turn,
    board_of,
    make_position,
    move_text,
    parse_move,
    parse_position,
    play,
    position_problems,
    why_not,
)
from sim.bumpers.board import Square
from sim.bumpers.movetext import plain_text


class Tool(Enum):
    """What a click on the board does."""

    MOVE_PIECES = "move pieces"
    MOVE_MATS = "move mats"
    EDIT_PIECES = "edit pieces"
    EDIT_MATS = "edit mats"

    @property
    def is_for_mats(self) -> bool:
        """Whether mats are chosen with it."""
        return self in (Tool.MOVE_MATS, Tool.EDIT_MATS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """A board being explored; build it with `desk_of`.

    Attributes:
        history: The positions so far.
        tool: What a click does.
        space: The space of the piece that is chosen.
        mat: The mat that is chosen.
        brush: The piece that a click places in editing; None removes one.
        told: What to tell, such as why something could not be done.
    """

    history: History
    tool: Tool = Tool.MOVE_PIECES
    space: int | None = None
    mat: int | None = None
    brush: Piece | None = field(default=Piece(Colour.RED, Kind.PUCK))
    told: str = ""

    @property
    def position(self) -> Position:
        """The position shown."""
        return self.history.position


def desk_of(position: Position) -> Desk:
    """Return a desk with a position.

    Example:
        >>> from sim.bumpers import parse_move
        >>> desk = desk_of(parse_position("pb1:small:RPb7:-:R:-"))
        >>> desk = moved(desk, parse_move(desk.position, "b7E"))
        >>> desk.history.entry.text, went(desk, -1).history.at
        ('b7E', 0)
    """
    return Desk(history=history_of([Entry(position=position)]))


def with_tool(desk: Desk, tool: Tool) -> Desk:
    """Return the desk with another tool, and nothing chosen."""
    return replace(desk, tool=tool, space=None, mat=None, told="")


def with_brush(desk: Desk, brush: Piece | None) -> Desk:
    """Return the desk with another piece to place; None removes pieces."""
    return replace(desk, brush=brush, told="")


def told(desk: Desk, words: str) -> Desk:
    """Return the desk with something to tell."""
    return replace(desk, told=words)


def went(desk: Desk, steps: int) -> Desk:
    """Return the desk some positions back (below 0) or on."""
    history = gone_to(desk.history, desk.history.at + steps)
    return replace(desk, history=history, space=None, mat=None, told="")


def moved(desk: Desk, move: Move) -> Desk:
    """Return the desk after a legal move; the piece, or the mat, stays chosen."""
    position = desk.position
    try:
        after, change = play(position, move)
    except InputError as error:
        return told(desk, str(error))
    entry = Entry(
        position=after,
        text=move_text(position, move),
        movements=change.movements,
        glides=True,
    )
    moving = [m for m in change.movements if isinstance(move, PieceMove) and m.start == move.space]
    space = next((m.end for m in moving if not m.scored), None)
    if isinstance(move, PieceMove) and not moving:
        space = move.space
    return replace(desk, history=with_entry(desk.history, entry), space=space, told="")


def desk_with_moves(desk: Desk, texts: Iterable[str]) -> Desk:
    """Return a desk with moves to come, from the position shown.

    Args:
        desk: The desk.
        texts: The moves, as `sim.bumpers.parse_move` reads them.

    Raises:
        InputError: One is no legal move where it stands.
    """
    ahead = desk
    for text in texts:
        ahead = moved(ahead, parse_move(ahead.position, text))
    return replace(desk, history=gone_to(ahead.history, desk.history.at))


def edited(desk: Desk, position: Position, text: str, *, glides: bool = False) -> Desk:
    """Return the desk after an edit, if what comes of it is a legal position."""
    if position == desk.position:
        return desk
    problems = position_problems(position)
    if problems:
        return told(desk, "; ".join(problems))
    entry = Entry(position=position, text=text, glides=glides)
    return replace(desk, history=with_entry(desk.history, entry), space=None, told="")


def pasted(desk: Desk, text: str) -> Desk:
    """Return the desk with the position of a line."""
    try:
        return replace(edited(desk, parse_position(text), "pasted"), mat=None)
    except InputError as error:
        return told(desk, str(error))


def with_side(desk: Desk, colour: Colour | None) -> Desk:
    """Return the desk with another side to move."""
    word = "nobody" if colour is None else colour.word
    return edited(desk, replace(desk.position, to_move=colour), f"{word} to move")


def with_next_side(desk: Desk) -> Desk:
    """Return the desk with the next colour to move, of those with a piece on the board."""
    there = sorted({piece.colour for _, piece in desk.position.pieces})
    if not there:
        return told(desk, "there is no piece on the board")
    now = desk.position.to_move
    later = [colour for colour in there if now is not None and colour > now]
    return with_side(desk, (later or there)[0])


def with_scored(desk: Desk, change: int) -> Desk:
    """Return the desk with more or fewer pucks scored by the side to move."""
    colour = desk.position.to_move
    if colour is None:
        return told(desk, "choose who is to move first")
    scored = list(desk.position.scored)
    scored[colour] += change
    text = f"{colour.word}: {scored[colour]} scored"
    return edited(desk, replace(desk.position, scored=tuple(scored)), text)


def placed(desk: Desk, space: int, piece: Piece | None) -> Desk:
    """Return the desk with a piece put on a space, or taken from it."""
    board = board_of(desk.position.layout)
    name = board.name(board.squares[space])
    pieces = {other: there for other, there in desk.position.pieces if other != space}
    if piece is not None:
        pieces[space] = piece
    text = f"{name} empty" if piece is None else f"{piece.code} on {name}"
    return edited(desk, with_pieces(desk.position, pieces), text)


def carried(desk: Desk, start: int, end: int) -> Desk:
    """Return the desk with a piece taken from a space and put on another."""
    pieces = dict(desk.position.pieces)
    piece = pieces.pop(start)
    pieces[end] = piece
    board = board_of(desk.position.layout)
    text = f"{piece.code} to {board.name(board.squares[end])}"
    return edited(desk, with_pieces(desk.position, pieces), text)


def with_pieces(position: Position, pieces: Mapping[int, Piece]) -> Position:
    """Return a position with other pieces, by space."""
    bare = make_position(position.layout, pieces)
    return replace(position, pieces=bare.pieces)


def clicked(desk: Desk, square: Square) -> Desk:
    """Return the desk after a click on a square: it chooses, moves, or places."""
    if desk.tool.is_for_mats:
        return _mat_clicked(desk, square)
    space = board_of(desk.position.layout).spaces.get(square)
    if desk.tool is Tool.EDIT_PIECES:
        if space is None:
            return desk
        same = desk.position.piece_on(space) == desk.brush
        return placed(desk, space, None if same else desk.brush)
    return _space_clicked(desk, square, space)


def headed(desk: Desk, direction: Direction) -> Desk:
    """Return the desk after the chosen piece was sent in a direction."""
    if desk.space is None:
        return told(desk, "choose a piece first")
    move = PieceMove(desk.space, direction)
    reason = why_not(desk.position, move)
    if reason:
        return told(desk, f"{plain_text(desk.position.layout, move)}: {reason}")
    return moved(desk, move)


def turned(desk: Desk, quarters: int) -> Desk:
    """Return the desk after the chosen mat turned, by 1 to 3 quarter turns clockwise."""
    if desk.mat is None:
        return told(desk, "choose a mat first")
    return mat_moved(desk, Turn(desk.mat, quarters))


def brought(desk: Desk, mat: int, square: Square) -> Desk:
    """Return the desk after a mat was brought to where a square is, by a shift or a swap."""
    layout = desk.position.layout
    move = mat_move_to(layout, mat, slot_of(square, layout.size))
    chosen = replace(desk, mat=mat)
    return chosen if move is None else mat_moved(chosen, move)


def mat_moved(desk: Desk, move: MatMove) -> Desk:
    """Return the desk after a mat move: by the rules, or in editing by hand."""
    text = plain_text(desk.position.layout, move)
    is_free = desk.tool is Tool.EDIT_MATS
    reason = (why_not_laid if is_free else why_not)(desk.position, move)
    if reason:
        return told(desk, f"{text}: {reason}")
    if is_free:
        return edited(desk, laid(desk.position, move), text, glides=True)
    return replace(moved(desk, move), mat=desk.mat)


def next_piece(desk: Desk, change: int) -> Desk:
    """Return the desk with the next piece chosen of those that can move, or the one before."""
    spaces = sorted(ways_of(desk.position), key=lambda space: _reading(desk.position, space))
    if not spaces:
        return told(desk, "no piece can move")
    if desk.space in spaces:
        number = (spaces.index(desk.space) + change) % len(spaces)
    else:
        number = 0 if change > 0 else -1
    return replace(desk, space=spaces[number], told="")


def _space_clicked(desk: Desk, square: Square, space: int | None) -> Desk:
    position = desk.position
    if desk.space is not None:
        way = way_at(position, ways_of(position).get(desk.space, ()), square)
        if way is not None:
            return moved(desk, way.move)
    piece = None if space is None else position.piece_on(space)
    if piece is None or space == desk.space:
        return replace(desk, space=None, told="")
    if position.to_move is not piece.colour:
        side = "nobody" if position.to_move is None else position.to_move.word
        return replace(desk, space=None, told=f"that is a {piece}, and {side} is to move")
    return replace(desk, space=space, told="")


def _mat_clicked(desk: Desk, square: Square) -> Desk:
    layout = desk.position.layout
    there = layout.mat_at(slot_of(square, layout.size))
    if desk.mat is None or desk.mat == there:
        return replace(desk, mat=there if desk.mat is None else None, told="")
    return brought(desk, desk.mat, square)


def _reading(position: Position, space: int) -> Square:
    return board_of(position.layout).squares[space]
