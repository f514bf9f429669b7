"""Downloads of data sets: checked sums, passing faults, and nothing half-written."""

import hashlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from fgac.experiments.datasets.download import DownloadError, File, download

pytest.importorskip("pandas")


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
    paths = fetch(server, tmp_path / "new", on_progress=lambda done, total: told.append((done, total)))
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
