"""The cases of Rummy about cards and numbers.

A meld, a layoff, a hand, the scores of a deal, the standing of a game, the options.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from msgspec.structs import asdict

from pitboss import Random
from pitboss.parts.melds import CARDS, mask_of
from pitboss_rummy.melds import places_of
from pitboss_rummy.messages import RummyOptions
from pitboss_rummy.rules import RummyBoard, deal_scores, hand_points, is_over
from pitboss_rummy.state import RummyState
from tests.rules.case_input import CaseError, CaseInput
from tests.rules.comparison import CaseFacts
from tests.rules.rummy_table import RummyCaseOptions, standing_facts


class MeldInput(CaseInput, frozen=True):
    """Cards that may be a meld."""

    cards: list[str]
    players: int | None = None


def classify_meld(given: MeldInput, asked: RummyCaseOptions) -> CaseFacts:
    """Section 1: tell what kind of meld they are."""
    combination = case_board(asked, given.players).find_meld(given.cards)
    kind = None if combination is None else combination.kind
    return {"kind": kind}


class LayoffInput(CaseInput, frozen=True):
    """A meld on the table, and a card."""

    meld: list[str]
    card: str
    players: int | None = None


def check_layoff(given: LayoffInput, asked: RummyCaseOptions) -> CaseFacts:
    """D9: tell whether the card fits; by what fits, and by what is a meld then."""
    board = case_board(asked, given.players)
    meld = board.find_meld(given.meld)
    if meld is None:
        raise CaseError(f"in.meld is no meld: {given.meld!r}")
    fits = bool(meld.layoff_mask >> board.place_by_face[given.card] & 1)
    if fits != (board.find_meld([*given.meld, given.card]) is not None):
        raise CaseError(f"{given.card} fits {given.meld!r}: {fits}; but whether they are a meld is told otherwise")
    return {"fits": fits, "layoff": fits}


class PointsInput(CaseInput, frozen=True):
    """A hand."""

    hand: list[str]


def count_points(given: PointsInput, asked: RummyCaseOptions) -> CaseFacts:
    """Section 3: what a hand is worth."""
    return {"points": hand_points(case_board(asked).layout.deck.find_cards(given.hand) if given.hand else [])}


class MeldsInput(CaseInput, frozen=True):
    """A hand."""

    hand: list[str]
    players: int | None = None


def list_hand_melds(given: MeldsInput, asked: RummyCaseOptions) -> CaseFacts:
    """6.2: all melds of a hand."""
    board = case_board(asked, given.players)
    held = mask_of(board.layout.deck.find_cards(given.hand))
    melds = [list(meld.cards) for meld in board.meld_table.all_melds(places_of(held), held & held >> CARDS)]
    return {"count": len(melds), "melds": sorted(melds, key=json.dumps)}


class ScoresInput(CaseInput, frozen=True):
    """All hands at the end of a deal. No `winner`: the deal is stalled."""

    hands: list[list[str]]
    winner: int | None = None
    rummy: bool = False
    scores: list[int] | None = None  # the totals before the deal


def score_deal(given: ScoresInput, asked: RummyCaseOptions) -> CaseFacts:
    """Section 3: what the deal adds to each total."""
    players = len(given.hands)
    options = asked.resolve(players)
    deck = case_board(asked, players).layout.deck
    left = [hand_points(deck.find_cards(hand)) for hand in given.hands]
    scores = deal_scores(left, given.winner, given.rummy, options)
    totals = [old + new for old, new in zip(given.scores or [0] * players, scores, strict=True)]
    return {
        "scores": list(scores),
        "totals": totals,
        "points": left,
        "winner": given.winner,
        "stalled": given.winner is None,
    }


class RummyStandingInput(CaseInput, frozen=True):
    """The standing after a deal."""

    scores: list[int]
    deals_played: int
    players: int | None = None


def score_game(given: RummyStandingInput, asked: RummyCaseOptions) -> CaseFacts:
    """2.3: tell whether the game is over, and who has won."""
    options = asked.resolve(given.players or len(given.scores))
    over = is_over(given.scores, given.deals_played, options)
    return {
        "over": over,
        "game_over": over,
        "totals": given.scores,
        **standing_facts(state_with_totals(given.scores, options), over),
    }


def state_with_totals(totals: Sequence[int], options: RummyOptions) -> RummyState:
    """Return a game with these totals."""
    state = RummyState.create(len(totals), options, Random("totals"))
    state.totals = list(totals)
    return state


class RummyOptionsInput(CaseInput, frozen=True):
    """Options for a table."""

    players: int = 2


def resolve_case_options(given: RummyOptionsInput, asked: RummyCaseOptions) -> CaseFacts:
    """Section 4: the options as resolved for the table."""
    options = asdict(asked.resolve(given.players))
    return {**options, "options": options}


def case_board(asked: RummyCaseOptions, players: int | None = None) -> RummyBoard:
    """Return the board for the options of a case."""
    return RummyState.create(players or 2, asked.resolve(players or 2), Random("board")).board
