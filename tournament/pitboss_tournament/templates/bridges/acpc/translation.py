"""A hand of Pitboss's poker as lines of the ACPC's protocol, and what a client's answers mean here.

`r` and a number is a raise to all that the player has put into the hand; in limit games it has no number. To check is
to call. Small decks have their highest rank at the ace there, at the king here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from game_file import GameFile
from poker_hands import Entry, Hand, write_card

RANKS = "23456789TJQKA"
BOARD_SIZES = {"holdem": (0, 3, 4, 5), "leduc": (0, 1), "kuhn": (0,)}  # by betting round


def list_states(view: Hand, seat: int, hand: int, game: GameFile) -> list[str]:
    """Return what the dealer tells a player since its last action in a hand, or since the deal: a line for each action.

    The last line is the question; or the end of the hand, if it has ended.
    """
    position = game.find_position(seat, view["button"])
    bettings = list_bettings(view, game)
    own = {position: _write_cards(view["cards"], game)}
    lines = [
        _write_state(position, hand, betting, own, view["board"], game)
        for betting in bettings[_count_until_own_action(view, seat) :]
    ]
    if shown := view.get("shown"):
        hands = {game.find_position(one, view["button"]): _write_cards(faces, game) for one, faces in shown.items()}
        lines[-1] = _write_state(position, hand, bettings[-1], own | hands, view["board"], game)
    return lines


def list_bettings(view: Hand, game: GameFile) -> list[str]:
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


def find_choice(answer: str, view: Hand, seat: int, legal: Sequence[Entry]) -> int | dict[str, Any]:
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


def _count_until_own_action(view: Hand, seat: int) -> int:
    """Return the number of actions of a hand up to the last one of a seat."""
    seats = [int(re.split("[a-z]", word)[0]) for street in view["history"] for word in street.split()]
    return max((number for number, one in enumerate(seats, 1) if one == seat), default=0)


def _write_cards(faces: Sequence[str], game: GameFile) -> str:
    """Return cards as the dealer writes them, in small decks one rank higher."""
    cards = map(write_card, faces)
    if game.cards != "holdem":
        cards = (RANKS[RANKS.index(rank) + 1] + suit for rank, suit in cards)
    return "".join(cards)


def _write_state(
    position: int, hand: int, betting: str, hands: Mapping[int, str], board: Sequence[str], game: GameFile
) -> str:
    """Return a line; `hands` are those that are known, by position."""
    sizes = BOARD_SIZES[game.cards][: betting.count("/") + 1]
    rounds = "".join(f"/{_write_cards(board[begin:end], game)}" for begin, end in pairwise(sizes))
    known = "|".join(hands.get(one, "") for one in range(game.players))
    return f"MATCHSTATE:{position}:{hand}:{betting}:{known}{rounds}"


def _write_action(letter: str, paid: int, is_limit: bool) -> str:
    if letter in "br":
        return "r" if is_limit else f"r{paid}"
    return "f" if letter == "f" else "c"
