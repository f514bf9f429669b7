"""fgac plot: every picture of every kind of model, as PNG, SVG and PDF, and what is refused."""

import subprocess
import sys

import polars as pl
import pytest

from fgac import plot
from fgac.cli.pictures import ALL_ROWS, NO_TABLE, PICTURES
from support.command_line import run, words
from support.loans import TARGET, loans

START = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


@pytest.fixture(scope="module")
def plane(tmp_path_factory):
    """A folder with a classifier of two columns of numbers."""
    folder = tmp_path_factory.mktemp("plane")
    pl.DataFrame(
        {"a": [0.0, 0.2, 0.8, 1.0, 0.9, 0.1] * 4, "b": [i / 24 for i in range(24)], "y": list("nnyyyn") * 4}
    ).write_csv(folder / "new.csv")
    run("fit", folder / "new.csv", "-t", "y", "--gamma", "2", "-o", folder / "model.fgac", "-q")
    return folder


@pytest.fixture
def folders(loans_folder, grades_folder, prices_folder):
    """A folder for each kind of model."""
    return {"classes": loans_folder, "ordered classes": grades_folder, "numbers": prices_folder}


def call(name, folder, output, *options, **how):
    """Draw a picture of what the folder holds."""
    table = [] if PICTURES[name].takes == NO_TABLE else [folder / "new.csv"]
    return run("plot", name, folder / "model.fgac", *table, "-o", output, *options, **how)


def test_every_display_can_be_drawn():
    assert sorted(picture.display for picture in PICTURES.values()) == sorted(plot.__all__)


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_of_every_kind(name, folders, plane, tmp_path):
    """Each kind of model that a picture shows; of others, it says which pictures there are."""
    for kind, folder in folders.items():
        suffix = {"classes": ".png", "ordered classes": ".svg", "numbers": ".pdf"}[kind]
        path, options = tmp_path / f"{kind}{suffix}", []
        if "feature" in PICTURES[name].options:
            options = ["--feature", pl.read_csv(folder / "new.csv").columns[1]]
        used = plane if name == "decision-space" and kind == "classes" else folder
        if kind in PICTURES[name].kinds:
            answer = call(name, used, path, *options)
            assert answer.stderr.splitlines()[-1] == f"Drew {name}: {path}"
            assert path.read_bytes().startswith(START[suffix])
        else:
            answer = call(name, used, path, *options, code=2)
            assert f"this one predicts {kind}; for it there are " in words(answer.stderr)
            assert not path.exists()


@pytest.mark.parametrize("suffix", START)
def test_the_same_picture_is_the_same_file(suffix, loans_folder, tmp_path):
    for path in ("one", "two"):
        call("membership", loans_folder, tmp_path / f"{path}{suffix}", "--size", "4x3", "--dpi", "50")
    one, two = ((tmp_path / f"{path}{suffix}").read_bytes() for path in ("one", "two"))
    assert one == two


def test_rows_classes_and_sizes_can_be_chosen(loans_folder, tmp_path):
    frame = loans(12, seed=1)
    label = sorted(set(frame[TARGET]))[0]
    call("argument", loans_folder, tmp_path / "a.svg", "--row", "C003", "--about", label)
    text = (tmp_path / "a.svg").read_text()
    assert "Row C003: predicted" in text
    assert f"membership in {label}" in text
    call("membership", loans_folder, tmp_path / "m.png", "--size", "4x3", "--dpi", "50")
    from matplotlib.image import imread

    assert imread(tmp_path / "m.png").shape[:2] == (150, 200)


def test_many_rows_are_drawn_by_margin(loans_folder, tmp_path):
    run("plot", "membership", loans_folder / "model.fgac", loans_folder / "data.csv", "-o", tmp_path / "m.svg")
    n = len(pl.read_csv(loans_folder / "data.csv"))
    assert (f"Accuracy by margin, of {n} rows" in (tmp_path / "m.svg").read_text()) == (n > 100)


def test_the_list_names_them():
    answer = run("plot", "--list", columns=200)
    lines = answer.stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(PICTURES)
    assert "--feature" in next(line for line in lines if line.startswith("partial-dependence"))


REFUSED = [
    (["pie"], "there is no picture 'pie'; expected one of argument, consistency,"),
    (["membership", "-o", "{out.jpg}"], "expected a name that ends in .png or .svg or .pdf"),
    (["membership", "-o", "{nowhere/out.png}"], "there is no folder"),
    (["membership", "-o", None], "-o FILE is missing: a picture is written to a file that ends in .png, .svg, .pdf"),
    (["membership", "--size", "big"], "--size big: expected width and height in inches, 1 to 60 each, as in 8x5"),
    (["membership", "--size", "0x900"], "--size 0x900: expected width and height"),
    (["membership", "--size", "1x1"], "the picture has no room for what is written on it; give it more, as by --size"),
    (["membership", "--about", "perhaps"], "--about perhaps: there is no such class; expected one of"),
    (
        ["membership", "--feature", "amount"],
        "membership takes no --feature; leave it out. It is for partial-dependence",
    ),
    (["membership", "--row", "C003"], "membership is made of all rows; leave --row out"),
    (["argument", "--row", "C999"], "--row 'C999': there is no such row"),
    (["decision-space"], "decision-space draws the plane of two columns of numbers, and this model compares"),
    (["partial-dependence"], "--feature COLUMN is missing: which column is set to other values?"),
    (["partial-dependence", "--feature", "amout"], "there is no such column; did you mean 'amount'?"),
]


@pytest.mark.parametrize(
    ("arguments", "message"), REFUSED, ids=lambda part: part if isinstance(part, str) else " ".join(map(str, part))
)
def test_what_does_not_suit_is_refused(arguments, message, loans_folder, tmp_path):
    name, *options = arguments
    if "-o" not in options:
        options += ["-o", tmp_path / "out.png"]
    options = [tmp_path / o[1:-1] if str(o).startswith("{") else o for o in options]
    options = [] if None in options else options
    answer = run("plot", name, loans_folder / "model.fgac", loans_folder / "new.csv", *options, code=2)
    assert message in words(answer.stderr)
    assert not (tmp_path / "out.png").exists()


def test_tables_must_be_there_or_not(loans_folder, tmp_path):
    model, table, out = loans_folder / "model.fgac", loans_folder / "new.csv", ["-o", tmp_path / "out.png"]
    assert "leave the table out" in run("plot", "weights", model, table, *out, code=2).stderr
    for name, picture in PICTURES.items():
        if picture.takes == ALL_ROWS and "classes" in picture.kinds:
            assert "is made of all rows of a table; name it" in words(run("plot", name, model, *out, code=2).stderr)
    pl.read_csv(table).drop(TARGET).write_csv(tmp_path / "bare.csv")
    answer = run("plot", "coverage", model, tmp_path / "bare.csv", *out, code=2)
    assert f"coverage compares predictions with '{TARGET}', which the table does not have" in words(answer.stderr)
    run("plot", "membership", model, tmp_path / "bare.csv", *out)


def test_without_matplotlib_it_says_what_to_install(loans_folder, tmp_path):
    code = "import sys; sys.modules['matplotlib'] = None; from fgac.cli import main; main()"
    arguments = ["plot", "weights", str(loans_folder / "model.fgac"), "-o", str(tmp_path / "w.png")]
    answer = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    assert answer.returncode == 2
    assert "fgac plot weights needs matplotlib, which is not installed; run: pip install 'fgac[plot]'" in answer.stderr
