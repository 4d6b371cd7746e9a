"""Builds the libraries of kernels: ``python -m tools.build_kernels [--check] [SYSTEM ...]``.

numba turns the kernels of `TABLE` into LLVM's code, once for all systems; LLVM makes it fast for
each of them, and zig links it, without a C library. The libraries and their manifest stand in
``pucklab/base/libraries``; commit them together. With ``--check`` they are built again, and the
bytes compared. The versions of all tools are in the manifest; the same versions make the same
bytes.
"""

import argparse
import hashlib
import json
import platform
import re
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from pucklab.base import kernels
from pucklab.base.elementary import known_answer
from pucklab.base.kernels import FAILED, LIBRARIES, OPTIONS, Kernel, symbol_of
from pucklab.physics import Scene, Throw, ThrowDistribution, puck_stack, puckdex_slammer, slam
from pucklab.physics.scene import Arena
from pucklab.physics.solid.bodies import begin_throw, starting_bodies
from pucklab.physics.solid.engine import SolidRun, throw_trials
from pucklab.physics.solid.kernel import (
    begin_run,
    draw_throws,
    part_bodies,
    run_on,
    throw_slams,
    thrower_block,
)
from pucklab.sim.bumpers import parse_position
from pucklab.sim.bumpers.kernel.heuristic import fill_distances
from pucklab.sim.bumpers.kernel.leaf_count import count_leaves
from pucklab.sim.bumpers.kernel.pattern_database import (
    PAIRS,
    TRIPLES,
    build_database,
    fill_filters,
    mark_ways,
    record_sets,
)
from pucklab.sim.bumpers.kernel.search import search_depth_first
from pucklab.sim.bumpers.kernel.transposition_table import copy_entries, grow_table, new_table
from pucklab.sim.bumpers.perft import count_lines
from pucklab.sim.bumpers.solver import Question, bring_in, solve
from pucklab.sim.bumpers.solver.run import new_run
from pucklab.sim.pokepucks.battle.kernel_rules import play_out
from pucklab.sim.pokepucks.battle.series import play_series
from pucklab.sim.pokepucks.battle.setup_file import house_setup
from pucklab.sim.pokepucks.design_file import shipped_catalogue
from pucklab.sim.pokepucks.throw_sources import shipped_table

TABLE: tuple[tuple[Kernel[..., Any], bool, str], ...] = (
    (known_answer, True, "whether a library computes as it should"),
    (draw_throws, True, "throws of a seed"),
    (throw_slams, True, "slams from throws to faces"),
    (begin_throw, False, "the bodies of a slam as it begins"),
    (begin_run, False, "a slam that goes on step by step: its start"),
    (run_on, False, "the same: its stages"),
    (part_bodies, False, "pieces at rest that overlap moved apart"),
    (search_depth_first, False, "solutions of a Puck Bumpers position"),
    (fill_distances, False, "distances of its layouts"),
    (mark_ways, False, "its pattern databases: moves to known sets"),
    (record_sets, False, "the same: new sets"),
    (fill_filters, False, "the same: which moves lower a distance"),
    (copy_entries, False, "a transposition table that grows"),
    (count_leaves, False, "perft"),
    (play_out, False, "PokéPucks battles to their end"),
)
"""All kernels, whether the module for web pages has them, and what they compute."""

SYSTEMS = {
    "linux-x86_64-v3": ("x86_64-linux-none", "x86-64-v3", "", "avx2 bmi2 fma movbe"),
    "linux-x86_64": ("x86_64-linux-none", "x86-64-v2", "", "sse4_2"),
    "linux-aarch64": ("aarch64-linux-none", "generic", "", ""),
    "wasm32": ("wasm32-freestanding", "generic", "+bulk-memory,+nontrapping-fptoint,+sign-ext", ""),
}
"""Target of zig, processor and features of LLVM, and what the processor must have, by system.

A system may have several: the first that the processor is fit for is used. With AVX2's forms of
instructions and all parts inlined, throws take an eighth less time; sums keep their order, so the
bits are the same."""

