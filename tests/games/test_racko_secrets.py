"""What nobody may learn at a Rack-O table: that a player waited (D8), and the cards that only their owner saw (2.5)."""

from __future__ import annotations

from typing import Final

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pitboss_racko.messages import Action, Discard, Draw, Position, Swap, Take, Wait
from pitboss_racko.state import RackoState
from tests.games.racko_states import set_up_game
from tests.games.random_play import observation_bytes

FEW: Final = settings(max_examples=100)
ANSWERS: Final[list[list[Action]]] = [[Draw(), Discard()], [Take(5)], [Draw()]]  # of the next player


@st.composite
def indistinguishable_racks(draw: st.DrawFn) -> tuple[list[list[int]], list[list[int]]]:
    """Return racks for three in which seat 0's is complete, and the same with two of its cards exchanged."""
    order = draw(st.permutations(range(1, 51)))
    complete, others = sorted(order[:10]), [list(order[10:20]), list(order[20:30])]
    one, two = draw(st.lists(st.integers(0, 9), min_size=2, max_size=2, unique=True))
    broken = complete[:]
    broken[one], broken[two] = broken[two], broken[one]
    return [complete, *others], [broken, *others]


def set_up_draw(racks: list[list[int]], stock: list[int]) -> RackoState:
    """Return a table at which seat 0 is to draw, and may wait with a complete rack."""
    rows: list[list[int | None]] = [list(rack) for rack in racks]
    return set_up_game(
        3, Position(dealer=2, racks=rows, stock=stock[1:], discard=stock[:1]), declare="choice", max_turns=4
    )


@FEW
@given(indistinguishable_racks(), st.sampled_from(ANSWERS))
def test_player_who_waits(racks: tuple[list[list[int]], list[list[int]]], answer: list[Action]) -> None:
    """D8: what all others are shown is byte for byte the same whether a player waited or had nothing to declare."""
    complete, broken = racks
    stock = sorted(set(range(1, 51)) - {card for rack in complete for card in rack})
    asked, unasked = set_up_draw(complete, stock), set_up_draw(broken, stock)
    for state in (asked, unasked):
        state.play(Draw())
        state.play(Discard())
    assert (asked.turn, unasked.turn) == ((0, "declare"), (1, "draw"))

    asked.play(Wait())

    for action in [None, *answer]:
        if action is not None and asked.turn and unasked.turn:
            asked.play(action)
            unasked.play(action)
        for seat in (1, 2, 3):
            assert observation_bytes(asked, seat) == observation_bytes(unasked, seat)
    assert observation_bytes(asked, 0) != observation_bytes(unasked, 0)


@FEW
@given(indistinguishable_racks())
def test_player_who_is_asked(racks: tuple[list[list[int]], list[list[int]]]) -> None:
    """D8: while a player thinks about declaring, the events of the others are those of a player who was never asked."""
    complete, broken = racks
    stock = sorted(set(range(1, 51)) - {card for rack in complete for card in rack})
    asked, unasked = set_up_draw(complete, stock), set_up_draw(broken, stock)

    for state in (asked, unasked):
        state.play(Draw())
        state.play(Discard())

    for seat in (1, 2, 3):
        assert asked.table.events(seat) == unasked.table.events(seat)
        assert asked.view(seat).known_racks == unasked.view(seat).known_racks


@FEW
@given(indistinguishable_racks(), st.integers(1, 10).map(lambda number: 5 * number))
def test_card_drawn_by_another(racks: tuple[list[list[int]], list[list[int]]], slot: int) -> None:
    """2.5: a card from a hidden stock stays its owner's secret, in the hand and in the rack."""
    _, cards = racks
    stock = sorted(set(range(1, 51)) - {card for rack in cards for card in rack})
    one, other = set_up_draw(cards, stock), set_up_draw(cards, [stock[0], stock[2], stock[1], *stock[3:]])
    drawn, placed = [], []

    for state in (one, other):
        state.play(Draw())
        drawn.append([observation_bytes(state, seat) for seat in range(4)])
        state.play(Swap(slot))
        placed.append([state.view(seat) for seat in (1, 2, 3)])

    assert drawn[0][0] != drawn[1][0]
    assert drawn[0][1:] == drawn[1][1:]
    assume(all(state.turn == (1, "draw") for state in (one, other)))
    assert placed[0] == placed[1]
