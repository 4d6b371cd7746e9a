"""The loader of compiled code, `pucklab.physics.compiling` with `pucklab.physics.linking`.

It keeps what was compiled, believes no file that others could write, and reports its progress.
"""

import math
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from pucklab.physics import compiling, linking
from pucklab.physics.compiling import (
    batch_size,
    compile_in_background,
    compiled,
    defer_interrupts,
    inlined,
    is_compiled,
    jitted,
    report_compiling,
    user_folder,
)
from tests.commands import not_windows
from tests.compiled_code import ROOMS
from tests.smallkernel import answer, kernel, prepare, work

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path / "compiled"


@pytest.fixture
def counted():
    found = []
    with report_compiling(lambda done, total: found.append((done, total))):
        yield found


def test_a_kernel_is_compiled_once_and_loaded_after_that(folder, counted):
    assert not is_compiled(kernel)
    assert answer() == 10.0
    assert counted
    counted.clear()
    (kept,) = folder.iterdir()
    os.utime(kept, (0, 0))
    assert is_compiled(kernel)
    assert answer() == 10.0
    assert not counted
    assert kept.stat().st_mtime > 0, "when it was last used"


@inlined
def used(value):
    return value + 1.0


@inlined
def unused(value):
    return value


def choice(value, choose):
    return used(value) if choose is None else unused(value)


def test_compiling_counts_functions_up_to_all_of_them(counted):
    assert compiled(choice)(1.0, None) == 2.0
    assert counted == [(0, 4), (1, 4), (4, 4)], "two parts; half as many and one for the whole"


@pytest.mark.parametrize("damage", ["bit", "empty", "text", "pickle"])
def test_a_damaged_file_is_compiled_anew(damage, folder):
    assert answer() == 10.0
    (kept,) = folder.iterdir()
    data = kept.read_bytes()
    flipped = data[:200] + bytes([data[200] ^ 1]) + data[201:]
    sound = compiling.hashlib.sha256(b"no pickle").digest() + b"no pickle"
    kept.write_bytes({"bit": flipped, "empty": b"", "text": b"none", "pickle": sound}[damage])
    assert answer() == 10.0
    assert kept.read_bytes()[32:] != data[:0]
    assert len(kept.read_bytes()) > 1000


