"""Two records, side by side."""

from __future__ import annotations

import io
import json
import math
import re
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from zipfile import ZipFile

import numpy as np

from fgac import (
    load_model,
)
from same_results.constants import TOLERANCE, Plain
from same_results.models import said
from same_results.plain_values import hidden, outcome, plain, without
from same_results.programs import Program, draw_tables, programs, run, told_run
from same_results.settings import Setting, settings

# Names that have become better, and attributes that there were not before: no difference.
RENAMED = {"favour": "arguments_for", "against": "arguments_against"}
ADDED = ("best_estimator_", "fitted_values_")


def normal(value: Plain, inside: str = "") -> Plain:
    """Plain values with today's names, less what was added, and less attributes that are not there."""
    if isinstance(value, list):
        return [normal(part, inside) for part in value]
    if not isinstance(value, dict):
        return value
    found = {}
    for key, part in value.items():
        if inside == "fitted" and (key in ADDED or (isinstance(part, dict) and part.get("error") == "AttributeError")):
            continue
        found[RENAMED.get(key, key) if inside == "arguments" else key] = normal(part, key)
    return found


class Difference(NamedTuple):
    """Where two records differ, by how much (infinity if not in a number), and how."""

    where: str
    size: float
    what: str


def differences(old: Plain, new: Plain, where: str = "") -> Iterator[Difference]:
    """All places at which two plain values differ.

    >>> list(differences({"a": [1, 2.0]}, {"a": [1, 2.5]}))
    [Difference(where='/a/1', size=0.25, what='2.0 is now 2.5')]
    """
    if type(old) is not type(new):
        yield Difference(where, math.inf, changed(old, new))
    elif isinstance(old, dict):
        if list(old) != list(new):
            odd = sorted(set(old) ^ set(new))
            yield Difference(where, math.inf, f"other keys: {odd}" if odd else "the same keys in another order")
        for key in [key for key in old if key in new]:
            yield from differences(old[key], new[key], f"{where}/{key}")
    elif isinstance(old, list):
        if len(old) != len(new):
            yield Difference(where, math.inf, f"{len(old)} entries are now {len(new)}")
        for place, pair in enumerate(zip(old, new, strict=False)):
            yield from differences(*pair, f"{where}/{place}")
    elif isinstance(old, float):
        if not (old == new or (math.isnan(old) and math.isnan(new))):
            size = abs(old - new) / max(1.0, abs(old))
            yield Difference(where, size if math.isfinite(size) else math.inf, changed(old, new))
    elif old != new:
        yield Difference(where, math.inf, changed(old, new))


def changed(old: Plain, new: Plain) -> str:
    """Both values; of long texts, from the place where they part."""
    first = 0
    if isinstance(old, str) and isinstance(new, str):
        apart = (i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b)
        first = max(0, next(apart, min(len(old), len(new))) - 20)
        old, new = old[first:], new[first:]
    return f"{'...' if first else ''}{old!r:.80} is now {new!r:.80}"


def file_content(path: Path) -> Plain:
    """The members of a model file: what its header says, and its arrays."""
    with ZipFile(path) as archive:
        header = json.loads(archive.read("header.json"))
        header |= {"fgac": "VERSION", "sha256": list(header["sha256"])}
        kinds = [[part.filename, part.compress_type, list(part.date_time)] for part in archive.infolist()]
        arrays = {
            part.filename: plain(np.load(io.BytesIO(archive.read(part)), allow_pickle=False))
            for part in archive.infolist()
            if part.filename.endswith(".npy")
        }
        comment = re.sub(r"[0-9a-f]{64}", "SUM", archive.comment.decode())
    return {"comment": comment, "members": kinds, "header": hidden(header), "arrays": arrays}


def read_again(name: str, setting: Setting, folder: Path) -> Plain:
    """What a model says that is read from the file of a setting."""
    return said(load_model(folder / f"{name}.fgac"), setting)


def run_again(name: str, program: Program, folder: Path) -> Plain:
    """What commands print that are run again on model files that have been kept."""
    with TemporaryDirectory() as place:
        tables = Path(place)
        draw_tables(tables)
        found = {}
        for title, stem in program.again.items():
            shutil.copyfile(folder / f"{name}.{stem}.fgac", tables / f"{stem}.fgac")
            found[title] = told_run(run(program.commands[title], tables), tables)
    return found


