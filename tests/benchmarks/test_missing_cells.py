"""Cells that are taken out and filled in for the benchmark of missing cells, and its bars."""

import json

import numpy as np
import pandas as pd
import pytest

import imputing
import missing_page


def mixed(n=400):
    """Return numbers and categories that go together, and three classes."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, n)
    frame = pd.DataFrame({"a": y + 0.1 * rng.random(n), "b": 10.0 * y, "c": pd.Categorical(np.array(list("xyz"))[y])})
    return frame, y


@pytest.mark.parametrize("by_class", [False, True])
def test_the_share_of_removed_cells(by_class):
    frame, y = mixed()
    cut = imputing.remove_cells(frame, y, 0.3, by_class=by_class, seed=1)
    assert cut.isna().to_numpy().mean() == pytest.approx(0.3, abs=0.05)
    assert cut.dtypes.tolist() == frame.dtypes.tolist()
    shares = cut.isna().mean(axis=1).groupby(y).mean()
    assert (shares.max() - shares.min() > 0.4) == by_class
    left = cut.notna()
    pd.testing.assert_frame_equal(cut.where(left), frame.where(left))


@pytest.mark.parametrize("name", imputing.imputers())
def test_known_cells_stay_and_unknown_ones_are_filled(name):
    frame, y = mixed()
    cut = imputing.remove_cells(frame, y, 0.1, by_class=False, seed=0)
    filled = imputing.imputers()[name](0).fit(cut[:300]).transform(cut[300:])
    assert not filled.isna().to_numpy().any()
    assert filled.dtypes.tolist() == frame.dtypes.tolist()
    for column in frame:
        known = cut[300:][column].notna()
        if column == "c":
            assert (filled[column][known] == cut[300:][column][known]).all()
        else:
            np.testing.assert_allclose(filled[column][known], cut[300:][column][known])


@pytest.mark.parametrize("name", ["kNN", "iterative"])
def test_what_goes_together_is_filled_in_together(name):
    frame, y = mixed()
    frame = frame[y != 1].reset_index(drop=True)  # two classes: iterations are linear
    cut = frame.copy()
    cut.loc[::10, "c"] = None
    filled = imputing.imputers()[name](0).fit(cut).transform(cut)
    assert (filled["c"][::10] == frame["c"][::10]).mean() > 0.95


def test_bars_compare_with_the_best_imputer(tmp_path):
    path = tmp_path / "lines.jsonl"
    scores = {missing_page.NATIVE: 0.800, "median": 0.804, "kNN": 0.7}
    situations = [("t", missing_page.AS_IT_COMES), ("d", "10 % at random")]
    with path.open("w", encoding="utf-8") as file:
        for model, score in scores.items():
            for data, situation in situations:
                worse = 0.002 * (data == "d" and model == missing_page.NATIVE)
                line = {"data": data, "situation": situation, "seed": 0, "model": model, "setting": "light"}
                print(json.dumps(line | {"score": score - worse, "commit": "abc"}), file=file)
    found = missing_page.bars(missing_page.read([path], "light"))
    assert [bar.met for bar in found] == [True, True, False, None]
    assert found[2].measured == "0.7980 against 0.8040 (median)"
    assert "abc" in missing_page.text([path], "light", {"cv": 3})
