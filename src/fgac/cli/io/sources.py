"""Where a table comes from, told by its name: a file of some form, standard input or another stream, a database."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fgac._atomic import is_stream
from fgac.cli import extras
from fgac.cli.errors import UsageError
from fgac.cli.io.addresses import EXPECTED, Address, is_address, parse_address
from fgac.cli.io.source_options import Encoding, Sheet, Sql

Form = Literal["csv", "jsonl", "parquet", "arrow", "excel", "sql"]
SUFFIXES: dict[Form, tuple[str, ...]] = {
    "csv": (".csv", ".tsv", ".txt"),
    "jsonl": (".jsonl", ".ndjson"),
    "parquet": (".parquet", ".pq"),
    "arrow": (".arrow", ".feather", ".ipc"),
    "excel": (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"),
}
FORMS = {suffix: form for form, suffixes in SUFFIXES.items() for suffix in suffixes}
# Text may be compressed.
TEXT: tuple[Form, ...] = ("csv", "jsonl")
PACKED = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "Zstandard"}
# Suffixes that files of databases often have.
DATABASES = {".db": "sqlite", ".sqlite": "sqlite", ".sqlite3": "sqlite", ".duckdb": "duckdb"}

STDIN = "-"
STDIN_NAMES = (STDIN, "/dev/stdin")
STDIN_NAME = "standard input"


@dataclass(frozen=True)
class Reading:
    """How to read a table, where its name does not say it: options of all commands that read one."""

    encoding: Encoding = None
    sheet: Sheet = None
    sql: Sql = None

    def check(self, path: str) -> None:
        """Refuse options that do not fit the source, and a database without a query."""
        form, name = source_form(path), source_name(path)
        if self.encoding is not None and form not in TEXT:
            raise UsageError(f"--encoding is for text, CSV and JSON lines, and {name} is none; leave --encoding out")
        if self.sheet is not None and form != "excel":
            raise UsageError(f"--sheet is for workbooks, and {name} is none; leave --sheet out")
        if self.sql is not None and form != "sql":
            raise UsageError(f"--sql is for databases, and {name} is none; give an address: {EXPECTED}")
        if form == "sql" and not (self.sql or "").strip():
            raise UsageError(f'--sql is missing: what is to be read of {name}? For example --sql "select * from loans"')

    @property
    def given(self) -> str:
        """The first of these options that is given; empty if none is."""
        names = {"--encoding": self.encoding, "--sheet": self.sheet, "--sql": self.sql}
        return next((name for name, value in names.items() if value is not None), "")


def is_table(path: str) -> bool:
    """Whether this names a table, and not a model."""
    return _form(path) is not None


def source_form(path: str) -> Form:
    """In which form a table comes; an error if the path names none."""
    form = _form(path)
    if form is None:
        suffix = Path(path).suffix.lower()
        advice = "save it as CSV or Parquet first"
        if suffix in DATABASES:
            advice = f'a database is read by its address and a query: {DATABASES[suffix]}:///{path} --sql "select ..."'
        raise UsageError(
            f"{path}: a table ends in {', '.join(FORMS)}, got {Path(path).suffix or 'no suffix'!r}; {advice}"
        )
    return form


def source_name(path: str) -> str:
    """What a source is called in messages: never with a password."""
    if is_address(path):
        return parse_address(path).shown
    return STDIN_NAME if path in STDIN_NAMES else path


def short_name(path: str) -> str:
    """The name of a source without its folder, for a headline."""
    name = source_name(path)
    return name if name == STDIN_NAME or is_address(path) else Path(path).name


def compression(path: str) -> str:
    """The suffix of a compressed file; empty if it is not compressed."""
    suffix = Path(path).suffix.lower()
    return suffix if suffix in PACKED else ""


def check_table(path: str, reading: Reading | None = None) -> None:
    """Refuse what names no table, or none that can be read, before anything slow is imported or done."""
    (reading or Reading()).check(path)
    form = source_form(path)
    if form == "sql":
        check_database(parse_address(path))
    # To open a pipe is to wait for its writer, and to close it again would be the writer's end.
    elif path != STDIN and not stat.S_ISFIFO(Path(path).stat().st_mode):
        Path(path).open("rb").close()
    if form == "excel":
        extras.need(f"{path}: reading a workbook", extras.EXCEL, "excel")


def check_database(address: Address) -> None:
    """Refuse a database whose file is not there, or whose packages are not."""
    if address.file is not None:
        address.file.open("rb").close()
    check_driver(address)


def check_driver(address: Address) -> None:
    """Refuse a database whose packages are not there; SQLite's come with Python."""
    if address.kind == "duckdb":
        extras.need("DuckDB", extras.DUCKDB, "sql")
    elif address.kind == "postgresql":
        extras.need("PostgreSQL", extras.POSTGRESQL, "sql")


def _form(path: str) -> Form | None:
    if is_address(path):
        return "sql"
    if path == STDIN:
        return "csv"
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    packed = bool(suffixes) and suffixes[-1] in PACKED
    form = FORMS.get(suffixes[-1 - packed]) if len(suffixes) > packed else None
    if packed and form not in TEXT:
        return None
    return "csv" if form is None and _comes_through(path) else form


def _comes_through(path: str) -> bool:
    """Whether a path is a pipe, a terminal or /dev/stdin, which have no suffix to tell a form by."""
    try:
        return is_stream(path)
    except OSError:  # a folder, a disk
        return False
