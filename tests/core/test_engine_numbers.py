"""Numbers of an engine for learners: its moves are letters, and observations are what it says a seat knows."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from pitboss import Random
from pitboss.errors import EngineFailed
from pitboss.foreign.engine import EngineFacts, Sight
from pitboss.foreign.engine_game import EngineGame
from pitboss.foreign.engine_state import EngineState, read_numbers
from pitboss.learning.action_fields import UnboundedAction
from pitboss.learning.batch import GameBatch
from pitboss.learning.learning_game import prepare_game
from pitboss.simulation.random_play import choose_from_words
from pitboss.testing import ConformanceReport, check_game
from tests.core.sealed_engine import (
    STAY,
    SamplingPosition,
    SealedEngine,
    SealedOptions,
    SealedPosition,
    make_sealed_game,
)


class ObservedPosition(SamplingPosition):
    """A position that says what a seat knows as numbers: its card, die, bids and stays; at the end all cards."""

    def observe(self, seat: int) -> Sequence[float]:
        """Return the numbers."""
        own = self.cards[seat] if seat < len(self.cards) else 0
        stays = [*self.stays, *[False] * (self.seats - len(self.stays))]
        is_over = len(self.stays) == self.seats
        shown = self.cards if is_over else [0] * self.seats
        return [own, self.die, *(self.bids or [0] * self.seats), *map(float, stays), len(self.stays), *shown]


class LeakingPosition(ObservedPosition):
    """A position whose numbers tell the card of the next seat."""

    def observe(self, seat: int) -> Sequence[float]:
        """Tell it in place of the own card."""
        numbers = super().observe(seat)
        return [self.cards[(seat + 1) % self.seats] if self.cards[1:] else 0, *numbers[1:]]


class DataPosition(SealedPosition):
    """A position whose data are its numbers."""

    def show(self, seat: int) -> Sight:
        """Show nested lists."""
        return Sight("", [[self.cards[seat] if seat < len(self.cards) else 0], [self.die, len(self.bids)]])


class NumberedEngine(SealedEngine):
    """An engine that gives numbers of a shape."""

    def __init__(self, position: type[SealedPosition], shape: tuple[int, ...] | None) -> None:
        super().__init__(position)
        self.shape = shape

    def describe_game(self, seats: int, options: SealedOptions) -> EngineFacts:
        """Return the facts of a game."""
        return replace(super().describe_game(seats, options), moves=12, observation=self.shape or (3 + 3 * seats,))


class SilentEngine(SealedEngine):
    """An engine that numbers its moves, and gives no observation as numbers."""

    def describe_game(self, seats: int, options: SealedOptions) -> EngineFacts:
        """Return the facts of a game."""
        return replace(super().describe_game(seats, options), moves=12)


def make_game(position: type[SealedPosition] = ObservedPosition, shape: tuple[int, ...] | None = None) -> EngineGame:
    """Return a game whose engine gives numbers."""
    return EngineGame(NumberedEngine(position, shape))


def map_outcomes(report: ConformanceReport) -> dict[str, str]:
    """Return the outcomes by check."""
    return {one.name: one.outcome for one in report.checks}


def test_the_letters_are_the_numbers_of_the_moves() -> None:
    """A letter is the number that the engine has for a move, and the observation is what the engine says."""
    game = prepare_game(make_game(), seats=2)
    state = game.deal("s")
    assert isinstance(state, EngineState)
    spelling = game.find_choice(state)
    row = memoryview(bytearray(4 * game.encoder.size)).cast("f")
    game.observe(state, 0, row, spelling)

    assert (len(game.alphabet), game.alphabet.has_single_letters) == (12, True)
    assert spelling is not None
    assert spelling.letters == [move.number for move in state.list_moves()]
    assert [*row] == [float(value) for value in state.engine_position.observe(0)]  # type: ignore[attr-defined]
    assert [(part.name, part.shape) for part in game.encoder.parts] == [("observation", (9,))]


def test_a_batch_of_games_is_learnt_from() -> None:
    """Random letters play whole games; masks name the engine's moves, and rows hold its numbers."""
    batch = GameBatch(prepare_game(make_game(), seats=2), 4, "batch")
    twin = pickle.loads(pickle.dumps(batch))
    rng = Random("letters")
    for _ in range(40):
        letters = [rng.choice([int(one) for one in mask.nonzero()[0]]) for mask in batch.masks]
        assert batch.observations[:, 0].min() >= 1  # everybody has a card
        batch.step(letters)
        twin.step(letters)

    assert len(batch.finished) >= 8
    assert (batch.observations == twin.observations).all()
    assert batch.masks[:, STAY].any() or batch.masks.any()


