"""The paper, written down once more: every definition as a few plain lines, from its text alone.

Nothing here imports ``fgac`` or knows how it computes. Degrees are numbers, fuzzy sets are lists of degrees, relations
are functions or matrices, and maxima are taken over all rows in loops; the training problems go, as the paper prints
them, to general solvers. The tests ``tests/contracts/test_text_*.py`` ask the library for the same numbers.

======================  ===========================================================================================
file                    what it writes down
======================  ===========================================================================================
``connectives``         Section 2.1: t-norms and R-implicators, negators, isomorphisms; Section 4.1: averaging
``relations``           Section 2.2 and 2.5: dominance, similarities, nominal attributes, T-transitivity
``rough_sets``          Section 2.3: approximations, granules, representability; Section 3.2: adjacent granules
``owa``                 Section 2.4 and 6.1: ordered weighted averages and their weights
``losses``              Section 3.1: quantile, absolute and squared loss, on the scale of an isomorphism
``training``            Section 3 and 5: the general, binary and multi-class problems, exact and approximate
``solvers``             linear and quadratic programs, by HiGHS, an active set and Clarabel
``prediction``          Section 4: bounds, averages, decisions, many classes, soft bounds
``arguments``           Section 7.2: strengths of the arguments for and against
``frnn``                Section 2.6 and 6.1: fuzzy rough nearest neighbours
``statistics``          Section 6: ranks, Wilcoxon, Friedman, Holm
``tables``              random small tables with everything that is awkward in them
======================  ===========================================================================================
"""
