"""Blocks of 64 tails and 64 heads, compared in narrow numbers and whole vectors.

A compiler that is left to itself keeps sums in memory, and gives up vectors where maxima are taken. So the inner loops
are put together from the compiler's own instructions: 64 heads side by side are one vector, which is cut into what
the registers of a processor hold, and the sums of two tails stay in registers while a loop runs over columns.

A row of numbers describes a tail, a column of them a head; :mod:`fgac.solve.screens` makes them. Where compilation is
switched off (``NUMBA_DISABLE_JIT``) :mod:`fgac._kernels.plain_vectors`, which says the same, takes its place.
"""

from __future__ import annotations

from typing import Any

import numba
import numba.extending
from llvmlite import ir
from numba import types
from numba.core import cgutils

from fgac._kernels.layouts import SIZE

# What makes a function of instructions; it has no types.
_instructions: Any = numba.extending.intrinsic

# Tails whose sums are kept in registers at a time.
TOGETHER = 2

_BIT, _INT, _SHORT, _LONG, _SINGLE = (*(ir.IntType(bits) for bits in (1, 32, 16, 64)), ir.FloatType())
_SHORTS, _SINGLES = ir.VectorType(_SHORT, SIZE), ir.VectorType(_SINGLE, SIZE)


def _call(b: Any, name: str, *args: Any, gives: Any = None, fastmath: Any = ()) -> Any:
    """Call one of the compiler's functions; unless told otherwise it gives what its first argument is."""
    kind = ir.FunctionType(gives or args[0].type, [arg.type for arg in args])
    return b.call(cgutils.get_or_insert_function(b.module, kind, name), args, fastmath=fastmath)


def _less(b: Any, number: Any, other: Any) -> Any:
    """``number - other``, or 0 where that is negative."""
    return _call(b, "llvm.usub.sat.v64i16", number, other)


def _larger(b: Any, number: Any, other: Any) -> Any:
    return _call(b, "llvm.umax.v64i16", number, other)


def _smaller(b: Any, number: Any, other: Any) -> Any:
    return _call(b, "llvm.umin.v64i16", number, other)


def _size(number: int) -> Any:
    return ir.Constant(_LONG, number)


def _repeated(b: Any, number: Any, vector: Any) -> Any:
    """A vector of 64 times the same number."""
    none = ir.Constant(vector, ir.Undefined)
    first = b.insert_element(none, number, ir.Constant(_INT, 0))
    return b.shuffle_vector(first, none, ir.Constant(ir.VectorType(_INT, SIZE), [0] * SIZE))


