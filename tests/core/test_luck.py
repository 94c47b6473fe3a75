"""Luck of the draw: over all orders of a deck its mean is zero, exactly, whatever the players go by."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import inf
from statistics import fmean, pvariance
from typing import Final, Literal, TypeAlias

import pytest

from pitboss import (
    ConfigError,
    Deck,
    Options,
    Outcome,
    Random,
    StackedRandom,
    TableState,
    Turn,
    Visibility,
    Zone,
    Zones,
    hand_each,
    outcome_by_side,
    pile,
    sample_world,
)
from pitboss.determinization.pooled_knowledge import pool_knowledge
from pitboss.records.luck import check_evaluable, measure_luck
from tests.core.passing_game import Passing, PassingOptions
from tests.core.small_table import SmallTable

CARDS: Final = 5
Change: TypeAlias = Literal["keep", "draw", "low", "high"]  # "low" and "high": which of two cards is discarded


class ChangeState(TableState[Options, Change]):
    """Each seat has one card, 1 to 5. Each in turn may draw another one and then discards one; the highest wins."""

    deck = Deck(range(1, CARDS + 1))
    stock: Zone = pile(Visibility.NOBODY)
    discard: Zone = pile()
    hands: Zones = hand_each()

    def start(self) -> None:
        """Shuffle and deal."""
        self.table.shuffle(self.stock)
        self.table.deal(self.stock, self.hands, 1)
        self.turn = Turn(0, "change")

    def legal(self) -> Sequence[Change]:
        """Return what the seat on turn may do."""
        if self.turn is None:
            return []
        return ["keep", "draw"] if self.turn.phase == "change" else ["low", "high"]

    def apply(self, action: Change) -> None:
        """Draw, or end the turn."""
        seat, _ = self.require_turn()
        hand = self.table.zones[self.hands[seat]]
        if action == "draw":
            self.table.draw(self.stock, self.hands[seat])
            self.turn = Turn(seat, "discard")
            return
        if action != "keep":
            self.table.move(min(hand) if action == "low" else max(hand), self.hands[seat], self.discard)
        self.turn = Turn(1, "change") if seat == 0 else None

    def evaluate(self) -> Sequence[float]:
        """Return the first card of each hand: a card just drawn does not count yet."""
        return [float(hand[0]) for hand in self.cards()]

    def outcome(self) -> Outcome:
        """Return the cards as points."""
        return outcome_by_side([hand[0] for hand in self.cards()])

    def view(self, seat: int) -> None:
        """Nobody looks."""

    def cards(self) -> list[list[int]]:
        """Return the cards of each hand."""
        return [self.table.zones[hand] for hand in self.hands]


class ReshuffleState(ChangeState):
    """After the action of seat 0 everything is shuffled and dealt again."""

    def apply(self, action: Change) -> None:
        """Deal again."""
        self.collect_and_shuffle(self.stock, "again")
        self.table.deal(self.stock, self.hands, 1)
        self.turn = Turn(1, "change")


class PeekingState(ChangeState):
    """Its evaluation counts the next card of the stock, too, for seat 0."""

    evaluates_unseen = True

    def evaluate(self) -> Sequence[float]:
        """Return the first card of each hand."""
        own, other = super().evaluate()
        return [own + sum(self.table.zones[self.stock][-1:]), other]


class HastyState(PeekingState):
    """The same, but it does not say so."""

    evaluates_unseen = False


class ComparingState(ChangeState):
    """It says of all cards at once what the better of two is worth."""

    def evaluate_draws(self, cards: Sequence[int]) -> Sequence[Sequence[float]] | None:
        """Return the better one of the first card and each of the cards; nothing if none was drawn."""
        seat, phase = self.require_turn()
        if phase != "discard":
            return None
        firsts = self.evaluate()
        return [[max(first, card) if at == seat else first for at, first in enumerate(firsts)] for card in cards]


def choose(state: ChangeState) -> Change:
    """Draw with a low card, or when the other has discarded a low one; discard the lower card, but for the lowest."""
    seat, phase = state.require_turn()
    own, discarded = state.cards()[seat], state.table.zones[state.discard]
    if phase == "change":
        return "draw" if own[0] <= 2 or min(discarded, default=inf) == 0 else "keep"
    return "high" if own[0] == 0 else "low"


def play_all(seed: str, game: type[ChangeState] = ChangeState) -> tuple[list[float], list[list[float]]]:
    """Play each order of the deck; return, game by game, the points of seat 0 and the luck of both."""
    points, luck = [], []
    for order in permutations(range(CARDS)):
        state = game.create(2, Options(), StackedRandom("s", [order]))
        state.start()
        total = [0.0, 0.0]
        while state.turn is not None:
            action = choose(state)
            had = measure_luck(state, action, f"{seed}/{state.turn}", redraws=2)
            assert (had is not None) == (action == "draw")
            total = [sum(pair) for pair in zip(total, had or [0.0, 0.0], strict=True)]
            state.play(action)
        points.append(state.outcome().points[0])
        luck.append(total)
    return points, luck


def test_the_mean_over_all_orders() -> None:
    """A redraw permutes the unseen cards. So over all orders each of them is as frequent as it is in truth.

    The luck differs from game to game, and its mean is zero: the results less the luck have the mean of the results.
    """
    points, luck = play_all("a")
    less = [own - of_seat_0 for own, (of_seat_0, _) in zip(points, luck, strict=True)]

    assert fmean(of_seat_0 for of_seat_0, _ in luck) == pytest.approx(0, abs=1e-12)
    assert fmean(of_seat_1 for _, of_seat_1 in luck) == pytest.approx(0, abs=1e-12)
    assert pvariance(of_seat_0 for of_seat_0, _ in luck) > 0.1
    assert fmean(less) == pytest.approx(fmean(points))


def test_a_game_that_compares_the_cards_itself() -> None:
    """The luck is that of the drawn card less the mean of all that might have been: no redraws, the same mean."""
    state = ComparingState.create(2, Options(), StackedRandom("s", [(4, 3, 2, 0, 1)]))
    state.start()
    own, other = (cards[0] for cards in state.cards())
    unseen = [card for card in range(CARDS) if card not in (own, other)]
    drawn = state.table.zones[state.stock][-1]
    _, luck = play_all("a", ComparingState)
    _, sampled = play_all("a")

    expected = max(own, drawn) - fmean(max(own, card) for card in unseen)
    assert measure_luck(state, "draw", "a") == pytest.approx([expected, 0])
    assert measure_luck(state, "draw", "b") == measure_luck(state, "draw", "a")
    assert measure_luck(state, "keep", "a") is None
    assert fmean(of_seat_0 for of_seat_0, _ in luck) == pytest.approx(0, abs=1e-12)
    assert 0.1 < pvariance(of_seat_0 for of_seat_0, _ in luck) < pvariance(of_seat_0 for of_seat_0, _ in sampled)


def test_an_evaluation_of_unseen_cards() -> None:
    """The mean is zero whether or not it is said; said, what nobody has seen adds less noise."""
    said, not_said = (play_all("a", game)[1] for game in (PeekingState, HastyState))

    for luck in (said, not_said):
        assert fmean(of_seat_0 for of_seat_0, _ in luck) == pytest.approx(0, abs=1e-12)
    assert pvariance(own for own, _ in said) < 0.8 * pvariance(own for own, _ in not_said)


def test_a_reshuffle() -> None:
    """What a shuffle brings is chance, too: redraws shuffle anew. Each seat is as lucky as the other on average."""
    luck = []
    for number in range(100):
        state = ReshuffleState.create(2, Options(), Random(f"{number}"))
        state.start()
        luck.append(measure_luck(state, "keep", f"luck/{number}") or [])

    assert len(set(map(tuple, luck))) > 10
    assert fmean(own for own, _ in luck) == pytest.approx(0, abs=3 * pvariance(own for own, _ in luck) ** 0.5 / 10)


def test_redraws_after_private_mixing() -> None:
    """What a player alone has seen stays as it is, though cards were mixed in secret before."""
    small = SmallTable()
    small.deal_cards(*small.hands, rounds=3)
    table = small.table
    for hand in small.hands:
        table.move(table.zones[hand][0], hand, small.stock, "bury")
    table.shuffle(small.stock)
    table.draw(small.stock, small.hands[0])
    assert not table.has_only_public_groups

    before = table.copy()
    pool_knowledge(before)
    assert before.has_only_public_groups  # else redraws would be sampled as mixing histories
    seen = {card: zone for zone in small.hands for card in table.zones[zone]}
    for number in range(20):
        redraw = sample_world(before, 0, Random(f"{number}"))
        assert {card: zone for zone in small.hands for card in redraw.zones[zone]} == seen


def test_a_game_without_evaluation() -> None:
    """It cannot tell the luck of the draw; the error says what it lacks."""
    with pytest.raises(ConfigError, match="does not say how everybody stands"):
        check_evaluable(Passing(), 3, PassingOptions())
