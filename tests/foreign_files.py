"""Files in the public formats as other programs write them, one for each habit; none is anybody's file.

Each is made from games that are played here. `tests/test_foreign_files.py` reads them, and damages them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Any, Final, NamedTuple

from msgspec import to_builtins

from pitboss import Random
from pitboss.game import resolve_options
from pitboss.records.record import Decision, Record
from pitboss_bridge.game import Bridge
from pitboss_bridge.messages import CALLS, BridgeAction
from pitboss_bridge.pbn import PlayedBoard, list_boards, write_board
from pitboss_bridge.pbn_deal import Claim, write_card
from pitboss_fireworks.game import Fireworks
from pitboss_fireworks.messages import Discard, Hint, Play
from tests.games.players import play_fireworks_well

BRIDGE: Final = Bridge()
FIREWORKS: Final = Fireworks()
SPLIT_HAND: Final = """\
variant = 'NT'
ante_trimming_status = true
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 100]
actions = ['d dh p1 ????', 'd dh p2 AsKd', 'd dh p3 AdKs # the same', 'p3 cc', 'p1 f', 'p2 cc', 'd db QhJdTc',
  'p2 cc', 'p3 cc', 'd db 2c', 'p2 cc', 'p3 cc', 'd db 3c', 'p2 cc', 'p3 cc', 'p2 sm AsKd', 'p3 sm AdKs']
players = ['Ann', 'Bob', 'Cy']
finishing_stacks = [99, 100.5, 100.5]
"""
STUD_HAND: Final = """\
variant = 'F7S'
ante_trimming_status = true
antes = [10, 10]
bring_in = 20
small_bet = 50
big_bet = 100
starting_stacks = [10000, 10000]
actions = ['d dh p1 9h6h7s', 'd dh p2 6sTdTh', 'p1 pb', 'p2 cc', 'd dh p1 7c', 'd dh p2 3d', 'p1 cc', 'p2 cc',
  'd dh p1 8h', 'd dh p2 Qh', 'p1 cbr 100', 'p2 cc', 'd dh p1 Ac', 'd dh p2 7h', 'p1 cc', 'p2 cc', 'd dh p1 Jd',
  'd dh p2 4c', 'p1 cbr 100', 'p2 cc', 'p1 sm 9h6hJd7s7c8hAc', 'p2 sm 6sTd4cTh3dQh7h']
finishing_stacks = [9770, 10230]
"""
HIDDEN_HAND: Final = """\
variant = 'NT'
ante_trimming_status = false
antes = [0.50, 0.50]
blinds_or_straddles = [5, 10]
min_bet = 10
starting_stacks = [1851.58, 1475.69]
actions = ['d dh p1 ????', 'd dh p2 ????', 'p2 cc', 'p1 cc', 'd db 3cQhKd', 'p1 cbr 20.25', 'p2 cc', 'd db Kh',
  'p1 cc', 'p2 cc', 'd db 2s', 'p1 cc', 'p2 cbr 150', 'p1 cc', 'p2 sm JdKc', 'p1 sm ????']
