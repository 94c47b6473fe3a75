"""PBN read again: each board that has an auction becomes the record of a game of one board (`foreign_board`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

from pitboss import AnyGame
from pitboss.errors import RefusedGame
from pitboss.game import resolve_options
from pitboss.records.record import Record, read_each
from pitboss_bridge.foreign_board import (
    ALL_PASS,
    NO_CARD,
    SEAT_NAMES,
    FileWord,
    ForeignBoard,
    read_call,
    replay_board,
    require_given_boards,
)
from pitboss_bridge.pbn_deal import (
    COMPASS,
    VULNERABLE_NAMES,
    VULNERABLE_WORDS,
    find_board,
    find_vulnerable,
    read_card,
    read_deal,
    read_told_hands,
    write_seed,
)

T = TypeVar("T")

TAG: Final = re.compile(r'\[\s*(\w+)\s+(?:"(.*)"|([^"\]]*?))\s*\]\s*([;{].*)?')
ONE_OF_SEVERAL: Final = re.compile(r'\[\s*\w+\s+"[^"]*"\s*\]\s*')  # of tags on one line
SEVERAL_TAGS: Final = re.compile(f"(?:{ONE_OF_SEVERAL.pattern}){{2,}}")
NOTE: Final = re.compile(r"=\d+=|\$\d+|[!?]+|\^\w+")  # marks beside calls and cards, which change nothing
INHERITED: Final = "#"  # a value that is that of the board before
STANDING: Final = "##"  # how a value begins that holds for later boards without the tag
ENDS: Final = frozenset({"*", "+"})  # the auction or the play goes on elsewhere, or not
UNKNOWN: Final = frozenset({"", "?", "-"})  # values that tell nothing
NEW_BOARD: Final = frozenset({"Event", "Board"})  # tags that begin another one where the empty line is missing
GAME_TAGS: Final = frozenset({"Deal", "Auction", "Play", "Contract"})
SHARED_TAGS: Final = ("Board", "Dealer", "Vulnerable", "Deal")  # of another table that plays the board before
PASSED_OUT: Final = frozenset({"PASS", "P", "AP", "ALLPASS", "PASSED", "PASSEDOUT", "PASSOUT", "PO"})
CONTRACT: Final = re.compile(r"([1-7])(NT|N|[CDHS])(X{0,2})")
RESULT: Final = re.compile(r"(?:(NS|EW)\s*)?(\d{1,2})(?:\s*(?:NS|EW)\s*\d{1,2})?")
SCORE: Final = re.compile(r"(?:(NS|EW|[NESW])\s*)?([+-]?\d{1,5})")
OWN_BONUSES: Final = ("RUBBER", "CHICAGO")  # scorings in which a contract counts other points


class TagValue(NamedTuple):
    """A tag of a board: its value, the words of the lines below it, and where these stand."""

    line: int
    value: str
    words: list[FileWord]


def read_boards(game: AnyGame, lines: Iterable[str]) -> Iterator[Record | RefusedGame]:
    """Yield the record of each board, and of each that is no game why."""
    options = resolve_options(game, len(COMPASS), "single")
    yield from read_each(
        _inherit_values(_split_boards(lines)), lambda tags: replay_board(game, options, _read_board(tags))
    )


def read_deals(game: AnyGame, seats: int, options: Any, lines: Iterable[str]) -> Iterator[str | RefusedGame]:  # noqa: ANN401
    """Yield the seed of the deal of each board, with its dealer and vulnerability, and of each that has none why.

    Raises:
        OptionError: the options say who deals or is vulnerable, or a game has more than one board.
    """
    require_given_boards(game, options)
    for tags in _inherit_values(_split_boards(lines)):
        if isinstance(tags, RefusedGame):
            yield tags
            continue
        try:
            yield _read_dealt_board(tags)
        except RefusedGame as refused:
            yield refused


def _read_dealt_board(tags: dict[str, TagValue]) -> str:
    """Return the seed of a board; its number tells the dealer or vulnerability that the file does not.

    Raises:
        RefusedGame: a value is wrong or missing.
    """
    line = next(iter(tags.values())).line
    read = partial(_read_tag, tags, line)
    hands = read("Deal", read_deal)
    board = 1 if "Dealer" in tags and "Vulnerable" in tags else read("Board", _read_board_number)
    dealer = read("Dealer", _read_seat) if "Dealer" in tags else (board - 1) % len(COMPASS)
    vulnerable = read("Vulnerable", _read_vulnerable) if "Vulnerable" in tags else find_vulnerable(board)
    return write_seed(find_board(dealer, vulnerable), hands)


def _read_hands(value: str) -> list[list[str]]:
    """Return the hands of which one at least is told."""
    hands = read_told_hands(value)
    return hands if any(hands) else read_deal(value)


def _read_board_number(value: str) -> int:
    if not re.fullmatch("[1-9][0-9]{0,5}", value):
        raise ValueError(f"Board is {value!r}; where Dealer or Vulnerable is missing it is a number, 1 to 999999")
    return int(value)


def _inherit_values(boards: Iterable[dict[str, TagValue] | RefusedGame]) -> Iterator[dict[str, TagValue] | RefusedGame]:
    """Yield the boards with the values that they have from boards before; what is no board is left out.

    A block without cards of its own is another table at which the board before was played.
    """
    before: dict[str, TagValue] = {}
    standing: dict[str, TagValue] = {}
    for tags in boards:
        if isinstance(tags, RefusedGame):
            yield tags
            continue
        board: dict[str, TagValue] = {}
        for name, tag in tags.items():
            if tag.value.startswith(STANDING):
                board[name] = standing[name] = tag._replace(value=tag.value.removeprefix(STANDING))
            else:
                board[name] = before.get(name, tag) if tag.value == INHERITED else tag
        is_same = "Board" not in board or ("Board" in before and board["Board"].value == before["Board"].value)
        if "Deal" not in board and is_same and ("Auction" in board or "Contract" in board):
            board |= {name: before[name] for name in SHARED_TAGS if name in before and name not in board}
        before |= board
        if GAME_TAGS.intersection(tags):
            yield {**board, **{name: tag for name, tag in standing.items() if name not in board}}


def _split_boards(lines: Iterable[str]) -> Iterator[dict[str, TagValue] | RefusedGame]:
    """Yield the tags of each board, by name; comments and lines of other programs (%) are left out.

    A board with an invalid line is refused.
    """
    board: dict[str, TagValue] = {}
    current: TagValue | None = None
    wrong: RefusedGame | None = None
    is_comment = False
    for number, text in _number_lines(lines):
        if text.startswith("%"):
            continue
        tag = None if is_comment else TAG.fullmatch(text)
        is_end = not text and not is_comment
        if (is_end or (tag and tag[1] in NEW_BOARD and tag[1] in board and "Deal" in board)) and (board or wrong):
            yield wrong or board
            board, current, wrong = {}, None, None
        if tag:
            current = TagValue(number, tag[2] if tag[2] is not None else tag[3], [])
            board.setdefault(tag[1], current)  # of a tag that is repeated the first counts
            text = tag[4] or ""
        kept, is_comment = _drop_comments(text, is_comment=is_comment)
        if kept.strip() and (current is None or (text.startswith("[") and not tag)):
            what = 'is no tag; a tag is [Name "value"]' if text.startswith("[") else "stands below no tag"
            wrong = wrong or RefusedGame(number, f"{text[:60]!r} {what}")
        elif current is not None:
            current.words.extend(FileWord(number, word) for word in kept.split())
    if board or wrong:
        yield wrong or board


def _number_lines(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers; of one with several tags each tag by itself."""
    for number, line in enumerate(lines, 1):
        text = line.strip().removeprefix("\ufeff")
        if SEVERAL_TAGS.fullmatch(text):
            yield from ((number, tag.strip()) for tag in ONE_OF_SEVERAL.findall(text))
        else:
            yield number, text


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


