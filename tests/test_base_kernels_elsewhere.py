"""The same bits elsewhere: the module for pages in node, and arm64 under an emulator."""

import json
import math
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pucklab.base import kernels
from pucklab.base.elementary import known_answer
from pucklab.base.random_numbers import words_of
from pucklab.physics import Scene, ThrowDistribution, puck_stack, puckdex_slammer
from pucklab.physics.scene import Arena
from pucklab.physics.solid.bodies import THROW_PIECES, scene_block
from pucklab.physics.solid.kernel import (
    FIRST_FACE,
    HIT,
    PEAK_NJ,
    SAMPLES_TAKEN,
    throw_slams,
    thrower_block,
)
from pucklab.physics.solid.settings import FAST
from pucklab.physics.solid.state import new_log, run_bytes

HERE = Path(__file__).parent
WIDE = ThrowDistribution(aim_sd_mm=40.0, spin_sd_rad_s=60.0)
SCENES = {
    "ten pucks": (Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(10)), ThrowDistribution()),
    "two on a table": (
        Scene(slammer=puckdex_slammer(20.0), stack=puck_stack(2), arena=Arena(box=False)),
        WIDE,
    ),
    "nothing": (Scene(slammer=puckdex_slammer(12.0), stack=()), WIDE),
}


def simulate(scene, thrower, seed, trials, samples=0):
    """Return throws, results and the last log of trials, by this system's kernel."""
    count = len(scene.stack) + 1
    throws = np.zeros((trials, THROW_PIECES + 2 * (count - 1)))
    results, log = np.zeros((trials, FIRST_FACE + 3 * count)), new_log(samples, count)
    memory, words = np.empty(run_bytes(count), np.uint8), np.array(words_of(seed))
    block, stop = scene_block(scene, FAST), np.zeros(1, np.int64)
    own = thrower_block(thrower)
    assert throw_slams(block, own, words, 0, throws, results, log, memory, stop) == trials
    return throws, results, log


def in_node(tmp_path, scene, thrower, seed, trials, samples=0):
    """Return what the module computes in node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    text = json.dumps(
        {
            "scene": scene_block(scene, FAST).tolist(),
            "thrower": thrower_block(thrower).tolist(),
            "samples": samples,
        }
    ).replace("Infinity", '"inf"')
    blocks = tmp_path / "blocks.json"
    blocks.write_text(text)
    loader = HERE.parent / "render" / "web" / "kernels.js"
    module = kernels.LIBRARIES / "pucklab-wasm32.wasm"
    line = [node, HERE / "kernels.js", loader, module, blocks, str(seed), str(trials)]
    return json.loads(subprocess.run(line, capture_output=True, text=True, check=True).stdout)


def bits(numbers):
    return np.asarray(numbers, dtype="<f8").tobytes().hex()


def compare(tmp_path, name, seed, trials, samples=0):
    scene, thrower = SCENES[name]
    there = in_node(tmp_path, scene, thrower, seed, trials, samples)
    throws, results, log = simulate(scene, thrower, seed, trials, samples)
    assert there["answer"] == known_answer()
    for trial, (hit, taken, ends, throwing, *_) in enumerate(there["found"]):
        own = results[trial]
        assert (hit, taken) == (bool(own[HIT]), int(own[SAMPLES_TAKEN]))
        assert ends == bits([own[PEAK_NJ], *own[FIRST_FACE:]])
        assert throwing == bits(throws[trial])
    if samples:
        taken = int(results[-1, SAMPLES_TAKEN])
        assert there["found"][-1][4:] == [taken, bits(log.poses[taken - 1, -1])]


@pytest.mark.parametrize("name", SCENES)
def test_the_module_for_pages_has_the_bits_of_this_system(name, tmp_path):
    compare(tmp_path, name, 2, 12, samples=3000)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 2**63 - 1])
def test_a_thousand_throws_in_a_page_have_the_bits_of_this_system(seed, tmp_path):
    compare(tmp_path, "ten pucks", seed, 1000)


def test_a_motion_longer_than_its_room_is_taken_whole(tmp_path):
    scene, thrower = SCENES["ten pucks"]
    short, whole = (in_node(tmp_path, scene, thrower, 2, 1, room) for room in (7, 3000))
    assert short["found"] == whole["found"]


def test_a_kernel_as_written_has_the_bits_of_the_compiled_one(request):
    scene, thrower = SCENES["nothing"]
    throws, results, log = simulate(scene, thrower, 2, 2, 1500)
    request.getfixturevalue("interpreted")
    again, same, written = simulate(scene, thrower, 2, 2, 1500)
    assert np.array_equal(throws, again)
    assert np.array_equal(results, same)
    assert np.array_equal(log.poses, written.poses)


@pytest.mark.slow
def test_arm64_has_the_bits_of_this_system(tmp_path):
    """Under qemu-user, with a program in C that zig compiles and Debian's cross C library."""
    emulator, prefix = shutil.which("qemu-aarch64"), Path("/usr/aarch64-linux-gnu")
    zig = [sys.executable, "-m", "ziglang", "cc", "-target", "aarch64-linux-gnu.2.31"]
    if emulator is None or not prefix.is_dir():
        pytest.skip("qemu-user or libc6-arm64-cross is not installed")
    pytest.importorskip("ziglang")
    program = tmp_path / "run"
    subprocess.run([*zig, "-o", program, HERE / "kernels_run.c", "-ldl"], check=True)
    scene, thrower = SCENES["ten pucks"]
    for name, block in (("scene", scene_block(scene, FAST)), ("thrower", thrower_block(thrower))):
        (tmp_path / name).write_bytes(block.tobytes())
    library = kernels.LIBRARIES / "pucklab-linux-aarch64.so"
    files = [library, tmp_path / "scene", tmp_path / "thrower"]
    line = [emulator, "-L", prefix, program, *files, "10"]
    answer, *rows = subprocess.run(
        line, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert int(answer) == known_answer()
    _, results, _ = simulate(scene, thrower, 2, 10)
    words = [[f"{word:016x}" for word in row] for row in results.view(np.uint64).tolist()]
    assert [row.split() for row in rows] == words
    assert math.isfinite(results.sum())