time = 00:04:54
players = ['Ann', 'Bob']
winnings = [0, 359.50]
currency_symbol = '$'
"""
SPLIT_LINE: Final = "STATE:0:r13277fc/cc/cc/r19070c:6s4c|8sKd|7dKc/JhTdQs/4h/Ac:-50|25|25:a|b|c"
SENT_LINES: Final = """\
STARTED at 1341695999.2
TO 1 at 1341695999.3 MATCHSTATE:0:0::5d5c|
TO 2 at 1341695999.3 MATCHSTATE:1:0::|9hQd
FROM 2 at 1341695999.4 MATCHSTATE:1:0::|9hQd:r300
TO 1 at 1341695999.5 MATCHSTATE:0:0:r300:5d5c|
TO 2 at 1341695999.5 MATCHSTATE:1:0:r300:|9hQd
FROM 1 at 1341695999.6 MATCHSTATE:0:0:r300:5d5c|:f
TO 1 at 1341695999.7 MATCHSTATE:0:0:r300f:5d5c|
TO 2 at 1341695999.7 MATCHSTATE:1:0:r300f:|9hQd
TO 1 at 1341695999.8 MATCHSTATE:1:1:r300c/cc/cc/cc:9h2d|5d5c/Kh3h4s/8c/2h
TO 2 at 1341695999.8 MATCHSTATE:0:1:r300c/cc/cc/cc:9h2d|5d5c/Kh3h4s/8c/2h
TO 1 at 1341695999.9 MATCHSTATE:0:2:f:5d5c|
TO 2 at 1341695999.9 MATCHSTATE:1:2:f:|9hQd
FINISHED at 1341696000.0
SCORE:1|2:a|b
"""
SEEN_LINES: Final = "MATCHSTATE:0:30:r300c/:5d5c|/Kh3h4s\nMATCHSTATE:1:31:r300c/c:|9hQd/Kh3h4s\n"
NO_LIMIT_LINE: Final = "STATE:8:r300c/cr900c/cc/cc:QsQd|8h7h/Kc9d2s/4c/3d:900|-900:Ann|Bob"
LIN_DEALERS: Final = "3412"  # by seat
LIN_VULNERABLE: Final = {"None": "o", "NS": "n", "EW": "e", "All": "b"}


class ForeignFile(NamedTuple):
    """A file: its name, its bytes, and how many of its games are read and refused."""

    name: str  # its ending tells the format
    data: bytes
    games: int
    refused: int = 0


@cache
def list_foreign_files() -> tuple[ForeignFile, ...]:
    """Return a file for each habit."""
    return (*_list_pbn_files(), *_list_lin_files(), *_list_poker_files(), *_list_hanab_files())


def play_board(seed: str, calls: str, board: int) -> PlayedBoard:
    """Return a board with these calls, whose cards are played at random."""
    options = resolve_options(BRIDGE, 4, None, {"deals": 1, "first_board": board})
    state: Any = BRIDGE.deal(4, options, Random(seed))
    rng, decisions, words = Random(f"{seed}/cards"), list[Decision](), calls.split()
    while state.turn is not None:
        action: BridgeAction = CALLS[words.pop(0)] if words else rng.choice(state.legal())
        decisions.append(Decision(seat=state.turn.seat, action=to_builtins(action)))
        state.play(action)
    record = Record(
        game=BRIDGE.name,
        game_version=BRIDGE.version,
        options=to_builtins(options),
        seed=seed,
        players=["Ann", "Bea", "Cyd", "Dan"],
        decisions=decisions,
        outcome=state.outcome(),
    )
    [played] = list_boards(BRIDGE, record, "Cup")
    return played


@cache
def play_boards() -> tuple[PlayedBoard, PlayedBoard]:
    """Return two boards: 2H by North, and 3NT by North, doubled, after two passes."""
    return (
        play_board("files/1", "1H X 2H pass pass pass", 5),
        play_board("files/2", "pass pass 1NT pass 3NT X pass pass pass", 7),
    )


def end_early(board: PlayedBoard, cards: int) -> PlayedBoard:
    """Return a board in which the declarer's side claims, after some cards, what it took."""
    trump = board.calls[-4][1:] if board.calls[-4] != "X" else "NT"
    tricks = board.count_tricks(None if trump == "NT" else trump)
    return replace(board, plays=board.plays[:cards], claim=Claim(tricks, cards))


def write_pbn(
    boards: Iterable[PlayedBoard], keep: Callable[[str], bool] = lambda line: True, tags: Sequence[str] = ()
) -> str:
    """Return boards as PBN, with the lines that are to be kept, and no tags of these names."""
    dropped = tuple(f"[{name} " for name in tags)
    blocks = [[line for line in write_board(board) if keep(line) and not line.startswith(dropped)] for board in boards]
    return "\n".join("\n".join([*block, ""]) for block in blocks)