def _read_board(tags: dict[str, TagValue]) -> ForeignBoard:
    """Return a board.

    Raises:
        RefusedGame: a value is wrong, or the board has no cards or no auction.
    """
    line = next(iter(tags.values())).line
    read = partial(_read_tag, tags, line)
    hands = read("Deal", _read_hands)
    contract = _read_told(tags, "Contract", _read_contract)
    auction = tags.get("Auction")
    board = ForeignBoard(
        line=line,
        auction_line=auction.line if auction else line,
        names=[_clean_name(tags.get(name)) for name in SEAT_NAMES],
        dealer=read("Dealer", _read_seat),
        vulnerable=read("Vulnerable", _read_vulnerable),
        hands=hands,
        calls=[],
        contract=contract,
    )
    if contract is not None and contract.word == "PASS":
        board.calls = _list_calls(board, auction) or [FileWord(contract.line, ALL_PASS)]
    else:
        board.calls = _list_calls(board, auction)
        board.why_no_calls = (
            "the board that begins here has no tag Auction: it is a deal, and no game"
            if auction is None
            else "the board has no calls below its tag Auction: it is a deal, and no game"
        )
        board.declarer = _read_told(tags, "Declarer", _read_declarer)
        board.result = _read_told(tags, "Result", partial(_read_result, board.declarer))
    if "Play" in tags:
        board.cards, board.is_in_columns = _list_cards(tags["Play"]), True
        board.leader = _read_told(tags, "Play", str)
    scoring = tags.get("Scoring")
    if scoring is None or not scoring.value.upper().startswith(OWN_BONUSES):
        board.score = _read_told(tags, "Score", partial(_read_score, board.declarer))
    return board


