"""Battles of PokéPucks for Python."""

from typing import Any

from pucklab.api.common import processes
from pucklab.base.decoding import check_one_of, decode
from pucklab.base.errors import check_count
from pucklab.base.facts import fact
from pucklab.base.values import read_seed
from pucklab.render.battle_course import course_html
from pucklab.sim.experiments import run_to_end
from pucklab.sim.pokepucks.battle.battle_setup import BattleOptions, BattleSetup, with_length
from pucklab.sim.pokepucks.battle.live import BattleStep, begin
from pucklab.sim.pokepucks.battle.match import play_battle
from pucklab.sim.pokepucks.battle.player_kinds import PLAYERS
from pucklab.sim.pokepucks.battle.setup import new_battle
from pucklab.sim.pokepucks.battle.setup_file import FIRST_PAIR, SIMPLE_PAIR, house_setup
from pucklab.sim.pokepucks.battle.state import BattleState
from pucklab.sim.pokepucks.battle.transcript import battle_transcript, standing_lines, summary_lines
from pucklab.sim.pokepucks.design_file import find_slammer, shipped_catalogue
from pucklab.sim.pokepucks.throw_sources import PhysicsThrows, shipped_table
from pucklab.sim.pokepucks.tournament import TOURNAMENT, Contest, pair_cases


def battle(
    *players: str,
    policy: str = "greedy",
    seed: int = 1,
    throws: str = "physics",
    mode: str = "",
    length: str = "",
) -> "Battle":
    """Play a battle of PokéPucks to its end.

    Args:
        *players: The slammers of 2 to 8 players, in turn order; Pikachu and Eevee if none is named.
        policy: Kind of every player, or one for each with commas between them.
        seed: Seed of throws and decisions.
        throws: ``physics`` for simulated slams, or ``table`` for recorded ones, which is quick.
        mode: ``battle``, ``training`` or ``wild``.
        length: ``first``, the default unless a mode is given; ``short``, without special rules;
            ``simple``, with Sandbags; or ``full``.

    Raises:
        InputError: A value is not accepted.

    Example:
        >>> played = battle("pikachu", "onix", throws="table", seed=7)
        >>> played.winner in {"Pikachu", "Onix", None}
        True
    """
    names = players or (SIMPLE_PAIR if length == "simple" else FIRST_PAIR)
    kinds = PLAYERS.kinds(policy, len(names))
    values = {"mode": mode} if mode else {"length": "first"}
    values |= {"length": length} if length else {}
    options = decode(BattleOptions, with_length(values, "option"), "option")
    slammers = [shipped_catalogue().find_slammer(name, "players") for name in names]
    table = house_setup(slammers, options)
    seats = [*map(PLAYERS.of, kinds)]
    steps = tuple(play_battle(table, seats, _throws(throws), read_seed(seed)))
    return Battle(table=table, steps=steps)


@fact
class Battle:
    """A battle that was played, which prints as its result and the throws that decided it."""

    table: BattleSetup  # the set-up
    steps: tuple[BattleStep, ...]  # every question, its answer, and the events that follow

    @property
    def final(self) -> BattleState:
        """The state at the end."""
        return self.steps[-1].after.state if self.steps else new_battle(self.table)

    @property
    def winner(self) -> str | None:
        """Name of the winner; None after a draw."""
        return None if self.final.winner is None else self.table.names[self.final.winner]

    def transcript(self, *, every_event: bool = False) -> str:
        """Return the battle turn by turn: a sentence for each throw, or every event."""
        lines = battle_transcript(begin(self.table), self.steps, every_event=every_event)
        return "\n".join((*lines, *standing_lines(self.final)))

    def __str__(self) -> str:
        lines = summary_lines(begin(self.table), self.steps)
        return "\n".join((*lines, *standing_lines(self.final, "counts")))

    def __repr__(self) -> str:
        won = f"{self.winner} wins" if self.winner else "a draw"
        return f"{' against '.join(self.table.names)}: {won} in {self.final.turn.number} turns"

    def _repr_html_(self) -> str:
        """Return the course of the battle for a notebook: Health by turn, and turns to unfold."""
        return course_html(self.table, self.steps, self.transcript().splitlines(), repr(self))


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
    check_count("battles", battles, 1, 1_000_000)
    seed = read_seed(seed)
    mine, other = (find_slammer(name) for name in (first, second))
    contest = Contest(throws=_throws(throws), policy=policy)
    with processes(workers) as executor:
        (case,) = cases = pair_cases(contest, [mine, other])
        table = run_to_end(
            TOURNAMENT, cases, trials=battles, seed=seed, executor=executor, window=4 * workers
        )
    (tally,) = table.tallies()
    # The pair is ordered by name; its tally counts the wins of the first of that order.
    rate = (tally if case.subject[1][0] == mine else tally.turned).won
    return WinRate(
        first=mine.name,
        second=other.name,
        value=rate.value,
        low=rate.low,
        high=rate.high,
        battles=battles,
        draws=tally.draws,
    )


@fact
class WinRate:
    """Share of battles in which a slammer beats another; a draw is no win."""

    first: str  # the slammer whose wins are counted
    second: str
    value: float  # share of the battles that it won
    low: float  # lower end of the 95 % interval
    high: float
    battles: int
    draws: int  # battles without a winner

    def __str__(self) -> str:
        return (
            f"{self.first} beats {self.second} in {self.value:.0%} "
            f"({100 * self.low:.0f}-{100 * self.high:.0f}) of {self.battles} battles, "
            f"{self.draws} drawn"
        )


def _throws(source: str) -> Any:
    """Return the source of throws of a name.

    Raises:
        InputError: There is no such source.
    """
    check_one_of("throws", source, ("physics", "table"))
    return shipped_table() if source == "table" else PhysicsThrows()
