"""Pictures of any table: who holds what at a glance, nothing that is hidden, and no line too long."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from pitboss import Deck, Layout, Random, Table, Turn, Visibility
from pitboss.game import render_state
from pitboss.rendering.appearance import ZoneHint
from pitboss.rendering.presentation import Presentation, find_hint
from pitboss.rendering.table_text import render_table, render_zone
from pitboss.text import wrap_words
from pitboss_magpie.magpie import Magpie, MagpieState
from pitboss_magpie.messages import MagpieOptions
from tests.core.mutants.rendering import DrawsTheSpectatorEverything
from tests.core.small_table import SmallTable

NAMES = ("ann", "bob")


def deal_small_table() -> SmallTable:
    """Return a table with cards in most zones: hands, two slots for each seat, two discards, a trick."""
    tiny = SmallTable()
    tiny.deal_cards(*tiny.hands, rounds=2)
    tiny.deal_cards(*tiny.racks, rounds=2, slots=(0, 2))
    tiny.table.draw(tiny.stock, tiny.discard)
    return tiny


def test_every_card() -> None:
    """Zones without owner come first, then each player; hands are in deck order, empty slots keep their place."""
    tiny = deal_small_table()

    assert list(render_table(tiny.table, None, NAMES, Turn(1, "play"))) == [
        "  stock    L K J",
        "  discard  I",
        "  well     empty",
        "  0 ann",
        "    hand  A C",
        "    rack  5:E  10:-  15:G",
        "> 1 bob",
        "    hand  B D",
        "    rack  5:F  10:-  15:H",
    ]


def test_what_a_seat_knows() -> None:
    """Hidden cards of a pile and a hand are counted, those in slots are dots in their places."""
    tiny = deal_small_table()

    assert list(render_table(tiny.table, 0, NAMES)) == [
        "  stock    3 cards",
        "  discard  I",
        "  well     empty",
        "  0 ann",
        "    hand  A C",
        "    rack  5:E  10:-  15:G",
        "  1 bob",
        "    hand  2 cards",
        "    rack  5:·  10:-  15:·",
    ]


def test_a_player_without_cards() -> None:
    """A player without cards is in the picture all the same."""
    tiny = SmallTable()

    assert list(render_table(tiny.table, 0, NAMES))[-2:] == ["  0 ann  no cards", "  1 bob  no cards"]


def test_a_hand_of_which_some_cards_are_known() -> None:
    """A card that was seen to go into a hand is named, whatever its place; the others are counted."""
    tiny = deal_small_table()
    tiny.table.draw(tiny.discard, tiny.hands[1], "take")

    assert render_zone(tiny.table, tiny.hands[1], 0) == ["I (2 hidden)"]


def test_one_hidden_card() -> None:
    """One card is no plural."""
    tiny = SmallTable()
    tiny.deal_cards(tiny.hands[1])

    assert render_zone(tiny.table, tiny.hands[1], 0) == ["1 card"]


def test_a_pile_of_which_some_cards_are_known() -> None:
    """A few hidden cards are dots where they lie; many are counted."""
    tiny = SmallTable()
    tiny.table.turn_over(tiny.stock, tiny.discard)
    for card in (0, 1, 2, 5, 6, 7, 8):
        tiny.table.known_by[card] = 0

    assert tiny.face_string(tiny.discard) == "ABCDEFGHIJKL"
    assert render_zone(tiny.table, tiny.discard, 0) == ["· · · D E (4 hidden) J K L"]


@pytest.mark.parametrize(
    ("width", "shown"),
    [(23, "A B C D E F G H I J K L"), (22, "(7 beneath) H I J K L"), (13, "(11 beneath) L"), (1, "(11 beneath) L")],
)
def test_a_pile_that_is_too_long(width: int, shown: str) -> None:
    """A pile that is too long shows its top cards, as many as fit and one at least, and how many lie beneath."""
    tiny = SmallTable()
    tiny.table.turn_over(tiny.stock, tiny.discard)

    assert render_zone(tiny.table, tiny.discard, 0, width) == [shown]


def test_cards_that_were_seen_beneath_hidden_ones() -> None:
    """A run of hidden cards that is left out counts as what it is."""
    tiny = SmallTable()
    tiny.table.turn_over(tiny.stock, tiny.discard)
    for card in range(6):
        tiny.table.known_by[card] = 0

    assert render_zone(tiny.table, tiny.discard, 0, 20) == ["(8 beneath) I J K L"]


@pytest.mark.parametrize("width", [40, 60, 80])
@pytest.mark.parametrize("seat", [None, 0, 4])
def test_a_big_table_in_a_narrow_terminal(width: int, seat: int | None) -> None:
    """No line is longer than the terminal is wide, and every card of a rack, a hand and a spread is there."""
    layout = Layout(Deck([f"card{number}" for number in range(120)]), 4)
    stock, melds = layout.add_pile("stock", Visibility.EVERYBODY), layout.add_spread("melds")
    hands, racks = layout.add_hands(), layout.add_racks("rack", range(5, 55, 5), Visibility.EVERYBODY)
    table = Table(layout, Random("big"), stock)
    table.deal(stock, [melds], 15)
    table.deal(stock, hands, 7)
    table.deal(stock, racks, 10, range(10))

    lines = list(render_table(table, seat, ["a" * 90, "b", "c" * 30, "d"], Turn(0, "play"), width))

    text = "\n".join(lines)
    assert max(map(len, lines)) <= width
    assert lines[-1] == lines[-1].rstrip()
    open_zones = [melds, *racks, *(hands if seat is None else hands[seat : seat + 1])]
    assert {str(face) for zone in open_zones for face in table.faces(zone)} <= set(text.replace(":", " ").split())


def test_words_in_lines() -> None:
    """Lines are filled up to the width, to the letter; a word that is longer than a line stays whole."""
    assert wrap_words(["aa", "bb", "cccccc", "d"], " ", 5) == ["aa bb", "cccccc", "d"]


def test_whose_turn_it_is_without_a_picture_of_the_games_own() -> None:
    """The picture marks the seat whose turn it is where every card is shown; a seat is told of its own turn only, for a
    turn can be a secret.
    """
    state = Magpie(UnrenderedMagpie).deal(2, MagpieOptions(hand=3), Random("turn"))
    assert state.turn is not None
    own, other = state.turn.seat, 1 - state.turn.seat

    marked = {
        seat: [line[2] for line in render_state(state, seat, NAMES) if line[0] == ">"] for seat in (None, own, other, 2)
    }
    assert marked == {None: [str(own)], own: [str(own)], other: [], 2: []}


def test_a_picture_of_the_games_own() -> None:
    """A game's own picture replaces that of the zones."""
    state = Magpie(DrawsTheSpectatorEverything).deal(2, MagpieOptions(hand=3), Random("turn"))

    assert render_state(state, 2, NAMES) == list(state.render(2, NAMES)) != render_state(state, 0, NAMES)


class UnrenderedMagpie(MagpieState):
    """Magpie without a rendering of its own."""

    render = None  # type: ignore[assignment]


def test_the_place_of_many_zones() -> None:
    """Zones that a game numbers have the hint of their common name, those with two digits too."""
    layout = Layout(Deck(["A"]), seats=2)
    melds = [layout.add_spread(f"meld {number}") for number in range(12)]

    hints = [
        find_hint(SimpleNamespace(presentation=Presentation(zones={"meld": ZoneHint("beside")})), meld)
        for meld in melds
    ]

    assert {hint.place for hint in hints} == {"beside"}
    assert {find_hint(object(), meld).group for meld in melds} == {"meld"}
