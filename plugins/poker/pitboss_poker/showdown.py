"""The end of a hand: uncalled bets, the rest of the board, the showdown, the pots: section 3 of the rule book."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from pitboss import Outcome, competition_places, solo_sides
from pitboss_poker.hand_strength import describe_strength, rank_hand
from pitboss_poker.state import NOBODY, SEATS_IN, PokerStateBase, PotResult, seats_from


def split_pots(paid: Sequence[int], live: int) -> list[tuple[int, int]]:
    """P2: return the pots, the main pot first: the chips of each, and the mask of the seats that can win it.

    `paid` is what each seat has paid in the hand, `live` is the mask of those with a hand. Every amount that one of
    these has paid ends a pot; what folded players have paid above the highest of them belongs to the last pot.
    """
    if not live & live - 1 or len(levels := {paid[seat] for seat in SEATS_IN[live]}) == 1:  # most hands end so
        return [(sum(paid), live)]
    pots: list[tuple[int, int]] = []
    below = 0
    for level in sorted(levels):
        if level > below:
            chips = sum([min(one, level) - below for one in paid if one > below])
            pots.append((chips, sum(1 << seat for seat in SEATS_IN[live] if paid[seat] >= level)))
            below = level
    if pots and (above := sum([one - below for one in paid if one > below])):
        pots[-1] = (pots[-1][0] + above, pots[-1][1])
    return pots


def list_pots(state: PokerStateBase) -> list[tuple[int, int]]:
    """P2: return the pots of a state; what the big blind has paid for all belongs to the main pot."""
    if not state.dead_ante:
        return split_pots(state.paid, state.live)
    (chips, seats), *side_pots = split_pots(count_bets(state), state.live)
    return [(chips + state.dead_ante, seats), *side_pots]


def count_bets(state: PokerStateBase) -> list[int]:
    """Return what each seat has paid in the hand, without an ante for all."""
    bets = state.paid[:]
    bets[state.big_seat] -= state.dead_ante
    return bets


def find_uncalled(paid: Sequence[int]) -> tuple[int, int]:
    """P1: return the seat that has paid most, and by how much that is more than anybody else's."""
    second, first = sorted(paid)[-2:]
    return paid.index(first), first - second


def share_pot(chips: int, winners: int, button: int) -> dict[int, int]:
    """P3: return what each seat of the mask `winners` gets; odd chips go one each to the first left of the button."""
    if not winners & winners - 1:
        return {winners.bit_length() - 1: chips}
    share, odd = divmod(chips, winners.bit_count())
    return {seat: share + (place < odd) for place, seat in enumerate(seats_from(winners, button))}


def end_betting(state: PokerStateBase) -> list[int]:
    """End a hand in which nobody can bet any more: pay out the pots, after a showdown if two players have a hand.

    Returns what each seat gets from the pots.
    """
    return_uncalled(state)
    live = state.live
    if not live & live - 1:
        return pay_pots(state, {live.bit_length() - 1: 0})
    if live & ~state.able:  # W2: somebody is all in, so that all hands are shown before the rest of the board
        for seat in seats_from(live, first_to_show(state)):
            show_hand(state, seat)
        deal_rest(state)
        return pay_pots(state, rank_hands(state, live))
    return pay_pots(state, show_in_turn(state))


def return_uncalled(state: PokerStateBase) -> None:
    """P1: what nobody has called goes back."""
    seat, chips = find_uncalled(count_bets(state))
    if chips:
        state.stacks[seat] += chips
        state.paid[seat] -= chips
        state.table.tell("return", seat=seat, chips=chips)


def first_to_show(state: PokerStateBase) -> int:
    """W3: return the seat to whose left showing begins: right of the last aggressor's, or the button."""
    if state.aggressor == NOBODY:
        return state.button
    return (state.aggressor - 1) % state.seats


def show_hand(state: PokerStateBase, seat: int) -> None:
    """Show the cards of a seat to everybody."""
    state.table.reveal(state.hands[seat], "show")