def test_the_numbers_of_data_are_flat() -> None:
    """Without `observe` the numbers are those of what a seat is shown, nested lists one after another."""
    game = prepare_game(make_game(DataPosition, (3,)), seats=2)
    state = game.deal("s")
    row = memoryview(bytearray(4 * game.encoder.size)).cast("f")
    game.observe(state, 1, row)

    assert [*row] == [float(state.engine_position.cards[1]), 0.0, 0.0]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("data", "numbers"),
    [
        ([[1, 2], [3.5, True]], [1.0, 2.0, 3.5, 1.0]),
        (7, [7.0]),
        (None, []),
        ({"shape": [2, 2], "nonzero": [[0, 1], [3, 2.5]]}, [1.0, 0.0, 0.0, 2.5]),
        ({"shape": [1 << 40], "nonzero": [[4, 1]]}, [0.0] * 5),
        ({"shape": [4], "nonzero": [[-1, 1]]}, [0.0] * 5),
        ({"shape": [4], "nonzero": [["x"]]}, [0.0] * 5),
    ],
)
def test_numbers_are_read_from_data(data: object, numbers: list[float]) -> None:
    """Nested lists and arrays that name what is not zero are numbers; one that does not fit has one number too many."""
    assert read_numbers(data, 4) == numbers


def test_an_observation_of_another_shape_is_a_fault_of_the_engine() -> None:
    """An engine that gives more or fewer numbers than it says is named, with both."""
    game = prepare_game(make_game(shape=(4,)), seats=2)
    row = memoryview(bytearray(4 * game.encoder.size)).cast("f")

    with pytest.raises(EngineFailed, match=r"sealed: an observation of seat 0 has 9 numbers; its shape is \[4\]"):
        game.observe(game.deal("s"), 0, row)


@pytest.mark.once
@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (make_sealed_game(), "the engine does not say how many moves there are"),
        (EngineGame(SilentEngine()), "the engine gives no observations as numbers"),
    ],
)
def test_without_numbers_the_game_says_so(game: EngineGame, reason: str) -> None:
    """A game whose engine gives no numbers is refused to learners, with the reason, which the suite says too."""
    with pytest.raises(UnboundedAction, match=reason):
        prepare_game(game, seats=2)
    detail = {one.name: one.detail for one in check_game(game, seats=[2], games=1).checks}

    assert reason in detail["actions-can-be-numbered"]


@pytest.mark.once
def test_the_suite_looks_at_the_numbers() -> None:
    """What an engine gives to learners is compared between the worlds of a seat."""
    outcomes = map_outcomes(check_game(make_game(), seats=[2], games=3))

    assert "failed" not in outcomes.values()
    assert outcomes["learners-see-nothing-hidden"] == outcomes["actions-are-spelled-apart"] == "passed"
    assert outcomes["observations-are-small-numbers"] == "not applicable"


@pytest.mark.once
def test_numbers_that_tell_what_is_hidden_are_found() -> None:
    """An engine whose numbers tell the card of another seat fails the check that compares worlds."""
    report = check_game(make_game(LeakingPosition), seats=[2], games=3)

    assert [one.name for one in report.failures] == ["learners-see-nothing-hidden"]


def test_moves_with_their_numbers_are_a_list_on_the_wire() -> None:
    """The list of moves is written as any list."""
    state: Any = make_game().deal(2, SealedOptions(), Random("s"))
    choose = choose_from_words("moves")
    legal = state.legal()

    assert msgspec.json.decode(msgspec.json.encode(legal)) == [{"move": one.move} for one in legal]
    assert len(legal.numbers) == len(legal) > 1
    assert choose(state, legal) in legal
