"""Rendering of a Rummy table for people: piles, hands with scores, and the melds with their numbers and owners."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pitboss import PublicCount, PublicCounts
from pitboss.rendering.table_text import NAME_WIDTH, player_heading, render_beside, render_zone
from pitboss.text import truncate_text, wrap_words
from pitboss_rummy.state import RummyStateBase

CARD_COLUMN: Final = 26  # where cards begin; with `ROOM` the picture is 60 wide
CARD_WIDTH: Final = 34
KIND_WORDS: Final = {  # note 2: what people call the two kinds of meld
    "group": {"sequence": "sequence", "group": "group"},
    "set": {"sequence": "sequence", "group": "set"},
    "set_for_both": {"sequence": "set", "group": "set"},
}


def render_table(state: RummyStateBase, seat: int | None, names: Sequence[str]) -> Iterator[str]:
    """Yield what `seat` may know of the table; None sees every card."""
    table, board, cap = state.table, state.board, state.options.max_turns * len(state.board.hands)
    turn = min(state.turns_done + 1, cap)
    dealer = f"dealer {state.dealer} {truncate_text(names[state.dealer], NAME_WIDTH)}"
    yield f"  deal {state.deal_no}, turn {turn} of up to {cap}, {dealer}"
    if state.last_deal is not None:
        winner, scores = state.last_deal.winner, " ".join(map(str, state.last_deal.scores))
        way = "Rummy" if state.last_deal.rummy else "out"
        ended = "stalled" if winner is None else f"{winner} {truncate_text(names[winner], NAME_WIDTH)} went {way}"
        yield f"  {'last deal' if state.turn else 'it ended'}: {ended}: {scores}"
    for pile in (board.stock, board.discard):
        yield f"  {pile.name:8}  {render_zone(table, pile, seat, CARD_WIDTH + CARD_COLUMN - 12)[0]}"
    yield f"{'':{NAME_WIDTH + 4}}{'score':>6}"
    for owner, hand in enumerate(board.hands):
        is_on_turn = state.turn is not None and state.turn.seat == owner
        head = f"{player_heading(is_on_turn, owner, names[owner])}{state.totals[owner]:>6}"
        yield from render_beside(head, render_zone(table, hand, seat, CARD_WIDTH), CARD_COLUMN)
    for number, (owner, meld) in enumerate(zip(state.meld_owners, state.melds, strict=True), 1):
        head = f"  meld {number:>2}, {KIND_WORDS[state.options.set_name][meld.kind]} by {owner}"
        yield from render_beside(head, wrap_words(board.faces_at(meld.cards), " ", CARD_WIDTH), CARD_COLUMN)


def count_scores(state: RummyStateBase) -> PublicCounts:
    """Return the number of the deal; of each seat its score, and who deals."""
    seats = [
        [PublicCount("score", total), *[PublicCount("dealer", role="button")] * (seat == state.dealer)]
        for seat, total in enumerate(state.totals)
    ]
    return PublicCounts([PublicCount("deal", state.deal_no, "part")], seats)
