"""A scene: the slammer, the stack, the arena and the parameters. All of a slam but the throw."""

import math
from dataclasses import field

from pucklab.base.errors import InputError, check_count, check_limits, check_number, parameter
from pucklab.base.facts import fact
from pucklab.physics.material import Material
from pucklab.physics.materials import PRESETS, LiftOff, Materials, Preset
from pucklab.physics.pieces import Piece, Puck, Slammer
from pucklab.physics.thrower import Throw


@fact
class Arena:
    """A square box, or a floor without one; the stack stands at its centre, the origin.

    Attributes:
        side_mm: Inner side of the floor; the rulebook asks for at least 12 inches.
        wall_height_mm: Inner height of the walls; typically 4 inches.
        box: False for a table or a floor without walls, which has no end.
        out_radius_mm: On such a floor: distance from the centre beyond which a piece is out; None
            if none ever is.
        film_gap_um: Gap that faces keep when they touch, through which air has to leave, 5 to 1000;
            0 for no film. It brakes the blow; see `pucklab.physics.solid.air`.
        air_kg_m3: Density of the air that brakes, lifts and turns pieces in flight; 0 for none.
        material: Of floor and walls; None for the pieces' plastic, with the restitution and the
            friction of the scene.

    Example:
        >>> Arena().half_side_mm, Arena(box=False).half_side_mm
        (152.4, inf)
    """

    side_mm: float = parameter(
        304.8,
        low=50.0,
        high=2000.0,
        unit="mm",
        uncertainty=0.0,
        source="rulebook, parts of a game: at least 12 x 12 inches",
    )
    wall_height_mm: float = parameter(
        101.6,
        low=10.0,
        high=500.0,
        unit="mm",
        uncertainty=10.0,
        source="rulebook, parts of a game: a box around 4 inches deep",
    )
    box: bool = True
    out_radius_mm: float | None = None
    film_gap_um: float = parameter(
        0.0,
        low=0.0,
        high=1000.0,
        unit="um",
        uncertainty=0.0,
        source="off; flat plastic warps by some 100 um, roughness leaves 10 to 20 um: not measured",
    )
    air_kg_m3: float = parameter(
        0.0,
        low=0.0,
        high=2.0,
        unit="kg/m3",
        uncertainty=0.0,
        source="off; 1.20 at 20 C and sea level, 5 % less or more with weather (ISO 2533)",
    )
    material: Material | None = None

    def __post_init__(self) -> None:
        """Check every field."""
        check_limits(self)
        if 0.0 < self.film_gap_um < 5.0:
            raise InputError(
                f"film_gap_um: {self.film_gap_um:g} is not accepted; give 0 for no film, or a gap "
                "from 5 to 1000 um"
            )
        if self.out_radius_mm is not None:
            check_number("out_radius_mm", self.out_radius_mm, low=25.0, high=2000.0, unit="mm")
            if self.box:
                raise InputError("out_radius_mm: not accepted in a box, whose walls count")

    @property
    def half_side_mm(self) -> float:
        """Distance of each wall from the centre; infinite without walls."""
        return self.side_mm / 2 if self.box else math.inf

    @property
    def shown_half_mm(self) -> float:
        """Half the side of the floor that is drawn."""
        return self.side_mm / 2 if self.box else max(200.0, 1.1 * (self.out_radius_mm or 0.0))

    @property
    def shown_wall_mm(self) -> float:
        """Height of the walls that are drawn."""
        return self.wall_height_mm if self.box else 0.0

    @property
    def is_official(self) -> bool:
        """Whether the rulebook allows it."""
        return self.material is None and self.box and self.side_mm >= 304.8


START_GAP_MM = 0.5
"""Gap between the slammer's lowest point and the stack's top when a slam begins."""

MAX_STACK = 60
"""Greatest size of a stack."""

MAX_STACK_MM = 150.0
"""Greatest height of a stack: higher ones topple before they are hit."""


