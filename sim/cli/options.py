"""Options that several commands share, and the types of their values.

`number`, `count` and `numbers` are types whose errors state the accepted range; `seed_option` and
`workers_option` are single options; `scene_options` and `spec_from_options` describe the scene and
the thrower; `position_of` reads a Puck Bumpers position; `refuse_others` rejects options that do
not go together.
"""

import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from physics.errors import InputError, check_count, check_number, shown

if TYPE_CHECKING:
    from physics import ParameterSet, Scene, ThrowDistribution
    from sim.bumpers import Position
    from sim.scenes import SceneSpec

    _Type = click.ParamType[Any]
else:
    _Type = click.ParamType

_Function = TypeVar("_Function", bound=Callable[..., Any])

MOST_IN_SPAN = 1000
"""Numbers that LOW:HIGH:STEP may stand for."""


def number(low: float, high: float, unit: str = "", *, ranged: bool = True) -> _Type:
    """Return the type of an option that is a number from ``low`` to ``high``.

    Args:
        low: Smallest number accepted.
        high: Largest number accepted.
        unit: Its unit.
        ranged: Check the range. If False, it is only stated in errors, and the physics checks the
            value, because it knows unofficial pieces.
    """
    return _Number(low=low, high=high, unit=unit, ranged=ranged)


def count(low: int, high: int) -> _Type:
    """Return the type of an option that is a whole number from ``low`` to ``high``."""
    return _Count(low=low, high=high)


def numbers(
    low: float,
    high: float,
    unit: str = "",
    *,
    size: int | None = None,
    ranged: bool = True,
    spans: bool = False,
) -> _Type:
    """Return the type of an option that is a list of numbers with commas between them.

    Args:
        low: Smallest number accepted.
        high: Largest number accepted.
        unit: Their unit.
        size: Length of the list; None for one or more.
        ranged: See `number`.
        spans: Accept LOW:HIGH:STEP for a number and all that follow it by a step.
    """
    each = _Number(low=low, high=high, unit=unit, ranged=ranged)
    return _Numbers(each=each, size=size, spans=spans)


