"""What the README and the help tell to type is what there is."""

import shlex
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from sim.cli import cli
from sim.scenes import SceneSpec, slammers_by_mass, spec_from

ROOT = Path(__file__).parents[1]


def make_line(target: str) -> str:
    lines = (ROOT / "Makefile").read_text().splitlines()
    return lines[lines.index(f"{target}:") + 1].strip()


def test_make_demo_is_the_readmes_first_command() -> None:
    assert f"\n{make_line('demo')}\n" in (ROOT / "README.md").read_text()


def test_make_test_is_the_readmes_second_command() -> None:
    assert f"\n{make_line('test')}\n" in (ROOT / "README.md").read_text()


def test_ci_runs_the_readmes_second_command() -> None:
    assert f"\n{make_line('test')}\n" in (ROOT / ".ci" / "run").read_text()


def test_the_readmes_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "README.md").read_text()
    code = text.split("```python\n")[1].split("```")[0]
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out.startswith("(")


def test_every_picture_of_the_readme_is_there() -> None:
    text = (ROOT / "README.md").read_text()
    pictures = [part.split(")")[0] for part in text.split("](")[1:]]
    missing = [p for p in pictures if p.endswith((".png", ".gif")) and not (ROOT / p).is_file()]
    assert missing == []


def commands(group: click.Group, *names: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Give all commands of a group, and of groups in it, with their names."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield (*names, name), command
        if isinstance(command, click.Group):
            yield from commands(command, *names, name)


COMMANDS = dict(commands(cli))


def check_line(line: str) -> None:
    """Check that a line names a command and options that there are."""
    _, *words = shlex.split(line, comments=True)
    words = words[: words.index(">")] if ">" in words else words
    names = (words[0], words[1]) if tuple(words[:2]) in COMMANDS else (words[0],)
    command = COMMANDS[names]
    known = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= known, line


def lines_to_type(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip().startswith("pucklab ")]


def test_every_command_line_of_the_readme_has_options_that_there_are() -> None:
    blocks = (ROOT / "README.md").read_text().split("```sh\n")[1:]
    lines = [line for block in blocks for line in lines_to_type(block.split("```")[0])]
    assert lines
    for line in lines:
        check_line(line)


@pytest.mark.parametrize("names", COMMANDS, ids=" ".join)
def test_every_command_has_examples_with_options_that_there_are(names: tuple[str, ...]) -> None:
    told = COMMANDS[names].help
    assert told is not None
    lines = lines_to_type(told) or [line for line in told.splitlines() if "$(pucklab" in line]
    assert lines
    for line in lines_to_type(told):
        check_line(line)


def test_the_scene_file_of_the_help_is_accepted() -> None:
    told = COMMANDS["odds",].help
    assert told is not None
    text = textwrap.dedent(told[told.index("  schema = 1") :].replace("\b", ""))
    table = tomllib.loads(text)
    assert table.pop("schema") == 1
    spec = spec_from(table, SceneSpec(slammers=slammers_by_mass((4.0,))))
    assert (spec.slammers[0].slammer.mass_g, spec.arena.side_mm) == (12.0, 400.0)
