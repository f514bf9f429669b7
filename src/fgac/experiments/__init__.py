"""The experiments of the paper, run again.

``fgac reproduce`` calls :func:`fgac.experiments.running.run.reproduce`. Every folder here is one stage of an
experiment: ``datasets`` reads and downloads them, ``methods`` has the protocol that makes training and test rows, and
what is compared (``published`` as published, ``ours`` as we would compare it), ``running`` runs all of them and keeps
a journal of what is done, ``results`` sets the numbers beside the published ones, ``claims`` checks the paper's
conclusions, and ``report`` writes it all down.

What is not needed by the library itself (pandas, imbalanced-learn, matplotlib, scikit-posthocs) is imported where it is
used and comes with ``pip install 'fgac[experiments]'``.
"""
