"""A PostgreSQL server for tests: from the system's package, on loopback, in a temporary folder, with a password."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PASSWORD = "s3cret word"
MISSING = "PostgreSQL is not installed (Debian: apt-get install postgresql)"
# Debian keeps the programs out of the path, in a folder for every version.
FOLDERS = Path("/usr/lib/postgresql")


def find_postgresql() -> Path | None:
    """The folder of the server's programs, or None where it is not installed."""
    found = shutil.which("initdb")
    if found:
        return Path(os.path.realpath(found)).parent
    programs = sorted(FOLDERS.glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    return programs[-1].parent if programs else None


def ordinary_user() -> dict[str, object]:
    """Options of subprocess for a user that is not root, as whom the server refuses to run; none if we are not."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name for entry in pwd.getpwall()}
    user = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def postgresql(programs: Path) -> Iterator[str]:
    """Start a server, give the address of its database, and stop it."""
    folder, user, port = Path(tempfile.mkdtemp(prefix="fgac-postgresql-")), ordinary_user(), free_port()

    def call(program: str, *arguments: str) -> None:
        subprocess.run(
            [str(programs / program), *arguments],
            check=True, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={"PATH": os.defpath, "LC_ALL": "C.UTF-8", "HOME": str(folder)}, **user,
        )  # fmt: skip

    try:
        (folder / "password").write_text(PASSWORD)
        if user:
            for path in (folder, folder / "password"):
                os.chown(path, user["user"], user["group"])
        data = str(folder / "data")
        how = ("--username=ann", "--auth=scram-sha-256", f"--pwfile={folder / 'password'}", "--no-sync", "-E", "UTF8")
        call("initdb", "-D", data, *how)
        settings = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
        call("pg_ctl", "-D", data, "-o", settings, "-l", str(folder / "log"), "-w", "start")
        try:
            yield f"postgresql://ann:{PASSWORD.replace(' ', '%20')}@127.0.0.1:{port}/postgres"
        finally:
            call("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
