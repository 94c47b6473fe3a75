"""A second referee for matches of Oh Hell, from the text of `plugins/oh_hell/RULES.md`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_oh_hell.game import OhHell
from tests.referees.agreement import (
    FinalRuling,
    ReadDeal,
    Referee,
    Ruling,
    compare_match,
    draw_options,
    is_pack,
    rank_totals,
)

RANKS: Final = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]


def judge_oh_hell(seats: int, options: Mapping[str, Any], read_deal: ReadDeal) -> Referee:
    """Judge a match: section 2 to 4 of the rule book. A deal has `hands`, `turned_up` and `stock`."""
    totals = [0] * seats
    for number, size in enumerate(list_sizes(seats, options["most"], options["order"])):
        deal, first = read_deal(), number % seats
        hands = [{*hand} for hand in deal["hands"]]
        assert [len(hand) for hand in hands] == [size] * seats, f"hands are {hands}; each has {size} cards"
        assert len(deal["turned_up"]) == (size * seats < 52)
        assert is_pack([*deal["turned_up"], *deal["stock"], *(card for hand in hands for card in hand)])
        trump = deal["turned_up"][0][0] if deal["turned_up"] else None
        bids: dict[int, int] = {}
        for seat in round_from(first, seats):
            allowed = {*range(size + 1)}
            if options["hook"] and len(bids) == seats - 1:
                allowed.discard(size - sum(bids.values()))
            _, bid = yield Ruling(seat, {("bid", tricks) for tricks in allowed}, totals)
            assert isinstance(bid, int)
            bids[seat] = bid
        taken, leader = [0] * seats, first
        for _ in range(size):
            trick: dict[int, str] = {}
            for seat in round_from(leader, seats):
                led = next(iter(trick.values()))[0] if trick else None
                follows = {card for card in hands[seat] if card[0] == led}
                _, card = yield Ruling(seat, {("play", one) for one in follows or hands[seat]}, totals)
                assert isinstance(card, str)
                hands[seat].remove(card)
                trick[seat] = card
            leader = find_taker(trick, leader, trump)
            taken[leader] += 1
        totals = [total + count_deal(bids[seat], taken[seat], options["scoring"]) for seat, total in enumerate(totals)]
    return FinalRuling(totals, [float(total) for total in totals], rank_totals(totals))


def list_sizes(seats: int, most: int | None, order: str) -> list[int]:
    """O2: the cards of a hand in each deal."""
    largest = most or (8 if seats == 6 else 7 if seats == 7 else 10)
    one_way = list(range(1, largest + 1))
    match order:
        case "up":
            return one_way
        case "down":
            return one_way[::-1]
        case "up_down":
            return one_way + one_way[:-1][::-1]
        case "down_up":
            return one_way[::-1] + one_way[1:]
        case _:
            return [largest]


def round_from(first: int, seats: int) -> list[int]:
    """O1: all seats in their order, from one on."""
    return [*range(first, seats), *range(first)]


def find_taker(trick: Mapping[int, str], leader: int, trump: str | None) -> int:
    """O6: the seat of the highest trump, or else of the highest card of the suit that was led."""
    trumps = {seat: card for seat, card in trick.items() if card[0] == trump}
    of_suit = trumps or {seat: card for seat, card in trick.items() if card[0] == trick[leader][0]}
    return max(of_suit, key=lambda seat: RANKS.index(of_suit[seat][1:]))


def count_deal(bid: int, tricks: int, scoring: str) -> int:
    """O7: the points of a player."""
    if tricks == bid:
        return 10 + tricks
    if scoring == "tricks":
        return tricks
    return -max(tricks - bid, bid - tricks) if scoring == "penalty" else 0


def compare(seed: int) -> int:
    """Play a match of random options and choices; return the number of decisions on which plugin and referee agree.

    Raises:
        AssertionError: they differ.
    """
    rng, game = Random(f"referee/oh-hell/{seed}"), OhHell()
    seats = rng.choice(game.seats)
    options = draw_options(game, seats, rng)
    state = game.deal(seats, resolve_options(game, seats, None, options), rng.spawn("deal"))

    def read_deal() -> dict[str, Any]:
        return {
            "hands": [state.faces(hand) for hand in state.hands],
            "turned_up": state.faces(state.turned_up),
            "stock": state.faces(state.stock),
        }

    return compare_match(state, judge_oh_hell(seats, options, read_deal), rng)
