"""Luck of the draw: over all orders of a deck its mean is zero, exactly, whatever the players go by."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import inf
from operator import add
from statistics import fmean, pvariance, variance
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
from pitboss.records.luck import MAX_DRAWS, check_evaluable, measure_features, measure_luck
from pitboss.records.luck_features import DICE, FEATURES, TABLE, VALUE, SeatFeatures
from tests.core.passing_game import Passing, PassingOptions
from tests.core.small_table import SmallTable

CARDS: Final = 5
Change: TypeAlias = Literal["keep", "draw", "low", "high"]  # "low" and "high": which of two cards is discarded


class ChangeState(TableState[Options, Change]):
    """Each seat has one of five cards. Each in turn may draw another one and then discards one; the highest wins."""

    deck = Deck(["S1", "H1", "S2", "H2", "S3"])
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
        self.shuffle_again()
        self.table.deal(self.stock, self.hands, 1)
        self.turn = Turn(1, "change")

    def shuffle_again(self) -> None:
        """Shuffle all cards, into an order that depends on what was drawn before."""
        self.table.collect(self.stock)
        self.table.shuffle(self.stock)


class NewDealState(ReshuffleState):
    """The same, but all games of a block deal the same cards then; who draws turns up a card before."""

    def apply(self, action: Change) -> None:
        """Turn up a card, and deal again."""
        if action == "draw":
            self.table.draw(self.stock, self.discard)
            self.drawn = self.table.zones[self.discard][-1]
        super().apply(action)

    def shuffle_again(self) -> None:
        """Shuffle as a new deal does."""
        self.collect_and_shuffle(self.stock, "again")

    drawn: int = 0

    def evaluate(self) -> Sequence[float]:
        """Return the first card of each hand; that which was turned up is won by seat 0."""
        own, other = super().evaluate()
        return [own + 10 * self.drawn, other]


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


def play_all(seed: str, game: type[ChangeState] = ChangeState) -> tuple[list[float], list[SeatFeatures]]:
    """Play each order of the deck; return, game by game, the points of seat 0 and the luck of both seats by feature."""
    points, luck = [], []
    for order in permutations(range(CARDS)):
        state = game.create(2, Options(), StackedRandom("s", [order]))
        state.start()
        total = [[0.0] * len(FEATURES) for _ in range(2)]
        while state.turn is not None:
            action = choose(state)
            had = measure_features(state, action, f"{seed}/{state.turn}", redraws=2)
            assert (had is not None) == (action == "draw")
            for of_seat, more in zip(total, had or (), strict=False):
                of_seat[:] = map(add, of_seat, more)
            state.play(action)
        points.append(state.outcome().points[0])
        luck.append(total)
    return points, luck


def of_seat_0(luck: list[SeatFeatures], feature: int = VALUE) -> list[float]:
    """Return one feature of the luck of seat 0, game by game."""
    return [first[feature] for first, _ in luck]


@pytest.mark.parametrize("max_draws", [0, MAX_DRAWS])
def test_the_mean_over_all_orders(max_draws: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A redraw permutes the unseen cards. So over all orders each of them is as frequent as it is in truth.

    The luck differs from game to game, and its mean is zero, with redraws and with all cards that might be drawn: the
    results less the luck have the mean of the results.
    """
    monkeypatch.setattr("pitboss.records.luck.MAX_DRAWS", max_draws)
    points, luck = play_all("a")
    less = [own - had for own, had in zip(points, of_seat_0(luck), strict=True)]

    assert fmean(of_seat_0(luck)) == pytest.approx(0, abs=1e-12)
    assert fmean(of_seat_0(luck, TABLE)) == pytest.approx(0, abs=1e-12)
    assert pvariance(of_seat_0(luck)) > 0.1
    assert fmean(less) == pytest.approx(fmean(points))


@pytest.mark.parametrize("feature", [at for at in range(len(FEATURES)) if at != DICE], ids=FEATURES.__getitem__)
def test_the_mean_of_each_feature(feature: int) -> None:
    """The mean luck of a feature is zero, exactly, where all cards that might be drawn are drawn; and each feature has
    some luck.
    """
    for game in (ChangeState, ComparingState):
        luck = of_seat_0(play_all("a", game)[1], feature)

        assert fmean(luck) == pytest.approx(0, abs=1e-12)
        assert pvariance(luck) > 0.01


