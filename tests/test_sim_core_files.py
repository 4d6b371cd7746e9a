"""Files are written whole, through links, with their modes; nothing is left behind on failure."""

import os
import stat

import pytest

from pucklab.base import files
from pucklab.base.files import Autosave, check_writable, read_text, write_whole
from tests.commands import not_windows
from tests.refusals import refused


def test_a_file_is_replaced_and_no_other_is_left(tmp_path):
    path = tmp_path / "a.csv"
    for text in ("first", "second"):
        write_whole(path, text.encode())
        assert path.read_text() == text
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_keeps_the_old_file_and_names_it(tmp_path, write, monkeypatch):
    path = write("a.csv", "old")

    def full(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"a\.csv' cannot be written: No space left on device"):
        write_whole(path, b"new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@not_windows
def test_a_new_file_has_the_mode_of_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "a.csv", b"")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.csv").stat().st_mode) == 0o640


@not_windows
def test_a_file_keeps_its_mode(write):
    path = write("a.csv", "old")
    path.chmod(0o600)
    write_whole(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@not_windows
def test_a_link_is_written_through(tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    link = tmp_path / "a.csv"
    link.symlink_to(folder / "real.csv")
    check_writable("out", link, (".csv",))
    write_whole(link, b"new")
    assert link.is_symlink()
    assert (folder / "real.csv").read_text() == "new"


def test_a_folder_is_no_file_to_write(tmp_path):
    (tmp_path / "a.csv").mkdir()
    refused(check_writable, "out", tmp_path / "a.csv", (".csv",), said="cannot be written")


@not_windows
def test_a_pipe_is_no_file_to_write(tmp_path):
    os.mkfifo(tmp_path / "a.csv")
    refused(check_writable, "out", tmp_path / "a.csv", (".csv",), said="cannot be written")


def test_a_folder_that_takes_no_files_is_refused(tmp_path, monkeypatch):
    def refuse(target):
        raise PermissionError(13, "Permission denied", str(target))

    monkeypatch.setattr(files, "_temporary", refuse)
    refused(
        check_writable,
        "out",
        tmp_path / "a.csv",
        (".csv",),
        said="a.csv' cannot be written; give a file in a folder",
    )


@not_windows
def test_an_input_is_no_output_by_whatever_name(tmp_path, write):
    write("in.csv", "a,b\n")
    (tmp_path / "out.csv").symlink_to("in.csv")
    for name in ("in.csv", "out.csv", f"../{tmp_path.name}/in.csv"):
        refused(
            check_writable,
            "out",
            tmp_path / name,
            (".csv",),
            (None, tmp_path / "in.csv"),
            said="is read by this command; give another file",
        )


def test_a_file_that_is_too_large_is_refused(write):
    path = write("a.csv", "x" * 11)
    refused(read_text, "file", path, 10, said="is too large; give at most 10 bytes")
    assert read_text("file", path, 11) == "x" * 11


def test_a_file_is_saved_at_once_and_then_now_and_then(tmp_path, monkeypatch):
    now_s = [100.0]
    monkeypatch.setattr(files.time, "monotonic", lambda: now_s[0])
    path = tmp_path / "a.csv"
    texts = iter("abc")
    file = Autosave(path, lambda: next(texts))
    file.save_if_due()
    assert path.read_text() == "a"
    now_s[0] += files.SAVE_EVERY_S - 0.1
    file.save_if_due()
    assert path.read_text() == "a"
    now_s[0] += 0.1
    file.save_if_due()
    assert path.read_text() == "b"


def test_a_file_that_takes_long_to_write_is_saved_less_often(tmp_path, monkeypatch):
    now_s = [0.0]
    monkeypatch.setattr(files.time, "monotonic", lambda: now_s[0])
    path = tmp_path / "a.csv"

    def slow():
        now_s[0] += 2.0
        return f"{now_s[0]}"

    file = Autosave(path, slow)
    file.save_if_due()
    now_s[0] = 201.0
    file.save_if_due()
    assert path.read_text() == "2.0"
    now_s[0] = 202.0
    file.save_if_due()
    assert path.read_text() == "204.0"