class Comparison:
    """Compares two folders, setting by setting."""

    def __init__(self, old: Path, new: Path, leave_out: tuple[str, ...]) -> None:
        self.old, self.new, self.leave_out = old, new, leave_out
        self.settings, self.programs = settings(), programs()

    def names(self) -> list[str]:
        """The settings that stand in either folder."""
        found = {path.stem for folder in (self.old, self.new) for path in folder.glob("*.json")}
        return sorted(found - {"versions"})

    def of(self, name: str) -> Iterator[Difference]:
        """All differences of one setting: records, model files, and what models say that are read from these."""
        paths = [folder / f"{name}.json" for folder in (self.old, self.new)]
        lacking = [str(path) for path in paths if not path.exists()]
        if lacking:
            yield Difference("", math.inf, f"there is no {lacking[0]}")
            return
        records = [normal(without(json.loads(path.read_text("utf-8")), self.leave_out)) for path in paths]
        yield from differences(*records)
        yield from self.of_files(name)
        for folder, recorded in zip((self.old, self.new), records, strict=True):
            again = outcome(partial(self.again, name, folder))
            if "error" in again:
                yield Difference(f"read from {folder}", math.inf, f"{again['error']}: {again['message']}")
                continue
            again = normal(without(json.loads(json.dumps(again)), self.leave_out))
            expected = {key: without(recorded.get(key), ("files", "pages")) for key in again}
            yield from differences(expected, again, f"read from {folder}: ")

    def of_files(self, name: str) -> Iterator[Difference]:
        """Differences between the model files of a setting."""
        found = [{path.name: path for path in model_files(folder, name)} for folder in (self.old, self.new)]
        for file in sorted(found[0].keys() | found[1].keys()):
            if file not in found[0] or file not in found[1]:
                yield Difference(file, math.inf, "is in one folder only")
                continue
            old, new = (without(file_content(part[file]), self.leave_out) for part in found)
            yield from differences(old, new, file)

    def again(self, name: str, folder: Path) -> Plain:
        """What the installed version makes of the model files of a setting, if it has any."""
        if not model_files(folder, name):
            return {}
        if name in self.programs:
            return run_again(name, self.programs[name], folder)
        return read_again(name, self.settings[name], folder)


def model_files(folder: Path, name: str) -> list[Path]:
    """The model files of a setting."""
    return sorted([*folder.glob(f"{name}.fgac"), *folder.glob(f"{name}.*.fgac")])


def line(name: str, found: list[Difference]) -> str:
    """What is to be said of one setting."""
    worst = max(found, key=lambda difference: difference.size, default=None)
    if worst is None:
        return f"{name}: identical"
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    if worst.size <= TOLERANCE:
        return f"{name}: the same but for rounding, at most {worst.size:.1e} ({worst.where}: {worst.what}{more})"
    size = f" by {worst.size:.1e}" if math.isfinite(worst.size) else ""
    return f"{name}: DIFFERENT{size} ({worst.where}: {worst.what}{more})"


def compare(old: Path, new: Path, only: str, leave_out: tuple[str, ...], shown: int = 0) -> int:
    """Print a line per setting, and so many of its differences; 1 if any differs by more than rounding."""
    for folder in (old, new):
        if not (folder / "versions.json").exists():
            raise SystemExit(f"{folder} is no folder that 'record' has written")
    before, after = (json.loads((folder / "versions.json").read_text("utf-8")) for folder in (old, new))
    for name in [name for name in before if before[name] != after.get(name)]:
        print(f"note: {name} was {before[name]} and is now {after.get(name)}")
    comparison = Comparison(old, new, leave_out)
    largest, wrong, count = 0.0, 0, 0
    for name in [name for name in comparison.names() if only in name]:
        found = list(comparison.of(name))
        worst = max((difference.size for difference in found), default=0.0)
        largest, wrong, count = max(largest, worst), wrong + (worst > TOLERANCE), count + 1
        print(line(name, found), flush=True)
        for difference in sorted(found, key=lambda difference: -difference.size)[:shown]:
            print(f"    {difference.where}: {difference.what}")
    print(f"{count} settings, {wrong} of them different; the largest difference is {largest:.1e}")
    return int(wrong > 0)
