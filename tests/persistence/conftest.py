"""What the tests of model files share."""

import pytest

from fgac.persistence import ModelFileError, load_model


@pytest.fixture
def refused(tmp_path):
    """Return a function that loads bytes and returns the message of the error."""

    def load(data, match=None):
        path = tmp_path / "model.fgac"
        path.write_bytes(data)
        with pytest.raises(ModelFileError, match=match) as caught:
            load_model(path)
        assert str(caught.value).startswith(f"{path} ")
        return str(caught.value)

    return load
