"""Passwords in the addresses of databases: no message shows them, whoever wrote it."""

from __future__ import annotations

import re

# What stands between "user:" and "@" after a scheme; paths may have made one slash of two.
_BEFORE_HOST = re.compile(r"(\b[A-Za-z][\w+.-]*:/{1,3}[^\s/:@]*):[^\s@]*@")
_AS_PARAMETER = re.compile(r"([?&\s](?:ssl)?password=)[^&\s'\"]*", re.IGNORECASE)
HIDDEN = "***"


def without_passwords(text: str) -> str:
    """A text in which no address shows its password.

    >>> without_passwords("postgresql://ann:secret@db.example/loans: no such table")
    'postgresql://ann:***@db.example/loans: no such table'
    >>> without_passwords("postgresql://db.example/loans?user=ann&password=secret")
    'postgresql://db.example/loans?user=ann&password=***'
    """
    return _AS_PARAMETER.sub(rf"\1{HIDDEN}", _BEFORE_HOST.sub(rf"\1:{HIDDEN}@", text))
