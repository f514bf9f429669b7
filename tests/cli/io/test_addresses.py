"""Addresses of databases, and that nothing that is said of them holds a password."""

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac.cli.errors import UsageError
from fgac.cli.io.addresses import file_of, is_address, parse_address
from fgac.cli.passwords import without_passwords


@pytest.mark.parametrize(
    ("text", "kind", "where"),
    [
        ("sqlite:///loans.db", "sqlite", "loans.db"),
        ("sqlite:////data/loans.db", "sqlite", "/data/loans.db"),
        ("duckdb:///a b/loans.duckdb", "duckdb", "a b/loans.duckdb"),
        ("postgresql://ann@db/loans", "postgresql", "postgresql://ann@db/loans"),
        ("postgres://db:5433/loans", "postgresql", "postgres://db:5433/loans"),
        ("postgresql:///loans?host=/var/run", "postgresql", "postgresql:///loans?host=/var/run"),
    ],
)
def test_addresses(text, kind, where):
    assert is_address(text)
    address = parse_address(text)
    assert (address.kind, address.where) == (kind, where)


def test_what_is_no_address():
    assert not any(map(is_address, ["loans.csv", "-", "/dev/stdin", "C:\\loans.csv", "folder/a:b.csv", "://x"]))
    assert file_of("folder/loans.csv").as_posix() == "folder/loans.csv"
    assert file_of("sqlite:///folder/loans.db").as_posix() == "folder/loans.db"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sqlite://loans.db", "expected sqlite:///FILE, with three slashes"),
        ("sqlite:///", "expected sqlite:///FILE"),
        ("duckdb://", "expected duckdb:///FILE"),
        ("mysql://ann:geheim@db/loans", "mysql:// is no database that fgac knows; expected sqlite:///FILE"),
        ("https://db/loans.csv", "https:// is no database"),
        ("postgresql://ann:ge@heim@db/loans", "write %40 for @"),
        ("postgresql://ann:ge/heim@db/loans", "%2F for /"),
        ("postgresql://db/loans?password=ge@heim", "write %40 for @"),
    ],
)
def test_wrong_addresses_say_how_and_show_no_password(text, message):
    with pytest.raises(UsageError) as error:
        parse_address(text)
    assert message in str(error.value)
    assert "heim" not in str(error.value)


# Letters that no other word of these messages has.
password = st.text(st.sampled_from("ÄÖÜß1234567890@:/?#% &'\""), min_size=4, max_size=12)


@given(password)
def test_nothing_that_is_said_holds_the_password(secret):
    code = quote(secret, safe="")
    for url in (f"postgresql://ann:{code}@db/loans", f"postgresql://db/loans?user=ann&password={code}"):
        address = parse_address(url)
        said = [address.shown, repr(address), address.reason(OSError(f'host "{secret}" of {url}: {code}'))]
        said.append(without_passwords(f"got {url}"))
        for text in said:
            assert secret not in text
            assert code not in text


def test_reasons_are_a_line():
    address = parse_address("postgresql://db/loans")
    error = 'NOT_FOUND: Failed to prepare query: ERROR:  relation "x" does not exist\nLINE 1: select\n'
    assert address.reason(ValueError(error)) == 'relation "x" does not exist'
    assert address.reason(ValueError("IO: [libpq] Failed to connect: no\nmore")) == "Failed to connect: no"
    assert address.reason(ValueError("no such table: x")) == "no such table: x"
