"""The types of which fitted models are made, for stores that load only types which they are told to trust.

skops, and mlflow, which uses it, keep the objects themselves rather than what they know. Give them this list::

    skops.io.load("model.skops", trusted=TRUSTED_TYPES)
    mlflow.sklearn.save_model(model, "model", skops_trusted_types=TRUSTED_TYPES)

All of them are values of this package: arrays, numbers and names, and functions that compute with them. What else
parameters hold (a metric or a splitter, say) is the user's to trust.
"""

from __future__ import annotations

TRUSTED_TYPES = [
    "fgac.estimators._spread.Spread",
    "fgac.estimators._state.ClassifierState",
    "fgac.estimators._state.OrdinalState",
    "fgac.estimators._state.RegressorState",
    "fgac.estimators._training.Header",
    "fgac.estimators.classifier.FGAClassifier",
    "fgac.estimators.frnn.FRNNClassifier",
    "fgac.estimators.frnn.RoughState",
    "fgac.estimators.ordinal.FGAOrdinalClassifier",
    "fgac.estimators.regressor.FGARegressor",
    "fgac.explanation.held_out.HeldOut",
    "fgac.fuzzy.isomorphisms.Isomorphism",
    "fgac.fuzzy.isomorphisms._Power",
    "fgac.fuzzy.isomorphisms._same",
    "fgac.granular.calibration.Calibration",
    "fgac.granular.dissimilarity.Dissimilarity",
    "fgac.granular.extension.Extension",
    "fgac.granular.membership.GranularModel",
    "fgac.granular.owa_bounds.OwaBounds",
    "fgac.granular.predictor.ClassPredictor",
    "fgac.granular.rank_weights.SmoothRanks",
    "fgac.granular.rank_weights.SpreadRanks",
    "fgac.granular.rank_weights.WholeRanks",
    "fgac.granular.rough_neighbours.RoughModel",
    "fgac.metrics.angular.Angular",
    "fgac.metrics.distances.Blockwise",
    "fgac.metrics.distances.Coordinates",
    "fgac.metrics.distances.Precomputed",
    "fgac.metrics.distances.Rows",
    "fgac.query.envelope.Envelope",
    "fgac.selection.choice.GammaChoice",
    "fgac.selection.classifier_cv.FGAClassifierCV",
    "fgac.selection.ordinal_cv.FGAOrdinalClassifierCV",
    "fgac.selection.regressor_cv.FGARegressorCV",
    "fgac.solve.problem.Pairs",
    "fgac.solve.solution.Solution",
    "fgac.tables.columns.Column",
    "fgac.tables.scores.Score",
    "fgac.tables.table.Table",
    "fgac.tables.targets.TargetScale",
    "fgac.tables.training_rows.TrainingRecords",
]
