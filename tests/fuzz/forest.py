"""The optimum of least squares, from nothing but which constraints are tight, in extended precision.

Tight constraints form trees. Within a tree values differ by the bounds along its edges, and their weighted mean is that
of the targets; the multiplier of an edge is what the targets on one side of it pull. No digits of the published
multipliers are needed, which light rows between heavy ones lose.
"""

import numpy as np

from fuzz.geometry import Long


def forest_faults(exact, solution, slack):
    """What is wrong with values and the signs of multipliers, given the tight constraints; an empty text if nothing."""
    tail, head = (np.asarray(part) for part in solution.active[:2])
    bounds = exact.active_bounds(solution.active)
    if not np.isfinite(bounds).all():
        return "an active pair is not constrained"
    neighbours = [[] for _ in exact.targets]
    for e, (u, v) in enumerate(zip(tail.tolist(), head.tolist(), strict=True)):
        neighbours[u].append((v, -bounds[e], 1))
        neighbours[v].append((u, bounds[e], -1))
    # Around their middle, targets far from 0 leave their digits to what differs.
    middle = (exact.targets.min() + exact.targets.max()) / 2
    all_targets, all_values = exact.targets - middle, np.asarray(solution.values, dtype=Long) - middle
    seen = np.zeros(len(exact.targets), dtype=bool)
    worst = least = Long(0)
    for root in range(len(exact.targets)):
        if not seen[root]:
            order, parent, offset, sign = walk(root, neighbours, seen)
            weights, targets = exact.weights[order], all_targets[order]
            values = offset + (weights * (targets - offset)).sum() / weights.sum()
            worst = max(worst, np.abs(all_values[order] - values).max())
            least = min(least, least_flow(parent, sign, weights, targets - values))
    if not worst <= slack:
        return f"values are off by {float(worst):.2e} from those of the tight constraints"
    return "" if least >= -slack else f"a multiplier is negative: {float(least):.2e} of the weight it moves"


def walk(root, neighbours, seen):
    """The nodes of a tree from its root on: their parents, offsets from the root, and the ways of their edges."""
    order, parent, offset, sign = [root], [-1], [Long(0)], [0]
    seen[root] = True
    for i, node in enumerate(order):  # the list grows as it is walked
        for other, step, way in neighbours[node]:
            if not seen[other]:
                seen[other] = True
                order.append(other)
                parent.append(i)
                offset.append(offset[i] + step)
                sign.append(-way)
    return np.array(order), parent, np.array(offset, dtype=Long), sign


def least_flow(parent, sign, weights, pulls):
    """The smallest multiplier of a tree, as a share of the weight on the lighter side of its edge; 0 at most."""
    pulled, held = weights * pulls, weights.copy()
    total, least = weights.sum(), Long(0)
    for i in range(len(parent) - 1, 0, -1):
        pulled[parent[i]] += pulled[i]
        held[parent[i]] += held[i]
        rounding = 1e-18 * total
        least = min(least, (sign[i] * pulled[i] + rounding) / min(held[i], max(total - held[i], rounding)))
    return least
