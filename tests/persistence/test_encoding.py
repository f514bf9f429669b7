"""Values of parameters and labels as JSON, and back."""

import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fgac.persistence.encoding import decode, encode
from support.model_files import assert_same

TEXTS = st.text(st.characters(exclude_categories=()), max_size=5)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS


NUMPY = (
    SCALARS.filter(lambda value: isinstance(value, bool | float)).map(np.asarray).map(lambda array: array[()])
    | st.floats(width=32).map(np.float32)
    | st.integers(-128, 127).map(np.int8)
    | st.text(max_size=3).map(np.str_)
)


KEYS = st.booleans() | st.integers() | TEXTS


@given(
    st.recursive(
        SCALARS | NUMPY | st.lists(SCALARS, max_size=4).map(lambda parts: np.array([*parts, None], dtype=object)[:-1]),
        lambda parts: (
            st.lists(parts, max_size=3)
            | st.tuples(parts, parts)
            | st.dictionaries(KEYS, parts, max_size=3)
            | st.dictionaries(TEXTS, parts, max_size=3)
        ),
        max_leaves=8,
    )
)
def test_plain_values_come_back_through_json(value):
    arrays = {}
    text = json.dumps(encode(value, "value", arrays), allow_nan=False)
    assert_same(decode(json.loads(text), arrays), value)
