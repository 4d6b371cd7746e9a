"""The throws that a person made in the window."""

from physics import draw_throw, trial_generator
from render.slamwindow.hand import Hand, scene_of, throw_of
from render.slamwindow.programme import Watched, thrown
from sim.odds import Study


class OwnThrows:
    """A person's own throws, in their order.

    Attributes:
        throws: The throws so far.
    """

    names = ("",)

    def __init__(self, study: Study, seed: int) -> None:
        self._study = study
        self._seed = seed
        self.throws: list[Watched] = []

    @property
    def length(self) -> int:
        """How many there are."""
        return len(self.throws)

    def watched(self, index: int, slammer: int) -> Watched:  # noqa: ARG002
        """Return a throw by its number."""
        return self.throws[index]

    def throw(self, hand: Hand) -> Watched:
        """Throw; what a hand does not set is drawn as in a trial of its own."""
        scene = scene_of(hand, self._study)
        number = len(self.throws)
        chance = draw_throw(
            self._study.thrower, len(scene.stack), trial_generator(self._seed, number)
        )
        own = Watched(
            name=f"{hand.slammer_g:g} g",
            origin=f"your throw {number + 1}",
            file_stem=f"throw-{number + 1}",
            replay=thrown(scene, throw_of(hand, chance)),
        )
        self.throws.append(own)
        return own
