"""PBN read again: each board becomes the record of a game of one board, whose calls and cards are played one by one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, NoReturn

from msgspec import to_builtins

from pitboss import AnyGame, Random
from pitboss.errors import RecordError
from pitboss.game import resolve_options
from pitboss.parts.tricks import PlayCard
from pitboss.records.record import Decision, Record
from pitboss_bridge.messages import CALL_WORDS, CALLS, BridgeAction, Call
from pitboss_bridge.pbn_deal import (
    COMPASS,
    VULNERABLE_NAMES,
    VULNERABLE_WORDS,
    find_board,
    read_card,
    read_deal,
    write_card,
    write_seed,
)

TAG: Final = re.compile(r'\[\s*(\w+)\s+"(.*)"\s*\]\s*([;{].*)?')
NOTE: Final = re.compile(r"=\d+=|\$\d+|[!?]+|\^\w+")  # marks beside calls and cards, which change nothing
ALL_PASS: Final = "AP"
PASSES: Final = 3
CALL_NAMES: Final = {"PASS": "pass", "P": "pass", "X": "X", "XX": "XX", "D": "X", "DBL": "X", "R": "XX", "RDBL": "XX"}


class TagValue(NamedTuple):
    """A tag of a board: its value, the words of the lines below it, and where these stand."""

    line: int
    value: str
    words: list[tuple[int, str]]  # line, word


def read_boards(game: AnyGame, lines: Iterable[str]) -> Iterator[Record]:
    """Yield the record of each board.

    Raises:
        RecordError: a line is wrong, a call or card is not legal, or the board was not played to its end.
    """
    options = resolve_options(game, len(COMPASS), "single")
    before: dict[str, TagValue] = {}
    for tags in _split_boards(lines):
        board = {name: before.get(name, tag) if tag.value == "#" else tag for name, tag in tags.items()}
        before = {**before, **board}
        yield BoardReader(board).replay(game, options)


def _split_boards(lines: Iterable[str]) -> Iterator[dict[str, TagValue]]:
    """Yield the tags of each board, by name; comments and lines of other programs (%) are left out."""
    board: dict[str, TagValue] = {}
    current: TagValue | None = None
    is_comment = False
    for number, line in enumerate(lines, 1):
        text = line.strip().removeprefix("\ufeff")
        if text.startswith("%"):
            continue
        if not text and not is_comment:
            if board:
                yield board
            board, current = {}, None
            continue
        if not is_comment and (found := TAG.fullmatch(text)):
            current = board.setdefault(found[1], TagValue(number, found[2], []))
            continue
        kept, is_comment = _drop_comments(text, is_comment=is_comment)
        if kept and text.startswith("["):
            raise RecordError(f'line {number}: {text[:60]!r} is no tag; a tag is [Name "value"]')
        if kept and current is None:
            raise RecordError(f"line {number}: {text[:60]!r} stands below no tag")
        if current is not None:
            current.words.extend((number, word) for word in kept.split())
    if board:
        yield board


def _drop_comments(text: str, *, is_comment: bool) -> tuple[str, bool]:
    """Return a line without comments, and whether one goes on in the next line."""
    kept = ""
    while text:
        if is_comment:
            _, end, text = text.partition("}")
            is_comment = not end
        else:
            found = re.search(r"[;{]", text)
            kept += text[: found.start()] if found else text
            is_comment = found is not None and found[0] == "{"
            text = text[found.end() :] if found and is_comment else ""
    return kept, is_comment


class BoardReader:
    """One board, played again."""

    def __init__(self, tags: dict[str, TagValue]) -> None:
        self.tags = tags
        self.line = next(iter(tags.values())).line

    def replay(self, game: AnyGame, options: Any) -> Record:  # noqa: ANN401 - those of Bridge
        """Return the record.

        Raises:
            RecordError: something is wrong with it.
        """
        hands = self.read_tag("Deal", read_deal)
        dealer = self.read_tag("Dealer", _read_seat)
        board = find_board(dealer, self.read_tag("Vulnerable", _read_vulnerable))
        seed = write_seed(board, hands)
        state: Any = game.deal(len(COMPASS), options, Random(seed))
        decisions: list[Decision] = []

        def play(line: int, word: str, action: BridgeAction) -> None:
            if action not in state.legal():
                seat = COMPASS[state.player if state.trick_seats else state.turn.seat]
                self.fail(line, f"{word!r} by {seat} is not legal there")
            decisions.append(Decision(seat=state.turn.seat, action=to_builtins(action)))
            state.play(action)

        for line, call in self.list_calls():
            if state.turn is None or state.trick_seats:
                self.fail(line, "a call after the end of the auction")
            play(line, CALL_WORDS[call], call)
        if state.turn is not None and not state.trick_seats:
            self.fail(self.tags["Auction"].line, "the auction does not end with three passes")
        self.play_cards(state, play)
        self.check_result(state)
        return Record(
            game=game.name,
            game_version=game.version,
            options=to_builtins(options),
            seed=seed,
            players=[self.name_player(seat) for seat in range(len(COMPASS))],
            decisions=decisions,
            outcome=state.outcome(),
        )

    def fail(self, line: int, what: str) -> NoReturn:
        """Raise RecordError for a line."""
        raise RecordError(f"line {line}: {what}")

    def read_tag(self, name: str, read: Any) -> Any:  # noqa: ANN401 - a function of the value
        """Return the value of a tag that a board needs, as `read` makes it."""
        tag = self.tags.get(name)
        if tag is None:
            self.fail(self.line, f"the board that begins here has no tag {name}")
        try:
            return read(tag.value)
        except ValueError as error:
            self.fail(tag.line, str(error))

    def name_player(self, seat: int) -> str:
        """Return who sat there; the name of the seat if nobody says so, or two have one name."""
        titles = ("North", "East", "South", "West")
        names = [self.tags[title].value if title in self.tags else "" for title in titles]
        name = names[seat]
        return name if name not in ("", "?") and names.count(name) == 1 else titles[seat]

    def list_calls(self) -> Iterator[tuple[int, Call]]:
        """Yield each call with its line."""
        tag = self.tags.get("Auction")
        if tag is None:
            self.fail(self.line, "the board that begins here has no tag Auction")
        dealer, first = self.tags["Dealer"].value, tag.value
        if first.upper() != dealer.upper():
            self.fail(tag.line, f"Auction begins with {first!r}, and the dealer is {dealer!r}")
        for line, word in tag.words:
            plain = NOTE.sub("", word).upper()
            if not plain or plain == "-":
                continue
            if plain == ALL_PASS:
                yield from ((line, CALLS["pass"]) for _ in range(PASSES))
                continue
            known = CALL_NAMES.get(plain) or (f"{plain}T" if re.fullmatch("[1-7]N", plain) else plain)
            if known not in CALLS:
                self.fail(line, f"{word!r} is no call; calls are 1C to 7NT, Pass, X, XX and AP")
            yield line, CALLS[known]

    def play_cards(self, state: Any, play: Any) -> None:  # noqa: ANN401 - a state of Bridge, and the function above
        """Play the cards: a row for each trick, a column for each seat, the first one that of the opening leader."""
        tag = self.tags.get("Play")
        words = [(line, word) for line, word in (tag.words if tag else ()) if NOTE.sub("", word)]
        if state.turn is None:
            if words:
                self.fail(words[0][0], "cards are played, and the deal was passed out")
            return
        if tag is None:
            self.fail(self.line, "the board that begins here has no tag Play")
        leader = state.player
        if tag.value.upper() != COMPASS[leader]:
            self.fail(tag.line, f"Play begins with {tag.value!r}; {COMPASS[leader]} makes the opening lead")
        while state.turn is not None:
            row, words = words[: len(COMPASS)], words[len(COMPASS) :]
            if len(row) < len(COMPASS):
                self.fail(tag.line, f"the play ends after {len(state.tricks)} tricks; it has to have all 13")
            self.play_trick(state, play, leader, row)
        if words and words[0][1] != "*":
            self.fail(words[0][0], f"{words[0][1]!r} comes after the last trick")

    def play_trick(self, state: Any, play: Any, leader: int, row: Sequence[tuple[int, str]]) -> None:  # noqa: ANN401
        """Play the cards of a trick in their order."""
        for _ in COMPASS:
            line, word = row[(state.player - leader) % len(COMPASS)]
            try:
                card = read_card(NOTE.sub("", word))
            except ValueError as error:
                self.fail(line, str(error))
            play(line, write_card(card), PlayCard(card))

    def check_result(self, state: Any) -> None:  # noqa: ANN401
        """See that contract, declarer and result are those that were played, as far as they are told."""
        is_passed_out = state.contract is None
        doubles = {1: "", 2: "X", 4: "XX"}[state.doubled]
        tricks = "" if is_passed_out else str(sum(state.tricks_won()[state.declarer % 2 :: 2]))
        found = {
            "Contract": "PASS" if is_passed_out else f"{state.contract.level}{state.contract.strain}{doubles}",
            "Declarer": "" if is_passed_out else COMPASS[state.declarer],
            "Result": tricks,
        }
        for name, played in found.items():
            told = self.tags.get(name)
            if told is not None and told.value not in ("", "?") and told.value.strip("^").upper() != played:
                self.fail(told.line, f"{name} is {told.value!r}; what was played is {played!r}")


def _read_seat(value: str) -> int:
    if value.upper() not in [*COMPASS]:
        raise ValueError(f"Dealer is {value!r}; it is N, E, S or W")
    return COMPASS.index(value.upper())


def _read_vulnerable(value: str) -> str:
    word = VULNERABLE_NAMES.get(value, value)
    if word not in VULNERABLE_WORDS:
        raise ValueError(f"Vulnerable is {value!r}; it is None, NS, EW or All")
    return word
