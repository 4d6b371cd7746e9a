"""Tables of real slams, which people fill in.

`SlamCells` are the columns of them all; slams of one `Setting` are simulated together.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from pucklab.base.errors import limits
from pucklab.base.facts import fact
from pucklab.base.tables import TableRow
from pucklab.physics import InputError, Puck, Scene, Slammer, puckdex_slammer


@fact
class SlamCells:
    """Columns of a table of slams."""

    slammer_g: float = limits(2, 24, "g")
    thickness_mm: float = limits(1.6, 8, "mm")
    pucks: int
    puck_g: float = limits(1, 2, "g", default=Puck().mass_g)
    speed_m_s: float | None = limits(0.5, 10, "m/s", default=None)
    drop_mm: float | None


@fact
class Setting:
    """The slammer, the stack and the kind of drop or throw that several slams share."""

    slammer: Slammer
    pucks: int  # in the stack; 0 for the bare floor
    puck: Puck  # their kind
    dropped: bool = False  # it came straight down, and was not thrown

    @property
    def name(self) -> str:
        """Label in reports.

        Example:
            >>> Setting(slammer=puckdex_slammer(8.0), pucks=10, puck=Puck()).name
            '8 g, 6 mm on 10 pucks'
        """
        target = f"{self.pucks} puck{'' if self.pucks == 1 else 's'}" if self.pucks else "the floor"
        own = f" of {self.puck.mass_g:g} g" if self.pucks and self.puck != Puck() else ""
        how = ", dropped" if self.dropped else ""
        return f"{self.slammer.mass_g:g} g, {self.slammer.thickness_mm:g} mm on {target}{own}{how}"

    @property
    def scene(self) -> Scene:
        """The scene, with the model's own contact parameters."""
        return Scene(slammer=self.slammer, stack=(self.puck,) * self.pucks)


def setting_of(row: TableRow[SlamCells]) -> Setting:
    """Return the setting of a row."""
    own = row.cells
    try:
        slammer = puckdex_slammer(own.slammer_g, own.thickness_mm)
    except InputError as error:
        raise row.error("slammer_g", str(error)) from None
    return Setting(
        slammer=slammer,
        pucks=own.pucks,
        puck=Puck(mass_g=own.puck_g),
        dropped=own.drop_mm is not None,
    )


def group_by_setting(slams: Iterable[Any]) -> dict[Setting, list[Any]]:
    """Return the slams of each setting, in order of appearance."""
    groups: dict[Setting, list[Any]] = {}
    for each in slams:
        groups.setdefault(each.setting, []).append(each)
    return groups


def check_amount(
    where: str,
    what: str,
    rows: Sequence[TableRow[SlamCells]],
    fewest: int,
    settings: int,
    most: int,
) -> None:
    """Check that a table has enough slams, of not too many settings.

    Args:
        where: Name of the file in errors.
        what: Its slams in the plural.
        rows: Its rows.
        fewest: Fewest of them.
        settings: Number of their settings.
        most: Most settings.
    """
    if len(rows) < fewest:
        last = f" (the last is row {rows[-1].number})" if rows else ""
        raise InputError(f"{where}: {len(rows)} {what}{last} are too few; give at least {fewest}")
    if settings > most:
        raise InputError(
            f"{where}: {settings} different slammers and stacks are too many; give at most {most}"
        )
