"""The front door for Python: odds, slams, positions, puzzles and battles in one call each.

Every function takes the same names and gives the same numbers as the ``pucklab`` command, and does
nothing itself but call what is there. Results print as text, and show themselves in a notebook.

Example:
    >>> import pucklab
    >>> pucklab.solve("pb1:small:RPb7.RMe7.BPd7:-:R:-").text
    'b7N b12W a12S a11E*'
"""

import html
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import pandas as pd
    from matplotlib.figure import Figure

    from physics import SlamOutcome
    from physics.tally import Tally
    from render.slams.player import SlamPlayer
    from sim.bumpers import Position
    from sim.bumpers.puzzles import Puzzle as MadePuzzle
    from sim.bumpers.solver.batch import Task
    from sim.bumpers.solver.solution import Solution
    from sim.experiments import Proportion, ResultTable
    from sim.odds import Odds, OddsRow
    from sim.pokepucks.battle.live import Exchange
    from sim.pokepucks.battle.state import BattleState
    from sim.pokepucks.battle.table import Table
    from sim.scenes import SceneSpec
    from sim.slam_replay import Replay

__all__ = [
    "Battle",
    "Board",
    "FlipOdds",
    "Puzzle",
    "SceneOptions",
    "Slam",
    "Solved",
    "WinRate",
    "battle",
    "odds",
    "position",
    "puzzle",
    "slam",
    "solve",
    "win_rate",
]

_MASSES_G = (4.0, 8.0, 20.0)
_SLAM_MASS_G = (8.0,)
_PICTURE_PX = 640

_COLUMNS = ("slammer", "flips", "p_any_flip", "out", "p_any_out", "trials")
"""Columns of a table in a notebook."""


class SceneOptions(TypedDict, total=False):
    """A scene and its thrower, by the names of the command's options.

    Attributes:
        slammer_g: Mass of a slammer, or several, 2 to 24 g.
        slammer: Names of slammers in the PuckDex with commas between them, or ``all``.
        thickness_mm: Thickness of the slammers, 1.6 to 8 mm.
        pucks: Pucks in the stack, 1 to 29.
        puck_g: Mass of a puck, 1 to 2 g.
        knock_out: Mass of a lone slammer as the target, in g.
        shields: Pucks on top of the lone slammer.
        speed_m_s: Speed of the throw, .5 to 10 m/s.
        aim_sd_mm: Standard deviation of the aim on each axis.
        tilt_sd_deg: Spread of the slammer's tilt.
        descent_deg: Smallest and largest descent from the vertical.
        direction_deg: Direction in which the slammer flies, seen from above.
        engine: ``plane`` or ``solid``.
        preset: Precision of the plane: ``reference``, ``recommended`` or ``fast``.
        params: Parameter file of ``pucklab calibrate``.
        scene: Scene file.
        unofficial: Allow pieces outside the rulebook's masses and sizes.
    """

    slammer_g: float | Iterable[float]
    slammer: str
    thickness_mm: float
    pucks: int
    puck_g: float
    knock_out: float
    shields: int
    speed_m_s: float
    aim_sd_mm: float
    tilt_sd_deg: float
    descent_deg: tuple[float, float]
    direction_deg: float
    engine: str
    preset: str
    params: str | Path
    scene: str | Path
    unofficial: bool


def odds(
    *,
    trials: int = 1000,
    half_width: float | None = None,
    of: str = "p_any",
    seed: int = 1,
    workers: int = 1,
    **scene: Unpack[SceneOptions],
) -> "FlipOdds":
    """Estimate how many pucks flip, and how often, from many throws of each slammer.

    Args:
        trials: Throws of each slammer.
        half_width: Instead: throw until every interval is at most this to either side.
        of: Quantity of the half-width: ``p_any`` (at least one flip) or ``flips`` (their mean).
        seed: Seed of the throws; trial i is the same throw for every slammer.
        workers: Processes to throw in; the result is the same. A script that asks for more than
            one does its work below ``if __name__ == "__main__":``.
        **scene: The scene; see `SceneOptions`. Slammers of 4, 8 and 20 g if none is named.

    Raises:
        InputError: A value is not accepted.

    Example:
        >>> found = odds(slammer_g=range(4, 13, 4), pucks=3, trials=4, preset="fast")
        >>> [row.name for row in found.rows], found.odds["8 g"].trials
        (['4 g', '8 g', '12 g'], 4)
    """
    from physics.errors import check_count
    from sim.experiments import StopRule, run_to_end
    from sim.odds import odds_cases, odds_experiment, odds_rows
    from sim.scenes import studies_of

    check_count("trials", trials, low=1, high=100_000_000)
    rule = None if half_width is None else StopRule(half_width=half_width, of=of)
    spec = _spec(scene, _MASSES_G, "plane")
    studies = studies_of(spec)
    cases = odds_cases([named.name for named in spec.slammers], studies)
    with _processes(workers) as executor:
        table = run_to_end(
            odds_experiment(studies),
            cases,
            trials=trials,
            rule=rule,
            seed=seed,
            executor=executor,
            window=4 * workers,
        )
    return FlipOdds(rows=tuple(odds_rows(table, cases)), spec=spec, table=table)


