"""Files that are no model files, or are damaged, are refused in words."""

import io
import pickle
import struct
import zipfile

import numpy as np
import pytest

from fgac.persistence import ModelFileError, archive, load_model
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
    with zipfile.ZipFile(io.BytesIO(data)) as zipped_file:
        infos = zipped_file.infolist()
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
    with zipfile.ZipFile(file, "w", compression) as zipped_file:
        for name, part in members.items():
            zipped_file.writestr(name, part)
        zipped_file.comment = comment
    return file.getvalue()


def of_header(header, compression=zipfile.ZIP_STORED):
    """Return a file of a header alone, signed as our files are."""
    return zipped({"header.json": header}, compression, archive._comment(header))


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
    "other header": (of_header(b'{"format": "other"}'), "some other format"),
    "list": (of_header(b"[1, 2]"), "some other format"),
    "no json": (of_header(b"\xff\xfe"), "damaged"),
    "deep json": (of_header(b"[" * 100_000), "nested too deeply"),
    "only PK": (b"PK", "cut short"),
    "compressed": (of_header(b"0" * 10_000, zipfile.ZIP_DEFLATED), "compressed"),
}


@pytest.mark.parametrize(("data", "match"), FOREIGN.values(), ids=FOREIGN)
def test_foreign_files_are_refused(data, match, refused):
    refused(data, match)


def test_a_compressed_copy_is_refused(refused):
    """A member that unfolds could unfold into more than memory holds."""
    data, _ = small_file()
    refused(zipped(members_of(data), zipfile.ZIP_DEFLATED, archive._comment(members_of(data)["header.json"])), "compr")


def test_a_member_that_claims_to_be_larger_than_the_file_is_refused(refused):
    data, _ = small_file()
    directory = data.index(b"PK\x01\x02")
    changed = bytearray(data)
    changed[directory + 20 : directory + 28] = struct.pack("<LL", 10**9, 10**9)
    refused(changed, "larger than itself")


def test_other_members_are_refused(refused):
    data, _ = small_file()
    members = members_of(data)
    comment = archive._comment(members["header.json"])
    refused(zipped({**members, "more.npy": b"1"}, comment=comment), "other members")
    refused(zipped({k: v for k, v in members.items() if k != "model/beta.npy"}, comment=comment), "other members")
    twice = {**members, "model/beta.npy": members["model/starts.npy"]}
    refused(zipped(twice, comment=comment), r"changed or damaged: 'model/beta\.npy'")
    refused(zipped(members), "some other zip file")
    refused(zipped(members, comment=comment[:-1] + b"?"), "its header differs")
    members["header.json"] = members["header.json"].replace(b'"gamma": 2.0', b'"gamma": 3.0')
    refused(zipped(members, comment=comment), "its header differs")
