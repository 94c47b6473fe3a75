"""LIN, the format of Bridge Base Online, read: each board that has an auction becomes a record (`foreign_board`).

A file is a row of `tag|value|`. Of each board `md` has the dealer and the hands, `sv` the vulnerability, `mb` a call,
`pc` a card and `mc` the tricks of the declarer's side after a claim. In files of matches `qx` begins a board of the
open (`o1`) or the closed room (`c1`), which may share the cards; `rs` has all results, `vg` the first board's number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from pitboss import AnyGame
from pitboss.errors import RecordError, RefusedGame
from pitboss.game import resolve_options
from pitboss.records.record import Record, read_each
from pitboss_bridge.foreign_board import FileWord, ForeignBoard, read_call, replay_board, require_given_boards
from pitboss_bridge.pbn_deal import ALL_CARDS, COMPASS, VULNERABLE_WORDS, find_board, read_card, write_seed

LONGEST_VALUE: Final = 1 << 16  # characters
SEATS_BY_HAND: Final = (2, 3, 0, 1)  # South's comes first
DEALERS: Final = {"1": 2, "2": 3, "3": 0, "4": 1}
VULNERABLE_LETTERS: Final = {"O": "None", "0": "None", "-": "None", "N": "NS", "E": "EW", "B": "All"}
SUITS_AND_RANKS: Final = re.compile(r"(?:[SHDC][AKQJT2-9]*)*")
SUIT: Final = re.compile(r"([SHDC])([AKQJT2-9]*)")
CALLS_TOGETHER: Final = re.compile(r"[1-7](?:NT|[NCDHS])|RDBL|DBL|XX|PASS|[XDRP]")
CARD: Final = re.compile(r"[SHDC](?:10|[AKQJT2-9])")
ROOM: Final = re.compile(r"([OC])(\d+)")
TABLE_RESULT: Final = re.compile(r"([1-7])(NT|[NCDHS])(X{0,2})([NESW])(=|[+-]\d{1,2})")


class LinTag(NamedTuple):
    """A tag of a file."""

    line: int
    name: str
    value: str


class Dealt(NamedTuple):
    """The dealer and the hands of a board."""

    dealer: int
    hands: list[list[str]]


class RoomBoard(NamedTuple):
    """Where a board was played: the room, "O" or "C", and the number of the board as digits, "" if it is not told."""

    room: str
    number: str


@dataclass
class MatchHead:
    """What a file tells once, for all its boards."""

    names: list[str] = field(default_factory=list)  # of the open room, then of the closed one; South first
    results: list[FileWord] = field(default_factory=list)
    first: int = 1  # the number of the first board
    dealt: dict[str, Dealt] = field(default_factory=dict)  # by number of the board: both rooms play it


def read_lin(game: AnyGame, lines: Iterable[str]) -> Iterator[Record | RefusedGame]:
    """Yield the record of each board, and of each that is no game why.

    Raises:
        RecordError: the text is no LIN.
    """
    options = resolve_options(game, len(COMPASS), "single")
    head = MatchHead()
    boards = _split_boards(_read_tags(lines), head)
    yield from read_each(boards, lambda tags: replay_board(game, options, _read_board(tags, head)))


def read_lin_deals(game: AnyGame, seats: int, options: Any, lines: Iterable[str]) -> Iterator[str | RefusedGame]:  # noqa: ANN401
    """Yield the seed of the deal of each board, with its dealer and vulnerability, and of each that has none why.

    Raises:
        OptionError: the options say who deals or is vulnerable, or a game has more than one board.
        RecordError: the text is no LIN.
    """
    require_given_boards(game, options)
    head = MatchHead()
    for tags in _split_boards(_read_tags(lines), head):
        found = {tag.name: tag for tag in reversed(tags)}
        line = _find_line(tags)
        try:
            room = _read_number(found)
            dealt = _share_dealt(found, room.number, line, head)
            vulnerable = _read_vulnerable(found.get("sv"), room.number, line)
            if not all(dealt.hands):
                raise RefusedGame(
                    line, "three hands of 13 cards tell the fourth, and the board that begins here has fewer"
                )
        except RefusedGame as refused:
            yield refused
            continue
        yield write_seed(find_board(dealt.dealer, vulnerable), dealt.hands)


def _read_tags(lines: Iterable[str]) -> Iterator[LinTag]:
    """Yield the tags of a file; a value may go on in the next line."""
    rest = ""
    number = 0
    for number, line in enumerate(lines, 1):
        if not (text := line.strip("\r\n").removeprefix("\ufeff")):
            continue  # or each empty line would take a time by the length of the value
        rest += text
        *parts, rest = rest.split("|")
        if len(parts) % 2:
            rest = f"{parts.pop()}|{rest}"
        for at in range(0, len(parts), 2):
            yield LinTag(number, parts[at].strip().lower(), parts[at + 1].strip())
        if len(rest) > LONGEST_VALUE:
            raise RecordError(f"line {number}: this is no LIN: a value has more than {LONGEST_VALUE:,} characters")
    if rest.strip():
        raise RecordError(f"line {number}: {rest.strip()[:60]!r} is no LIN, whose tags are as mb|1C|")


def _split_boards(tags: Iterable[LinTag], head: MatchHead) -> Iterator[list[LinTag]]:
    """Yield the tags of each board; what stands before the first goes into the head."""
    board: list[LinTag] = []
    has: set[str] = set()
    for tag in tags:
        is_next = (
            tag.name == "qx" or (tag.name in ("pn", "st", "md") and "md" in has) or (tag.name == "pn" and "mb" in has)
        )
        if is_next and has & {"md", "qx"}:
            yield board
            board, has = [], set()
        elif is_next or (tag.name == "qx"):
            board, has = [one for one in board if one.name == "pn"], set()
        if tag.name == "vg":
            fields = tag.value.split(",")
            head.first = (
                int(fields[3]) if len(fields) > 3 and fields[3].strip().isdecimal() and len(fields[3]) < 6 else 1
            )
        elif tag.name == "rs":
            head.results = [FileWord(tag.line, word.strip().upper()) for word in tag.value.split(",")]
        elif tag.name == "pn" and not has & {"md", "qx"}:
            head.names = [name.strip() for name in tag.value.split(",")]
        board.append(tag)
        has.add(tag.name)
    if has & {"md", "qx"}:
        yield board


def _read_board(tags: Sequence[LinTag], head: MatchHead) -> ForeignBoard:
    """Return a board.

    Raises:
        RefusedGame: a value is wrong, or the board has no cards or no auction.
    """
    line = _find_line(tags)
    found: Mapping[str, LinTag] = {tag.name: tag for tag in reversed(tags)}
    room, number = _read_number(found)
    dealt = _share_dealt(found, number, line, head)
    calls = [FileWord(tag.line, call) for tag in tags if tag.name == "mb" for call in _read_calls(tag)]
    names = [name.strip() for name in found["pn"].value.split(",")] if "pn" in found else head.names
    names = names[4:8] if room == "C" and len(names) >= 8 else names[:4]
    board = ForeignBoard(
        line=line,
        auction_line=calls[0].line if calls else line,
        why_no_calls="the board that begins here has no mb: it is a deal, and no game",
        names=[names[SEATS_BY_HAND.index(seat)] if len(names) == 4 else "" for seat in range(4)],
        dealer=dealt.dealer,
        vulnerable=_read_vulnerable(found.get("sv"), number, line),
        hands=dealt.hands,
        calls=calls,
        cards=[FileWord(tag.line, card) for tag in tags if tag.name == "pc" for card in _read_cards(tag)],
    )
    _add_result(board, found.get("mc"), room, number, head)
    return board


def _find_line(tags: Sequence[LinTag]) -> int:
    """Return the line in which a board begins."""
    return next(tag.line for tag in tags if tag.name in ("md", "qx"))


def _read_number(found: Mapping[str, LinTag]) -> RoomBoard:
    """Return the room and the number of a board."""
    if "qx" in found and (room := ROOM.match(found["qx"].value.upper())):
        return RoomBoard(room[1], room[2])
    heading = re.search(r"\d{1,4}", found["ah"].value) if "ah" in found else None
    return RoomBoard("O", heading[0] if heading else "")


def _share_dealt(found: Mapping[str, LinTag], number: str, line: int, head: MatchHead) -> Dealt:
    """Return the dealer and the hands of a board; if it has none, those of the same board in the other room."""
    dealt = _read_dealt(found.get("md"), number) or head.dealt.get(number)
    if dealt is None:
        raise RefusedGame(line, "the board that begins here has no md, and no board before has its cards")
    head.dealt[number] = dealt
    return dealt


def _read_dealt(tag: LinTag | None, number: str) -> Dealt | None:
    """Return dealer and hands; None if the board shares those of another one."""
    if tag is None or tag.value in ("", "0"):
        return None
    text = tag.value.upper()
    dealer = DEALERS.get(text[0], (int(number) - 1) % 4 if number and len(number) < 6 else None)
    if dealer is None:
        raise RefusedGame(tag.line, f"md is {tag.value[:80]!r}; it begins with the dealer, 1 to 4")
    hands: list[list[str]] = [[] for _ in COMPASS]
    rows = text.lstrip("01234").split(",")
    for seat, row in zip(SEATS_BY_HAND, rows, strict=False):
        if not SUITS_AND_RANKS.fullmatch(row):
            raise RefusedGame(tag.line, f"the hand of {COMPASS[seat]} is {row[:60]!r}; it is as SAKHQD2CJT")
        hands[seat] = [read_card(suit + rank) for suit, ranks in SUIT.findall(row) for rank in ranks]
    told = [card for hand in hands for card in hand]
    missing = [seat for seat in range(4) if not hands[seat]]
    if len(missing) == 1:
        hands[missing[0]] = sorted(ALL_CARDS.difference(told))
        told = sorted(ALL_CARDS)
    if not told or any(len(hand) not in (0, 13) for hand in hands) or len({*told}) < len(told):
        raise RefusedGame(tag.line, f"md is {tag.value[:80]!r}; three hands of 13 cards tell the fourth")
    return Dealt(dealer, hands)


def _read_vulnerable(tag: LinTag | None, number: str, line: int) -> str:
    """Return who is vulnerable: as `sv` has it, else by the number of the board."""
    if tag is not None and tag.value:
        word = VULNERABLE_LETTERS.get(tag.value.upper())
        if word is None:
            raise RefusedGame(tag.line, f"sv is {tag.value[:20]!r}; it is o, n, e or b")
        return word
    if not number:
        raise RefusedGame(line, "the board that begins here has no sv, and no number")
    place = int(number[:6]) - 1
    return VULNERABLE_WORDS[(place + place // 4) % 4]


def _read_calls(tag: LinTag) -> list[str]:
    """Return the calls of an mb; alerts (!) are left out."""
    text = re.sub(r"[!?\s*]", "", tag.value).upper()
    if text in ("", "-"):
        return []
    words = [text] if read_call(text) else CALLS_TOGETHER.findall(text)
    if "".join(words) != text:
        raise RefusedGame(tag.line, f"{tag.value[:40]!r} is no call; calls are 1C to 7N, p, d and r")
    return [call for word in words if (call := read_call(word))]


def _read_cards(tag: LinTag) -> list[str]:
    text = re.sub(r"[!?\s]", "", tag.value).upper()
    words = CARD.findall(text)
    if "".join(words) != text:
        raise RefusedGame(tag.line, f"{tag.value[:40]!r} is no card; a card is its suit and rank, as SA, HT or D2")
    return [read_card(word.replace("10", "T")) for word in words]


def _add_result(board: ForeignBoard, claim: LinTag | None, room: str, number: str, head: MatchHead) -> None:
    """Add what is told of the tricks: by `mc`, and by the results of a match."""
    if claim is not None and claim.value:
        if not claim.value.isdecimal() or len(claim.value) > 2 or int(claim.value) > 13:
            raise RefusedGame(claim.line, f"mc is {claim.value[:20]!r}; it is 0 to 13 tricks")
        board.result = FileWord(claim.line, f"{int(claim.value)}")
    if not number or not head.results:
        return
    place = 2 * (int(number[:6]) - head.first) + (room == "C")
    told = head.results[place] if 0 <= place < len(head.results) else None
    found = TABLE_RESULT.fullmatch(told.word) if told else None
    if told is None or found is None:
        return
    tricks = 6 + int(found[1]) + (0 if found[5] == "=" else int(found[5]))
    board.contract = FileWord(told.line, f"{found[1]}{'NT' if found[2] == 'N' else found[2]}{found[3]}")
    board.declarer = FileWord(told.line, found[4])
    if board.result is None and 0 <= tricks <= 13:
        board.result = FileWord(told.line, f"{tricks}")
