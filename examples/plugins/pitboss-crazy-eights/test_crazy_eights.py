"""Crazy Eights: it keeps every promise of a game, and plays by its rules."""

from __future__ import annotations

from crazy_eights import CrazyEights, Draw, EightsOptions, EightsState, Pass, Play
from pitboss import Random
from pitboss.packs import SUITS
from pitboss.testing import assert_conforms


def make_state(*hands: list[str], top: str, stock: int, draws: int = 3) -> EightsState:
    """Return a game with these hands and this card turned up; but for `stock` cards the others were played."""
    state = CrazyEights().deal(len(hands), EightsOptions(hand=1, draws=draws), Random("rules"))
    table, find = state.table, state.table.layout.deck.find_cards
    table.collect(state.stock)
    for hand, zone in zip(hands, state.hands, strict=True):
        table.place(find(hand), state.stock, zone, known_by=0)
    table.place(find([top]), state.stock, state.played, known_by=0)
    below = table.zones[state.stock][stock:]
    table.place(below, state.stock, state.played, known_by=0)
    table.zones[state.played].sort(key=find([top]).__contains__)
    state.suit = top[0]
    return state


def test_it_conforms() -> None:
    """The conformance suite passes at small tables and at large ones."""
    assert_conforms(CrazyEights(), seats=[2, 6], games=1)


def test_what_fits() -> None:
    """A card of the suit or of the rank, and each eight with any suit; or one draws."""
    state = make_state(["H3", "S5", "C9", "D8"], ["H4"], top="H5", stock=9)

    assert state.legal() == [*(Play("D8", suit) for suit in SUITS), Play("H3"), Play("S5"), Draw()]


def test_an_eight_names_the_suit() -> None:
    """The named suit must follow, or a card of the rank."""
    state = make_state(["D8", "H2"], ["C3", "D4", "S8"], top="H5", stock=9)
    state.play(Play("D8", "C"))

    assert state.legal() == [Play("C3"), *(Play("S8", suit) for suit in SUITS), Draw()]


def test_three_draws_then_a_pass() -> None:
    """After three cards that do not help one passes, and all having passed the game is over."""
    state = make_state(["C2"], ["C3"], top="H5", stock=0)
    assert state.legal() == [Pass()]
    state.play(Pass())
    state.play(Pass())

    assert state.turn is None
    assert state.outcome().places == (1, 2)  # 2 against 3 points
    state = make_state(["C2"], ["C3"], top="H5", stock=30, draws=2)
    state.play(Draw())
    state.play(Draw())
    assert state.legal()[-1] == Pass()


def test_the_stock_is_made_again() -> None:
    """When the last card is drawn, what was played is shuffled, but for the last card."""
    state = make_state(["C2"], ["C3"], top="H5", stock=1)
    state.play(Draw())

    assert len(state.table.zones[state.stock]) == 52 - 1 - 2 - 1
    assert state.faces(state.played) == ["H5"]


def test_the_winner() -> None:
    """Who has no card left wins; the others count theirs, fifty for an eight."""
    state = make_state(["H9"], ["C8", "SK"], ["DA"], top="H5", stock=9)
    state.play(Play("H9"))

    assert state.turn is None
    assert (state.outcome().points, state.outcome().places) == ((0, 60, 1), (1, 3, 2))
