"""What a replay shows of a bot's faults: the verdict where it happened, with the evidence, and all of them at the
end.
"""

from __future__ import annotations

import pytest

from pitboss.protocol.faults import ClockName, Fault, FaultKind
from pitboss.records.record import Incident, Record
from pitboss_magpie.messages import Drop
from pitboss_tournament.results.fault_evidence import MAX_LEGAL, evidence_lines
from tests.tournament.magpie_records import make_magpie_record, make_pages

FORGERY = "\x1b[2Jx\n\rThe game is over.\n  1. seat 0 (ann): 99 points\u202e"

FORFEIT = "forfeit; it is asked no more, and the neutral action is played in its place to the end"


def make_incident(
    seat: int, question: int, kind: FaultKind = "late", *, substituted: bool = False, clock: ClockName | None = None
) -> Incident:
    """Return an incident whose bot says what it can to deceive."""
    fault = Fault(
        kind=kind,
        seat=seat,
        decision=question,
        message=f"it said {FORGERY}",
        clock=clock,
        verdict="substitute" if substituted else "forfeit",
    )
    return Incident(fault=fault, exchange=["> asked", f"< {FORGERY}"], last_words=FORGERY, us=250_400)


def decision_number(record: Record, seat: int, question: int) -> int:
    """Return the number of the decision in which a seat answered, or should have answered, a question."""
    own = [number for number, decision in enumerate(record.decisions, 1) if decision.seat == seat]
    return own[question - 1]


def test_a_forfeit_is_shown_where_it_happened() -> None:
    """A forfeit is shown with the verdict, the clock, what was legal, the last lines exchanged and the last words; the
    seat's later decisions say why they are neutral.
    """
    record = make_magpie_record("forfeit", make_incident(1, 2, clock="game"))
    at, later = decision_number(record, 1, 2), decision_number(record, 1, 3)
    shown = {page.decision: page.text for page in make_pages(record)}

    heading, said, verdict, clock, legal, *rest = shown[at].splitlines()
    assert heading.startswith(f"{at}. seat 1 (bob): ")
    assert heading.endswith("(neutral: it forfeits here)")
    assert said.startswith("   late: it said ")
    assert verdict == f"   judged after 250 ms: {FORFEIT}"
    assert clock == "   the clock: game_ms, for all decisions of the game together"
    assert legal.startswith("   legal were ")
    assert "   the last lines exchanged (> to the bot, < from it):" in rest
    assert "     | > asked" in rest
    assert "   the end of what it wrote to standard error:" in rest
    assert shown[later].splitlines()[0].endswith("(neutral: it has forfeited before)")


def test_a_substituted_decision_is_told_from_a_forfeited_one() -> None:
    """A substituted decision is marked as such; the seat goes on deciding, and may forfeit later."""
    record = make_magpie_record("substitute-6", make_incident(2, 1, "illegal", substituted=True), make_incident(2, 3))
    headings = [page.text.splitlines()[0] for page in make_pages(record)]

    assert headings[decision_number(record, 2, 1)].endswith("(neutral: substituted)")
    assert headings[decision_number(record, 2, 2)].endswith("[1.5 ms]")
    assert headings[decision_number(record, 2, 3)].endswith("(neutral: it forfeits here)")


def test_at_the_end_all_incidents_are_listed() -> None:
    """All incidents are listed at the end in their order, each with its seat, its decision and its verdict."""
    record = make_magpie_record(
        "list-6",
        make_incident(0, 0, "never_started"),
        make_incident(2, 1, "illegal", substituted=True),
        make_incident(2, 2),
    )
    lines = make_pages(record)[-1].text.splitlines()[-3:]

    assert lines[0].startswith("  seat 0 (ann), before its first decision: forfeited, never_started: ")
    assert lines[1].startswith(f"  seat 2 (cid), decision {decision_number(record, 2, 1)}: substituted, illegal: ")
    assert lines[2].startswith(f"  seat 2 (cid), decision {decision_number(record, 2, 2)}: forfeited, late: ")


def test_evidence_is_told_to_its_own_seat_alone() -> None:
    """The other seats learn nothing of a fault before the end; at the end, what was wrong, but neither what was
    exchanged nor the last words.
    """
    record = make_magpie_record("fault", make_incident(0, 0, "never_started"), make_incident(2, 1))

    assert "seat 0 (ann) never played." in make_pages(record, 0)[0].text
    assert "it said" in make_pages(record, 0)[0].text
    assert "it said" not in "".join(page.text for page in make_pages(record, 1)[:-1])
    assert "asked" not in "".join(page.text for page in make_pages(record, 1))
    assert "never_started: it said" in make_pages(record, 1)[-1].text


@pytest.mark.parametrize("width", [None, 40, 80])
def test_a_bot_can_forge_no_line(width: int | None) -> None:
    """A bot's text stands behind a margin, or in the sentence about it, as letters, and forges no line."""
    record = make_magpie_record(
        "forgery", make_incident(0, 0), make_incident(1, 1), make_incident(2, 2, substituted=True)
    )
    lines = [line for page in make_pages(record, width=width) for line in page.text.splitlines()]

    assert all(line.isprintable() for line in lines)
    assert [line for line in lines if line.startswith("The game is over.")] == ["The game is over."]
    assert len([line for line in lines if line.startswith("  1. seat 0")]) <= 1
    assert not any(
        "99 points" in line and not line.lstrip().startswith(("|", "late:", "seat")) for line in lines if width is None
    )


def test_of_many_legal_actions_the_first_are_listed() -> None:
    """A long list of legal actions is cut to the first, and says how many more there were."""
    shown = list(evidence_lines(make_incident(0, 1), [Drop(f"C{number}") for number in range(MAX_LEGAL + 1000)], None))

    assert "   legal were 1,024:" in shown
    assert any(line.endswith("and 1,000 more") for line in shown)


def test_nothing_is_said_of_what_there_is_not() -> None:
    """A fault without clock, exchange and last words is two lines."""
    fault = Fault(kind="crashed", seat=0, decision=1, message="exited with status 1")

    assert list(evidence_lines(Incident(fault=fault, us=1_000), (), None)) == [
        "   crashed: exited with status 1",
        f"   judged after 1 ms: {FORFEIT}",
    ]
