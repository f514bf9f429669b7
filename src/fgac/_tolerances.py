"""Tolerances: by how much two numbers may differ and still count as equal, one name for every purpose.

Three facts fix their sizes. A double carries about 16 digits. A solution violates its constraints by at most ``tol``,
1e-10 unless the user says otherwise, relative to the range of the targets. Degrees, strengths and shares lie between 0
and 1. So a degree that has been solved for is known to about ten digits (most of the values below are one digit
coarser), and what has only been added up or multiplied is known to 12 digits or more.

Names in ``_TOL`` are differences (relative ones say so), names in ``_DIGITS`` are decimals to which numbers are rounded
before they are sorted. Thresholds that are a matter of wording, drawing or speed are no tolerances, and stand where
they are used; so do the defaults of parameters called ``tol``.
"""

from __future__ import annotations

# --- Degrees, and what is made of them ---

# Two degrees of membership or similarity that differ by less are equal: ten digits are known, and one is spare.
DEGREE_TOL = 1e-9
# Classes tie if their degrees differ by no more than solved degrees may differ by rounding.
TIE_TOL = DEGREE_TOL
# A lead of this size is no tie even after a thousand times the error that ties allow for: exact numbers of classes that
# are further behind need not be known.
CLEAR_LEAD = 1e3 * TIE_TOL
# The winner of a tie is lifted above the others by so much: more than a double loses near 1 (2e-16), and less than
# any digit that is shown or compared.
TIE_NUDGE = 1e-12
# Classes are put into the order that decides ties by weights and memberships rounded to these digits, so that the order
# of the rows, which changes the last digits of sums, does not change it.
TIE_ORDER_DIGITS = 9
# A training row is an argument if its strength, a difference of two degrees, is larger than their error.
STRENGTH_TOL = DEGREE_TOL
# Arguments are sorted by strengths and distances rounded to these digits, and equal ones by other keys.
STRENGTH_DIGITS = 9
# A training row is contradicted if it has lost more membership (or has moved further from its target, as a share of
# the range of the targets) than the solver's error.
CONFLICT_TOL = 1e-9
# Doubts, and shares of a contradiction, are sums of multipliers, known to more digits than degrees.
CONFLICT_DIGITS = 12
# Doubts of targets are made of values that were solved for, also on folds: they are known to fewer.
DOUBT_DIGITS = 9
# Ranks, shares of the training rows, that differ by less are the same: they are sums of weights divided by their total.
RANK_TOL = 1e-9

# --- What the user gives ---

# Weights of an ordered weighted average may miss a sum of 1 by so much, as decimals that were typed in do.
WEIGHT_SUM_TOL = 1e-9
# Precomputed distances may miss symmetry, and 0 on the diagonal, by this share of the largest (at least of 1): about
# what remains of a distance taken from products of coordinates, which lose half of the 16 digits.
SYMMETRY_TOL = 1e-8
# Whole numbers beyond 2**53 may be rounded to floats by this share of the range of their column: distances are then
# right to as many digits as anyone reads.
ROUNDED_INTEGER_TOL = 1e-6
# Values of an isomorphism may miss 0, 1, their inverse and convexity by so much.
ISOMORPHISM_TOL = 1e-9

# --- Averages, scores and gammas ---

# Weights at the end of an ordered weighted average that sum to less change no average of degrees: a double near 1 is
# rounded by 2^-53.
NEGLIGIBLE_WEIGHT = 2.0**-60
# Cross-validated scores that differ by less are equal: they are means of fractions, and differ by much more or by the
# order in which they were added.
SCORE_TOL = 1e-12
# The same as decimals, for scores that are rounded.
SCORE_DIGITS = 12
# A change of a label along the gamma path is located to this share of gamma: closer changes count as one.
GAMMA_TOL = 1e-7

# --- Sentences and pictures ---

# Differences of degrees, or of numbers relative to their size, that no sentence speaks of.
TEXT_TOL = 1e-9
# Shares of arguments add up to a bound within this, if it is their average at all; other bounds miss it by far.
SHARE_SUM_TOL = 1e-6
# Radii are told with two digits, rounded down: not because of what has been taken off them for ties, this share of one
# that belongs to a lead of 0.001.
RADIUS_TOL = 1e3 * TIE_TOL
# A step of 1, 2 or 5 times a power of ten is not above a number if it exceeds it by this share only: both are products
# of a few factors.
ROUND_NUMBER_TOL = 1e-12
# The same for ticks at the ends of an axis, which come from gammas that were solved for.
TICK_TOL = 1e-9

# --- The solver ---

# A proof of optimality holds if no part of it misses by more than this share of its scale, unless asked otherwise: ten
# times what the solver is asked for.
PROOF_TOL = 1e-9
# Rounding of distances below this share of that tolerance needs no closer look.
SLIGHT_ROUNDING = 0.05

# A multiplier below 0 by no more than this share of the weight of its nodes is rounding: a hundredth of what a proof
# may miss by.
FLOW_TOL = 1e-11
# A few roundings to single precision change a number by less than this share of it.
SINGLE_TOL = 1e-6
# A node of least deviations is free to move if its flow is within this share of the smallest weight of its limits.
FACE_TOL = 1e-9
# Nearly tight pairs are sought within a bar that is lowered in steps; below this it is 0.
NEAR_PAIR_TOL = 1e-9
# What a cut of a column gains, as a share of what there is without it or with another cut, is rounding below this.
GAIN_TOL = 1e-12
# Rows of a tree whose variance, or whose chance to be of two classes, is below this have nothing to be told apart by:
# numbers are from 0 to 1.
PURE_TOL = 2.0**-52
# The minimum of a smooth loss is where its slope, per unit of weight, is below this: Newton's steps end far below.
GRADIENT_TOL = 1e-9
# Losses of models on rows they have not seen that differ by a smaller share are equal.
LOSS_TOL = 1e-9
# Distances that differ by less, relative to the larger, are equally near: sums of squares in another order.
EQUAL_DISTANCE_TOL = 1e-12
# A fraction of all rows that misses a whole number of them by this share is that number: the fraction is a decimal, and
# the number of rows may be a sum of weights.
WHOLE_PLACES_TOL = 1e-12
# Along the gamma path every distance is lengthened by at most this share of itself, so that no two events coincide:
# less than any breakpoint is asked to be exact, more than the rounding of a distance.
EVENT_SPREAD = 1e-12
# A pair that is no candidate may be violated by a few times that.
CANDIDATE_TOL = 4e-12
# Where rounding makes the path turn in a circle, gamma falls by this share at once.
PATH_STEP = 1e-10
# Where the path is solved anew, what counts as violated: next to nothing, for the path itself adds no error then.
PATH_START_TOL = 1e-15
# Values, flows and gaps this small are rounding; an event of the path that is left out for it costs no more.
PATH_EVENT_TOL = 1e-13

# --- The paper's experiments ---

# Classes whose scores agree to these digits tie, and the first of them is predicted, as in the paper.
TIE_DIGITS = 9
# Training rows whose distances agree to these digits are equally near.
EQUAL_DISTANCE_DIGITS = 12
# Scores of a table, means of a few fractions, differ by much more than this or by rounding.
TABLE_SCORE_TOL = 1e-9
TABLE_SCORE_DIGITS = 9
# Differences of printed scores are multiples of 0.001; a limit on them is met within this.
PRINTED_TOL = 1e-9
