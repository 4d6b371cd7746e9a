"""The page to throw in: aim and flick, or set the numbers; odds of the throw, score, log."""

from dataclasses import dataclass, field
from math import isnan

from nicegui import Event, ui

from pucklab.calibration.throws.log import throws_log
from pucklab.physics import InputError, SlamOutcome, Throw, ThrowDistribution
from pucklab.render.browser.frame import Action, action_buttons, page_frame
from pucklab.render.browser.slam_frame import (
    USUAL_SCENE,
    SlamFrame,
    compute_slam,
    keep_slam,
    setting_sliders,
)
from pucklab.render.browser.work import Viewers, Work, compute
from pucklab.sim.odds import Study, Tally, odds_of
from pucklab.sim.odds.study import tallies_again, throw_again
from pucklab.sim.scene.hand_throw import (
    SETTINGS,
    HandThrow,
    hand_for,
    scene_of,
    set_to,
    study_of,
    throw_of,
    with_flick,
)
from pucklab.sim.scene.slam_text import describe_slam

_NEWS_S = 0.3
_MANY = 1000
"""Throws of the odds of a throw by hand."""


@dataclass
class SharedThrows:
    """Throws by hand that the visitors of a page make and see.

    Attributes:
        study: Scene, engine and thrower, except for the settings of the throws.
        hand: The throw that is set up.
        seed: Seed of the random numbers of the throws.
    """

    study: Study
    hand: HandThrow
    seed: int = 1
    throws: list[tuple[HandThrow, Throw, SlamOutcome]] = field(default_factory=list)
    shown: str = ""  # address of the slam shown; empty while a throw is set up
    message: str = "Press on the stack and flick; or set the numbers and throw."
    repeats: Work | None = None  # makes the throw many times
    tally: Tally | None = None  # of these, so far
    is_busy: bool = False
    changed: Event[...] = field(default_factory=Event)
    viewers: Viewers = field(default_factory=lambda: Viewers(_THROWS))

    @property
    def is_unsaved(self) -> bool:
        """True if somebody has thrown."""
        return bool(self.throws)

    def set(self, hand: HandThrow) -> None:
        """Set the throw; odds of another are dropped."""
        if hand != self.hand:
            self.stop()
            self.hand = hand
            self.changed.emit()

    async def throw(self, hand: HandThrow | None = None) -> None:
        """Make the throw of a trial, with the hand's scatter and the trial's random numbers."""
        if self.is_busy:
            return
        self.is_busy, self.hand = True, hand or self.hand
        self.stop()
        try:
            number = len(self.throws)
            study = study_of(self.hand, self.study)
            throw = throw_again(throw_of(self.hand), study.throw(self.seed, number))
            title = f"throw {number + 1}: {self.hand.slammer_g:g} g at {self.hand.speed_m_s:g} m/s"
            slammed = study.scene, throw, study.engine, title
            thrown = await compute(self.viewers, compute_slam, *slammed)
        finally:
            self.is_busy = False
        if thrown is None:
            self.changed.emit()
            return
        outcome, data = thrown
        self.throws.append((self.hand, throw, outcome))
        self.shown = keep_slam(data)
        self.changed.emit()

    def aim(self) -> None:
        """Set up the next throw."""
        self.shown = ""
        self.changed.emit()

    def repeat(self) -> None:
        """Make the throw a thousand times in the background, for its odds."""
        if self.repeats is not None and not self.repeats.is_over:
            return
        self.stop()
        study = study_of(self.hand, self.study)
        again = throw_of(self.hand), self.seed, _MANY
        self.repeats = Work(self.viewers, tallies_again, study, *again)
        self.changed.emit()

    def stop(self) -> None:
        """End the work in the background."""
        if self.repeats is not None:
            self.repeats.stop()
            self.repeats = self.tally = None

    def advance(self) -> None:
        """Take news of the odds."""
        if self.repeats is None:
            return
        news = self.repeats.news()
        if news is not None:
            self.tally = news
            self.changed.emit()
        elif self.repeats.is_over and self.tally is None:  # the viewers are told why
            self.repeats = None
            self.changed.emit()

    @property
    def odds_text(self) -> str:
        """The odds so far in a line, with the number of throws and the engine."""
        if self.repeats is None:
            return ""
        if self.tally is None:
            return f"throwing {_MANY:,} times ..."
        odds = odds_of(self.tally)
        flips, some = odds.flips, odds.any_flip
        error = "" if isnan(flips.standard_error) else f" ± {flips.standard_error:.2f}"
        return (
            f"{self.tally.trials:,} of {_MANY:,} throws like this: {flips.value:.2f}{error} "
            f"flips, some in {some.value:.0%} ({100 * some.low:.0f}-{100 * some.high:.0f} %), "
            f"{odds.outs.value:.2f} out, {self.study.engine} engine"
        )

    def score_text(self, count: int) -> str:
        """Return the pucks flipped in so many throws, and the best one."""
        flips = [len(outcome.flipped) for *_, outcome in self.throws[:count]]
        if not flips:
            return ""
        throws = f"{len(flips)} throw{'' if len(flips) == 1 else 's'}"
        return f"{throws}, {sum(flips)} flips, best {max(flips)}"


