"""Conclusions of Section 6.2: the versions of FGAC, without and with OWA operators."""

from __future__ import annotations

from collections.abc import Iterator

from fgac.experiments.claims.base import Conclusion, Evidence, alike, all_tested, best_rank, different, stated, tested

VERSIONS = ("mae_supremum", "mae_euclidean", "mse_supremum", "mse_euclidean")
WEIGHTS = ("add", "exp", "invadd")


def about_versions(evidence: Evidence) -> Iterator[Conclusion]:
    """Two losses, two similarities, and parts of the constraints."""
    pairs = [f"nn_{version}" for version in VERSIONS]
    yield Conclusion(
        "nn2_suffices",
        "6.2",
        "Training on 2 % of the constraints predicts as well as training on all of them.",
        f"p = {stated(*pairs)}",
        all_tested(pairs, evidence.printed, [alike] * 4),
        all_tested(pairs, evidence.ours, [alike] * 4),
        note="Wilcoxon, nn100 against nn2, for MAE supremum, MAE Euclidean, MSE supremum, MSE Euclidean.",
    )
    yield Conclusion(
        "versions_differ",
        "6.2",
        "The four versions trained on 2 % of the constraints differ.",
        "p of order 1e-5",
        tested("nn2_differ", evidence.printed, different),
        tested("nn2_differ", evidence.ours, different),
        note="Friedman.",
    )
    columns = [f"nn.{version}_nn2" for version in VERSIONS]
    yield Conclusion(
        "version_ranks",
        "6.2",
        "MSE with the Euclidean similarity has the best average rank of the four.",
        stated(*(f"nn2_rank_{version}" for version in VERSIONS)),
        best_rank(evidence.printed, columns, columns[-1]),
        best_rank(evidence.ours, columns, columns[-1]),
        note="Average ranks of MAE supremum, MAE Euclidean, MSE supremum, MSE Euclidean; equal scores share theirs.",
    )
    yield Conclusion(
        "version_not_best",
        "6.2",
        "It cannot be said with confidence that this version is the best.",
        f"p = {stated('nn2_best')}",
        tested("nn2_best", evidence.printed, alike),
        tested("nn2_best", evidence.ours, alike),
        note="Holm with Wilcoxon. If it does not hold, the version is better than the paper dared to say.",
    )


def about_owa(evidence: Evidence) -> Iterator[Conclusion]:
    """OWA operators in place of extrema."""
    names = [f"{weights}_differ" for weights in WEIGHTS]
    yield Conclusion(
        "owa_differ",
        "6.2",
        "For each kind of OWA weights the four versions differ.",
        f"p = {stated(*names)}",
        all_tested(names, evidence.printed, [different] * 3),
        all_tested(names, evidence.ours, [different] * 3),
        note="Friedman, for additive, exponential, inverse additive weights.",
    )
    for weights in WEIGHTS:
        columns = [f"owa.{version}_{weights}" for version in VERSIONS]
        yield Conclusion(
            f"owa_ranks_{weights}",
            "6.2",
            f"MSE with the Euclidean similarity has the best average rank, OWA weights {weights}.",
            stated(*(f"{weights}_rank_{version}" for version in VERSIONS)),
            best_rank(evidence.printed, columns, columns[-1]),
            best_rank(evidence.ours, columns, columns[-1]),
        )
    for weights in WEIGHTS:
        significant = weights != "exp"
        expected = different if significant else alike
        yield Conclusion(
            f"owa_best_{weights}",
            "6.2",
            f"This version is {'' if significant else 'not '}significantly the best, OWA weights {weights}.",
            f"p = {stated(f'{weights}_best')}",
            tested(f"{weights}_best", evidence.printed, expected),
            tested(f"{weights}_best", evidence.ours, expected),
            note="Holm with Wilcoxon.",
        )
    yield Conclusion(
        "owa_no_help",
        "6.2",
        "OWA operators do not change the performance.",
        f"p = {stated('owa_differ')}",
        tested("owa_differ", evidence.printed, alike),
        tested("owa_differ", evidence.ours, alike),
        note="Friedman, MSE Euclidean: without OWA, additive, exponential, inverse additive.",
    )