def show_in_turn(state: PokerStateBase) -> dict[int, int]:
    """W4: show hands in turn, muck each that loses to one shown before; return the strengths of those shown, by seat.

    That a hand was mucked tells everybody that it is weaker.
    """
    strengths, best = rank_hands(state, state.live), 0
    shown: dict[int, int] = {}
    for seat in seats_from(state.live, first_to_show(state)):
        if strengths[seat] >= best:
            best = shown[seat] = strengths[seat]
            show_hand(state, seat)
        else:
            muck_hand(state, seat, best)
    return shown


def muck_hand(state: PokerStateBase, seat: int, best: int) -> None:
    """W4: lay a hand away unseen that is weaker than one shown."""
    table, hand = state.table, state.table.zones[state.hands[seat]][:]
    state.live &= ~(1 << seat)
    table.lay(hand, state.hands[seat], state.mucks[seat], "muck")
    table.constrain(_weaker_than(state, best), hand)


def _weaker_than(state: PokerStateBase, best: int) -> Callable[[Iterable[int | None]], bool]:
    """Return the predicate of cards that, with the board, are a weaker hand than `best`."""
    keys, size = state.variant.card_keys, state.variant.hole_cards
    board = [keys[card] for card in state.table.zones[state.board]]

    def is_weaker(cards: Iterable[int | None]) -> bool:
        known = [keys[card] for card in cards if card is not None]
        return len(known) == size and rank_hand([*board, *known]) < best

    return is_weaker


def deal_rest(state: PokerStateBase) -> None:
    """Deal the rest of the board, round by round."""
    while state.street < state.variant.last_street:
        deal_street(state)


def deal_street(state: PokerStateBase) -> None:
    """Deal the board of the next round, whose bets are still zero; no card is burnt (D4)."""
    state.street += 1
    turn = state.variant.turns[state.street][0]
    state.table.deal(state.stock, (state.board,), state.variant.board_cards[state.street], event=turn.phase)
    state.past_history = (*state.past_history, state.history[:-1])
    state.history = ""
    state.bets = [0] * len(state.bets)


def rank_hands(state: PokerStateBase, seats: int) -> dict[int, int]:
    """Return the strength of the hand of each seat of a mask, with the board."""
    keys, zones = state.variant.card_keys, state.table.zones
    board = [keys[card] for card in zones[state.board]]
    return {seat: rank_hand([*board, *[keys[card] for card in zones[state.hands[seat]]]]) for seat in SEATS_IN[seats]}


def pay_pots(state: PokerStateBase, strengths: Mapping[int, int]) -> list[int]:
    """P2, P3: give each pot to the best hand among those that can win it; return what each seat gets.

    A strength of 0 was not shown.
    """
    state.last_pots = []
    winnings = [0] * len(state.stacks)
    for chips, seats in list_pots(state):
        winners, best = find_best(strengths, seats)
        shares = share_pot(chips, winners, state.button)
        for seat, share in shares.items():
            state.stacks[seat] += share
            winnings[seat] += share
        state.last_pots.append(PotResult(chips, tuple(shares), best))
        if state.table.log is not None:
            hand = describe_strength(best) if best else ""
            state.table.tell("pot", chips=chips, winners=[*shares], shares=[*shares.values()], hand=hand)
    return winnings


def find_best(strengths: Mapping[int, int], seats: int) -> tuple[int, int]:
    """Return the mask of the seats with the best hand among those of a mask, and its strength."""
    best, winners = -1, 0
    for seat, strength in strengths.items():
        if seats >> seat & 1:
            if strength > best:
                best, winners = strength, 1 << seat
            elif strength == best:
                winners |= 1 << seat
    return winners, best


def find_outcome(state: PokerStateBase) -> Outcome:
    """E2, E3: points are the chips won; of two who have lost all their chips, who lost them later stands before.

    Of two who lost them in the same hand, who had more before it stands before.
    """
    ranks = [
        (state.hand_no + 1, won) if not out else (out, stack)
        for won, out, stack in zip(state.net, state.out_hands, state.out_stacks, strict=True)
    ]
    order = sorted(set(ranks))
    return Outcome(
        points=tuple(map(float, state.net)),
        places=competition_places([order.index(rank) for rank in ranks]),
        sides=solo_sides(len(ranks)),
    )
