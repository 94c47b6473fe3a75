"""What a pass tells of a hand, with the option `decline` = `free` (D9): who passes at once has a play.

It is the one thing that an action tells of cards that nobody else sees. All other ways to decline (draw, take, sit, stop, and `pass` after a draw or when there
is nothing to draw) are open with any cards, and which of them it is hangs on what everybody sees.

So everybody knows that one of the cards that were in the hand fitted. But nobody else can tell a card that was there from one of its batch that was drawn
later, and so not whether a card that leaves was there. Said to the table as a mixing, a game of thousands of turns is too long a history to imagine worlds of.
So the rules keep the tale of such a hand (see `tales`), which tells what the hand may be, and state that to the table.

A written position is a fresh start: it says where the cards lie, and as little of who passed as of which cards of the stock were seen in the pile before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from pitboss_ragamaru.field import ALL_NUMBERS
from pitboss_ragamaru.tales import Claim, Tale

if TYPE_CHECKING:
    from pitboss.table.knowledge import ShuffleGroup
    from pitboss_ragamaru.game import RagamaruState

PassClaims: TypeAlias = dict[int, Tale]  # by seat; replaced, never changed


def record_pass(state: RagamaruState, seat: int) -> None:
    """Note that the hand holds a card that fits: a number card, if it is its only card."""
    fits = state.top.fits if state.hand_masks[seat].bit_count() > 1 else state.top.fits & ALL_NUMBERS
    tale = state.pass_evidence.get(seat, Tale(state.book.bits))
    if not tale.is_told(fits):
        tale = tale.caught_up(_batches(state, seat))
        claim = Claim(fits, len(tale.counts))
        state.pass_evidence = {
            **state.pass_evidence,
            seat: tale._replace(claims=(*tale.claims, claim)).ended().bounded(),
        }
        _state_evidence(state)


def remove_from_hand(state: RagamaruState, seat: int, cards: Sequence[int], move: Callable[[], None]) -> None:
    """Move cards out of a hand, and note that they have left: each may be a witness of what is claimed."""
    tale = state.pass_evidence.get(seat)
    if tale is None:
        move()
        return
    hand = state.table.zones[state.board.hands[seat]]
    is_drawn_told = state.options.after_draw == "drawn" and state.turn is state.board.turns["drawn"][seat]
    left = [(card, hand.index(card)) for card in cards]
    tale = tale.caught_up(_batches(state, seat)).without(left, len(hand) - 1 if is_drawn_told else None)
    tale = tale.settled(has_past=state.table.chance_events is not None)
    state.table.retract_constraints()
    move()
    others = {other: told for other, told in state.pass_evidence.items() if other != seat}
    state.pass_evidence = {**others, seat: tale} if tale.claims else others
    _state_evidence(state)


def _batches(state: RagamaruState, seat: int) -> list[ShuffleGroup]:
    table = state.table
    return [table.shuffle_groups[table.shuffle_group_of[card]] for card in table.zones[state.board.hands[seat]]]


def _state_evidence(state: RagamaruState) -> None:
    """State all claims to the table, and nothing else."""
    table, hands = state.table, state.board.hands
    table.retract_constraints()
    for seat, tale in state.pass_evidence.items():
        table.constrain(tale.holds, table.zones[hands[seat]][: len(tale.held)])


# ---- the past of a world


def retell(world: RagamaruState, observer: int) -> None:
    """Let cards of a batch that lie or lay in a hand have been drawn in an order that explains all passes.

    The table gives a world a past in which those that have left were drawn when they were in truth. Where that cannot be, others were.
    """
    for seat, tale in world.pass_evidence.items():
        if seat != observer and tale.gone:
            _retell_hand(world, seat, tale)


def _retell_hand(world: RagamaruState, seat: int, tale: Tale) -> None:
    hand, chance = world.table.zones[world.board.hands[seat]], world.table.chance_events
    known = len(tale.held)
    cards, places = [*(place.card for place in tale.gone), *hand[:known]], [*tale.gone, *tale.held]
    for batch, order in tale.orders(hand[:known]).items():
        for card_at, drawn_at in order.items():
            drawn = (*tale.gone, *tale.held)[drawn_at]
            places[card_at] = places[card_at]._replace(came=drawn.came, drawn=drawn.drawn)
        dealt = chance[batch.chance_index] if chance is not None and batch.chance_index >= 0 else 0
        if chance is not None and isinstance(dealt, tuple):
            instead = {cards[drawn_at]: cards[card_at] for card_at, drawn_at in order.items()}
            chance[batch.chance_index] = tuple([instead.get(card, card) for card in dealt])
    gone = len(tale.gone)
    lie = sorted(range(gone, len(places)), key=lambda at: places[at].came)
    hand[:known] = [cards[at] for at in lie]
    told = tale._replace(gone=tuple(places[:gone]), held=tuple(places[at] for at in lie))
    world.pass_evidence = {**world.pass_evidence, seat: told}