@dataclass(frozen=True, kw_only=True)
class FlipOdds:
    """The odds of several slammers.

    Attributes:
        rows: One for each slammer: its name, scene and tally.
        spec: The scenes.
        table: The table of the command's CSV file.
    """

    rows: "tuple[OddsRow, ...]"
    spec: "SceneSpec"
    table: "ResultTable[Tally]"

    @cached_property
    def odds(self) -> "dict[str, Odds]":
        """Chances and means with their uncertainty, by the name of the slammer."""
        from sim.odds import odds_of

        return {row.name: odds_of(row.tally, row.z) for row in self.rows}

    def records(self) -> list[dict[str, str | int | float]]:
        """Return a dictionary for each slammer, with the columns of the command's CSV file."""
        return self.table.values()

    def to_pandas(self) -> "pd.DataFrame":
        """Return a table with the columns of the command's CSV file.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        from physics.errors import MissingExtraError

        try:
            import pandas as pd
        except ImportError:
            raise MissingExtraError("pandas is not installed; pip install pandas") from None
        return pd.DataFrame.from_records(self.records())

    def to_csv(self, path: str | Path) -> None:
        """Write the CSV file of ``pucklab odds --out``, whole or not at all."""
        from sim.core.files import write_whole

        write_whole(Path(path), self.table.csv().encode())

    def plot(self, *, model_band: bool = False) -> "Figure":
        """Return the plot of ``pucklab odds --plot`` as a figure of Matplotlib.

        Args:
            model_band: Show how far off the figures may be because the model is.

        Raises:
            MissingExtraError: Matplotlib is not installed.
        """
        from physics.errors import require_extra
        from render.plots.odds import OddsPoint, odds_figure
        from sim.odds import model_ranges
        from sim.scenes import describe

        require_extra("plot", "matplotlib")
        points = [
            OddsPoint(
                label=row.name,
                slammer_g=row.study.scene.slammer.mass_g,
                odds=self.odds[row.name],
                model=model_ranges(row.study) if model_band else {},
            )
            for row in self.rows
        ]
        knock_out = self.spec.knock_out is not None
        return odds_figure(points, title=describe(self.spec), knock_out=knock_out)

    def __str__(self) -> str:
        from sim.cli.odds import print_table
        from sim.scenes import describe

        return _printed(lambda: print_table(self.rows, describe(self.spec)))

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        """Return a table for a notebook."""
        cells = [
            (
                row.name,
                f"{found.flips.value:.2f} &plusmn; {found.flips.standard_error:.2f}",
                _share(found.any_flip),
                f"{found.outs.value:.2f}",
                _share(found.any_out),
                f"{found.trials}",
            )
            for row, found in ((row, self.odds[row.name]) for row in self.rows)
        ]
        names = (html.escape(name) for name, *_ in cells)
        body = "".join(
            f"<tr><th>{name}</th>{''.join(f'<td>{cell}</td>' for cell in rest)}</tr>"
            for name, (_, *rest) in zip(names, cells, strict=True)
        )
        head = "".join(f"<th>{heading}</th>" for heading in _COLUMNS)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def slam(*, trial: int = 0, seed: int = 1, **scene: Unpack[SceneOptions]) -> "Slam":
    """Simulate one throw of a slammer at a stack, in the solid engine unless another is named.

    Args:
        trial: Number of the trial, from 0: it and the seed decide the throw.
        seed: The seed.
        **scene: The scene; see `SceneOptions`. A slammer of 8 g if none is named.

    Raises:
        InputError: A value is not accepted, or more than one slammer is named.

    Example:
        >>> thrown = slam(slammer="onix", pucks=3, seed=7, engine="plane")
        >>> print(thrown)  # doctest: +ELLIPSIS
        Onix (20 g, 6 mm) hits at 5 m/s, 26 mm off centre, tilted 14°, 24° from the vertical.
        ...
    """
    from physics import InputError, SampleRate, draw_throw, trial_generator
    from physics import slam as simulate
    from physics.errors import check_count
    from sim.scenes import studies_of
    from sim.slam_replay import replay_of

    check_count("trial", trial, low=0, high=10**12)
    spec = _spec(scene, _SLAM_MASS_G, "solid")
    if len(spec.slammers) != 1:
        raise InputError(f"slammer: {len(spec.slammers)} slammers are not accepted; give one")
    (study,) = studies_of(spec)
    throw = draw_throw(study.thrower, len(study.scene.stack), trial_generator(seed, trial))
    result = simulate(study.scene, throw, SampleRate(), study.engine)
    return Slam(name=spec.slammers[0].name, replay=replay_of(study.scene, throw, result))


@dataclass(frozen=True, kw_only=True)
class Slam:
    """One slam.

    Attributes:
        name: Name of the slammer.
        replay: Scene, throw, outcome, and the recorded motion.
    """

    name: str
    replay: "Replay"

    @property
    def outcome(self) -> "SlamOutcome":
        """Face and place of each piece at the end."""
        return self.replay.outcome

    @property
    def flips(self) -> int:
        """Pucks that end face up."""
        return len(self.outcome.flipped)

    def watch(self) -> None:
        """Show the slam in a window.

        Raises:
            InputError: There is no screen.
        """
        from physics import ThrowDistribution
        from render.slamwindow import Replays, SlamWindow
        from render.viewer import show
        from sim.odds import Study

        study = Study(
            scene=self.replay.scene, thrower=ThrowDistribution(), engine=self.replay.engine
        )
        show(SlamWindow(Replays([(self.name, self.replay)]), study))

    def save(self, path: str | Path) -> None:
        """Write a picture, a film, a web page or a replay, as ``pucklab slam --save`` does.

        Raises:
            InputError: The name has another suffix than these.
        """
        from render.slams.export import check_export, export_slam

        check_export("path", Path(path))
        export_slam(Path(path), self.replay, self.name)

    def player(self) -> "SlamPlayer":
        """Return the player for browsers and notebooks."""
        from render.slams.player import player_of

        return player_of([(self.name, self.replay)])

    def __str__(self) -> str:
        from sim.slam_text import describe_slam

        text = describe_slam(self.name, self.replay.scene, self.replay.throw, self.outcome)
        return f"{text}\nSimulated with the {self.replay.engine} engine."

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        """Return the player for a notebook."""
        return self.player()._repr_html_()


def position(text: str) -> "Board":
    """Return a position of Puck Bumpers, which prints as a board.

    Args:
        text: The line of a position, the name of a set-up for its empty board, or a file name.

    Raises:
        InputError: It is not a legal position, or the file cannot be read.

    Example:
        >>> board = position("pb1:small:RPb7.RMe7.BPd7:-:R:-")
        >>> board.moves()
        ['b7N', 'b7E', 'b7S', 'b7W', 'e7N', 'e7E', 'e7S', 'e7Wx']
    """
    from sim.cli.positions import position_of

    return Board(position=position_of(text))


@dataclass(frozen=True, kw_only=True)
class Board:
    """A position of Puck Bumpers.

    Attributes:
        position: The position.
    """

    position: "Position"

    @property
    def line(self) -> str:
        """The position in one line, with its checksum."""
        from sim.bumpers import position_text

        return position_text(self.position)

    def moves(self) -> list[str]:
        """Return the legal moves of the side to move in notation."""
        from sim.bumpers import legal_moves, move_text

        return [move_text(self.position, move) for move in legal_moves(self.position)]

    def draw(self, path: str | Path) -> None:
        """Write a picture of the board (.png)."""
        _draw_line(Path(path), self.position, (), "")

    def __str__(self) -> str:
        from sim.bumpers.drawing import draw_position

        return draw_position(self.position)

    def __repr__(self) -> str:
        return f"{self}\n{self.line}"


def solve(
    position: "str | Board",
    *,
    goal: str | None = None,
    cards: str | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    max_actions: int | None = None,
    every: bool = False,
) -> "Solved":
    """Find a shortest solution of a Puck Bumpers position, with proof.

    Args:
        position: As for `position`.
        goal: The goal, such as ``all`` or ``puck:c7``; see ``pucklab solve --help``.
        cards: Cards in hand with commas between them.
        seconds: Time after which the search ends.
        nodes: Number of positions after which the search ends.
        max_actions: Longest solution to look for.
        every: Find all shortest solutions.

    Raises:
        InputError: A value is not accepted.

    Example:
        >>> solved = solve("pb1:small:RPb7.RMe7.BPd7:-:R:-")
        >>> solved.actions, solved.proved
        (4, True)
    """
    from sim.bumpers.solver import Limits
    from sim.bumpers.solver import solve as search
    from sim.bumpers.solver.batch import Defaults, task_of
    from sim.cli.positions import position_of

    own = position.position if isinstance(position, Board) else position_of(position)
    given = {"goal": goal, "cards": cards, "max_actions": max_actions}
    defaults = Defaults(
        **{name: value for name, value in given.items() if value is not None},  # type: ignore[arg-type]
        limits=Limits(nodes=nodes, seconds=seconds),
        every=every,
    )
    task = task_of(own, {}, defaults)
    found = search(task.position, task.goal, task.limits, cards=task.hand.mats, every=every)
    return Solved(task=task, solution=found)


@dataclass(frozen=True, kw_only=True)
class Solved:
    """The answer to a position.

    Attributes:
        task: The question.
        solution: The answer of the solver.
    """

    task: "Task"
    solution: "Solution"

    @property
    def text(self) -> str:
        """The solution in notation; empty if there is none."""
        from sim.bumpers.solver.solution import line_text

        return line_text(self.task.position, self.solution.line)

    @property
    def actions(self) -> int | None:
        """Number of actions of the solution; None if there is none."""
        return len(self.solution.line) or None

    @property
    def proved(self) -> bool:
        """Whether the answer is proved, rather than ended by a limit."""
        return not self.solution.limit

    def draw(self, path: str | Path) -> None:
        """Write a picture of each board (.png) or a film (.gif, .mp4)."""
        from sim.bumpers.solver.goals import goal_text

        start = self.task.position
        assert start.to_move is not None
        goal = goal_text(start, self.task.goal)
        caption = f"{start.to_move.word} to move, goal {goal}"
        _draw_line(Path(path), start, self.solution.line, caption)

    def __str__(self) -> str:
        from sim.cli.solve import print_answer

        return _printed(lambda: print_answer(self.task, self.solution, ()))

    def __repr__(self) -> str:
        return str(self)


def puzzle(
    *, actions: int = 4, goal: str = "1", unique: bool = False, setup: str = "", seed: int = 1
) -> "Puzzle":
    """Make a Puck Bumpers puzzle of a given length.

    Args:
        actions: Length of a shortest solution, 1 to 20 actions.
        goal: 1 to 4 or ``all`` for pucks in, ``puck`` or ``to``.
        unique: There must be exactly one shortest solution.
        setup: Name of the board's set-up; boards of all sizes if empty.
        seed: The seed.

    Raises:
        InputError: A value is not accepted, or no such puzzle was found.

    Example:
        >>> made = puzzle(actions=3, seed=2)
        >>> made.solution == solve(made.board).text
        True
    """
    from physics import InputError
    from sim.bumpers import setup_named
    from sim.bumpers.puzzles import PuzzleSpec, make_puzzle

    spec = PuzzleSpec(
        actions=actions,
        goal=goal,
        movers=min(2, actions),
        unique=unique,
        setup=setup_named(setup) if setup else None,
    )
    made = make_puzzle(spec, seed, 0)
    if made is None:
        raise InputError(f"actions: {actions} is not accepted with seed {seed}; none was found")
    return Puzzle(made=made)


@dataclass(frozen=True, kw_only=True)
class Puzzle:
    """A position to solve, which prints without its solution.

    Attributes:
        made: The puzzle, its solution and its difficulty.
    """

    made: "MadePuzzle"

    @property
    def board(self) -> Board:
        """The position to solve."""
        return Board(position=self.made.position)

    @property
    def goal(self) -> str:
        """The goal in words of the command's ``--goal``."""
        from sim.bumpers.solver.goals import goal_text

        return goal_text(self.made.position, self.made.goal)

    @property
    def solution(self) -> str:
        """The solution in notation."""
        from sim.bumpers.solver.solution import line_text

        return line_text(self.made.position, self.made.line)

    def draw(self, path: str | Path) -> None:
        """Write a picture of the board (.png)."""
        self.board.draw(path)

    def __str__(self) -> str:
        return f"{self.board!r}\ngoal {self.goal}, in {len(self.made.line)} actions"

    def __repr__(self) -> str:
        return str(self)


