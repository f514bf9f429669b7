"""Data sets of the experiments: what files must hold, and how they are downloaded."""

import hashlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from fgac.experiments.datasets import files as data
from fgac.experiments.datasets.download import CONTENTS, DownloadError, File, download

pytest.importorskip("pandas")

TOY = "Size(R),Age(I),Hue(N),Class(N)\n1.5,10,blue,no\n2.5,30,red,yes\n0.5,20,NA,no\n"


def write(folder, name, text):
    (folder / name).write_text(text)
    return folder / name


def test_a_file_becomes_numbers_categories_and_classes(tmp_path):
    """Numeric columns come first, in alphabetical order; nothing is taken for a missing value."""
    toy = data.read(write(tmp_path, "toy3(1_1_1)2.csv", TOY))
    assert toy.name == "toy"
    assert list(toy.frame.columns) == ["Age", "Size", "Hue"]
    assert toy.nominal == ("Hue",)
    assert list(toy.frame["Hue"]) == ["blue", "red", "NA"]
    assert toy.labels == ("no", "yes")
    assert toy.y.tolist() == [0, 1, 0]
    # Age, Size, then NA, blue, red.
    np.testing.assert_array_equal(toy.encoded(), [[10, 1.5, 0, 1, 0], [30, 2.5, 0, 0, 1], [20, 0.5, 1, 0, 0]])


def test_classes_that_are_numbers_are_sorted_as_numbers(tmp_path):
    """Class 10 comes after class 9, so "first class wins" means what it did in the published runs."""
    toy = data.read(write(tmp_path, "toy3(1_0_0)3.csv", "A(R),Class(N)\n1,10\n2,9\n3,-1\n"))
    assert toy.labels == ("-1", "9", "10")
    assert toy.y.tolist() == [2, 1, 0]


def test_headers_without_suffix_are_numbers(tmp_path):
    """As in the published file of iris."""
    toy = data.read(write(tmp_path, "toy2(1_0_0)2.csv", "A1,D\n1,x\n2,y\n"))
    assert toy.nominal == ()
    assert toy.frame["A1"].tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("toy4(1_1_1)2.csv", "holds 3 rows, but its name says 4"),
        ("toy3(1_1_0)2.csv", "holds 3 columns, but its name says 2"),
        ("toy3(1_1_1)3.csv", "holds 2 classes, but its name says 3"),
        ("toy.csv", "does not name its contents"),
    ],
)
def test_files_that_break_their_promise_are_refused(tmp_path, name, message):
    """A file that was cut must not give results."""
    with pytest.raises(ValueError, match=message):
        data.read(write(tmp_path, name, TOY))


@pytest.mark.parametrize(("value", "message"), [("?", "is to hold numbers"), ("inf", "missing or infinite")])
def test_columns_that_break_their_promise_are_refused(tmp_path, value, message):
    """The column and the file are named."""
    path = write(tmp_path, "toy2(1_0_0)2.csv", f"Size(R),Class(N)\n1,x\n{value},y\n")
    with pytest.raises(ValueError, match=message) as error:
        data.read(path)
    assert "Size(R)" in str(error.value)
    assert path.name in str(error.value)


def test_missing_files_are_named(tmp_path):
    """All at once, by their file names; balance needs none."""
    with pytest.raises(FileNotFoundError) as error:
        data.load(tmp_path)
    message = str(error.value)
    assert "17 of 18 data sets are missing" in message
    assert "pima768(8_0_0)2.csv" in message
    assert "balance" not in message
    assert "--download" in message


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no folder .*nowhere"):
        data.load(tmp_path / "nowhere")


def test_two_files_of_one_data_set_are_refused(tmp_path):
    """Which of them is meant?"""
    write(tmp_path, "toy3(1_1_1)2.csv", TOY)
    write(tmp_path, "toy3(0_2_1)2.csv", TOY)
    with pytest.raises(ValueError, match="two files of 'toy'"):
        data.find(tmp_path)


def test_other_files_are_left_alone(tmp_path):
    write(tmp_path, "toy3(1_1_1)2.csv", TOY)
    write(tmp_path, "README.md", "x")
    write(tmp_path, "notes.csv", "x")
    assert list(data.find(tmp_path)) == ["toy"]


def test_balance_is_a_formula():
    """The definition, told once more: every combination once, and who is heavier decides."""
    scale = data.balance()
    rows = scale.frame[["Left-weight", "Left-distance", "Right-weight", "Right-distance"]].to_numpy()
    assert len({tuple(row) for row in rows}) == 625
    assert {value for row in rows for value in row} == {1.0, 2.0, 3.0, 4.0, 5.0}
    for (weight, distance, other_weight, other_distance), code in zip(rows, scale.y, strict=True):
        left, right = weight * distance, other_weight * other_distance
        assert scale.labels[code] == ("L" if left > right else "R" if left < right else "B")


def test_balance_is_equal_to_its_file(data_folder):
    """Row by row: the folds depend on the order."""
    made, (read,) = data.balance(), data.load(data_folder, ("balance",))
    assert made.frame.equals(read.frame)
    np.testing.assert_array_equal(made.y, read.y)
    assert made.labels == read.labels


def test_balance_stands_in_for_its_missing_file(tmp_path):
    (scale,) = data.load(tmp_path, ("balance",))
    assert scale.name == "balance"


def test_all_published_files_can_be_read(data_folder):
    """Those of the tests have the published checksums, and hold what their names say."""
    tables = data.load(data_folder)
    assert [table.name for table in tables[:18]] == list(data.PAPER)
    for table in tables:
        file = CONTENTS[table.name]
        found = (data_folder / data.FILES[table.name]).read_bytes()
        assert (len(found), hashlib.sha256(found).hexdigest()) == file, table.name
        assert table.encoded().shape[0] == len(table.y)


