"""The experiments of the paper, run again.

``fgac reproduce`` calls :func:`fgac.experiments.run.reproduce`. Every file here is one noun of an experiment: data sets
(:mod:`~fgac.experiments.data`), the protocol that makes training and test rows of them
(:mod:`~fgac.experiments.protocol`), the methods that are compared (:mod:`~fgac.experiments.methods` as published,
:mod:`~fgac.experiments.ours` as we would compare them), the journal that keeps what is done
(:mod:`~fgac.experiments.journal`) and the run over all of them (:mod:`~fgac.experiments.run`).

What is not needed by the library itself (pandas, imbalanced-learn, matplotlib, scikit-posthocs) is imported where it is
used and comes with ``pip install 'fgac[experiments]'``.
"""
