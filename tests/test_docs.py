"""The commands in the README, the pages and the help texts exist, and run."""

import os
import re
import runpy
import shlex
import textwrap
import tomllib
from pathlib import Path

import click
import pytest

import pucklab.cli.calibrate.reference
import pucklab.render.bumpers.film
import pucklab.render.slams.export
import pucklab.render.slamwindow.app
import pucklab.sim.experiments.stopping
from pucklab.calibration.fidelity.cell_statistics import shipped_reference
from pucklab.cli.commands import cli
from pucklab.sim.scene.scenes import SceneSpec, slammers_by_mass, spec_from
from tests.commands import succeed
from tools.rule_drawings import make_rule_drawings

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.py"))
FEW_TRIALS = 5
COUNTS = {"--trials", "--battles", "--test-battles", "--games", "--of", "--assumption-throws"}


def make_line(target):
    lines = (ROOT / "Makefile").read_text().splitlines()
    return lines[lines.index(f"{target}:") + 1].strip()


def test_make_demo_is_the_readmes_first_command():
    assert f"\n{make_line('demo')}\n" in (ROOT / "README.md").read_text()


def test_make_test_is_the_readmes_second_command():
    assert f"\n{make_line('test')}\n" in (ROOT / "README.md").read_text()


def test_ci_runs_the_readmes_second_command():
    assert f"\n{make_line('test')}\n" in (ROOT / ".ci" / "run").read_text()


