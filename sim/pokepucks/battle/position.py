"""The value of a position: the chance to win, from what lies where.

`features` describes a battle from the view of one player, `winning_chance` weighs the features of
all players. The weights are those of a logistic regression on battles between greedy players that
make some of their choices at random, so that unusual positions are among them. House data: nobody's
battles were recorded. ``python -m sim.pokepucks.battle.position FILE.csv`` plays the battles, fits
the weights again, and prints how well they foretell battles that the fit has not seen.
"""

import argparse
import csv
import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import exp
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sim.core.files import write_whole
from sim.pokepucks.battle.evaluation import expected_attacks, type_advantage
from sim.pokepucks.battle.live import play_battle
from sim.pokepucks.battle.players import GreedyPlayer, RandomPlayer
from sim.pokepucks.battle.questions import Question, Reply
from sim.pokepucks.battle.rules import RuleBook, View
from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.battle.state import ARENA, BattleState, Status, Step
from sim.pokepucks.battle.turn import payer_of, topped_off_size
from sim.pokepucks.design_file import shipped_catalogue
from sim.pokepucks.designs import DesignKind
from sim.pokepucks.special import shipped_rules
from sim.pokepucks.throw_sources import shipped_table
from sim.pokepucks.throws import ThrowKind

Features = dict[str, float]
Floats = npt.NDArray[np.float64]

VALUES_FILE = "position_values.csv"
VALUE_COLUMNS = ("feature", "weight", "standard_error")

BATTLES = 5_000
"""Battles of the weights that come with pucklab, with seed 1."""

_ERRORS = 0.05
"""Share of the choices that are made at random in those battles."""

_RIDGE = 20.0
_NEWTON_STEPS, _CONVERGED = 20, 1e-6

_LASTING = frozenset({"Full Heal", "Focus Sash"})
"""Items without a type that are worth something in Power for long."""

_WANTED = frozenset({*_LASTING, "Potion", "Berry", "Mr. Merkert", "Mr. Saia"})
"""Pucks without a type that players want from the Arena."""

_FUEL = {"Rest": 10, "Leech Seed": 3}
"""Abilities that move pucks from Prize to Health, and how many pucks there are worth counting."""

_SHIELD = 0.2
"""Weight of a puck in Power in a wild battle, where it may be a shield; an assumption."""

_WIDE = 10.0
"""Pucks of Health of two players together that count as one in products of features."""


def winning_chance(
    state: BattleState,
    rules: RuleBook,
    player: int,
    weights: Mapping[str, float] | None = None,
) -> float:
    """Return the estimated chance of a player to win, from 0 to 1.

    At the end of a battle it is 1 for the winner, and the same for all after a draw.
    """
    if state.step is Step.OVER:
        draw = 1 / state.table.players
        return draw if state.winner is None else float(state.winner == player)
    if player not in state.playing:
        return 0.0
    if state.table.options.is_wild:  # the weights are those of other battles
        value = {p: _SHIELD * len(state.power(p)) for p in state.playing}
    else:
        known = shipped_values() if weights is None else weights
        value = {p: _value(features(View(state, rules, p)), known) for p in state.playing}
    own = value.pop(player)
    # With two players this is the logistic function of the difference.
    return 1 / (1 + sum(exp(min(other - own, 50.0)) for other in value.values()))


def _value(described: Features, weights: Mapping[str, float]) -> float:
    return sum(weights.get(name, 0.0) * amount for name, amount in described.items())


