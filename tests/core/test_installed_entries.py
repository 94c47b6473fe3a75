"""The entry points that are read without `importlib.metadata`, beside those that it finds."""

from __future__ import annotations

import sys
import zipfile
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from pitboss.plugins.installed_entries import InstalledEntry, find_entries
from pitboss.plugins.registry import describe_distribution
from tests.marks import first_rows

ENTRIES = """# a comment
[console_scripts]
kestrel = kestrel:main

[pitboss]
kestrel = kestrel.plugin
merlin=kestrel.plugin : merlin.inner [extra]
"""


def install_kestrel(folder: Path, metadata: str = "kestrel-2.0.dist-info/METADATA", name: str = "Kestrel") -> None:
    """Write the metadata of a distribution with two plugins, and their module, which has one object."""
    (folder / metadata).parent.mkdir(parents=True)
    (folder / metadata).write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 2.0.1\n\nVersion: of a rule book\n")
    (folder / metadata).with_name("entry_points.txt").write_text(ENTRIES)


@pytest.mark.parametrize("group", ["pitboss", "console_scripts", "pytest11", "no.such.group"])
def test_the_entries_are_those_of_importlib(group: str) -> None:
    """What is installed here is found with the same names, values, and distributions."""
    ours, theirs = (
        {(one.name, one.value, describe_distribution(one)) for one in found}
        for found in (find_entries(group), entry_points(group=group))
    )
    assert theirs == ours
    assert (group == "no.such.group") == (not ours)


@first_rows(1)("metadata", ["kestrel-2.0.dist-info/METADATA", "kestrel-2.0-py3.11.egg-info/PKG-INFO"])
def test_entries_of_a_folder(metadata: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Comments and other groups are left out; name and version are those of the headers."""
    install_kestrel(tmp_path, metadata)
    monkeypatch.syspath_prepend(str(tmp_path))

    [first, second] = [one for one in find_entries("pitboss") if one.value.startswith("kestrel")]
    assert isinstance(second, InstalledEntry)
    assert ("kestrel", "kestrel.plugin", "Kestrel 2.0.1") == (first.name, first.value, describe_distribution(first))
    assert ("merlin", "kestrel.plugin") == (second.name, second.module)
    assert [second] == find_entries("pitboss", "merlin")


def test_the_first_of_two_distributions_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A distribution in a folder further down `sys.path` is hidden by one of the same name."""
    install_kestrel(tmp_path / "first")
    install_kestrel(tmp_path / "second", "Kestrel-1.dist-info/METADATA", "Hidden")
    for folder in ("second", "first"):
        monkeypatch.syspath_prepend(str(tmp_path / folder))

    found = [describe_distribution(one) for one in find_entries("pitboss") if one.value.startswith("kestrel")]
    assert ["Kestrel 2.0.1", "Kestrel 2.0.1"] == found


def test_entries_of_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A distribution in an archive on `sys.path` is found, too, and all others beside it."""
    install_kestrel(tmp_path / "kestrel")
    archive = tmp_path / "kestrel.zip"
    with zipfile.ZipFile(archive, "w") as made:
        for file in filter(Path.is_file, (tmp_path / "kestrel").rglob("*")):
            made.write(file, file.relative_to(tmp_path / "kestrel"))
    without = {one.name for one in find_entries("pitboss")}
    monkeypatch.setattr(sys, "path", [str(archive), *sys.path])

    assert {*without, "kestrel", "merlin"} == {one.name for one in find_entries("pitboss")}


def test_an_entry_is_loaded() -> None:
    """The value names a module, or an object in it; anything else is an error that shows it."""
    from_module, nested, wrong = (
        InstalledEntry("one", value, "pitboss", find_entries("pitboss")[0].dist)  # type: ignore[arg-type]
        for value in ("json", "json: decoder.JSONDecoder [fast]", "no module!")
    )
    assert ("json", "JSONDecoder") == (from_module.load().__name__, nested.load().__name__)
    with pytest.raises(ValueError, match="'no module!'; it must be MODULE:ATTRIBUTE"):
        wrong.load()
