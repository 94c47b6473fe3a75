"""The turn, and which plays are legal in it: section 2 of the rule book.

Each function for an action returns False, with nothing changed, if the action is not legal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pitboss.parts.melds import BITS, CARDS, SUIT_MASK, iter_places
from pitboss_rummy.deal import end_deal, go_out
from pitboss_rummy.melds import HALF_CARDS, HALF_MASK, NO_CARD, PACK_MASK, RANKS, places_of
from pitboss_rummy.messages import Action, Discard, Draw, Layoff, Meld, Take
from pitboss_rummy.state import RummyStateBase


def legal_plays(state: RummyStateBase, seat: int) -> list[Action]:
    """Return melds, layoffs and discards. D6: not the discard of the card just taken, unless nothing else is left."""
    held, board = state.hand_masks[seat], state.board
    places = held if held <= PACK_MASK else places_of(held)
    allowed = (places & ~state.banned_mask or places) if state.banned_mask else places
    one, two, three, four = board.discards
    low, high = allowed & HALF_MASK, allowed >> HALF_CARDS
    discards: list[Action] = [*one[low & SUIT_MASK], *two[low >> RANKS], *three[high & SUIT_MASK], *four[high >> RANKS]]
    melds = board.meld_table.all_melds(places, held & held >> CARDS if held > PACK_MASK else 0)
    fitting = places & state.layoff_mask
    if melds or fitting:
        return [*_filter_melds(state, held, melds), *_iter_layoffs(state, seat, fitting), *discards]
    return discards


def _filter_melds(state: RummyStateBase, held: int, melds: Sequence[Meld]) -> Sequence[Meld]:
    if not can_meld(state):
        return ()
    if not state.options.must_discard_out:
        return melds
    return [meld for meld in melds if can_lay_down(state, held, len(meld.cards))]


def _iter_layoffs(state: RummyStateBase, seat: int, fitting: int) -> Iterator[Layoff]:
    """Yield the layoffs of cards, each on every meld that it fits."""
    if not fitting or not can_lay_off(state, seat):
        return
    for place in iter_places(fitting):
        for number, meld in enumerate(state.melds):
            if meld.layoff_mask >> place & 1:
                yield state.board.layoffs[place][number]


def can_meld(state: RummyStateBase) -> bool:
    """Note 3: whether the player on turn may meld; perhaps there is one meld a turn."""
    return not (state.has_melded and state.options.melds_per_turn)


def can_lay_off(state: RummyStateBase, seat: int) -> bool:
    """Note 4: whether a player may lay off; perhaps not before the first own meld.

    Note 6: perhaps not the last card.
    """
    if state.options.layoff_needs_meld and seat not in state.meld_owners:
        return False
    return can_lay_down(state, state.hand_masks[seat], 1)


def can_lay_down(state: RummyStateBase, held: int, cards: int) -> bool:
    """Note 6: whether so many cards of a hand may be laid down; perhaps only a discard may empty it."""
    return not state.options.must_discard_out or held.bit_count() > cards


def has_cards(held: int, cards: Sequence[int]) -> bool:
    """Whether a hand holds all these cards, both copies of those that are named twice."""
    once = twice = 0
    for place in cards:
        bit = BITS[place]
        twice |= once & bit
        once |= bit
    return not (once & ~places_of(held) or twice & ~(held & held >> CARDS))


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
