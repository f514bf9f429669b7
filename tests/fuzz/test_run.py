"""The command that judges many problems, in a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

from fuzz.judge import Outcome
from fuzz.summary import Summary, reason

RUN = Path(__file__).with_name("run.py")


def test_refusals_are_counted_by_reason():
    assert reason("gamma=1e300 must lie below 3e+150") == reason("gamma=2e200 must lie below 3e+150")
    assert reason("column a holds text") == reason("column b2 holds text")


def test_the_summary_says_which_bars_are_met():
    summary = Summary()
    summary.add(Outcome("FGAClassifier", "ordinary", 1, proved=1))
    assert "| false proofs, at most 0 | 0 | met |" in summary.markdown()
    wrong = Outcome("FGAClassifier", "ordinary", 2, proved=1)
    wrong.fault("false proof", "violation 1")
    summary.add(wrong)
    assert "| false proofs, at most 0 | 1 | NOT met |" in summary.markdown()
    assert summary.n_problems == 2
    assert summary.n_faulty == 1


@pytest.mark.slow
def test_a_short_run_writes_its_summary(tmp_path):
    target = tmp_path / "summary.md"
    command = [sys.executable, str(RUN), "--problems", "2", "--seed", "1", "--jobs", "1", "--output", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "judged 2 problems" in target.read_text(encoding="utf-8")
