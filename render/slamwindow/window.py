"""The view of `pucklab watch`: slams to watch, and throws of one's own."""

from collections.abc import Sequence
from pathlib import Path

import pygame
from pygame.event import Event

from physics import InputError
from render.canvas import text_width, write
from render.palette import Palette
from render.slamwindow.aiming import Aiming, Hand, OwnThrows, hand_for
from render.slamwindow.ghosts import Programme
from render.slamwindow.picture import Boxes, boxes_of
from render.slamwindow.showing import Showing, bar_end, save_log
from render.viewer import Button, Command, Controls, Size, Widget
from sim.odds import Study
from sim.scenes import NamedSlammer


class SlamWindow:
    """Slams of a programme; a key away, a throw to set up, and the throws made so.

    Attributes:
        showing: The slams shown: of the programme, or a person's own.
        aiming: The throw being set up; None while slams are shown.
        own: A person's own throws.
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
            study: What a person throws at what, but for what they set; chance is as in a study's.
            seed: Seed of the chance in a person's own throws.
            index: Which slam is shown first.
            others: Slammers that can be shown thrown the same way, at most 20.
            folder: Where files are saved; the current one if none is given.
        """
        self._study = study
        self._hand: Hand = hand_for(study)
        self._others = others
        self._folder = folder or Path.cwd()
        self.own = OwnThrows(study, seed)
        self.aiming: Aiming | None = None
        self._mine: Showing | None = None
        self._controls = Controls()
        self._slams = Showing(programme, index=index, others=others, folder=self._folder)
        self.showing = self._slams

    @property
    def title(self) -> str:
        """What stands above the window."""
        return self._active.title

    @property
    def commands(self) -> Sequence[Command]:
        """Its keys."""
        if self.aiming is not None:
            return self.aiming.commands
        own = [Command(keys=("t", "return"), name="throw it yourself", action=self.aim)]
        if self.own.throws:
            own.append(Command(keys=("x",), name="save your throws as a log", action=self.log))
        if self.showing is not self._slams:
            own.append(Command(keys=("b",), name="back from your throws", action=self.back))
        return (*self.showing.commands, *own)

    def handle(self, event: Event, size: Size) -> bool:
        """Take a mouse event."""
        if self.aiming is None and self._controls.handle(event, self._widgets(size)):
            return True
        return self._active.handle(event, size)

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass."""
        return self._active.advance(elapsed_s)

    def draw(self, surface: pygame.Surface, palette: Palette) -> None:
        """Draw all of it."""
        self._active.draw(surface, palette)
        if self.aiming is None:
            size = surface.get_size()
            self._controls.draw(surface, self._widgets(size), palette)
            _write_hint(surface, boxes_of(size), palette)

    def aim(self) -> None:
        """Set up a throw."""
        self.aiming = Aiming(self._study, self._hand, throw=self.throw, leave=self.show)

    def show(self) -> None:
        """Go back to the slams."""
        if self.aiming is not None:
            self._hand = self.aiming.hand
        self.aiming = None

    def throw(self, hand: Hand) -> None:
        """Throw, and show what comes of it."""
        self.own.throw(hand)
        last = self.own.length - 1
        if self._mine is None:
            self._mine = Showing(self.own, index=last, others=self._others, folder=self._folder)
        else:
            self._mine.go_to(last)
        self.showing = self._mine
        self.show()

    def back(self) -> None:
        """Show the slams of the programme again, after one's own throws."""
        self.showing = self._slams

    def log(self) -> None:
        """Save a person's own throws as a log of throws."""
        try:
            path = save_log(self._folder, self.own.throws)
        except (InputError, OSError) as error:
            self.showing.tell(str(error))
        else:
            self.showing.tell(f"wrote {path.name}: pucklab calibrate throws reads it")

    def _widgets(self, size: Size) -> list[Widget]:
        return [Button(box=boxes_of(size).aim, label="Throw it yourself", action=self.aim)]

    @property
    def _active(self) -> Showing | Aiming:
        return self.aiming if self.aiming is not None else self.showing


def _write_hint(surface: pygame.Surface, boxes: Boxes, palette: Palette) -> None:
    """Write where the help is, if there is room between the buttons."""
    words, size_px = "H: keys", boxes.words_px
    right = boxes.aim.left - size_px
    if right - text_width(words, size_px) > bar_end(boxes):
        place = (right, boxes.aim.centery)
        write(surface, words, place, size_px=size_px, colour=palette.faint, align="right")
