"""``fgac demo``: one fit, one sure prediction and one that is argued both ways, on data that come with scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fgac.cli import options as o

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from fgac.explanation.classification import Argument, Explanation, ModelSummary


def demo(json: o.Json = False) -> None:
    """Train on the wine data of scikit-learn and explain a sure prediction and one that is argued both ways."""
    from fgac._serialize import to_plain
    from fgac.cli.console import output_console, working
    from fgac.cli.json_output import print_json

    with working("training", quiet=False):
        result = run()
    if json:
        print_json(to_plain(result))
        return
    console = output_console()
    console.print(render(result, console))


@dataclass(frozen=True)
class Demo:
    """Everything the demonstration reports."""

    model: ModelSummary
    n_test: int
    n_gammas: int
    n_folds: int
    balanced_accuracy: float
    n_mistakes: int
    sure: Explanation
    contested: Explanation


def run() -> Demo:
    """Fit, score and explain; the same result every time.

    A quarter of the rows is held out, gamma is chosen by cross-validation on the other three quarters only, and the
    two predictions are that of the largest margin, and that of the smallest one which has arguments on both sides.
    """
    import numpy as np
    import polars as pl
    from sklearn.datasets import load_wine
    from sklearn.metrics import balanced_accuracy_score
    from sklearn.model_selection import train_test_split

    from fgac import FGAClassifierCV

    wine = load_wine()
    labels = np.asarray(wine.target_names)[wine.target]
    X_train, X_test, y_train, y_test = train_test_split(
        pl.DataFrame(wine.data, schema=wine.feature_names), labels, test_size=0.25, stratify=labels, random_state=0
    )
    model = FGAClassifierCV().fit(X_train, pl.Series("cultivar", y_train))
    explanations = model.explain(X_test, y=y_test, counterfactuals=True)
    predicted = [item.prediction for item in explanations]
    # A row that one side is silent about makes no good example, unless there is no other.
    contested = [item for item in explanations if item.arguments_for and item.arguments_against] or list(explanations)
    return Demo(
        model=explanations.model,
        n_test=len(explanations),
        n_gammas=len(model.cv_results_["params"]),
        n_folds=model.n_splits_,
        balanced_accuracy=float(balanced_accuracy_score(y_test, predicted)),
        n_mistakes=int(np.sum(predicted != y_test)),
        sure=max(explanations, key=lambda item: item.margin),
        contested=min(contested, key=lambda item: item.margin),
    )


def render(demo: Demo, console: Console) -> RenderableType:
    """Lay out the whole demonstration for a console."""
    from rich.console import Group
    from rich.rule import Rule
    from rich.text import Text

    from fgac.cli.cards import panel
    from fgac.cli.console import key_value_table
    from fgac.text.cards import card_of
    from fgac.text.model_facts import at_most

    model = demo.model
    parts: list[RenderableType] = [
        Text("FGAClassifier on the wine data that come with scikit-learn", style="bold"),
        f"{model.n_rows} training rows, {demo.n_test} held-out rows, {model.n_features} features, "
        f"classes {', '.join(map(str, model.classes))}",
        "",
        key_value_table(
            gamma=f"{model.gamma:g}, best of {demo.n_gammas} by {demo.n_folds}-fold cross-validation on training rows",
            balanced_accuracy=f"{demo.balanced_accuracy:.3f}, "
            f"{demo.n_mistakes} of {demo.n_test} held-out rows are wrong",
            optimal=f"{'proved' if model.is_optimal else 'NOT proved'}: largest violation "
            f"{at_most(model.largest_violation)}, duality gap {at_most(model.duality_gap)}",
        ),
    ]
    for title, item in (
        ("A sure prediction", demo.sure),
        ("The least sure prediction that is argued both ways", demo.contested),
    ):
        heading = Rule(Text(title, style="bold"), align="left", style="dim")
        parts += ["", heading, panel(card_of(item), console), item.text(), "", arguments(item)]
    return Group(*parts, "", Text(FORMULA, style="dim"), "", Text(NEXT, style="dim"))


FORMULA = (
    "strength = max(0, similarity + degree - 1); degree: how much the row is (for), or is not (against), in the "
    "predicted class"
)


NEXT = "With your own table: fgac fit DATA.csv --target COLUMN -o model.fgac, then fgac explain model.fgac NEW.csv"


def arguments(item: Explanation) -> RenderableType:
    """The arguments of both sides, strongest first."""
    from fgac.cli.cards import AGAINST, FOR
    from fgac.cli.console import plain_table

    numbers = ("similarity", "degree", "strength")
    table = plain_table("argues", "row", "its class", *numbers, right=("row", *numbers))
    sides = (("for", FOR, item.arguments_for), ("against", AGAINST, item.arguments_against))
    for side, style, part in sides:
        for argument in part:
            table.add_row(side, *_cells(argument), style=style)
    return table


def _cells(argument: Argument) -> tuple[str, ...]:
    numbers = (argument.similarity, argument.degree, argument.strength)
    return (str(argument.id), str(argument.label), *(f"{number:.3f}" for number in numbers))
