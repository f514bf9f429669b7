"""Files that are no model files, or are damaged, are refused in words."""

import io
import pickle
import struct
import zipfile

import numpy as np
import pytest

from fgac.persistence import ModelFileError, load_model
from support.model_files import assert_same, held, members_of, small_file


def test_a_changed_byte_never_gives_another_model(tmp_path):
    """Bytes that mean nothing (dates, say) may change; everything else is noticed."""
    data, clf = small_file()
    rng, path = np.random.default_rng(0), tmp_path / "model.fgac"
    # The directory and the end of the zip, where its own structure is, besides places everywhere.
    tail = np.arange(len(data) - 400, len(data))
    for place in [*rng.integers(0, len(data), 400), *tail]:
        changed = bytearray(data)
        changed[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(changed)
        try:
            loaded = load_model(path)
        except ModelFileError:
            continue
        assert_same(held(clf), held(loaded))


def test_no_changed_byte_of_a_member_goes_unnoticed(refused):
    data, _ = small_file()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        infos = archive.infolist()
    rng = np.random.default_rng(1)
    for info in infos:
        start = info.header_offset + 30 + len(info.filename)
        for place in rng.integers(start, start + info.file_size, 3):
            changed = bytearray(data)
            changed[place] ^= 0xFF
            refused(changed)


def test_a_file_that_was_cut_short_is_refused(refused):
    data, _ = small_file()
    for length in [*range(1, 8), *np.linspace(8, len(data) - 1, 60).astype(int), len(data) - 1]:
        refused(data[:length], "cut short|is no model file|changed or damaged")


def zipped(members, compression=zipfile.ZIP_STORED, comment=b""):
    """Return a zip file of some members."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, part in members.items():
            archive.writestr(name, part)
        archive.comment = comment
    return file.getvalue()


def npz():
    file = io.BytesIO()
    np.savez(file, beta=np.zeros(3))
    return file.getvalue()


FOREIGN = {
    "empty": (b"", "is no model file: it is empty"),
    "text": (b"height,colour\n1.5,red\n", "is no model file: it begins with b'height,c'"),
    "pickle": (pickle.dumps({"a": 1}), r"is no model file: it begins with b'\\x80"),
    "zip": (zipped({"a.txt": b"text"}), "some other zip file"),
    "npz": (npz(), "some other zip file"),
    "empty zip": (zipped({}), "some other zip file"),
    "other header": (zipped({"header.json": b'{"format": "other"}'}), "some other format"),
    "list": (zipped({"header.json": b"[1, 2]"}), "some other format"),
    "no json": (zipped({"header.json": b"\xff\xfe"}), "damaged"),
    "deep json": (zipped({"header.json": b"[" * 100_000}), "damaged"),
    "only PK": (b"PK", "cut short"),
    "compressed": (zipped({"header.json": b"0" * 10_000}, zipfile.ZIP_DEFLATED), "compressed"),
}


@pytest.mark.parametrize(("data", "match"), FOREIGN.values(), ids=FOREIGN)
def test_foreign_files_are_refused(data, match, refused):
    refused(data, match)


def test_a_missing_file_and_a_folder(tmp_path):
    with pytest.raises(FileNotFoundError):
        load_model(tmp_path / "model.fgac")
    with pytest.raises(ModelFileError, match="is a folder"):
        load_model(str(tmp_path))


def test_a_compressed_copy_is_refused(refused):
    """A member that unfolds could unfold into more than memory holds."""
    refused(zipped(members_of(small_file()[0]), zipfile.ZIP_DEFLATED), "compressed")


def test_a_member_that_claims_to_be_larger_than_the_file_is_refused(refused):
    data, _ = small_file()
    directory = data.index(b"PK\x01\x02")
    changed = bytearray(data)
    changed[directory + 20 : directory + 28] = struct.pack("<LL", 10**9, 10**9)
    refused(changed, "larger than itself")


def test_other_members_are_refused(refused):
    data, _ = small_file()
    members = members_of(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        comment = archive.comment
    refused(zipped({**members, "more.npy": b"1"}, comment=comment), "other members")
    refused(zipped({k: v for k, v in members.items() if k != "model/beta.npy"}, comment=comment), "other members")
    twice = {**members, "model/beta.npy": members["model/starts.npy"]}
    refused(zipped(twice, comment=comment), r"changed or damaged: model/beta\.npy")
    refused(zipped(members), "its header differs")
    members["header.json"] = members["header.json"].replace(b'"gamma": 2.0', b'"gamma": 3.0')
    refused(zipped(members, comment=comment), "its header differs")