def _read_tag(tags: dict[str, TagValue], line: int, name: str, read: Callable[[str], T]) -> T:
    """Return the value of a tag that a board needs, as `read` makes it."""
    tag = tags.get(name)
    if tag is None:
        raise RefusedGame(line, f"the board that begins here has no tag {name}")
    try:
        return read(tag.value)
    except ValueError as wrong:
        raise RefusedGame(tag.line, str(wrong)) from None


def _read_told(tags: dict[str, TagValue], name: str, read: Callable[[str], str | None]) -> FileWord | None:
    """Return what a tag tells, as `read` makes it; None if the tag is not there, or tells nothing."""
    tag = tags.get(name)
    if tag is None or tag.value.strip() in UNKNOWN:
        return None
    try:
        word = read(tag.value.strip().strip("^").upper())
    except ValueError as wrong:
        raise RefusedGame(tag.line, str(wrong)) from None
    return None if word is None else FileWord(tag.line, word)


def _list_calls(board: ForeignBoard, tag: TagValue | None) -> list[FileWord]:
    """Return the calls of an auction; its first one is the dealer's."""
    if tag is None:
        return []
    dealer, calls = COMPASS[board.dealer], list[FileWord]()
    words = [FileWord(line, NOTE.sub("", word)) for line, word in tag.words]
    words = [word for word in words if word.word not in ("", NO_CARD)]
    if words and tag.value.upper() not in ("", dealer):
        raise RefusedGame(tag.line, f"Auction begins with {tag.value!r}, and the dealer is {dealer!r}")
    for place, (line, word) in enumerate(words):
        if word in ENDS:
            break
        is_all = word.upper() == "ALL" and [one.word.upper() for one in words[place + 1 : place + 2]] == ["PASS"]
        call = ALL_PASS if is_all else read_call(word.rstrip("*"))
        if call is None:
            raise RefusedGame(line, f"{word!r} is no call; calls are 1C to 7NT, Pass, X, XX and AP")
        calls.append(FileWord(line, call))
        if is_all:
            break
    return calls


def _list_cards(tag: TagValue) -> list[FileWord]:
    """Return the cards of a play: a row for each trick, a column for each seat."""
    cards = []
    for line, word in tag.words:
        plain = NOTE.sub("", word)
        if plain in ENDS:
            break
        if plain == NO_CARD:
            cards.append(FileWord(line, NO_CARD))
        elif plain:
            try:
                cards.append(FileWord(line, read_card(plain)))
            except ValueError as wrong:
                raise RefusedGame(line, str(wrong)) from None
    return cards


def _clean_name(tag: TagValue | None) -> str:
    """Return who sat on a seat; "" if nobody says so."""
    return "" if tag is None or tag.value in UNKNOWN else tag.value


def _read_seat(value: str) -> int:
    if value.upper() not in [*COMPASS]:
        raise ValueError(f"Dealer is {value!r}; it is N, E, S or W")
    return COMPASS.index(value.upper())


def _read_vulnerable(value: str) -> str:
    names = {word.upper(): word for word in VULNERABLE_WORDS} | {
        name.upper(): word for name, word in VULNERABLE_NAMES.items()
    }
    if value.upper() not in names:
        raise ValueError(f"Vulnerable is {value!r}; it is None, NS, EW or All")
    return names[value.upper()]


def _read_contract(value: str) -> str:
    plain = re.sub(r"[\s-]", "", value)
    found = CONTRACT.fullmatch(plain)
    if plain in PASSED_OUT:
        return "PASS"
    if found is None:
        raise ValueError(f"Contract is {value!r}; it is as 3NT, 4SX or Pass")
    return f"{found[1]}{'NT' if found[2] == 'N' else found[2]}{found[3]}"


def _read_declarer(value: str) -> str:
    if value not in [*COMPASS]:
        raise ValueError(f"Declarer is {value!r}; it is N, E, S or W")
    return value


def _read_result(declarer: FileWord | None, value: str) -> str:
    """Return the tricks of the declarer's side."""
    found = RESULT.fullmatch(value)
    if found is None or int(found[2]) > 13 or (found[1] and declarer is None):
        raise ValueError(f"Result is {value!r}; it is the number of tricks of the declarer's side")
    is_others = found[1] is not None and declarer is not None and declarer.word not in found[1]
    return f"{13 - int(found[2]) if is_others else int(found[2])}"


def _read_score(declarer: FileWord | None, value: str) -> str | None:
    """Return the points of North and South; None if the score is of another kind, such as matchpoints."""
    found = SCORE.fullmatch(value)
    if found is None:
        return None
    side = found[1] or (declarer.word if declarer else "N")
    return f"{int(found[2]) * (1 if side[0] in 'NS' else -1)}"