def _list_pbn_files() -> Iterator[ForeignFile]:
    boards = play_boards()
    first, text = boards[0], write_pbn(boards)
    stopped, uncalled = [end_early(board, 18) for board in boards], [end_early(board, 0) for board in boards]
    shared = ("Event", "Site", "Date", "Board", "Dealer", "Vulnerable", "Deal", "Scoring")
    for name, written, *counts in (
        ("played", text, 2),
        ("claimed-in-a-trick", write_pbn(stopped), 2),
        ("claimed-without-star", write_pbn([end_early(board, 20) for board in boards], lambda line: line != "*"), 2),
        ("no-play", write_pbn(uncalled, lambda line: line != "*", ["Play"]), 2),
        ("result-by-score", write_pbn(stopped, tags=["Result"]), 2),
        ("auction-alone", write_pbn(uncalled, lambda line: line != "*", ["Play", "Result", "Score"]), 2),
        ("deals", write_pbn(uncalled, lambda line: line.startswith(("[Board", "[Dea", "[Vul"))), 0, 2),
        ("passed-out", _write_passed_out(first), 6),
        ("another-table", f"{write_pbn([first])}\n{write_pbn([first], tags=shared)}", 2),
        ("inherited", _write_inherited(first), 3),
        ("unquoted", text.replace('"', ""), 2),
        ("no-opening-passes", text.replace("Pass Pass 1NT Pass", "1NT Pass"), 2),
        ("passes-missing", text.replace("Pass X Pass Pass\nPass", "Pass X"), 2),
        ("cells-at-the-end", text.replace("Pass X Pass Pass\nPass", "Pass X Pass Pass\nPass - - -"), 2),
        ("notes", text.replace("1H X", "1H! =1= Dbl $4").replace("[Play", '[Note "1:5+"]\n[Play'), 2),
        ("no-empty-lines", text.replace("\n\n", "\n"), 2),
        ("repeated-tags", text.replace("[Auction", '[Dealer "W"]\n[Auction'), 2),
        ("one-wrong", text.replace("1H X 2H", "1H X 1D"), 1, 1),
        ("wrong-score", text.replace('"NS ', '"EW '), 0, 2),
        ("auction-cut", write_cut_auctions(), 0, 2),
        ("hands-untold", write_untold(write_pbn(stopped[:1]), "NS"), 0, 1),
        ("one-hand", write_untold(write_cut_auctions(), "N"), 0, 2),
        ("three-hands", write_untold(text, "NES"), 2),
        ("wrong-tag", text.replace('[Dealer "N"]', '[Dealer of "N"]'), 1, 1),
    ):
        yield ForeignFile(f"{name}.pbn", str(written).encode(), *map(int, counts))
    yield ForeignFile("latin.pbn", text.replace("Bea", "Béa").encode("latin-1"), 2)
    yield ForeignFile("windows.pbn", text.replace("\n", "\r\n").encode("utf-8-sig"), 2)


def write_cut_auctions() -> str:
    """Return two boards as PBN whose auctions stop before the last call."""
    boards = [replace(end_early(board, 0), calls=board.calls[:-1]) for board in play_boards()]
    return write_pbn(boards, lambda line: line != "*", ["Play", "Result", "Score", "Contract", "Declarer"])


def write_untold(text: str, told: str) -> str:
    """Return boards as PBN in which the hands of these seats are told alone."""

    def drop_hands(found: re.Match[str]) -> str:
        hands = [hand if seat in told else "-" for seat, hand in zip("NESW", found[1].split(), strict=True)]
        return f'[Deal "N:{" ".join(hands)}"]'

    return re.sub(r'\[Deal "N:([^"]*)"\]', drop_hands, text)


def _write_passed_out(board: PlayedBoard) -> str:
    """Return boards that were passed out, as different programs write them."""
    ways = (
        '[Contract "Pass"]\n[Auction "N"]\nPass Pass Pass Pass\n',
        '[Declarer "S"]\n[Contract "Pass"]\n[Result ""]\n[Auction "N"]\nAP\n',
        '[Declarer "?"]\n[Contract "Passed Out"]\n[Score "0"]\n',
        '[Declarer ""]\n[Contract "PASS"]\n[Result "0"]\n[Auction "N"]\nAll Pass\n',
        '[Contract "AP"]\n[Auction "N"]\n',
        '[Auction "N"]\nP P P P\n[Play "?"]\n*\n',
    )
    head = write_pbn([board], lambda line: line.startswith(("[Board", "[Dea", "[Vul")))
    return "\n".join(head + way for way in ways)


def _write_inherited(board: PlayedBoard) -> str:
    """Return a board three times: the second and the third have values of the first."""
    text = write_pbn([board])
    again = "\n".join(
        '[Deal "#"]' if line.startswith("[Deal ") else line for line in text.splitlines() if "Ann" not in line
    )
    return f"{text.replace('Ann', '##Ann')}\n{again}\n\n{again}\n"


