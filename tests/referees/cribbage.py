"""A second referee for games of Cribbage, from the text of `plugins/cribbage/RULES.md`."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final, TypeAlias

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_cribbage.game import Cribbage
from tests.referees.agreement import (
    Choice,
    FinalRuling,
    ReadDeal,
    Referee,
    Ruling,
    compare_match,
    draw_options,
    is_pack,
    rank_totals,
)

RANKS: Final = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]  # C2: the ace is low
LETTER_VALUES: Final = {"J": 10, "Q": 10, "K": 10, "A": 1}

Asking: TypeAlias = Generator[Ruling, Choice, Any]


class GameOver(Exception):
    """A side has the points that win the game."""


class Scoreboard:
    """The points of the seats; partners have the same."""

    def __init__(self, seats: int, target: int) -> None:
        self.seats, self.target = seats, target
        self.totals = [0] * seats

    def peg(self, seat: int, points: int) -> None:
        """C1, C12: peg points for a seat and its partner, up to the target."""
        side = [seat, (seat + 2) % 4] if self.seats == 4 else [seat]
        for one in side:
            self.totals[one] = min(self.target, self.totals[one] + points)
        if self.totals[seat] >= self.target:
            raise GameOver

    def claim(self, seat: int, worth: int, most: int) -> Asking:
        """C14, D5: ask a seat what its cards count; the next seat pegs what is claimed too little or too much."""
        _, points = yield Ruling(seat, {("claim", number) for number in range(most + 1)}, [*self.totals])
        assert isinstance(points, int)
        self.peg(seat, min(points, worth))
        self.peg((seat + 1) % self.seats, max(points, worth) - min(points, worth))


def judge_cribbage(seats: int, options: Mapping[str, Any], cuts: Sequence[str], read_deal: ReadDeal) -> Referee:
    """Judge a game: section 2 to 4 of the rule book. A deal has `hands`, `crib` and `stock`, the top card first."""
    board = Scoreboard(seats, options["target"])
    dealer = find_first_dealer(seats, cuts) if options["cut_for_deal"] else 0
    if options["five_card"]:
        board.totals[1 - dealer] = 3
    try:
        for _ in range(options["deals"]):
            yield from judge_deal(board, options, read_deal(), dealer)
            dealer = (dealer + 1) % seats
    except GameOver:
        pass
    return judge_game(board, options)


def find_first_dealer(seats: int, cuts: Sequence[str]) -> int:
    """C3, D9: the seat that cut the lowest card; seats with equal lowest cards cut again."""
    left: list[str] = [*cuts]
    cutting: list[int] = [*range(seats)]
    while len(cutting) > 1:
        lowest = min(RANKS.index(card[1:]) for card in left[: len(cutting)])
        cards = {seat: left.pop(0) for seat in cutting}
        cutting = [seat for seat, card in cards.items() if RANKS.index(card[1:]) == lowest]
    assert not left, f"cut too often: {left}"
    return cutting[0]


def judge_deal(board: Scoreboard, options: Mapping[str, Any], deal: Mapping[str, Any], dealer: int) -> Asking:
    """C4, C5: lay away and turn up the starter; then the play and the show."""
    seats = board.seats
    away = 2 if seats == 2 else 1
    hands, crib = [{*hand} for hand in deal["hands"]], [*deal["crib"]]
    assert [len(hand) for hand in hands] == [(3 if options["five_card"] else 4) + away] * seats
    assert len(crib) == (seats == 3)
    assert is_pack([*crib, *deal["stock"], *(card for hand in hands for card in hand)])
    for seat, hand in enumerate(hands):
        legal: set[Choice] = {("lay_away", frozenset(cards)) for cards in combinations(hand, away)}
        _, laid = yield Ruling(seat, legal, [*board.totals])
        assert isinstance(laid, frozenset)
        hand -= laid
        crib += laid
    starter = deal["stock"][0]
    if starter[1:] == "J":
        board.peg(dealer, 2)
    kept = [[*hand] for hand in hands]
    yield from judge_play(board, options, hands, dealer)
    order = [(dealer + step) % seats for step in range(1, seats + 1)]
    for seat, cards, is_crib in [*((seat, kept[seat], False) for seat in order), (dealer, crib, True)]:
        worth = count_shown(cards, starter, is_crib)
        if options["muggins"]:
            yield from board.claim(seat, worth, 29)
        else:
            board.peg(seat, worth)


def judge_play(board: Scoreboard, options: Mapping[str, Any], hands: Sequence[set[str]], dealer: int) -> Asking:
    """C6 to C8, C13: series after series, until all cards are played; with five cards there is one."""
    last = dealer
    while any(hands):
        last = yield from judge_series(board, options, hands, last)
        if options["five_card"]:
            return


def judge_series(board: Scoreboard, options: Mapping[str, Any], hands: Sequence[set[str]], before: int) -> Asking:
    """C6 to C8: play from a count of 0 to a 31, or until nobody can play; return who played the last card.

    The next seat after `before` leads that has cards left.
    """
    series: list[str] = []
    gone: set[int] = set()
    seat, last = before, before
    while True:
        able = [one for one in order_after(seat, board.seats) if hands[one] and one not in gone]
        if not able:
            board.peg(last, 1)
            return last
        seat, count = able[0], sum(map(value_of, series))
        playable = {card for card in hands[seat] if count + value_of(card) <= 31}
        legal: set[Choice] = {("play", card) for card in playable} or {("go",)}
        choice = yield Ruling(seat, legal, [*board.totals])
        if choice == ("go",):
            gone.add(seat)
            continue
        card, last = str(choice[1]), seat
        hands[seat].remove(card)
        series.append(card)
        if options["muggins_in_play"]:
            yield from board.claim(seat, count_played(series), 14)
        else:
            board.peg(seat, count_played(series))
        if count + value_of(card) == 31:
            return last


def order_after(seat: int, seats: int) -> list[int]:
    """C1: all seats in their order, `seat` as the last."""
    return [(seat + step) % seats for step in range(1, seats + 1)]


def value_of(card: str) -> int:
    """C2: what a card adds to the count."""
    return LETTER_VALUES[card[1:]] if card[1:] in LETTER_VALUES else int(card[1:])


def count_played(series: Sequence[str]) -> int:
    """C7: what the last card of a series makes."""
    ranks = [RANKS.index(card[1:]) for card in series]
    points = 2 if sum(map(value_of, series)) in (15, 31) else 0
    for length, worth in ((4, 12), (3, 6), (2, 2)):
        if len(ranks) >= length and len({*ranks[-length:]}) == 1:
            return points + worth
    runs = [length for length in range(3, len(ranks) + 1) if is_run(ranks[-length:])]
    return points + max(runs, default=0)


def is_run(ranks: Sequence[int]) -> bool:
    """C7, C9: whether ranks follow one another, in any order."""
    lowest = min(ranks)
    return {*ranks} == {*range(lowest, lowest + len(ranks))}


def count_shown(hand: Sequence[str], starter: str, is_crib: bool) -> int:
    """C9 to C11: what a hand or the crib counts."""
    cards = [*hand, starter]
    parts = [part for size in range(2, len(cards) + 1) for part in combinations(cards, size)]
    points = sum(2 for part in parts if sum(map(value_of, part)) == 15)
    points += sum(2 for part in parts if len(part) == 2 and part[0][1:] == part[1][1:])
    runs = [part for part in parts if len(part) > 2 and is_run([RANKS.index(card[1:]) for card in part])]
    points += sum(len(run) for run in runs if not any({*run} < {*other} for other in runs))
    if len({card[0] for card in cards}) == 1:
        points += len(cards)
    elif len({card[0] for card in hand}) == 1 and not is_crib:
        points += len(hand)
    return points + (starter[0] + "J" in hand)


def judge_game(board: Scoreboard, options: Mapping[str, Any]) -> FinalRuling:
    """C12, C15: places by points; with skunks the winner has games of each other side."""
    totals, target = board.totals, board.target
    places = rank_totals(totals)
    if board.seats == 4:  # of two sides
        places = [2 if place > 1 else 1 for place in places]
    if options["skunks"] == "none" or max(totals) < target:
        return FinalRuling(totals, [float(total) for total in totals], places)
    losers = {(seat % 2 if board.seats == 4 else seat): total for seat, total in enumerate(totals) if total < target}
    games = sum(count_games(target - total, options["skunks"]) for total in losers.values())
    return FinalRuling(totals, [float(games) if place == 1 else 0.0 for place in places], places)


def count_games(behind: int, skunks: str) -> int:
    """C15: how many games a side loses that is some points behind."""
    if behind > 60 and skunks == "double":
        return 3
    return 2 if behind > 30 else 1


def compare(seed: int) -> int:
    """Play a game of random options and choices; return the number of decisions on which plugin and referee agree.

    Raises:
        AssertionError: they differ.
    """
    rng, game = Random(f"referee/cribbage/{seed}"), Cribbage()
    seats = rng.choice(game.seats)
    options = draw_options(game, seats, rng)
    state = game.deal(seats, resolve_options(game, seats, None, options), rng.spawn("deal"))
    cuts = [str(state.deck.faces[entry.cards[0]]) for entry in state.table.log or () if entry.event == "cut"]

    def read_deal() -> dict[str, Any]:
        return {
            "hands": [state.faces(hand) for hand in state.hands],
            "crib": state.faces(state.crib),
            "stock": state.faces(state.stock)[::-1],
        }

    return compare_match(state, judge_cribbage(seats, options, cuts, read_deal), rng)
