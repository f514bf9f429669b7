"""The stories run without a display, without a warning, and tell what they promise."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

pytest.importorskip("pandas")

pytestmark = pytest.mark.slow  # every script is a process of its own

FOLDER = pathlib.Path(__file__).parents[2] / "examples"
PICTURES = ("layers_picture", "pictures", "readme_picture")
STORIES = sorted(script.stem for script in FOLDER.glob("*.py") if script.stem not in PICTURES)
TESTED_BELOW = ("breast_cancer", "credit", "films")


# A script as the main program, with warnings of fgac and of the script as errors, and without those of others.
STRICTLY = r"""
import runpy, sys, warnings
warnings.simplefilter("ignore")
warnings.filterwarnings("error", module=r"(fgac|__main__)(\.|$)")
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def run(name, *arguments, **environment):
    """Run a script with our warnings as errors and return what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", STRICTLY, str(FOLDER / f"{name}.py"), *map(str, arguments)],
        env={**os.environ, "MPLBACKEND": "Agg", "PYTHONIOENCODING": "utf-8", **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def sections(text):
    """Split into sections: title -> what is told below it, on one line."""
    parts = re.split(r"^(.+)\n-{3,}$", text, flags=re.MULTILINE)
    return {title: " ".join(body.split()) for title, body in zip(parts[1::2], parts[2::2], strict=True)}


def section(told, beginning):
    """Return the only section whose title begins so."""
    (body,) = [body for title, body in told.items() if title.startswith(beginning)]
    return body


def numbers(pattern, text):
    """Return the numbers in the only place that matches."""
    (found,) = re.findall(pattern, text)
    return [int(number) for number in ([found] if isinstance(found, str) else found)]


def test_breast_cancer_answers_the_doctor():
    told = sections(run("breast_cancer"))
    n_new, n_wrong, n_missed, n_malignant = numbers(
        r"about (\d+) others, it is wrong about (\d+) of these: it takes (\d+) of the (\d+) malignant",
        section(told, "How good"),
    )
    assert n_missed <= n_wrong < n_new / 10
    assert n_missed < n_malignant / 5
    assert "Prediction for" in section(told, "What is this")
    assert "against" in section(told, "A close case")
    n_certain, n_all, n_certain_but_wrong = numbers(
        r"(\d+) of the (\d+) predictions still cannot change\. That is proved\. But (\d+) of them",
        section(told, "How exactly"),
    )
    assert n_certain_but_wrong <= n_wrong <= n_certain <= n_all == n_new
    n_in_fifth, n_errors = numbers(r"holds (\d+) of the (\d+) errors", section(told, "When should I not listen"))
    assert n_errors == n_wrong
    assert n_in_fifth > n_wrong / 2  # a fifth at random would hold a fifth of them
    assert len(set(re.findall(r"S-\d{3}", section(told, "Which earlier diagnoses")))) >= 4


@pytest.fixture(scope="module")
def credit(tmp_path_factory):
    """Return what the script printed, and the path of its report."""
    pytest.importorskip("jinja2")
    report = tmp_path_factory.mktemp("credit") / "credit report.html"
    return run("credit", report, PYTHONHASHSEED="1"), report


@pytest.fixture(scope="module")
def films(tmp_path_factory):
    """Return what the script printed, and the path of its picture."""
    pytest.importorskip("matplotlib")
    picture = tmp_path_factory.mktemp("films") / "arguments.png"
    return run("films", picture, PYTHONHASHSEED="1"), picture


def test_credit_answers_applicant_officer_and_auditor(credit):
    text, report = credit
    told = sections(text)
    n_right, n_new = numbers(r"For (\d+) of (\d+) new applicants", section(told, "The bank"))
    assert n_right > 0.8 * n_new
    (applicant,) = re.findall(r"why (N-\d{3}) is rejected", text)
    file = section(told, "For the officer")
    assert "Prediction for" in file
    assert "rejected" in file
    assert len(set(re.findall("€ a month|% of income|years", file))) >= 2
    letter = section(told, f"For applicant {applicant}")
    assert "would be enough" in letter
    assert not re.search(r"P-\d{3}", letter), "the letter to the applicant names other applicants"
    n_listed, n_found = numbers(
        r"Of the (\d+) most doubtful decisions, (\d+) are slips", section(told, "For the auditor")
    )
    assert n_found >= n_listed / 2  # 400 decisions at random would give less than one
    page = report.read_text(encoding="utf-8")
    assert applicant in page
    assert "Loan applications" in page
    assert str(report) in text


def test_credit_tells_the_same_story_every_time_and_finds_a_place_for_its_report(credit, tmp_path):
    again = run("credit", PYTHONHASHSEED="2", TMPDIR=str(tmp_path), TEMP=str(tmp_path), TMP=str(tmp_path))
    (report,) = tmp_path.glob("*/*.html")
    assert again.splitlines()[:-1] == credit[0].splitlines()[:-1]
    assert again.splitlines()[-1].endswith(str(report))


def test_films_ranks_and_argues(films):
    text, picture = films
    told = sections(text)
    assert "'Zero Hour Express'" in section(told, "What the viewer likes")
    ranking = re.findall(
        r"([A-Z][A-Za-z ]+?) (\d\.\d\d) \(between (\d\.\d\d) and (\d\.\d\d)\)", section(told, "Tonight")
    )
    degrees = [float(degree) for _, degree, _, _ in ranking]
    assert len(degrees) == 5
    assert degrees == sorted(degrees, reverse=True)
    assert all(float(low) <= float(degree) <= float(high) for _, degree, low, high in ranking)
    assert {film for film, *_ in ranking} == {title[5:] for title in told if title.startswith("Why? ")}
    for film, *_ in ranking:
        assert "Prediction for" in section(told, f"Why? {film}")
    lost = section(told, "Why? Ballet of the Tin Soldiers").replace("\n", " ")  # a silent film: nothing compares
    assert any(words in lost for words in ("only as a guess", "the evidence is weak", "Beyond all training rows"))
    assert "such cases" not in lost or "only as a guess" not in lost
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_films_tells_the_same_story_every_time(films):
    assert films[0].startswith(run("films", PYTHONHASHSEED="2"))


@pytest.mark.parametrize("name", [name for name in STORIES if name not in TESTED_BELOW])
def test_story_runs_and_tells_something(name):
    if name in ("ratings", "votes"):
        pytest.importorskip("statsmodels")
    assert len(run(name).splitlines()) >= 3


@pytest.mark.parametrize("name", STORIES)
def test_scripts_are_short_and_open_as_notebooks(name):
    text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 130
    assert re.match(r'"""\n(.+)\n=+\n', text), "a title, for the gallery"
    assert text.endswith("plt.show()\n") or name == "films", "a story ends in a picture"
    assert f"python examples/{name}.py" in text
    assert len(re.findall(r"^# %%$", text, flags=re.MULTILINE)) >= 4


def test_the_folder_tells_of_scripts_that_are_no_stories():
    overview = (FOLDER / "README.rst").read_text(encoding="utf-8")
    for name in PICTURES:
        assert f"{name}.py" in overview, f"examples/README.rst does not mention {name}.py"
