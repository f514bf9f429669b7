"""From the state of a fitted model, and rows that its estimator has read, to the values of :mod:`fgac.explanation`.

:mod:`~fgac.explainers.base` ranks training rows, merges near-duplicates and compares features, for all kinds of models;
:mod:`~fgac.explainers.classification`, :mod:`~fgac.explainers.ordinal` and :mod:`~fgac.explainers.regression` say how
strong training rows are as arguments. :mod:`~fgac.explainers.audit` finds training rows that others contradict.
"""
