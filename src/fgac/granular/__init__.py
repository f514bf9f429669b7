"""The paper's training problem and prediction on arrays, without scikit-learn.

``nodes``
    The distinct training rows that everything below is about.
``training``
    The problem whose solution is beta, the membership of every row in its own class.
``membership``
    Bounds of memberships of new rows, the arguments behind them, and how ties between classes are broken.
``owa_bounds``
    The same bounds as ordered weighted averages over all training rows.
``rough_neighbours``, ``rank_weights``
    Fuzzy rough nearest neighbours: both approximations of every class at new rows, and how much each rank counts.
``predictor``
    Classes of new rows, by either kind of bounds.
``boundaries``
    Ordered classes: memberships above every boundary between two classes, and what follows for the classes.
``extension``
    Bounds and predictions of numbers: the largest and the smallest Lipschitz function through fitted values.
``judged``
    Predictions with what they rest on: which are guesses, and how strong the strongest arguments are.
``dissimilarity``
    The metric with which all of these work on the scale of an isomorphism.
``approximation``
    The general problem: the granular approximation of any fuzzy set.
"""