@fact
class Scene:
    """A slammer to throw, a stack to throw it at, and their surroundings.

    Attributes:
        slammer: The thrown slammer.
        stack: The pieces at the arena's centre, from the floor up, all face down.
        arena: The box.
        materials: Contact parameters.
        lift_off: Constants of the laws of lift-off.
        preset: Time steps and iterations.

    Example:
        >>> scene = Scene(slammer=Slammer(mass_g=4.0), stack=puck_stack(10))
        >>> scene.stack_height_mm
        16.0
    """

    slammer: Slammer
    stack: tuple[Piece, ...]
    arena: Arena = field(default_factory=Arena)
    materials: Materials = field(default_factory=Materials)
    lift_off: LiftOff = field(default_factory=LiftOff)
    preset: Preset = PRESETS["recommended"]

    def __post_init__(self) -> None:
        """Check the size of the stack, and that every piece can lie in the arena."""
        if len(self.stack) > MAX_STACK:
            raise InputError(
                f"stack: {len(self.stack)} pieces are not accepted; give at most {MAX_STACK}"
            )
        narrow = 4 * min((p.diameter_mm for p in self.stack), default=math.inf)
        if self.stack_height_mm > min(MAX_STACK_MM, narrow):
            why = ", four times the narrowest piece's diameter" if narrow < MAX_STACK_MM else ""
            raise InputError(
                f"stack: a height of {self.stack_height_mm:g} mm is not accepted; give at most "
                f"{min(MAX_STACK_MM, narrow):g} mm{why}"
            )
        wide = max(piece.diameter_mm for piece in (*self.stack, self.slammer))
        if wide > 2 * self.arena.half_side_mm:
            raise InputError(
                f"arena: {self.arena.side_mm:g} mm is not accepted; give at least {wide:g} mm, "
                "the diameter of the widest piece"
            )

    @property
    def is_official(self) -> bool:
        """Whether the rulebook allows all pieces and the arena."""
        pieces = (*self.stack, self.slammer)
        return self.arena.is_official and all(piece.is_official for piece in pieces)

    @property
    def is_knock_out(self) -> bool:
        """True if the target is a slammer, with or without shields on it."""
        return bool(self.stack) and isinstance(self.stack[0], Slammer)

    @property
    def stack_height_mm(self) -> float:
        """Height of the stack's top above the floor."""
        return math.fsum(piece.thickness_mm for piece in self.stack)

    def places_mm(self, throw: Throw) -> tuple[tuple[float, float], ...]:
        """Return where the stack's pieces lie before a throw: x and y, from the floor up.

        A piece that the throw's jitter would put into a wall touches that wall.

        Raises:
            InputError: The throw was drawn for another stack.

        Example:
            >>> box = Arena(side_mm=50)
            >>> narrow = Scene(slammer=Slammer(mass_g=4.0), stack=(Puck(),), arena=box)
            >>> [(x, y)] = narrow.places_mm(Throw(speed_mm_s=5000.0, jitter_mm=((9.0, -1.0),)))
            >>> round(x, 3), y
            (4.385, -1.0)
        """
        places = []
        for piece, place in zip(self.stack, throw.jitter_of(len(self.stack)), strict=True):
            room_mm = self.arena.half_side_mm - piece.diameter_mm / 2
            x_mm, y_mm = (min(max(own, -room_mm), room_mm) for own in place)
            places.append((x_mm, y_mm))
        return tuple(places)


def puck_stack(count: int, puck: Puck | None = None) -> tuple[Piece, ...]:
    """Return a stack of ``count`` equal pucks (1 to 60).

    Raises:
        InputError: The count is outside that range.
    """
    check_count("pucks", count, low=1, high=MAX_STACK)
    return (puck or Puck(),) * count


def knock_out_stack(
    target: Slammer, shields: int = 0, puck: Puck | None = None
) -> tuple[Piece, ...]:
    """Return a slammer face down on the floor, with ``shields`` pucks on it (0 to 59).

    Raises:
        InputError: The count is outside that range.

    Example:
        >>> len(knock_out_stack(Slammer(mass_g=8.0), shields=2))
        3
    """
    check_count("shields", shields, low=0, high=MAX_STACK - 1)
    return (target, *(puck or Puck(),) * shields)
