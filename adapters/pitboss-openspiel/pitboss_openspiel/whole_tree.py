"""The whole tree of a short game as a game of OpenSpiel in C++: its solvers run on it at their own speed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

import pyspiel

StateKey: TypeAlias = Callable[[Any], Hashable]  # of a state in which a player decides: what the player knows
Strategy: TypeAlias = Callable[[Any], Mapping[int, float]]  # of such a state: the probability of each action


def read_information_state(state: Any) -> str:  # noqa: ANN401 - a state of OpenSpiel
    """Return what the player on turn knows, as a text."""
    return str(state.information_state_string())


class _InformationSet(NamedTuple):
    """An information set of the tree."""

    name: str  # its information state string there
    example: Any  # a state of the game that was walked through
    actions: Mapping[int, int]  # by action of that game: the action of the tree


class WholeTree:
    """All states of a short game for two players, as the game `tree`, an `efg_game`.

    States of a player that have the same key are one information set. By default the key is the information state
    string: `tree` is then the same game. A key that tells fewer states apart makes the game of players who know less.
    """

    def __init__(self, game: Any, key: StateKey = read_information_state) -> None:  # noqa: ANN401 - of OpenSpiel
        """Walk through all states of a game, of Pitboss or of OpenSpiel.

        Raises:
            SpielError: states that have the same key have different legal actions.
        """
        self._key = key
        self._numbers: dict[tuple[int, Hashable], int] = {}  # by player and key: of the information set, from 1
        self._ends = 0
        examples: dict[tuple[int, int], Any] = {}  # by player and number
        lines = ['EFG 2 R "whole tree" { "0" "1" } ""', *self._write(game.new_initial_state(), examples)]
        self.tree = pyspiel.load_efg_game("\n".join(lines) + "\n")
        self._sets: dict[tuple[int, int], _InformationSet] = {}  # by player and number
        self._read(self.tree.new_initial_state(), examples)

    @property
    def information_sets(self) -> int:
        """How many there are, of both players."""
        return len(self._sets)

    def exploit(self, strategy: Strategy) -> float:
        """Return how exploitable a strategy of both players is; it is asked once for each information set."""
        policy = {}
        for name, example, actions in self._sets.values():
            chances = strategy(example)
            policy[name] = [(own, float(chances.get(action, 0.0))) for action, own in actions.items()]
        return float(pyspiel.exploitability(self.tree, policy))

    def read_strategy(self, policy: Any) -> Strategy:  # noqa: ANN401 - `pyspiel.Policy`
        """Return a policy for `tree`, such as a solver's average, as a strategy in the game that was walked through."""

        def find_chances(state: Any) -> Mapping[int, float]:  # noqa: ANN401
            player = state.current_player()
            name, _, actions = self._sets[player, self._numbers[player, self._key(state)]]
            chances = policy.action_probabilities(name)
            return {action: chances[own] for action, own in actions.items()}

        return find_chances

    def _write(self, state: Any, examples: dict[tuple[int, int], Any]) -> Iterator[str]:  # noqa: ANN401
        """Yield a line for a state, and one for each after it."""
        if state.is_terminal():
            self._ends += 1
            yield f't "" {self._ends} "" {{ {" ".join(repr(float(one)) for one in state.returns())} }}'
            return
        actions = state.legal_actions()
        if state.is_chance_node():
            branches = " ".join(f'"{action}" {share!r}' for action, share in state.chance_outcomes())
            yield f'c "" 1 "" {{ {branches} }} 0'
        else:
            player = state.current_player()
            here = (player, self._key(state))
            if here not in self._numbers:
                self._numbers[here] = sum(of == player for of, _ in self._numbers) + 1
                examples[player, self._numbers[here]] = state
            names = " ".join(f'"{action}"' for action in actions)
            yield f'p "" {player + 1} {self._numbers[here]} "" {{ {names} }} 0'
        for action in actions:
            yield from self._write(state.child(action), examples)

    def _read(self, node: Any, examples: Mapping[tuple[int, int], Any]) -> None:  # noqa: ANN401
        """Find the information sets of the tree from a node on: OpenSpiel numbers their actions."""
        if node.is_terminal():
            return
        if not node.is_chance_node():
            name = node.information_state_string()
            player, _, number, _ = name.split("-")
            here = (int(player), int(number))
            if here not in self._sets:
                own = {int(node.action_to_string(action)): action for action in node.legal_actions()}
                self._sets[here] = _InformationSet(name, examples[here], own)
        for action in node.legal_actions():
            self._read(node.child(action), examples)
