"""Model files at the limits of what is declared: every number as small or as large as it may be.

Random changes are mostly refused. These go the other way: they follow the declaration itself, put single numbers and
whole arrays of a model to the ends of their ranges, and mend what relates them, so that most of the files are read.
"""

import io

import numpy as np

from fgac.fuzzy.isomorphisms import power
from fgac.persistence import archive, limits
from fgac.persistence.declarations import MODELS
from fgac.persistence.encoding import Decoder, encode
from fgac.persistence.schema import Many, Maybe, Record, Tuple
from fgac.persistence.schema_values import Array, Choice, Flag, Kind, Number, Whole
from fgac.tables.targets import TargetScale
from support.opened_file import Opened, pick


def leaves(declared, parts, holder=None, key=None):
    """Yield (declaration, holder, key) of every single value and array that a declaration speaks of."""
    if isinstance(declared, Record):
        for name, part in declared.parts.items():
            if name in parts:
                yield from leaves(part, parts[name], parts, name)
    elif isinstance(declared, Maybe):
        if parts is not None:
            yield from leaves(declared.part, parts, holder, key)
    elif isinstance(declared, Many) and isinstance(parts, list):
        for place, part in enumerate(parts):
            yield from leaves(declared.part, part, parts, place)
    elif not isinstance(declared, Many | Tuple):
        yield declared, holder, key


def extreme(rng, declared, value):
    """Return another value that is as declared, at an end of its range; the same if there is no range."""
    if isinstance(declared, Number):
        low, high = float(declared.low), float(declared.high)
        if declared.between:
            low, high = float(np.nextafter(low, high)), float(np.nextafter(high, low))
        return pick(rng, [low, high, 0.5 * low + 0.5 * high])
    if isinstance(declared, Whole):
        return pick(rng, [declared.low, min(declared.high, 2**40)])
    if isinstance(declared, Choice):
        return pick(rng, declared.options)
    if isinstance(declared, Flag):
        return not value
    if isinstance(declared, Kind):
        return power(float(pick(rng, limits.EXPONENT)))
    if isinstance(declared, Array) and value.size:
        return extreme_array(rng, declared, value)
    return value


def extreme_array(rng, declared, value):
    """Return an array with some or all entries at the ends of the range."""
    # Of numbers of any size, those that are still apart by less than the range of targets may be.
    low, high = max(declared.low, -limits.TARGET_WIDTH / 2), min(declared.high, limits.TARGET_WIDTH / 2)
    if value.dtype.kind == "i":
        return rng.permutation(value.ravel()).reshape(value.shape)
    chosen = np.array([low, high, 0.5 * low + 0.5 * high])[rng.integers(0, 3, value.shape)]
    some = rng.random(value.shape) < pick(rng, [0.2, 1.0])
    # Where there is nothing, as for rows of weight 0, there stays nothing.
    return np.where(some & np.isfinite(value), chosen, value)


def mended(parts):
    """Make parts agree again that follow from one another."""
    for model in parts.get("boundaries", [parts]):
        if "boundaries" in parts:
            model["table"] = parts["table"]
        if model["table"] is not None:
            columns = [column for column in model["table"]["columns"] if column["categories"] is not None]
            mismatch = [float(column["weight"]) * model["table"]["unit"] for column in columns]
            model["rows"]["mismatch"] = np.array(mismatch, dtype=np.float64)
        else:
            model["rows"]["numeric"] = np.abs(model["rows"]["numeric"])
        if "targets" in model:
            model["scale"] = vars(TargetScale.of(model["targets"]))
        if model["rows"]["facing"] is not None:
            facing = np.ones(len(model["rows"]["facing"]))
            facing[model["model"]["starts"][1] if "model" in model else len(facing) :] = -1.0
            model["rows"]["facing"] = facing
    return parts


def at_limits(data, rng):
    """Return a model file with some of its numbers at the ends of their ranges, and the names of these."""
    file = Opened(data)
    arrays = {name.removesuffix(".npy"): file.array(name) for name in file.members}
    parts = Decoder(arrays).value({"dict": file.header["model"]})
    kind = parts.pop("kind", "classifier")
    found = [leaf for leaf in leaves(MODELS[kind], parts) if leaf[2] not in ("kind", "is_constant", "direction")]
    told = []
    for place in rng.permutation(len(found))[: int(pick(rng, [1, 2, 3, 5, 10, 40]))]:
        declared, holder, key = found[place]
        holder[key] = extreme(rng, declared, holder[key])
        told.append(str(key))
    new = {}
    plain = {name: encode(part, name, new) for name, part in {"kind": kind, **mended(parts)}.items()}
    packed = io.BytesIO()
    archive.write_archive(packed, archive.pack(plain, new, note="", notes=file.header["notes"]))
    return packed.getvalue(), told
