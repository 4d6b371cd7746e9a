"""The README's commands are the ones that `make` and CI run."""

from pathlib import Path

import pytest

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
