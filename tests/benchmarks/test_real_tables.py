"""Tables out of packages: archives are opened, columns are made ready and leaks left out, without any network."""

import hashlib
import io
import tarfile
import zipfile

import numpy as np
import pandas as pd
import pytest

import real_tables
import wheels

CSV = b'"","id","day","colour","age","grade","later"\n' + b"".join(
    b'"%d",%d,2020-01-%02d,%s,%s,%s,%d\n'
    % (i, i, 1 + i % 3, [b"None", b"red", b"NA"][i % 3], [b"5", b""][i % 2], [b"pass", b"fail"][i % 2], i)
    for i in range(20)
)


def small_table(**changes):
    """Return the description of the table above."""
    given = {"ids": ("id",), "dates": ("day",), "leaks": {"later": "known only afterwards"}}
    about = ("small", "a table", "small", "small/data.csv", hashlib.sha256(CSV).hexdigest(), "grade")
    return real_tables.RealTable(*about, **(given | changes))


def wheel(folder, content=CSV):
    """Write a wheel that holds the table, as pip would have downloaded it."""
    folder.mkdir(parents=True)
    with zipfile.ZipFile(folder / "small-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr("small/data.csv", content)


def test_a_table_is_read_out_of_a_wheel(tmp_path):
    wheel(tmp_path / "packages")
    problem = real_tables.load(small_table(), tmp_path)
    assert list(problem.frame.columns) == ["day", "colour", "age"]
    assert problem.classes == ("fail", "pass")
    np.testing.assert_array_equal(problem.y[:3], [1, 0, 1])
    np.testing.assert_array_equal(problem.frame["day"][:3], [18262, 18263, 18264])
    assert problem.frame["colour"].cat.categories.tolist() == ["None", "red"]  # an answer, not a missing cell
    assert problem.frame["colour"].isna().sum() == 6
    assert problem.missing == pytest.approx((6 + 10) / 60)


def test_the_cache_needs_no_package(tmp_path):
    wheel(tmp_path / "packages")
    real_tables.load(small_table(), tmp_path)
    (tmp_path / "packages" / "small-1.0-py3-none-any.whl").unlink()
    assert len(real_tables.load(small_table(), tmp_path).y) == 20


def test_another_table_of_the_same_name_is_refused(tmp_path):
    wheel(tmp_path / "packages", CSV + b"21")
    with pytest.raises(SystemExit, match=r"small/data.csv of small is not the file that was measured: its SHA-256 is"):
        real_tables.load(small_table(), tmp_path)


def test_an_archive_within_a_source_archive(tmp_path):
    inner, outer = io.BytesIO(), tmp_path / "some-1.0.tar.gz"
    for stream, name, content in ((inner, "data/a.csv", b"x"), (None, "some-1.0/some/all.tar.gz", None)):
        where = {"fileobj": stream} if stream is not None else {"name": outer}
        with tarfile.open(mode="w:gz", **where) as archive:
            member = tarfile.TarInfo(name)
            content = content if content is not None else inner.getvalue()
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    assert wheels.extract(outer, "some/all.tar.gz!data/a.csv") == b"x"
    with pytest.raises(SystemExit, match=r"holds 0 files data/b\.csv"):
        wheels.extract(outer, "some/all.tar.gz!data/b.csv")


def test_a_number_becomes_two_classes_and_rare_classes_go():
    frame = pd.DataFrame({"grade": [0.0, 0.5, 2.0] * 4, "later": 1, "id": 1, "day": "2020-01-01"})
    above = real_tables.prepare(small_table(above=0.0), frame)
    assert above.classes == ("no", "yes")
    assert above.y.sum() == 8
    rare = pd.concat([frame.assign(grade="a"), frame[:3].assign(grade="b"), frame[:1].assign(grade=None)])
    assert real_tables.prepare(small_table(), rare).classes == ("a",)


def test_every_table_has_a_description_of_its_own():
    tables = real_tables.TABLES
    assert len(tables) >= 8
    assert len({table.name for table in tables}) == len({table.member for table in tables}) == len(tables)
    assert all(len(table.sha256) == 64 and table.about.endswith("?") for table in tables)
