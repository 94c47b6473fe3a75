"""Positions of poker: written down, and set up again."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss import PositionError, Zone
from pitboss.table.position_setup import check_row_lengths, check_seats, set_up_zones, stack_deck
from pitboss_poker.betting import set_limits
from pitboss_poker.deal import begin_hand, deal_cards, is_over, open_betting, place_button, play_on, set_level
from pitboss_poker.messages import Card, Position
from pitboss_poker.state import NOBODY, SEATS_IN, STREETS, PokerStateBase


def write_position(state: PokerStateBase) -> Position:
    """Write down a state: every card, all chips, and what the betting depends on."""
    table, seats, everybody = state.table, range(len(state.stacks)), state.table.layout.everybody
    held = [table.zones[hand] or table.zones[muck] for hand, muck in zip(state.hands, state.mucks, strict=True)]
    return Position(
        hand=state.hand_no,
        button=state.button,
        small_blind=_seat_or_none(state.small_seat),
        big_blind=_seat_or_none(state.big_seat),
        stacks=state.stacks[:],
        net=state.net[:],
        out_hands=state.out_hands[:],
        out_stacks=state.out_stacks[:],
        hands=[[*map(str, table.layout.deck.faces_of(cards))] for cards in held],
        board=state.faces(state.board),
        stock=state.faces(state.stock)[::-1],
        paid=state.paid[:],
        dead_ante=state.dead_ante,
        missing_blinds=state.missing_blinds,
        bets=state.bets[:],
        street=STREETS[state.street],
        turn=state.turn.seat if state.turn else None,
        folded=[seat for seat in seats if table.zones[state.mucks[seat]]],
        acted=[*SEATS_IN[state.acted]],
        current_bet=state.current_bet,
        last_raise=state.last_raise,
        full_bet=state.full_bet,
        bet_count=state.bet_count,
        aggressor=_seat_or_none(state.aggressor),
        history=[*state.past_history, state.history[:-1]],
        shown=[seat for seat in seats if held[seat] and all(table.known_by[card] == everybody for card in held[seat])],
        over=state.turn is None,
    )


def set_up_position(state: PokerStateBase, position: Position) -> None:
    """Bring a fresh state to a position.

    Raises:
        PositionError: it does not describe a table of this game.
    """
    _set_chips(state, position)
    _set_button(state, position)
    if position.deck is not None:
        beside = ("hand", "button", "small_blind", "big_blind", "stacks", "net", "out_hands", "out_stacks")
        stack_deck(state.table, state.stock, position.deck, position, beside)
        begin_hand(state)
        deal_cards(state)
        open_betting(state)
        play_on(state)
    elif position.paid is None:
        _begin_written_hand(state, position)
    else:
        _resume_hand(state, position, position.paid)


def _seat_or_none(seat: int) -> int | None:
    return None if seat == NOBODY else seat


def _set_chips(state: PokerStateBase, position: Position) -> None:
    """Set the stacks, what was won before, and who is out."""
    seats = len(state.stacks)
    rows = {"stacks": position.stacks, "net": position.net, "paid": position.paid, "bets": position.bets}
    check_row_lengths(seats, **rows, out_hands=position.out_hands, out_stacks=position.out_stacks, hands=position.hands)
    if position.net is not None:
        if sum(position.net):
            raise PositionError(f"net is {position.net}; what some have won others have lost, so its sum is 0")
        state.net = [*position.net]
    if position.stacks is not None:
        state.stacks = [*position.stacks]
    if state.options.hands is not None and position.hand > state.options.hands:
        raise PositionError(f"hand is {position.hand}; the game ends after {state.options.hands} (E1)")
    state.hand_no = position.hand
    if state.options.stacks == "reset":
        if any(position.out_hands or ()) or any(position.out_stacks or ()):
            raise PositionError("out_hands or out_stacks is given; stacks are reset, so that nobody is ever out (E1)")
        return
    paid = position.paid or [0] * seats
    broke = [not stack + one for stack, one in zip(state.stacks, paid, strict=True)]
    state.out_hands = [*(position.out_hands or [max(1, position.hand - 1) if out else 0 for out in broke])]
    state.out_stacks = [*(position.out_stacks or state.out_stacks)]
    for seat, out in enumerate(state.out_hands):
        if bool(out) != broke[seat] or out > position.hand:
            raise PositionError(
                f"seat {seat} has {state.stacks[seat]} chips; out_hands says {out} in hand {position.hand}"
            )
        state.players &= ~(bool(out) << seat)


def _set_button(state: PokerStateBase, position: Position) -> None:
    """Set the button and the blinds; a blind that is not written is left of the button."""
    seats = len(state.stacks)
    check_seats(seats, button=position.button, small_blind=position.small_blind, big_blind=position.big_blind)
    button = position.button if position.button is not None else state.options.first_button or 0
    players = state.players
    if not players:
        raise PositionError("nobody has chips")
    place_button(state, button)
    if state.big_seat == NOBODY:
        if position.small_blind is not None or position.big_blind is not None:
            raise PositionError("a seat of a blind is given, but the options have no blinds")
        return
    if position.small_blind is not None:
        state.small_seat = position.small_blind
    if position.big_blind is not None:
        state.big_seat = position.big_blind
    if not position.over and not players >> state.big_seat & 1:
        raise PositionError(f"seat {state.big_seat} has the big blind, and no chips")


def _begin_written_hand(state: PokerStateBase, position: Position) -> None:
    """Begin a hand with written cards: antes and blinds are posted."""
    closed = ("bets", "dead_ante", "missing_blinds", "turn", "acted", "folded", "shown", "aggressor", "board", "over")
    blank = Position()
    if given := [name for name in closed if getattr(position, name) != getattr(blank, name)]:
        raise PositionError(f"without paid a hand begins; it cannot give {', '.join(given)}")
    players = state.players
    if not players & players - 1 or not all(state.stacks[seat] for seat in SEATS_IN[players]):
        raise PositionError(
            f"a hand cannot begin with stacks {state.stacks}: two players need chips, with reset all do"
        )
    begin_hand(state)
    _lay_cards(state, position)
    open_betting(state)
    play_on(state)


def _lay_cards(state: PokerStateBase, position: Position) -> None:
    """Put the cards that are written where they lie, then deal the rest to the places left open."""
    size, players = state.variant.hole_cards, state.live
    rows: list[list[Card | None]] = []
    for seat in range(len(state.stacks)):
        row = position.hands[seat] if position.hands is not None else []
        wanted = size if players >> seat & 1 else 0
        if len(row) > wanted or (position.over and position.hands is not None and len(row) not in (0, size)):
            raise PositionError(f"seat {seat} has {len(row)} cards in hands; it has {wanted}")
        rows.append([*row, *[None] * (wanted - len(row))])
    zones = [state.mucks[seat] if seat in position.folded else state.hands[seat] for seat in range(len(state.stacks))]
    piles: list[tuple[Zone, Sequence[Card | None]]] = [(state.board, position.board)]
    if position.stock:
        piles.append((state.stock, position.stock[::-1]))
    set_up_zones(state.table, state.stock, [*zip(zones, rows, strict=True), *piles])
    for seat in position.folded:
        for card in state.table.zones[state.mucks[seat]]:
            state.table.known_by[card] |= 1 << seat
    for seat in position.shown:
        for card in state.table.zones[state.hands[seat]]:
            state.table.known_by[card] = state.table.layout.everybody


def _resume_hand(state: PokerStateBase, position: Position, paid: Sequence[int]) -> None:
    """Set up the middle of a hand, or the end of a game."""
    seats, variant = len(state.stacks), state.variant
    for name in ("turn", "aggressor"):
        check_seats(seats, **{name: getattr(position, name)})
    for name in ("folded", "acted", "shown"):
        for seat in getattr(position, name):
            check_seats(seats, **{name: seat})
    street = STREETS.index(position.street)
    if street > variant.last_street or len(position.history) > street + 1:
        raise PositionError(
            f"street is {position.street!r}; {state.options.cards} has {variant.last_street + 1} rounds"
        )
    set_level(state)
    dealt = state.players
    if position.over:
        dealt |= sum(1 << seat for seat, out in enumerate(state.out_hands) if out == position.hand)
    state.live = dealt
    _lay_cards(state, position)
    state.live = dealt & ~sum(1 << seat for seat in set(position.folded))
    state.street, state.missing_blinds = street, position.missing_blinds
    state.paid, state.bets = [*paid], [*(position.bets or [0] * seats)]
    if position.dead_ante > paid[state.big_seat]:
        raise PositionError(f"dead_ante is {position.dead_ante}; the big blind has paid {paid[state.big_seat]}")
    state.dead_ante = position.dead_ante
    *past, last = position.history or [""]
    state.past_history, state.history = tuple(past), last + " " * bool(last)
    state.acted = sum(1 << seat for seat in set(position.acted))
    state.current_bet, state.last_raise = position.current_bet, position.last_raise
    state.full_bet, state.bet_count = position.full_bet, position.bet_count
    state.aggressor = NOBODY if position.aggressor is None else position.aggressor
    if position.over:
        _check_end(state, position)
    else:
        _open_turn(state, position)


def _check_end(state: PokerStateBase, position: Position) -> None:
    """Check that the game can be over like this."""
    if not is_over(state):
        raise PositionError(f"the game is not over after hand {position.hand} with stacks {state.stacks} (E1)")
    if position.turn is not None or any(state.paid) or any(state.bets):
        raise PositionError("the game is over; nobody is on turn, and no chips are in the pot")


def _open_turn(state: PokerStateBase, position: Position) -> None:
    """Give the turn to the player of the position, who has to have something to decide."""
    state.able = sum(1 << seat for seat in SEATS_IN[state.live] if state.stacks[seat])
    bets, current = state.bets, state.current_bet
    state.waiting = sum(
        1 << seat for seat in SEATS_IN[state.able] if not state.acted >> seat & 1 or bets[seat] < current
    )
    board = sum(state.variant.board_cards[: state.street + 1])
    if len(state.table.zones[state.board]) != board:
        raise PositionError(
            f"the board has {len(state.table.zones[state.board])} cards; on the {position.street} {board}"
        )
    if any(bet > paid for bet, paid in zip(bets, state.paid, strict=True)) or max(bets) > max(current, 0):
        raise PositionError(f"bets are {bets}, paid is {state.paid}, a call is to {current}: they do not go together")
    if position.turn is None or not state.waiting >> position.turn & 1 or not state.live & state.live - 1:
        raise PositionError(f"turn is {position.turn}; to act are the seats {list(SEATS_IN[state.waiting])}")
    state.turn = state.variant.turns[state.street][position.turn]
    set_limits(state, position.turn)
