"""Checks of scikit-learn that hand over what a setting is not for, with the reason."""

NO_DISTANCES = "the check hands over a matrix that is no matrix of distances"
WITH_DISTANCES = dict.fromkeys(
    [
        "check_classifiers_one_label_sample_weights",  # random numbers, not symmetric
        "check_class_weight_classifiers",  # a kernel, largest on the diagonal
        "check_decision_proba_consistency",  # coordinates, not square
    ],
    NO_DISTANCES,
)
