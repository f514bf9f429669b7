"""What :mod:`fgac._kernels.vectors` computes, said in NumPy: to be read, and where compilation is switched off."""

from __future__ import annotations

from typing import Any

import numpy as np


def _gaps(tails: Any, heads: Any, n_numbers: int, n_ordered: int) -> Any:
    """How far apart tails and heads are in every column."""
    x, y = tails.astype(np.int64)[:, :, None], heads.astype(np.int64)
    split = 1 + n_numbers
    turned = (x[:, 1:split] - y[1:split]).astype(np.int16)
    numbers = abs(turned.astype(np.int64))
    ordered = np.maximum(0, x[:, split : split + n_ordered] - y[split : split + n_ordered])
    x, y = x[:, split + n_ordered :], y[split + n_ordered :]
    codes = np.where(x[:, ::2] == y[::2], 0, np.minimum(x[:, 1::2], y[1::2]))
    return np.concatenate([numbers, ordered, codes], axis=1)


def _heights(reduce: Any, tails: Any, heads: Any, out: Any, n_numbers: int, n_ordered: int) -> Any:
    """Write how high the pairs of a block are at most, and return the largest of these numbers."""
    height = tails[:, :1].astype(np.int64) - heads[0]
    out[:] = np.maximum(0, height - reduce(_gaps(tails, heads, n_numbers, n_ordered), axis=1, initial=0))
    return out.max()


def narrow_sums(*args: Any) -> Any:
    """Heights minus sums of gaps."""
    return _heights(np.sum, *args)


def narrow_maxima(*args: Any) -> Any:
    """Heights minus largest gaps."""
    return _heights(np.max, *args)


def products(tails: Any, heads: Any, out: Any) -> Any:
    """Write the inner products of a block of vectors, and return the smallest."""
    out[:] = tails @ heads
    return out.min()


def heads_above(heights: Any, i: int, limit: int, limits: Any) -> Any:
    """The heads whose height with tail i is above the limit of either, as the bits of a number."""
    return sum(1 << j for j in np.flatnonzero(heights[i] > np.minimum(limit, limits)).tolist())


def heads_below(numbers: Any, i: int, of_tail: Any, of_heads: Any) -> Any:
    """The heads whose number with tail i is not above ``limit - s (2 t - s)``, as the bits of a number."""
    limit, p, s = of_tail
    s = np.minimum(s, of_heads[1])
    limit = limit - s * (2 * np.maximum(p + of_heads[0], s) - s)
    return sum(1 << j for j in np.flatnonzero(~(numbers[i] > limit)).tolist())


def first_bit(bits: Any) -> int:
    """The place of the lowest bit that is set."""
    number = int(bits)
    return (number & -number).bit_length() - 1
