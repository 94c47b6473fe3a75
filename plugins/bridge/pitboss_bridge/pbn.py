"""Boards of records as PBN (Portable Bridge Notation, version 2.1), the format of bridge programs: the export."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pitboss import AnyGame
from pitboss.parts.suits import order_by_rank
from pitboss.records.record import Decision, Record, replay_states
from pitboss_bridge.pbn_deal import COMPASS, VULNERABLE_WORDS, Claim, find_vulnerable, write_card, write_deal
from pitboss_bridge.state import SEATS, BridgeState

HEAD: Final = ("% PBN 2.1", "% EXPORT", "")
SCORINGS: Final = {"duplicate": "", "rubber": "Rubber", "chicago": "Chicago"}


@dataclass
class PlayedBoard:
    """A board of a game."""

    event: str
    players: Sequence[str]
    scoring: str
    number: int
    vulnerable: str
    hands: Sequence[Sequence[str]]
    totals: Sequence[int]  # by side, before it
    calls: list[str] = field(default_factory=list)
    plays: list[tuple[int, str]] = field(default_factory=list)
    declarer: int | None = None
    claim: Claim | None = None
    score: int = 0  # of North and South, less that of the others

    def count_tricks(self, trump: str | None) -> int:
        """Return the tricks of the declarer's side."""
        if self.claim is not None:
            return self.claim.tricks
        order, won = order_by_rank(BridgeState.deck, trump), 0
        for start in range(0, len(self.plays), SEATS):
            trick = self.plays[start : start + SEATS]
            winner = trick[order.find_winner([BridgeState.deck.copies(card)[0] for _, card in trick])][0]
            won += self.declarer is not None and (winner - self.declarer) % 2 == 0
        return won


def write_boards(game: AnyGame, games: Iterable[tuple[int, Record]]) -> Iterator[str]:
    """Yield the lines of a PBN file with all boards of some games, each with the number of its game."""
    yield from HEAD
    for game_id, record in games:
        for board in list_boards(game, record, f"Pitboss, game {game_id}"):
            yield from write_board(board)
            yield ""


def write_deals(states: Iterable[BridgeState]) -> Iterator[str]:
    """Yield the lines of a PBN file with the hands of some states as boards without an auction.

    Boards are numbered from 1, with the dealer and the vulnerability of the number.
    """
    yield from HEAD
    for place, state in enumerate(states):
        yield f'[Board "{place + 1}"]'
        yield f'[Dealer "{COMPASS[place % SEATS]}"]'
        yield f'[Vulnerable "{find_vulnerable(place + 1)}"]'
        yield f'[Deal "{write_deal([state.faces(hand) for hand in state.hands])}"]'
        yield ""


def list_boards(game: AnyGame, record: Record, event: str) -> Iterator[PlayedBoard]:
    """Yield the boards of a recorded game, as they were played."""
    board: PlayedBoard | None = None
    decisions: list[Decision | None] = [*record.decisions, None]
    states: Iterator[Any] = replay_states(record, game)
    for state, decision in zip(states, decisions, strict=True):
        if board is not None and (decision is None or not state.auction.calls):
            first, second = (state.totals[side] - board.totals[side] for side in range(2))
            board.score = first if board.scoring == "" else first - second
            if decision is None:
                board.declarer = state.declarer  # before the first card a claim may have come
            yield board
        if decision is None:
            return
        if not state.auction.calls:
            board = _begin_board(state, record, event)
        assert board is not None
        if state.trick_seats:
            board.declarer = state.declarer
            board.plays.append((state.player, decision.action["card"]))
        else:
            board.calls.append(_word_call(decision.action))


def _begin_board(state: Any, record: Record, event: str) -> PlayedBoard:  # noqa: ANN401 - a state of Bridge
    assert isinstance(state, BridgeState)
    is_vulnerable = state.vulnerable()
    return PlayedBoard(
        event=event,
        players=record.players,
        scoring=SCORINGS[state.options.scoring],
        number=state.board,
        vulnerable=VULNERABLE_WORDS[is_vulnerable[0] + 2 * is_vulnerable[1]],
        hands=[state.faces(hand) for hand in state.hands],
        claim=state.claim,
        totals=state.totals[:2],
    )


def _word_call(action: dict[str, Any]) -> str:
    words = {"pass": "Pass", "double": "X", "redouble": "XX"}
    return words.get(action["do"]) or f"{action['level']}{action['strain']}"


def list_tags(board: PlayedBoard) -> dict[str, object]:
    """Return the values of a board's tags: those that PBN requires, in its order, and the score."""
    dealer = (board.number - 1) % SEATS
    bid = next((word for word in reversed(board.calls) if word[0].isdigit()), None)
    tricks = board.count_tricks(None if bid[1:] == "NT" else bid[1:]) if bid else ""
    doubles = "".join(word for word in board.calls[_place_of(board.calls, bid) :] if word in ("X", "XX"))
    names = {COMPASS[seat]: clean_text(name) for seat, name in enumerate(board.players)}
    return {
        "Event": clean_text(board.event),
        "Site": "",
        "Date": "",
        "Board": board.number,
        **{title: names[title[0]] for title in ("West", "North", "East", "South")},
        "Dealer": COMPASS[dealer],
        "Vulnerable": board.vulnerable,
        "Deal": write_deal(board.hands),
        "Scoring": board.scoring,
        "Declarer": "" if board.declarer is None else COMPASS[board.declarer],
        "Contract": f"{bid}{'XX' if 'XX' in doubles else doubles}" if bid else "Pass",
        "Result": tricks,
        "Score": f"NS {board.score}",
    }


def write_board(board: PlayedBoard, tags: Mapping[str, object] = {}) -> Iterator[str]:
    """Yield the lines of a board: its tags and further ones, then the auction and the play."""
    dealer = (board.number - 1) % SEATS
    yield from (f'[{name} "{value}"]' for name, value in {**list_tags(board), **tags}.items())
    yield f'[Auction "{COMPASS[dealer]}"]'
    yield from _write_rows(board.calls)
    if board.declarer is not None:
        leader = (board.declarer + 1) % SEATS
        yield f'[Play "{COMPASS[leader]}"]'
        for start in range(0, len(board.plays), SEATS):
            trick = dict(board.plays[start : start + SEATS])
            cards = [trick.get((leader + place) % SEATS) for place in range(SEATS)]
            yield " ".join("-" if card is None else write_card(card) for card in cards)
        if board.claim is not None:
            yield "*"


def _place_of(calls: Sequence[str], bid: str | None) -> int:
    return calls.index(bid) if bid else 0


def _write_rows(words: Sequence[str]) -> Iterator[str]:
    for start in range(0, len(words), SEATS):
        yield " ".join(words[start : start + SEATS])


def clean_text(text: str) -> str:
    """Return a text as a tag may have it: on one line, without quotes or backslashes."""
    return " ".join(text.replace('"', "'").replace("\\", "/").split())
