"""Changes of model files that keep all check sums right: what a forger who knows the format could write."""

from support.array_changes import OF_ARRAYS
from support.header_changes import LAST, OF_HEADERS
from support.opened_file import Opened, pick, some_array


def mutated(data, rng):
    """Return a model file after one change, or a few, signed again; and the names of the changes."""
    file, told = Opened(data), []
    for _ in range(int(pick(rng, [1, 1, 1, 2, 3, 5]))):
        change = pick(rng, OF_ARRAYS + OF_HEADERS)
        told.append(change.__name__)
        try:
            if change in OF_ARRAYS:
                name = some_array(rng, file)
                if name is not None:
                    change(rng, file, name)
            elif file.places():
                change(rng, file)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            continue  # what an earlier change has broken cannot be changed again in every way
    if rng.random() < 0.05:
        change = pick(rng, LAST)
        change(rng, file)
        told.append(change.__name__)
    return file.signed(), told
