"""Settings of the whole suite: it must be repeatable and leave no files behind."""

import os
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import settings

# Windows in tests are not heard, with or without a sound card.
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
# Slams are drawn in software, which takes a tenth of the time of OpenGL without a graphics card.
os.environ["PUCKLAB_RENDERER"] = "software"

settings.register_profile("pucklab", deadline=None, database=None, derandomize=True)
settings.load_profile("pucklab")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a shell's background job
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """Compile all kernels before the workers of a parallel session begin: each would by itself."""
    if getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput"):
        # Imported here: sessions without workers compile what they call.
        from tests.compiled_code import compile_all

        compile_all()


# Files of more than 5 s, about the longest first: no worker begins a long one at the end.
# ``pytest -n auto --junitxml=times.xml`` and ``python -m tests.conftest times.xml`` print them.
LONGEST = (
    "docs",
    "sim_cli_calibrate",
    "calibration_fidelity",
    "sim_bumpers_solver",
    "physics_solid",
    "sim_cli_killed",
    "calibration_throws_fit",
    "sim_cli_trail",
    "sim_cli_odds",
    "pucklab",
    "sim_bumpers_defence",
    "sim_cli_output",
    "sim_cli_stops",
    "sim_pokepucks_decks",
    "sim_cli_dask",
    "sim_cli_puzzle",
    "sim_cli_deck",
    "physics_slam",
    "sim_bumpers_kernel",
    "fuzz_readers",
    "sim_bumpers_game_planner",
    "package_wheel",
    "render_realwindow",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first."""
    place = {f"test_{name}": number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path.stem, len(place)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Hand a file at a time to each worker, so that its fixtures are made once."""
    from xdist.scheduler import LoadFileScheduling

    config.option.loadscopereorder = False
    return LoadFileScheduling(config, log)


def print_longest(times: Path) -> None:
    """Print the files of a JUnit report that take more than 5 s, the longest first."""
    total = Counter[str]()
    for case in ET.parse(times).iter("testcase"):
        total[case.attrib["classname"]] += float(case.attrib["time"])
    for name, seconds in total.most_common():
        if seconds > 5:
            sys.stdout.write(f"{seconds:6.0f} {name}\n")


if __name__ == "__main__":
    print_longest(Path(sys.argv[1]))
