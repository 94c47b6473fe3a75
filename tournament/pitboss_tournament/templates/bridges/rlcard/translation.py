"""What an agent of RLCard sees of Pitboss's poker, and what its answer means here. It needs no package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

ACTIONS = ("call", "raise", "fold", "check")  # in RLCard's order


def write_card(face: str) -> str:
    """Return a card as RLCard writes it: "H10" is "HT"."""
    return face.replace("10", "T")


def list_actions(legal: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return RLCard's words for the legal actions: a bet is a raise, and one may always fold."""
    words = {"raise" if action["do"] == "bet" else action["do"] for action in legal} | {"fold"}
    return [word for word in ACTIONS if word in words]


def build_state(view: Mapping[str, Any], seat: int, legal: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the state that RLCard's game would give the player: that of Leduc has one card, of Hold'em two."""
    hand, board = [write_card(face) for face in view["cards"]], [write_card(face) for face in view["board"]]
    state = {"all_chips": view["paid"], "my_chips": view["paid"][seat], "legal_actions": list_actions(legal)}
    if len(hand) == 1:
        return {**state, "hand": hand[0], "public_card": board[0] if board else None}
    raises = [sum(word[1] in "br" for word in street.split()) for street in view["history"]]
    return {**state, "hand": hand, "public_cards": board, "raise_nums": [*raises, 0, 0, 0][:4]}


def find_choice(word: str, legal: Sequence[Mapping[str, Any]]) -> int:
    """Return the index of what the agent does; to fold where one may check is to check."""
    names = [action["do"] for action in legal]
    if word == "fold" and word not in names:
        word = "check"
    return names.index("bet" if word == "raise" and "bet" in names else word)
