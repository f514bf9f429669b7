"""Arrow files, also called Feather: both formats, in slices, and files that are none."""

import datetime as dt

import polars as pl
import pytest

from fgac.cli.errors import CommandError
from fgac.cli.io.streaming import read_batches, read_table
from support.goods import N, new


def write_file(frame, path, **options):
    frame.write_ipc(path, **options)


def write_stream(frame, path):
    frame.write_ipc_stream(path)


@pytest.mark.parametrize("write", [write_file, write_stream])
@pytest.mark.parametrize("suffix", [".arrow", ".feather", ".ipc"])
def test_parts_together_are_the_table(tmp_path, small, write, suffix):
    frame = new().with_columns(when=dt.date(2024, 2, 29), n=pl.int_range(N, dtype=pl.Int16), none=pl.lit(None))
    path = str(tmp_path / f"t{suffix}")
    write(frame, path)
    assert read_table(path).frame.equals(frame)
    assert read_table(path).frame.schema == frame.schema
    parts = list(read_batches(path))
    assert len(parts) > 4
    assert pl.concat([part.frame for part in parts]).equals(frame)
    assert all(part.is_part for part in parts)


def test_compressed_feather_of_others(tmp_path):
    new().to_pandas().to_feather(tmp_path / "t.feather", compression="zstd")
    assert read_table(str(tmp_path / "t.feather")).frame.rows() == new().rows()


def test_a_name_is_no_pattern(tmp_path):
    new().write_ipc(tmp_path / "[ab]*.arrow")
    new(3).write_ipc(tmp_path / "a.arrow")
    assert len(read_table(str(tmp_path / "[ab]*.arrow"))) == N


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is no Arrow file that can be read"),
        (b"not arrow at all, but long enough", "is no Arrow file that can be read"),
        (b"ARROW1\0\0 and no more", "is no Arrow file that can be read"),
        (b"FEA1" + b"x" * 40, "is in version 1 of Feather, which is no longer written; save it anew"),
    ],
)
def test_what_is_no_arrow_file(tmp_path, data, message):
    (tmp_path / "t.arrow").write_bytes(data)
    with pytest.raises(CommandError) as told:
        read_table(str(tmp_path / "t.arrow"))
    assert message in str(told.value)
    assert "\n" not in str(told.value)


def test_no_rows(tmp_path):
    new().clear().write_ipc(tmp_path / "t.arrow")
    with pytest.raises(CommandError, match="has column names but no rows"):
        read_table(str(tmp_path / "t.arrow"))
