"""Settings of the whole suite: it must be repeatable and leave no files behind."""

import asyncio
import gc
import inspect
import os
import shutil
import signal
import sys

import numpy as np
import pytest
from hypothesis import settings

from pucklab.base.kernels import Kernel

# Windows in tests are not heard, with or without a sound card.
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
# Slams are drawn in software, which takes a tenth of the time of OpenGL without a graphics card.
os.environ["PUCKLAB_RENDERER"] = "software"

settings.register_profile("pucklab", deadline=None, database=None, derandomize=True)
settings.load_profile("pucklab")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a shell's background job
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Collecting makes a million objects that stay: they are not searched for garbage, then or later.
gc.disable()


def pytest_collection_finish():
    """Look for garbage among what the tests make."""
    gc.freeze()
    gc.enable()


def pytest_xdist_auto_num_workers():
    """Return a worker more than there are cores: tests in browsers wait more than they compute."""
    return (os.cpu_count() or 1) + 1


def pytest_configure(config):
    """Let the workers of a parallel session keep the modules that they compile."""
    if hasattr(config, "workerinput"):
        return
    if sys.dont_write_bytecode:
        # Each of the many processes of a session would compile all modules that it imports.
        sys.dont_write_bytecode = False
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        config.add_cleanup(lambda: remove_bytecode(config.rootpath))


def remove_bytecode(root):
    """Remove the compiled modules of the sources."""
    for top in (path for path in root.iterdir() if path.name[0] != "."):
        for folder in top.rglob("__pycache__"):
            shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def _own_data(tmp_path_factory):
    """Keep what pucklab remembers of battles and puzzles out of the user's own files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Work in the test's own folder, and return it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a file in the test's own folder, and returns its path."""

    def write_file(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write_file


@pytest.fixture
def interpreted(monkeypatch):
    """Run kernels as they are written; whole numbers of 64 bits may overflow as compiled."""
    monkeypatch.setattr(Kernel, "__call__", lambda own, *values: own.interpreted(*values))
    with np.errstate(over="ignore"):
        yield


@pytest.fixture(scope="session")
def chromium():
    """Give a browser for all tests of a worker: it takes longer to start than most of them."""
    # Imported here: few tests need one.
    from tests.browsers import missing_browser, started_browser

    if missing_browser():
        pytest.skip(missing_browser())
    with started_browser() as browser:
        yield browser


@pytest.fixture
def page(chromium):
    """Give the browser for a page that is left when the test ends."""
    yield chromium
    chromium.leave()


@pytest.fixture
def shown(monkeypatch):
    """Return what would be shown in windows."""
    found = []
    monkeypatch.setattr("pucklab.render.slamwindow.app.show", found.append)
    return found


@pytest.fixture
def served(monkeypatch):
    """Return the paths of pages that would be served."""
    found = []
    monkeypatch.setattr(
        "pucklab.render.browser.server.serve", lambda path, _tell, **_options: found.append(path)
    )
    return found


# Files of more than 5 s, about the longest first: no worker begins a long one at the end.
LONGEST = (
    "docs",
    "render_browser_server",
    "render_browser_faults",
    "render_browser_strangers",
    "render_bumpers_pages",
    "sim_pokepucks_review",
    "render_player",
    "render_space",
    "render_battlepage",
    "sim_bumpers_solver",
    "sim_cli_odds",
    "calibration_fidelity",
    "calibration_rebound",
    "sim_pokepucks_decks",
    "render_realwindow",
    "sim_cli_calibrate",
    "sim_cli_dask",
    "sim_bumpers_game_whole",
    "sim_cli_puzzle",
    "sim_bumpers_pattern_database",
    "sim_cli_killed",
    "sim_bumpers_solver_parallel",
    "sim_cli_output",
    "sim_trail_odds",
    "sim_cli_stops",
    "physics_solid",
    "pucklab",
    "sim_cli_solve",
    "fuzz_readers",
    "tools_model_uncertainty",
    "render_plots",
    "sim_cli_experiments",
    "render_films",
    "sim_bumpers_puzzles",
    "sim_bumpers_puzzle_solving",
    "sim_bumpers_puzzle_themes",
    "sim_cli_watch",
    "sim_experiments",
    "physics_slam",
    "calibration_engines",
    "sim_pokepucks_throws",
    "package_wheel",
    "sim_bumpers_perft",
    "sim_core_players",
)


def pytest_collection_modifyitems(items):
    """Put the longest files first."""
    place = {f"test_{name}": number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path.stem, len(place)))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Run a test that is a coroutine."""
    if inspect.iscoroutinefunction(pyfuncitem.obj):
        names = inspect.signature(pyfuncitem.obj).parameters
        asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
        return True
    return None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Hand a file at a time to each worker, so that its fixtures are made once."""
    from xdist.scheduler import LoadFileScheduling

    config.option.loadscopereorder = False
    return LoadFileScheduling(config, log)
