"""Compiled hot loops on plain arrays: the only modules that import numba.

``_kernels/x.py`` is the compiled half of the module ``x`` of :mod:`fgac.metrics`, :mod:`fgac.query`, :mod:`fgac.solve`
or :mod:`fgac.experiments`. Kernels are imported inside the functions that call them, so that ``import fgac`` stays
light; only :mod:`fgac._kernels.layouts`, what both halves share, does without numba and may be imported early. Every
kernel releases the GIL; threads are put around them by :mod:`fgac.metrics.tiles`.

numba keeps compiled loops in ``__pycache__`` and compiles them again when their own file changes. It does not see
changes of what that file imports: after changing an inlined function of :mod:`fgac._kernels.lists` or a number of
:mod:`fgac._kernels.layouts` or :mod:`fgac._tolerances`, delete the caches.
"""