def features(view: View) -> Features:
    """Return what speaks for or against a player, by name."""
    state, _, player = view
    own, following = state.slammer(player), state.next_player(player)
    other = state.slammer(following)
    if own is None or other is None:
        return {"health": float(len(state.health(player)))}
    design, facing = state.design(own), state.design(other)
    moving = player == state.player
    held, short = len(state.health(player)), 0
    if (state.step is Step.BEFORE_TOP_OFF or state.step is Step.TOP_OFF) and player == payer_of(
        state
    ):
        due = max(topped_off_size(state) - len(state.arena), 0)
        held, short = max(held - due, 0), max(due - held, 0)
    wide = (held + len(state.health(following))) / _WIDE
    size = state.max_size(ARENA) or 0
    flips = expected_attacks(view) * mean_flips(design.mass_g, size)
    threat = knock_out_chance(facing.mass_g, design.mass_g)
    found: Features = {
        "health": float(held),
        "health to 2": float(min(held, 2)),
        "health to 5": float(min(held, 5)),
        "health, small Arena": held * (1 - size / 8),
        "flips": flips,
        "flips, wide": flips * wide,
        "advantage": float(type_advantage(design, facing)),
        "advantage, wide": type_advantage(design, facing) * wide,
        "threat": threat,
        "threat, narrow": threat / (1 + held),
        f"slammer {design.rule}": 1.0,
        f"slammer {design.rule}, wide": wide,
        f"mass {design.mass_g:g}": 1.0,
    }
    if moving:
        found["to move"] = 1.0
    _add_danger(found, view, short, threat)
    for status in state.statuses[player]:
        found[f"status {status}"] = 1.0
        found[f"status {status}, wide"] = wide
    for effect in state.effects[player]:
        found[f"effect {effect}"] = 1.0
    _add_power(found, view, wide)
    _add_arena(found, view)
    return found


def _add_danger(found: Features, view: View, short: int, threat: float) -> None:
    """Describe a top-off that is about to fail, and the coming attempt to knock out."""
    state, _, player = view
    if short:
        found["fails"] = 1.0
        found["short"] = float(short)
    if short or state.has(player, Status.CRITICAL):
        found["in danger"] = threat
        if player == state.player:
            found["in danger now"] = threat


def _add_power(found: Features, view: View, wide: float) -> None:
    """Describe Power and Prize: Items of a rule count once, since the same one acts once a turn."""
    state, rules, player = view
    own = state.slammer(player)
    assert own is not None
    design = state.design(own)
    potions, spare = 0, 0
    trainers = []
    for puck in map(state.design, state.power(player)):
        rule = rules.main_rule(puck)
        if puck.kind is DesignKind.TRAINER:
            trainers.append(puck.rule)
        elif rule is None or (rule.of_type and puck.type is not design.type):
            spare += 1
        elif rule.hints.heals:
            potions += 1
        elif rule.name in _LASTING or rule.of_type:
            if f"power {rule.name}" in found:
                spare += 1
            found[f"power {rule.name}"] = 1.0
            found[f"power {rule.name}, wide"] = wide
        else:
            spare += 1
    if len(trainers) == 1:
        found[f"power {trainers[0]}"] = 1.0
        found[f"power {trainers[0]}, wide"] = wide
    fuel = len(state.prize(player))
    if potions:
        found["potion"] = 1.0
        found["potions"] = float(min(potions, 3))
        found["heals"] = float(min(2 * potions, fuel))
        found["heals later"] = float(min(2 * potions, fuel + spare))
    if design.rule in _FUEL:
        found[f"fuel for {design.rule}"] = float(min(fuel, _FUEL[design.rule]))
        found[f"spare for {design.rule}"] = float(min(fuel + spare, _FUEL[design.rule]))


