"""The turn: section 2 of the rule book.

Each function for an action returns False, with nothing changed, if the action is not legal.
"""

from __future__ import annotations

from pitboss_rummy.deal import end_deal, go_out
from pitboss_rummy.messages import Action, Discard, Draw, Layoff, Meld, Take
from pitboss_rummy.pack import BITS, CARDS, NO_CARD, PACK_MASK, places_of
from pitboss_rummy.plays import can_lay_down, can_lay_off, can_meld, has_cards
from pitboss_rummy.state import RummyStateBase


def draw_card(state: RummyStateBase, seat: int, action: Action) -> bool:
    """DRAW: take the top card of the stock or of the discard pile.

    D5: if the stock is empty the whole discard pile is turned over first, unshuffled.
    """
    table, board, kind = state.table, state.board, type(action)
    if kind is Draw:
        if not table.zones[board.stock]:
            table.turn_over(board.discard, board.stock)
            state.is_stock_public = True
        card = table.draw(board.stock, board.hands[seat])
        state.drawn_place = card % CARDS
        state.has_taken, state.banned_mask = False, 0
    elif kind is Take:
        card = table.draw(board.discard, board.hands[seat], "take")
        state.drawn_place = card % CARDS
        state.mark_taken()
    else:
        return False
    state.hand_masks[seat] |= BITS[card]
    state.turn = board.play_turns[seat]
    return True


def discard_card(state: RummyStateBase, seat: int, action: Discard) -> bool:
    """PLAY: discard any card but, D6, the one taken in this turn, unless nothing else is left."""
    board, held = state.board, state.hand_masks[seat]
    places = held if held <= PACK_MASK else places_of(held)
    place = board.place_by_face.get(action.card, NO_CARD)
    if place < 0 or not (places & ~state.banned_mask or places) & BITS[place]:
        return False
    state.table.move(_remove_card(state, seat, place), board.hands[seat], board.discard, "discard")
    if not state.hand_masks[seat]:
        go_out(state, seat)
        return True
    if places == state.banned_mask:
        _show_second_copy(state, seat)
    _end_turn(state, seat)
    return True


def _show_second_copy(state: RummyStateBase, seat: int) -> None:
    """D6: who discards the card just taken has no other; so everybody knows that what is left is its second copy."""
    hand, table = state.board.hands[seat], state.table
    if not table.is_known(hand, table.layout.spectator):
        table.reveal(hand, "proved")


def lay_down(state: RummyStateBase, seat: int, action: Action) -> bool:
    """PLAY: a meld or a layoff; who has no card left then is out."""
    if isinstance(action, Meld):
        is_played = _lay_meld(state, seat, action)
    else:
        is_played = isinstance(action, Layoff) and _lay_off(state, seat, action)
    if is_played and not state.hand_masks[seat]:
        go_out(state, seat)
    return is_played


def _lay_meld(state: RummyStateBase, seat: int, action: Meld) -> bool:
    """PLAY: lay a sequence or a group on the table, as the next meld."""
    board, held = state.board, state.hand_masks[seat]
    meld = board.find_meld(action.cards)
    if meld is None or not has_cards(held, meld.cards):
        return False
    if not (can_meld(state) and can_lay_down(state, held, len(meld.cards))):
        return False
    cards = [_remove_card(state, seat, place) for place in meld.cards]
    state.table.lay(cards, board.hands[seat], board.melds[len(state.melds)], "meld")
    state.add_meld(seat, meld)
    state.has_melded = True
    return True


def _lay_off(state: RummyStateBase, seat: int, action: Layoff) -> bool:
    """PLAY, D9: add a card to a meld on the table, anybody's."""
    board, number = state.board, action.meld
    place = board.place_by_face.get(action.card, NO_CARD)
    if place == NO_CARD or not 1 <= number <= len(state.melds) or not state.melds[number - 1].layoff_mask >> place & 1:
        return False
    if not places_of(state.hand_masks[seat]) >> place & 1 or not can_lay_off(state, seat):
        return False
    state.table.move(_remove_card(state, seat, place), board.hands[seat], board.melds[number - 1], "layoff")
    state.replace_meld(number, board.extend_meld(state.melds[number - 1], place))
    state.layoff_mask = 0
    for meld in state.melds:
        state.layoff_mask |= meld.layoff_mask
    state.has_laid_off = True
    return True


def _remove_card(state: RummyStateBase, seat: int, place: int) -> int:
    """Return the card with this face that leaves a hand, and forget that it was there.

    D12: copies are interchangeable. If everybody knows one of two copies to be in the hand, that one leaves; what
    remains is then as secret as before. Otherwise the lower number leaves; no message carries card numbers.
    """
    held = state.hand_masks[seat]
    card = place if held <= PACK_MASK else _choose_copy(state, held, place)
    state.hand_masks[seat] = held ^ BITS[card]
    return card


def _choose_copy(state: RummyStateBase, held: int, place: int) -> int:
    known, everybody, copy = state.table.known_by, state.table.layout.everybody, place + CARDS
    if held >> copy & 1 and (not held >> place & 1 or known[copy] == everybody != known[place]):
        return copy
    return place


def _end_turn(state: RummyStateBase, seat: int) -> None:
    """END-OF-TURN: the turn cap (D14), the reshuffle of note 5, the left neighbour."""
    state.turns_done += 1
    state.drawn_place = NO_CARD
    if state.has_melded or state.has_laid_off:
        state.active_seats |= 1 << seat
        state.has_melded = state.has_laid_off = False
    board, options = state.board, state.options
    if state.turns_done >= options.max_turns * len(board.hands):
        state.table.tell("stalled")
        end_deal(state, None, False)
        return
    if not state.table.zones[board.stock] and options.stock_out == "reshuffle":
        _reshuffle(state)
    state.turn = board.draw_turns[board.left_neighbour[seat]]


def _reshuffle(state: RummyStateBase) -> None:
    """Note 5: all discards are shuffled into a new stock, and its top card is turned up."""
    table, board = state.table, state.board
    table.turn_over(board.discard, board.stock, "gather")
    table.shuffle(board.stock, "reshuffle")
    table.draw(board.stock, board.discard, "up_card")
    state.is_stock_public = False
