"""The built wheel, used from an empty folder, and the source distribution with its own tests."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def build(kind, folder):
    """Build a distribution in a folder, and return its file."""
    building = [sys.executable, "-m", "build", f"--{kind}", "--no-isolation", "--outdir"]
    subprocess.run([*building, str(folder), str(ROOT)], check=True, capture_output=True)
    (built,) = folder.glob("pucklab-*")
    return built


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """Build the wheel and unpack it: what an installation puts into place."""
    folder = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(build("wheel", folder)) as archive:
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
        "throws.npz",
        "example_pucks.toml",
    ):
        assert (unpacked / "pucklab/sim/pokepucks/data" / name).is_file()
    for name in (
        "web/page.css",
        "slams/web/scene.js",
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


def test_the_wheel_has_the_pages_to_learn(unpacked, tmp_path):
    code = "from pucklab.render.learn import learn_sources; print(*learn_sources().values())"
    paths = run_in(unpacked, tmp_path, "-c", code).stdout.split()
    assert len(paths) > 30
    assert all(path.startswith(str(unpacked / "pucklab/docs")) for path in paths)
    assert str(unpacked / "pucklab/docs/README.md") in paths


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


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """Build the source distribution and unpack it."""
    folder = tmp_path_factory.mktemp("sdist")
    with tarfile.open(build("sdist", folder)) as archive:
        archive.extractall(folder, filter="data")
    (unpacked,) = folder.glob("pucklab-*/")
    return unpacked


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a checkout")
def test_the_source_distribution_has_every_file_of_the_repository(sources):
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    links = {path for path in tracked if (ROOT / path).is_symlink()}
    missing = [path for path in tracked if path not in links and not (sources / path).is_file()]
    assert not missing


def test_the_source_distributions_own_tests_pass(sources):
    own = ["-m", "pytest", "-q", "tests/test_docs.py", "-k", "make or ci or workflow or link"]
    done = subprocess.run(
        [sys.executable, *own], cwd=sources, env=os.environ | {"PYTHONPATH": str(sources)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout
