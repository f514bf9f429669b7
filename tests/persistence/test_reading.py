"""What is opened at all: regular files, no larger than the caller allows, of a container that is ours."""

import os
import socket
import stat
import struct

import numpy as np
import pytest

from fgac import FGAClassifier
from fgac.persistence import ModelFileError, limits, load_model, read_model_file, read_notes, save_model
from fgac.persistence.array_files import array_bytes, is_plain, read_array
from support.model_files import forged, small_file

READERS = [load_model, read_notes, read_model_file]
needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes among its files")


def one_line(caught):
    """Return the message of an error, which is one line."""
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("read", READERS)
def test_a_missing_file_and_a_folder(read, tmp_path):
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "model.fgac")
    with pytest.raises(ModelFileError, match="is a folder"):
        read(str(tmp_path))


@needs_pipes
@pytest.mark.parametrize("read", READERS)
def test_pipes_devices_and_sockets_are_refused_without_waiting(read, tmp_path):
    """Whoever opens a pipe waits for a writer that may never come; an endless device never ends."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ModelFileError, match="is a pipe; expected a file"):
        read(tmp_path / "pipe")
    with pytest.raises(ModelFileError, match="is a device"):
        read("/dev/zero")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        with pytest.raises(ModelFileError, match="is a socket"):
            read(tmp_path / "socket")


@needs_pipes
def test_what_became_a_pipe_meanwhile_is_refused_too(tmp_path, monkeypatch):
    """Between the question what it is and its opening, a file may be replaced."""
    os.mkfifo(tmp_path / "pipe")
    is_file = stat.S_ISREG
    answers = iter([True])
    monkeypatch.setattr(stat, "S_ISREG", lambda mode: next(answers, None) or is_file(mode))
    with pytest.raises(ModelFileError, match="is a pipe"):
        load_model(tmp_path / "pipe")


def test_a_link_to_a_file_is_followed(tmp_path):
    (tmp_path / "model.fgac").write_bytes(small_file()[0])
    (tmp_path / "link").symlink_to(tmp_path / "model.fgac")
    assert load_model(tmp_path / "link").gamma == 2.0


@pytest.mark.parametrize("read", READERS)
def test_large_files_are_refused_before_they_are_read(read, tmp_path, monkeypatch):
    path = tmp_path / "model.fgac"
    path.write_bytes(b"PK")
    os.truncate(path, 2**40)  # takes no room, but for whoever reads it
    with pytest.raises(ModelFileError, match="max_size") as caught:
        read(path)
    assert f"more than {limits.FILE_SIZE} are not read" in one_line(caught)
    assert "FGAC_MAX_MODEL_SIZE" in one_line(caught)
    monkeypatch.setenv("FGAC_MAX_MODEL_SIZE", str(2**41))
    with pytest.raises(ModelFileError, match="cut short"):
        read(path)


def test_the_limit_is_what_the_caller_says(tmp_path, monkeypatch):
    path, data = tmp_path / "model.fgac", small_file()[0]
    path.write_bytes(data)
    assert load_model(path, max_size=len(data)).gamma == 2.0
    with pytest.raises(ModelFileError, match=f"has {len(data)} bytes"):
        load_model(path, max_size=len(data) - 1)
    monkeypatch.setenv("FGAC_MAX_MODEL_SIZE", "100")
    with pytest.raises(ModelFileError, match="more than 100 are not read"):
        read_notes(path)
    assert load_model(path, max_size=len(data)).gamma == 2.0
    monkeypatch.setenv("FGAC_MAX_MODEL_SIZE", "2 GB")
    with pytest.raises(ValueError, match="must be a number of bytes"):
        load_model(path)


# ----------------------------------------------------------------------------------------------------
# The directory of the zip
# ----------------------------------------------------------------------------------------------------


def test_a_directory_that_is_too_long_is_refused_before_it_is_read(refused):
    data = bytearray(small_file()[0])
    end = data.rindex(b"PK\x05\x06")
    for place, packed in ((end + 8, struct.pack("<HH", 65_535, 65_535)), (end + 12, struct.pack("<L", 10**9))):
        changed = data.copy()
        changed[place : place + len(packed)] = packed
        refused(changed, "directory of .* expected fewer")


def test_a_second_directory_is_refused(refused):
    """Python's reader would believe the one for files of more than 4 GB."""
    data = small_file()[0]
    end = data.rindex(b"PK\x05\x06")
    refused(data[:end] + b"PK\x06\x07" + bytes(16) + data[end:], "for files of more than 4 GB")