def write_lin(board: PlayedBoard, *, is_split: bool = False) -> str:
    """Return a board as LIN, on one line or with a line for each tag; the fourth hand follows from the others."""
    hands = [
        "".join(suit + "".join(write_card(face)[1] for face in board.hands[seat] if face[0] == suit) for suit in "SHDC")
        for seat in (2, 3, 0)
    ]
    names = ",".join(board.players[seat] for seat in (2, 3, 0, 1))
    calls = [{"Pass": "p", "X": "d", "XX": "r"}.get(word, word) for word in board.calls]
    tags = [
        f"pn|{names}|st||md|{LIN_DEALERS[(board.number - 1) % 4]}{','.join(hands)},|",
        f"rh||ah|Board {board.number}|sv|{LIN_VULNERABLE[board.vulnerable]}|",
        *(f"mb|{word}|" for word in calls),
        *(f"pc|{write_card(face)}|" for _, face in board.plays),
        *([f"mc|{board.claim.tricks}|"] if board.claim else []),
        "pg||",
    ]
    return ("\n" if is_split else "").join(tags) + "\n"


def _list_lin_files() -> Iterator[ForeignFile]:
    boards = play_boards()
    played, stopped = map(write_lin, boards), [write_lin(end_early(board, 18)) for board in boards]
    for name, written, *counts in (
        ("played", "".join(played), 2),
        ("claimed", "".join(stopped), 2),
        ("a-tag-a-line", "".join(write_lin(board, is_split=True) for board in boards), 2),
        ("match", _write_match(boards[0]), 2),
        ("alerts", stopped[0].replace("mb|1H|", "mb|1H!|an|5+|").replace("mb|d|mb|2H|", "mb|d2Hp|"), 0, 1),
        ("no-result", stopped[0].replace("mc|", "xx|"), 1),
        ("auction-cut", stopped[0].partition("mb|p|")[0] + "pg||\n", 0, 1),
        ("one-wrong", stopped[0] + stopped[1].replace("mb|3NT|", "mb|1C|"), 1, 1),
        ("deal", stopped[0].partition("mb|")[0] + "pg||\n", 0, 1),
    ):
        yield ForeignFile(f"{name}.lin", str(written).encode(), *map(int, counts))


def _write_match(board: PlayedBoard) -> str:
    """Return a board of a match: both rooms have the cards of the first, and the results stand at the head."""
    cut = end_early(board, 18)
    assert cut.claim is not None
    over = cut.claim.tricks - 8
    result = f"2HN{over:+d}" if over else "2HN="
    head = f"vg|Cup,Final,I,{board.number},{board.number},A,0,B,0|\nrs|{result},{result}|\npn|a,b,c,d,e,f,g,h|pg||\n"
    open_room = write_lin(cut).partition("st||")[2].partition("mc|")[0]
    closed_room = open_room.partition("sv|")[2]
    return f"{head}qx|o{board.number}|{open_room}pg||\nqx|c{board.number}|sv|{closed_room}pg||\n"


def _list_poker_files() -> Iterator[ForeignFile]:
    cents = write_cents("0.01")
    sections = [f"[{number}]\n{hand}\n" for number, hand in enumerate([SPLIT_HAND, cents, HIDDEN_HAND], 1)]
    for name, written, *counts in (
        ("played.phh", SPLIT_HAND, 1),
        ("cents.phh", cents, 1),
        ("halves-of-cents.phh", write_cents("0.005"), 1),
        ("hidden.phh", HIDDEN_HAND, 1),
        ("street.phh", write_street(), 0, 1),
        ("hidden-winner.phh", HIDDEN_HAND.replace("sm JdKc", "sm ????"), 0, 1),
        ("stud.phh", STUD_HAND, 1),
        ("stud-illegal.phh", STUD_HAND.replace("p1 cbr 100", "p1 cbr 1", 1), 0, 1),
        ("windows.phh", SPLIT_HAND.replace("\n", "\r\n"), 1),
        ("several.phhs", "\n".join(sections), 3),
        ("one-no-toml.phhs", "\n".join([sections[0].replace("[1, 2, 0]", "[1, 2, 0"), *sections[1:]]), 2, 1),
        ("one-illegal.phhs", "\n".join([sections[0], sections[1].replace("p1 f", "p1 cbr 1"), sections[2]]), 2, 1),
        ("other-games.phhs", sections[0] + sections[1].replace("'NT'", "'PO'"), 1, 1),
        ("played.log", f"# a match\n{NO_LIMIT_LINE}\n", 1),
        ("split.log", f"{SPLIT_LINE}\n", 1),
        ("decimals.log", SPLIT_LINE.replace("-50|25|25", "-50|25.000000|25.000000") + "\n", 1),
        ("one-wrong.log", f"{NO_LIMIT_LINE}\n{NO_LIMIT_LINE.replace('r900', 'r350')}\n{SPLIT_LINE}\n", 2, 1),
        ("seen.log", SEEN_LINES, 0, 2),
        ("cut.log", f"{SPLIT_LINE}\n{NO_LIMIT_LINE[:40]}", 1, 1),
        ("sent.actions.log", SENT_LINES, 2, 1),
    ):
        yield ForeignFile(name, str(written).encode(), *map(int, counts))


