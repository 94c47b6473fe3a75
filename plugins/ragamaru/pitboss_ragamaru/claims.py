"""What a pass tells of a hand, with the option `decline` = `free` (D9): who passes at once has a play.

It is the one thing that an action tells of cards that nobody else sees. All other ways to decline (draw, take, sit, stop, and `pass` after a draw or when there
is nothing to draw) are open with any cards, and which of them it is hangs on what everybody sees.

So everybody knows that one of the cards that were in the hand fitted, until one of them that did is seen to leave it. Stated to the table once and for
all, every later play from that hand would be a mixing, as nobody can tell cards drawn since from those that were there; a game of
thousands of turns is then too long a history to imagine worlds of. So a claim is taken back before cards leave the hand, and stated of what is left: cards keep
their places in a hand, those drawn later lying behind the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pitboss_ragamaru.field import ALL_NUMBERS
from pitboss_ragamaru.plays import Playbook

if TYPE_CHECKING:
    from pitboss_ragamaru.game import RagamaruState


class Claim(NamedTuple):
    """Of the first so many cards of a hand one is among those of a mask."""

    fits: int
    first: int


Claims: TypeAlias = dict[int, tuple[Claim, ...]]  # by seat; replaced, never changed


def claim_play(state: RagamaruState, seat: int) -> None:
    """Note that the hand holds a card that fits: a number card, if it is its only card."""
    held = state.held[seat].bit_count()
    claim, known = Claim(state.top.fits if held > 1 else state.top.fits & ALL_NUMBERS, held), state.claims.get(seat, ())
    if not any(one.fits & ~claim.fits == 0 for one in known):  # then it follows from what is known
        state.claims = {**state.claims, seat: (*known, claim)}
        _state_claims(state)


def leave_hand(state: RagamaruState, seat: int, cards: Sequence[int], move: Callable[[], None]) -> None:
    """Move cards out of a hand, and mind what is claimed of it: a card that fitted fulfils a claim."""
    if not state.claims:
        move()
        return
    hand, bits = state.table.zones[state.board.hands[seat]], state.book.bits
    claims = state.claims.get(seat, ())
    for place, card in sorted([(hand.index(card), card) for card in cards], reverse=True):
        claims = tuple(
            claim._replace(first=claim.first - (place < claim.first))
            for claim in claims
            if place >= claim.first or not claim.fits & bits[card]
        )
    state.table.retract()
    move()
    others = {other: known for other, known in state.claims.items() if other != seat}
    state.claims = {**others, seat: claims} if claims else others
    _state_claims(state)


def _state_claims(state: RagamaruState) -> None:
    """State all claims to the table, and nothing else."""
    table, hands = state.table, state.board.hands
    table.retract()
    for seat, claims in state.claims.items():
        for claim in claims:
            table.constrain(_holds_one(state.book, claim.fits), table.zones[hands[seat]][: claim.first])


@lru_cache(maxsize=1 << 10)
def _holds_one(book: Playbook, fits: int) -> Callable[[Iterable[int | None]], bool]:
    able = frozenset(card for card, bit in enumerate(book.bits) if fits & bit)
    return lambda cards: any(card in able for card in cards)
