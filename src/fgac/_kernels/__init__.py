"""Compiled hot loops on plain arrays: the only modules that import numba.

They are imported inside the functions that call them, so that ``import fgac``
stays light. Every kernel releases the GIL; threads are put around them by
:mod:`fgac.metrics.tiles`.
"""
