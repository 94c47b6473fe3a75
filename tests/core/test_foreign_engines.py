"""Games of engines: the suite checks them as all games, worlds are found, and a seat's game is followed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

import msgspec
import pytest

from pitboss import Random
from pitboss.bot import Question
from pitboss.errors import IllegalAction, NoWorldFound
from pitboss.foreign.engine import EngineMove, Sight
from pitboss.foreign.engine_game import EngineGame
from pitboss.foreign.engine_state import EngineState, MakeMove
from pitboss.foreign.world_search import Told, WorldSearch
from pitboss.game import find_limit, resolve_options
from pitboss.inference.state_tracker import StateTracker
from pitboss.inference.step_budget import StepBudget
from pitboss.protocol.messages import Clock, Hello, Start
from pitboss.testing.suite import ConformanceReport, check_game
from tests.core.sealed_engine import (
    CARDS,
    SamplingPosition,
    SealedEngine,
    SealedOptions,
    SealedPosition,
    make_sealed_game,
)


def deal(game: EngineGame, seed: str = "s", seats: int = 2) -> EngineState:
    """Begin a game with the defaults."""
    return game.deal(seats, resolve_options(game, seats), Random(seed))


def run_suite(game: EngineGame) -> ConformanceReport:
    """Check one game for two with the defaults."""
    return check_game(game, games=1, presets=(), seats=(2,))


def map_outcomes(report: ConformanceReport) -> dict[str, str]:
    """Return the outcome of each check by its name."""
    return {one.name: one.outcome for one in report.checks}


@pytest.mark.once
@pytest.mark.parametrize("position", [SealedPosition, SamplingPosition])
def test_the_suite_passes(position: type[SealedPosition]) -> None:
    """A game of an engine keeps all promises, those of worlds too, whoever samples them."""
    report = run_suite(make_sealed_game(position))

    assert [f"{one.name}: {one.detail}" for one in report.failures] == []
    outcomes = map_outcomes(report)
    for name in ("view-leaks-nothing", "worlds-can-be-played", "record-replays", "worlds-do-not-hold-hidden-fields"):
        assert outcomes[name] == "passed"


class HonestPosition(SamplingPosition):
    """An engine whose worlds are all the true one."""

    def sample_world(self, seat: int, rng: Random) -> SamplingPosition:
        """Return a copy."""
        twin = self.copy()
        assert isinstance(twin, SamplingPosition)
        return twin


class ForgettingPosition(SamplingPosition):
    """An engine whose worlds forget the seat's own card."""

    def sample_world(self, seat: int, rng: Random) -> SamplingPosition:
        """Return another deal."""
        twin = super().sample_world(seat, rng)
        twin.cards.reverse()
        return twin


@pytest.mark.once
@pytest.mark.parametrize(
    ("position", "check_name"),
    [
        (HonestPosition, "worlds-do-not-hold-hidden-fields"),
        (ForgettingPosition, "view-leaks-nothing"),
    ],
)
def test_faults_of_an_engine_are_found(position: type[SealedPosition], check_name: str) -> None:
    """The suite names what an engine does wrong."""
    assert map_outcomes(run_suite(make_sealed_game(position)))[check_name] == "failed"


class DealingEngine(SealedEngine):
    """An engine that deals the cards itself, and rolls the die before the game."""

    def begin(self, seats: int, options: SealedOptions, rng: Random) -> SealedPosition:
        """Begin a game; all of its chance is drawn from `rng`."""
        position = super().begin(seats, options, rng)
        faces = [*CARDS]
        rng.shuffle(faces)
        position.cards, position.die = faces[:seats], 1 + rng.randbelow(6)
        return position


class FixedEngine(DealingEngine):
    """An engine that says that it draws, and does not."""

    def begin(self, seats: int, options: SealedOptions, rng: Random) -> SealedPosition:
        """Begin the same game always."""
        return super().begin(seats, options, Random("fixed"))


@pytest.mark.once
@pytest.mark.parametrize(("engine", "outcome"), [(DealingEngine, "passed"), (FixedEngine, "failed")])
def test_other_seeds_deal_other_games_where_the_engine_draws(engine: type[SealedEngine], outcome: str) -> None:
    """Deals are compared by what seats are shown, too: an engine that draws itself leaves no trace on the table."""
    report = run_suite(EngineGame(engine(), engine_draws=True))

    assert map_outcomes(report)["other-seed-other-game"] == outcome


@pytest.mark.once
def test_what_an_engine_cannot_do_is_told() -> None:
    """A check of what the engine declares that it cannot do is not applicable, with the reason."""
    report = run_suite(make_sealed_game(cannot={"worlds": "its cards lie in another program"}))

    results = {one.name: one for one in report.checks}
    assert results["view-leaks-nothing"].outcome == "not applicable"
    assert "its cards lie in another program" in results["view-leaks-nothing"].detail
    assert "how many moves there are" in results["actions-can-be-numbered"].detail
    assert results["looking-on-changes-no-game"].outcome == "passed"
    assert not report.failures


def test_seats_that_decide_together_do_not_see_each_other() -> None:
    """A bid that was chosen is neither told nor shown before all have bid; a world has any bid in its place."""
    state = deal(make_sealed_game())
    before, told = state.view(1), state.table.events(1)
    state.play(MakeMove("bid #2"))

    assert state.together() == (0, 1)
    assert (state.view(1), state.table.events(1)) == (before, told)
    assert {state.imagine(1, Random(str(number))).chosen for number in range(40)} == {(0,), (1,), (2,)}
    assert {state.imagine(0, Random(str(number))).chosen for number in range(10)} == {(2,)}


