"""The view of `pucklab watch`: slams to watch, and throws by hand.

`SlamWindow` shows either a `Showing` (slams of the programme, or the throws made by hand) or an
`Aiming` (the next throw by hand, being set up), and switches between them.
"""

from collections.abc import Sequence
from pathlib import Path

from pygame import Event, Surface

from physics import InputError
from render.canvas import text_width, write
from render.palette import Palette
from render.slamwindow.aiming import Aiming, HandThrow, OwnThrows, hand_for
from render.slamwindow.ghosts import Programme
from render.slamwindow.picture import Boxes, boxes_of
from render.slamwindow.screen import SlamScreen
from render.slamwindow.showing import Showing, save_log
from render.viewer import Command, Controls, Size, Widget, command_button
from render.viewer.app import ActiveView
from sim.odds import Study
from sim.scenes import NamedSlammer


class SlamWindow(ActiveView):
    """A view of the slams of a programme, with throws by hand on a key.

    Attributes:
        showing: The slams shown: those of the programme, or the throws by hand.
        aiming: The throw being set up; None while slams are shown.
        own: The throws made by hand.
    """

    def __init__(
        self,
        programme: Programme,
        study: Study,
        *,
        seed: int = 1,
        index: int = 0,
        others: Sequence[NamedSlammer] = (),
        folder: Path | None = None,
    ) -> None:
        """Show slams.

        Args:
            programme: The slams.
            study: Scene and thrower of the throws by hand, except for the settings of the hand.
            seed: Seed of the chance in throws by hand.
            index: Number of the slam shown first.
            others: Slammers of the ghosts, at most 20.
            folder: Where files are saved; the current folder by default.
        """
        self._study = study
        self.screen = SlamScreen()
        self._hand: HandThrow = hand_for(study)
        self._others = others
        self._folder = folder or Path.cwd()
        self.own = OwnThrows(study, seed)
        self.aiming: Aiming | None = None
        self._mine: Showing | None = None
        self._controls = Controls()
        self._slams = Showing(programme, index=index, others=others, folder=self._folder)
        self.showing = self._slams
        self._throw_it_yourself = Command(
            ("t", "return"), "throw it yourself", self.aim, label="Throw it yourself"
        )

    @property
    def commands(self) -> Sequence[Command]:
        """Its commands: those of the view shown, and those for throws by hand."""
        if self.aiming is not None:
            return self.aiming.commands
        own = [self._throw_it_yourself]
        if self.own.throws:
            own.append(Command(("x",), "save your throws as a log", self.log))
        if self.showing is not self._slams:
            own.append(Command(("b",), "back from your throws", self.back))
        return (*self.showing.commands, *own)

    def handle(self, event: Event, size: Size) -> bool:
        """Handle a mouse event."""
        if self.aiming is None and self._controls.handle(event, self._widgets(size)):
            return True
        return super().handle(event, size)

    def draw(self, surface: Surface, palette: Palette) -> None:
        """Draw the whole view."""
        super().draw(surface, palette)
        if self.aiming is None:
            size = surface.get_size()
            self._controls.draw(surface, self._widgets(size), palette)
            is_own = self.showing is self._mine
            hint = self.own.score_text if is_own and self.own.score_text else "H: keys"
            self._write_hint(surface, boxes_of(size), hint, palette)

    def aim(self) -> None:
        """Set up a throw."""
        self.aiming = Aiming(
            self._study, self._hand, own=self.own, throw=self.throw, leave=self.show
        )

    def show(self) -> None:
        """Go back to the slams."""
        if self.aiming is not None:
            self._hand = self.aiming.hand
        self.aiming = None

    def throw(self, hand: HandThrow) -> None:
        """Throw, and show the slam."""
        self.own.throw(hand)
        last = self.own.length - 1
        if self._mine is None:
            self._mine = Showing(self.own, index=last, others=self._others, folder=self._folder)
        else:
            self._mine.go_to(last)
        self.showing = self._mine
        self.show()

    def back(self) -> None:
        """Show the slams of the programme again, after throws by hand."""
        self.showing = self._slams

    def log(self) -> None:
        """Save the throws by hand as a log of throws."""
        try:
            path = save_log(self._folder, self.own.throws)
        except (InputError, OSError) as error:
            self.showing.show_message(str(error))
        else:
            self.showing.show_message(f"wrote {path.name}: pucklab calibrate throws reads it")

    def _widgets(self, size: Size) -> list[Widget]:
        return [command_button(boxes_of(size).aim, self._throw_it_yourself)]

    def _write_hint(self, surface: Surface, boxes: Boxes, words: str, palette: Palette) -> None:
        """Write the key of the help or the score, if there is room between the buttons."""
        size_px = round(0.9 * boxes.words_px)
        right = boxes.aim.left - size_px
        if right - text_width(words, size_px) > self.showing.bar(boxes)[-1].box.right:
            place = (right, boxes.aim.centery)
            write(surface, words, place, size_px, palette.faint, align="right")

    @property
    def active(self) -> Showing | Aiming:
        """The throw being set up, or else the slams."""
        return self.aiming if self.aiming is not None else self.showing
