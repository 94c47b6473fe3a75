"""Logs of the dealer of the ACPC, read: each line of a hand becomes the record of a game of one hand.

    STATE:4:rf:6s9d|4dQd:-10|10:p1|p2

Number, betting, cards, chips won, players; of each the first is left of the button. A raise with a number is to all
chips that its player has put into the pot. The stakes are not in a log: with numbers they are those of the preset
`acpc-no-limit`, without those of `acpc-limit`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from msgspec import to_builtins

from pitboss import AnyGame
from pitboss.errors import RecordError
from pitboss.foreign_input import NumberRefused, read_whole_number
from pitboss.records.record import Record
from pitboss_poker.foreign_hand import ForeignAction, ForeignHand, replay_hand
from pitboss_poker.messages import PRESETS
from pitboss_poker.named_cards import NamedCards, read_cards
from pitboss_poker.state import PokerState

ACTION: Final = re.compile(r"f|c|r(\d*)")
LOG_BETTING: Final = re.compile(r"(?:f|c|r\d*|/)*")
NUMBERS: Final = re.compile(r"-?\d+(?:\.\d+)?(?:\|-?\d+(?:\.\d+)?)+")
STAKES: Final = ("betting", "small_blind", "big_blind", "stack")


def read_dealer_log(game: AnyGame, lines: Iterable[str]) -> Iterator[Record]:
    """Yield the record of each hand.

    Raises:
        RecordError: a line is wrong, or the hand cannot have been played so.
    """
    for number, line in enumerate(lines, 1):
        text = line.strip().removeprefix("\ufeff")
        if text and not text.startswith(("#", "SCORE:")):
            yield replay_hand(game, _read_line(f"line {number}", text))


def _read_line(where: str, text: str) -> ForeignHand:
    """Return the hand of a line.

    Raises:
        RecordError: it is no hand.
    """
    kind, *parts = text.split(":")
    if kind != "STATE" or len(parts) != 5:
        raise RecordError(f"{where}: {text[:60]!r} is no hand; one is STATE:number:betting:cards:chips won:players")
    _, betting, cards, won, names = parts
    players = names.split("|")
    if not LOG_BETTING.fullmatch(betting):
        raise RecordError(f"{where}: {betting[:60]!r} is no betting; use f, c, r with or without a number, and /")
    if not NUMBERS.fullmatch(won) or won.count("|") != len(players) - 1 or not 2 <= len(players) <= 10:
        raise RecordError(f"{where}: {won!r} are not the chips that {len(players)} players won")
    actions = []
    for action in ACTION.finditer(betting):
        try:
            size = partial(_size_in_round, read_whole_number(action[1])) if action[1] else None
        except NumberRefused as wrong:
            raise RecordError(f"{where}: {wrong}") from None
        actions.append(ForeignAction(action[0], action[0][0], size=size))
    sized = {action.size is not None for action in actions if action.kind == "r"}
    if len(sized) > 1:
        raise RecordError(f"{where}: {betting!r} has raises with and without a number")
    own, *board = cards.split("/")
    try:
        named = NamedCards([read_cards(hand) for hand in own.split("|")], read_cards("".join(board)))
    except ValueError as wrong:
        raise RecordError(f"{where}: {wrong}") from None
    if len(named.hands) != len(players):
        raise RecordError(f"{where}: {own!r} are not the hands of {len(players)} players")
    chips = [float(one) for one in won.split("|")]
    stakes = to_builtins(PRESETS["acpc-limit" if sized == {False} or _is_limit(chips) else "acpc-no-limit"])
    is_distinct = len({*players}) == len(players)
    return ForeignHand(
        where,
        players if is_distinct else [f"p{seat}" for seat in range(1, len(players) + 1)],
        {name: stakes[name] for name in STAKES},
        named,
        actions,
        chips,
    )


def _is_limit(won: list[float]) -> bool:
    """Return whether no bet of the stakes without limit makes these chips: for hands in which nobody raised."""
    return max(won) < PRESETS["acpc-no-limit"].small_blind and any(won)


def _size_in_round(total: int, state: PokerState, seat: int) -> int:
    """Return the bet in this round of a seat that has put `total` chips into the pot."""
    return total - (state.paid[seat] - state.bets[seat])
