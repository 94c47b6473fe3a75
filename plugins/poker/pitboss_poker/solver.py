"""Equilibrium strategies of Kuhn and Leduc poker for two players, and what a best response wins against them.

    python -m pitboss_poker.solver [--iterations N] [--write]

The strategy of Kuhn poker is exact (Kuhn 1950, bluffs of 1/3). That of Leduc poker comes from CFR+ (Tammelin 2014)
over the engine's own states. `--write` writes both into the table that `house:poker-equilibrium` plays from.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Final, TypeAlias

from pitboss.game import AnyState, resolve_options
from pitboss.plugins.packs import rank_of
from pitboss.table.randomness import Random
from pitboss_poker.equilibrium import TABLE, describe_information, describe_rounds
from pitboss_poker.game import Poker
from pitboss_poker.messages import Position
from pitboss_poker.rules import make_deck

Strategy: TypeAlias = Mapping[str, Sequence[float]]  # by information set: a probability for each legal action

ITERATIONS: Final = 2000
DIGITS: Final = 4
KUHN: Final = {
    "J:": (2 / 3, 1 / 3),
    "Q:": (1, 0),
    "K:": (0, 1),
    "J:k": (2 / 3, 1 / 3),
    "Q:k": (1, 0),
    "K:k": (0, 1),
    "J:b": (1, 0),
    "Q:b": (2 / 3, 1 / 3),
    "K:b": (0, 1),
    "J:kb": (1, 0),
    "Q:kb": (1 / 3, 2 / 3),
    "K:kb": (0, 1),
}


class DealNode:
    """A decision of one deal, or its end."""

    def __init__(self, player: int, key: str, children: Sequence[DealNode], value: float) -> None:
        self.player = player
        self.key = key  # of the information set
        self.children = children  # by legal action; none at the end
        self.value = value  # what seat 0 has won, at the end
        self.reach = 0.0  # with which chance and the opponent lead here, for a best response


class Tree:
    """All deals of a preset, each with its probability."""

    def __init__(self, preset: str) -> None:
        self.deals = [(weight, build_node(state)) for weight, state in list_deals(preset)]
        self.sets: dict[str, list[DealNode]] = {}
        for _, root in self.deals:
            for node in iterate_nodes(root):
                if node.children:
                    self.sets.setdefault(node.key, []).append(node)

    def evaluate(self, strategy: Strategy) -> float:
        """Return what seat 0 wins a hand on average if both play a strategy."""
        return sum(weight * value_node(root, strategy) for weight, root in self.deals)

    def find_best_response(self, strategy: Strategy, player: int) -> float:
        """Return what a best response of a player wins a hand on average against a strategy."""
        for weight, root in self.deals:
            spread_reach(root, weight, strategy, player)
        chosen: dict[str, int] = {}

        def value(node: DealNode) -> float:
            if not node.children:
                return node.value if player == 0 else -node.value
            if node.player == player:
                return value(node.children[choose(node.key)])
            return sum(chance * value(child) for chance, child in zip(strategy[node.key], node.children, strict=True))

        def choose(key: str) -> int:
            if key not in chosen:
                nodes = self.sets[key]
                worth = [
                    sum(node.reach * value(node.children[at]) for node in nodes) for at in range(len(nodes[0].children))
                ]
                chosen[key] = worth.index(max(worth))
            return chosen[key]

        return sum(weight * value(root) for weight, root in self.deals)

    def solve(self, iterations: int) -> dict[str, list[float]]:
        """Return the average strategy of CFR+, later iterations weighing more."""
        regrets = {key: [0.0] * len(nodes[0].children) for key, nodes in self.sets.items()}
        totals = {key: [0.0] * len(values) for key, values in regrets.items()}
        for number in range(1, iterations + 1):
            for player in (0, 1):
                current = {key: normalise(values) for key, values in regrets.items()}
                gains = {key: [0.0] * len(values) for key, values in regrets.items()}
                for weight, root in self.deals:
                    add_gains(root, player, current, gains, totals, (1.0, weight), number)
                for key, values in gains.items():
                    regrets[key] = [max(old + new, 0.0) for old, new in zip(regrets[key], values, strict=True)]
        return {key: normalise(values) for key, values in totals.items()}


def list_deals(preset: str) -> Iterator[tuple[float, AnyState]]:
    """Yield each order of the cards that are dealt, by rank, with its probability and its state."""
    game = Poker()
    options = resolve_options(game, 2, preset, {"hands": 1})
    deck = [str(face) for face in make_deck(options.cards, 2).faces]
    dealt = list(permutations(deck, 3 if options.cards == "leduc" else 2))
    ranks: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for cards in dealt:
        ranks.setdefault(tuple(map(rank_of, cards)), []).append(cards)
    for alike in ranks.values():
        first, second, *board = alike[0]
        position = Position(hands=[[first], [second]], stock=[*board] or None)
        yield len(alike) / len(dealt), game.setup(2, options, position, Random("solver"))


def build_node(state: AnyState) -> DealNode:
    """Return the tree below a state."""
    if state.turn is None:
        return DealNode(-1, "", (), state.outcome().points[0])
    seat = state.turn.seat
    view = state.view(seat)
    key = describe_information(view.cards, view.board, describe_rounds(view.history))
    children = []
    for action in state.legal():
        following = state.copy()
        following.play(action)
        children.append(build_node(following))
    return DealNode(seat, key, children, 0.0)


def iterate_nodes(node: DealNode) -> Iterator[DealNode]:
    """Yield a node and all below it."""
    yield node
    for child in node.children:
        yield from iterate_nodes(child)


def value_node(node: DealNode, strategy: Strategy) -> float:
    """Return what seat 0 wins on average from a node on."""
    if not node.children:
        return node.value
    pairs = zip(strategy[node.key], node.children, strict=True)
    return sum(chance * value_node(child, strategy) for chance, child in pairs if chance)


def spread_reach(node: DealNode, reach: float, strategy: Strategy, player: int) -> None:
    """Set the probability with which chance and the opponent of a player lead to each node."""
    node.reach = reach
    for at, child in enumerate(node.children):
        spread_reach(child, reach * (1.0 if node.player == player else strategy[node.key][at]), strategy, player)


def add_gains(
    node: DealNode,
    player: int,
    current: Strategy,
    gains: dict[str, list[float]],
    totals: dict[str, list[float]],
    reach: tuple[float, float],
    number: int,
) -> float:
    """Add a deal's counterfactual regrets of a player, and its part of the average strategy; return its value.

    `reach`: the probabilities with which the player, and chance and the opponent, lead here.
    """
    if not node.children:
        return node.value if player == 0 else -node.value
    own, others = reach
    chances = current[node.key]
    if node.player != player:
        return sum(
            chance * add_gains(child, player, current, gains, totals, (own, others * chance), number)
            for chance, child in zip(chances, node.children, strict=True)
        )
    values = [
        add_gains(child, player, current, gains, totals, (own * chance, others), number)
        for chance, child in zip(chances, node.children, strict=True)
    ]
    value = sum(chance * one for chance, one in zip(chances, values, strict=True))
    gained, total = gains[node.key], totals[node.key]
    for at, one in enumerate(values):
        gained[at] += others * (one - value)
        total[at] += number * own * chances[at]
    return value


def normalise(values: Sequence[float]) -> list[float]:
    """Return probabilities in proportion to values; equal ones if all are 0."""
    total = sum(values)
    return [value / total for value in values] if total else [1 / len(values)] * len(values)


def round_strategy(strategy: Strategy) -> dict[str, list[float]]:
    """Return a strategy with few digits; what is left over goes to the likeliest action."""
    rounded = {}
    for key, chances in sorted(strategy.items()):
        short = [round(chance, DIGITS) for chance in chances]
        short[short.index(max(short))] = round(1 - sum(short) + max(short), DIGITS)
        rounded[key] = short
    return rounded


def main() -> None:
    """Print values and exploitability of both strategies; write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--iterations", type=int, default=ITERATIONS)
    parser.add_argument("--write", action="store_true", help="write the table of the bot")
    given = parser.parse_args()
    trees = {"kuhn": Tree("kuhn"), "leduc": Tree("leduc")}
    strategies: dict[str, Strategy] = {"kuhn": KUHN, "leduc": round_strategy(trees["leduc"].solve(given.iterations))}
    for name, tree in trees.items():
        strategy = strategies[name]
        best = [tree.find_best_response(strategy, player) for player in (0, 1)]
        print(
            f"{name}: {len(tree.sets)} information sets, value for the first player {tree.evaluate(strategy):.5f}; "
            f"a best response wins {best[0]:.5f} as the first and {best[1]:.5f} as the second, "
            f"so that a hand of either costs at most {sum(best) / 2:.5f}"
        )
    if given.write:
        lines = [
            f'  "{name}": {{\n'
            + ",\n".join(f"    {json.dumps(key)}: {json.dumps([*one])}" for key, one in rows.items())
            for name, rows in strategies.items()
        ]
        Path(TABLE).write_text("{\n" + "\n  },\n".join(lines) + "\n  }\n}\n")


if __name__ == "__main__":
    main()