def test_the_mean_of_each_feature_with_redraws(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mean luck of a feature by redraws is zero within its error: the real draw is compared as one redraw is with
    the others.
    """
    monkeypatch.setattr("pitboss.records.luck.MAX_DRAWS", 0)
    by_seed = [play_all(f"{number}")[1] for number in range(20)]
    for feature in range(len(FEATURES)):
        means = [fmean(of_seat_0(luck, feature)) for luck in by_seed]

        assert fmean(means) == pytest.approx(0, abs=1e-12 + 4 * (variance(means) / len(means)) ** 0.5)


def test_a_game_that_compares_the_cards_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """The luck of a game that compares the cards itself is that of the drawn card less the mean of all that might have
    been: no redraws, the same mean.
    """
    monkeypatch.setattr("pitboss.records.luck.MAX_DRAWS", 0)
    state = ComparingState.create(2, Options(), StackedRandom("s", [(4, 3, 2, 0, 1)]))
    state.start()
    own, other = (cards[0] for cards in state.cards())
    unseen = [card for card in range(CARDS) if card not in (own, other)]
    drawn = state.table.zones[state.stock][-1]
    luck, sampled = (of_seat_0(play_all("a", game)[1]) for game in (ComparingState, ChangeState))

    expected = max(own, drawn) - fmean(max(own, card) for card in unseen)
    assert measure_luck(state, "draw", "a") == pytest.approx([expected, 0])
    assert measure_luck(state, "draw", "b") == measure_luck(state, "draw", "a")
    assert measure_luck(state, "keep", "a") is None
    assert fmean(luck) == pytest.approx(0, abs=1e-12)
    assert 0.1 < pvariance(luck) < pvariance(sampled)


def test_few_cards_that_may_be_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of a few cards that may be drawn is drawn: the luck depends on no seed, and varies less than
    with redraws.
    """
    exact, again = (play_all(seed)[1] for seed in "ab")
    monkeypatch.setattr("pitboss.records.luck.MAX_DRAWS", 0)
    sampled, otherwise = (play_all(seed)[1] for seed in "ab")

    assert exact == again
    assert sampled != otherwise
    assert pvariance(of_seat_0(exact)) < pvariance(of_seat_0(sampled))


@pytest.mark.parametrize("max_draws", [0, MAX_DRAWS])
def test_an_evaluation_of_unseen_cards(max_draws: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mean luck is zero whether or not a game says that it counts unseen cards; a game that says so adds less
    noise.
    """
    monkeypatch.setattr("pitboss.records.luck.MAX_DRAWS", max_draws)
    said, not_said = (of_seat_0(play_all("a", game)[1]) for game in (PeekingState, HastyState))

    assert fmean(said) == pytest.approx(0, abs=1e-12)
    assert fmean(not_said) == pytest.approx(0, abs=1e-12)
    assert pvariance(said) < 0.8 * pvariance(not_said)


def measure_100(game: type[ChangeState], action: Change) -> list[list[float] | None]:
    """Return the luck of the first action in a hundred games."""
    luck = []
    for number in range(100):
        state = game.create(2, Options(), Random(f"{number}"))
        state.start()
        luck.append(measure_luck(state, action, f"luck/{number}"))
    return luck


def test_a_reshuffle() -> None:
    """The outcome of a reshuffle is chance, too: redraws shuffle again. Each seat is as lucky as the other
    on average.
    """
    luck = [had or [] for had in measure_100(ReshuffleState, "keep")]

    assert len(set(map(tuple, luck))) > 10
    assert fmean(own for own, _ in luck) == pytest.approx(0, abs=3 * pvariance(own for own, _ in luck) ** 0.5 / 10)


def test_a_new_deal() -> None:
    """A new deal has no luck, as the first has none: all games of a block have it. A card that was drawn before the
    deal has luck.
    """
    luck = [had or [] for had in measure_100(NewDealState, "draw")]

    assert set(measure_100(NewDealState, "keep")) == {None}
    assert {round(8 * own) % 10 for own, _ in luck} == {0}  # of the card that was drawn, ten points a rank
    assert len({own for own, _ in luck}) > 3
    assert {round(other, 9) for _, other in luck} == {0}


def test_redraws_after_private_mixing() -> None:
    """Cards that one player alone has seen stay in place in redraws, though cards were mixed in secret before."""
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
    """A game without an evaluation has no luck of the draw; the error says what the game lacks."""
    with pytest.raises(ConfigError, match="does not evaluate its states"):
        check_evaluable(Passing(), 3, PassingOptions())
