"""Kernels: a library is used if it is whole and of these sources; else numba, else one line."""

import json
import shutil
import subprocess
import sys

import numpy as np
import pytest

from pucklab.base import kernels
from pucklab.base.elementary import known_answer
from pucklab.base.errors import MissingExtraError
from pucklab.physics.solid.kernel import draw_throws, throw_slams
from pucklab.sim.bumpers.kernel.search import search_depth_first
from pucklab.sim.pokepucks.battle.kernel_rules import play_out

KERNELS = (known_answer, draw_throws, throw_slams, search_depth_first, play_out)
MANIFEST = kernels.LIBRARIES / "manifest.json"

pytestmark = pytest.mark.skipif(
    kernels.system() not in json.loads(MANIFEST.read_text())["libraries"],
    reason="no library is built for this system",
)


@pytest.fixture
def libraries(tmp_path, monkeypatch):
    """A copy of the libraries, without numba beside it."""
    folder = tmp_path / "libraries"
    shutil.copytree(kernels.LIBRARIES, folder)
    monkeypatch.setattr(kernels, "LIBRARIES", folder)
    monkeypatch.setitem(sys.modules, "numba", None)
    kernels.open_library.cache_clear()
    yield folder
    kernels.open_library.cache_clear()


def change(folder, **entries):
    """Change an entry of the manifest."""
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest.update(entries)
    (folder / "manifest.json").write_text(json.dumps(manifest))


def libraries_of(folder):
    return sorted(folder.glob(f"*{kernels.system()}*.so"))


def refused():
    """Return what a new kernel says of itself."""
    with pytest.raises(MissingExtraError) as error:
        kernels.Kernel(known_answer.interpreted)()
    assert str(error.value).endswith(
        "and numba is not installed to compile it; pip install 'pucklab[jit]'"
    )
    return str(error.value)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_the_libraries_are_built_from_these_sources(kernel):
    manifest = json.loads(MANIFEST.read_text())
    entry = manifest["kernels"][kernel.name]
    assert entry["sources"] == kernels.source_digest(kernel.interpreted), (
        "the sources of kernels have changed: run python -m tools.build_kernels"
    )


@pytest.mark.usefixtures("libraries")
def test_a_whole_library_needs_no_numba():
    own = kernels.Kernel(known_answer.interpreted)
    assert own() == known_answer.interpreted()


@pytest.mark.parametrize("at", [100, 5000, -1])
def test_a_damaged_library_is_one_line(at, libraries):
    for path in libraries_of(libraries):
        data = bytearray(path.read_bytes())
        data[at] ^= 1
        path.write_bytes(data)
    assert "is damaged or of another version, and" in refused()


def test_a_library_of_another_processor_is_one_line(libraries):
    """Here with a manifest that takes it for this one's."""
    manifest = json.loads((libraries / "manifest.json").read_text())
    own, other = kernels.system(), "linux-aarch64"
    manifest["libraries"] = {own: manifest["libraries"][other] | {"needs": ""}}
    change(libraries, libraries=manifest["libraries"])
    assert "cannot be loaded (OSError)" in refused()


