"""The built wheel, used from an empty folder."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """Build the wheel and unpack it: what an installation puts into place."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [
            *(sys.executable, "-m", "build", "--wheel", "--no-isolation"),
            *("--outdir", str(folder), str(ROOT)),
        ],
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("pucklab-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run_in(site, empty, *arguments):
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=empty,
        env={"PYTHONPATH": str(site), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_wheel_holds_the_packages_and_their_data(unpacked):
    tops = {path.name for path in unpacked.iterdir() if not path.name.endswith(".dist-info")}
    assert tops == {"pucklab"}
    for name in (
        "puckdex.csv",
        "puckmart.csv",
        "throws.csv",
        "example_pucks.toml",
    ):
        assert (unpacked / "pucklab/sim/pokepucks/data" / name).is_file()
    for name in (
        "web/page.css",
        "slams/web/player.js",
        "bumpers/web/board.js",
        "battles/web/battle.js",
        "browser/web/pages.css",
    ):
        assert (unpacked / "pucklab/render" / name).is_file()
    assert (unpacked / "pucklab/py.typed").is_file()


def test_the_wheel_has_the_front_door(unpacked, tmp_path):
    code = "import pucklab; print(pucklab.__file__, pucklab.position('small').line)"
    where, line = run_in(unpacked, tmp_path, "-c", code).stdout.split()
    assert where.startswith(str(unpacked))
    assert line.startswith("pb1:small:")


def test_the_wheel_throws(unpacked, tmp_path):
    code = "import pucklab.physics; print(pucklab.physics.__file__)"
    assert run_in(unpacked, tmp_path, "-c", code).stdout.startswith(str(unpacked))
    done = run_in(
        unpacked, tmp_path, "-m", "pucklab.cli", "odds", "--slammer", "all", "--trials", "5",
        "--preset", "fast", "--out", "odds.csv", "--workers", "1",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "odds.csv").read_text().count("\n") == 22


def test_modules_of_the_users_own_with_the_names_of_our_rooms_are_left_alone(unpacked, tmp_path):
    for room in ("physics", "sim", "render", "calibration"):
        (tmp_path / f"{room}.py").write_text(f"print('{room} of the user')\n")
    script = tmp_path / "mine.py"
    script.write_text(
        "import pickle, physics, pucklab\n"
        "if __name__ == '__main__':\n"
        "    found = pucklab.odds(slammer_g=(4, 8), pucks=3, trials=8, engine='plane', workers=2)\n"
        "    again = pickle.loads(pickle.dumps(found.rows))\n"
        "    print(again[0].name, physics.__name__, pucklab.physics.__name__)\n"
    )
    done = run_in(unpacked, tmp_path, str(script))
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == "4 g physics pucklab.physics"

    done = run_in(unpacked, tmp_path, "-m", "pucklab.cli", "puckdex")
    assert (done.returncode, "of the user" in done.stdout) == (0, False), done.stderr
