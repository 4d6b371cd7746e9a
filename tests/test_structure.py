"""No modules import one another in a circle; and counts of functions and docstrings.

``python -m tests.test_structure`` prints the counts; with ``--once`` also the private functions
that are named in one place only.
"""

import ast
import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("pucklab", "physics", "sim", "render", "calibration")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def modules():
    """Return the trees of our modules by their names."""
    found = {}
    for path in sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if path.resolve() == path:  # a link leads to a room
            name = ".".join(parts if parts[0] == "pucklab" else ("pucklab", *parts))
            found[name.removesuffix(".__init__")] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def functions():
    """Return every function with its module."""
    trees = modules().items()
    return [(name, x) for name, tree in trees for x in ast.walk(tree) if isinstance(x, _FUNCTIONS)]


def lines_of(function):
    """Return the number of lines of a function's body, without its docstring."""
    body = function.body[ast.get_docstring(function) is not None :]
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


def docstrings():
    """Return the docstrings of modules, classes and functions."""
    kinds = (ast.Module, ast.ClassDef, *_FUNCTIONS)
    every = (x for tree in modules().values() for x in ast.walk(tree) if isinstance(x, kinds))
    return [text for each in every if (text := ast.get_docstring(each))]


def used_once():
    """Return the private functions that their module names once besides where they stand."""
    uses = {name: Counter(re.findall(r"\b_\w+", ast.unparse(x))) for name, x in modules().items()}
    return [
        (name, function)
        for name, function in functions()
        if re.match(r"_(?!_)", function.name) and uses[name][function.name] == 2
    ]


def circles():
    """Return the groups of modules that import one another, inside functions and for types too."""
    graph = {name: imported(name) - {name} for name in modules()}
    reached = {name: reach(name, graph) for name in graph}
    groups = {frozenset(x for x in all_ if name in reached[x]) for name, all_ in reached.items()}
    return sorted((sorted(group) for group in groups if group), key=len, reverse=True)


def imported(name):
    """Return the modules of ours that a module imports anywhere."""
    found = set()
    for node in ast.walk(modules()[name]):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {each if each in modules() else node.module or "" for each in names}
    return found & set(modules())


def reach(name, graph):
    """Return all modules that a module needs, by way of others too."""
    found, waiting = set(), [name]
    while waiting:
        new = graph[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def test_no_modules_import_one_another_in_a_circle():
    assert len(modules()) > 300
    assert circles() == []


def main():
    """Print the counts."""
    found, texts, once = functions(), docstrings(), used_once()
    lines = sum(lines_of(each) for _, each in found) / len(found)
    words = sum(len(text.split()) for text in texts)
    counts = [
        f"{len(found)} functions of {lines:.1f} lines, {len(once)} private ones named once",
        f"{len(texts)} docstrings of {words} words",
        f"circles of imports: {len(circles())}",
    ]
    more = [f"{name}:{f.lineno} {f.name}, {lines_of(f)} lines" for name, f in once]
    sys.stdout.write("\n".join([*counts, *(more if "--once" in sys.argv else ()), ""]))


if __name__ == "__main__":
    main()
