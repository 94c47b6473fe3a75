"""A hand of Pitboss's poker for two as clauses of MIT's Pokerbots, and what a bot's answers mean here.

Position 0 has the small blind and the button. A number after R is all that the player has put into the betting round,
as `to` is here. Where both are all in, that engine still asks for checks: the bot hears of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from poker_hands import Entry, Hand, find_choice, write_card

CLAUSES = {"f": "F", "k": "K", "c": "C", "b": "R", "r": "R"}  # by the letters of a view's history
BOARD_SIZES = (0, 3, 4, 5)  # by betting round
KINDS = {"F": "fold", "C": "call", "K": "check", "R": "raise"}


def find_position(hand: Hand, seat: int) -> int:
    """Return the position of a seat."""
    return int(seat != hand["button"])


def begin_hand(hand: Hand, seat: int) -> list[str]:
    """Return the clauses with which a bot hears of a new hand."""
    return [f"P{find_position(hand, seat)}", f"H{_write_cards(hand['cards'])}"]


def list_actions(hand: Hand) -> list[str]:
    """Return the clauses of a hand's actions and boards, in order."""
    has_ended = "won" in hand
    clauses = list[str]()
    for number, street in enumerate(hand["history"]):
        if number:
            clauses.append(f"B{_write_cards(hand['board'][: BOARD_SIZES[number]])}")
        actions = [_write_action(word) for word in street.split()]
        clauses += actions or (["K", "K"] if has_ended else [])
    return clauses


def end_hand(hand: Hand, seat: int) -> Iterator[str]:
    """Yield the clauses of a hand's end: the other player's cards, if they were shown, and what the seat has won."""
    yield from (f"O{_write_cards(cards)}" for one, cards in hand["shown"].items() if one != seat)
    yield f"D{hand['won'][seat]}"


def read_answer(answer: str, legal: Sequence[Entry]) -> int | dict[str, Any]:
    """Return the choice that an answer means; as in that engine, what is not legal is to check, or else to fold.

    Raises:
        ValueError: the answer is no action.
    """
    if not re.fullmatch(r"[FCK]|R\d+", answer):
        raise ValueError(f"{answer!r} is no action of MIT's Pokerbots: F, C, K or R and a number")
    choices = (find_choice(KINDS[answer[0]], int(answer[1:] or 0), legal), find_choice("check", 0, legal))
    return next((one for one in choices if one is not None), _find_fold(legal))


def _find_fold(legal: Sequence[Entry]) -> int:
    return next(index for index, action in enumerate(legal) if action["do"] in ("fold", "check"))


def _write_action(word: str) -> str:
    _, letter, size = re.split("([a-z])", word)
    return f"{CLAUSES[letter]}{size}"


def _write_cards(faces: Sequence[str]) -> str:
    return ",".join(map(write_card, faces))
