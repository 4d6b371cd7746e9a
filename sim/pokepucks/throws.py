"""Where the outcomes of a battle's throws come from: a protocol, and outcomes from a script."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from physics import InputError
from sim.pokepucks.design import Design
from sim.pokepucks.outcome import Outcome, outcome_text, parse_outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """A throw that is to be made.

    Attributes:
        player: Who throws.
        slammer: What is thrown.
        stack: What it is thrown at, from the floor up; may be empty (ruling PP-41).
        knock_out: It is a knock-out attempt: the lowest piece is a lone slammer, shields are on it.
    """

    player: int
    slammer: Design
    stack: tuple[Design, ...]
    knock_out: bool = False


class Throws(Protocol):
    """Whatever gives the outcomes of throws."""

    def throw(self, shot: Shot, rng: np.random.Generator) -> Outcome:
        """Return the outcome of a throw, with a landing for each piece of its stack.

        Args:
            shot: The throw.
            rng: Random numbers of this throw alone.
        """
        ...


class ScriptThrows:
    """Outcomes from a script, in their order.

    Args:
        outcomes: The outcomes, or their texts (`sim.pokepucks.outcome.outcome_text`).

    Example:
        >>> from sim.pokepucks.catalogue import shipped_catalogue
        >>> find = shipped_catalogue().find
        >>> shot = Shot(player=0, slammer=find("onix"), stack=(find("potion"), find("berry")))
        >>> script = ScriptThrows(["D U30"])
        >>> script.throw(shot, np.random.default_rng(1)).flipped
        (1,)
        >>> script.throw(shot, np.random.default_rng(1))
        Traceback (most recent call last):
            ...
        physics.checks.InputError: script: throw 2 is not in it; give as many as are made
    """

    def __init__(self, outcomes: Iterable[Outcome | str]) -> None:
        self._outcomes: Iterator[Outcome | str] = iter(outcomes)
        self._made = 0

    def throw(self, shot: Shot, rng: np.random.Generator) -> Outcome:
        """Return the next outcome of the script.

        Raises:
            InputError: The script is over, or the outcome is of a stack of another size.
        """
        del rng
        self._made += 1
        field = f"script: throw {self._made}"
        following = next(self._outcomes, None)
        if following is None:
            raise InputError(f"{field} is not in it; give as many as are made")
        outcome = parse_outcome(following, field) if isinstance(following, str) else following
        if len(outcome.landings) != len(shot.stack):
            raise InputError(
                f"{field}: {outcome_text(outcome)!r} is not accepted; "
                f"the stack has {len(shot.stack)} pieces"
            )
        return outcome
