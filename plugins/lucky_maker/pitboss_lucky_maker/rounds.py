"""The end of a trick, and the games of a series: sections 2.2 to 3 of the rule book."""

from __future__ import annotations

from pitboss import outcome_by_side
from pitboss_lucky_maker.deck import CATEGORY_CARDS, COMPLEMENT, FOLLOWS
from pitboss_lucky_maker.state import LuckyMakerStateBase
from pitboss_lucky_maker.trick import TrickResult, decide_trick, lead_after


def learn_void(state: LuckyMakerStateBase, seat: int) -> None:
    """2.4: who did not follow holds neither suit of the master, so only cards of its complement."""
    if state.voids[seat] is None and state.table.zones[state.board.hands[seat]]:
        [master] = state.table.zones[state.board.master]
        state_void(state, seat, master // 10)


def state_void(state: LuckyMakerStateBase, seat: int, category: int) -> None:
    """State that a hand is known to hold no suit of a category."""
    state.voids = (*state.voids[:seat], category, *state.voids[seat + 1 :])
    state.table.restrict(state.table.zones[state.board.hands[seat]], CATEGORY_CARDS[COMPLEMENT[category]])


def resolve_trick(state: LuckyMakerStateBase, trick: list[int]) -> None:
    """2.2, 2.3: decide the trick, score it, and go on."""
    table, board, lead = state.table, state.board, state.lead
    [master] = table.zones[board.master]
    decision = decide_trick(master, trick)
    state.past_tricks.append((master, lead, tuple(trick), decision))
    state.lead = lead_after(decision, lead, board.seats, state.options)
    if decision.winner is None:
        winner, event, pile = None, "remove", board.removed
    else:
        winner = board.seats_from[lead][decision.winner]
        event, pile = "take", board.won[winner]
        state.scores[winner] += decision.points
    if table.log is not None:
        _tell_trick(state, decision, winner)
    table.draw(board.master, pile, event)  # D9, D15: what was played stays public
    table.turn_over(board.trick, pile, event)
    if table.zones[board.masters]:
        _reveal_master(state)
    else:
        _end_game(state)


def _tell_trick(state: LuckyMakerStateBase, decision: TrickResult, winner: int | None) -> None:
    """Section 6: say how the trick was decided; the counts are those of the master's suits."""
    state.table.tell(
        "trick",
        follow=decision.follow,
        counts=[*decision.counts],
        winner=winner,
        points=decision.points,
        rules=[*decision.rules],
        next_lead=state.lead,
    )


def _reveal_master(state: LuckyMakerStateBase) -> None:
    """REVEAL: the next master is turned up before the leader plays."""
    master = state.table.draw(state.board.masters, state.board.master, "master")
    state.follows = FOLLOWS[master // 10]
    state.turn = state.board.turns[state.lead]


def resume_play(state: LuckyMakerStateBase) -> None:
    """Set the turn from how the cards lie: for a position that was set up."""
    zones, board = state.table.zones, state.board
    [master] = zones[board.master]
    state.follows = FOLLOWS[master // 10]
    state.turn = board.turns[board.seats_from[state.lead][len(zones[board.trick])]]


def _end_game(state: LuckyMakerStateBase) -> None:
    """Section 3: after the last trick the next game of the series is dealt, or the series is over."""
    totals = state.series_totals()
    outcome = outcome_by_side(totals, state.board.sides)
    state.table.tell("end", game=state.game_no, scores=[*state.scores], totals=[*totals], ranks=list(outcome.places))
    if state.game_no == state.options.games:
        state.turn = None
        return
    state.totals, state.scores = totals, [0] * state.board.seats
    state.game_no += 1
    start_game(state)


def start_game(state: LuckyMakerStateBase) -> None:
    """D12, D13: collect and shuffle all cards, and deal."""
    state.collect_and_shuffle(state.board.masters, f"deal-{state.game_no}")
    deal_game(state, _choose_first_lead(state))


def _choose_first_lead(state: LuckyMakerStateBase) -> int:
    """D1: by lot, then one seat on in each game; or as the option `start` has it."""
    start, seats = state.options.start, state.board.seats
    if start == "random" or (start == "rotate" and state.game_no == 1):
        return state.table.draw_lot(seats)
    return 0 if state.game_no == 1 else (state.first_lead + 1) % seats


def deal_game(state: LuckyMakerStateBase, start: int) -> None:
    """D10: deal from the pile as it lies, one card at a time, seat 0 first; what remains are the masters."""
    table, board = state.table, state.board
    state.first_lead = state.lead = start
    state.past_tricks, state.trick_messages, state.voids = [], (), (None,) * board.seats
    table.tell("game", game=state.game_no, lead=start)
    table.deal(board.masters, board.hands, board.tricks)
    state.sort_hands()
    _reveal_master(state)
