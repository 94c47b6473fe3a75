"""A hand from its deal to its end, and one hand after another: sections 1, 2.1 and 3 of the rule book."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, takewhile
from operator import add, sub

from pitboss_poker.betting import begin_round, pay_chips
from pitboss_poker.named_cards import NamedCards, read_seed
from pitboss_poker.showdown import deal_street, end_betting
from pitboss_poker.state import NOBODY, SEATS_IN, PokerStateBase, first_seat_after, seats_from


def start_game(state: PokerStateBase) -> None:
    """Begin the first hand."""
    state.hand_no = 1
    place_button(state, state.options.first_button or 0)
    deal_hand(state)
    play_on(state)


def play_on(state: PokerStateBase) -> None:
    """Do all that follows the end of a betting round, up to the next decision: rounds, showdown, hands to come."""
    while state.turn is None:
        live, able = state.live, state.able
        if live & live - 1 and able & able - 1 and state.street < state.variant.last_street:
            deal_street(state)
            begin_round(state, 0, find_seat_before(state, state.button))
            continue
        end_hand(state, end_betting(state))
        if is_over(state):
            return
        state.hand_no += 1
        move_button(state)
        deal_hand(state)


def place_button(state: PokerStateBase, button: int) -> None:
    """S5: put the button somewhere, and the blinds left of it; of two players the button has the small blind."""
    players = state.players
    state.button, state.small_seat, state.big_seat = button, NOBODY, NOBODY
    if state.options.big_blind:
        is_small = players.bit_count() == 2 and players >> button & 1
        state.small_seat = button if is_small else first_seat_after(players, button)
        state.big_seat = first_seat_after(players, state.small_seat)


def move_button(state: PokerStateBase) -> None:
    """S7: the big blind moves to the next player; small blind and button move one place on, to empty seats too.

    Without blinds the button moves to the next player. Of two players the one without the big blind has the button.
    """
    players = state.players
    if state.big_seat == NOBODY:
        state.button = first_seat_after(players, state.button)
        return
    state.button, state.small_seat = state.small_seat, state.big_seat
    state.big_seat = first_seat_after(players, state.big_seat)
    if players.bit_count() == 2:
        state.button = state.small_seat = first_seat_after(players, state.big_seat)


def deal_hand(state: PokerStateBase) -> None:
    """S2 to S5: shuffle, deal, and collect antes and blinds."""
    variant = state.variant
    most_drawn = variant.hole_cards * len(state.stacks) + sum(variant.board_cards)
    state.collect_and_shuffle(state.stock, f"hand-{state.hand_no}", most_drawn=most_drawn)
    if state.options.stacks == "reset":
        state.stacks = state.options.list_stacks(len(state.stacks))
    if state.hand_no == 1 and (named := read_seed(state.rng.seed)):
        order_stock(state, named)
    begin_hand(state)
    deal_cards(state)
    open_betting(state)


def order_stock(state: PokerStateBase, named: NamedCards) -> None:
    """S9: put the stock in the order in which the named cards are dealt; the others lie as they were shuffled."""
    deck, players = state.variant.deck, seats_from(state.players, state.button)
    faces = [named.hands[seat][row] for row in range(state.variant.hole_cards) for seat in players]
    wanted = [None if face is None else deck.copies(face)[0] for face in (*faces, *named.board)]
    left = [card for card in reversed(state.table.zones[state.stock]) if card not in wanted]  # the top one first
    dealt = [left.pop(0) if card is None else card for card in wanted]
    state.table.shuffle(state.stock, order=[*dealt, *left][::-1])


def deal_cards(state: PokerStateBase) -> None:
    """S3: deal one card at a time, to the first player left of the button first."""
    order = [state.hands[seat] for seat in seats_from(state.live, state.button)]
    state.table.deal(state.stock, order, state.variant.hole_cards)


def begin_hand(state: PokerStateBase) -> None:
    """Clear what belongs to the hand before; set the blinds of this one."""
    seats = len(state.stacks)
    state.paid, state.bets = [0] * seats, [0] * seats
    state.live = state.able = state.players
    state.street = state.waiting = state.dead_ante = 0
    state.past_history, state.history = (), ""
    if state.options.level_hands is not None or not state.min_bet:
        set_level(state)
    if state.table.log is not None:
        state.table.tell(
            "hand",
            hand=state.hand_no,
            button=state.button,
            small_blind=state.small_blind,
            big_blind=state.big_blind,
            ante=state.ante,
            stacks=[*state.stacks],
        )


def set_level(state: PokerStateBase) -> None:
    """S8: blinds, ante and fixed bets double after `level_hands` hands, up to all the chips that there are."""
    options, scale = state.options, 1
    if options.level_hands is not None:
        chips, level = sum(options.list_stacks(len(state.stacks))), (state.hand_no - 1) // options.level_hands
        scale = 1 << min(level, (chips // max(options.big_blind, options.ante)).bit_length())
    state.small_blind, state.big_blind = options.small_blind * scale, options.big_blind * scale
    state.ante, state.straddles = options.ante * scale, tuple(chips * scale for chips in options.straddles)
    state.min_bet = state.big_blind or state.ante
    state.bet_sizes = tuple(size * scale for size in options.bets or ())


def open_betting(state: PokerStateBase) -> None:
    """S4, S5: post antes, blinds and straddles, of a short stack as far as it goes, and begin the first round."""
    is_from_all = state.options.ante_from == "everybody"
    if state.ante and is_from_all:
        for seat in seats_from(state.live, state.button):
            post_chips(state, "ante", seat, state.ante)
        state.bets = [0] * len(state.bets)
    if state.big_seat != NOBODY:
        if state.live >> state.small_seat & 1:
            post_chips(state, "small_blind", state.small_seat, state.small_blind)
        post_chips(state, "big_blind", state.big_seat, state.big_blind)
    usual, blinds = state.button if state.big_seat == NOBODY else state.big_seat, [state.big_blind]
    for chips in state.straddles[: state.players.bit_count() - 2]:
        usual = first_seat_after(state.players, usual)
        post_chips(state, "straddle", usual, chips)
        blinds.append(chips)
    state.missing_blinds = state.small_blind + sum(blinds) - sum(state.bets)
    if state.ante and not is_from_all:
        post_dead_ante(state)
    least_raise = max((raised - blind for blind, raised in pairwise(blinds)), default=0)
    begin_round(state, blinds[-1], find_seat_before(state, usual), least_raise)


def find_seat_before(state: PokerStateBase, usual: int) -> int:
    """B1: return the seat left of which a round begins; `usual` unless the option `first_players` says otherwise."""
    first = state.options.first_players
    if isinstance(first, tuple):
        return (state.button + first[state.street] - 1) % len(state.stacks)
    if first is None or not state.past_history:
        return usual
    return int("".join(takewhile(str.isdigit, state.past_history[-1].rpartition(" ")[2])))


def post_dead_ante(state: PokerStateBase) -> None:
    """S4: let the big blind pay the ante for all, after its blind."""
    before = state.bets[state.big_seat]
    post_chips(state, "ante", state.big_seat, state.ante)
    state.dead_ante = state.bets[state.big_seat] - before
    state.bets[state.big_seat] = before


def post_chips(state: PokerStateBase, what: str, seat: int, chips: int) -> None:
    """Take an ante or blind from a seat, or all that it has if that is less."""
    chips = min(chips, state.stacks[seat])
    if chips:
        pay_chips(state, seat, chips)
        if state.table.log is not None:
            state.table.tell(what, seat=seat, chips=chips)


def end_hand(state: PokerStateBase, winnings: Sequence[int]) -> None:
    """3: count what each seat has won or lost; who has no chips left is out."""
    won = [*map(sub, winnings, state.paid)]
    state.net = [*map(add, state.net, won)]
    if state.options.stacks == "carry":
        for seat in SEATS_IN[state.players]:
            if not state.stacks[seat]:
                state.players &= ~(1 << seat)
                state.out_hands[seat], state.out_stacks[seat] = state.hand_no, -won[seat]
    state.paid, state.bets = [0] * len(won), [0] * len(won)
    state.able = state.waiting = state.to_call = state.min_to = state.max_to = state.dead_ante = 0
    if state.table.log is not None:
        state.table.tell("hand_end", hand=state.hand_no, won=[*won], net=[*state.net])


def is_over(state: PokerStateBase) -> bool:
    """E1: whether all hands have been played, or one player has all chips."""
    players = state.players
    return state.hand_no == state.options.hands or not players & players - 1
