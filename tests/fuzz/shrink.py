"""Make a failing problem small, and write it down as a few lines that fail by themselves."""

from dataclasses import replace

import numpy as np

SIMPLER = (0.0, 1.0, 2.0)


def shrink(case, still_fails, attempts=150):
    """The smallest problem found that still fails: fewer rows, columns and settings, simpler numbers."""
    left = [attempts]

    def accept(candidate):
        if left[0] <= 0:
            return False
        left[0] -= 1
        return still_fails(candidate)

    changed = True
    while changed and left[0] > 0:
        before = case
        for step in (without_rows, without_columns, without_settings, without_weights):
            case = step(case, accept)
        changed = case is not before
    return simpler_numbers(case, accept)


def without_rows(case, accept):
    """Leave out halves, quarters, ... and single rows."""
    size = max(1, len(case) // 2)
    while True:
        start = 0
        while start < len(case) and len(case) > 1:
            keep = np.r_[0:start, min(len(case), start + size) : len(case)]
            candidate = case.take(keep) if len(keep) else case
            if len(keep) and accept(candidate):
                case = candidate
            else:
                start += size
        if size == 1:
            return case
        size //= 2


def without_columns(case, accept):
    """Leave out columns, with what settings say about them."""
    j = 0
    while j < len(case.columns) and len(case.columns) > 1:
        keep = [i for i in range(len(case.columns)) if i != j]
        settings = dict(case.settings)
        for name in ("feature_weights", "monotonic_cst"):
            if isinstance(settings.get(name), list):
                settings[name] = [settings[name][i] for i in keep]
        candidate = replace(case, columns=tuple(case.columns[i] for i in keep), settings=settings)
        if accept(candidate):
            case = candidate
        else:
            j += 1
    return case


def without_settings(case, accept):
    """Leave settings at their defaults; put gamma to 1."""
    for name in list(case.settings):
        needed = name in ("loss", "constraints", "gamma") and case.kind in ("solve", "granular_approximation")
        if name == "cv" or needed or (name == "metric" and case.form == "distances"):
            continue
        candidate = replace(case, settings={k: v for k, v in case.settings.items() if k != name})
        if accept(candidate):
            case = candidate
    if case.settings.get("gamma", 1.0) != 1.0:
        candidate = replace(case, settings=case.settings | {"gamma": 1.0})
        if accept(candidate):
            case = candidate
    if case.large:
        candidate = replace(case, large=False)
        if accept(candidate):
            case = candidate
    names = any(c.dtype == object for c in case.columns)
    for form in () if case.form == "distances" else ("frame",) if names else ("array", "frame"):
        candidate = replace(case, form=form)
        if case.form != form and accept(candidate):
            case = candidate
            break
    return case


def without_weights(case, accept):
    """Let all rows count the same."""
    if case.weight is None:
        return case
    candidate = replace(case, weight=None)
    return candidate if accept(candidate) else case


def simpler_numbers(case, accept):
    """Round numbers to few digits where that changes nothing."""
    for j, column in enumerate(case.columns):
        if column.dtype.kind != "f":
            continue
        for digits in (1, 3):
            rounded = np.array([float(f"{value:.{digits}g}") for value in column], dtype=column.dtype)
            candidate = replace(case, columns=(*case.columns[:j], rounded, *case.columns[j + 1 :]))
            if accept(candidate):
                case = candidate
                break
    for name in ("weight", "answers"):
        values = getattr(case, name)
        if values is not None and values.dtype.kind == "f":
            candidate = replace(case, **{name: np.array([float(f"{value:.2g}") for value in values])})
            if accept(candidate):
                case = candidate
    return case


def written(values):
    """An array as Python text."""
    if isinstance(values, np.ndarray):
        kind = values.dtype
        plain = kind in (np.dtype(float), np.dtype(bool), np.dtype(np.int64)) or kind.kind == "U"
        return f"np.array({values.tolist()!r}" + ("" if plain else f", dtype={str(kind)!r}") + ")"
    if callable(values):
        return f"fuzz.settings.{values.__name__}"
    return repr(values)


def reproducer(case):
    """A problem as a few lines of Python."""
    settings = ", ".join(f"{name}={written(value)}" for name, value in case.settings.items())
    if case.kind in ("solve", "granular_approximation"):
        table = ", ".join(written(column) for column in case.columns)
        head = f"# {case.kind}({settings})\ncolumns = ({table},)"
    elif case.form in ("frame", "categories", "polars"):
        kind = {"frame": "pd.DataFrame", "categories": "own_types", "polars": "pl.DataFrame"}[case.form]
        head = f"X = {kind}({{" + ", ".join(f"'c{j}': {written(c)}" for j, c in enumerate(case.columns)) + "})"
    else:
        head = f"X = {written(case.X())}"
    lines = ["# with fuzz.limits.as_if_large():", head] if case.large else [head]
    lines += [f"y = {written(case.answers)}"]
    weight = "" if case.weight is None else f", sample_weight={written(case.weight)}"
    if case.kind == "path":
        lines.append(f"path = fgac.path(X, y{weight}, {settings})")
    elif case.kind not in ("solve", "granular_approximation"):
        lines.append(f"model = fgac.{case.kind}({settings}).fit(X, y{weight})")
    elif weight:
        lines.append(weight[2:])
    return "\n".join(lines)
