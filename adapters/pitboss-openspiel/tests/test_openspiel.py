"""OpenSpiel's own tests and algorithms, on every installed game of Pitboss."""

from __future__ import annotations

import copy
import pickle
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import (
    cfr,
    expected_game_score,
    exploitability,
    external_sampling_mccfr,
    ismcts,
    mcts,
    outcome_sampling_mccfr,
)

import pitboss_openspiel
from pitboss.errors import OptionError
from pitboss_openspiel.whole_tree import WholeTree

SHORT = {  # options with which a game is over soon
    "pitboss_bridge": "deals:1",
    "pitboss_cribbage": "deals:1",
    "pitboss_dou_dizhu": "deals:1",
    "pitboss_eights": "deals:1",
    "pitboss_euchre": "deals:1",
    "pitboss_fireworks": "colours:2;hand:2;tokens:3;lives:1;strict:false",
    "pitboss_gin_rummy": "deals:1",
    "pitboss_hearts": "deals:1",
    "pitboss_lucky_maker": "games:1",
    "pitboss_oh_hell": "order:most;most:3",
    "pitboss_poker": "hands:1",
    "pitboss_racko": "max_rounds:1;max_turns:10",
    "pitboss_ragamaru": "max_turns:100",
    "pitboss_rummy": "deals:1;max_turns:10",
    "pitboss_spades": "deals:1",
}
GAMES = pitboss_openspiel.GAMES


def load_game(name: str, **more: Any) -> Any:  # noqa: ANN401 - a game of OpenSpiel
    """Return a short game."""
    return pyspiel.load_game(name, {"options": SHORT.get(name, ""), **more})


def exploit(game: Any, iterations: int) -> float:  # noqa: ANN401
    """Return how exploitable the average policy of CFR is."""
    solver = cfr.CFRSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    return float(exploitability.exploitability(game, solver.average_policy()))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("deals", [0, 100])
def test_random_games(name: str, deals: int) -> None:
    """OpenSpiel's test of random games passes, with its serialization at every step."""
    pyspiel.random_sim_test(load_game(name, deals=deals), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_copies_and_pickles(name: str) -> None:
    """A clone, a deep copy and a pickle stand where the state stands, and go on by themselves."""
    game = load_game(name)
    state = game.new_initial_state()
    rng = np.random.default_rng(1)
    while not state.is_terminal() and len(state.history()) < 80:
        others = [state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
        before = str(state)
        legal = state.legal_actions()
        for other in others:
            assert (str(other), other.legal_actions()) == (before, legal)
            other.apply_action(legal[-1])
        assert str(state) == before
        state.apply_action(int(rng.choice(legal)))


@pytest.mark.parametrize(("preset", "theirs"), [("kuhn", "kuhn_poker"), ("leduc", "leduc_poker")])
def test_bounds_are_those_of_openspiels(preset: str, theirs: str) -> None:
    """A hand of Kuhn and Leduc poker has the utilities and the length that OpenSpiel gives its own."""
    ours, same = load_game("pitboss_poker", preset=preset, reward="points"), pyspiel.load_game(theirs)
    for bound in ("min_utility", "max_utility", "utility_sum", "max_game_length"):
        assert getattr(ours, bound)() == getattr(same, bound)(), bound


def test_seats_of_a_cooperative_game_have_the_same_reward() -> None:
    """Fireworks: it is what the table scored, and OpenSpiel is told that it is of all seats."""
    game = load_game("pitboss_fireworks", deals=20)
    assert game.get_type().utility == pyspiel.GameType.Utility.IDENTICAL
    rng, scores = np.random.default_rng(1), []
    for deal in range(20):
        state = game.new_initial_state()
        state.apply_action(deal)
        while not state.is_terminal():
            state.apply_action(int(rng.choice(state.legal_actions())))
        scores.append(state.returns())
    assert all(len(set(score)) == 1 for score in scores)
    assert len({score[0] for score in scores}) > 1


def test_kuhn_is_as_exploitable_as_openspiels() -> None:
    """Kuhn poker: the same exploitability after the same iterations of CFR, to 12 digits; and the known value."""
    ours = load_game("pitboss_poker", preset="kuhn", reward="points")
    assert exploit(ours, 20) == pytest.approx(exploit(pyspiel.load_game("kuhn_poker"), 20), abs=1e-12)
    solver = cfr.CFRPlusSolver(ours)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    values = expected_game_score.policy_value(ours.new_initial_state(), [solver.average_policy()] * 2)
    assert values[0] == pytest.approx(-1 / 18, abs=1e-3)


def test_leduc_is_as_exploitable_as_openspiels() -> None:
    """Leduc poker: the same exploitability after the same iteration of CFR."""
    ours = load_game("pitboss_poker", preset="leduc", reward="points")
    assert exploit(ours, 1) == pytest.approx(exploit(pyspiel.load_game("leduc_poker"), 1), abs=1e-9)


@pytest.mark.parametrize("name", GAMES)
def test_sampling_methods_run(name: str) -> None:
    """Outcome sampling MCCFR and information set search go through a game, one of many deals."""
    game = load_game(name, deals=1000)
    outcome_sampling_mccfr.OutcomeSamplingSolver(game).iteration()
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(game, evaluator, uct_c=1.0, max_simulations=5, random_state=np.random.RandomState(1))
    state = game.new_initial_state()
    for _ in range(12):
        if state.is_terminal():
            break
        state.apply_action(0 if state.is_chance_node() else bot.step(state))


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("pitboss_poker", {"preset": "kuhn"}),
        ("pitboss_poker", {"preset": "leduc"}),
        ("pitboss_oh_hell", {"options": "order:most;most:2", "deals": 50}),
    ],
)
def test_external_sampling_runs(name: str, parameters: dict[str, Any]) -> None:
    """External sampling MCCFR tries every action of a player: it is for short games."""
    solver = external_sampling_mccfr.ExternalSamplingSolver(load_game(name, **parameters))
    for _ in range(3):
        solver.iteration()


