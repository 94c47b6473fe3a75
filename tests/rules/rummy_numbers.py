"""The cases of Rummy about cards and numbers: a meld, a layoff, a hand, the scores of a deal, the standing of a game, the options."""

from __future__ import annotations

import json
from collections.abc import Sequence

from msgspec import to_builtins
from msgspec.structs import asdict

from pitboss import Random
from pitboss_rummy.board import Board
from pitboss_rummy.game import RummyState
from pitboss_rummy.options import RummyOptions
from pitboss_rummy.pack import CARDS, mask_of, places_of
from pitboss_rummy.scoring import deal_scores, hand_points, is_over

from .comparing import Found, either
from .given import CaseError, Given
from .rummy_table import Asked, standing


class MeldGiven(Given, frozen=True):
    """Cards that may be a meld."""

    cards: list[str]
    players: int | None = None


def meld_found(given: MeldGiven, asked: Asked) -> list[Found]:
    """Section 1: tell what kind of meld they are."""
    combination = board_of(asked, given.players).combined(given.cards)
    kind = None if combination is None else combination.kind
    return [{"kind": kind, "meld": either(kind, kind is not None)}]


class LayoffGiven(Given, frozen=True):
    """A meld on the table, and a card."""

    meld: list[str]
    card: str
    players: int | None = None


def layoff_found(given: LayoffGiven, asked: Asked) -> list[Found]:
    """D9: tell whether the card fits; by what fits, and by what is a meld then."""
    board = board_of(asked, given.players)
    meld = board.combined(given.meld)
    if meld is None:
        raise CaseError(f"in.meld is no meld: {given.meld!r}")
    fits = bool(meld.fits >> board.place[given.card] & 1)
    if fits != (board.combined([*given.meld, given.card]) is not None):
        raise CaseError(f"{given.card} fits {given.meld!r}: {fits}; but whether they are a meld is told otherwise")
    return [{"fits": fits, "layoff": fits}]


class PointsGiven(Given, frozen=True):
    """A hand."""

    hand: list[str]


def points_found(given: PointsGiven, asked: Asked) -> list[Found]:
    """Section 3: what a hand is worth."""
    return [{"points": hand_points(board_of(asked).layout.deck.find(given.hand) if given.hand else [])}]


class MeldsGiven(Given, frozen=True):
    """A hand."""

    hand: list[str]
    players: int | None = None


def melds_found(given: MeldsGiven, asked: Asked) -> list[Found]:
    """6.2: all melds of a hand."""
    board = board_of(asked, given.players)
    held = mask_of(board.layout.deck.find(given.hand))
    melds = [list(meld.cards) for meld in board.meld_table.all_of(places_of(held), held & held >> CARDS)]
    return [{"count": len(melds), "melds": either(sorted(melds, key=json.dumps), len(melds))}]


class ScoresGiven(Given, frozen=True):
    """All hands at the end of a deal. No `winner`: the deal is stalled."""

    hands: list[list[str]]
    winner: int | None = None
    rummy: bool = False
    stalled: bool | None = None
    players: int | None = None
    scores: list[int] | None = None  # the totals before the deal


def scores_found(given: ScoresGiven, asked: Asked) -> list[Found]:
    """Section 3: what the deal adds to each total."""
    players = len(given.hands)
    if given.players not in (None, players) or given.stalled not in (None, given.winner is None):
        raise CaseError("players and hands, or winner and stalled, contradict each other")
    options = asked.resolved(players)
    deck = board_of(asked, players).layout.deck
    left = [hand_points(deck.find(hand)) for hand in given.hands]
    scores = deal_scores(left, given.winner, given.rummy, options)
    totals = [old + new for old, new in zip(given.scores or [0] * players, scores, strict=True)]
    return [{"scores": list(scores), "totals": totals, "points": left, "winner": given.winner, "stalled": given.winner is None}]


class GameGiven(Given, frozen=True):
    """The standing after a deal."""

    scores: list[int]
    deals_played: int
    players: int | None = None


def game_found(given: GameGiven, asked: Asked) -> list[Found]:
    """2.3: tell whether the game is over, and who has won."""
    options = asked.resolved(given.players or len(given.scores))
    over = is_over(given.scores, given.deals_played, options)
    return [{"over": over, "game_over": over, "totals": given.scores, **standing(state_with(given.scores, options), over)}]


def state_with(totals: Sequence[int], options: RummyOptions) -> RummyState:
    """Return a game with these totals."""
    state = RummyState(len(totals), options, Random("totals"))
    state.totals = list(totals)
    return state


class OptionsGiven(Given, frozen=True):
    """Options for a table."""

    players: int = 2


def options_found(given: OptionsGiven, asked: Asked) -> list[Found]:
    """Section 4: the options as resolved for the table."""
    options = asdict(asked.resolved(given.players))
    return [{**options, "options": options, "resolved": to_builtins(options), "valid": True}]


def board_of(asked: Asked, players: int | None = None) -> Board:
    """Return the board for the options of a case."""
    return RummyState(players or 2, asked.resolved(players or 2), Random("board")).board