_THROWS: dict[str, SharedThrows] = {}


def open_throws(name: str, study: Study, hand: HandThrow | None = None, seed: int = 1) -> None:
    """Open a page, by its name, on which people throw at the scene of a study."""
    _THROWS[name] = SharedThrows(study, hand or hand_for(study), seed, viewers=Viewers())


def show_throws(name: str) -> None:
    """Show throws that all visitors of the link make and see."""
    if name not in _THROWS:
        study = Study(scene=USUAL_SCENE, thrower=ThrowDistribution())
        _THROWS[name] = SharedThrows(study, hand_for(study))
    _ThrowPage(_THROWS[name])


class _ThrowPage:
    """The page of one visitor."""

    def __init__(self, shared: SharedThrows) -> None:
        self._shared = shared
        self._played = shared.shown
        self._holds = False  # while a slam runs, its outcome is not told
        actions = (
            Action("Enter", "throw", shared.throw, "sports_handball"),
            Action("t", "set up the next throw", shared.aim, "replay"),
            Action("l", "save the log of these throws", self._save_log, "download"),
            Action("o", f"odds of this throw: make it {_MANY:,} times", shared.repeat, "insights"),
        )
        with page_frame("Throw", actions) as (stage, panel):
            with stage:
                self._frame = SlamFrame(
                    lambda flick: shared.throw(with_flick(shared.hand, flick)), self._tell_throw
                )
                self._message = ui.label().props("role=status").mark("message")
                shared.viewers.join()
            with panel:
                action_buttons(actions)
                self._score = ui.label().classes("text-lg").mark("score")
                self._odds = ui.label().mark("odds")
                self._sliders = setting_sliders(
                    SETTINGS,
                    shared.hand,
                    lambda setting, event: shared.set(set_to(shared.hand, setting, event.value)),
                )
        ui.timer(_NEWS_S, shared.advance)
        shared.changed.subscribe(self._show)
        self._show()

    def _show(self) -> None:
        shared, hand = self._shared, self._shared.hand
        for name, slider in self._sliders.items():
            slider.value = getattr(hand, name)
        self._odds.text = shared.odds_text
        self._frame.set_tilt(hand.tilt_deg)
        if not shared.shown:
            self._holds = False
            self._frame.show_stack(scene_of(hand, shared.study), throw_of(hand), aims=True)
            self._message.text = shared.message
        elif shared.shown != self._played:
            self._holds = True
            self._frame.play(shared.shown)
            self._message.text = ""
        self._played = shared.shown
        self._score.text = shared.score_text(len(shared.throws) - self._holds)

    def _tell_throw(self) -> None:
        if not self._holds:
            return
        self._holds = False
        self._score.text = self._shared.score_text(len(self._shared.throws))
        hand, throw, outcome = self._shared.throws[-1]
        scene = scene_of(hand, self._shared.study)
        _, told = describe_slam(f"{hand.slammer_g:g} g", scene, throw, outcome).splitlines()
        self._message.text = f"{told} T sets up the next throw."

    def _save_log(self) -> None:
        """Let the visitor download the throws as a log that calibration reads."""
        shared = self._shared
        throws = [
            (scene_of(hand, shared.study), throw, outcome) for hand, throw, outcome in shared.throws
        ]
        try:
            ui.download.content(throws_log(throws), "throws.csv")
        except InputError as error:
            self._message.text = str(error)