class _Block:
    """What a loop over the columns of a block needs: columns of heads, numbers of tails, and a place for results."""

    def __init__(self, context: Any, b: Any, signature: Any, args: Any, vector: Any) -> None:
        self.b, self.vector = b, vector
        self.align = vector.element.width // 8 if isinstance(vector.element, ir.IntType) else 4
        arrays = [context.make_array(signature.args[k])(context, b, args[k]) for k in range(3)]
        self.tails, self.heads, self.out = (array.data for array in arrays)
        self.width = b.extract_value(arrays[0].shape, 1)

    def _line(self, start: Any, place: Any) -> Any:
        return self.b.bitcast(self.b.gep(start, [self.b.mul(place, _size(SIZE))]), self.vector.as_pointer())

    def head(self, f: Any) -> Any:
        """Column f of all heads."""
        return self.b.load(self._line(self.heads, f), align=self.align)

    def tail(self, i: Any, f: Any) -> Any:
        """Column f of tail i, for every head."""
        place = self.b.add(self.b.mul(i, self.width), f)
        return _repeated(self.b, self.b.load(self.b.gep(self.tails, [place])), self.vector)

    def read(self, i: Any) -> Any:
        """What was written for tail i."""
        return self.b.load(self._line(self.out, i), align=self.align)

    def write(self, i: Any, result: Any) -> None:
        """Write a number of tail i and every head."""
        self.b.store(result, self._line(self.out, i), align=self.align)

    def tails_together(self) -> Any:
        """Loop over all tails; gives the numbers of those that are dealt with together."""
        return cgutils.for_range(self.b, _size(SIZE // TOGETHER))

    def numbers(self, loop: Any) -> list[Any]:
        return [self.b.add(self.b.mul(loop.index, _size(TOGETHER)), _size(k)) for k in range(TOGETHER)]

    def over_columns(self, slots: Any, tails: Any, start: Any, stop: Any, step: int, gap: Any, add: Any) -> None:
        """Let ``add`` put the gap of every column from ``start`` to ``stop`` to the sums of some tails."""
        with cgutils.for_range_slice(self.b, start, stop, _size(step), _LONG) as (f, _):
            for slot, i in zip(slots, tails, strict=True):
                self.b.store(add(self.b, self.b.load(slot), gap(self, i, f)), slot)


def _number_gap(block: Any, i: Any, f: Any) -> Any:
    """How far apart two numbers are."""
    b = block.b
    return _call(b, "llvm.abs.v64i16", b.sub(block.tail(i, f), block.head(f)), ir.Constant(_BIT, 0))


def _excess(block: Any, i: Any, f: Any) -> Any:
    """By how much the number of the tail is above that of the head."""
    return _less(block.b, block.tail(i, f), block.head(f))


def _code_gap(block: Any, i: Any, f: Any) -> Any:
    """What two codes count: nothing if they are equal, else the smaller one of the steps that follow them."""
    b, after = block.b, block.b.add(f, _size(1))
    apart = _smaller(b, block.tail(i, after), block.head(after))
    return b.select(b.icmp_unsigned("!=", block.tail(i, f), block.head(f)), apart, ir.Constant(_SHORTS, [0] * SIZE))


def _compare_heights(add: Any, first: Any, last: Any) -> Any:
    """Make the function that writes how high the pairs of a block are at most, and returns the largest of them.

    Column 0 of tails and heads says how high they are, and how low. Then come numbers, ordered numbers, and codes, each
    followed by the step from it to another code. ``first`` and ``last`` begin and end what ``add`` does in between.
    """

    def compare(typing_context: Any, tails: Any, heads: Any, out: Any, n_numbers: Any, n_ordered: Any) -> Any:
        signature = types.uint16(tails, heads, out, types.int64, types.int64)

        def code(context: Any, b: Any, signature: Any, args: Any) -> Any:
            block = _Block(context, b, signature, args, _SHORTS)
            ordered = b.add(_size(1), args[3])
            codes = b.add(ordered, args[4])
            peak = cgutils.alloca_once_value(b, ir.Constant(_SHORTS, [0] * SIZE))
            slots = [cgutils.alloca_once(b, _SHORTS) for _ in range(TOGETHER)]
            low = block.head(_size(0))
            with block.tails_together() as loop:
                some = block.numbers(loop)
                heights = [_less(b, block.tail(i, _size(0)), low) for i in some]
                for slot, height in zip(slots, heights, strict=True):
                    b.store(first(height), slot)
                block.over_columns(slots, some, _size(1), ordered, 1, _number_gap, add)
                block.over_columns(slots, some, ordered, codes, 1, _excess, add)
                block.over_columns(slots, some, codes, block.width, 2, _code_gap, add)
                for slot, height, i in zip(slots, heights, some, strict=True):
                    result = last(b, height, b.load(slot))
                    block.write(i, result)
                    b.store(_larger(b, b.load(peak), result), peak)
            return _call(b, "llvm.vector.reduce.umax.v64i16", b.load(peak), gives=_SHORT)

        return signature, code

    return compare


@_instructions
def narrow_sums(typing_context: Any, tails: Any, heads: Any, out: Any, n_numbers: Any, n_ordered: Any) -> Any:
    """Heights minus sums of gaps."""
    make = _compare_heights(_less, lambda height: height, lambda b, height, left: left)
    return make(typing_context, tails, heads, out, n_numbers, n_ordered)


@_instructions
def narrow_maxima(typing_context: Any, tails: Any, heads: Any, out: Any, n_numbers: Any, n_ordered: Any) -> Any:
    """Heights minus largest gaps."""
    nothing = ir.Constant(_SHORTS, [0] * SIZE)
    make = _compare_heights(_larger, lambda height: nothing, _less)
    return make(typing_context, tails, heads, out, n_numbers, n_ordered)


@_instructions
def products(typing_context: Any, tails: Any, heads: Any, out: Any) -> Any:
    """Write the inner products of a block of vectors in single precision, and return the smallest."""
    signature = types.float32(tails, heads, out)

    def code(context: Any, b: Any, signature: Any, args: Any) -> Any:
        block = _Block(context, b, signature, args, _SINGLES)
        peak = cgutils.alloca_once_value(b, ir.Constant(_SINGLES, [float("inf")] * SIZE))
        slots = [cgutils.alloca_once(b, _SINGLES) for _ in range(TOGETHER)]
        with block.tails_together() as loop:
            some = block.numbers(loop)
            for slot in slots:
                b.store(ir.Constant(_SINGLES, [0.0] * SIZE), slot)
            with cgutils.for_range(b, block.width) as columns:
                f = columns.index
                for slot, i in zip(slots, some, strict=True):
                    total = _call(b, "llvm.fmuladd.v64f32", block.tail(i, f), block.head(f), b.load(slot))
                    b.store(total, slot)
            for slot, i in zip(slots, some, strict=True):
                result, least = b.load(slot), b.load(peak)
                block.write(i, result)
                b.store(b.select(b.fcmp_ordered("<", result, least), result, least), peak)
        return _call(b, "llvm.vector.reduce.fmin.v64f32", b.load(peak), gives=_SINGLE, fastmath=("nnan",))

    return signature, code


@_instructions
def heads_above(typing_context: Any, heights: Any, i: Any, limit: Any, limits: Any) -> Any:
    """The heads whose height with tail i is above the limit of either, as the bits of a number."""
    signature = types.uint64(heights, types.int64, types.uint16, limits)

    def code(context: Any, b: Any, signature: Any, args: Any) -> Any:
        start, of_heads = (context.make_array(signature.args[k])(context, b, args[k]).data for k in (0, 3))
        line = b.gep(start, [b.mul(args[1], _size(SIZE))])
        height, least = (b.load(b.bitcast(place, _SHORTS.as_pointer()), align=2) for place in (line, of_heads))
        least = _smaller(b, least, _repeated(b, args[2], _SHORTS))
        return b.bitcast(b.icmp_unsigned(">", height, least), _LONG)

    return signature, code


@_instructions
def heads_below(typing_context: Any, numbers: Any, i: Any, of_tail: Any, of_heads: Any) -> Any:
    """The heads whose number with tail i is not above ``limit - s (2 t - s)``, as the bits of a number.

    ``of_tail`` holds the limit, the tail's part p of t, and its s; ``of_heads`` in two lines their part r of t and
    their s. What counts is the smaller s, and t is ``p + r``, or s if that is larger.
    """
    signature = types.uint64(numbers, types.int64, of_tail, of_heads)

    def code(context: Any, b: Any, signature: Any, args: Any) -> Any:
        lines, heads = (context.make_array(signature.args[k])(context, b, args[k]).data for k in (0, 3))
        limit, p, s = (_repeated(b, b.extract_value(args[2], k), _SINGLES) for k in range(3))
        places = b.gep(lines, [b.mul(args[1], _size(SIZE))]), heads, b.gep(heads, [_size(SIZE)])
        number, r, other = (b.load(b.bitcast(place, _SINGLES.as_pointer()), align=4) for place in places)
        s = b.select(b.fcmp_ordered("<", other, s), other, s)
        t = b.fadd(p, r)
        t = b.select(b.fcmp_ordered(">", s, t), s, t)
        limit = b.fsub(limit, b.fmul(s, b.fsub(b.fadd(t, t), s)))
        return b.bitcast(b.fcmp_unordered("<=", number, limit), _LONG)

    return signature, code


@_instructions
def first_bit(typing_context: Any, bits: Any) -> Any:
    """The place of the lowest bit that is set."""

    def code(context: Any, b: Any, signature: Any, args: Any) -> Any:
        return _call(b, "llvm.cttz.i64", args[0], ir.Constant(_BIT, 1))

    return types.int64(types.uint64), code


if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
    from fgac._kernels import plain_vectors as _plain

    narrow_sums, narrow_maxima, products = _plain.narrow_sums, _plain.narrow_maxima, _plain.products
    heads_above, heads_below, first_bit = _plain.heads_above, _plain.heads_below, _plain.first_bit
