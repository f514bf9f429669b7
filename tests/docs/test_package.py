"""The package that is built: complete, the same whoever builds it, with a page whose links are absolute.

With ``FGAC_RELEASE=1`` in the environment also: ready to be published (RELEASE.md).
"""

import hashlib
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from packaging.version import Version

import fgac

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ADDRESS = PROJECT["project"]["urls"]["Repository"]
NO_ADDRESS = ".invalid"  # the end of names that can never be anybody's
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
CITATION = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
# What a build must not depend on: what other runs left behind.
LEFT_BEHIND = shutil.ignore_patterns(
    ".git", "__pycache__", ".*_cache", ".hypothesis", "dist", "build", "*.nbi", "*.nbc"
)
releases_only = pytest.mark.skipif("FGAC_RELEASE" not in os.environ, reason="FGAC_RELEASE is not set")


def build(source, out, *, target):
    """Build one kind of package without fetching anything, and return its file."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1760000000"}
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(out)]
    subprocess.run(command, cwd=source, env=environment, check=True, capture_output=True)
    (file,) = out.glob("*.whl" if target == "wheel" else "*.tar.gz")
    return file


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The source distribution, and the wheel that is made from it, unpacked beside them."""
    folder = tmp_path_factory.mktemp("built")
    sdist = build(ROOT, folder / "sdist", target="sdist")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    source = folder / sdist.name.removesuffix(".tar.gz")
    return {"sdist": sdist, "source": source, "wheel": build(source, folder / "wheel", target="wheel")}


def metadata_of(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return Parser().parsestr(archive.read(name).decode("utf-8"))


def files_in_repository():
    """What git knows; nothing to compare with where the tests run from a source distribution."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("not in a clone of the repository")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return {name for name in listed.split("\0") if name and (ROOT / name).exists()}


# ----------------------------------------------------------------------------------------------------
# What is built
# ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_source_distribution_holds_the_repository(built):
    tracked = files_in_repository()
    packed = {path.relative_to(built["source"]).as_posix() for path in built["source"].rglob("*") if path.is_file()}
    assert tracked - packed == set()
    assert {name for name in packed - tracked if (ROOT / name).exists()} - untracked() == set()


def untracked():
    """Return files that a next commit would add."""
    command = ["git", "ls-files", "-z", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return set(listed.split("\0"))


@pytest.mark.slow
def test_the_wheel_holds_the_package_and_nothing_else(built):
    package = ROOT / "src" / "fgac"
    with zipfile.ZipFile(built["wheel"]) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    there = {path.relative_to(package.parent).as_posix() for path in package.rglob("*") if path.is_file()}
    assert names == {name for name in there if "__pycache__" not in name and not name.endswith((".nbi", ".nbc"))}


@pytest.mark.slow
@pytest.mark.parametrize("target", ["wheel", "sdist"])
def test_two_builds_are_the_same_to_the_last_bit(target, tmp_path):
    """Also with other dates and rights of files, and in another folder."""
    digests = set()
    for place, mode, date in [("here", 0o644, 1.5e9), ("there", 0o600, 1.7e9)]:
        source = tmp_path / place
        shutil.copytree(ROOT, source, ignore=LEFT_BEHIND)
        for path in source.rglob("*"):
            if path.is_file():
                path.chmod(mode)
            os.utime(path, (date, date))
        digests.add(hashlib.sha256(build(source, tmp_path / f"{place}-out", target=target).read_bytes()).hexdigest())
    assert len(digests) == 1


@pytest.mark.slow
def test_package_indexes_take_both(built):
    pytest.importorskip("twine")
    files = [str(built["sdist"]), str(built["wheel"])]
    done = subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *files], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("PASSED") == 2


# ----------------------------------------------------------------------------------------------------
# The page of the package
# ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_links_and_pictures_of_the_page_are_absolute(built):
    """Each leads to the address that is set, at the tag of this version, to a file that is there."""
    page = metadata_of(built["wheel"]).get_payload()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    pattern = r"(!?)\[[^\]]*\]\(([^)]+)\)"
    for (picture, target), (_, was) in zip(re.findall(pattern, page), re.findall(pattern, readme), strict=True):
        kind = "raw" if picture else "blob"
        assert target == (was if re.match("[a-z]+:|#", was) else f"{ADDRESS}/{kind}/v{fgac.__version__}/{was}")
    assert len(re.findall(r"!\[", page)) >= 1
    assert "{ADDRESS}" not in page
    assert "HFPR" not in page


@pytest.mark.slow
def test_the_metadata_say_what_the_project_says(built):
    metadata = metadata_of(built["wheel"])
    assert metadata["Version"] == fgac.__version__
    assert metadata.get_all("Project-URL") == [f"Repository, {ADDRESS}"]
    assert metadata["License-Expression"] == "BSD-3-Clause"
    assert metadata["Description-Content-Type"] == "text/markdown"


def test_there_is_one_address():
    """In pyproject.toml twice, and in CITATION.cff; it is a placeholder until a release sets it."""
    *_, last = PROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]
    assert last == {"pattern": r"\{ADDRESS\}", "replacement": ADDRESS}
    assert re.findall(r'^repository-code: "(.*)"$', CITATION, flags=re.M) == [ADDRESS]
    assert not ADDRESS.endswith("/")


# ----------------------------------------------------------------------------------------------------
# The version
# ----------------------------------------------------------------------------------------------------


def released():
    """Return versions and dates of the changelog, the newest first."""
    return re.findall(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$", CHANGELOG, flags=re.M)


def test_the_version_stands_in_one_place():
    assert "version" in PROJECT["project"]["dynamic"]
    assert importlib.metadata.version("fgac") == fgac.__version__


def test_changelog_and_citation_are_of_this_version():
    """Between releases the version is the next one, with ``.dev0`` at its end; these two know the last."""
    assert re.findall(r"^## \[([^\]]+)\]", CHANGELOG, flags=re.M)[0] == "Unreleased"
    versions = [Version(version) for version, _ in released()]
    assert versions == sorted(versions, reverse=True)
    assert [date for _, date in released()] == sorted((date for _, date in released()), reverse=True)
    if not Version(fgac.__version__).is_prerelease:
        assert str(versions[0]) == fgac.__version__
    cited = dict(re.findall(r"^(version|date-released): (.*)$", CITATION, flags=re.M))
    assert (cited["version"], cited["date-released"]) == released()[0]


@releases_only
def test_ready_to_be_published():
    assert not ADDRESS.endswith(NO_ADDRESS), f"the address of the repository is not set: see {ROOT / 'RELEASE.md'}"
    assert not Version(fgac.__version__).is_prerelease
    unreleased = CHANGELOG.partition("## [Unreleased]")[2].partition("\n## [")[0]
    assert unreleased.strip() == "", "CHANGELOG.md: give what stands under Unreleased its version"
