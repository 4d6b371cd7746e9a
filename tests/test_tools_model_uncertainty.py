"""The model's own uncertainty: its measurement, and the file that `odds` reads."""

import csv
import math
from importlib.resources import files

import numpy as np
import pytest

from pucklab.calibration.cells import cell_named
from pucklab.physics import PHYSICS_VERSION
from tests.slowness import slow
from tools import model_uncertainty
from tools.model_uncertainty import (
    MEASURED_ONCE,
    Assumption,
    ThrowFile,
    compare,
    engine_factors,
    figures_of,
    main,
    pool,
)

ROWS = list(
    csv.DictReader(
        (files("pucklab.sim.odds") / "model_uncertainty.csv").read_text("utf-8").splitlines()
    )
)


def test_a_planted_ratio_of_means_is_inside_its_interval_95_times_in_100():
    """Throws in common make the interval narrower, and no less honest."""
    rng = np.random.default_rng(3)
    inside, widths = {True: 0, False: 0}, {True: 0.0, False: 0.0}
    for _ in range(200):
        base = rng.poisson(1.6, 400).astype(float)
        ours = rng.binomial(base.astype(int), 0.8).astype(float)
        for paired in (True, False):
            factor, error = compare(ours, base, is_chance=False, paired=paired)
            inside[paired] += abs(factor - math.log(0.8)) < 1.96 * error
            widths[paired] += error
    assert 182 <= inside[True] <= 198
    assert widths[True] < 0.7 * widths[False]


def test_a_planted_ratio_of_odds_is_inside_its_interval_95_times_in_100():
    rng = np.random.default_rng(4)
    inside = 0
    for _ in range(200):
        base, ours = (rng.random(300) < p for p in (0.25, 0.4))
        factor, error = compare(
            ours.astype(float), base.astype(float), is_chance=True, paired=False
        )
        inside += abs(factor - math.log((0.4 / 0.6) / (0.25 / 0.75))) < 1.96 * error
    assert 180 <= inside <= 198


@pytest.mark.parametrize(("mean", "spread"), [(0.0, 0.15), (0.25, 0.0), (-0.3, 0.2)])
def test_differences_of_cells_have_their_mean_and_their_spread_beside_chance(mean, spread):
    """The mean's interval holds it 95 times in 100, and the spread is right on average."""
    rng, inside, spreads = np.random.default_rng(5), 0, []
    for _ in range(200):
        errors = rng.uniform(0.1, 0.3, 60)
        logs = mean + rng.normal(0.0, spread, 60) + rng.normal(0.0, errors)
        found, error, own = pool(logs.tolist(), errors.tolist())
        inside += abs(found - mean) < 1.96 * error
        spreads.append(own)
    assert 182 <= inside <= 198
    assert np.mean(spreads) == pytest.approx(spread, abs=0.04)


def test_knock_outs_differ_between_engines_to_one_side():
    """MuJoCo knocks out more often than the solid engine, by more than its cells differ."""
    (row,) = (r for r in ROWS if (r["source"], r["figure"]) == ("engines", "knock_out"))
    log, error, spread = (float(row[name]) for name in ("log_factor", "error", "spread"))
    assert log - 2 * error > 0
    assert spread < log


def test_figures_count_flips_and_pieces_out():
    found = figures_of(["UUDO", "OOOD"], is_knock_out=False)
    assert {name: values.tolist() for name, values in found.items()} == {
        "flips": [2, 0],
        "outs": [1, 3],
        "any_flip": [1, 0],
        "any_out": [1, 1],
    }


@pytest.fixture
def few(monkeypatch):
    """Measure little."""
    monkeypatch.setattr(
        model_uncertainty, "CELLS", (cell_named("4g-2.6mm-4.3ms-3-mu0.44-p1.4g-d30to60"),)
    )
    monkeypatch.setattr(model_uncertainty, "ASSUMPTION_THROWS", 24)
    monkeypatch.setattr(
        model_uncertainty,
        "ASSUMPTIONS",
        (Assumption(source="hysteresis", value="1.0", cell={"hysteresis": 1.0}),),
    )


@pytest.mark.usefixtures("few")
def test_throws_and_other_rows_are_kept(write, monkeypatch):
    others = [f"{source},,,flips,0.2,0.1,0,1,1,solid 0,2" for source in ("bending", "plane")]
    out = write("out.csv", "\n".join([",".join(ROWS[0]), *others, ""]))
    main(out, ["assumptions"])
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert [row["source"] for row in rows][-2:] == ["bending", "plane"]
    assert {row["source"] for row in rows[:-2]} == {"hysteresis"}
    monkeypatch.setattr(model_uncertainty, "throw_in_engine", None)
    first = out.read_bytes()
    main(out, ["assumptions"])
    assert out.read_bytes() == first


def test_an_engine_like_the_solid_one_is_not_far_from_it(monkeypatch):
    cells = [cell_named(name) for name in ("8g-6mm-5ms-10", "20g-6mm-5ms-10", "12g-8mm-3ms-10")]
    throws = model_uncertainty.shipped_throws("solid")
    monkeypatch.setattr(model_uncertainty, "shipped_throws", lambda _: throws)
    faces = [(cell, [t.faces for t in throws if t.cell == cell.name]) for cell in cells]
    found = {row.figure: row for row in engine_factors("plane", "plane", faces)}
    assert found["flips"].log_factor == 0.0
    worse = [(cell, [own.replace("U", "D", 1) for own in rows]) for cell, rows in faces]
    found = {row.figure: row for row in engine_factors("plane", "plane", worse)}
    assert found["flips"].log_factor < -0.5


def test_the_shipped_rows_are_of_this_physics():
    """After a change of it: python -m tools.model_uncertainty FILE."""
    measured = {row["physics"] for row in ROWS if row["source"] not in MEASURED_ONCE}
    assert measured == {str(PHYSICS_VERSION)}


@pytest.mark.parametrize("throws", [12, slow(200)])
def test_contacts_that_lose_a_fixed_share_still_do_what_the_shipped_file_says(tmp_path, throws):
    log = ThrowFile(tmp_path / "throws.csv")
    cell, latching = cell_named("8g-6mm-5ms-10"), cell_named("8g-6mm-5ms-10-h1")
    ours, base = (
        figures_of(log.faces(own, throws), is_knock_out=False)["flips"] for own in (latching, cell)
    )
    factor, error = compare(ours, base, is_chance=False, paired=True)
    (row,) = (
        r
        for r in ROWS
        if (r["source"], r["value"], r["slammer_g"], r["figure"])
        == ("hysteresis", "1.0", "8.0", "flips")
    )
    apart = math.hypot(error, float(row["error"]))
    assert factor == pytest.approx(float(row["log_factor"]), abs=3 * apart)
