"""Games for learners are values: a copy plays on by itself, equal to the original, and neither changes the other."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import deepcopy
from typing import Any, Final

import numpy as np
import pytest

from pitboss.errors import ConfigError
from pitboss.learning.batch import GameBatch
from pitboss.learning.game_walk import GameWalk
from pitboss.learning.learning_game import LearningGame, prepare_game
from pitboss.learning.rewards import reward_places, reward_wins
from pitboss.plugins.registry import Registry
from pitboss.simulation.random_play import choose_from_words
from pitboss.table.randomness import Random


def clone_batch(batch: GameBatch) -> GameBatch:
    """Return what `clone` returns."""
    return batch.clone()


def pickle_twin(original: Any) -> Any:  # noqa: ANN401 - a value of any kind
    """Return what a pickle of a value holds."""
    return pickle.loads(pickle.dumps(original))


COPIERS: Final[list[Callable[[Any], Any]]] = [deepcopy, pickle_twin]


def show_batch(batch: GameBatch) -> tuple[object, ...]:
    """Return all that a batch shows."""
    return batch.observations.tobytes(), batch.masks.tobytes(), batch.seats.tolist(), list(batch.finished)


def play_batch(batch: GameBatch, seed: int, steps: int = 12) -> list[object]:
    """Step a batch by random letters; return all that it shows, step by step."""
    rng, shown = np.random.default_rng(seed), [show_batch(batch)]
    for _ in range(steps):
        step = batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(axis=1).tolist())
        shown.append((*show_batch(batch), step.rewards.tobytes(), step.ended.tolist()))
    return [*shown]


@pytest.mark.parametrize("name", Registry().games)
def test_a_copy_of_a_batch_plays_on_by_itself(name: str) -> None:
    """A copy shows what the original shows from then on, however far either has gone: at the start and later."""
    batch = GameBatch(prepare_game(name), 3, "copies")
    for part in range(4):
        twins = [copier(batch) for copier in [clone_batch, *COPIERS]]
        before = show_batch(batch)
        played = [play_batch(twin, part) for twin in twins]
        assert show_batch(batch) == before
        assert played == [play_batch(batch, part)] * len(played)


def test_a_copy_of_a_batch_has_its_own_opponents_and_potentials() -> None:
    """Random opponents and shaped rewards go on in a copy, over the ends of games too."""
    game = prepare_game("racko", 2, {"max_rounds": 1, "max_turns": 10})
    batch = GameBatch(game, 2, "copies", choose_from_words("opponents"), shaping=0.01)
    play_batch(batch, 1)
    twins = [copier(batch) for copier in [clone_batch, *COPIERS]]
    played = [play_batch(twin, 2, 200) for twin in twins]
    assert played == [play_batch(batch, 2, 200)] * len(played)
    assert len(batch.finished) > 2


def test_the_arrays_of_a_copy_are_its_own() -> None:
    """What is written into the arrays of a copy is not in those of the original."""
    batch = GameBatch(prepare_game("racko"), 2, "copies")
    for copier in [clone_batch, *COPIERS]:
        before, twin = show_batch(batch), copier(batch)
        twin.observations.fill(-1)
        twin.masks.fill(False)
        twin.seats.fill(9)
        twin.finished.append((0, [1.0]))
        assert show_batch(batch) == before


@pytest.mark.parametrize("name", Registry().games)
def test_a_copy_of_a_game_has_the_same_numbers(name: str) -> None:
    """A copy has the fingerprint, the setup and the letters of the original at its smallest and largest table."""
    seats = Registry().games[name].seats[-1]
    game = prepare_game(name, seats, reward="places")
    for copier in COPIERS:
        twin = copier(game)
        assert (twin.fingerprint, twin.seats, twin.setup.options) == (game.fingerprint, seats, game.setup.options)
        assert (twin.alphabet.letters, twin.encoder.parts) == (game.alphabet.letters, game.encoder.parts)
        assert play_walk(GameWalk(twin, "any")) == play_walk(GameWalk(game, "any"))
        twin.reward = reward_wins
        assert game.reward is reward_places


def play_walk(walk: GameWalk) -> list[float]:
    """Play some letters at random; return those that were legal, and the rewards at the end."""
    rng, shown = Random("walk"), list[float]()
    while walk.spelling is not None and len(shown) < 200:
        shown += walk.spelling.letters
        walk.add(rng.choice(walk.spelling.letters))
    return shown if walk.spelling is not None else [*shown, *walk.game.rewards_of(walk.state)]


def test_a_copy_stands_within_a_decision() -> None:
    """A copy has the letters so far of a decision, and its own letters from then on."""
    walk = GameWalk(prepare_game("hearts"), "within")
    rng, met = Random("letters"), 0
    while walk.spelling is not None and met < 5:
        if not walk.add(rng.choice(walk.spelling.letters)):
            met += 1
            for copier in [GameWalk.copy, *COPIERS]:
                twin: GameWalk = copier(walk)
                assert twin.spelling is not None
                assert (twin.spelling.spelled, twin.spelling.letters) == (walk.spelling.spelled, walk.spelling.letters)
                before = walk.spelling.spelled
                assert play_walk(twin) == play_walk(walk.copy())
                assert walk.spelling.spelled == before
    assert met == 5


def test_a_pickle_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pickle whose numbers mean something else here is refused in a sentence that names both fingerprints."""
    game = prepare_game("racko")
    assert isinstance(pickle_twin(game), LearningGame)
    pickled, old = pickle.dumps(game), game.fingerprint
    monkeypatch.setattr(type(game.setup.game), "version", "999")
    with pytest.raises(ConfigError, match=f"of racko with the fingerprint {old}; racko 999 is installed here"):
        pickle.loads(pickled)


@pytest.mark.parametrize("name", Registry().games)
def test_a_copy_of_a_game_with_a_log_has_its_events(name: str) -> None:
    """The seats of a copy are told what those of the original are told; forced decisions are listed with the others."""
    game = prepare_game(name)
    walk, rng = GameWalk(game, "logged", has_log=True), Random("letters")
    for _ in range(12):
        if walk.spelling is not None:
            walk.add(rng.choice(walk.spelling.letters))
    for twin in (walk.copy(), *[copier(walk) for copier in COPIERS]):
        assert [twin.state.table.events(seat, 0) for seat in range(game.seats)] == [
            walk.state.table.events(seat, 0) for seat in range(game.seats)
        ]
    again = game.deal("logged", has_log=True)
    for seat, action in walk.list_decisions():
        assert again.turn is not None
        assert again.turn.seat == seat
        again.play(action)
    assert again.table.log == walk.state.table.log
