"""Cribbage: the count of all hands, what "go" tells, the crib, sides, bounds, and claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final

import pytest

from pitboss import IllegalAction, OptionError, Random
from pitboss.game import find_game_bounds, find_sides, resolve_options
from pitboss.simulation.random_play import choose_from, play_on
from pitboss_cribbage.game import Cribbage
from pitboss_cribbage.messages import ClaimPoints, Go, LayAway, PlayToCount, Position
from pitboss_cribbage.scoring import VALUES, count_play, count_show, measure_run
from pitboss_cribbage.state import CribbageState

GAME: Final = Cribbage()
ALL_HANDS: Final = 12_994_800  # four cards and a starter
SHOWN: Final = {  # by points, how many of them count so
    0: 1_009_008,
    1: 99_792,
    2: 2_813_796,
    3: 505_008,
    4: 2_855_676,
    5: 697_508,
    6: 1_800_268,
    7: 751_324,
    8: 1_137_236,
    9: 361_224,
    10: 388_740,
    11: 51_680,
    12: 317_340,
    13: 19_656,
    14: 90_100,
    15: 9_168,
    16: 58_248,
    17: 11_196,
    18: 2_708,
    20: 8_068,
    21: 2_496,
    22: 444,
    23: 356,
    24: 3_680,
    28: 76,
    29: 4,
}


def set_up(position: Position, seats: int = 2, preset: str | None = None, **given: object) -> CribbageState:
    """Return a state at a position."""
    return GAME.setup(seats, resolve_options(GAME, seats, preset, given), position, Random("position"))


def count_one_by_one(cards: Sequence[int]) -> int:
    """Return what cards count for fifteens, pairs and runs, by looking at each of their parts."""
    parts = [part for size in range(2, len(cards) + 1) for part in combinations(cards, size)]
    fifteens = sum(sum(VALUES[card] for card in part) == 15 for part in parts)
    pairs = sum(len(part) == 2 and part[0] >> 2 == part[1] >> 2 for part in parts)
    runs = [part for part in parts if len(part) >= 3 and is_run(part)]
    longest = max(map(len, runs), default=0)
    return 2 * fifteens + 2 * pairs + sum(len(run) for run in runs if len(run) == longest)


def is_run(cards: Iterable[int]) -> bool:
    """Return whether the ranks of cards follow one another."""
    ranks = sorted(card >> 2 for card in cards)
    return ranks == [*range(ranks[0], ranks[0] + len(ranks))]


def test_hands_are_counted_as_one_by_one() -> None:
    """Random hands count what their parts do, with the flush and his nobs."""
    rng = Random("hands")
    for _ in range(1_500):
        cards = [*range(52)]
        rng.shuffle(cards)
        *hand, starter = cards[:5]
        suits, jack = {card & 3 for card in hand}, 10 << 2 | starter & 3
        flush = 0 if len(suits) > 1 else 5 if starter & 3 in suits else 4
        expected = count_one_by_one([*hand, starter]) + (jack in hand)
        assert count_show(hand, starter) == expected + flush
        assert count_show(hand, starter, is_crib=True) == expected + (flush if flush == 5 else 0)


@pytest.mark.once
@pytest.mark.long
def test_all_hands() -> None:
    """The points of all hands of four with each starter are distributed as is known; the suits are alike."""
    found: Counter[int] = Counter()
    for starter in range(0, 52, 4):
        rest = [card for card in range(52) if card != starter]
        found.update([count_show(hand, starter) for hand in combinations(rest, 4)])

    assert {points: 4 * hands for points, hands in found.items()} == SHOWN
    assert sum(SHOWN.values()) == ALL_HANDS


def test_runs_of_the_play_are_found_in_any_order() -> None:
    """The longest run of the last cards is what the sorted ranks of each ending say."""
    rng = Random("series")
    for _ in range(1_000):
        ranks = [rng.randbelow(6) for _ in range(3 + rng.randbelow(5))]
        endings = [ranks[-size:] for size in range(3, len(ranks) + 1)]
        runs = [len(one) for one in endings if is_run(rank << 2 for rank in one)]
        assert measure_run(ranks) == max(runs, default=0)
        assert count_play(ranks, 20) >= measure_run(ranks)


def test_what_go_tells() -> None:
    """A seat that says "go" holds no playable card in any world that the others imagine."""
    hands: list[list[str | None]] = [["SK", "SQ", "SJ", "S10"], ["HK", "HQ", "HA", "H2"]]
    state = set_up(Position(hands=hands, laid_away=[["D2", "D3"], ["D4", "D5"]], starter="C9"))
    for action in ("HK", "SK", "HQ"):
        state.play(PlayToCount(action))
    assert list(state.legal()) == [Go()]
    state.play(Go())

    assert (state.turn, state.view(1).gone) == ((1, "play"), [0])
    worlds = [state.imagine(1, Random(f"go/{number}")) for number in range(20)]
    held = [face for world in worlds for face in world.faces(world.hands[0])]
    assert not {"A"} & {face[1:] for face in held}
    assert len({*held}) > 10


def test_the_crib_is_hidden() -> None:
    """A seat knows of the crib what it has laid away, and nobody the card that three players are dealt there."""
    state = GAME.deal(3, resolve_options(GAME, 3), Random("crib"))
    while not state.table.zones[state.starter]:
        state.play(state.legal()[0])

    for seat in range(3):
        known = [face for face in state.table.faces_known_to(state.crib, seat) if face]
        assert known == state.view(seat).laid_away
        assert len(known) == 1


def test_all_lay_away_at_the_same_time() -> None:
    """All seats lay cards away in one moment: a seat is not shown what the seats before it laid away."""
    state = GAME.deal(4, resolve_options(GAME, 4), Random("moment"))
    for _ in range(4):
        assert list(state.together()) == [0, 1, 2, 3]
        state.play(state.legal()[-1])
    assert list(state.together()) == []


def test_sides() -> None:
    """Four players are partners two by two, with one score; two and three play alone."""
    assert find_sides(GAME, 4, resolve_options(GAME, 4)) == ((0, 2), (1, 3))
    assert find_sides(GAME, 3, resolve_options(GAME, 3)) == ((0,), (1,), (2,))
    state = GAME.deal(4, resolve_options(GAME, 4), Random("sides"))
    play_on(state, choose_from(Random("choices")))
    assert state.totals[0] == state.totals[2] and state.totals[1] == state.totals[3]
    assert state.outcome().sides == ((0, 2), (1, 3))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_bounds(seats: int) -> None:
    """No game is longer or counts more than the bounds say, with one deal and with many."""
    for preset in ("single", "standard", "muggins", "muggins_in_play", "skunks"):
        options = resolve_options(GAME, seats, preset, {"deals": 1} if preset == "muggins_in_play" else {})
        bounds = find_game_bounds(GAME, seats, options)
        state = GAME.deal(seats, options, Random(f"bounds/{preset}"))
        decisions = len(play_on(state, choose_from(Random("choices"))))
        assert bounds is not None and bounds.decisions is not None
        assert decisions <= bounds.decisions
        assert all(bounds.least <= points <= bounds.most for points in state.outcome().points)


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_lowest_card_deals_first(seats: int) -> None:
    """Each seat cuts a card; seats whose lowest cards are equal cut again, and each seat deals first now and then."""
    dealers, cuts = Counter[int](), Counter[int]()
    for number in range(150):
        state = GAME.deal(seats, resolve_options(GAME, seats, None, {"cut_for_deal": True}), Random(f"cut/{number}"))
        cards = iter([entry.cards[0] for entry in state.table.log or () if entry.event == "cut"])
        cutting, rounds = [*range(seats)], 0
        while len(cutting) > 1:
            rounds += 1
            ranks = {seat: next(cards) >> 2 for seat in cutting}
            cutting = [seat for seat in cutting if ranks[seat] == min(ranks.values())]
        assert [*cards] == []
        assert [state.dealer] == cutting
        dealers[state.dealer] += 1
        cuts[rounds] += 1

    assert min(dealers[seat] for seat in range(seats)) > 150 // seats // 2
    assert cuts[2] > 2


def test_five_cards_are_for_two() -> None:
    """Hands of five cards are refused for more than two players."""
    with pytest.raises(OptionError, match="five_card is for 2 players; 3 play"):
        resolve_options(GAME, 3, "five_card")


def test_with_three_the_winner_has_a_game_of_each_loser() -> None:
    """The winner of three has a game of each loser, and a skunk of the loser that is that far behind."""
    written = Position(totals=[119, 100, 50], laid_away=[["S2"], ["S4"], ["S6"]], starter="HJ")

    assert set_up(written, seats=3, preset="skunks").outcome().points == (4.0, 0.0, 0.0)
    assert set_up(written, seats=3, skunks="single").outcome().points == (3.0, 0.0, 0.0)


def test_the_show_stops_when_a_claim_ends_the_game() -> None:
    """With muggins the next seat may win the game with points that were missed, and the show stops."""
    plays: list[tuple[int, str | None]] = [(1, "HK"), (0, "S8"), (1, "H8"), (0, "S4"), (1, "HA"), (0, "S2"), (1, "H6")]
    laid: list[list[str | None]] = [["D2", "D4"], ["D6", "D8"]]
    written = Position(totals=[118, 100], hands=[["SK"], []], laid_away=laid, starter="C9", plays=plays)
    state = set_up(written, preset="muggins")
    state.play(PlayToCount("SK"))
    state.play(ClaimPoints(0))

    assert (state.turn, state.totals) == (None, [121, 104])


def test_claims_in_the_play_that_are_left_out() -> None:
    """Claims that a position leaves out count as right."""
    hands: list[list[str | None]] = [["S7", "SQ"], ["H2", "H3"]]
    written = Position(hands=hands, plays=[(1, "H4"), (0, "S5"), (1, "H6"), (0, "C6")])
    state = set_up(written, preset="muggins_in_play")

    assert (state.turn, state.totals, state.play_claims) == ((1, "play"), [2, 5], (0, 0, 5, 2))


def test_open_cards_fit_a_go() -> None:
    """Cards that a position leaves open are dealt so that they could have led to the plays of the position."""
    plays: list[tuple[int, str | None]] = [(1, "HK"), (0, "S8"), (1, "H8"), (0, None)]
    for number in range(10):
        state = GAME.setup(2, resolve_options(GAME, 2), Position(plays=plays), Random(f"open/{number}"))
        assert min(VALUES[card] for card in state.table.zones[state.hands[0]]) > 5


def test_an_action_that_is_not_legal_is_refused() -> None:
    """Cards laid away in another order, too few cards, a go and a play are refused where they are not legal."""
    state = GAME.deal(2, resolve_options(GAME, 2), Random("refused"))
    first, second = state.legal()[0].cards  # type: ignore[union-attr]

    for action in (LayAway((second, first)), LayAway((first,)), Go(), PlayToCount(first)):
        with pytest.raises(IllegalAction, match="legal"):
            state.play(action)
