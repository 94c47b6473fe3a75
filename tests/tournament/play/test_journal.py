"""The journal of a game with a person: what is on the disk when the power fails."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from pitboss.records.record import Decision
from pitboss_tournament.play.journal import JournalEntry, JournalHeader, PlayJournal, UnfinishedGame, read_journal
from tests.plugins import load_registry
from tests.tournament.small_tournaments import make_plan, zoo_entrant


def reopen(path: Path) -> UnfinishedGame:
    """Return the game of a journal."""
    found = read_journal(path, load_registry())
    assert found is not None
    return found


def test_a_line_that_was_cut_off(tmp_path: Path) -> None:
    """A last line that is incomplete is no decision, and the next decision takes its place."""
    path = tmp_path / "x.pitboss.unfinished"
    header = JournalHeader(plan=make_plan(Path("x"), zoo_entrant("good", "a"), zoo_entrant("good", "b")), game_id=0)
    first, second = (JournalEntry(decision=Decision(seat=seat, action={"do": "draw"})) for seat in (0, 1))
    with closing(PlayJournal(path, header)) as journal:
        journal.write(first)
        journal.write(second)
    path.write_bytes(path.read_bytes()[:-7])

    torn = reopen(path)
    with closing(PlayJournal(path, header, torn)) as journal:
        journal.write(second)

    assert torn.past.decisions == [first.decision]
    assert reopen(path).past.decisions == [first.decision, second.decision]
