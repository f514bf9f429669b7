"""A model file that is taken apart into its header (JSON) and its arrays, and signed again after it was changed."""

import io
import json
import warnings
import zipfile

import numpy as np

from fgac.persistence import archive
from fgac.persistence.array_files import read_array
from support.model_files import members_of

DTYPES = ["<f8", "<f4", ">f8", "<i8", "<i4", "<i2", "|i1", "|u1", "<u8", "|b1", "<U3", "<M8[D]", "<m8[ns]", "<f2"]
ODD_DTYPES = ["<U0", "|V0", "|V8", "|O", "<c16", "<f16", "<M8", "|S0", "|S4", "<U1000000", "<U2000000", "<M8[9999s]"]


class Opened:
    """A model file that is being changed: its header, its arrays as bytes, and how it will be packed."""

    def __init__(self, data):
        """Take a file apart."""
        self.members = members_of(data)
        self.header = json.loads(self.members.pop("header.json"))
        self.compression, self.twice, self.tail, self.raw = zipfile.ZIP_STORED, None, b"", None
        self.directory = {}

    def signed(self):
        """Return the file with sums that are right."""
        self.header["sha256"] = {name: archive._sha256(part) for name, part in self.members.items()}
        text = json.dumps(self.header).encode() if self.raw is None else self.raw
        file = io.BytesIO()
        with warnings.catch_warnings(), zipfile.ZipFile(file, "w", self.compression) as zipped:
            warnings.simplefilter("ignore")  # of the same name twice
            for name, part in [("header.json", text), *self.members.items()]:
                zipped.writestr(zipfile.ZipInfo(name), part, self.compression)
            if self.twice is not None:
                zipped.writestr(zipfile.ZipInfo(self.twice), b"again")
            zipped.comment = archive._comment(text)
        data = bytearray(file.getvalue())
        start = data.index(b"PK\x01\x02")
        for place, byte in self.directory.items():
            data[start + place % (len(data) - start)] = byte
        return bytes(data) + self.tail

    def array(self, name):
        """Return an array as it is in the file."""
        return read_array(self.members[name], name)

    def put(self, name, array):
        """Replace an array."""
        file = io.BytesIO()
        np.lib.format.write_array(file, array, version=(1, 0), allow_pickle=True)
        self.members[name] = file.getvalue()

    def places(self):
        """Return (holder, key) of every value in the header's model."""
        found, stack = [], [self.header.get("model")]
        while stack:
            holder = stack.pop()
            pairs = holder.items() if isinstance(holder, dict) else enumerate(holder)
            for key, value in pairs:
                found.append((holder, key))
                if isinstance(value, dict | list):
                    stack.append(value)
        return found


def pick(rng, options):
    """Return one of a list."""
    return options[int(rng.integers(len(options)))]


def some_array(rng, file):
    """Return the name of an array, or None if there is none left that can be read."""
    return pick(rng, sorted(file.members)) if file.members else None
