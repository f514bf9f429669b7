"""The one error of model files: for whoever looks into a file, and for whoever writes one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class ModelFileError(ValueError):
    """A file that is no whole model file, or a model that a file cannot hold.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from fgac import load_model
    >>> from fgac.persistence import ModelFileError
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "nothing.fgac")
    ...     _ = path.write_text("not a model")
    ...     try:
    ...         load_model(path)
    ...     except ModelFileError as error:
    ...         print("refused")
    refused
    """


@contextmanager
def as_model_file_error(path: str | Path) -> Iterator[None]:
    """Turn whatever broken bytes make zipfile and json say into one kind of error, a line that names the file."""
    try:
        yield
    except ModelFileError as error:
        raise ModelFileError(f"{path} {error}") from None
    except Exception as error:
        told = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise ModelFileError(
            f"{path} is damaged or cut short ({told}); expected a whole file that fgac.save_model wrote: copy the "
            "file again, or save the model again"
        ) from error