def _add_arena(found: Features, view: View) -> None:
    """Describe pucks in the Arena and in Health that the player may win."""
    state, rules, player = view
    own, mover = state.slammer(player), state.slammer(state.player)
    assert own is not None
    design = state.design(own)
    have = {state.design(puck).rule for puck in state.power(player)}
    size = len(state.arena)
    chances = flip_chances(design.mass_g, size)
    moving = player == state.player
    before = () if moving or mover is None else flip_chances(state.design(mover).mass_g, size)
    for place, puck in enumerate(state.arena):
        item = state.design(puck)
        rule = rules.main_rule(item)
        if rule is None or (rule.of_type and (item.type is not design.type or item.rule in have)):
            continue
        if rule.of_type:
            name = f"arena {rule.name}"
            found[name] = found.get(name, 0.0) + 1.0
        if rule.of_type or rule.name in _WANTED:
            name, chance = f"next {rule.name}", chances[place]
            if not moving:
                name, chance = f"later {rule.name}", chance * (1 - before[place] if before else 1)
            found[name] = found.get(name, 0.0) + chance
    for item in map(state.design, state.health(player)):
        rule = rules.main_rule(item)
        if rule is not None and rule.of_type and item.type is design.type and item.rule not in have:
            name = f"health {rule.name}"
            found[name] = found.get(name, 0.0) + 1.0


@lru_cache(maxsize=64)
def mean_flips(mass_g: float, pieces: int) -> float:
    """Return how many pucks a throw at a stack flips on average, by the recorded slams."""
    return sum(flip_chances(mass_g, pieces))


@lru_cache(maxsize=256)
def flip_chances(mass_g: float, pieces: int) -> tuple[float, ...]:
    """Return the chance of each puck of a stack to flip, from the floor up."""
    if not pieces:
        return ()
    slams = shipped_table().slams(ThrowKind(slammer_g=mass_g, knock_out_g=None, pieces=pieces))
    counts = [0] * pieces
    for slam in slams:
        for place in slam.flipped:
            counts[place] += 1
    return tuple(count / len(slams) for count in counts)


@lru_cache(maxsize=64)
def knock_out_chance(mass_g: float, target_g: float) -> float:
    """Return the chance of a knock-out without shields, by the recorded slams."""
    slams = shipped_table().slams(ThrowKind(slammer_g=mass_g, knock_out_g=target_g, pieces=1))
    return sum(0 in slam.flipped for slam in slams) / len(slams)


@lru_cache(maxsize=1)
def shipped_values() -> Mapping[str, float]:
    """Return the weights that come with pucklab."""
    text = files("sim.pokepucks").joinpath("data", VALUES_FILE).read_text(encoding="utf-8")
    return {row["feature"]: float(row["weight"]) for row in csv.DictReader(io.StringIO(text))}


class ErringPlayer(GreedyPlayer):
    """A greedy player that makes a share of its choices at random."""

    def choose(self, state: BattleState, question: Question, rng: np.random.Generator) -> Reply:
        """Return the greedy reply, or now and then a random one."""
        if rng.random() < _ERRORS:
            return RandomPlayer().choose(state, question, rng)
        return self.reply(state, question)


@dataclass(frozen=True, slots=True)
class Sample:
    """A position at the beginning of a turn.

    Attributes:
        described: What speaks for the current player, less what speaks for the other one.
        won: True if the current player won the battle.
        battle: Number of the battle.
    """

    described: Features
    won: bool
    battle: int


def samples(battles: int, seed: int) -> Iterator[Sample]:
    """Yield the turns of battles of two with random slammers, house collections and recorded slams.

    Args:
        battles: Number of battles.
        seed: Seed of the battles.
    """
    slammers = [d for d in shipped_catalogue().designs if d.kind is DesignKind.POKEMON]
    players, throws, rules = [ErringPlayer()] * 2, shipped_table(), shipped_rules()
    for number in range(battles):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
        pair = [slammers[place] for place in rng.integers(len(slammers), size=2).tolist()]
        seen, turn = [], 0
        for exchange in play_battle(house_table(pair), players, throws, int(rng.integers(2**62))):
            state = exchange.before
            if state.turn.number > turn and len(state.playing) == 2:
                turn = state.turn.number
                mine, other = (
                    features(View(state, rules, p)) for p in (state.player, 1 - state.player)
                )
                seen.append((state.player, _difference(mine, other)))
        winner = exchange.after.winner
        if winner is not None:
            yield from (Sample(described, winner == player, number) for player, described in seen)