def battle(
    *players: str, policy: str = "greedy", seed: int = 1, throws: str = "physics", mode: str = ""
) -> "Battle":
    """Play a battle of PokéPucks to its end.

    Args:
        *players: The slammers of 2 to 8 players, in turn order; Pikachu and Onix if none is named.
        policy: Kind of every player, or one for each with commas between them.
        seed: Seed of throws and decisions.
        throws: ``physics`` for simulated slams, or ``table`` for recorded ones, which is quick.
        mode: ``battle``, ``training`` or ``wild``.

    Raises:
        InputError: A value is not accepted.

    Example:
        >>> played = battle("pikachu", "onix", throws="table", seed=7)
        >>> played.winner in {"Pikachu", "Onix", None}
        True
    """
    from physics import InputError
    from sim.pokepucks.battle.live import play_battle
    from sim.pokepucks.battle.player_kinds import player_of

    names = players or ("pikachu", "onix")
    kinds = policy.split(",")
    if len(kinds) not in {1, len(names)}:
        raise InputError(f"policy: {policy!r} is not accepted; give 1 or {len(names)} kinds")
    table = _table(names, mode)
    seats = [player_of(kind) for kind in kinds * (len(names) if len(kinds) == 1 else 1)]
    exchanges = tuple(play_battle(table, seats, _throws(throws), seed))
    return Battle(table=table, exchanges=exchanges)


