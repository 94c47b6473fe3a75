"""A hand of Pitboss's poker as lines of the ACPC's protocol, and what a client's answers mean here.

`r` and a number is a raise to all that the player has put into the hand; in limit games it has no number. To check is
to call. Small decks have their highest rank at the ace there, at the king here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from game_file import GameFile

View: TypeAlias = Mapping[str, Any]
Entry: TypeAlias = Mapping[str, Any]

RANKS = "23456789TJQKA"
BOARD_SIZES = {"holdem": (0, 3, 4, 5), "leduc": (0, 1), "kuhn": (0,)}  # by betting round


def write_card(face: str, cards: str) -> str:
    """Return a card as the dealer writes it: "H10" is "Th"."""
    rank = RANKS.index(face[1:].replace("10", "T"))
    return f"{RANKS[rank + (cards != 'holdem')]}{face[0].lower()}"


def list_states(view: View, seat: int, hand: int, game: GameFile) -> list[str]:
    """Return what the dealer tells a player since its last action in a hand, or since the deal: a line for each action.

    The last line is the question.
    """
    position = game.find_position(seat, view["button"])
    own = "".join(write_card(face, game.cards) for face in view["cards"])
    hands = "|".join(own if one == position else "" for one in range(game.players))
    board = [write_card(face, game.cards) for face in view["board"]]
    return [
        f"MATCHSTATE:{position}:{hand}:{betting}:{hands}{_write_board(board, betting.count('/'), game.cards)}"
        for betting in list_bettings(view, game)[_count_until_own_action(view, seat) :]
    ]


def list_bettings(view: View, game: GameFile) -> list[str]:
    """Return the betting of a hand after none of its actions, after one, and so on."""
    bettings, paid_before = [""], game.options["ante"]
    for number, street in enumerate(view["history"]):
        highest = 0 if number else game.options["big_blind"]
        bettings[-1] += "/" if number else ""
        for word in street.split():
            _, letter, size = re.split("([a-z])", word)
            highest = int(size or highest)
            bettings.append(bettings[-1] + _write_action(letter, paid_before + highest, game.is_limit))
        paid_before += highest
    return bettings


def find_choice(answer: str, view: View, seat: int, legal: Sequence[Entry]) -> int | dict[str, Any]:
    """Return the choice that an action of the protocol means.

    As the dealer does, it takes the nearest size where a raise has another one, and a call where nobody may raise; to
    fold where one may check is to check.

    Raises:
        ValueError: it is no action.
    """
    found = re.fullmatch(r"f|c|r(\d*)", answer)
    if found is None:
        raise ValueError(f"{answer!r} is no action of the ACPC's protocol: f, c, r or r and a number")
    indices = {action["do"]: index for index, action in enumerate(legal)}
    raised = next((indices[name] for name in ("bet", "raise") if name in indices), None)
    if answer[0] == "r" and raised is not None:
        bounds = legal[raised]["to"]
        if not isinstance(bounds, list):
            return raised
        to = int(found[1] or 0) - (view["paid"][seat] - view["bets"][seat])
        return {**legal[raised], "to": min(max(to, bounds[0]), bounds[1])}
    return next(
        indices[name] for name in (("fold", "check") if answer == "f" else ("check", "call")) if name in indices
    )


def _count_until_own_action(view: View, seat: int) -> int:
    """Return the number of actions of a hand up to the last one of a seat."""
    seats = [int(re.split("[a-z]", word)[0]) for street in view["history"] for word in street.split()]
    return max((number for number, one in enumerate(seats, 1) if one == seat), default=0)


def _write_action(letter: str, paid: int, is_limit: bool) -> str:
    if letter in "br":
        return "r" if is_limit else f"r{paid}"
    return "f" if letter == "f" else "c"


def _write_board(board: Sequence[str], rounds: int, cards: str) -> str:
    return "".join(f"/{''.join(board[begin:end])}" for begin, end in pairwise(BOARD_SIZES[cards][: rounds + 1]))
