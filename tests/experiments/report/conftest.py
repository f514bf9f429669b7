"""A folder with the results of the paper, and their report."""

import json

import pytest

from fgac.experiments.report.write import write_report
from fgac.experiments.results import published
from support.experiment_lines import IONOSPHERE, as_printed, study_lines, write_lines


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """A folder with the results that the paper's tables come out of, and their report; and figures it left open."""
    for module in ("matplotlib", "pandas", "jinja2", "scikit_posthocs"):
        pytest.importorskip(module)
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    folder = tmp_path_factory.mktemp("out")
    shift = {("models", "pima", "cart"): 0.02}
    write_lines(folder / "results.jsonl", as_printed(published.tables(), shift))
    write_lines(folder / "nnstudy.jsonl", study_lines())
    (folder / "ionosphere.json").write_text(json.dumps(IONOSPHERE), encoding="utf-8")
    before = plt.get_fignums()
    assert write_report(folder) == folder / "report.html"
    return folder, set(plt.get_fignums()) - set(before)


@pytest.fixture(scope="session")
def out(written):
    """The folder."""
    return written[0]
