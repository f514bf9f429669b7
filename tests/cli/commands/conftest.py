"""Folders with a table, new rows and a model of each kind, for tests of the commands."""

import pytest

from fgac import FGAClassifier
from support import house_grades, house_prices
from support.command_line import run
from support.loans import TARGET, loans


def write_tables(folder, table):
    """Write the training table as data.csv, and new rows as new.csv."""
    table().write_csv(folder / "data.csv")
    table(12, seed=1).write_csv(folder / "new.csv")
    return folder


def train(folder, *options):
    """Train model.fgac on data.csv."""
    run("fit", folder / "data.csv", *options, "-o", folder / "model.fgac", "-q")
    return folder


@pytest.fixture(scope="session")
def loans_folder(tmp_path_factory):
    """A folder with data.csv, new.csv and the classifier that was trained on the former."""
    folder = write_tables(tmp_path_factory.mktemp("loans"), loans)
    return train(folder, "-t", TARGET, "--id", "customer", "--gamma", "2")


@pytest.fixture(scope="session")
def loans_model():
    """The same classifier, trained in Python."""
    frame = loans()
    X = frame.drop("customer", TARGET)
    return FGAClassifier(gamma=2.0).fit(X, frame[TARGET], ids=frame["customer"].to_list())


@pytest.fixture(scope="session")
def prices_folder(tmp_path_factory):
    """A folder with data.csv, new.csv and the regressor with an interval that was trained on the former."""
    folder = write_tables(tmp_path_factory.mktemp("prices"), house_prices.houses)
    return train(folder, *house_prices.COMMON, "--interval", "0.8")


@pytest.fixture(scope="session")
def grades_folder(tmp_path_factory):
    """A folder with data.csv, new.csv and the classifier of ordered classes that was trained on the former."""
    folder = write_tables(tmp_path_factory.mktemp("grades"), house_grades.houses)
    return train(folder, *house_grades.COMMON, "--gamma", "3")