TOOLS = ("numba", "llvmlite", "ziglang", "numpy")

_MEMORY = Path(__file__).with_name("memory.c")


def exercise() -> str:
    """Call every kernel, and return a digest of the answers."""
    found = [str(known_answer())]
    scene, thrower = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(3)), ThrowDistribution()
    found += map(repr, throw_trials(scene, thrower, 7, 0, 3))
    throws = np.zeros((3, 17))
    draw_throws(thrower_block(thrower), np.arange(4), 0, throws, np.zeros(256, np.uint8))
    throw = Throw(speed_mm_s=4000.0, aim_x_mm=4.0, tilt_rad=0.3)
    table = Scene(slammer=puckdex_slammer(12.0), stack=puck_stack(2), arena=Arena(box=False))
    found += [throws.tobytes().hex(), repr(slam(table, throw, engine="solid").outcome)]
    run = SolidRun(scene, starting_bodies(scene, throw))
    for stage in (run.finish_blow, run.soften, run.settle):
        stage()
    part_bodies(run.arrays.table, run.arrays.schedule, run.arrays.law)
    found.append(run.arrays.table.tobytes().hex())
    for text, pucks in (("pb1:small:RPb7f5.RMe7.BPd7:-:R:-", 2), ("pb1:small:RPb7.BPe7:-:R:-", 1)):
        position = parse_position(text)
        answer = solve(Question(position, bring_in(pucks)))
        *_, lines = count_lines(position, 2, mats=True)
        found += [str(answer.line), str(answer.nodes), str(lines.leaves)]
    layout = new_run(Question(position))
    for size in (PAIRS, TRIPLES):
        tables = layout.graph.layouts.neighbours[0], layout.encoded.pieces.vacated
        database = build_database(*tables, size)
        assert database is not None
        found += [database.values.tobytes().hex(), database.filters.tobytes().hex()]
    entries = new_table()
    found.append(str(len(grow_table(entries, len(entries), 100.0))))
    battles = house_setup([shipped_catalogue().find(name) for name in ("onix", "pikachu")])
    series = play_series(battles, ["greedy", "skilled"], shipped_table(), range(200))
    found += [
        str(series.winner.tolist()),
        str(series.turns.sum()),
        str(sorted(series.uses.items())),
    ]
    return hashlib.sha256("\n".join(found).encode()).hexdigest()[:16]


def compile_table() -> tuple[dict[str, str], dict[str, Any], str]:
    """Compile all kernels; return LLVM's code and arguments of each, and the digest of answers.

    numba would optimise each function first, for addresses of 64 bits: a module for pages computes
    wrong places then. So nothing is optimised here; the answers come slowly.
    """
    numba = kernels.prepare_numba()
    codegen: Any = __import__("numba.core.codegen", fromlist=["JITCodeLibrary"])
    raw: dict[str, str] = {}
    names = {own.interpreted.__qualname__ for own, _, _ in TABLE}

    def keep(library: Any) -> None:
        if library.name in names:
            raw[library.name] = str(library._final_module)  # noqa: SLF001

    codegen.JITCodeLibrary._optimize_final_module = keep  # noqa: SLF001
    codegen.CPUCodeLibrary._optimize_functions = lambda *_: None  # noqa: SLF001
    for own, _, _ in TABLE:
        own.compiled = numba.njit(nogil=True, no_cfunc_wrapper=True, **OPTIONS)(own.interpreted)
    answers = exercise()
    code, entries = {}, {}
    for own, _, _ in TABLE:
        ((types, form),) = own.compiled.overloads.items()  # type: ignore[union-attr]
        name = form.fndesc.mangled_name
        text = raw[own.interpreted.__qualname__]
        leaves = [leaf for each in types for leaf in leaves_of(each)]
        symbol = symbol_of(own.name)
        # Without the wrapper for Python.
        text = re.sub(r"\ndefine [^\n]*@\"?_ZN7cpython.*?\n}\n", "\n", text, flags=re.DOTALL)
        text = text.replace("= common ", "= internal ")  # WebAssembly has no `common`
        code[own.name] = text + entry(symbol, name, leaves, form.signature.return_type)
        digest = kernels.source_digest(own.interpreted)
        entries[own.name] = {"sources": digest, "arguments": " ".join(leaves)}
    return code, entries, answers


