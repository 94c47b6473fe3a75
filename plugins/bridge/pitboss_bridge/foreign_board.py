"""Boards that were played elsewhere: each becomes the record of a game of one board, played call by call.

A board whose play stops before its end is scored by the tricks that its file tells: by a claim (D9). One whose auction
stops before its end, or whose hands are not all told, is refused with the record of what is there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from msgspec import UNSET, to_builtins

from pitboss import AnyGame, Random
from pitboss.errors import OptionError, RefusedGame
from pitboss.parts.tricks import PlayCard
from pitboss.records.record import BrokenGame, Decision, Record, StoppedGame
from pitboss.text import join_words
from pitboss_bridge.messages import CALLS, BridgeAction
from pitboss_bridge.pbn_deal import COMPASS, Claim, find_board, write_card, write_seed
from pitboss_bridge.scoring import ContractResult, count_duplicate
from pitboss_bridge.state import SEATS
from pitboss_bridge.untold_hands import draw_hands, follow_play

ALL_PASS: Final = "all pass"
NO_CARD: Final = "-"
TRICKS: Final = 13
SEAT_NAMES: Final = ("North", "East", "South", "West")
CALL_NAMES: Final = {
    "PASS": "pass", "P": "pass", "X": "X", "D": "X", "DBL": "X", "DOUBLE": "X", "XX": "XX", "R": "XX", "RDBL": "XX",
    "REDOUBLE": "XX", "AP": ALL_PASS, "ALLPASS": ALL_PASS,
}  # fmt: skip
NO_END: Final = "the auction does not end with three passes"
NO_RESULT: Final = "the file tells neither the rest of the play nor the result"
DOUBLE_SIGNS: Final = {1: "", 2: "X", 4: "XX"}


class FileWord(NamedTuple):
    """A word of a file, and the line in which it stands."""

    line: int
    word: str


@dataclass
class ForeignBoard:
    """A board as a file tells it. What a file need not tell may be None."""

    line: int  # where it begins
    auction_line: int
    names: Sequence[str]  # by seat; "": nobody says who
    dealer: int
    vulnerable: str
    hands: list[list[str]]  # an empty one is not told
    calls: list[FileWord]  # keys of `CALLS`, and ALL_PASS
    why_no_calls: str = ""  # what is said of a board without calls
    cards: list[FileWord] = field(default_factory=list)  # faces, and NO_CARD; each four are a trick, in any order
    is_in_columns: bool = False  # the cards of each trick begin with that of the leader of the first, not of its own
    contract: FileWord | None = None  # "3NTX"
    declarer: FileWord | None = None  # "N"
    leader: FileWord | None = None  # "E": who makes the opening lead
    result: FileWord | None = None  # the tricks of the declarer's side
    score: FileWord | None = None  # points of North and South


def read_call(word: str) -> str | None:
    """Return a call as its key in `CALLS`, or ALL_PASS; None if the word is no call."""
    plain = word.upper()
    known = CALL_NAMES.get(plain) or (f"{plain}T" if re.fullmatch("[1-7]N", plain) else plain)
    return known if known in CALLS or known == ALL_PASS else None


def require_given_boards(game: AnyGame, options: Any) -> None:  # noqa: ANN401 - the options of Bridge
    """Check that boards of a file can be played with these options: one a game, in duplicate.

    Raises:
        OptionError: the options say who deals or is vulnerable, or a game has more than one board.
    """
    if options.scoring != "duplicate" or options.deals != 1 or options.first_board or options.vulnerable != "board":
        raise OptionError(
            f"{game.name}: given boards are played one a game, with dealer and vulnerability as they are given: "
            "preset 'single', without other options",
            *("deals", "scoring", "first_board", "vulnerable"),
        )


def replay_board(game: AnyGame, options: Any, board: ForeignBoard) -> Record:  # noqa: ANN401 - the options of Bridge
    """Return the record of a board.

    Raises:
        RefusedGame: a call or card is not legal; or contract, declarer, result or score are not those of the play.
        StoppedGame: the auction has no end, or hands are not told.
    """
    board, untold = draw_untold_hands(game, options, board)
    number = find_board(board.dealer, board.vulnerable)
    replay = BoardReplay(board, game.deal(SEATS, options, Random(write_seed(number, board.hands, None, untold))))
    replay.make_calls()
    if replay.is_auction():
        why = NO_END if board.calls else board.why_no_calls
        is_cut = not (board.cards or board.result or board.contract)
        if is_cut:
            raise StoppedGame(board.auction_line, why, _make_record(game, options, replay, NO_END, untold))
        raise RefusedGame(board.auction_line, why)
    if replay.lacks_opening_passes():
        replay = _add_opening_passes(game, options, replay)
    replay.play_cards()
    claim = replay.find_claim()
    if claim is not None:
        replay.play_again(game.deal(SEATS, options, Random(write_seed(number, board.hands, claim, untold))))
    replay.check_told()
    record = _make_record(game, options, replay, NO_RESULT, untold)
    if untold:
        raise StoppedGame(board.line, _word_untold(untold), record)
    return record


def _make_record(
    game: AnyGame,
    options: Any,  # noqa: ANN401 - the options of Bridge
    replay: BoardReplay,
    why_broken: str,
    untold: Sequence[int],
) -> Record:
    """Return the record of what was played, broken off where the game would go on."""
    board, state = replay.board, replay.state
    notes: list[str | None] = [None] * len(replay.actions)
    if state.claim is not None:
        notes[-1] = f"claimed: {state.claim.tricks} tricks for the declarer's side"
    decisions = [
        Decision(seat=seat, action=to_builtins(action), note=note)
        for (seat, action), note in zip(replay.actions, notes, strict=True)
    ]
    why = [why_broken, *([_word_untold(untold)] if untold else [])]
    return Record(
        game=game.name,
        game_version=game.version,
        options=to_builtins(options),
        seed=state.rng.seed,
        players=[
            name if name and board.names.count(name) == 1 else SEAT_NAMES[seat] for seat, name in enumerate(board.names)
        ],
        decisions=decisions,
        outcome=state.outcome(),
        broken=UNSET if state.turn is None else BrokenGame(why="; ".join(why)),
    )


def _word_untold(untold: Sequence[int]) -> str:
    names = join_words([COMPASS[seat] for seat in untold], "and")
    return f"the hand{'' if len(untold) == 1 else 's'} of {names} {'is' if len(untold) == 1 else 'are'} not told"


def draw_untold_hands(
    game: AnyGame,
    options: Any,  # noqa: ANN401 - the options of Bridge
    board: ForeignBoard,
) -> tuple[ForeignBoard, list[int]]:
    """Return a board in which all seats have hands, and the seats whose hands nobody knows.

    The hands that are not told are drawn, the same each time: with the cards that their seats have played, and of no
    suit that they did not follow. A single one follows from the others.

    Raises:
        RefusedGame: there is no such deal.
    """
    untold = [seat for seat, hand in enumerate(board.hands) if not hand]
    if not untold:
        return board, []
    hands = draw_hands(board.hands, [], board.line)
    state: Any = game.deal(SEATS, options, Random(write_seed(find_board(board.dealer, board.vulnerable), hands)))
    BoardReplay(board, state).make_calls()
    if board.cards and state.declarer is not None and len(untold) > 1:
        declarer = COMPASS.index(board.declarer.word) if board.declarer else state.declarer
        cards, leader = [card.word for card in board.cards], (declarer + 1) % SEATS
        played = follow_play(cards, leader, state.contract.strain, in_columns=board.is_in_columns)
        hands = draw_hands(board.hands, played, board.line)
    return replace(board, hands=hands), untold if len(untold) > 1 else []


def _add_opening_passes(game: AnyGame, options: Any, replay: BoardReplay) -> BoardReplay:  # noqa: ANN401 - of Bridge
    """Return a board with the passes before its first bid that its file leaves out.

    Declarer and opening leader tell how many these are. The board itself if no number of passes fits.
    """
    board, seed = replay.board, replay.state.rng.seed
    for passes in range(1, SEATS):
        calls = [FileWord(board.auction_line, "pass")] * passes + board.calls
        longer = BoardReplay(replace(board, calls=calls), game.deal(SEATS, options, Random(seed)))
        with suppress(RefusedGame):
            longer.make_calls()
            if longer.is_as_told():
                return longer
    return replay


class BoardReplay:
    """One board, played again."""

    def __init__(self, board: ForeignBoard, state: Any) -> None:  # noqa: ANN401 - a state of Bridge
        self.board, self.state = board, state
        self.actions: list[tuple[int, BridgeAction]] = []  # each with the seat that decided

    def play(self, line: int, word: str, action: BridgeAction) -> None:
        """Do an action of the seat on turn.

        Raises:
            RefusedGame: it is not legal.
        """
        state = self.state
        if action not in state.legal():
            seat = COMPASS[state.player if state.trick_seats else state.turn.seat]
            raise RefusedGame(line, f"{word!r} by {seat} is not legal there")
        self.actions.append((state.turn.seat, action))
        state.play(action)

    def is_auction(self) -> bool:
        """Return whether the auction goes on."""
        return self.state.turn is not None and not self.state.trick_seats

    def is_as_told(self) -> bool:
        """Return whether declarer and opening leader are those that the file tells."""
        board, state = self.board, self.state
        if state.declarer is None or not board.declarer or not board.leader:
            return False
        return (board.declarer.word, board.leader.word) == (COMPASS[state.declarer], COMPASS[state.player])

    def lacks_opening_passes(self) -> bool:
        """Return whether the auction may lack passes before its first bid: declarer and leader are others than told."""
        board, state = self.board, self.state
        has_play = state.declarer is not None and board.declarer and board.leader and board.cards
        return bool(has_play) and not self.is_as_told() and board.calls[0].word != "pass"

    def make_calls(self) -> None:
        """Make the calls. Passes that are missing at the end are made where the file tells this contract."""
        for line, word in self.board.calls:
            if not self.is_auction():
                raise RefusedGame(line, "a call after the end of the auction")
            self.play(line, word, CALLS["pass" if word == ALL_PASS else word])
            while word == ALL_PASS and self.is_auction():
                self.play(line, word, CALLS["pass"])
        told, state = self.board.contract, self.state
        is_told = told is not None and state.contract is not None and told.word == self.word_contract()
        while self.is_auction() and is_told and (self.board.cards or self.board.result):
            self.play(self.board.line, "pass", CALLS["pass"])

    def play_cards(self) -> None:
        """Play the cards up to the first that is missing. Four are a trick: whose they are follows from the deal."""
        cards, at = self.board.cards, 0
        leader = self.board.leader
        if self.state.turn is not None and leader and cards and leader.word != COMPASS[self.state.player]:
            what = f"Play begins with {leader.word!r}; {COMPASS[self.state.player]} makes the opening lead"
            raise RefusedGame(leader.line, what)
        while self.state.turn is not None and at < len(cards):
            row = cards[at : at + SEATS]
            at += SEATS
            if not self.play_trick(row):
                break
        for line, word in cards[at:]:
            if word != NO_CARD:
                after = (
                    "is played, and the deal was passed out"
                    if self.state.contract is None
                    else (
                        "comes after the last trick"
                        if self.state.turn is None
                        else "comes after a card that is missing"
                    )
                )
                raise RefusedGame(line, f"{write_card(word)!r} {after}")

    def play_trick(self, row: Sequence[FileWord]) -> bool:
        """Play the cards of a trick in their order; return whether all four were there."""
        of_seat: dict[int, FileWord] = {}
        for card in row:
            if card.word == NO_CARD:
                continue
            owner = next(seat for seat, hand in enumerate(self.board.hands) if card.word in hand)
            if owner in of_seat:
                raise RefusedGame(card.line, f"{write_card(card.word)!r} by {COMPASS[owner]} is not legal there")
            of_seat[owner] = card
        for _ in range(SEATS):
            found = of_seat.pop(self.state.player, None)
            if found is None:
                break
            self.play(found.line, write_card(found.word), PlayCard(found.word))
        for found in of_seat.values():
            raise RefusedGame(
                found.line, f"{write_card(found.word)!r} comes before the card of {COMPASS[self.state.player]}"
            )
        return len(row) == SEATS and all(card.word != NO_CARD for card in row)

    def find_claim(self) -> Claim | None:
        """Return the claim that ended the play; None if there was none, or no result is told."""
        state, played = self.state, self.state.count_cards_played()
        if state.turn is None:
            return None
        told = self.board.result or self.find_result()
        if told is None and self.board.score:
            line, points = self.board.score
            raise RefusedGame(line, f"Score is {points!r}; no number of tricks makes that of {self.word_contract()}")
        if told is None:
            return None
        tricks, won = int(told.word), state.tricks_won()
        own = sum(won[state.declarer % 2 :: 2])
        most = TRICKS - (len(state.tricks) - own)
        if not own <= tricks <= most:
            raise RefusedGame(
                told.line, f"Result is {told.word!r}; after {len(state.tricks)} tricks it can be {own} to {most}"
            )
        return Claim(tricks, played)

    def find_result(self) -> FileWord | None:
        """Return the tricks of the declarer's side that make the score which is told; None if none do."""
        if self.board.score is None:
            return None
        line, points = self.board.score
        return next(
            (FileWord(line, f"{tricks}") for tricks in range(TRICKS + 1) if self.count_score(tricks) == int(points)),
            None,
        )

    def count_score(self, tricks: int) -> int:
        """Return the points of North and South if the declarer's side has `tricks`."""
        state = self.state
        side = state.declarer % 2
        return count_duplicate(ContractResult(state.contract, state.doubled, side, tricks, state.vulnerable()[side]))

    def play_again(self, state: Any) -> None:  # noqa: ANN401 - a state of Bridge
        """Do the same in another state."""
        self.state = state
        for _, action in self.actions:
            state.play(action)

    def word_contract(self) -> str:
        """Return the contract as files write it: "3NTX"."""
        contract = self.state.contract
        return "PASS" if contract is None else f"{contract.level}{contract.strain}{DOUBLE_SIGNS[self.state.doubled]}"

    def check_told(self) -> None:
        """See that contract, declarer, result and score are those that were played, as far as they are told."""
        state, board = self.state, self.board
        is_passed_out = state.contract is None
        told = [("Contract", board.contract, self.word_contract())]
        if not is_passed_out:
            tricks = state.claim.tricks if state.claim else sum(state.tricks_won()[state.declarer % 2 :: 2])
            told += [("Declarer", board.declarer, COMPASS[state.declarer]), ("Result", board.result, f"{tricks}")]
        if state.turn is None:
            told.append(("Score", board.score, f"{state.totals[0]:.0f}"))
        for name, word, played in told:
            if word is not None and word.word != played:
                raise RefusedGame(word.line, f"{name} is {word.word!r}; what was played is {played!r}")
