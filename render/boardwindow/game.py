"""A game in the window: between persons and players that choose by themselves.

`LiveGame` is the game with its steps, `history_of_game` turns steps into the entries that the
window shows, and the texts say whose turn it is and what a person may do.
"""

from collections.abc import Iterable, Iterator, Sequence

from render.boardwindow.explorer_state import Entry, History
from render.boardwindow.picture import capitalized
from sim.bumpers import Movement, PieceMove, nudge, play
from sim.bumpers.game import (
    BUMPERS,
    Choice,
    Event,
    GameState,
    MakeMove,
    Pass,
    Phase,
    PlacePiece,
    PlayCard,
    Table,
    choice_text,
    choices,
    event_text,
    new_game,
)
from sim.core.game import Match, Player, Seed, Step

GameStep = Step[GameState, Choice, Event]


class LiveGame(Match[Table, GameState, Choice, Event]):
    """A game in a window; chance is the same as in any match."""

    def __init__(
        self, table: Table, players: Sequence[Player | None], kinds: Sequence[str], seed: Seed
    ) -> None:
        super().__init__(BUMPERS, table, players, seed, kinds=kinds)
        self.table = table

    @property
    def is_over(self) -> bool:
        """True if the game is over."""
        return self.open is None

    @property
    def persons(self) -> tuple[int, ...]:
        """The numbers of the players that are persons."""
        return tuple(seat for seat, player in enumerate(self.players) if player is None)

    @property
    def offered(self) -> tuple[Choice, ...]:
        """The choices of the person who is to choose; empty if it is not a person's turn."""
        return () if self.person is None else choices(self.state)

    @property
    def is_waiting(self) -> bool:
        """True if a person has more to choose from than passing."""
        return self.offered not in ((), (Pass(),))


def history_of_game(table: Table, steps: Iterable[GameStep]) -> History:
    """Return the history of a game, at its beginning, without steps that show nothing.

    Example:
        >>> from sim.bumpers.game import RandomPlayer, make_table
        >>> from sim.core.game import play
        >>> table = make_table(2, max_actions=3)
        >>> steps = list(play(BUMPERS, table, [RandomPlayer()] * 2, 7))
        >>> history_of_game(table, steps).entries[1].text
        'put RI h14'
    """
    first = Entry(position=new_game(table).position, description="the board before the game")
    return History(entries=(first, *_entries(steps)))


def entry_of(step: GameStep, description: str = "") -> Entry | None:
    """Return the history entry of a step; None if the step shows nothing.

    Args:
        step: The step.
        description: Events of the step, and of those since the last entry.
    """
    is_seen = isinstance(step.answer, MakeMove | PlacePiece | PlayCard)
    if not is_seen and step.before.position == step.after.position:
        return None
    layout = step.after.position.layout
    return Entry(
        position=step.after.position,
        text=choice_text(step.before, step.answer),
        description=description,
        movements=_movements(step),
        glides=isinstance(step.answer, MakeMove) or step.before.position.layout != layout,
        turn=step.before.turns,
    )


def piece_movements(state: GameState, move: PieceMove) -> tuple[Movement, ...]:
    """Return the movements that a piece move causes in the present state of a game."""
    if state.pending is not None:
        return nudge(state.position, move)[1].movements
    colours, before = state.movable, state.turn.before
    return play(state.position, move, colours=colours, before=before)[1].movements


def turn_text(state: GameState) -> str:
    """Return the title of a state: the player to move, or the result."""
    if state.winner is not None:
        return f"{capitalized(state.table.name(state.winner))} wins"
    if state.phase is Phase.OVER:
        return "A draw"
    who = capitalized(state.table.name(state.player))
    return f"{who} places" if state.phase is Phase.PLACING else f"{who}, turn {state.turns}"


def prompt_lines(game: LiveGame) -> tuple[str, ...]:
    """Return the question to a person, or the player that the game is waiting for."""
    state = game.state
    if game.is_over:
        return ("the game is over", "save it, or explore it")
    if not game.is_waiting or game.person is None:
        return (f"{state.table.name(state.player)} is to move ...",)
    name = state.table.name(game.person)
    if state.phase is Phase.PLACING:
        return (f"{name}: place your pieces", "choose a piece, then click on a ring")
    if state.asked is not None:
        return (f"{name}: play a quick-play card, or pass",)
    if state.phase is Phase.DISCARD:
        return (f"{name}: choose a card to discard",)
    if state.pending is not None:
        card = state.card(state.pending.card)
        return (f"{name}: {card.name}", card.text)
    if state.turn.taken >= state.actions_allowed:
        return (f"{name}: no actions left", "play a card, or pass")
    return (
        f"{name}: action {state.turn.taken + 1} of {state.actions_allowed}",
        "move a piece, or play a card",
    )


def step_text(step: GameStep) -> str:
    """Return the events of a step as one line."""
    return ", ".join(event_text(step.before.table, event) for event in step.events)


def joined_text(text: str, step: GameStep) -> str:
    """Return a text followed by the events of a step."""
    return ", ".join(part for part in (text, step_text(step)) if part)


def _entries(steps: Iterable[GameStep]) -> Iterator[Entry]:
    text = ""
    for taken in steps:
        text = joined_text(text, taken)
        entry = entry_of(taken, text)
        if entry is not None:
            yield entry
            text = ""


def _movements(step: GameStep) -> tuple[Movement, ...]:
    """Return the movements of pieces in a step."""
    if isinstance(step.answer, MakeMove) and isinstance(step.answer.move, PieceMove):
        return piece_movements(step.before, step.answer.move)
    return ()
