"""Legal actions of the phase PLAY: section 6.2 of the rule book, and notes 3, 4 and 6."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pitboss_rummy.messages import Action, Layoff, Meld
from pitboss_rummy.pack import BITS, CARDS, HALF_CARDS, HALF_MASK, PACK_MASK, RANKS, SUIT_MASK, iter_places, places_of
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
