"""A share of the random problems, in the process of the tests; ``python tests/fuzz/run.py`` judges many more."""

import pytest

from fuzz.cases import make_case
from fuzz.geometry import EXTENDED
from fuzz.judge import judge
from fuzz.shrink import reproducer

pytestmark = pytest.mark.skipif(not EXTENDED, reason="long doubles of this machine are no more precise than doubles")

PER_TEST = 40
FIRST_SEED = 10_000_000
SETTINGS = [pytest.param(i, marks=[] if i == 0 else pytest.mark.slow) for i in range(7)]


@pytest.mark.parametrize("share", SETTINGS)
def test_no_false_proof_and_nothing_that_is_not_finite(share):
    failed = []
    for seed in range(FIRST_SEED + share * PER_TEST, FIRST_SEED + (share + 1) * PER_TEST):
        case = make_case(seed)
        faults = judge(case).faults
        if faults:
            failed.append(f"seed {seed}: {faults}\n{reproducer(case)[:2000]}")
    assert not failed, "\n\n".join(failed)
