"""Logs of the dealer of the ACPC, read: each hand becomes the record of a game of one hand.

    STATE:4:rf:6s9d|4dQd:-10|10:p1|p2

Number, betting, cards, chips won, players; of each the first is left of the button. A raise with a number is to all
chips that its player has put into the pot. The other kind of log has the messages that the dealer sent and got:

    TO 2 at 1341696000.2 MATCHSTATE:1:4:rf:|4dQd

The program, its place, the number of the hand, betting and the cards that it sees. A message alone, from MATCHSTATE on,
is a hand as its player sees it: one that goes on, whose other cards nobody has told. The stakes are not in a log: with
numbers they are those of the preset `acpc-no-limit`, without those of `acpc-limit`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final, TypeVar

from msgspec import to_builtins

from pitboss import AnyGame
from pitboss.errors import RefusedGame
from pitboss.foreign_input import NumberRefused, read_whole_number
from pitboss.parts.betting.foreign_hand import ForeignAction, ForeignHand, replay_hand
from pitboss.parts.betting.named_cards import NamedCards, read_cards
from pitboss.records.record import Record, read_each
from pitboss_poker.messages import PRESETS
from pitboss_poker.state import PokerState

T = TypeVar("T")

ACTION: Final = re.compile(r"f|c|r(\d*)")
LOG_BETTING: Final = re.compile(r"(?:f|c|r\d*|/)*")
WON: Final = re.compile(r"-?\d{1,15}(?:\.\d{1,9})?(?:\|-?\d{1,15}(?:\.\d{1,9})?)+")
MESSAGE: Final = re.compile(r"TO (\d{1,3}) at [\d.]{1,30} MATCHSTATE:(\d{1,2}):(\d{1,12}):([^:]*):([^:]*)")
PASSED_OVER: Final = ("#", "SCORE:", "FROM ", "FINISHED ", "STARTED ")  # how lines begin that tell no hand
SEEN: Final = re.compile(r"MATCHSTATE:(\d{1,2}):(\d{1,12}):([^:]*):([^:|]*\|[^:]*)")
STAKES: Final = ("betting", "small_blind", "big_blind", "stack")


class SentHand:
    """A hand as the messages to the players tell it."""

    def __init__(self, line: int, number: str) -> None:
        self.line, self.number = line, number
        self.betting = ""  # the longest
        self.programs: dict[int, str] = {}  # by place
        self.cards: dict[int, str] = {}  # by place, the cards of the longest betting that it saw

    def add_message(self, found: re.Match[str]) -> None:
        """Add a message."""
        place, betting = int(found[2]), found[4]
        self.programs[place], self.cards[place] = found[1], found[5]
        self.betting = max(self.betting, betting, key=len)


def read_dealer_log(game: AnyGame, lines: Iterable[str]) -> Iterator[Record | RefusedGame]:
    """Yield the record of each hand, and of each that is wrong, or cannot have been played so, why."""
    yield from read_each(_list_hands(lines), lambda hand: replay_hand(game, hand))


def _list_hands(lines: Iterable[str]) -> Iterator[ForeignHand | RefusedGame]:
    sent: SentHand | None = None
    for number, line in enumerate(lines, 1):
        text = line.strip().removeprefix("\ufeff")
        message = MESSAGE.fullmatch(text)
        if message and sent and sent.number == message[3]:
            sent.add_message(message)
            continue
        if not message and (not text or text.startswith(PASSED_OVER)):
            continue
        if sent:
            yield _read(_read_sent, sent)
        sent = None
        if seen := SEEN.fullmatch(text):
            yield _read(partial(_read_seen, number), seen)
        elif message:
            sent = SentHand(number, message[3])
            sent.add_message(message)
        else:
            yield _read(partial(_read_line, number), text)
    if sent:
        yield _read(_read_sent, sent)


def _read(read: Callable[[T], ForeignHand], written: T) -> ForeignHand | RefusedGame:
    try:
        return read(written)
    except RefusedGame as refused:
        return refused


def _read_line(line: int, text: str) -> ForeignHand:
    """Return the hand of a line.

    Raises:
        RefusedGame: it is no hand.
    """
    kind, *parts = text.split(":")
    if kind != "STATE" or len(parts) != 5:
        raise RefusedGame(line, f"{text[:60]!r} is no hand; one is STATE:number:betting:cards:chips won:players")
    _, betting, cards, won, names = parts
    players = names.split("|")
    if not WON.fullmatch(won) or won.count("|") != len(players) - 1 or not 2 <= len(players) <= 10:
        raise RefusedGame(line, f"{won!r} are not the chips that {len(players)} players won")
    own, *board = cards.split("/")
    try:
        named = NamedCards([read_cards(hand) for hand in own.split("|")], read_cards("".join(board)))
    except ValueError as wrong:
        raise RefusedGame(line, str(wrong)) from None
    if len(named.hands) != len(players):
        raise RefusedGame(line, f"{own!r} are not the hands of {len(players)} players")
    return _make_hand(line, "", players, betting, named, [float(one) for one in won.split("|")])


def _read_sent(sent: SentHand) -> ForeignHand:
    """Return the hand that messages tell.

    Raises:
        RefusedGame: it is no hand.
    """
    line, name, seats = sent.line, f"hand {sent.number}", max(sent.programs) + 1
    if len(sent.programs) < seats or not 2 <= seats <= 10:
        raise RefusedGame(line, f"{name}: messages to {len(sent.programs)} players tell no hand of 2 to 10")
    hands: list[list[str | None]] = [[] for _ in range(seats)]
    board: list[str | None] = []
    for cards in sent.cards.values():
        own, *streets = cards.split("/")
        try:
            for hand, told in zip(hands, own.split("|"), strict=True):
                hand[:] = hand or read_cards(told)
            board = max(board, read_cards("".join(streets)), key=len)
        except ValueError as wrong:
            raise RefusedGame(line, f"{name}: {cards[:60]!r} are not the cards of {seats} players: {wrong}") from None
    players = [f"program {sent.programs[place]}" for place in range(seats)]
    return _make_hand(line, name, players, sent.betting, NamedCards(hands, board), None)


def _read_seen(line: int, seen: re.Match[str]) -> ForeignHand:
    """Return the hand that a message to one player tells.

    Raises:
        RefusedGame: it is no hand.
    """
    place, name = int(seen[1]), f"hand {seen[2]}"
    own, *streets = seen[4].split("/")
    try:
        hands = [read_cards(told) for told in own.split("|")]
        board = read_cards("".join(streets))
    except ValueError as wrong:
        raise RefusedGame(line, f"{name}: {wrong}") from None
    if not 2 <= len(hands) <= 10 or place >= len(hands) or len(hands[place]) != 2:
        raise RefusedGame(line, f"{name}: {own[:60]!r} are not the cards that player {place} of 2 to 10 sees")
    players = [f"p{seat}" for seat in range(1, len(hands) + 1)]
    return _make_hand(line, name, players, seen[3], NamedCards(hands, board), None)


def _make_hand(
    line: int, name: str, players: Sequence[str], betting: str, cards: NamedCards, won: Sequence[float] | None
) -> ForeignHand:
    """Return a hand.

    Raises:
        RefusedGame: its betting is none.
    """
    if not LOG_BETTING.fullmatch(betting):
        raise RefusedGame(line, f"{betting[:60]!r} is no betting; use f, c, r with or without a number, and /")
    actions = []
    for action in ACTION.finditer(betting):
        try:
            size = partial(_size_in_round, read_whole_number(action[1])) if action[1] else None
        except NumberRefused as wrong:
            raise RefusedGame(line, str(wrong)) from None
        actions.append(ForeignAction(action[0], action[0][0], size=size))
    sized = {action.size is not None for action in actions if action.kind == "r"}
    if len(sized) > 1:
        raise RefusedGame(line, f"{betting!r} has raises with and without a number")
    is_limit = sized == {False} or (not sized and _is_limit(line, name, won))
    stakes = to_builtins(PRESETS["acpc-limit" if is_limit else "acpc-no-limit"])
    is_distinct = len({*players}) == len(players)
    return ForeignHand(
        line=line,
        name=name,
        players=players if is_distinct else [f"p{seat}" for seat in range(1, len(players) + 1)],
        options={name: stakes[name] for name in STAKES},
        cards=cards,
        actions=actions,
        won=won,
    )


def _is_limit(line: int, name: str, won: Sequence[float] | None) -> bool:
    """Return whether nobody lost as much as the small blind without limit: of a hand in which nobody raised.

    Raises:
        RefusedGame: the log does not tell what was won.
    """
    if won is None:
        raise RefusedGame(line, f"{name}: nobody raised, so that nothing tells whether bets have a limit")
    return 0 < max(map(abs, won)) < PRESETS["acpc-no-limit"].small_blind


def _size_in_round(total: int, state: PokerState, seat: int) -> int:
    """Return the bet in this round of a seat that has put `total` chips into the pot."""
    return total - (state.paid[seat] - state.bets[seat])
