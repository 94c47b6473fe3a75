"""Pots: random hands in which players go all in, against a payout that hands out chip by chip."""

from __future__ import annotations

from itertools import cycle
from random import Random as Quick

import pytest

from pitboss.parts.betting.high_hands import rank_hand
from pitboss_poker.messages import Action, Position
from pitboss_poker.state import PokerState
from tests.games.poker_states import deal_poker


def go_all_in(number: int) -> PokerState:
    """Play a hand in which everybody folds, calls or goes all in at random."""
    rng = Quick(number)
    seats = 2 + number % 9
    stacks = [rng.randint(1, rng.choice((4, 20, 60))) for _ in range(seats)]
    position = Position(stacks=stacks, button=rng.randrange(seats))
    state = deal_poker(
        seats, position=position, seed=number, hands=1, small_blind=1, big_blind=2, ante=number % 2, stack=10
    )
    while state.turn is not None:
        legal = state.legal()
        actions: list[Action] = [entry for entry in legal if isinstance(entry, Action)]
        if state.max_to:
            kind = legal[-1] if isinstance(legal[-1], Action) else legal[-1].action_with(state.max_to)
            actions += [kind] * 2
        state.play(rng.choice(actions))
    return state


def paid_by_seat(state: PokerState) -> tuple[list[int], set[int]]:
    """Return what each seat has paid in a hand, returned chips not taken off, and who has folded: from the log."""
    paid, bets, folded = [0] * state.seats, [0] * state.seats, set[int]()
    for entry in state.table.log or ():
        facts = dict(entry.facts or {})
        if entry.event == "fold":
            assert entry.target is not None
            assert entry.target.owner is not None
            folded.add(entry.target.owner)
        elif entry.event in ("ante", "small_blind", "big_blind", "call"):
            seat, chips = int(str(facts["seat"])), int(str(facts["chips"]))
            paid[seat] += chips
            bets[seat] += 0 if entry.event == "ante" else chips
        elif entry.event in ("bet", "raise"):
            seat, to = int(str(facts["seat"])), int(str(facts["to"]))
            paid[seat] += to - bets[seat]
            bets[seat] = to
        elif entry.event in ("flop", "turn", "river"):
            bets = [0] * state.seats
    return paid, folded


def pay_chip_by_chip(paid: list[int], folded: set[int], strengths: list[int], button: int) -> list[int]:
    """Return what each seat gets, if the k-th chip of everybody lies in the pot of those who have paid k chips.

    Pots that the same seats can win are one pot. Its chips go round among its winners.
    """
    pots: dict[frozenset[int], int] = {}
    last = frozenset[int]()
    for chip in range(1, max(paid) + 1):
        payers = [seat for seat, chips in enumerate(paid) if chips >= chip]
        last = frozenset(payers) - folded or last
        pots[last] = pots.get(last, 0) + len(payers)
    got = [0] * len(paid)
    for claims, chips in pots.items():
        best = max(strengths[seat] for seat in claims)
        clockwise = sorted(claims, key=lambda seat: (seat - button - 1) % len(paid))
        winners = cycle([seat for seat in clockwise if strengths[seat] == best])
        for _ in range(chips):
            got[next(winners)] += 1
    return got


def check_payouts(numbers: range) -> int:
    """Compare the payouts of some hands; return the number of those that had side pots."""
    with_side_pots = 0
    for number in numbers:
        state = go_all_in(number)
        paid, folded = paid_by_seat(state)
        zones, keys = state.table.zones, state.variant.card_keys
        board = [keys[card] for card in zones[state.board]]
        held = [zones[hand] or zones[muck] for hand, muck in zip(state.hands, state.mucks, strict=True)]
        strengths = [rank_hand([*board, *(keys[card] for card in cards)]) for cards in held]

        expected = pay_chip_by_chip(paid, folded, strengths, state.button)
        assert [got - chips for got, chips in zip(expected, paid, strict=True)] == state.net, number
        with_side_pots += len(state.last_pots) > 1
    return with_side_pots


def test_payouts() -> None:
    """Five hundred hands are paid out as chip by chip; a good part of them has side pots."""
    assert check_payouts(range(500)) > 150


@pytest.mark.once
@pytest.mark.long
def test_many_payouts() -> None:
    """Fifty thousand more hands are paid out as chip by chip."""
    assert check_payouts(range(500, 50_500)) > 15_000


def test_hands_differ() -> None:
    """The hands above are of all kinds: some end by folding, some with a call."""
    ends = {
        len([entry for entry in go_all_in(number).table.log or () if entry.verb == "reveal"]) for number in range(60)
    }
    assert {0, 2, 3} <= ends
