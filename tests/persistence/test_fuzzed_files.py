"""A share of the changed files that ``fuzz_files.py`` judges by the thousand: refused in one line, or good models."""

import io

import numpy as np
import pytest

from fgac.persistence import archive
from support.file_extremes import at_limits
from support.file_mutations import mutated
from support.fuzzed_files import GOOD, MODELS, judged, seeds
from support.opened_file import Opened

N_CHANGES = 6


@pytest.fixture
def verdict(tmp_path):
    """Return a function that judges the bytes of a file."""

    def judge(data):
        (tmp_path / "model.fgac").write_bytes(data)
        return judged(tmp_path / "model.fgac")

    return judge


@pytest.mark.parametrize("name", sorted(seeds()))
def test_unchanged_files_give_good_models(name, verdict):
    """Also after they have been taken apart and signed again, so that it is the changes that are refused."""
    assert verdict(seeds()[name]).outcome == "loaded"
    assert verdict(Opened(seeds()[name]).signed()).outcome == "loaded"


@pytest.mark.parametrize("change", [mutated, at_limits])
@pytest.mark.parametrize("name", sorted(seeds()))
def test_changed_files_are_refused_or_give_good_models(name, change, verdict):
    for number in range(N_CHANGES):
        data, told = change(seeds()[name], np.random.default_rng([*name.encode(), number]))
        found = verdict(data)
        assert found.outcome in GOOD, (number, told, found)


def test_files_at_the_limits_are_not_all_refused(verdict):
    """What is declared is what models can be: numbers at the ends of their ranges still predict finite numbers."""
    outcomes = [verdict(at_limits(seeds()[name], np.random.default_rng(3))[0]).outcome for name in MODELS]
    assert outcomes.count("loaded") >= len(outcomes) / 4


def test_the_judge_finds_what_is_wrong(verdict, monkeypatch):
    """Without the schema the files that are refused here would be loaded, and worse."""
    file = Opened(seeds()["numbers"])
    file.put("model/beta.npy", np.full(len(file.array("model/beta.npy")), np.nan))
    assert verdict(file.signed()).outcome == "refused"
    monkeypatch.setattr("fgac.persistence.states.check", lambda declared, parts: None)
    assert verdict(file.signed()).outcome not in GOOD


def test_the_same_number_gives_the_same_file():
    """A file that a run of thousands tells about can be made again."""
    one, other = (mutated(seeds()["mixed"], np.random.default_rng([0, 5])) for _ in range(2))
    assert one == other


def test_signed_files_have_right_sums():
    """Nothing is refused for its sums alone."""
    data, _ = mutated(seeds()["numbers"], np.random.default_rng([0, 1]))
    file = io.BytesIO(data)
    header = Opened(data).header
    assert all(archive._sha256(part) == header["sha256"][name] for name, part in Opened(data).members.items())
    assert file.read(2) == b"PK"