def write_street() -> str:
    """Return the hidden hand up to the turn, with the cards of the first player."""
    told = HIDDEN_HAND.replace("d dh p1 ????", "d dh p1 JdKc").partition(",\n  'p1 cc'")[0]
    return f"{told}]\nplayers = ['Ann', 'Bob']\n"


def write_cents(unit: str) -> str:
    """Return the hand with each number of chips in parts of a unit of money."""
    lines = SPLIT_HAND.replace("finishing_stacks = [99, 100.5, 100.5]\n", "").splitlines(keepends=True)
    chips = ("blinds_or_straddles", "min_bet", "starting_stacks")
    return "".join(_scale_numbers(line, unit) if line.startswith(chips) else line for line in lines)


def _scale_numbers(line: str, unit: str) -> str:
    return re.sub(r"\b[1-9]\d*\b", lambda found: f"{Decimal(found[0]) * Decimal(unit)}", line)


def export_game(seed: str, seats: int = 2, **given: object) -> dict[str, Any]:
    """Return a game as the site would export it, with the hands dealt one after the other."""
    options = resolve_options(FIREWORKS, seats, None, {"early": True, **given})
    state, rng = FIREWORKS.deal(seats, options, Random(seed)), Random(seed + "/moves")
    held = [[*state.table.zones[hand]] for hand in state.hands]
    order = [card for hand in held for card in hand] + state.table.zones[state.stock][::-1]
    deck = [
        {"suitIndex": state.cards.rows[card], "rank": state.cards.numbers[card]}  # by the number of the colour
        for card in order
    ]
    actions = []
    while state.turn is not None:
        action, held = play_fireworks_well(state, rng), state.table.zones[state.hands[state.turn.seat]]  # type: ignore[assignment]
        match action:
            case Hint(seat, sign):
                value = int(sign) if sign.isdigit() else state.cards.colours.index(sign)
                actions.append({"type": 3 if sign.isdigit() else 2, "target": seat, "value": value})
            case Play(slot) | Discard(slot):
                kind = 0 if isinstance(action, Play) else 1
                actions.append({"type": kind, "target": order.index(held[slot - 1]), "value": 0})  # type: ignore[arg-type]
        state.play(action)
    return {
        "id": 7, "players": ["ann", "bob", "cyd", "dan", "eve"][:seats], "deck": deck, "actions": actions,
        "options": {"variant": "No Variant"}, "notes": [[], []], "seed": "p2v0s1",
    }  # fmt: skip


def _list_hanab_files() -> Iterator[ForeignFile]:
    played = export_game("files", 3)
    prism = export_game("files/prism", 2, special="prism")
    older = {**prism, "variant": "Prism (5 Suits)"}
    del older["options"]
    games = [played, {**played, "options": {"variant": "Up or Down (5 Suits)"}}, older]
    for name, written, *counts in (
        ("played.json", json.dumps(played), 1),
        ("nested-variant.json", json.dumps({**prism, "options": {"variant": "Prism (5 Suits)"}}), 1),
        ("top-variant.json", json.dumps(older), 1),
        ("array.json", json.dumps(games, indent=1), 2, 1),
        ("one-a-line.jsonl", "\n".join(map(json.dumps, games)), 2, 1),
        ("unknown-option.json", json.dumps({**played, "options": {"reverse": True}}), 0, 1),
        ("broken-off.json", json.dumps({**played, "actions": played["actions"][:5]}), 0, 1),
    ):
        yield ForeignFile(name, str(written).encode(), *map(int, counts))