@dataclass(frozen=True, kw_only=True)
class Battle:
    """A battle that was played, which prints as its transcript.

    Attributes:
        table: The set-up.
        exchanges: Every question, its answer, and the events that follow.
    """

    table: "Table"
    exchanges: "tuple[Exchange, ...]"

    @property
    def final(self) -> "BattleState":
        """The state at the end."""
        from sim.pokepucks.battle.setup import new_battle

        return self.exchanges[-1].after if self.exchanges else new_battle(self.table)

    @property
    def winner(self) -> str | None:
        """Name of the winner; None after a draw."""
        return None if self.final.winner is None else self.table.names[self.final.winner]

    def transcript(self, *, verbose: bool = False) -> str:
        """Return the battle turn by turn; verbose, every event."""
        from sim.pokepucks.battle.transcript import battle_transcript, standing_lines

        lines = battle_transcript(self.table, self.exchanges, verbose=verbose)
        return "\n".join((*lines, *standing_lines(self.final)))

    def __str__(self) -> str:
        return self.transcript()

    def __repr__(self) -> str:
        won = f"{self.winner} wins" if self.winner else "a draw"
        return f"{' against '.join(self.table.names)}: {won} in {self.final.turn.number} turns"


def win_rate(
    first: str,
    second: str,
    *,
    battles: int = 200,
    policy: str = "greedy",
    seed: int = 1,
    throws: str = "table",
    workers: int = 1,
) -> "WinRate":
    """Play two slammers against each other many times; each begins half of the battles.

    Args:
        first: A slammer.
        second: Another slammer.
        battles: Number of battles.
        policy: Kind of both players.
        seed: Seed of throws and decisions.
        throws: ``table`` for recorded slams, which is quick, or ``physics`` for simulated ones.
        workers: Processes to play in; see `odds`.

    Raises:
        InputError: A value is not accepted.

    Example:
        >>> rate = win_rate("pikachu", "onix", battles=4)
        >>> rate.low <= rate.value <= rate.high
        True
    """
    from physics.errors import check_count
    from sim.experiments import wilson
    from sim.pokepucks.design_file import find_slammer
    from sim.pokepucks.tournament import Contest, pairs_of, run_tournament

    check_count("battles", battles, low=1, high=1_000_000)
    mine, other = (find_slammer(name) for name in (first, second))
    contest = Contest(throws=_throws(throws), policy=policy)
    with _processes(workers) as executor:
        *_, last = run_tournament(
            contest,
            pairs_of([mine, other]),
            battles=battles,
            seed=seed,
            executor=executor,
            window=4 * workers,
        )
    (tally,) = last.tallies
    # The pair is ordered by name; its tally counts the wins of the first of that order.
    wins = tally.wins
    if pairs_of([mine, other])[0][0] != mine:
        wins = tally.battles - tally.draws - tally.wins
    rate = wilson(wins, tally.battles)
    return WinRate(
        first=mine.name,
        second=other.name,
        value=rate.value,
        low=rate.low,
        high=rate.high,
        battles=tally.battles,
        draws=tally.draws,
    )


