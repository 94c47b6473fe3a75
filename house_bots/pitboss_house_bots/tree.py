"""The tree of a search: nodes are observations of the seat on turn, edges its actions.

In one sampled world an action may be legal, in another not; so an edge also counts in how many visits of its node it
was available (see `search`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log, sqrt
from typing import Final, TypeAlias

NodeKey: TypeAlias = tuple[int, bytes]  # the seat on turn, and what it saw since the decision before
WIDENING_EXPONENT: Final = 0.25  # of n visits, n to this power widen a node by another action


class Edge:
    """An action at a node, with its visits and the summed value for the seat that decides there."""

    __slots__ = ("available", "children", "total_value", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.total_value = 0.0  # the sum over all visits
        self.available = 0
        self.children: dict[NodeKey, Node] = {}

    @property
    def mean(self) -> float | None:
        """The mean worth, None if the action was never tried."""
        return self.total_value / self.visits if self.visits else None

    def child(self, key: NodeKey) -> Node:
        """Return the node that follows if this is the observation of the next player."""
        found = self.children.get(key)
        if found is None:
            found = self.children[key] = Node()
        return found


class Node:
    """An observation of the seat on turn."""

    __slots__ = ("edges", "visits")

    def __init__(self) -> None:
        self.edges: dict[bytes, Edge] = {}
        self.visits = 0

    def enter(self, actions: Sequence[bytes]) -> list[Edge]:
        """Return the edges of the actions that are legal in this world, after counting the visit."""
        edges = self.edges
        self.visits += 1
        found = []
        for action in actions:
            edge = edges.get(action)
            if edge is None:
                edge = edges[action] = Edge()
            edge.available += 1
            found.append(edge)
        return found

    def is_wide(self, tried: int) -> bool:
        """Progressive widening: whether `tried` actions suffice for the visits so far."""
        return tried > 0 and tried >= self.visits**WIDENING_EXPONENT


def best_edge(edges: Sequence[Edge], exploration: float) -> int:
    """Return the index of the tried edge with the highest upper confidence bound of its worth.

    The bound is that of UCB1, with availability in place of the node's visits.
    """
    best, highest, available, log_available = -1, -inf, 0, 0.0
    for at, edge in enumerate(edges):
        visits = edge.visits
        if visits:
            if edge.available != available:
                available = edge.available
                log_available = log(available)
            bound = edge.total_value / visits + exploration * sqrt(log_available / visits)
            if bound > highest:
                best, highest = at, bound
    return best
