"""Addresses of databases: ``sqlite:///FILE``, ``duckdb:///FILE``, ``postgresql://USER@HOST/NAME``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import unquote

from fgac.cli.errors import UsageError
from fgac.cli.passwords import HIDDEN, without_passwords

DatabaseKind = Literal["sqlite", "duckdb", "postgresql"]
KINDS: dict[str, DatabaseKind] = {
    "sqlite": "sqlite",
    "duckdb": "duckdb",
    "postgresql": "postgresql",
    "postgres": "postgresql",
}
EXPECTED = "sqlite:///FILE, duckdb:///FILE or postgresql://USER@HOST/NAME"

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
# What databases put before the reason of an error: a status, and the name of a library.
_PREFIX = re.compile(r"^(?:[A-Z_]+: )?(?:\[\w+\] )?")


@dataclass(frozen=True)
class Address:
    """A database.

    Attributes
    ----------
    kind : which program's
    where : a file, or what PostgreSQL's library takes; it may hold a password
    shown : what the database is called in messages, without a password
    secrets : what no message may hold
    """

    kind: DatabaseKind
    where: str = field(repr=False)
    shown: str
    secrets: tuple[str, ...] = field(default=(), repr=False)

    @property
    def file(self) -> Path | None:
        """The file of the database; None if it is on a server."""
        return None if self.kind == "postgresql" else Path(self.where)

    def reason(self, error: BaseException) -> str:
        """What a database says of an error, in a line, without secrets."""
        text = _PREFIX.sub("", str(error).strip())
        told = re.search(r"ERROR:\s+([^\n]*)", text)  # PostgreSQL's own words
        line = told[1] if told else text.partition("\n")[0]
        for secret in self.secrets:
            line = line.replace(secret, HIDDEN)
        return without_passwords(line)


def is_address(text: str) -> bool:
    """Whether this is an address, and not the name of a file."""
    return _SCHEME.match(text) is not None


def parse_address(text: str) -> Address:
    """Read an address; an error tells how they are written, and no password.

    >>> address = parse_address("postgresql://ann:secret@db.example/loans?sslmode=require")
    >>> address
    Address(kind='postgresql', shown='postgresql://ann@db.example/loans')
    >>> parse_address("sqlite:///data/loans.db").file.as_posix(), parse_address("duckdb:////data/loans.db").where
    ('data/loans.db', '/data/loans.db')
    """
    match = _SCHEME.match(text)
    scheme = match[1].lower() if match else ""
    if scheme not in KINDS:
        raise UsageError(f"{scheme}:// is no database that fgac knows; expected {EXPECTED}, or a file")
    kind, rest = KINDS[scheme], text[len(scheme) + 3 :]
    if kind == "postgresql":
        return _server(text, rest)
    if not rest.startswith("/") or not rest.strip("/"):
        raise UsageError(
            f"{without_passwords(text)}: expected {scheme}:///FILE, with three slashes, or four before a path from "
            "the root"
        )
    return Address(kind, rest[1:], text)


def _server(text: str, rest: str) -> Address:
    place, _, query = rest.partition("?")
    before, at, after = place.partition("@")
    user, _, password = before.partition(":") if at else ("", "", "")
    # An @ or a slash in a password would make a part of it the name of a host, which messages show.
    if rest.count("@") > bool(at) or (at and "/" in before):
        raise UsageError(
            "the address of the database holds a sign that must be written as a code: in a user, a password or an "
            "option, write %40 for @, %2F for /, %3A for :, %3F for ?, %23 for #"
        )
    options = [option.partition("=") for option in query.split("&")]
    hidden = [password, *(value for name, _, value in options if "password" in unquote(name).lower())]
    secrets = {form for secret in hidden for form in (secret, unquote(secret)) if form}
    shown = f"postgresql://{user + '@' if user else ''}{after if at else place}"
    return Address("postgresql", text, shown, tuple(sorted(secrets, key=len, reverse=True)))


def file_of(source: str) -> Path:
    """The file that a source is read from, be it a table or a database; a server has none that exists."""
    if not is_address(source):
        return Path(source)
    return parse_address(source).file or Path(source)