def choice(*names: str) -> _Type:
    """Return the type of an option that is one of some names, which shells complete."""
    return _Choice(names=names)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choice(_Type):
    name = "name"
    names: tuple[str, ...]

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        del ctx
        if value not in self.names:
            raise InputError(
                f"{field_of(param)}: {shown(value)} is not accepted; give {', '.join(self.names)}"
            )
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        del ctx, param
        return [CompletionItem(name) for name in self.names if name.startswith(incomplete)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Number(_Type):
    name = "number"
    low: float
    high: float
    unit: str
    ranged: bool

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        del ctx
        found = _parsed(float, value)
        if self.ranged or isinstance(found, str):
            check_number(field_of(param), found, low=self.low, high=self.high, unit=self.unit)
        return float(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Count(_Type):
    name = "count"
    low: int
    high: int

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        del ctx
        found = _parsed(int, value)
        check_count(field_of(param), found, low=self.low, high=self.high)
        return int(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Numbers(_Type):
    name = "numbers"
    each: _Number
    size: int | None
    spans: bool

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, ...]:
        parts = value.split(",")
        if self.size is not None and len(parts) != self.size:
            raise InputError(
                f"{field_of(param)}: {value!r} is not accepted; give {self.size} numbers with a "
                "comma between them"
            )
        found: list[float] = []
        for part in parts:
            if self.spans and ":" in part:
                found += self._span(part, param, ctx)
            else:
                found.append(self.each.convert(part, param, ctx))
        return tuple(found)

    def _span(
        self, text: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> list[float]:
        """Return the numbers of LOW:HIGH:STEP, with HIGH if a step falls on it."""
        refusal = f"{field_of(param)}: {shown(text)} is not accepted"
        pieces = text.split(":")
        if len(pieces) != 3:
            raise InputError(f"{refusal}; give LOW:HIGH:STEP, such as 2:24:2")
        low, high = (self.each.convert(piece, param, ctx) for piece in pieces[:2])
        step = _Number(low=-1e9, high=1e9, unit=self.each.unit, ranged=True).convert(
            pieces[2], param, ctx
        )
        if not low <= high < math.inf or step <= 0:
            raise InputError(
                f"{refusal}; give a range that begins at its lower end, and a step above 0"
            )
        count = math.floor((high - low) / step + 1e-9) + 1
        if count > MOST_IN_SPAN:
            raise InputError(f"{refusal}; give a range of at most {MOST_IN_SPAN} numbers")
        # Rounded, so that 2:3:.1 has 2.3 and not 2.3000000000000003.
        return [round(low + k * step, 9) for k in range(count)]


def field_of(param: click.Parameter | None) -> str:
    """Return the name of a parameter in errors, as the user types it.

    Example:
        >>> field_of(click.Option(["--max-g", "highest_g"]))
        'max_g'
        >>> field_of(click.Argument(["replays"], nargs=-1, metavar="[REPLAY]..."))
        'replay'
    """
    if param is None:
        return "value"
    if isinstance(param, click.Argument):
        return (param.metavar or str(param.name)).strip("[].").lower()
    return param.opts[0].lstrip("-").replace("-", "_")


def _parsed(kind: type, text: Any) -> Any:
    """Return the text as a number, or else as it is, for the range check to name."""
    try:
        return kind(text)
    except ValueError:
        return text


def completed(
    values: Callable[[], Iterable[str]],
) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Return the shell completion of an option: the last of its words with commas between them.

    Args:
        values: Returns the words that are accepted, when the shell asks for them.

    Example:
        >>> option = click.Option(["--slammer"])
        >>> completed(slammer_names)(click.Context(click.Command("odds")), option, "onix,pik")
        ['onix,pikachu']
    """

    def complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
        before, comma, begun = incomplete.rpartition(",")
        words = (word.lower().replace(" ", "-") for word in values())
        return [f"{before}{comma}{word}" for word in words if word.startswith(begun.lower())]

    return complete


def slammer_names() -> list[str]:
    """Return the names of the PuckDex's slammers, and ``all``."""
    from sim.scenes import slammers_by_name

    return ["all", *(named.name for named in slammers_by_name(("all",)))]


def engine_names() -> list[str]:
    """Return the names of the engines."""
    from physics import ENGINES

    return list(ENGINES)


def setup_names() -> list[str]:
    """Return the names of the set-ups of Puck Bumpers."""
    from sim.bumpers import setups

    return list(setups())


def _preset_names() -> list[str]:
    from physics import PRESETS

    return list(PRESETS)


def seed_option(about: str) -> Callable[[_Function], _Function]:
    """Return the option for a seed.

    Args:
        about: Help text, such as ``Same seed, same puzzles.``
    """
    return click.option(
        "--seed", type=count(0, 2**63 - 1), default=1, show_default=True, metavar="S", help=about
    )


def workers_option(doing: str) -> Callable[[_Function], _Function]:
    """Return the option for the number of worker processes.

    Args:
        doing: The work as a verb for the help, such as ``throw``.
    """
    return click.option(
        "--workers",
        type=count(1, 1024),
        metavar="K",
        help=f"Processes to {doing} in; the result is the same.  [default: one per processor]",
    )


BEST_OF = 500
"""Throws of a search for the wildest ones if no number is given."""


def best_options(function: _Function) -> _Function:
    """Add the options ``--best``, ``--of`` and ``--workers`` to a command."""
    options = (
        click.option(
            "--best",
            metavar="MEASURE",
            help="Show the wildest of many throws, by flips, out (of the arena) or height.",
        ),
        click.option(
            "--of",
            type=count(1, 100_000),
            metavar="N",
            help=f"With --best: the wildest of trials 0 to N-1 of the seed.  [default: {BEST_OF}]",
        ),
        workers_option("search with --best"),
    )
    for option in reversed(options):
        function = option(function)
    return function


_SCENE_NAMES = (
    "slammer_g",
    "slammer",
    "thickness_mm",
    "pucks",
    "puck_g",
    "knock_out",
    "shields",
    "speed_m_s",
    "aim_sd_mm",
    "tilt_sd_deg",
    "descent_deg",
    "direction_deg",
    "engine",
    "preset",
    "params",
    "scene",
    "unofficial",
)
_PATH = click.Path(path_type=Path)
_OPTIONS = (
    click.option(
        "--slammer-g",
        type=numbers(2, 24, "g", ranged=False, spans=True),
        metavar="G,...",
        help="Masses of slammers, 2 to 24 g; 2:24:2 stands for 2, 4 and so on up to 24.",
    ),
    click.option(
        "--slammer",
        metavar="NAME,...",
        shell_complete=completed(slammer_names),
        help="Slammers of the PuckDex by name, or 'all'.",
    ),
    click.option(
        "--thickness-mm",
        type=number(1.6, 8, "mm", ranged=False),
        metavar="T",
        help="Thickness of the slammers, 1.6 to 8 mm.  [default: 6]",
    ),
    click.option(
        "--pucks",
        type=count(1, 29),
        metavar="N",
        help="Pucks in the stack, 1 to 29.  [default: 10]",
    ),
    click.option(
        "--puck-g",
        type=number(1, 2, "g", ranged=False),
        metavar="G",
        help="Mass of a puck, 1 to 2 g.  [default: 1.5]",
    ),
    click.option(
        "--knock-out",
        type=number(2, 24, "g", ranged=False),
        metavar="G",
        help="Throw at a lone slammer of this mass, face down, instead of a stack.",
    ),
    click.option(
        "--shields",
        type=count(0, 28),
        metavar="N",
        help="Pucks on top of the lone slammer, 0 to 28.  [default: 0]",
    ),
    click.option(
        "--speed-m-s",
        type=number(0.5, 10, "m/s"),
        metavar="V",
        help="Speed of the throw, .5 to 10 m/s.  [default: 5]",
    ),
    click.option(
        "--aim-sd-mm",
        type=number(0, 100, "mm"),
        metavar="A",
        help="Standard deviation of the aim on each axis.  [default: 12]",
    ),
    click.option(
        "--tilt-sd-deg",
        type=number(0, 60, "deg"),
        metavar="T",
        help="Spread of the slammer's tilt.  [default: 15]",
    ),
    click.option(
        "--descent-deg",
        type=numbers(0, 75, "deg", size=2),
        metavar="LO,HI",
        help="Range of the descent, from the vertical.  [default: 0,30]",
    ),
    click.option(
        "--direction-deg",
        type=number(-180, 180, "deg"),
        metavar="D",
        help="Direction of the throws from above: 0 to the right, 90 away.  [default: 0]",
    ),
    click.option(
        "--engine",
        metavar="NAME",
        shell_complete=completed(engine_names),
        help="plane (the fast model; leaves knock-outs and one or two pucks to solid) or solid "
        "(rigid discs in space).  [default: solid for slam and watch, else plane]",
    ),
    click.option(
        "--preset",
        metavar="P",
        shell_complete=completed(_preset_names),
        help="Precision of the plane: reference, recommended or fast.  [default: recommended]",
    ),
    click.option(
        "--params",
        type=_PATH,
        metavar="FILE",
        help="Parameter file (TOML) of 'pucklab calibrate': materials, lift-off, thrower.",
    ),
    click.option(
        "--scene",
        type=_PATH,
        metavar="FILE",
        help="Scene file (TOML); 'pucklab odds --help' shows one.",
    ),
    click.option(
        "--unofficial", is_flag=True, help="Allow pieces outside the rulebook's masses and sizes."
    ),
    seed_option("Seed of the throws; trial i is the same throw for every slammer."),
)


def scene_options(function: _Function) -> _Function:
    """Add the options that `spec_from_options` reads to a command."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def spec_from_options(
    options: dict[str, Any], default_masses_g: tuple[float, ...], default_engine: str = "plane"
) -> "SceneSpec":
    """Return the scenes that a command's options describe, and take them out of ``options``.

    Options override the scene file, which overrides the parameter file and the defaults.

    Args:
        options: The options' values by name; None where one was not given.
        default_masses_g: Slammers if the options name none.
        default_engine: Engine if neither the options nor the scene file name one.

    Raises:
        InputError: A value, or a combination of values, is not accepted.
    """
    from physics import ParameterSet, check_engine, preset
    from sim.core.files import read_toml
    from sim.scenes import SceneSpec, slammers_by_mass, spec_from, studies_of

    taken = {name: options.pop(name) for name in _SCENE_NAMES}
    parameters = ParameterSet()
    if taken["params"] is not None:
        from calibration.parameter_files import parameters_from

        parameters = parameters_from(read_toml("params", taken["params"]), parameters)
    spec = SceneSpec(
        slammers=slammers_by_mass(default_masses_g), parameters=parameters, engine=default_engine
    )
    if taken["scene"] is not None:
        spec = spec_from(read_toml("scene", taken["scene"]), spec)
    spec = replace(spec, parameters=_with_thrower(spec.parameters, taken))
    spec = _with_slammers(spec, taken)
    if taken["pucks"] is not None:
        spec = replace(spec, pucks=taken["pucks"])
    if taken["puck_g"] is not None:
        puck = replace(spec.puck, mass_g=taken["puck_g"], unofficial=taken["unofficial"])
        spec = replace(spec, puck=puck)
    if taken["engine"] is not None:
        check_engine(taken["engine"])
        spec = replace(spec, engine=taken["engine"])
    if taken["preset"] is not None:
        spec = replace(spec, preset=preset(taken["preset"]))
    spec = _with_knock_out(spec, taken)
    if spec.engine == "solid":
        _check_solid(spec, taken["preset"])
    else:
        note_unchecked((study.scene, study.thrower) for study in studies_of(spec))
    return spec


def note_unchecked(throws: "Iterable[tuple[Scene, ThrowDistribution]]") -> None:
    """Print a note for the first scene that lies outside of what the plane was checked on."""
    from physics.slam import unchecked

    for text in (unchecked(scene, thrower) for scene, thrower in throws):
        if text:
            click.echo(f"note: {text}; --engine solid computes such scenes", err=True)
            return


def _check_solid(spec: "SceneSpec", preset: str | None) -> None:
    """Refuse a preset, and name what a file sets although the solid engine does not use it.

    Raises:
        InputError: The option for a preset is given.
    """
    from physics import PRESETS, LiftOff

    if preset is not None:
        raise InputError(
            f"preset: {preset!r} is not accepted with the solid engine, which has none; "
            "add --engine plane"
        )
    unused = {
        "preset": spec.preset != PRESETS["recommended"],
        "lift_off": spec.parameters.lift_off != LiftOff(),
    }
    names = ", ".join(name for name, is_set in unused.items() if is_set)
    if names:
        click.echo(f"note: the solid engine does not use {names}", err=True)


def _with_thrower(parameters: "ParameterSet", taken: dict[str, Any]) -> "ParameterSet":
    same = ("aim_sd_mm", "tilt_sd_deg", "direction_deg")
    changes = {name: taken[name] for name in same if taken[name] is not None}
    if taken["speed_m_s"] is not None:
        changes["speed_mm_s"] = taken["speed_m_s"] * 1000
    if taken["descent_deg"] is not None:
        changes["descent_min_deg"], changes["descent_max_deg"] = taken["descent_deg"]
    return replace(parameters, thrower=replace(parameters.thrower, **changes))


def _with_slammers(spec: "SceneSpec", taken: dict[str, Any]) -> "SceneSpec":
    from physics.pieces import PUCKDEX_THICKNESS_MM
    from sim.scenes import slammers_by_mass, slammers_by_name, with_thickness

    masses, names, thickness = taken["slammer_g"], taken["slammer"], taken["thickness_mm"]
    named = () if names is None else slammers_by_name(tuple(names.split(",")))
    if thickness is not None:
        kept = named if masses is not None or names is not None else spec.slammers
        named = with_thickness(kept, thickness, unofficial=taken["unofficial"])
    if masses is not None:
        named += slammers_by_mass(
            masses, thickness or PUCKDEX_THICKNESS_MM, unofficial=taken["unofficial"]
        )
    return replace(spec, slammers=named) if named else spec


def _with_knock_out(spec: "SceneSpec", taken: dict[str, Any]) -> "SceneSpec":
    from physics import InputError, puckdex_slammer
    from sim.scenes import KnockOut

    if taken["knock_out"] is not None:
        if taken["pucks"] is not None:
            raise InputError(
                f"pucks: {taken['pucks']!r} is not accepted beside --knock-out; use --shields"
            )
        target = puckdex_slammer(taken["knock_out"], unofficial=taken["unofficial"])
        spec = replace(spec, knock_out=KnockOut(target=target))
    if taken["shields"] is None:
        return spec
    if spec.knock_out is None:
        raise InputError(f"shields: {taken['shields']!r} is not accepted without --knock-out")
    return replace(spec, knock_out=replace(spec.knock_out, shields=taken["shields"]))


def refuse_others(accepted: Collection[str], beside: str) -> None:
    """Refuse options that would be ignored silently.

    Args:
        accepted: Names of the parameters that may be given.
        beside: The reason for the error, such as ``a replay``.

    Raises:
        InputError: Another one is given, even with its default value.
    """
    names = {str(parameter.name) for parameter in click.get_current_context().command.params}
    refuse_options(names.difference(accepted), beside)


def refuse_options(refused: Collection[str], beside: str) -> None:
    """Refuse options that contradict another one.

    Args:
        refused: Names of the parameters that may not be given.
        beside: The reason for the error.

    Raises:
        InputError: One of them is given, even with its default value.
    """
    context = click.get_current_context()
    for parameter in context.command.params:
        name = str(parameter.name)
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and name in refused:
            raise InputError(f"{field_of(parameter)}: not accepted beside {beside}")


def position_of(text: str) -> "Position":
    """Return the position of a command-line argument.

    Args:
        text: The line of a position, the name of a set-up for its empty board, or a file name.

    Raises:
        InputError: It is not a legal position, or the file cannot be read.
    """
    from physics.errors import shown
    from sim.bumpers import parse_position, setups
    from sim.bumpers.position_notation import VERSION

    if text in setups():
        return parse_position(f"{VERSION}:{text}:-:-:-:-")
    if text.strip().startswith(f"{VERSION}:"):
        return parse_position(text)
    if is_file(text):
        return position_in(text, "position")
    if ":" in text:
        return parse_position(text)
    raise InputError(
        f"position: {shown(text)} is no file; give a position's line ({VERSION}:...), a file with "
        f"one, or a set-up ({', '.join(setups())})"
    )


def position_in(name: str, what: str) -> "Position":
    """Return the position of a file.

    Args:
        name: The name of the file.
        what: The name of the argument in errors.

    Raises:
        InputError: The file has no legal position, or is a saved game.
    """
    from sim.bumpers.board_file import read_position

    if name.lower().endswith(".json"):
        raise InputError(
            f"{what}: {name!r} is not accepted; give a board in TOML or a position's line in a "
            "text file (saved games are for 'bumpers view' and 'bumpers play --replay')"
        )
    return read_position(Path(name), what)


def is_file(text: str) -> bool:
    """Return whether a text is the name of an existing file."""
    try:
        return Path(text).is_file()
    except OSError:  # such as a name that is too long
        return False
