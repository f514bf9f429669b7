"""What the paper says and the library does not do yet: strict marks, so that one hears of it as soon as it does.

Set ``IS_PENDING`` to False to run these tests like all others; then the marks can go.
"""

import pytest

IS_PENDING = True


def pending(reason):
    """Return the mark of a test, or of a setting, that is known to fail for a reason."""
    return pytest.mark.xfail(IS_PENDING, reason=reason, strict=True)


SIMILARITY = pending("max(1 - gamma d, 0) is not transitive for t-norms whose phi is not convex; phi^-1 of it would be")
SCALE_OF_PHI = pending("where phi is flat, rounding exceeds a tolerance that is not on its scale")
AMONG_ALL = pending("the most similar rows are not counted among all rows")
WHOLE_FRACTIONS = pending("a fraction that is a whole number of rows loses one of them by rounding")
SOFT_PREORDERS = pending("soft bounds are refused for preorders")
OVER_ALL = pending("averages run within classes, not over all rows")
