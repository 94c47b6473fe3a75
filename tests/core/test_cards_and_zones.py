"""Cards and zones: faces and their copies, who sees what arrives, names."""

from __future__ import annotations

import pytest

from pitboss import Deck, Layout, PositionError, Visibility
from pitboss.table.zones import ZoneKind

DECK = Deck(["A", "B", "A", 37, "A"])


def test_faces_of_cards() -> None:
    """A card is its place in the deck; faces may be text or numbers."""
    assert len(DECK) == 5
    assert DECK.faces_of([3, 0]) == [37, "A"]


def test_copies_of_a_face() -> None:
    """The copies of a face are all cards with that face, in deck order; none if there is no such face."""
    assert DECK.copies("A") == (0, 2, 4)
    assert DECK.copies("a") == ()


def test_finding_cards_by_face() -> None:
    """Equal faces get different cards, in deck order."""
    assert DECK.find_cards(["A", 37, "A", "B"]) == [0, 3, 2, 1]


@pytest.mark.parametrize(
    ("faces", "message"),
    [
        (["A"] * 4, "card 'A' is asked for 4 times; the deck holds 3"),
        (["Z"], "the deck has no card 'Z'; it goes from 'A' to 'A'"),
    ],
)
def test_more_than_the_deck_holds(faces: list[str], message: str) -> None:
    """The error about more cards than the deck holds names the face and how many there are."""
    with pytest.raises(PositionError, match=message):
        DECK.find_cards(faces)


def test_masks_of_seats() -> None:
    """The spectator is one more seat than there are players."""
    layout = Layout(DECK, 3)

    assert (layout.seats, layout.spectator, layout.everybody) == (3, 3, 0b1111)


@pytest.mark.parametrize(
    ("sight", "sees", "uncovers"),
    [
        (Visibility.NOBODY, 0, False),
        (Visibility.OWNER, 0b010, False),
        (Visibility.OTHERS, 0b101, False),
        (Visibility.EVERYBODY, 0b111, False),
        (Visibility.TOP, 0b111, True),
    ],
)
def test_who_sees_a_card_arrive(sight: Visibility, sees: int, uncovers: bool) -> None:
    """A zone shows an arriving card to nobody, the owner, all others, or all; a pile of which only the top is seen
    uncovers the next.
    """
    zone = Layout(DECK, 2).add_pile("reserve", sight, owner=1)

    assert (zone.viewers, zone.reveals_next) == (sees, uncovers)


def test_an_owner_who_is_missing() -> None:
    """A zone that its owner sees must have one."""
    with pytest.raises(ValueError, match="who sees 'hand' depends on its owner, but nobody owns it"):
        Layout(DECK, 2).add_pile("hand", Visibility.OWNER)


def test_zones_are_their_indices() -> None:
    """Zones are numbered as they are added, and carry their names, kinds, owners and labels."""
    layout = Layout(DECK, 2)
    stock, trick, hands = layout.add_pile("stock", Visibility.NOBODY), layout.add_spread("trick"), layout.add_hands()
    racks = layout.add_racks("rack", (5, 10))

    assert [stock, trick, *hands, *racks] == [0, 1, 2, 3, 4, 5]
    assert [zone.name for zone in layout.zones] == ["stock", "trick", "hand 0", "hand 1", "rack 0", "rack 1"]
    assert (trick.kind, hands[1].kind, hands[1].owner, racks[0].labels) == (ZoneKind.SPREAD, ZoneKind.HAND, 1, (5, 10))
    assert repr(racks[1]) == "<zone rack 1>"


def test_what_a_leaving_card_stirs() -> None:
    """Where a card leaves a hand or uncovers another, what is known of the others may change; elsewhere it does not."""
    layout = Layout(DECK, 2)

    assert [
        layout.add_pile("well", Visibility.TOP).departures_change_knowledge,
        layout.add_hands()[0].departures_change_knowledge,
    ] == [True, True]
    assert [
        layout.add_pile("stock", Visibility.NOBODY).departures_change_knowledge,
        layout.add_racks("rack", (5,))[0].departures_change_knowledge,
    ] == [False, False]