def _difference(mine: Features, other: Features) -> Features:
    names = sorted({*mine, *other})
    return {name: mine.get(name, 0.0) - other.get(name, 0.0) for name in names}


@dataclass(frozen=True, slots=True)
class Fit:
    """Fitted weights.

    Attributes:
        names: Names of the features.
        weights: Their weights: the change of the logarithm of the odds to win.
        errors: Their standard errors.
    """

    names: tuple[str, ...]
    weights: Floats
    errors: Floats

    def chances(self, positions: Sequence[Sample]) -> Floats:
        """Return the estimated chances of the players to move."""
        chances: Floats = 1 / (1 + np.exp(-_matrix(self.names, positions) @ self.weights))
        return chances

    @property
    def csv(self) -> str:
        """The weights as CSV."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(VALUE_COLUMNS)
        for name, weight, error in zip(self.names, self.weights, self.errors, strict=True):
            writer.writerow([name, f"{weight:.4f}", f"{error:.4f}"])
        return text.getvalue()


def _matrix(names: Sequence[str], positions: Sequence[Sample]) -> Floats:
    """Return the features as an array of shape (positions, names)."""
    column = {name: number for number, name in enumerate(names)}
    found = np.zeros((len(positions), len(names)))
    for row, sample in zip(found, positions, strict=True):
        for name, amount in sample.described.items():
            if name in column:
                row[column[name]] = amount
    return found


def fit(positions: Sequence[Sample]) -> Fit:
    """Fit the weights by penalized logistic regression, with Newton's method.

    The ridge penalty keeps weights small that the positions do not determine.
    """
    names = tuple(sorted({name for sample in positions for name in sample.described}))
    known, won = _matrix(names, positions), np.array([sample.won for sample in positions], float)
    weights, penalty = np.zeros(len(names)), _RIDGE * np.eye(len(names))
    for _ in range(_NEWTON_STEPS):
        chances = 1 / (1 + np.exp(-known @ weights))
        # Gradient and Hessian of the logarithm of the likelihood, less the penalty.
        gradient = known.T @ (won - chances) - _RIDGE * weights
        hessian = (known * (chances * (1 - chances))[:, None]).T @ known + penalty
        step = np.linalg.solve(hessian, gradient)
        weights = weights + step
        if np.abs(step).max() < _CONVERGED:
            break
    return Fit(names, weights, np.sqrt(np.diag(np.linalg.inv(hessian))))


def log_loss(chances: Floats, positions: Sequence[Sample]) -> float:
    """Return the mean of -log of the chance given to what happened; even odds have 0.693."""
    won = np.array([sample.won for sample in positions])
    return float(-np.log(np.clip(np.where(won, chances, 1 - chances), 1e-9, 1)).mean())


def _report(positions: Sequence[Sample]) -> Iterator[str]:
    """Yield lines on how well a fit to four fifths of the battles foretells the others."""
    seen = [sample for sample in positions if sample.battle % 5]
    unseen = [sample for sample in positions if not sample.battle % 5]
    chances = fit(seen).chances(unseen)
    won = np.array([sample.won for sample in unseen])
    yield f"{len(unseen)} turns that the fit has not seen: loss {log_loss(chances, unseen):.4f}"
    yield "estimated  won    turns"
    for low in np.arange(0, 1, 0.1):
        here = (chances >= low) & (chances < low + 0.1)
        if here.any():
            yield f"{chances[here].mean():9.3f}  {won[here].mean():.3f}  {here.sum()}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit the weights to new battles, and write them."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("file", type=Path, help="CSV to write, with a row for each weight")
    parser.add_argument("--battles", type=int, default=BATTLES, help="battles to play")
    parser.add_argument("--seed", type=int, default=1, help="seed of the battles")
    given = parser.parse_args(arguments)
    positions = list(samples(given.battles, given.seed))
    write_whole(given.file, fit(positions).csv.encode())
    sys.stdout.writelines(f"{line}\n" for line in _report(positions))


if __name__ == "__main__":
    main()
