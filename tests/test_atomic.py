"""Writing to what is no regular file: streams are written through, nothing of them is replaced, errors say where."""

import errno
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from fgac import FGAClassifier, load_model, save_model
from fgac._atomic import is_stream, write_safely, write_text

pytestmark = pytest.mark.skipif(os.name != "posix", reason="devices and pipes of POSIX")

MODEL = FGAClassifier(gamma=2.0).fit([[0.0], [0.2], [1.0]], ["no", "no", "yes"])


def names(folder):
    """Return what is in a folder."""
    return sorted(path.name for path in folder.iterdir())


def through_pipe(path, write):
    """Return the bytes that arrive at the other end of a named pipe."""
    os.mkfifo(path)
    found = []
    reader = threading.Thread(target=lambda: found.append(path.read_bytes()))
    reader.start()
    write(path)
    reader.join()
    assert stat.S_ISFIFO(path.stat().st_mode)
    return found[0]


def test_a_pipe_is_written_through_and_stays(tmp_path):
    assert through_pipe(tmp_path / "pipe", lambda path: write_text(path, "text")) == b"text"
    assert names(tmp_path) == ["pipe"]


def test_a_link_to_a_pipe_is_written_through(tmp_path):
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "pipe")
    assert through_pipe(tmp_path / "pipe", lambda path: write_text(link, "text")) == b"text"
    assert link.is_symlink()


def test_a_model_and_a_page_go_through_a_pipe(tmp_path):
    data = through_pipe(tmp_path / "pipe.fgac", lambda path: save_model(MODEL, path))
    (tmp_path / "copy.fgac").write_bytes(data)
    assert load_model(tmp_path / "copy.fgac").predict([[0.9]]) == ["yes"]
    page = through_pipe(tmp_path / "pipe.html", lambda path: MODEL.explain([[0.9]]).to_html(path))
    assert page.startswith(b"<!doctype html>")


def test_a_device_is_written_through_and_stays():
    before = Path(os.devnull).stat()
    write_text(os.devnull, "text")
    after = Path(os.devnull).stat()
    assert stat.S_ISCHR(after.st_mode)
    assert (before.st_ino, before.st_rdev) == (after.st_ino, after.st_rdev)


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1"])
def test_standard_output_is_written_where_others_stopped(tmp_path, name):
    code = "import sys; from fgac._atomic import write_text; print('first'); write_text(sys.argv[1], 'second\\n')"
    out = tmp_path / "out.txt"
    out.write_text("old\n")
    with out.open("a") as file:
        subprocess.run([sys.executable, "-c", code, name], stdout=file, check=True)
    assert out.read_text() == "old\nfirst\nsecond\n"
    piped = subprocess.run([sys.executable, "-c", code, name], stdout=subprocess.PIPE, check=True)
    assert piped.stdout == b"first\nsecond\n"


def test_a_link_that_leads_nowhere_makes_the_file_it_names(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_text(tmp_path / "link", "text")
    assert (tmp_path / "real").read_text() == "text"
    assert (tmp_path / "link").is_symlink()


def test_links_in_a_circle_are_refused_and_stay(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OSError, match="symbolic links"):
        write_text(tmp_path / "a", "text")
    assert names(tmp_path) == ["a", "b"]


def test_a_socket_is_refused_and_stays(tmp_path, monkeypatch):
    import socket

    monkeypatch.chdir(tmp_path)  # names of sockets are short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s")
        with pytest.raises(OSError, match="this is a socket; expected a file or a pipe"):
            write_text("s", "text")
    assert names(tmp_path) == ["s"]


def test_files_that_are_there_or_not_yet_are_no_streams(tmp_path):
    (tmp_path / "file").write_text("text")
    assert not is_stream(tmp_path / "file")
    assert not is_stream(tmp_path / "none")
    assert not is_stream(tmp_path / "file" / "below")
    assert not is_stream(tmp_path / "1")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_is_told_with_the_name_of_the_file():
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        write_text("/dev/full", "text")


def test_errors_of_what_is_read_meanwhile_keep_their_own_names(tmp_path):
    def write(file):
        file.write(b"half")
        raise OSError(errno.EIO, "Input/output error")  # of the table that is predicted

    with pytest.raises(OSError, match="Input/output error") as caught:
        write_safely(tmp_path / "out.csv", write)
    assert caught.value.filename is None
    assert names(tmp_path) == []


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_allows_no_files_is_named_as_the_user_does(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError, match=r"folder must allow new files.*out\.csv"):
        write_text(tmp_path / "out.csv", "text")


def test_whoever_has_no_permission_learns_the_name_of_the_file(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied", ".fgac-0.tmp")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(PermissionError, match=r"folder must allow new files.*out\.csv"):
        write_text(tmp_path / "out.csv", "text")


def test_an_interrupt_as_early_as_can_be_leaves_nothing(tmp_path, monkeypatch):
    real = os.open

    def interrupted(*arguments, **options):
        os.close(real(*arguments, **options))
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "open", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_text(tmp_path / "out.csv", "text")
    assert names(tmp_path) == []
