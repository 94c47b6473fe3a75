"""What a contract counts: section 4 of the rule book."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from pitboss.plugins.packs import rank_of, suit_of
from pitboss_bridge.messages import Bid, BridgeOptions

BOOK: Final = 6  # tricks that a contract does not count
GAME: Final = 100  # points for tricks bid
HONOURS: Final = ("A", "K", "Q", "J", "10")
SMALL_STEPS: Final = (20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600)
LARGE_STEPS: Final = (750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000)
IMP_STEPS: Final = (*SMALL_STEPS, *LARGE_STEPS)  # B18: the least difference for 1, 2, … IMPs


class ContractResult(NamedTuple):
    """How a deal ended in which a contract was played."""

    contract: Bid
    doubled: int  # 1, 2 or 4
    side: int  # of the declarer
    tricks: int  # that it took
    is_vulnerable: bool


class ContractScore(NamedTuple):
    """What a contract counts for the declarer's side: `below` the line for tricks bid, `above` for all else.

    `penalty` is what the defenders get if it went down.
    """

    below: int = 0
    above: int = 0
    penalty: int = 0


class ScoreSheet(NamedTuple):
    """The score of a match before a deal, by side."""

    totals: tuple[int, int] = (0, 0)
    part_scores: tuple[int, int] = (0, 0)  # below the line, in this game of a rubber or of Chicago
    games: tuple[int, int] = (0, 0)  # of this rubber


def count_deal(
    sheet: ScoreSheet,
    options: BridgeOptions,
    deal_no: int,
    result: ContractResult | None,
    honours: tuple[int, int] = (0, 0),
) -> ScoreSheet:
    """Return the score after a deal; the result None is a deal that was passed out. `honours` are points by side."""
    if options.scoring == "duplicate":
        points = 0 if result is None else count_duplicate(result)
        return sheet._replace(totals=add_sides(sheet.totals, points, -points))
    scored, parts, games = list(honours), list(sheet.part_scores), list(sheet.games)
    is_last_of_four = options.scoring == "chicago" and deal_no % 4 == 0
    if result is not None:
        side, other = result.side, 1 - result.side
        score = score_contract(result.contract, result.doubled, result.tricks, is_vulnerable=result.is_vulnerable)
        scored[side] += score.below + score.above
        scored[other] += score.penalty
        parts[side] += score.below
        if parts[side] >= GAME:
            parts = [0, 0]
            games[side] += options.scoring == "rubber"
            scored[side] += count_game(result, games, options)
        elif is_last_of_four and score.below:
            scored[side] += 100  # B15
    if options.scoring == "rubber" and deal_no == options.deals and max(games) < 2:
        scored = [*add_sides(scored, *count_unfinished(parts, games))]
    if is_last_of_four:
        parts = [0, 0]
    return ScoreSheet(add_sides(sheet.totals, *scored), (parts[0], parts[1]), (games[0], games[1]))


def add_sides(totals: Sequence[int], first: int, second: int) -> tuple[int, int]:
    """Return the totals of both sides with the points of a deal."""
    return totals[0] + first, totals[1] + second


def count_game(result: ContractResult, games: Sequence[int], options: BridgeOptions) -> int:
    """B14, B15: return the bonus for a game, of a rubber for its end."""
    if options.scoring == "chicago":
        return 500 if result.is_vulnerable else 300
    if games[result.side] < 2:
        return 0
    return 500 if games[1 - result.side] else 700


def count_unfinished(parts: Sequence[int], games: Sequence[int]) -> tuple[int, int]:
    """B14: return by side what a game and a part-score count that only one side has, when a rubber is broken off."""
    bonus = [0, 0]
    for points, held in ((300, games), (100, parts)):
        if min(held) == 0 < max(held):
            bonus[held[1] > 0] += points
    return bonus[0], bonus[1]


def score_contract(contract: Bid, doubled: int, tricks: int, *, is_vulnerable: bool) -> ContractScore:
    """Return the score of a contract; `doubled` is 1, 2 or 4, and `tricks` all tricks of the declarer's side."""
    over = tricks - BOOK - contract.level
    if over < 0:
        return ContractScore(penalty=count_undertricks(-over, doubled, is_vulnerable=is_vulnerable))
    below = count_tricks_bid(contract, doubled)
    each = trick_worth(contract) if doubled == 1 else 50 * doubled * (2 if is_vulnerable else 1)
    above = over * each + (0 if doubled == 1 else 25 * doubled)  # B9, B10
    if contract.level >= 6:  # B11
        slam = 500 if contract.level == 6 else 1000
        above += slam * 3 // 2 if is_vulnerable else slam
    return ContractScore(below, above)


def trick_worth(contract: Bid) -> int:
    """B8: return what each trick over six counts, that which no trumps add to the first one aside."""
    return 20 if contract.strain in ("C", "D") else 30


def count_tricks_bid(contract: Bid, doubled: int) -> int:
    """B8: return the points for the tricks that were bid."""
    return doubled * (contract.level * trick_worth(contract) + (10 if contract.strain == "NT" else 0))


def count_undertricks(down: int, doubled: int, *, is_vulnerable: bool) -> int:
    """B12: return what the defenders get for tricks that the declarer lacks."""
    if doubled == 1:
        return down * (100 if is_vulnerable else 50)
    plain = 300 * down - 100 if is_vulnerable else (0, 100, 300, 500)[down] if down <= 3 else 300 * down - 400
    return plain * doubled // 2


@lru_cache(maxsize=1 << 14)
def count_made(contract: Bid, doubled: int, tricks: int, is_vulnerable: bool) -> int:
    """B13: return the points of the declarer's side in duplicate, less than 0 if the contract went down."""
    score = score_contract(contract, doubled, tricks, is_vulnerable=is_vulnerable)
    if score.penalty:
        return -score.penalty
    bonus = (500 if is_vulnerable else 300) if score.below >= GAME else 50
    return score.below + score.above + bonus


def count_duplicate(result: ContractResult) -> int:
    """B13: return the points of side 0 in duplicate, which are those of the other side less than 0."""
    points = count_made(result.contract, result.doubled, result.tricks, result.is_vulnerable)
    return -points if result.side else points


def count_honours(hand: Sequence[str], trump: str | None) -> int:
    """B16: return what the honours of a hand count: four or five of the trumps, or four aces if there are none."""
    if trump is None:
        return 150 if sum(rank_of(card) == "A" for card in hand) == 4 else 0
    held = sum(suit_of(card) == trump and rank_of(card) in HONOURS for card in hand)
    return {4: 100, 5: 150}.get(held, 0)


def count_imps(difference: float) -> int:
    """B18: return the international match points of a difference of points; less than 0 for one below 0."""
    imps = sum(step <= abs(difference) for step in IMP_STEPS)
    return imps if difference > 0 else -imps
