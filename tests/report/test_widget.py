"""What-if in a notebook: what the widget is given, and what it says where it cannot be."""

import sys

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fgac
from fgac import FGAClassifier
from fgac.report import widget as module
from support.what_if import classes, table

FRAME = table(30, unknown=0.1)


@pytest.fixture(scope="module")
def model():
    return FGAClassifier().fit(FRAME, classes(FRAME, 2))


@pytest.fixture
def without_anywidget(monkeypatch):
    module._widget_class.cache_clear()
    monkeypatch.setitem(sys.modules, "anywidget", None)
    yield
    module._widget_class.cache_clear()


def test_it_begins_with_the_first_row(model):
    widget = fgac.what_if(model, FRAME[:2].assign(size=[10.0, 11.0], town=["Oslo", None]), ids=["a", "b"])
    assert list(widget.values) == list(FRAME)
    assert widget.values["size"] == 10.0
    assert widget.values["town"] == 2  # the number of a category
    assert "what-if-data" in widget._html
    assert 'id="what-if' not in widget._html  # there may be several in a notebook


def test_the_script_can_be_loaded_as_a_module(model):
    script = fgac.what_if(model, FRAME[:1])._esm
    assert "export default" in script
    assert "mountAll();" not in script


def test_without_the_extra_the_error_says_what_to_install(model, without_anywidget):
    with pytest.raises(ImportError, match=r"pip install 'fgac\[widget\]'"):
        fgac.what_if(model, FRAME[:1])


def test_a_pipeline_is_refused(model):
    pipeline = make_pipeline(StandardScaler(), FGAClassifier()).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(TypeError, match="of a Pipeline, give the last step"):
        fgac.what_if(pipeline, [[0.5]])


def test_a_model_that_cannot_be_computed_is_refused():
    model = FGAClassifier(owa="additive").fit(FRAME, classes(FRAME, 2))
    with pytest.raises(ValueError, match="averages over all training rows"):
        fgac.what_if(model, FRAME[:1])


def test_no_rows_are_refused(model):
    with pytest.raises(ValueError, match="0 sample"):
        fgac.what_if(model, FRAME[:0])


def test_of_many_rows_the_first_are_taken():
    X = np.arange(300.0)[:, None]
    model = FGAClassifier().fit(X, X[:, 0] > 100)
    with pytest.warns(UserWarning, match="one of the first 200"):
        assert fgac.what_if(model, X)._html.count("<option") == 200
