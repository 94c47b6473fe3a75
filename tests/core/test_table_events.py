"""The log of a table: the events of each verb for the owner, another seat, the spectator, and with all faces."""

from __future__ import annotations

import msgspec
import pytest

from pitboss.errors import TableError
from pitboss.table.events import AnyEvent, Deal, Lay, Move, Reveal, Shuffle, Swap, Tell, TurnOver
from tests.core.small_table import SmallTable

SPECTATOR = 2
OWNER, OTHER = 0, 1


def events_by_viewer(tiny: SmallTable) -> dict[int | None, list[AnyEvent]]:
    """Return the log as each of the four reads it."""
    return {eyes: tiny.table.events(eyes) for eyes in (OWNER, OTHER, SPECTATOR, None)}


def test_a_deal() -> None:
    """Each seat reads its own dealt cards by zone, in the order they came; a spectator none; all-seeing eyes all."""
    tiny = SmallTable()

    tiny.deal_cards(*tiny.hands, rounds=2)

    log = events_by_viewer(tiny)
    assert log[OWNER] == [Deal(event="deal", source="stock", cards={"hand 0": ["A", "C"], "hand 1": [None, None]})]
    assert log[OTHER] == [Deal(event="deal", source="stock", cards={"hand 0": [None, None], "hand 1": ["B", "D"]})]
    assert log[SPECTATOR] == [
        Deal(event="deal", source="stock", cards={"hand 0": [None, None], "hand 1": [None, None]})
    ]
    assert log[None] == [Deal(event="deal", source="stock", cards={"hand 0": ["A", "C"], "hand 1": ["B", "D"]})]


def test_a_draw() -> None:
    """The drawer alone reads the face; the seat is that of the hand."""
    tiny = SmallTable()

    tiny.table.draw(tiny.stock, tiny.hands[0])

    log = events_by_viewer(tiny)
    assert log[OWNER] == log[None] == [Move(event="draw", seat=0, card="A", source="stock", target="hand 0")]
    assert log[OTHER] == log[SPECTATOR] == [Move(event="draw", seat=0, card=None, source="stock", target="hand 0")]


def test_a_card_passed_face_down() -> None:
    """Giver and taker read it; a spectator who had seen the card does not, as it might have been another."""
    tiny = SmallTable()
    tiny.deal_cards(tiny.hands[0], rounds=2)
    tiny.table.reveal(tiny.hands[0])

    tiny.table.move(0, tiny.hands[0], tiny.hands[1], "pass")

    log = {eyes: events[-1] for eyes, events in events_by_viewer(tiny).items()}
    assert (
        log[OWNER] == log[OTHER] == log[None] == Move(event="pass", seat=1, card="A", source="hand 0", target="hand 1")
    )
    assert log[SPECTATOR] == Move(event="pass", seat=1, card=None, source="hand 0", target="hand 1")


def test_a_card_played_to_the_table() -> None:
    """Every viewer reads a card played to the table; the seat is that of the hand that it left."""
    tiny = SmallTable()
    tiny.deal_cards(tiny.hands[0], rounds=2)

    tiny.table.move(1, tiny.hands[0], tiny.trick, "play")

    assert [events[-1] for events in events_by_viewer(tiny).values()] == [
        Move(event="play", seat=0, card="B", source="hand 0", target="trick")
    ] * 4


def test_cards_laid_down_together() -> None:
    """Every viewer reads cards laid down together, in the order in which they were laid, as one event; they lie as if
    laid one after another.
    """
    tiny = SmallTable()
    tiny.deal_cards(tiny.hands[0], rounds=3)

    tiny.table.lay([2, 0], tiny.hands[0], tiny.trick, "meld")

    assert [events[-1] for events in events_by_viewer(tiny).values()] == [
        Lay(event="meld", seat=0, cards=["C", "A"], source="hand 0", target="trick")
    ] * 4
    assert [tiny.face_string(tiny.hands[0]), tiny.face_string(tiny.trick)] == ["B", "CA"]


def test_cards_passed_face_down_together() -> None:
    """Giver and taker see the faces; the others see the number, and lose track of the cards of the hand."""
    tiny = SmallTable()
    tiny.deal_cards(tiny.hands[0], rounds=3)
    tiny.table.reveal(tiny.hands[0])

    tiny.table.lay([0, 1], tiny.hands[0], tiny.hands[1], "pass")

    log = {eyes: events[-1] for eyes, events in events_by_viewer(tiny).items()}
    assert log[OWNER] == log[OTHER] == Lay(event="pass", seat=1, cards=["A", "B"], source="hand 0", target="hand 1")
    assert log[SPECTATOR] == Lay(event="pass", seat=1, cards=[None, None], source="hand 0", target="hand 1")
    assert tiny.visible_string(tiny.hands[0], 2) == "?"


def test_a_known_card_taken_into_a_hand() -> None:
    """A card that all saw in the discards is read by all when it is drawn."""
    tiny = SmallTable()
    tiny.deal_cards(tiny.discard)

    tiny.table.draw(tiny.discard, tiny.hands[0], "take")

    assert tiny.table.events(SPECTATOR)[-1] == Move(event="take", seat=0, card="A", source="discard", target="hand 0")