def test_moves_of_one_text_have_their_numbers() -> None:
    """To moves of one text Pitboss adds their numbers."""
    state = deal(make_sealed_game())

    assert [action.move for action in state.legal()] == ["pass", "bid #1", "bid #2"]
    with pytest.raises(IllegalAction, match="bid #7"):
        state.play(MakeMove("bid #7"))


def test_a_world_that_is_not_found_is_an_error() -> None:
    """An engine that shows each seat its own number of the game leaves nothing to be found."""
    numbers = count()

    class NumberedPosition(SealedPosition):
        def __init__(self, seats: int, highest_bid: int) -> None:
            super().__init__(seats, highest_bid)
            self.number = next(numbers)

        def show(self, seat: int) -> Sight:
            return Sight(str(self.number))

    with pytest.raises(NoWorldFound, match="no world of seat 0 was found in 2,000 steps"):
        deal(make_sealed_game(NumberedPosition)).imagine(0, Random("w"))


def test_moves_that_no_other_deal_has() -> None:
    """The search for a world ends, too, where the seat's own first move is possible in no other deal."""
    numbers = count()

    class UniqueMovePosition(SealedPosition):
        def __init__(self, seats: int, highest_bid: int) -> None:
            super().__init__(seats, highest_bid)
            self.number = next(numbers)
            assert self.number < 10_000

        def list_moves(self, seat: int) -> Sequence[EngineMove]:
            return [EngineMove(0, f"bid in game {self.number}")]

        def show(self, seat: int) -> Sight:
            return Sight("the same")

    state = deal(EngineGame(DealingEngine(UniqueMovePosition), engine_draws=True))
    for _ in range(2):
        state.play(state.legal()[0])

    with pytest.raises(NoWorldFound, match="no world of seat 0 was found"):
        state.imagine(0, Random("w"))


@pytest.mark.parametrize("position", [SealedPosition, SamplingPosition])
@pytest.mark.parametrize("seats", [2, 3])
def test_a_bot_follows_the_game(position: type[SealedPosition], seats: int) -> None:
    """From what a seat was told, a state is found in which the seat sees the same, with other cards of the others."""
    game = make_sealed_game(position)
    differing = 0
    for seed in map(str, range(6)):
        state, trackers = deal(game, seed, seats), [StateTracker(game) for _ in range(seats)]
        told, rng = [0] * seats, Random(seed)
        while state.turn is not None:
            seat = state.turn.seat
            found = trackers[seat].update(ask(game, state, told[seat], seed))
            assert isinstance(found, EngineState)
            assert (found.turn, found.view(seat), found.legal()) == (state.turn, state.view(seat), state.legal())
            differing += repr(found.engine_position) != repr(state.engine_position)
            told[seat] = len(state.table.log or ())
            state.play(rng.choice(state.legal()))
    assert differing


def ask(game: EngineGame, state: EngineState, told: int, seed: str) -> Question:
    """Return the question of the seat on turn."""
    assert state.turn is not None
    seat, phase = state.turn
    options: dict[str, Any] = msgspec.to_builtins(state.options)
    clock = Clock(start_ms=1000, decision_ms=1000)
    return Question(
        legal=to_wire(state.legal()),
        view=to_wire(state.view(seat)),
        events=to_wire(state.table.events(seat, told)),
        seat=seat,
        phase=phase,
        decision_ms=1000,
        game_ms=None,
        hello=Hello(game=game.name, options=options, seats=state.seats, seat=seat, seed=seed, clock=clock),
        start=Start(game_id=1, seat=seat, players=["a"] * state.seats, seed=f"{seed}/{seat}"),
        ranges={},
    )


def to_wire(value: object) -> Any:  # noqa: ANN401 - plain data
    """Return a value as a bot reads it."""
    return msgspec.json.decode(msgspec.json.encode(value))


class PlayersPosition(SamplingPosition):
    """A position that is broken by the question for the world of somebody who does not play."""

    def sample_world(self, seat: int, rng: Random) -> SamplingPosition:
        """Return a position that the seat cannot tell from this one."""
        assert seat < self.seats
        return super().sample_world(seat, rng)


@pytest.mark.parametrize("position", [SealedPosition, PlayersPosition])
def test_a_spectator_knows_who_decides(position: type[SealedPosition]) -> None:
    """Worlds of the spectator are searched for, whether or not the engine samples; the same seat decides in them."""
    game, moves = make_sealed_game(position), Random("moves")
    for number in range(20):
        state = deal(game, f"s{number}", seats=3)
        while state.turn is not None:
            world = state.imagine(state.seats, Random(f"world {number}"))
            assert (world.turn, world.turns) == (state.turn, state.turns)
            state.play(moves.choice(state.legal()))
    told = [Told(Sight()), Told(Sight("what nobody is shown"))]
    assert WorldSearch(state.setup, 3, told, Random("w"), StepBudget(2000)).find_from_deal(()) is None


def test_an_engine_that_draws_is_dealt_no_written_deal() -> None:
    """The suite calls the search for legal histories not applicable where the engine draws what chance decides."""
    game = EngineGame(SealedEngine(SealedPosition), engine_draws=True)

    assert find_limit(game, 2, SealedOptions(), "lots") == "its engine draws chance by itself"
    assert find_limit(make_sealed_game(SealedPosition), 2, SealedOptions(), "lots") is None
