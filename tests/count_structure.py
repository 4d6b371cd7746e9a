"""Size of the code, functions, docstrings, imports inside functions, circles, files of walks.

Run it with ``python -m tests.count_structure``, and with ``--walks`` for the walks, some minutes.

Sizes are in tokens of code: without comments, docstrings, line ends and commas. JavaScript, CSS and
HTML are counted beside the Python in the same way, in files of their own and inside Python strings.
The words of docstrings are counted, too. A walk is one use of the program from its command to its
result; a file counts if one of its functions runs. Kernels run as written, not compiled, so that
their files are seen too.
"""

import ast
import os
import re
import subprocess
import sys
import tempfile
import tokenize
from functools import cache
from pathlib import Path

import pucklab.cli

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("physics", "sim", "render", "calibration")
POSITION = "pb1:small:RPb7.RMe7.BPd7:-:R:-"
WALKS = {
    "a throw, from `odds` to the CSV": [
        "odds", "--slammer-g", "8", "--trials", "3", "--seed", "1", "--workers", "1",
        "--out", "odds.csv",
    ],
    "a position, from `solve` to its solution": ["solve", POSITION],
    "a throw of a battle, from `battle` to its page": [
        "battle", "--players", "pikachu,onix", "--engine", "plane", "--turns", "2", "--seed", "3",
        "--save", "battle.html",
    ],
}  # fmt: skip
WEB_SUFFIXES = (".js", ".css", ".html")
_WEB_COMMENT = re.compile(r"<!--.*?-->|/\*.*?\*/|(?<![:\w'\"])//[^\n]*", re.DOTALL)
_WEB_TOKEN = re.compile(
    r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`  # strings
    |</?|/?>|[\w$\#.%-]*\w[\w$%-]*  # marks of elements; names and numbers with their units
    |=>|[=!]==?|[<>]=|&&|\|\||\?\?|\?\.|\.\.\.|\+\+|--|[-+*/]=|[^\s,\w]""",
    re.VERBOSE,
)
_LOOKS_LIKE_WEB = re.compile(
    r"(?<!\?P)</?[a-z][a-z0-9-]*(?:\s+[a-z-]+=|\s*/?>|\s*$)"  # elements
    r"|\)\s*=>|\b(?:document|window|pucklab)\.\w|\bconst \w+ =|\bfunction\b.*\{"  # scripts
    r"|(?:^|[\s;{\"])[a-z-]+:[^\s;{}:/]+;(?! )|[.#\w-]+\s*\{\s*[a-z-]+:[^{}]*\}",  # styles
    re.DOTALL,
)
_NOT_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENCODING, tokenize.ENDMARKER,
}  # fmt: skip
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_IMPORTS = (ast.Import, ast.ImportFrom)


def source_files(*packages):
    """Return the source files of some packages and of the front door, or those of the tests."""
    found = [path for package in packages for path in (ROOT / package).rglob("*.py")]
    return sorted(found + [ROOT / "pucklab" / "__init__.py"] * (packages == PACKAGES))


@cache
def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def docstrings_of(path):
    """Return the docstrings of a file, also those of constants, by line and column."""
    return {
        (each.lineno, each.col_offset): each.value.value
        for node in ast.walk(tree_of(path))
        if isinstance(node, (ast.Module, ast.ClassDef, *_FUNCTIONS))
        for each in node.body
        if isinstance(each, ast.Expr)
        if isinstance(each.value, ast.Constant) and isinstance(each.value.value, str)
    }


def functions(path):
    """Return the number of functions and methods of a file."""
    return sum(isinstance(node, _FUNCTIONS) for node in ast.walk(tree_of(path)))


def tokens(path):
    """Return the number of tokens of a file's code."""
    docstrings = docstrings_of(path)
    with tokenize.open(path) as text:
        return sum(
            token.type not in _NOT_CODE and token.string != "," and token.start not in docstrings
            for token in tokenize.generate_tokens(text.readline)
        )


def web_tokens(text):
    """Return the number of tokens of JavaScript, CSS or HTML."""
    return len(_WEB_TOKEN.findall(_WEB_COMMENT.sub(" ", text)))


def web_files(*packages):
    """Return the files of JavaScript, CSS and HTML of some packages."""
    found = (path for package in packages for path in (ROOT / package).rglob("*"))
    return sorted(path for path in found if path.suffix in WEB_SUFFIXES)


def web_in(path):
    """Return the number of tokens of JavaScript, CSS and HTML inside the strings of a file."""
    docstrings, inside = docstrings_of(path), set()
    size = 0
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.JoinedStr):
            inside |= {id(each) for each in node.values}
            parts = (str(each.value) if isinstance(each, ast.Constant) else "x"
                     for each in node.values)  # fmt: skip
            text = "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            is_other = id(node) in inside or (node.lineno, node.col_offset) in docstrings
            text = "" if is_other else node.value
        else:
            continue
        size += web_tokens(text) if _LOOKS_LIKE_WEB.search(text) else 0
    return size


def imports_inside(path):
    """Return the number of imports inside functions of a file."""
    functions = (node for node in ast.walk(tree_of(path)) if isinstance(node, _FUNCTIONS))
    return len({x for each in functions for x in ast.walk(each) if isinstance(x, _IMPORTS)})


def circles():
    """Return the groups of modules that import one another, with imports inside functions."""
    modules = {_name(path): path for path in source_files(*PACKAGES)}
    graph = {name: _imported(path, modules) - {name} for name, path in modules.items()}
    reached = {name: _reached(name, graph) for name in graph}
    mutual = {
        frozenset(other for other in found if name in reached[other])
        for name, found in reached.items()
    }
    return sorted((sorted(group) for group in mutual if group), key=len, reverse=True)


def _name(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    top = () if parts[0] == "pucklab" else ("pucklab",)
    return ".".join((*top, *parts)).removesuffix(".__init__")


def _imported(path, modules):
    """Return the modules of ours that a file imports for its work, not for types alone."""
    found = set()
    for node in _walk_code(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in modules else node.module or "" for name in names}
    return found & set(modules)


def _walk_code(node):
    yield node
    if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
        for child in ast.iter_child_nodes(node):
            yield from _walk_code(child)


def _reached(name, graph):
    found, waiting = set(), [name]
    while waiting:
        new = graph[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def walked(arguments):
    """Run a command in a process of its own and return the files whose functions ran."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "SDL_VIDEODRIVER": "dummy"}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, str(Path(__file__).resolve()), *arguments],
            env=environment | {"PYTHONPATH": str(ROOT)},
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise SystemExit(done.stderr)
    return [line for line in done.stderr.splitlines() if line.startswith(PACKAGES)]


def _walk(arguments):
    """Run a command here and write the files whose functions ran to stderr."""
    entered = set()
    importing = 0

    def enter(frame, event, _argument):
        # What runs while modules are imported, such as decorators, is no step of a walk.
        nonlocal importing
        code = frame.f_code
        if code.co_name == "_find_and_load" and "importlib" in code.co_filename:
            importing += {"call": 1, "return": -1}.get(event, 0)
        elif event == "call" and not importing and code.co_flags & _FUNCTION:
            entered.add(code.co_filename)

    sys.argv = ["pucklab", *arguments]
    sys.setprofile(enter)
    try:
        code = pucklab.cli.run()
    finally:
        sys.setprofile(None)
    if code:
        raise SystemExit(code)
    inside = sorted(
        str(path.relative_to(ROOT))
        for path in map(Path, entered)
        if path.is_relative_to(ROOT) and path.parts[len(ROOT.parts)] in PACKAGES
    )
    names = (name for name in inside if not name.endswith("__init__.py"))
    sys.stderr.write("".join(f"{name}\n" for name in names))


_FUNCTION = 0x2  # CO_NEWLOCALS: set for functions, not for modules and class bodies


def main():
    """Print the counts."""
    for rooms in (*((package,) for package in (*PACKAGES, "tools", "tests")), PACKAGES):
        files = source_files(*rooms)
        size, inside = sum(map(tokens, files)), sum(map(imports_inside, files))
        texts = [text for path in files for text in docstrings_of(path).values()]
        words = sum(len(text.split()) for text in texts)
        name = rooms[0] if len(rooms) == 1 else "all but tests"
        own = sum(web_tokens(path.read_text(encoding="utf-8")) for path in web_files(*rooms))
        within = sum(map(web_in, files))
        sys.stdout.write(
            f"{name}: {len(files)} files, {size} tokens, {sum(map(functions, files))} functions, "
            f"{len(texts)} docstrings of {words} words, {inside} imports inside functions; "
            f"JavaScript, CSS and HTML: {own + within} tokens, {within} of them in Python; "
            f"in all {size + own + within} tokens\n"
        )
    found = circles()
    sys.stdout.write(f"circles of imports: {len(found)}\n")
    for group in found:
        sys.stdout.write(f"  {' '.join(group)}\n")
    for name, arguments in WALKS.items() if sys.argv[1:] == ["--walks"] else ():
        sys.stdout.write(f"{name}: {len(walked(arguments))} files\n")


if __name__ == "__main__":
    if len(sys.argv) > 2:
        _walk(sys.argv[1:])
    else:
        main()
