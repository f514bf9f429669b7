"""What tests of reading share: parts of a few rows, and databases."""

import pytest

from fgac.cli.io import streaming
from support.databases import Database
from support.postgresql import MISSING, find_postgresql, postgresql


@pytest.fixture(scope="session")
def server():
    """The address of a PostgreSQL server."""
    programs = find_postgresql()
    if programs is None:
        pytest.skip(MISSING)
    with postgresql(programs) as url:
        yield url


@pytest.fixture(params=["sqlite", "duckdb", "postgresql"])
def database(request, tmp_path):
    """A database of every kind, without tables."""
    if request.param != "postgresql":
        (tmp_path / "databases").mkdir()
        found = Database(f"{request.param}:///{tmp_path / 'databases' / 'data.db'}")
        found.do("create table first (a integer)", "drop table first")  # makes the file
        return found
    found = Database(request.getfixturevalue("server"))
    found.do("drop schema public cascade", "create schema public")
    return found


@pytest.fixture
def small(monkeypatch):
    """Parts of a few rows."""
    monkeypatch.setattr(streaming, "BLOCK", 200)
    monkeypatch.setattr(streaming, "N_ROWS", 0)
    monkeypatch.setattr(streaming, "N_CELLS", 35)