def test_no_model_that_could_not_be_read_is_written(tmp_path, monkeypatch):
    model = FGAClassifier().fit([[0.0], [1.0]], [0, 1])
    monkeypatch.setattr(limits, "MEMBERS", 10)
    with pytest.raises(ModelFileError, match="holds fewer than 10 arrays"):
        save_model(model, tmp_path / "model.fgac")
    with pytest.raises(ModelFileError, match="expected no more than 1000"):
        save_model(model, tmp_path / "model.fgac", notes={str(i): "" for i in range(1001)})
    assert not list(tmp_path.iterdir())


def test_a_header_that_is_too_long_is_refused(refused, monkeypatch):
    data = forged(lambda header, members: header.update(note="x" * 5000))
    with monkeypatch.context() as patch:
        patch.setattr(limits, "HEADER_SIZE", 5000)
        refused(data, "a header of more than 5000 bytes")
    monkeypatch.setattr(limits, "CONTAINERS", 20)
    refused(data, "more than 20 lists and dicts")


# ----------------------------------------------------------------------------------------------------
# Arrays
# ----------------------------------------------------------------------------------------------------

ARRAYS = {
    "floats": np.array([[1.5, -0.0], [np.inf, np.nan]]),
    "by column": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "foreign bytes": np.array([1, 2**40], dtype=">i8"),
    "texts": np.array(["", "å\n", "long"]),
    "bools": np.array([True, False]),
    "dates": np.array(["2020-01-01", "NaT"], dtype="M8[D]"),
    "nothing": np.empty((3, 0), dtype=np.int32),
    "one": np.array(2.5, dtype=np.float32),
}


@pytest.mark.parametrize("array", ARRAYS.values(), ids=ARRAYS)
def test_arrays_come_back(array):
    again = read_array(array_bytes(array), "array")
    assert again.dtype == array.dtype.newbyteorder("=")
    assert again.shape == array.shape
    assert again.flags.f_contiguous == array.flags.f_contiguous
    assert again.flags.writeable
    assert again.astype(array.dtype).tobytes() == array.tobytes()


@pytest.mark.parametrize("dtype", ["U0", "V0", "V8", "O", "c16", "S3", "M8", "f16", "U1000001", [("a", "f8")]])
def test_types_that_are_not_plain(dtype):
    """Entries without a byte are as many as a file says: a few bytes would claim gigabytes."""
    assert not is_plain(np.dtype(dtype))


@pytest.mark.parametrize(
    ("part", "told"),
    [
        (b"", "no plain array"),
        (array_bytes(np.zeros(3))[:-1], "its bytes cannot be"),
        (array_bytes(np.zeros(3)) + b"0", "its bytes cannot be"),
        (array_bytes(np.zeros(3)).replace(b"(3,)", b"(-3,)"), "no plain array"),
        (array_bytes(np.zeros(3)).replace(b"<f8", b"<U0"), "no plain array"),
        (array_bytes(np.zeros(3)).replace(b"False", b"print"), "no plain array"),
        (array_bytes(np.zeros(3)).replace(b"\x01\x00", b"\x02\x00", 1), "no plain array"),
        (array_bytes(np.array(["a"]))[:-4] + b"\xff\xff\xff\xff", "characters that there are not"),
        (array_bytes(np.array([True]))[:-1] + b"\x02", "neither true nor false"),
    ],
)
def test_other_bytes_are_refused(part, told):
    with pytest.raises(ModelFileError, match=told):
        read_array(part, "'beta'")
