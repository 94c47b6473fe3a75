"""The journal: a chain of lines, of which one cannot be changed, and seeds that nobody can choose."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitboss_tournament.arena.journal import (
    Begun,
    Drawn,
    Ended,
    Frozen,
    Journal,
    JournalBroken,
    Validated,
    derive_seed,
    digest_secret,
)
from pitboss_tournament.league.submission import Evidence

BEGUN = Begun(
    game="poker", entrants=["ann", "bea"], rules="", practice_seed="p", secret_digest=digest_secret("s"), pitboss="1"
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Write a journal of four lines; return its file."""
    journal = Journal(tmp_path / "journal.jsonl")
    journal.add(BEGUN)
    journal.add(Frozen(round=1, entrant="ann", digest="a" * 64))
    journal.add(Drawn(round=1, digests={"ann": "a" * 64}))
    journal.add(Ended(round=1))
    return journal.path


def test_what_was_written_is_read(path: Path) -> None:
    """The entries and the digests of their lines are the same in another process."""
    journal = Journal(path)

    assert journal.begun == BEGUN
    assert journal.ended_rounds == 1
    assert [type(entry).__name__ for entry in journal.entries] == ["Begun", "Frozen", "Drawn", "Ended"]
    again = Journal(path)
    assert again.heads == journal.heads
    assert len({*again.heads}) == 4


def test_a_line_that_a_kill_has_cut_off_is_written_again(path: Path) -> None:
    """Half a line at the end is no line; the next entry takes its place."""
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"previous":"')

    journal = Journal(path)
    journal.add(Ended(round=2))

    assert path.read_bytes().startswith(whole)
    assert Journal(path).ended_rounds == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: [lines[0], lines[1].replace(b"ann", b"bea"), *lines[2:]],
        lambda lines: [lines[0], *lines[2:]],
        lambda lines: [lines[0], lines[1], lines[1], *lines[2:]],
        lambda lines: [*lines[:2], lines[3], lines[2]],
        lambda lines: [lines[0], b"{}\n", *lines[2:]],
    ],
    ids=["changed", "left out", "twice", "exchanged", "no line"],
)
def test_a_change_is_seen(path: Path, change: object) -> None:
    """A line that was changed, left out, put in or moved is named."""
    assert callable(change)
    path.write_bytes(b"".join(change(path.read_bytes().splitlines(keepends=True))))

    with pytest.raises(JournalBroken, match=r"journal\.jsonl, line [23]: "):
        Journal(path)


def test_the_seed_follows_from_secret_and_versions(path: Path) -> None:
    """Another secret, or another version of an entrant, is another seed."""
    drawn = Journal(path).find_drawn(1)
    assert drawn is not None
    seed = derive_seed("s", drawn[1])

    assert seed == derive_seed("s", drawn[1])
    assert seed != derive_seed("t", drawn[1])
    other = Journal(path.with_name("other.jsonl"))
    for entry in Journal(path).entries[:2]:
        other.add(entry)
    other.add(Drawn(round=1, digests={"ann": "b" * 64}))
    found = other.find_drawn(1)
    assert found is not None
    assert derive_seed("s", found[1]) != seed


def test_the_last_valid_version_plays(path: Path) -> None:
    """A version that was refused does not play: the last valid one does; who has none is left out."""
    journal = Journal(path)
    good, bad = Evidence(is_good=True, seen=""), Evidence(is_good=False, seen="crashed")
    journal.add(Validated(round=1, entrant="ann", digest="a" * 64, evidence=good))
    journal.add(Frozen(round=2, entrant="ann", digest="c" * 64))
    journal.add(Validated(round=2, entrant="ann", digest="c" * 64, evidence=bad))
    journal.add(Frozen(round=2, entrant="bea", digest=""))

    assert journal.choose_versions(2, ["ann", "bea"]) == {"ann": "a" * 64}
    assert journal.choose_versions(0, ["ann"]) == {}
