"""A bot for Gin Rummy that somebody wrote in five rounds of an arena: `IDEAS` says what it does in this round."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

IDEAS: frozenset[str] = frozenset()

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
Cards = tuple[str, ...]


def rank(card: str) -> int:
    """Return a card's rank, 0 for an ace."""
    return RANKS.index(card[1:])


def count(card: str) -> int:
    """Return what a loose card counts."""
    return min(rank(card) + 1, 10)


def find_melds(cards: Cards) -> Iterator[frozenset[str]]:
    """Yield all melds among some cards."""
    held = set(cards)
    for here in range(13):
        same = [card for card in cards if rank(card) == here]
        if len(same) >= 3:
            yield frozenset(same)
            if len(same) == 4:
                yield from (frozenset(same) - {card} for card in same)
    for suit in "SHDC":
        for first in range(11):
            run: list[str] = []
            for at in range(first, 13):
                if suit + RANKS[at] not in held:
                    break
                run.append(suit + RANKS[at])
                if len(run) >= 3:
                    yield frozenset(run)


@cache
def find_loose(cards: Cards) -> Cards:
    """Return the cards outside the melds that leave the least."""
    best = cards
    for meld in find_melds(cards):
        rest = find_loose(tuple(card for card in cards if card not in meld))
        best = min(best, rest, key=lambda left: sum(map(count, left)))
    return best


def weigh(cards: Sequence[str]) -> int:
    """Return what the loose ones of some cards count."""
    return sum(map(count, find_loose(tuple(sorted(cards)))))


def is_near(card: str, other: str) -> bool:
    """Tell whether two cards can be in one meld."""
    return card != other and (rank(card) == rank(other) or (card[0] == other[0] and abs(rank(card) - rank(other)) <= 2))


def choose(question: dict[str, Any]) -> int:
    """Return the index of the action to play."""
    legal, view = question["legal"], question["view"]
    hand, discards = view["hand"], view["discards"]
    if question["phase"] in ("first", "draw"):
        take = next((at for at, one in enumerate(legal) if one["do"] == "take"), None)
        if take is not None and is_wanted(hand, discards[-1]):
            return take
        return next(at for at, one in enumerate(legal) if one["do"] != "take")
    if any(one["do"] == "big_gin" for one in legal):
        return next(at for at, one in enumerate(legal) if one["do"] == "big_gin")
    if any(one["do"] == "arrange" for one in legal):
        return 0
    knocks = [at for at, one in enumerate(legal) if one["do"] == "knock"]
    lays = [at for at, one in enumerate(legal) if one["do"] == "discard"]

    def left(at: int) -> int:
        return weigh([card for card in hand if card != legal[at]["card"]])

    if knocks:
        best = min(knocks, key=left)
        if "wait" not in IDEAS or left(best) == 0 or left(best) > 3 or view["stock"] < 20:
            return best
    return min(lays, key=lambda at: (left(at), value(legal[at]["card"], hand, view)))


def is_wanted(hand: Sequence[str], card: str) -> bool:
    """Tell whether a discard is worth taking: it is in a meld then, or leaves much less."""
    whole = [*hand, card]
    left = min(weigh([one for one in whole if one != other]) for other in hand)
    melds = card not in find_loose(tuple(sorted(whole)))
    if "low" in IDEAS and not melds and count(card) <= 2 and weigh(hand) - left >= 6:
        return True
    return melds and left < weigh(hand)


def value(card: str, hand: Sequence[str], view: dict[str, Any]) -> float:
    """Return what it is worth to keep a card, beside what it counts."""
    worth = 0.0
    gone = set(view["discards"])
    if "pairs" in IDEAS:
        near = [other for other in hand if is_near(card, other)]
        worth += sum(1.0 - 0.4 * sum(is_near(other, one) and is_near(card, one) for one in gone) for other in near)
    if "safe" in IDEAS:
        other = 1 - hand_seat(view, hand)
        worth += sum(0.5 for one in view["known"][other] if is_near(card, one))
        worth -= 0.1 * sum(is_near(card, one) for one in gone)
    return worth


def hand_seat(view: dict[str, Any], hand: Sequence[str]) -> int:
    """Return which seat holds the hand."""
    return next((seat for seat, known in enumerate(view["known"]) if set(known) == set(hand)), 0)


def main() -> None:
    """Talk to the runner until it says bye or closes the pipe."""
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if message["type"] == "hello":
            say({"type": "ready"})
        elif message["type"] == "decide":
            say({"type": "act", "id": message["id"], "choose": choose(message)})
        elif message["type"] == "bye":
            break


def say(message: dict[str, Any]) -> None:
    """Write a line to the runner."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
