"""Compiled hot loops on plain arrays: the only modules that import numba.

``_kernels/x.py`` is the compiled half of the module ``x`` of :mod:`fgac.metrics`, :mod:`fgac.query`, :mod:`fgac.solve`
or :mod:`fgac.experiments`. Kernels are imported inside the functions that call them, so that ``import fgac`` stays
light; only :mod:`fgac._kernels.layouts`, what both halves share, does without numba and may be imported early. Every
kernel releases the GIL; threads are put around them by :mod:`fgac.metrics.tiles`.

A loop is compiled when it is first called, for the types of its arguments, and kept for later processes: where, and
when that is out of date, is told in :mod:`fgac._kernels.caching`. The decorators are in
:mod:`fgac._kernels.compiling`. Seconds of compilation grow with the text of a loop and of all that is inlined into it,
with the number of arrays that are handed to a function in tuples, and with every further combination of types: callers
always pass contiguous arrays of the same types.
"""
