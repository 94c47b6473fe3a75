"""The end of a turn, and the rounds of a game: RESOLVE in section 2.1 of the rule book, 2.3 and 2.4."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss_racko import rack as racks
from pitboss_racko.messages import RackoOptions
from pitboss_racko.state import RackoStateBase, RoundResult


def resolve_turn(state: RackoStateBase, seat: int, rack_changed: bool) -> None:
    """RESOLVE, D5: at the end of the own turn a complete rack is a RACK-O, or may be declared one."""
    rack = state.table.zones[state.board.racks[seat]]
    if racks.is_racko(rack, state.options.min_run):
        if state.options.declare == "choice":
            state.turn = state.board.declare_turns[seat]
        else:
            end_round(state, seat)
        return
    if state.options.declare == "auto" and (rack_changed or state.turns_done < len(state.board.racks)):
        state_incomplete(state, seat)
    end_turn(state, seat)


def state_incomplete(state: RackoStateBase, seat: int) -> None:
    """D5: with `auto`, state that a player whose round did not end has no complete rack.

    Nothing is stated where everybody sees it.
    """
    table, cards = state.table, state.table.zones[state.board.racks[seat]]
    known, everybody, last = table.known_by, table.layout.everybody, -1
    for card in cards:
        if known[card] != everybody:
            last = -1
        elif card < last:
            return
        else:
            last = card
    table.constrain(racks.is_surely_not_racko_with_run if state.options.min_run else racks.is_surely_not_racko, cards)


def state_incomplete_racks(state: RackoStateBase) -> None:
    """State for a position that no player who has had a turn in this round holds a complete rack (D5)."""
    had_a_turn = state.seating.seats_from_left_of(state.dealer)[: state.turns_done]
    for seat in had_a_turn if state.options.declare == "auto" else ():
        if not racks.is_racko(state.table.zones[state.board.racks[seat]], state.options.min_run):
            state_incomplete(state, seat)


def end_turn(state: RackoStateBase, seat: int) -> None:
    """END-OF-TURN: the turn cap (D6), the restock (D4), the left neighbour."""
    state.turns_done += 1
    if state.turns_done >= state.options.max_turns * len(state.board.racks):
        end_round(state, None)
        return
    if not state.table.zones[state.board.stock]:
        restock(state)
    state.turn = state.board.draw_turns[state.seating.seat_after(seat)]


def restock(state: RackoStateBase) -> None:
    """RESTOCK: the discards are turned over unshuffled, and the top card is turned up."""
    table, board = state.table, state.board
    table.turn_over(board.discard, board.stock, "restock")
    if state.options.restock_shuffle:
        table.shuffle(board.stock)
    table.draw(board.stock, board.discard, "up_card")


# ---- the round and the game: 2.3, 2.4


def end_round(state: RackoStateBase, declarer: int | None) -> None:
    """2.3: all racks are shown and scored."""
    table, board, options = state.table, state.board, state.options
    if declarer is None:
        table.tell("stalled")
    else:
        state.turns_done += 1  # the declarer's turn ends with the round
    for rack in board.racks:
        table.reveal(rack, "racko" if rack.owner == declarer else "rack")
    shown = tuple(tuple(card + 1 for card in table.zones[rack]) for rack in board.racks)
    points = round_points(shown, declarer, options)
    state.totals = [
        total + sum(points[seat] for seat in side) for total, side in zip(state.totals, state.sides, strict=True)
    ]
    state.last_round = RoundResult(declarer, points, shown, state.turns_done)
    table.tell("round_end", declarer=declarer, points=list(points), totals=list(state.totals))
    if is_over(state.totals, state.round_no, options):
        state.turn = None
    else:
        state.round_no += 1
        start_round(state, state.seating.seat_after(state.dealer))  # S10


def start_game(state: RackoStateBase) -> None:
    """S5: everybody draws a card from the deck, the highest deals; unless the options name the dealer."""
    table, board, dealer = state.table, state.board, state.options.first_dealer
    if dealer == "draw":
        table.shuffle(board.stock)
        dealer = racks.first_dealer([table.draw(board.stock, board.discard, "cut") for _ in board.racks])
    start_round(state, dealer)


def start_round(state: RackoStateBase, dealer: int) -> None:
    """S6, S8: all cards are collected, shuffled and dealt; the shuffle depends on the seed and the round alone."""
    state.collect_and_shuffle(state.board.stock, f"round-{state.round_no}")
    deal_round(state, dealer)


def deal_round(state: RackoStateBase, dealer: int) -> None:
    """S7, S8, S9: deal from the stock as it lies, #50 first."""
    table, board = state.table, state.board
    state.dealer, state.turns_done = dealer, 0
    table.tell("round", round=state.round_no, dealer=dealer)
    to = [board.racks[seat] for seat in state.seating.seats_from_left_of(dealer)]  # D2
    table.deal(board.stock, to, len(racks.SLOTS), range(len(racks.SLOTS) - 1, -1, -1))
    table.draw(board.stock, board.discard, "up_card")
    state.turn = board.draw_turns[state.seating.seat_after(dealer)]


def round_points(shown: Sequence[Sequence[int]], declarer: int | None, options: RackoOptions) -> tuple[int, ...]:
    """Section 3: the points of all seats for their racks; `declarer` None: the round is stalled."""
    if declarer is None and options.stalled_round == "void":
        return (0,) * len(shown)
    return tuple(
        racks.declarer_points(rack, options.bonus_runs) if seat == declarer else racks.points(rack)
        for seat, rack in enumerate(shown)
    )


def is_over(totals: Sequence[int], rounds_played: int, options: RackoOptions) -> bool:
    """2.4: somebody has the target (D7: with `extra_round`, alone in the lead), or enough rounds have been played."""
    if options.max_rounds is not None and rounds_played >= options.max_rounds:
        return True
    best = max(totals)
    return best >= options.target and (options.tie == "shared" or totals.count(best) == 1)