@pytest.mark.skipif(kernels.system() != "linux-x86_64", reason="one library for this system")
@pytest.mark.parametrize("why", ["needs", "damaged", "cut short"])
def test_a_processor_that_is_not_fit_for_the_fast_library_takes_the_other(why, libraries):
    entries = json.loads((libraries / "manifest.json").read_text())["libraries"]
    fast, path = entries["linux-x86_64-v3"], libraries / "pucklab-linux-x86_64-v3.so"
    if why == "needs":
        fast["needs"] += " avx999"
    else:
        data = path.read_bytes()
        path.write_bytes(data[: len(data) // 2] if why == "cut short" else b"\0" + data[1:])
    change(libraries, libraries=entries)
    opened = kernels.open_library()
    assert opened.path.name == "pucklab-linux-x86_64.so"
    assert kernels.Kernel(known_answer.interpreted)() == known_answer.interpreted()


def test_a_processor_that_lacks_what_a_library_needs_is_told(libraries):
    manifest = json.loads((libraries / "manifest.json").read_text())
    for entry in manifest["libraries"].values():
        entry["needs"] = "avx999"
    change(libraries, libraries=manifest["libraries"])
    assert "needs a processor with avx999" in refused()


def test_a_processor_that_computes_otherwise_is_told(libraries):
    change(libraries, known_answer=1)
    assert "computes a wrong answer on this processor" in refused()


def test_a_library_of_other_sources_is_never_used(libraries):
    manifest = json.loads((libraries / "manifest.json").read_text())
    manifest["kernels"][known_answer.name]["sources"] = "0" * 16
    change(libraries, kernels=manifest["kernels"])
    assert "was not built from these sources of base.elementary.known_answer" in refused()


@pytest.mark.parametrize("text", ["", "{", "[]", "{}"])
def test_a_damaged_manifest_is_one_line(text, libraries):
    (libraries / "manifest.json").write_text(text)
    assert refused().startswith("no library of kernels has been built")


def test_a_system_without_a_library_is_told(libraries, monkeypatch):  # noqa: ARG001
    monkeypatch.setattr(kernels, "system", lambda: "haiku-x86_64")
    assert refused().startswith("no library of kernels is built for haiku-x86_64")


def test_the_command_says_it_in_one_line(tmp_path):
    code = (
        "import sys; sys.modules['numba'] = None; from pathlib import Path; "
        "from pucklab.base import kernels; kernels.LIBRARIES = Path(sys.argv.pop()); "
        "from pucklab.cli import run; sys.exit(run())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "slam", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == (
        "error: no library of kernels has been built, and numba is not installed to compile it; "
        "pip install 'pucklab[jit]'\n"
    )


def test_constants_and_files_of_a_kernel_count_as_its_sources(monkeypatch):
    before = kernels.source_digest(draw_throws.interpreted)
    monkeypatch.setattr("pucklab.physics.solid.kernel.MAX_TILT_DEG", 61.0)
    changed = kernels.source_digest(draw_throws.interpreted)
    assert changed != before
    tables = np.load(kernels.__file__.replace("kernels.py", "ziggurat.npy"))
    monkeypatch.setattr("pucklab.base.random_numbers._WIDTH", 2 * tables[0])
    assert kernels.source_digest(draw_throws.interpreted) not in {before, changed}
    assert kernels.source_digest(known_answer.interpreted) not in {before, changed}


THROWS = np.zeros((2, 13))


@pytest.mark.parametrize(
    "wrong",
    [THROWS.astype(np.float32), THROWS[0], THROWS.T, THROWS[:, ::2], [[0.0] * 13] * 2],
    ids=["type", "axes", "order", "strides", "list"],
)
@pytest.mark.usefixtures("libraries")
def test_an_array_of_another_kind_reaches_no_library(wrong):
    own = kernels.Kernel(draw_throws.interpreted)
    words, memory = np.zeros(4, np.int64), np.zeros(256, np.uint8)
    assert own(np.ones(9), words, 0, THROWS.copy(), memory) == len(THROWS)
    with pytest.raises((TypeError, AttributeError, ValueError)):
        own(np.ones(9), words, 0, wrong, memory)


@pytest.mark.usefixtures("libraries")
def test_arguments_may_be_numbers_of_numpy_and_too_large_ones_are_refused():
    own = kernels.Kernel(draw_throws.interpreted)
    given = np.ones(9), np.zeros(4, np.int64), np.int64(1), THROWS.copy(), np.zeros(256, np.uint8)
    assert own(*given) == len(THROWS)
    with pytest.raises(Exception, match=r"int|argument"):
        own(*given[:2], 1 << 70, *given[3:])