def test_every_step_of_a_workflow_is_a_command_of_the_project():
    allowed = {
        ".ci/run",
        "python -m pip install -q -e .[test]",
        "python -m pytest -q -n auto",
        "python -m venv .venv && .venv/bin/pip install -q -e .[test]",
    }
    targets = re.findall(r"^(\S+):$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        steps = set(re.findall(r"- run: (.*)", path.read_text()))
        assert steps
        assert steps <= allowed | {f"make {target}" for target in targets}, path.name


def python_in(page):
    """Return the Python of a page, all blocks in order."""
    return "".join(part.split("```")[0] for part in page.read_text().split("```python\n")[1:])


@pytest.mark.parametrize("page", [p for p in PAGES if python_in(p)], ids=lambda page: page.name)
def test_the_python_of_a_page_runs(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exec(compile(python_in(page), page.name, "exec"), {})
    assert capsys.readouterr().out


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda tutorial: tutorial.name)
def test_a_tutorial_runs_from_an_empty_folder(tutorial, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(tutorial), run_name="__main__")
    assert capsys.readouterr().out


def parts_of(page):
    """Return the names by which links call the headings of a page."""
    heads = [line for line in page.read_text().splitlines() if line.startswith("#")]
    return ["-".join(re.findall(r"\w+", line.lower())) for line in heads]


def test_there_are_three_tutorials():
    assert {path.stem for path in TUTORIALS} == {"flip_odds", "calibrating", "puzzles"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_picture_and_page_that_a_page_links_to_is_there(page):
    links = [part.split(")")[0].partition("#") for part in page.read_text().split("](")[1:]]
    assert [link for link, _, _ in links if not (page.parent / link).is_file()] == []
    assert [
        part for link, _, part in links if part and part not in parts_of(page.parent / link)
    ] == []


def test_the_drawings_of_rules_are_those_that_the_script_makes(tmp_path):
    make_rule_drawings(tmp_path)
    made = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert made == {path.name: path.read_text() for path in (ROOT / "docs").glob("rule-*.svg")}


def test_the_readme_has_at_most_900_words():
    assert len((ROOT / "README.md").read_text().split()) <= 900


def test_the_readme_lists_every_command():
    rows = [line for line in (ROOT / "README.md").read_text().splitlines() if line[:3] == "| `"]
    assert [row.split("`")[1] for row in rows] == cli.list_commands(click.Context(cli))


def commands(group, *names):
    """Give all commands of a group, and of groups in it, with their names."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*names, name), command
        if isinstance(command, click.Group):
            yield from commands(command, *names, name)


COMMANDS = dict(commands(cli))


def command_of(words):
    return COMMANDS.get(tuple(words[:2])) or COMMANDS[words[0],]


def check_line(line):
    """Check that a line names a command and options that there are."""
    _, *words = shlex.split(line, comments=True)
    words = words[: words.index(">")] if ">" in words else words
    known = {option for parameter in command_of(words).params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= known, line


def lines_to_type(text):
    return [line.strip() for line in text.splitlines() if line.strip().startswith("pucklab ")]


def lines_of_page(page):
    blocks = page.read_text().split("```sh\n")[1:]
    return [line for block in blocks for line in lines_to_type(block.split("```")[0])]


PAGES_WITH_LINES = [page for page in PAGES if lines_of_page(page)]


@pytest.mark.parametrize("page", PAGES_WITH_LINES, ids=lambda page: page.name)
def test_every_command_line_of_a_page_has_options_that_there_are(page):
    for line in lines_of_page(page):
        check_line(line)


def made_small(words):
    """Return a command's words with few trials, in one process: a page may ask for thousands."""
    least = 20 if words[:2] == ["odds", "best"] else FEW_TRIALS
    if words[0] == "odds" and not {*words} & {"--trials", "--half-width"}:
        words = [*words, "--trials", str(least)]
    accepted = {option: each.type for each in command_of(words).params for option in each.opts}
    if "--assumption-throws" in accepted and "--assumption-throws" not in words:
        words = [*words, "--assumption-throws", "0"]
    if "--workers" in accepted and {*words} & {*COUNTS, "--out", "--batch", "--points"}:
        words = [*words, "--workers", "1"]
    small = words.copy()
    for i, word in enumerate(words[:-1]):
        if word == "--half-width":
            small[i + 1] = str(max(float(words[i + 1]), 0.3))
        elif word in COUNTS:
            few = max(least, accepted[word].read.keywords["low"])
            small[i + 1] = str(min(int(words[i + 1]), few))
        elif word == "--depth":
            small[i + 1] = "2"
    return small


def run_line(line, folder):
    """Run a command line of a page in a folder; windows are drawn once, pages closed at once.

    Returns:
        The words of the command, and what it prints.
    """
    words = shlex.split(line, comments=True)[1:]
    words, name = (words[:-2], words[-1]) if ">" in words else (words, None)
    words = made_small(words)
    done = succeed(*words, cwd=folder)
    if name is not None:
        (folder / name).write_text(small_example(done.stdout))
    return words, done.stdout


def small_example(text):
    """Return an example with one slammer, or drops on two pucks, which is quick to fit."""
    rows = [row.replace(",10,460,", ",2,460,") for row in text.splitlines() if row[:2] != "4,"]
    return "\n".join(row for row in rows if row[:3] != "20,")


def some_cells():
    return shipped_reference()[::30]


@pytest.mark.parametrize("page", PAGES_WITH_LINES, ids=lambda page: page.name)
def test_the_command_lines_of_a_page_run_in_order_in_an_empty_folder(page, tmp_path, monkeypatch):
    draw = pucklab.render.slamwindow.app.picture_of
    monkeypatch.setattr(pucklab.render.slamwindow.app, "show", draw)
    monkeypatch.setattr(pucklab.cli.calibrate.reference, "shipped_reference", some_cells)
    monkeypatch.setattr(pucklab.sim.experiments.stopping, "FIRST_LOOK", 10)
    monkeypatch.setattr("pucklab.cli.browsing._is_fed", lambda: False)
    monkeypatch.setattr("pucklab.render.browser.server.serve", lambda *_, **__: None)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(pucklab.render.slams.export, "_GIF_FPS", 2.0)
    monkeypatch.setattr(pucklab.render.bumpers.film, "FILM_FPS", 4.0)
    runs = [run_line(line, tmp_path) for line in lines_of_page(page)]
    told = [
        f"$ pucklab {shlex.join(words)}\n{out}" for words, out in runs if out and is_told(words)
    ]
    golden = ROOT / "tests" / "data" / "told" / f"{page.stem}.txt"
    if os.environ.get("PUCKLAB_GOLDEN") == "write" and told:
        golden.write_text("\n".join(told))
    assert "\n".join(told) == (golden.read_text() if told else "")


RARE = {"bumpers", "calibrate", "deck", "post", "puckdex", "puzzle", "tournament", "trail"}
"""Commands that people use rarely, and whose words and figures no other test reads as a whole."""


def is_told(words):
    """Return whether the output of a command is compared with one that a person has read."""
    return words[0] in RARE or (
        words[0] == "odds" and words[1] in ("best", "compare", "sensitivity")
    )


@pytest.mark.parametrize("names", COMMANDS, ids=" ".join)
def test_every_command_has_examples_with_options_that_there_are(names):
    text = COMMANDS[names].help
    lines = lines_to_type(text) or [line for line in text.splitlines() if "$(pucklab" in line]
    assert lines
    for line in lines_to_type(text):
        check_line(line)


def test_the_scene_file_of_the_help_is_accepted():
    help_text = COMMANDS["odds",].help
    text = textwrap.dedent(help_text[help_text.index("  schema = 1") :].replace("\b", ""))
    table = tomllib.loads(text)
    assert table.pop("schema") == 1
    spec = spec_from(table, SceneSpec(slammers=slammers_by_mass((4.0,))))
    assert (spec.slammers[0].slammer.mass_g, spec.arena.side_mm) == (12.0, 400.0)
