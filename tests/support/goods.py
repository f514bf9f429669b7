"""A table of goods that is read in parts, in every form of text."""

import numpy as np
import polars as pl

N = 40


def goods(n=N, seed=0):
    """Made-up goods; every name has a line break, a comma and a quotation mark in it."""
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "name": [f'No. {i},\n"best"' for i in range(n)],
            "size": rng.random(n).round(3),
            "colour": rng.choice(["red", "blue"], n),
            "sold": rng.choice(["TRUE", "FALSE"], n),
            "y": rng.choice(["good", "bad"], n),
        }
    )


def new(n=N):
    """Return goods without a class."""
    return goods(n, seed=1).drop("y")


def written(kind):
    """The bytes of a CSV file of new rows, in one of the ways to write it."""
    frame = new()
    if kind == "decimal commas":
        frame = frame.with_columns(pl.col("size").cast(pl.String).str.replace(".", ",", literal=True))
        return frame.write_csv(separator=";").encode()
    if kind == "old line ends":
        plain = frame.with_columns(pl.col("name").str.replace_all(r"[\n\"]", ""))
        return plain.write_csv().replace("\n", "\r").encode()
    text = frame.write_csv(
        separator="\t" if kind == "tabs" else ",", quote_style="always" if kind == "quoted" else None
    )
    return b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode() if kind == "byte order mark" else text.encode()


WAYS = ["plain", "tabs", "quoted", "decimal commas", "byte order mark", "old line ends"]


def many(n=60, **changes):
    """CSV text of simple rows, with some cells changed: ``{row from 1: text of the row}``."""
    rows = [f"r{i},0.5,red,TRUE" for i in range(1, n + 1)]
    for row, text in changes.get("at", {}).items():
        rows[row - 1] = text
    return "\n".join(["name,size,colour,sold", *rows, ""])