def leaves_of(kind: Any) -> list[str]:
    """Return the numbers and arrays that an argument of a kernel is made of.

    Raises:
        TypeError: It has something else, or an array that is not C-contiguous.
    """
    types: Any = __import__("numba").types
    if isinstance(kind, types.Array):
        if kind.layout != "C" or not kind.mutable:
            raise TypeError(f"{kind}: not accepted")
        dtype: Any = __import__("numba.np.numpy_support", fromlist=["as_dtype"]).as_dtype(
            kind.dtype
        )
        return [f"{dtype.str[1:]}:{kind.ndim}"]
    if isinstance(kind, types.BaseTuple):
        return [leaf for each in kind for leaf in leaves_of(each)]
    names = {types.float64: "f8", types.int64: "i8", types.boolean: "b1", types.uint64: "u8"}
    return [names[types.unliteral(kind)]]


def entry(symbol: str, name: str, leaves: list[str], returns: Any) -> str:
    """Return a function in LLVM's code that calls a kernel with the numbers of a block.

    An array has an address and the lengths of its axes in the block; numba takes an array as two
    addresses of owners, the number of items and their size, the address, lengths and strides.
    """
    types: Any = __import__("numba").types
    made, lines, values, at = returns, list[str](), list[str](), 0
    count = 0

    def new(text: str) -> str:
        nonlocal count
        count += 1
        lines.append(f"  %v{count} = {text}")
        return f"%v{count}"

    def word() -> str:
        nonlocal at
        place = new(f"getelementptr i64, ptr %block, i64 {at}")
        at += 1
        return new(f"load i64, ptr {place}")

    for leaf in leaves:
        dtype, _, dims = leaf.partition(":")
        if not dims:
            own = word()
            match dtype:
                case "f8":
                    values.append(f"double {new(f'bitcast i64 {own} to double')}")
                case "b1":
                    values.append(f"i8 {new(f'trunc i64 {own} to i8')}")
                case _:
                    values.append(f"i64 {own}")
            continue
        address = new(f"inttoptr i64 {word()} to ptr")
        shape = [word() for _ in range(int(dims))]
        size = np.dtype(dtype).itemsize
        strides = [str(size)]
        for length in shape[:0:-1]:
            strides.insert(0, new(f"mul i64 {strides[0]}, {length}"))
        items = new(f"mul i64 {shape[0]}, 1")
        for length in shape[1:]:
            items = new(f"mul i64 {items}, {length}")
        values += ["ptr null", "ptr null", f"i64 {items}", f"i64 {size}", f"ptr {address}"]
        values += [f"i64 {length}" for length in (*shape, *strides)]
    kind = "i8" if made == types.boolean else "i64" if made == types.int64 else "ptr"
    end = "zext i8 %got to i64" if kind == "i8" else "add i64 %got, 0"
    read = [f"  %got = load {kind}, ptr %out", f"  %value = {end}"]
    if kind == "ptr":
        read = ["  %value = add i64 0, 0"]
    body = "\n".join(lines)
    return f"""
define i64 @{symbol}(ptr %block) {{
  %out = alloca i64
  %error = alloca ptr
  store i64 0, ptr %out
{body}
  %status = call i32 @"{name}"({", ".join(["ptr %out", "ptr %error", *values])})
  %failed = icmp ne i32 %status, 0
{chr(10).join(read)}
  %result = select i1 %failed, i64 {FAILED}, i64 %value
  ret i64 %result
}}
"""


