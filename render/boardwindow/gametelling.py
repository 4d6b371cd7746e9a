"""What a game asks of a person, and whose turn it is, in a few words."""

from render.boardwindow.live import LiveGame
from render.boardwindow.words import capital
from sim.bumpers.game import GameState, Phase


def tell_turn(state: GameState) -> str:
    """Return whose turn it is, or how the game ended."""
    if state.winner is not None:
        return f"{capital(state.table.name(state.winner))} wins"
    if state.phase is Phase.OVER:
        return "A draw"
    who = capital(state.table.name(state.player))
    return f"{who} places" if state.phase is Phase.PLACING else f"{who}, turn {state.turns}"


def tell_asked(game: LiveGame) -> tuple[str, ...]:
    """Return what is asked of a person; of nobody, whom the game waits for."""
    state = game.state
    if game.is_over:
        return ("the game is over", "save it, or explore it")
    if not game.is_waiting or game.person is None:
        return (f"{state.table.name(state.player)} is to move ...",)
    name = state.table.name(game.person)
    if state.phase is Phase.PLACING:
        return (f"{name}: place your pieces", "choose a kind, click on a ring")
    if state.asked is not None:
        return (f"{name}: play a quick play, or pass",)
    if state.phase is Phase.DISCARD:
        return (f"{name}: choose a card to discard",)
    if state.pending is not None:
        card = state.card(state.pending.card)
        return (f"{name}: {card.name}", card.text)
    if state.turn.taken >= state.allowed:
        return (f"{name}: all actions are taken", "play a card, or pass")
    return (
        f"{name}: action {state.turn.taken + 1} of {state.allowed}",
        "move a piece, or play a card",
    )
