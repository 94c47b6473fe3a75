"""The stock, and the turn order from the deal to the end of the game: section 1 of the rule book, 2.3 and section 3."""

from __future__ import annotations

from pitboss import IllegalAction
from pitboss_ragamaru.deck import COLOURS, KICK_OFF, Colour
from pitboss_ragamaru.field import Attack, SinBin, top_of
from pitboss_ragamaru.messages import Result
from pitboss_ragamaru.state import RagamaruStateBase


def can_draw(state: RagamaruStateBase) -> bool:
    """D32: whether there is a card to draw: in the stock, or beneath the top card."""
    zones, board = state.table.zones, state.board
    return bool(zones[board.stock] or len(zones[board.pile]) > 1 or zones[board.discards])


def draw_cards(state: RagamaruStateBase, seat: int, count: int) -> None:
    """2.6: draw `count` cards, one at a time; D32: if no card is left, the missing ones are waived."""
    table, board, bits = state.table, state.board, state.book.bits
    zones, stock, hand = table.zones, board.stock, board.hands[seat]
    for _ in range(count):
        if not zones[stock]:
            if not can_draw(state):
                return
            reshuffle(state)
        state.hand_masks[seat] |= bits[table.draw(stock, hand)]
        if state.passed_seats:
            state.passed_seats = 0  # D33: a card was drawn


def reshuffle(state: RagamaruStateBase) -> None:
    """D31: everything beneath the top card, discards too, is shuffled into a new stock."""
    table, board = state.table, state.board
    top = table.zones[board.pile][-1]
    table.turn_over(board.pile, board.stock, "gather")
    table.move(top, board.stock, board.pile, "top")
    if table.zones[board.discards]:
        table.turn_over(board.discards, board.stock, "gather")
    table.shuffle(board.stock, "reshuffle")


def start_game(state: RagamaruStateBase) -> None:
    """Section 1: shuffle and deal (D37).

    D1, D2: one lot decides who starts, another who names the colour, or the colour itself.
    """
    table, board, seats = state.table, state.board, state.board.seats
    table.shuffle(board.stock)
    table.deal(board.stock, board.hands, state.options.hand_size)
    state.count_hands()
    state.starter = table.draw_lot(seats)
    table.tell("starter", seat=state.starter)
    if state.options.first_colour == "random":
        colour = COLOURS[table.draw_lot(len(COLOURS))]
        table.tell("colour", seat=None, colour=colour)
        kick_off(state, colour)
    else:
        others = state.opponents_of(state.starter)
        namer = others[table.draw_lot(len(others)) if len(others) > 1 else 0]
        table.tell("namer", seat=namer)
        state.turn = board.turns["first_colour"][namer]


def kick_off(state: RagamaruStateBase, colour: Colour) -> None:
    """2.3: the field is the kick-off card with its colour, and the starter has the first turn."""
    starter = state.starter
    if starter is None:
        raise IllegalAction("the game has begun")
    state.starter = None
    state.top = top_of(KICK_OFF, state.book.wild_advantage, colour)
    land(state, starter)


def land(state: RagamaruStateBase, seat: int) -> None:
    """2.3: give the turn to a seat; if it has to rest, it serves one rest and the turn goes on to the next seat."""
    while True:
        state.turn_no += 1
        if state.turn_no > state.options.max_turns:
            end_game(state, "limit")
            return
        if not state.rests_left[seat]:
            break
        serve_rest(state, seat)
        seat = state.circle[seat][0]
    pending = state.threat
    if pending is None:
        state.turn = state.board.to_play[seat]
    else:
        state.turn = state.board.turns["defend" if isinstance(pending, Attack) else "bin"][seat]


def serve_rest(state: RagamaruStateBase, seat: int) -> None:
    """Serve a rest: an attack is drawn, as it cannot be answered (D20); a Sin Bin adds to the rests (D18)."""
    if isinstance(state.threat, Attack):
        draw_cards(state, seat, state.threat.draw)
    elif isinstance(state.threat, SinBin):
        add_rests(state, seat, state.threat.rests)
    state.threat = None
    add_rests(state, seat, -1)
    state.table.tell("rest", seat=seat, left=state.rests_left[seat])


def add_rests(state: RagamaruStateBase, seat: int, rests: int) -> None:
    """Add to the turns that a player has to rest; `rests` may be negative."""
    sin = state.rests_left
    state.rests_left = (*sin[:seat], sin[seat] + rests, *sin[seat + 1 :])


def end_game(state: RagamaruStateBase, result: Result) -> None:
    """Section 3: the game is over."""
    state.turn, state.result, state.threat = None, result, None
    hands = [len(state.table.zones[hand]) for hand in state.board.hands]
    state.table.tell("end", result=result, counts=[*hands])
