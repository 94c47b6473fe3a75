"""A recorded game as pages: what a person reads of it, through all eyes or one player's."""

from __future__ import annotations

from itertools import pairwise

from pitboss import Deck, Layout, Visibility
from pitboss.records.record import Record
from pitboss.table.events import Move
from pitboss_magpie.messages import Bury, Drop, Wait
from pitboss_tournament.showing.replay_pages import ReplayPage
from pitboss_tournament.text.event_text import EventDescriber
from pitboss_tournament.text.terminal_text import action_text
from tests.tournament.magpie_records import NAMES, make_magpie_record, make_pages


def decision_numbers(record: Record, *kinds: type) -> list[int]:
    """Return the numbers of the decisions for such an action."""
    tags = {kind.__struct_config__.tag for kind in kinds}  # type: ignore[attr-defined]
    return [number for number, one in enumerate(record.decisions, 1) if one.action["do"] in tags]


def test_all_eyes() -> None:
    """A record has a page for the deal and for each decision, with who did what, what happened and who is next; the
    last has the end.
    """
    record = make_magpie_record("all")

    shown = make_pages(record)
    assert [page.decision for page in shown] == list(range(len(record.decisions) + 1))
    first = record.decisions[0]
    heading, note, event = shown[1].text.splitlines()[:3]
    assert heading.startswith(f"1. seat {first.seat} ({NAMES[first.seat]}): ")
    assert heading.endswith("[1.5 ms]")
    assert note == f"   note: I am seat {first.seat}"
    assert event.startswith("   ")
    assert f"  to play: seat {record.decisions[1].seat} (" in shown[1].text
    assert "The game is over.\n  1. seat" in shown[-1].text


def test_the_eyes_of_a_seat() -> None:
    """The pages of a seat have the events of others that the seat saw, and neither what they chose nor what they noted
    or how long they thought.
    """
    record = make_magpie_record("eyes")
    [number, *_] = [at for at in decision_numbers(record, Bury) if record.decisions[at - 1].seat != 1]
    decision = record.decisions[number - 1]

    [page] = [page for page in make_pages(record, 1) if page.decision == number]
    heading, event, *_ = page.text.splitlines()
    assert heading == f"{number}. seat {decision.seat} ({NAMES[decision.seat]})"
    assert event == "   bury, a card from hand to grave"
    assert "note" not in page.text
    own = next(page for page in make_pages(record, decision.seat) if page.decision == number)
    assert f"bury {decision.action['card']}" in own.text


def test_a_decision_that_was_a_secret() -> None:
    """The page of a secret wait is left out for the other players, but for the one whose turn comes next."""
    record = make_magpie_record("secret-6")
    [number, *_] = decision_numbers(record, Wait)
    waited = record.decisions[number - 1].seat
    after = record.decisions[number].seat
    [other] = {0, 1, 2} - {waited, after}

    assert number in [page.decision for page in make_pages(record, waited)]
    assert number not in [page.decision for page in make_pages(record, other)]
    assert "wait" not in "".join(page.text for page in make_pages(record, other))
    [page] = [page for page in make_pages(record, after) if page.decision == number]
    assert page.text.splitlines()[0].endswith("began")  # the first line of the picture: nothing was seen
    assert f"to play: seat {after}" in page.text


def test_what_was_legal() -> None:
    """How much was legal is always said; on demand each action, with the number by which it is chosen."""
    record = make_magpie_record("legal")
    [number, *_] = decision_numbers(record, Drop)

    short, long = (make_pages(record, with_legal=wanted)[number - 1].text for wanted in (False, True))
    count = int(short.splitlines()[-1].split(", ")[-1].removesuffix(" legal"))
    assert short.splitlines()[-1] in long
    assert "    0: " in long
    assert f"{count - 1}: " in long
    assert f"{count}: " not in long.splitlines()[-1]


def test_pages_fit_a_narrow_terminal() -> None:
    """No line is longer than the terminal is wide."""
    lines = [
        line
        for page in make_pages(make_magpie_record("narrow"), width=60, with_legal=True)
        for line in page.text.splitlines()
    ]

    assert max(map(len, lines)) <= 60


def test_actions_in_words() -> None:
    """An action is said with its fields; those that hold cards need no name, and faces may have other words."""
    assert action_text(Drop("A1")) == "drop A1"
    assert action_text(Drop("A1"), {"A1": "♠A"}) == "drop ♠A"
    assert action_text(Wait()) == "wait"


def test_what_happened_is_told_by_name() -> None:
    """The zones of the player on turn are named alone, those of others with their names; who else acted is
    named first.
    """
    layout = Layout(Deck(range(1, 51)), 2)
    layout.add_pile("stock", Visibility.EVERYBODY)
    layout.add_hands("hand")
    describer = EventDescriber(["ann", "bob"], layout.zones)
    draw = Move(event="draw", seat=0, card=20, source="stock", target="hand 0")

    assert describer.describe_for(0, draw) == "draw, 20 from stock to hand"
    assert describer.describe_for(1, draw) == "ann: draw, 20 from stock to hand"
    give = Move(event="give", seat=1, card=None, source="hand 0", target="hand 1")
    assert describer.describe_for(1, give) == "give, a card from ann's hand to hand"


def test_only_what_has_changed() -> None:
    """A page has of the table after a decision the lines that differ from the page before; the rest of the page is
    whole.
    """
    pages = make_pages(make_magpie_record("changes"))

    for before, after in pairwise(pages):
        lines = after.changes(before).splitlines()
        assert lines[: len(after.heading)] == after.heading
        assert lines[len(lines) - len(after.next) :] == after.next
        told = lines[len(after.heading) : len(lines) - len(after.next)]
        assert set(told) <= set(after.table)
        missing = [line for line in after.table if line not in told]
        assert {line.lstrip("> ") for line in missing} <= {line.lstrip("> ") for line in before.table}
    assert sum(len(page.table) for page in pages) > 2 * sum(
        len(after.changes(before).splitlines()) - len(after.heading) - len(after.next)
        for before, after in pairwise(pages)
    )


def test_what_has_changed_of_an_entry_of_several_lines() -> None:
    """A hand that needs two lines is shown whole, whichever of them has changed; a player's mark is no change."""
    before = ReplayPage(1, ["1."], ["  stock  3", "> 0 ann    S1 S2", " " * 11 + "S3", "  1 bob    H1"], ["next"])
    after = ReplayPage(2, ["2."], ["  stock  3", "  0 ann    S1 S2", " " * 11 + "S4", "> 1 bob    H1"], ["next"])

    assert after.changes(before).splitlines() == ["2.", "  0 ann    S1 S2", " " * 11 + "S4", "next"]
