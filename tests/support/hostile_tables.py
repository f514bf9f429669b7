"""A table whose names, classes and cells would command a terminal, if they were printed as they are."""

import re

import polars as pl

# Colour, markup and emoji of rich, a bell, a clearing of the screen, the other direction, and a message of ours.
BAD = "\x1b[31m[bold]:smile:\x07\x9b2J\u202e\u2066\x7f\u2028\r\nerror: forged\t"
# Whatever is shown must not hold these; tabs and line ends are shown where we put them.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
# What rich itself sends to a terminal: colours, and how the cursor moves under a bar.
STYLE = re.compile(r"\x1b\[[\d;?]*[A-Za-z]|\r")


def bad(text):
    """Return a name that holds everything that is bad, around a text; a bad one that ends in space would be trimmed."""
    return f"{BAD}{text}"


def hostile(n=40):
    """Return a table of bad ids, numbers, names and classes in columns of bad names."""
    return pl.DataFrame(
        {
            bad("id"): [bad(i) for i in range(n)],
            bad("size"): [float(i % 13) for i in range(n)],
            bad("colour"): [bad("red") if i % 3 else bad("blue") for i in range(n)],
            bad("class"): [bad("yes") if i % 13 > 6 else bad("no") for i in range(n)],
            bad("price"): [10.0 + i % 13 + i / 100 for i in range(n)],
        }
    )


def write_hostile(folder):
    """Write the table, and the same with mistakes, into a folder; return the paths by their names."""
    table = hostile()
    names = ("data.csv", "data.parquet", "twice.csv", "text.csv", "open.csv", "unseen.csv", "short.csv", "model.fgac")
    paths = {name: folder / bad(name) for name in names}
    table.write_csv(paths["data.csv"])
    table.write_parquet(paths["data.parquet"])
    pl.concat([table, table]).write_csv(paths["twice.csv"])
    table.with_columns(pl.lit(bad("many")).alias(bad("size"))).write_csv(paths["text.csv"])
    table.with_columns(pl.lit(bad("green")).alias(bad("colour"))).write_csv(paths["unseen.csv"])
    table.drop(bad("colour")).write_csv(paths["short.csv"])
    paths["open.csv"].write_text(table.write_csv() + '"' + BAD)
    return paths


def shows_safely(text):
    """Whether a text commands no terminal, forges no line and keeps what stands in brackets."""
    lines = text.splitlines()
    return not (CONTROL.search(text) or any(line.startswith("error: forged") for line in lines) or "😄" in text)