def test_damaged_files_are_those_that_lost_their_points(data_folder):
    """Ages of 245 years: the note of the report is true."""
    (crx,) = data.load(data_folder, ("crx",))
    assert crx.frame["A2"].max() > 150
    assert all(name in data.DAMAGE for name in data.DAMAGED)


PIMA, IRIS = "pima768(8_0_0)2.csv", "iris150(4_0_0)3.csv"


class Server(ThreadingHTTPServer):
    """Serves ``files`` by name; ``broken`` says how many times each is cut or refused before it is served whole."""

    daemon_threads = True

    def __init__(self, files):
        super().__init__(("127.0.0.1", 0), Answers)
        self.files, self.broken, self.asked, self.status = files, {}, [], 503
        names = {"pima": PIMA, "iris": IRIS}
        self.contents = {
            name: File(len(files[file]), hashlib.sha256(files[file]).hexdigest()) for name, file in names.items()
        }

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/data"


class Answers(BaseHTTPRequestHandler):
    def do_GET(self):
        from urllib.parse import unquote

        name = unquote(self.path).rsplit("/", 1)[-1]
        self.server.asked.append(name)
        body = self.server.files.get(name)
        how = self.server.broken.get(name, [])
        fault = how.pop(0) if how else None
        if body is None or fault == "refused":
            self.send_error(404 if body is None else self.server.status)
            return
        self.send_response(200)
        if fault != "no length":
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if fault else body)

    def log_message(self, *args):
        """Say nothing."""


@pytest.fixture
def server():
    made = Server({PIMA: b"pima" * 5000, IRIS: b"iris" * 10})
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


def fetch(server, folder, **options):
    options.setdefault("contents", server.contents)
    return download(folder, url=server.url, pause=0.0, timeout=5.0, **options)


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def test_files_are_downloaded_and_checked(server, tmp_path):
    """Into a folder that is made for them; progress is told."""
    told = []
    paths = fetch(server, tmp_path / "new", progress=lambda done, total: told.append((done, total)))
    assert [path.name for path in paths] == [PIMA, IRIS]
    assert paths[0].read_bytes() == server.files[PIMA]
    assert names_in(tmp_path / "new") == sorted([PIMA, IRIS])
    assert told == [(0, 2), (1, 2), (2, 2)]


def test_only_what_is_missing_is_downloaded(server, tmp_path):
    """A folder that was half filled is filled; nothing is asked for twice."""
    (tmp_path / PIMA).write_bytes(server.files[PIMA])
    fetch(server, tmp_path)
    assert server.asked == [IRIS]
    fetch(server, tmp_path)
    assert server.asked == [IRIS]


def test_a_wrong_checksum_is_an_error_and_leaves_nothing(server, tmp_path):
    """Not tried again: the server has another file."""
    server.files[PIMA] = b"PIMA" * 5000
    with pytest.raises(DownloadError, match="is not the published file: its sha256 is"):
        fetch(server, tmp_path)
    assert server.asked == [PIMA]
    assert names_in(tmp_path) == []


def test_a_longer_file_is_not_read_to_its_end(server, tmp_path):
    """One byte too many is enough to know."""
    server.files[PIMA] += b"!" * 10_000_000
    with pytest.raises(DownloadError, match="is not the published file"):
        fetch(server, tmp_path)


@pytest.mark.parametrize("fault", ["cut", "no length", "refused"])
def test_passing_faults_are_tried_again(server, tmp_path, fault):
    """A transfer that breaks off, whether or not the server told the length, and a server that is busy."""
    server.broken[PIMA] = [fault, fault]
    fetch(server, tmp_path)
    assert server.asked.count(PIMA) == 3
    assert (tmp_path / PIMA).read_bytes() == server.files[PIMA]


@pytest.mark.parametrize(
    ("fault", "message"), [("cut", "only 10000 of 20000 bytes came"), ("refused", "the server says 503")]
)
def test_faults_that_stay_are_told(server, tmp_path, fault, message):
    """What was downloaded before is kept, and nothing of the file itself."""
    server.broken[PIMA] = [fault] * 9
    with pytest.raises(DownloadError, match="in 3 attempts") as error:
        fetch(server, tmp_path, names=("iris", "pima"), attempts=3)
    assert message in str(error.value)
    assert names_in(tmp_path) == [IRIS]
    server.broken.clear()
    fetch(server, tmp_path)
    assert names_in(tmp_path) == sorted([PIMA, IRIS])


def test_a_file_that_is_not_there_is_told_at_once(server, tmp_path):
    """Trying again would not help."""
    del server.files[PIMA]
    with pytest.raises(DownloadError, match=r"pima768.*the server says 404"):
        fetch(server, tmp_path)
    assert server.asked == [PIMA]


def test_no_server_at_all(tmp_path):
    """The address is told, and the reason."""
    with pytest.raises(DownloadError, match=r"127\.0\.0\.1:9/.*in 2 attempts.*refused"):
        download(tmp_path, url="http://127.0.0.1:9", names=("iris",), attempts=2, pause=0.0)


def test_files_of_others_are_not_overwritten(server, tmp_path):
    """A file of the name but not of the content is somebody's work."""
    (tmp_path / PIMA).write_text("mine")
    with pytest.raises(DownloadError, match="exists already, but is not the published file"):
        fetch(server, tmp_path)
    assert (tmp_path / PIMA).read_text() == "mine"


def test_addresses_are_of_the_web(tmp_path):
    with pytest.raises(ValueError, match="must begin with https"):
        download(tmp_path, url="file:///etc")
