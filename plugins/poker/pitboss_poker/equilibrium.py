"""Equilibrium strategies of Kuhn and Leduc poker for two players, from a table that `solver` makes.

An information set is written as the ranks of the own card and of the board, a colon, and the letters of the actions,
rounds separated by a slash: "K:kb", "QK:kbc/k". Its row has a probability for each legal action, in their order.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from pitboss.plugins.packs import rank_of

TABLE: Final = Path(__file__).with_name("equilibrium.json")


def describe_rounds(history: Iterable[str]) -> str:
    """Return the letters of the actions of a hand, from the view's `history`: ["0k 1b", "0k"] is "kb/k"."""
    return "/".join("".join(word[1] for word in one.split()) for one in history)


def describe_information(cards: Sequence[object], board: Sequence[object], rounds: str) -> str:
    """Return an information set."""
    return f"{''.join(rank_of(face) for face in (*cards, *board))}:{rounds}"


@lru_cache
def load_strategy(cards: str) -> Mapping[str, Sequence[float]]:
    """Return the strategy of "kuhn" or "leduc"."""
    table: dict[str, dict[str, list[float]]] = json.loads(TABLE.read_text())
    return table[cards]
