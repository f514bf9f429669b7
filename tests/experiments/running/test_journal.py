"""Journals of finished tasks, and the lock of their folder: what is kept, cut off and refused."""

import json
import os
import subprocess
import sys

import pytest

from fgac.experiments.running.journal import Journal
from fgac.experiments.running.lock import InUse, locked

pytest.importorskip("pandas")
pytest.importorskip("imblearn")


SIZES = {("a",): 2, ("b",): 3, ("c",): 1}


def text(task, *values):
    return "".join(json.dumps({"task": task, "value": value}) + "\n" for value in values)


def journal(path):
    return Journal(path, ("task",), SIZES)


def test_a_journal_knows_what_is_finished(tmp_path):
    """Tasks of which no line is there are not."""
    path = tmp_path / "lines.jsonl"
    assert journal(path).finished == set()
    journal(path).append([{"task": "a", "value": 1}, {"task": "a", "value": 2}])
    journal(path).append([{"task": "c", "value": 3}])
    assert journal(path).finished == {("a",), ("c",)}
    assert path.read_text() == text("a", 1, 2) + text("c", 3)


@pytest.mark.parametrize("kept", [1, 5, 24, 25, 26, 49, 50, 60, 74])
def test_what_was_half_written_is_cut_off(tmp_path, kept):
    """Wherever within the three lines of the last task the writing broke off."""
    path = tmp_path / "lines.jsonl"
    whole = text("a", 1, 2)
    path.write_text(whole + text("b", 1, 2, 3)[:kept])
    assert len(text("b", 1, 2, 3)) == 78
    assert journal(path).finished == {("a",)}
    assert path.read_text() == whole


def test_a_last_line_without_its_end_is_not_whole(tmp_path):
    """All is there but the line break: it could be a part of a longer line."""
    path = tmp_path / "lines.jsonl"
    path.write_text(text("a", 1, 2) + text("c", 3).rstrip("\n"))
    assert journal(path).finished == {("a",)}
    assert path.read_text() == text("a", 1, 2)


def test_zeros_at_the_end_are_cut_off(tmp_path):
    """As file systems leave them when the power goes."""
    path = tmp_path / "lines.jsonl"
    path.write_bytes(text("c", 3).encode() + b"\0" * 100)
    assert journal(path).finished == {("c",)}
    assert path.read_text() == text("c", 3)


def test_lines_of_other_tasks_are_left_alone(tmp_path):
    """A run of a few data sets may take up the folder of a full one."""
    path = tmp_path / "lines.jsonl"
    path.write_text(text("z", 1) + text("a", 1, 2) + text("z", 2))
    before = path.read_bytes()
    assert journal(path).finished == {("a",)}
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("nonsense\n" + text("a", 1, 2), "line 1 of .* is not a result"),
        ('{"other": 1}\n' + text("a", 1, 2), "line 1 of .* is not a result"),
        (text("a", 1) + text("c", 1), "holds 1 lines of a, expected 2"),
        (text("a", 1, 2, 3), "holds 3 lines of a, expected 2"),
        (text("a", 1, 2) + text("c", 1) + text("a", 3), "holds 3 lines of a, expected 2"),
    ],
)
def test_files_that_were_changed_are_refused_and_kept(tmp_path, content, message):
    """No interruption makes such files, so nothing of them is thrown away."""
    path = tmp_path / "lines.jsonl"
    path.write_text(content)
    with pytest.raises(ValueError, match=message):
        journal(path)
    assert path.read_text() == content


def test_numbers_that_are_none_are_refused(tmp_path):
    """NaN is not JSON; nothing is written."""
    path = tmp_path / "lines.jsonl"
    with pytest.raises(ValueError, match="JSON compliant"):
        journal(path).append([{"task": "c", "value": float("nan")}])
    assert not path.exists()


def test_a_folder_is_held_by_one(tmp_path):
    """The second is told who holds it; afterwards it is free."""
    with locked(tmp_path):
        with pytest.raises(InUse, match=f"process {os.getpid()}"), locked(tmp_path):
            pass
        with pytest.raises(InUse), locked(tmp_path):
            pass
    with locked(tmp_path):
        pass


def test_a_lock_whose_holder_was_killed_is_taken_over(tmp_path):
    """Its file stays behind, and holds nothing."""
    code = (
        "import sys, time\nfrom fgac.experiments.running.lock import locked\n"
        "with locked(sys.argv[1]):\n    print('held', flush=True)\n    time.sleep(600)"
    )
    holder = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(InUse, match=f"process {holder.pid}"), locked(tmp_path):
            pass
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()
    assert f"process {holder.pid}" in (tmp_path / ".lock").read_text()
    with locked(tmp_path):
        pass
