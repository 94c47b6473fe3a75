"""`pitboss report`: where the page goes, and what can be wrong with that."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.tournament.command_line import COMMAND, TIMEOUT_S, run_pitboss
from tests.tournament.parsed_page import ParsedPage
from tests.tournament.report_stores import write_tournament_store

pytestmark = pytest.mark.once


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Return the store of a small tournament."""
    return write_tournament_store(tmp_path, 3, 2, 6)


def test_a_report(store: Path, tmp_path: Path) -> None:
    """A report is written to the path that is asked for, with the date if one is given.

    An older page is replaced, and nothing else is left.
    """
    page = tmp_path / "a report.html"
    page.write_text("old")
    ran = run_pitboss("report", str(store), "-o", str(page), "--date", "2026-11-21")

    assert (ran.status, ran.out, ran.err) == (0, f"The report is in {page}.\n", "")
    leaf = ParsedPage(page.read_text(encoding="utf-8"))
    assert leaf.errors == []
    assert leaf.text.endswith(f"from {store}, 2026-11-21.  To the top")
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".html", ".pitboss"]


def test_no_name_for_the_page(store: Path) -> None:
    """A page without a name is named after the store."""
    assert run_pitboss("report", str(store)).out == f"The report is in {store.with_suffix('.html')}.\n"


def test_the_store_as_the_page(store: Path) -> None:
    """The store is not overwritten by its page."""
    before = store.read_bytes()
    ran = run_pitboss("report", str(store), "-o", str(store))

    assert (ran.status, ran.err) == (
        2,
        f"pitboss: {store}: this is the store itself; name another file with --output\n",
    )
    assert store.read_bytes() == before


def test_a_folder_that_is_not_there(store: Path, tmp_path: Path) -> None:
    """One sentence that names the file."""
    target = tmp_path / "nowhere" / "x.html"

    assert (
        run_pitboss("report", str(store), "-o", str(target)).err
        == f"pitboss: {target}: cannot be written: No such file or directory\n"
    )


def test_a_folder(store: Path, tmp_path: Path) -> None:
    """A page cannot take its place, and that is said."""
    for target in (tmp_path, Path()):
        ran = run_pitboss("report", str(store), "-o", str(target))
        assert (ran.status, ran.err) == (2, f"pitboss: {target}: cannot be written: Is a directory\n")


def test_a_pipe(store: Path, tmp_path: Path) -> None:
    """A pipe is written into, and not replaced by a file; nor is the file to which a symbolic link leads."""
    pipe, page, link = tmp_path / "pipe", tmp_path / "page", tmp_path / "link"
    os.mkfifo(pipe)
    page.write_text("old")
    link.symlink_to(page)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
        assert run_pitboss("report", str(store), "-o", str(pipe)).status == 0
        text, _ = reader.communicate(timeout=TIMEOUT_S)
    assert run_pitboss("report", str(store), "-o", str(link)).status == 0

    assert pipe.is_fifo()
    assert link.is_symlink()
    assert page.read_text(encoding="utf-8") == text


@pytest.mark.long
def test_a_full_disk(store: Path, tmp_path: Path) -> None:
    """One sentence; an older page stays as it was."""
    page = tmp_path / "x.html"
    page.write_text("old")
    command = [*COMMAND, "report", str(store), "-o", str(page)]
    ran = subprocess.run(
        ["bash", "-c", 'ulimit -f 1; exec "$@"', "bash", *command], capture_output=True, text=True, check=False
    )

    assert (ran.returncode, ran.stderr) == (2, f"pitboss: {page}: cannot be written: File too large\n")
    assert page.read_text() == "old"
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".part"]