def test_tensors_tell_the_information_sets_of_leduc_apart() -> None:
    """Leduc poker has 936 information sets, and as many observation tensors and information state tensors.

    So a solver that knows a player's situation by its tensor is as exploitable as one that knows its information set.
    """
    game = load_game("pitboss_poker", preset="leduc", reward="points")
    strings, now, recalled, met = set(), set(), set(), [game.new_initial_state()]
    while met:
        state = met.pop()
        if not state.is_terminal() and not state.is_chance_node():
            player = state.current_player()
            text = (player, state.information_state_string())
            if text not in strings:
                strings.add(text)
                now.add((player, tuple(state.observation_tensor())))
                recalled.add((player, tuple(state.information_state_tensor())))
        met += [state.child(action) for action in ([] if state.is_terminal() else state.legal_actions())]
    assert (len(strings), len(now), len(recalled)) == (936, 936, 936)


@cache
def walk_leduc() -> WholeTree:
    """Return the whole tree of Leduc poker, in which a player knows all that it was told."""
    return WholeTree(load_game("pitboss_poker", preset="leduc", reward="points"))


@pytest.mark.parametrize("tensor", ["observation_tensor", "information_state_tensor"])
def test_leduc_tied_by_a_tensor_is_solved_as_far_as_openspiels(tensor: str) -> None:
    """Leduc poker, in which a player knows its tensor alone: CFR+ becomes as little exploitable as on OpenSpiel's own.

    Strategies are measured in the game in which players know all that they were told.
    """
    theirs, ours = pyspiel.load_game("leduc_poker"), load_game("pitboss_poker", preset="leduc", reward="points")
    tied = WholeTree(ours, lambda state: tuple(getattr(state, tensor)(state.current_player())))
    solver, own = pyspiel.CFRPlusSolver(tied.tree), pyspiel.CFRPlusSolver(theirs)
    for _ in range(100):
        solver.evaluate_and_update_policy()
        own.evaluate_and_update_policy()
    found = walk_leduc().exploit(tied.read_strategy(solver.average_policy()))
    assert found == pytest.approx(pyspiel.exploitability(theirs, own.average_policy()), abs=1e-4)
    assert found < 0.02