def link(system: str, code: dict[str, str], path: Path) -> None:
    """Make the library of a system."""
    llvm: Any = __import__("llvmlite.binding", fromlist=["parse_assembly"])
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target, processor, features, _ = SYSTEMS[system]
    is_page, is_fast = system == "wasm32", system.endswith("-v3")
    triple = "wasm32-unknown-unknown" if is_page else f"{target.split('-')[0]}-unknown-linux-gnu"
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=processor,
        features=features,
        opt=3,
        reloc="static" if is_page else "pic",
        codemodel="default",
    )
    symbols, whole = [], None
    for own, in_page, _ in TABLE:
        if is_page and not in_page:
            continue
        text = re.sub(
            r"target datalayout = .*",
            f'target datalayout = "{machine.target_data}"',
            code[own.name],
        )
        text = re.sub(r"target triple = .*", f'target triple = "{triple}"', text)
        if not is_fast:
            text = text.replace("alwaysinline", "nounwind")  # LLVM decides what is inlined
        module = llvm.parse_assembly(text)
        module.verify()
        symbols.append(symbol_of(own.name))
        if whole is None:
            whole = module
        else:
            whole.link_in(module)
    assert whole is not None
    for value in (*whole.functions, *whole.global_variables):
        is_local = value.linkage.name in {"private", "internal"}
        if not value.is_declaration and value.name not in symbols and not is_local:
            value.linkage = "internal"
    for _ in range(2):
        tuning = llvm.create_pipeline_tuning_options(speed_level=3)
        tuning.loop_vectorization = tuning.slp_vectorization = is_fast
        builder = llvm.create_pass_builder(machine, tuning)
        builder.getModulePassManager().run(whole, builder)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "kernels.o"
        made.write_bytes(machine.emit_object(whole))
        export = [f"-Wl,--export={name}" for name in symbols]
        options = ["-nostdlib", "-shared", "-fPIC", "-Wl,--no-undefined", "-Wl,--build-id=none"]
        if is_page:
            options = ["-Wl,--no-entry", "-Wl,--export=__heap_base", *export]
            options += ["-Wl,-z,stack-size=1048576"]
        subprocess.run(
            [
                sys.executable, "-m", "ziglang", "cc", "-target", target, "-O2", "-s",
                "-fno-builtin", *options, "-o", str(path), str(made), str(_MEMORY),
            ],
            check=True,
        )  # fmt: skip


def build(folder: Path, systems: list[str]) -> dict[str, Any]:
    """Build the libraries of some systems into a folder; return the manifest."""
    code, entries, answers = compile_table()
    libraries = {}
    for system in systems:
        name = f"pucklab-{system}." + ("wasm" if system == "wasm32" else "so")
        link(system, code, folder / name)
        data = (folder / name).read_bytes()
        libraries[system] = {
            "file": name,
            "sha256": hashlib.sha256(data).hexdigest(),
            "needs": SYSTEMS[system][3],
        }
        sys.stdout.write(f"{name}: {len(data):,} bytes\n")
    tools = {name: version(name) for name in TOOLS}
    return {
        "tools": {"python": platform.python_version(), **tools},
        "known_answer": known_answer.interpreted(),
        "answers": answers,
        "libraries": libraries,
        "kernels": entries,
    }


def main() -> int:
    """Build the libraries, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="build again and compare the bytes")
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help=", ".join(SYSTEMS))
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        manifest = build(Path(folder), asked.systems or list(SYSTEMS))
        text = json.dumps(manifest, indent=1) + "\n"
        if not asked.check:
            LIBRARIES.mkdir(exist_ok=True)
            for entry_ in manifest["libraries"].values():
                (LIBRARIES / entry_["file"]).write_bytes(Path(folder, entry_["file"]).read_bytes())
            (LIBRARIES / "manifest.json").write_text(text, encoding="utf-8")
            return 0
    same = text == (LIBRARIES / "manifest.json").read_text(encoding="utf-8")
    said = "are those of these sources" if same else "differ from those of these sources"
    sys.stdout.write(f"the libraries {said}\n")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