@dataclass(frozen=True, kw_only=True)
class WinRate:
    """How often a slammer beats another; a draw is no win.

    Attributes:
        first: The slammer whose wins are counted.
        second: The other one.
        value: Share of the battles that it won.
        low: Lower end of the 95 % interval.
        high: Upper end.
        battles: Battles played.
        draws: Battles without a winner.
    """

    first: str
    second: str
    value: float
    low: float
    high: float
    battles: int
    draws: int

    def __str__(self) -> str:
        return (
            f"{self.first} beats {self.second} in {self.value:.0%} "
            f"({100 * self.low:.0f}-{100 * self.high:.0f}) of {self.battles} battles, "
            f"{self.draws} drawn"
        )


def _spec(
    scene: Mapping[str, Any], default_masses_g: tuple[float, ...], default_engine: str
) -> "SceneSpec":
    """Return the scenes of the options.

    Raises:
        InputError: A name or value is not accepted.
    """
    from physics import InputError
    from sim.cli.scene_options import spec_from_options

    known = SceneOptions.__annotations__
    for name in scene:
        if name not in known:
            raise InputError(f"{name}: no such option; give {', '.join(known)}")
    options: dict[str, Any] = dict.fromkeys(known) | {"unofficial": False} | dict(scene)
    if options["slammer_g"] is not None:
        masses = options["slammer_g"]
        masses = masses if isinstance(masses, Iterable) else (masses,)
        options["slammer_g"] = tuple(float(mass) for mass in masses)
    for name in ("params", "scene"):
        if options[name] is not None:
            options[name] = Path(options[name])
    return spec_from_options(options, default_masses_g, default_engine)