def test_a_swap() -> None:
    """The slot is read by its label; the card that went in by its owner alone, the one that came out by all."""
    tiny = SmallTable()
    tiny.deal_cards(tiny.racks[0], rounds=2, slots=(0, 1))

    tiny.table.swap(tiny.stock, tiny.racks[0], 1, tiny.discard)

    log = {eyes: events[-1] for eyes, events in events_by_viewer(tiny).items()}
    seen = Swap(event="swap", seat=0, slot=10, card="C", discarded="B", source="stock", target="discard")
    assert log[OWNER] == log[None] == seen
    assert log[OTHER] == log[SPECTATOR] == msgspec.structs.replace(seen, card=None)


def test_a_pile_turned_over() -> None:
    """The cards are read from the new top down, as far as one knows them."""
    tiny = SmallTable()
    tiny.deal_cards(tiny.discard, rounds=3)

    tiny.table.turn_over(tiny.discard, tiny.stock, "restock")

    assert tiny.table.events(SPECTATOR)[-1] == TurnOver(
        event="restock", source="discard", target="stock", cards=["A", "B", "C"]
    )


def test_a_shuffle() -> None:
    """Everybody reads that it happened and how many cards there were, and nobody the order."""
    tiny = SmallTable()

    tiny.table.shuffle(tiny.stock)

    assert list(events_by_viewer(tiny).values()) == [[Shuffle(event="shuffle", zone="stock", size=12)]] * 4


def test_a_card_shown_to_one_player() -> None:
    """The owner and the player who is shown a card know it from then on; the others read that a card was shown."""
    tiny = SmallTable()
    tiny.deal_cards(tiny.hands[0], rounds=3)

    tiny.table.reveal(tiny.hands[0], "show", [1], to=[1])

    log = {eyes: events[-1] for eyes, events in events_by_viewer(tiny).items()}
    assert log[OTHER] == Reveal(event="show", seat=0, zone="hand 0", cards=["B"])
    assert log[SPECTATOR] == Reveal(event="show", seat=0, zone="hand 0", cards=[None])
    assert tiny.visible_string(tiny.hands[0], 1) == "?B?"
    assert tiny.seats_knowing("B") == {0, 1}
    with pytest.raises(TableError, match="show: 'L' is not in hand 0"):
        tiny.table.reveal(tiny.hands[0], "show", [11])


def test_a_card_shown_where_places_can_be_told_apart() -> None:
    """The event about a card shown where places differ says which place it is."""
    tiny = SmallTable()
    tiny.deal_cards(tiny.racks[1], rounds=3, slots=(0, 1, 2))

    tiny.table.reveal(tiny.racks[1], "show", [1])

    assert tiny.table.events(SPECTATOR)[-1] == Reveal(event="show", seat=1, zone="rack 1", cards=[None, "B", None])


def test_a_revealed_rack() -> None:
    """Every viewer reads the cards of a revealed rack in order, empty slots left out."""
    tiny = SmallTable()
    tiny.deal_cards(tiny.racks[1], rounds=2, slots=(2, 0))

    tiny.table.reveal(tiny.racks[1], "show")

    assert [events[-1] for events in events_by_viewer(tiny).values()] == [
        Reveal(event="show", seat=1, zone="rack 1", cards=["B", "A"])
    ] * 4


def test_words() -> None:
    """Every viewer reads words for all; only the addressed seat and all-seeing eyes read words for one seat."""
    tiny = SmallTable()

    tiny.table.tell("bid", seat=0, tricks=3)
    tiny.table.tell("asked", only=OWNER, question="declare?")

    public, secret = (
        Tell(event="bid", facts={"seat": 0, "tricks": 3}),
        Tell(event="asked", facts={"question": "declare?"}),
    )
    assert events_by_viewer(tiny) == {
        OWNER: [public, secret],
        OTHER: [public],
        SPECTATOR: [public],
        None: [public, secret],
    }


def test_only_what_is_new() -> None:
    """A bot is told what happened since entry so-and-so of the log, entries for other eyes counted too."""
    tiny = SmallTable()
    tiny.table.tell("one", only=OTHER)
    tiny.table.tell("two")
    tiny.table.tell("three")

    assert [event.event for event in tiny.table.events(OWNER, since=1)] == ["two", "three"]


def test_a_quiet_table() -> None:
    """A quiet table logs nothing, neither events nor chance, and plays on alike."""
    tiny = SmallTable()
    tiny.table.stop_logging()

    tiny.table.shuffle(tiny.stock)
    tiny.table.draw_lot(6)
    tiny.deal_cards(*tiny.hands)
    tiny.table.tell("bid")

    assert (tiny.table.events(None), tiny.table.log, tiny.table.chance_events) == ([], None, None)


def test_events_as_json() -> None:
    """On the wire an event carries its verb, and the zones as `from` and `to`."""
    tiny = SmallTable()
    tiny.table.draw(tiny.stock, tiny.hands[0])

    wire = msgspec.json.decode(msgspec.json.encode(tiny.table.events(OTHER)[0]))

    assert wire == {"verb": "move", "event": "draw", "seat": 0, "card": None, "from": "stock", "to": "hand 0"}
