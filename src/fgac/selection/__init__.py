"""Choosing gamma and measuring models on rows that were held out.

``search`` is the part that the three estimators with CV share; ``grid`` scores a list of gammas on ``folds``, which
every kind of model fills in a file of its own, and ``path_scores`` follows labels along the whole gamma path.
``rules`` has one fixed rule of choosing for every kind, ``evaluation`` sets a model beside ``baselines``.
"""