@pytest.mark.parametrize("name", ["pitboss_poker", "kuhn_poker"])
def test_a_whole_tree_is_the_same_game(name: str) -> None:
    """The tree of Kuhn poker has its information sets, its exploitability of a strategy, and that of what CFR finds."""
    more = {"preset": "kuhn", "reward": "points"} if name == "pitboss_poker" else {}
    game = load_game(name, **more) if more else pyspiel.load_game(name)
    whole = WholeTree(game)
    assert whole.information_sets == 12

    def choose(state: Any) -> dict[int, float]:  # noqa: ANN401
        first, *others = state.legal_actions()
        return {first: 0.7, **dict.fromkeys(others, 0.3 / len(others))}

    table = policy.tabular_policy_from_callable(game, choose)
    assert whole.exploit(choose) == pytest.approx(exploitability.exploitability(game, table), abs=1e-12)
    solver = pyspiel.CFRSolver(whole.tree)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    assert whole.exploit(whole.read_strategy(solver.average_policy())) == pytest.approx(exploit(game, 20), abs=1e-9)


def test_players_who_know_less_are_more_exploitable() -> None:
    """Kuhn poker in which players do not see their cards: the best strategy is worse than with the cards seen."""
    game = load_game("pitboss_poker", preset="kuhn", reward="points")
    blind = WholeTree(game, lambda state: tuple(state.legal_actions()))
    assert blind.information_sets < 12
    solver = pyspiel.CFRPlusSolver(blind.tree)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    assert WholeTree(game).exploit(blind.read_strategy(solver.average_policy())) > 0.2


def test_an_information_state_tensor_recalls_what_was_seen() -> None:
    """After what is seen now come, for each letter that the seat chose, what it saw then, and the letter."""
    game = load_game("pitboss_racko", options="max_rounds:1;max_turns:2")
    state, rng = game.new_initial_state(), np.random.default_rng(1)
    seen: list[tuple[list[float], int]] = []
    while state.is_chance_node() or len(seen) < 2:
        action = int(rng.choice(state.legal_actions()))
        if state.current_player() == 0:
            seen.append((state.observation_tensor(0), action))
        state.apply_action(action)
    size, letters = game.observation_tensor_size(), game.num_distinct_actions()
    tensor = state.information_state_tensor(0)
    assert tensor[:size] == state.observation_tensor(0)
    for number, (row, letter) in enumerate(seen):
        at = size + number * (size + letters)
        assert tensor[at : at + size] == row
        assert np.flatnonzero(tensor[at + size : at + size + letters]).tolist() == [letter]
    assert not any(tensor[size + 2 * (size + letters) :])


def test_a_game_of_many_decisions_has_no_information_state_tensor() -> None:
    """Perfect recall of a long game takes too many numbers: it is not claimed, and the string is there."""
    game = load_game("pitboss_bridge", deals=10)
    assert not game.get_type().provides_information_state_tensor
    assert game.get_type().provides_observation_tensor
    state = game.new_initial_state()
    state.apply_action(0)
    assert state.information_state_string(0)
    assert len(state.observation_tensor(0)) == game.observation_tensor_size()


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("pitboss_poker", {"options": "hands=1"}, "expected 'key:value'"),
        ("pitboss_poker", {"options": "hand:1"}, "hand"),
        ("pitboss_racko", {"players": 9}, "racko is played by 2, 3 or 4 players, not by 9"),
        ("pitboss_racko", {"reward": "money"}, "there is no reward 'money'"),
        ("pitboss_racko", {"deals": -1}, "deals is 0 or more, not -1"),
        ("pitboss_racko", {"reward": "points", "options": "tie:extra_round"}, "how many points there can be"),
    ],
)
def test_wrong_parameters_are_refused(name: str, parameters: dict[str, Any], message: str) -> None:
    """The error names what is wrong."""
    with pytest.raises((OptionError, pyspiel.SpielError), match=message):
        pyspiel.load_game(name, parameters)


def test_the_snippets_of_the_readme_run() -> None:
    """Each, one after the other."""
    text = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    for snippet in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(snippet, {})
