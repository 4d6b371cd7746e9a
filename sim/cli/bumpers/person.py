"""A person at the terminal, as a player."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    import numpy as np

    from sim.bumpers.game import Choice, GameState

_ASIDES = "(board, hand, choices)"


class Person:
    """Asks at the terminal; what is wrong is told, and asked for again."""

    def choose(
        self,
        state: "GameState",
        choices: "tuple[Choice, ...]",
        rng: "np.random.Generator",
    ) -> "Choice":
        """Ask for a choice until one is given."""
        from physics import InputError
        from sim.bumpers.game import chooser, parse_choice

        del choices, rng
        who = chooser(state)
        assert who is not None
        while True:
            text = click.prompt(_question(state, who), prompt_suffix=" > ").strip()
            if text in {"board", "hand", "choices"}:
                click.echo(_aside(text, state, who))
                continue
            try:
                return parse_choice(state, text)
            except InputError as error:
                click.echo(str(error))


def _question(state: "GameState", who: int) -> str:
    from sim.bumpers.game import Phase

    name = state.table.name(who)
    if state.phase is Phase.PLACING:
        return f"{name}: place a piece, such as put {name[0].upper()}P b2 {_ASIDES}"
    if state.asked is not None:
        return f"{name}: play a quick play, or pass {_ASIDES}"
    if state.phase is Phase.DISCARD:
        return f"{name}: pick a card to discard {_ASIDES}"
    if state.pending is not None:
        return f"{name}: {state.card(state.pending.card).text} {_ASIDES}"
    if state.turn.taken >= state.allowed:
        return f"{name}: all actions are taken; play a card, or pass {_ASIDES}"
    return f"{name}: action {state.turn.taken + 1} of {state.allowed} {_ASIDES}"


def _aside(text: str, state: "GameState", who: int) -> str:
    from sim.bumpers.drawing import draw_position
    from sim.bumpers.game import choice_text, choices

    if text == "board":
        return draw_position(state.position)
    if text == "hand":
        cards = [state.card(card) for card in state.hands[who]]
        return "\n".join(f"{card.name}: {card.text}" for card in cards) or "no cards"
    return ", ".join(choice_text(state, choice) for choice in choices(state))
