"""A second referee for matches of Hearts, from the text of `plugins/hearts/RULES.md`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from pitboss import Random
from pitboss.game import resolve_options
from pitboss.testing import stack_deal
from pitboss_hearts.game import Hearts
from tests.referees.agreement import FinalRuling, ReadDeal, Referee, Ruling, compare_match, draw_options, rank_totals

HEIGHTS: Final = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
TAKEN_OUT: Final = {3: {"D2"}, 4: set[str](), 5: {"D2", "C2"}}
TO_THE_LEFT: Final = {3: [1, 2, 0], 4: [1, 3, 2, 0], 5: [1, 4, 0]}  # seats, deal by deal
MOONSHOTS: Final = {  # hands that take every trick, if nothing is passed
    3: "C2 C3 C4 C5 C6 C7 C8 C9 C10 CJ CQ CK CA SA SK DA DK",
    4: "C2 C3 C4 C5 C6 C7 C8 C9 C10 CJ CQ CK CA",
    5: "C6 C7 C8 C9 C10 CJ CQ CK CA HA",
}


def judge_hearts(seats: int, options: Mapping[str, Any], read_deal: ReadDeal) -> Referee:
    """Judge a match: sections 1 to 4 of the rule book. A deal has `hands`."""
    totals, pack = [0] * seats, {suit + rank for suit in "SHDC" for rank in HEIGHTS} - TAKEN_OUT[seats]
    deal_no = 0
    while True:
        deal_no += 1
        hands = [{*hand} for hand in read_deal()["hands"]]
        assert [len(hand) for hand in hands] == [len(pack) // seats] * seats
        assert {card for hand in hands for card in hand} == pack
        directions = TO_THE_LEFT[seats]
        distance = directions[(deal_no - 1) % len(directions)] if options["passing"] else 0
        if distance:
            passed = []
            for seat in range(seats):
                triples = {frozenset(three) for three in combinations(hands[seat], 3)}
                _, cards = yield Ruling(seat, {("pass", three) for three in triples}, totals)
                assert isinstance(cards, frozenset)
                passed.append(cards)
            hands = [hands[seat] - passed[seat] | passed[seat - distance] for seat in range(seats)]
        lowest = "C3" if seats == 5 else "C2"
        leader = next(seat for seat in range(seats) if lowest in hands[seat])
        taken, played = [set[str]() for _ in range(seats)], set[str]()
        while hands[leader]:
            trick: dict[int, str] = {}
            for seat in [(leader + step) % seats for step in range(seats)]:
                if not trick:
                    allowed = {lowest} if not played else list_leads(hands[seat], played, options["queen_breaks"])
                else:
                    is_first = len(played) == 0 and not options["first_points"]
                    allowed = list_followers(hands[seat], trick[leader][0], is_first)
                _, card = yield Ruling(seat, {("play", one) for one in allowed}, totals)
                assert isinstance(card, str)
                hands[seat].remove(card)
                trick[seat] = card
            played |= {*trick.values()}
            of_suit = {seat: HEIGHTS.index(card[1:]) for seat, card in trick.items() if card[0] == trick[leader][0]}
            leader = max(of_suit, key=lambda seat: of_suit[seat])
            taken[leader] |= {*trick.values()}
        points = [sum(map(is_point, one)) + 12 * ("SQ" in one) for one in taken]
        if 26 in points:
            shooter, way = points.index(26), options["moon"]
            if way == "choice":
                _, chosen = yield Ruling(shooter, {("moon", "add"), ("moon", "subtract")}, totals)
                way = "old" if chosen == "add" else "new"
            others, own = (26, 0) if way == "old" else (0, -26)
            points = [own if seat == shooter else others for seat in range(seats)]
        if options["jack"]:
            points = [one - 10 * ("DJ" in cards) for one, cards in zip(points, taken, strict=True)]
        totals = [total + more for total, more in zip(totals, points, strict=True)]
        if max(totals) >= options["limit"] or deal_no == options["deals"]:
            return FinalRuling(totals, [float(total) for total in totals], rank_totals([-total for total in totals]))


def is_point(card: str) -> bool:
    """H7: the card is a heart or the queen of spades."""
    return card[0] == "H" or card == "SQ"


def list_leads(hand: set[str], played: set[str], queen_breaks: bool) -> set[str]:
    """H6: any card, but no heart before hearts are open, if there is another."""
    is_open = any(card[0] == "H" for card in played) or (queen_breaks and "SQ" in played)
    return hand if is_open else {card for card in hand if card[0] != "H"} or hand


def list_followers(hand: Sequence[str] | set[str], suit: str, is_first: bool) -> set[str]:
    """H5: a card of the suit, or else any; in the first trick no point, if there is another card."""
    allowed = {card for card in hand if card[0] == suit} or {*hand}
    harmless = {card for card in allowed if not is_point(card)}
    return harmless or allowed if is_first else allowed


def compare(seed: int) -> int:
    """Play a match of random options and choices; return the number of decisions on which plugin and referee agree.

    In every third match somebody shoots the moon in the first deal.

    Raises:
        AssertionError: they differ.
    """
    rng, game = Random(f"referee/hearts/{seed}"), Hearts()
    seats = rng.choice(game.seats)
    options = draw_options(game, seats, rng)
    if seed % 3 == 0:
        options |= {"passing": False}
        dealt = {f"hand {rng.randbelow(seats)}": MOONSHOTS[seats]}
        state = stack_deal(game, seats, dealt, options=resolve_options(game, seats, None, options), seed=str(seed))
    else:
        state = game.deal(seats, resolve_options(game, seats, None, options), rng.spawn("deal"))
    judged = judge_hearts(seats, options, lambda: {"hands": [state.faces(hand) for hand in state.hands]})
    return compare_match(state, judged, rng)
