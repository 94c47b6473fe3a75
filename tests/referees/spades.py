"""A second referee for matches of Spades, from the text of `plugins/spades/RULES.md`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_spades.game import Spades
from tests.referees.agreement import Choice, FinalRuling, ReadDeal, Referee, Ruling, compare_match, draw_options

PLAIN: Final = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
ABOVE_THE_ACE: Final = {"ace": [], "jokers": ["LITTLE", "BIG"], "jokers_deuces": ["S2", "D2", "LITTLE", "BIG"]}


def judge_spades(options: Mapping[str, Any], read_deal: ReadDeal) -> Referee:
    """Judge a match: sections 1 to 4 of the rule book. A deal has `hands`."""
    spades = list_spades(options["high_trumps"])
    points, bags = [0, 0], [0, 0]  # by side: seats 0 and 2, seats 1 and 3
    deal_no = 0
    while True:
        deal_no += 1
        hands = [{*hand} for hand in read_deal()["hands"]]
        assert [len(hand) for hand in hands] == [13] * 4
        assert {card for hand in hands for card in hand} == list_pack(options["high_trumps"])
        first = (deal_no - 1) % 4
        totals = points * 2
        bids: dict[int, int] = {}
        blind: set[int] = set()
        for seat in seats_from(first):
            if may_bid_blind(totals, seat, options):
                [choice] = yield Ruling(seat, {("blindnil",), ("look",)}, totals)
                if choice == "blindnil":
                    bids[seat] = 0
                    blind.add(seat)
                    continue
            _, bid = yield Ruling(seat, list_bids(bids.get((seat + 2) % 4), options), totals)
            assert isinstance(bid, int)
            bids[seat] = bid
        taken, leader, played = [0] * 4, first, set[str]()
        for _ in range(13):
            trick: dict[int, str] = {}
            for seat in seats_from(leader):
                if trick:
                    allowed = follow(hands[seat], trick[leader], spades)
                elif options["spade_lead"] == "any" or played & {*spades}:
                    allowed = hands[seat]
                else:
                    allowed = hands[seat] - {*spades} or hands[seat]
                _, card = yield Ruling(seat, {("play", one) for one in allowed}, totals)
                assert isinstance(card, str)
                hands[seat].remove(card)
                trick[seat] = card
            played |= {*trick.values()}
            leader = find_trick_taker(trick, leader, spades)
            taken[leader] += 1
        for side in (0, 1):
            more, bags[side] = count_side_points(side, bids, blind, taken, bags[side], options)
            points[side] += more
        if is_over(points, deal_no, options):
            places = [1 + (points[side] < points[1 - side]) for side in (0, 1)]
            return FinalRuling(points * 2, [float(one) for one in points] * 2, places * 2)


def list_spades(high_trumps: str) -> list[str]:
    """S1: the spades, from the lowest to the highest."""
    above = ABOVE_THE_ACE[high_trumps]
    return [f"S{rank}" for rank in PLAIN if f"S{rank}" not in above] + above


def list_pack(high_trumps: str) -> set[str]:
    """S1: the 52 cards: two jokers replace the deuces of hearts and of clubs."""
    pack = {suit + rank for suit in "SHDC" for rank in PLAIN}
    return pack if high_trumps == "ace" else pack - {"H2", "C2"} | {"BIG", "LITTLE"}


def seats_from(seat: int) -> list[int]:
    """S1: the four seats in turn."""
    return [(seat + step) % 4 for step in range(4)]


def may_bid_blind(totals: Sequence[int], seat: int, options: Mapping[str, Any]) -> bool:
    """S10, S11: the side is far enough behind, and there is blind nil, and nil at all."""
    behind = totals[(seat + 1) % 4] - totals[seat]
    return bool(options["blind_nil"] and options["nil"] != 0 and behind >= options["blind_deficit"])


def list_bids(partner: int | None, options: Mapping[str, Any]) -> set[Choice]:
    """S3, S10, S12: partners bid 13 together; none bids nil if it counts nothing; in suicide one of them does."""
    bids = {*range(14)} if options["nil"] else {*range(1, 14)}
    if options["suicide"]:
        if partner is not None:
            bids = {0} if partner else bids - {0}
    else:
        least_of_partner = min(bids) if partner is None else partner
        bids = {bid for bid in bids if bid + least_of_partner <= 13}
    return {("bid", bid) for bid in bids}


def follow(hand: set[str], led: str, spades: Sequence[str]) -> set[str]:
    """S4: the cards of the suit that was led, or else all."""
    if led in spades:
        return hand & {*spades} or hand
    return {card for card in hand if card[0] == led[0] and card not in spades} or hand


def find_trick_taker(trick: Mapping[int, str], leader: int, spades: Sequence[str]) -> int:
    """S6: the seat of the highest spade, or else of the highest card of the suit that was led."""
    trumps = {seat: spades.index(card) for seat, card in trick.items() if card in spades}
    suit = trick[leader][0]
    others = {seat: PLAIN.index(card[1:]) for seat, card in trick.items() if card not in spades and card[0] == suit}
    heights = trumps or others
    return max(heights, key=lambda seat: heights[seat])


def count_side_points(
    side: int, bids: Mapping[int, int], blind: set[int], taken: Sequence[int], bags: int, options: Mapping[str, Any]
) -> tuple[int, int]:
    """S7 to S11: the points of a side, and its bags."""
    points, wanted, towards, over = 0, 0, 0, 0
    for seat in (side, side + 2):
        wanted += bids[seat]
        if bids[seat] == 0:
            worth = options["nil"] * (2 if seat in blind else 1)
            points += worth if taken[seat] == 0 else -worth
        if bids[seat] == 0 and options["failed_nil"] == "bags":
            over += taken[seat]
        else:
            towards += taken[seat]
    if towards < wanted:
        points -= 10 * wanted
    else:
        points += 10 * wanted
        over += towards - wanted
    points, bags = points + over, bags + over
    while options["bag_limit"] and bags >= options["bag_limit"]:
        points, bags = points - options["bag_penalty"], bags - options["bag_limit"]
    return points, bags


def is_over(points: Sequence[int], deal_no: int, options: Mapping[str, Any]) -> bool:
    """S13: a side leads with the target, or is at the floor; or all deals are played."""
    leads = max(points) >= options["target"] and points[0] != points[1]
    return leads or min(points) <= options["floor"] or deal_no == options["deals"]


def compare(seed: int) -> int:
    """Play a match of random options and choices; return the number of decisions on which plugin and referee agree.

    Raises:
        AssertionError: they differ.
    """
    rng, game = Random(f"referee/spades/{seed}"), Spades()
    options = draw_options(game, 4, rng)
    state = game.deal(4, resolve_options(game, 4, None, options), rng.spawn("deal"))
    judged = judge_spades(options, lambda: {"hands": [state.faces(zone) for zone in state.hand_zones()]})
    return compare_match(state, judged, rng)