def test_nothing_need_be_written(folder, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    assert answer() == 10.0
    assert not is_compiled(kernel)
    assert not list(folder.glob("*.code"))


def test_without_any_folder_a_kernel_is_compiled_all_the_same(monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setattr(compiling.os, "access", lambda *_: False)
    assert answer() == 10.0
    with pytest.raises(RuntimeError, match="writable for the user alone"):
        user_folder()


@not_windows
def test_a_folder_that_others_can_write_to_holds_no_code(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(compiling, "__file__", str(tmp_path / "physics" / "compiling.py"))
    own = user_folder()
    assert own.parent in {tmp_path, *tmp_path.parents, Path.home() / "Library" / "Caches"}
    assert own.stat().st_mode & 0o077 == 0
    own.chmod(0o777)
    beside = user_folder()
    assert beside == tmp_path / "physics" / "__pycache__"
    beside.chmod(0o777)
    with pytest.raises(RuntimeError, match="writable for the user alone"):
        user_folder()


def test_all_that_goes_into_a_kernel_goes_into_its_files_name(tmp_path, monkeypatch):
    package = tmp_path / "laws"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "far.py").write_text("PULL = 3.0\n")
    (package / "near.py").write_text("from laws.far import (\n    PULL,\n)\n")
    (package / "other.py").write_text("SIDE = 1\n")
    (package / "engine.py").write_text(
        "from laws import near\nfrom laws.near import PULL\n\ndef pull(x):\n    return PULL * x\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    import laws.engine
    import laws.other  # noqa: F401

    def digest():
        compiling._digest.cache_clear()
        return compiling._digest("laws.engine")

    before = digest()
    (package / "other.py").write_text("SIDE = 2\n")
    assert digest() == before, "nothing of it is compiled in"
    (package / "far.py").write_text("PULL = 4.0\n")
    changed = digest()
    assert changed != before
    (package / "near.py").write_text("from laws.far import PULL  # again\n")
    assert digest() not in {before, changed}
    monkeypatch.setattr(sys, "version", "3.99")
    assert digest() != before


def test_gravity_goes_into_the_solid_engine_and_the_plane_does_not():
    import pucklab.physics.solid.stepping  # noqa: F401

    sources = compiling._sources("pucklab.physics.solid.stepping")
    assert "pucklab.physics.materials" in sources
    assert not any(name.startswith("pucklab.physics.plane") for name in sources)


def test_files_that_nobody_uses_are_removed(folder, monkeypatch):
    folder.mkdir()
    now_s = time.time()
    for name, days in (("old", 100), ("third", 3), ("second", 2)):
        (folder / name).write_bytes(bytes(1000))
        os.utime(folder / name, (now_s - days * 86400,) * 2)
    assert answer() == 10.0
    assert {path.name for path in folder.iterdir()} >= {"second", "third"}
    assert not (folder / "old").exists()
    monkeypatch.setattr(compiling, "_KEPT_MB", 0.0015)
    compiling._prune(folder)
    assert not (folder / "third").exists()


def test_a_function_runs_as_it_is_written_until_that_took_as_long_as_loading_numba(
    folder, monkeypatch
):
    monkeypatch.setattr(compiling._Clock, "seconds", 0.0)
    monkeypatch.setattr(compiling, "INTERPRETED_S", math.inf)
    patient = jitted(work)
    assert (patient(np.ones(1)), batch_size(1, 2)) == (4.0, 1)
    assert not folder.exists()
    monkeypatch.setattr(compiling, "INTERPRETED_S", 0.0)
    assert (patient(np.ones(1)), batch_size(1, 2)) == (4.0, 2)
    assert list(folder.iterdir())


@inlined
def plain(value):
    return value + 1.0


def plainly(value):
    return plain(value)


def test_parts_are_compiled_by_numba_alone_where_its_internals_differ(monkeypatch):
    def changed(_):
        raise AttributeError("_linking_libraries")

    monkeypatch.setattr(linking.PartCompiler, "links", True)
    monkeypatch.setattr(linking._PartLibrary, "finalize", changed)
    linking.try_linking.cache_clear()
    assert compiled(plainly)(1.0) == 2.0
    assert not linking.PartCompiler.links
    linking.try_linking.cache_clear()


def test_this_numba_links_parts():
    linking.try_linking.cache_clear()
    linking.try_linking()
    assert linking.PartCompiler.links


def test_another_process_compiles_while_this_one_goes_on(counted, monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    compile_in_background(prepare, kernel)
    assert compiling._Background.processes
    assert answer() == 10.0
    assert not compiling._Background.processes
    assert counted[-1][0] == counted[-1][1] > 0
    assert is_compiled(kernel)
    compile_in_background(prepare, kernel)
    assert not compiling._Background.processes, "it is kept already"


def test_a_background_process_runs_no_files_of_the_current_folder(tmp_path):
    strange = tmp_path / "strange"
    strange.mkdir()
    for name in ("physics.py", "numpy.py", "pucklab.py"):
        (strange / name).write_text("open('was_run', 'w')")
    code = (
        "from pucklab.physics.compiling import compile_in_background, wait_for_background\n"
        "from tests.smallkernel import kernel, prepare\n"
        "compile_in_background(prepare, kernel)\n"
        "wait_for_background()"
    )
    own = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-P", "-c", code], cwd=strange, env=own, check=True)
    assert not (strange / "was_run").exists()
    assert is_compiled(kernel)


def test_a_background_process_that_fails_is_not_needed():
    def fail(): ...

    fail.__qualname__ = "nowhere"
    compile_in_background(fail, kernel)
    assert answer() == 10.0


@not_windows
def test_two_processes_with_one_empty_cache_are_safe(folder):
    code = "from tests.smallkernel import answer; print(answer())"
    both = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=ROOT)
        for _ in range(2)
    ]
    assert [process.communicate()[0] for process in both] == ["10.0\n"] * 2
    assert [path.suffix for path in folder.iterdir()] == [".code"]


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_is_answered_when_the_block_is_over(name):
    number, went_on = getattr(signal, name), False

    def stop(_number, _frame):
        raise KeyboardInterrupt(name)

    def work_on():
        nonlocal went_on
        with defer_interrupts():
            signal.raise_signal(number)
            went_on = True

    before = signal.signal(number, stop)
    try:
        with pytest.raises(KeyboardInterrupt, match=name):
            work_on()
        assert went_on
        assert signal.getsignal(number) is stop
    finally:
        signal.signal(number, before)


@inlined
def early(value):
    return value + 1.0


@inlined
def late(value):
    return value + 1.0


def early_and_late(value):
    return late(early(value))


def test_ctrl_c_while_a_part_is_compiled_stops_after_that_part():
    dones = []

    def report(done, _total):
        dones.append(done)
        if done == 1:
            signal.raise_signal(signal.SIGINT)

    with report_compiling(report), pytest.raises(KeyboardInterrupt):
        compiled(early_and_late)(1.0)
    assert 2 not in dones
    assert compiled(early_and_late)(1.0) == 3.0


def test_ctrl_c_is_not_lost_where_numba_is_loaded(monkeypatch):
    def load(function):
        with suppress(BaseException):  # as some modules do that numba imports
            signal.raise_signal(signal.SIGINT)
        return function

    monkeypatch.setattr(compiling, "_dispatcher", load)
    with pytest.raises(KeyboardInterrupt):
        compiled(lambda: 1)()


@pytest.mark.parametrize("room", ROOMS, ids=["solid", "solver", "battles"])
def test_a_room_is_compiled_by_one_call(room, monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR")  # all of it once a user, not once a test
    monkeypatch.setattr(compiling._Clock, "seconds", 0.0)
    prepare, last = room
    prepare()
    assert is_compiled(last)