@contextmanager
def _processes(workers: int) -> "Iterator[Executor | None]":
    """Provide processes to work in.

    Raises:
        InputError: They could not work, as in a script that starts itself again in each of them.
    """
    from multiprocessing import process

    from physics import InputError
    from physics.errors import check_count
    from sim.cli.processes import worker_processes
    from sim.core.ordered_work import WorkersDied

    check_count("workers", workers, low=1, high=1024)
    advice = (
        f"workers: {workers} processes start the script again; put the call below "
        "'if __name__ == \"__main__\":', or give workers=1"
    )
    # A process that is just starting runs the script itself, up to here.
    if workers > 1 and getattr(process.current_process(), "_inheriting", False):
        raise SystemExit(advice)
    try:
        with worker_processes(workers) as executor:
            yield executor
    except WorkersDied:
        raise InputError(advice) from None


def _table(names: Iterable[str], mode: str) -> "Table":
    from physics.decoding import decode
    from sim.pokepucks.battle.setup_file import house_table
    from sim.pokepucks.battle.table import BattleOptions
    from sim.pokepucks.design_file import shipped_catalogue

    options = decode(BattleOptions, {"mode": mode} if mode else {}, "option")
    slammers = [shipped_catalogue().find_slammer(name, "players") for name in names]
    return house_table(slammers, options)


def _throws(source: str) -> Any:
    """Return the source of throws of a name.

    Raises:
        InputError: There is no such source.
    """
    from physics import InputError
    from sim.pokepucks.throw_sources import PhysicsThrows, shipped_table

    if source not in {"physics", "table"}:
        raise InputError(f"throws: {source!r} is not accepted; give physics or table")
    return shipped_table() if source == "table" else PhysicsThrows()


def _draw_line(path: Path, start: "Position", line: Iterable[Any], caption: str) -> None:
    from render.bumpers.export import check_export, export_line
    from sim.bumpers.solver.solution import line_steps

    check_export("path", path)
    export_line(path, start, tuple(line_steps(start, line)), caption=caption)


def _share(chance: "Proportion") -> str:
    return f"{chance.value:.0%} ({100 * chance.low:.0f}-{100 * chance.high:.0f})"


def _printed(function: Callable[[], None]) -> str:
    """Return all that a function prints."""
    with redirect_stdout(io.StringIO()) as text:
        function()
    return text.getvalue().rstrip("\n")
