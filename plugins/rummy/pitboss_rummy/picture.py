"""The picture of a Rummy table for people: piles, hands with scores, and the melds with their numbers and owners."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from pitboss.picture import cards_lines, cut, filled

if TYPE_CHECKING:
    from pitboss_rummy.game import RummyState

NAME: Final = 14  # a name that is longer is cut
CARDS: Final = 26  # where cards begin; with `ROOM` the picture is 60 wide
ROOM: Final = 34
CALLED: Final = {  # note 2: what people call the two kinds of meld
    "group": {"sequence": "sequence", "group": "group"},
    "set": {"sequence": "sequence", "group": "set"},
    "set_for_both": {"sequence": "set", "group": "set"},
}


def picture(state: RummyState, seat: int | None, names: Sequence[str]) -> Iterator[str]:
    """Yield what `seat` may know of the table; None sees every card."""
    table, board, cap = state.table, state.board, state.options.max_turns * len(state.board.hands)
    turn = min(state.turns_done + 1, cap)
    yield f"  deal {state.deal}, turn {turn} of up to {cap}, dealer {state.dealer} {cut(names[state.dealer], NAME)}"
    if state.finished is not None:
        winner, scores = state.finished.winner, " ".join(map(str, state.finished.scores))
        ended = (
            "stalled"
            if winner is None
            else f"{winner} {cut(names[winner], NAME)} went {'Rummy' if state.finished.rummy else 'out'}"
        )
        yield f"  {'last deal' if state.turn else 'it ended'}: {ended}: {scores}"
    for pile in (board.stock, board.discard):
        yield f"  {pile.name:8}  {cards_lines(table, pile, seat, ROOM + CARDS - 12)[0]}"
    yield f"{'':{NAME + 4}}{'score':>6}"
    for owner, hand in enumerate(board.hands):
        mark = ">" if state.turn is not None and state.turn.seat == owner else " "
        head = f"{mark} {owner} {cut(names[owner], NAME):{NAME}}{state.totals[owner]:>6}"
        yield from _beside(head, cards_lines(table, hand, seat, ROOM))
    for number, (owner, meld) in enumerate(zip(state.owners, state.melds, strict=True), 1):
        head = f"  meld {number:>2}, {CALLED[state.options.set_name][meld.kind]} by {owner}"
        yield from _beside(head, filled(board.named(meld.cards), " ", ROOM))


def _beside(head: str, lines: Sequence[str]) -> Iterator[str]:
    """Yield lines of cards in their column, the first one behind its heading."""
    for number, line in enumerate(lines):
        yield f"{head if number == 0 else '':{CARDS}}{line}"
