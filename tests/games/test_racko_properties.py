"""What is true of every game of Rack-O, whoever plays and however."""

from __future__ import annotations

from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss_racko.messages import RackoOptions
from pitboss_racko.state import RackoState
from tests.games.racko_states import deal_game, make_options
from tests.games.random_play import play_randomly

FEW: Final = settings(max_examples=150)
SEEDS: Final = st.integers(0, 10**6).map("seed-{}".format)
COUNTS: Final = {"draw": (11, 12), "place": (11, 11), "declare": (2, 2)}


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, dict[str, object]]:
    """Return a number of seats and options that are allowed for it; the games are short."""
    seats = draw(st.integers(2, 4))
    options: dict[str, object] = {
        "deck_size": draw(st.none() | st.integers(10 * seats + 2, 60)),
        "bonus_runs": draw(st.booleans()),
        "declare": draw(st.sampled_from([None, "auto", "choice"])),
        "may_return_discard": draw(st.booleans()),
        "restock_shuffle": draw(st.booleans()),
        "stalled_round": draw(st.sampled_from(["score", "void"])),
        "max_turns": draw(st.integers(1, 12)),
        "max_rounds": draw(st.integers(1, 3)),
        "min_run": draw(st.sampled_from([0, 3])) if seats == 2 else 0,
        "partners": draw(st.booleans()) if seats == 4 else False,
    }
    return seats, options


@FEW
@given(tables(), SEEDS)
def test_any_game(table: tuple[int, dict[str, object]], seed: str) -> None:
    """Every card lies in one place, the piles hold the rest, and the legal list has the rule book's length."""
    seats, given_options = table
    options = make_options(seats, **given_options)
    rounds = 1

    for state in play_randomly(deal_game(seed, seats, **given_options), seed):
        piles = len(state.table.zones[state.board.stock]) + len(state.table.zones[state.board.discard])
        held = sum(len(state.table.zones[hand]) for hand in state.board.hands)
        assert sorted(card for zone in state.table.zones for card in zone) == list(range(options.deck_size or 0))
        assert piles + held == (options.deck_size or 0) - 10 * seats
        assert [len(state.table.zones[rack]) for rack in state.board.racks] == [10] * seats
        assert_decision(state, options, held)
        assert state.round_no in (rounds, rounds + 1)
        rounds = state.round_no
    assert rounds == options.max_rounds or max(state.totals) >= options.target


def assert_decision(state: RackoState, options: RackoOptions, held: int) -> None:
    """Assert 2.1: who may decide what, and D4: both piles hold a card when a player is to draw."""
    if state.turn is None:
        assert len(state.legal()) == 0
        return
    phase = state.turn.phase
    assert len(state.legal()) == COUNTS[phase][options.may_return_discard]
    assert held == (phase == "place")
    assert phase != "draw" or (state.table.zones[state.board.stock] and state.table.zones[state.board.discard])
    assert state.turns_done < options.max_turns * len(state.board.racks)
    assert phase != "declare" or options.declare == "choice"


@FEW
@given(tables(), SEEDS)
def test_points_of_any_round(table: tuple[int, dict[str, object]], seed: str) -> None:
    """Section 3: 5 to 50 in fives, 75 and the bonus for a declarer, nothing in a void round.

    Totals are sums of points.
    """
    seats, given_options = table
    state = deal_game(seed, seats, **given_options)
    totals = [0] * len(state.sides)
    seen = state.last_round

    for now in play_randomly(state, seed):
        if now.last_round is seen or now.last_round is None:
            continue
        seen = now.last_round
        others = [points for seat, points in enumerate(seen.points) if seat != seen.declarer]
        void = seen.declarer is None and now.options.stalled_round == "void"
        assert all(points == 0 if void else points in range(5, 51, 5) for points in others)
        assert seen.declarer is None or seen.points[seen.declarer] in (75, 125, 175, 275, 475)
        totals = [old + sum(seen.points[seat] for seat in side) for old, side in zip(totals, now.sides, strict=True)]
        assert now.totals == totals
    assert seen is not None


@FEW
@given(tables(), SEEDS)
def test_legal_list_and_play_agree(table: tuple[int, dict[str, object]], seed: str) -> None:
    """Every legal action can be played, and leads to a decision or the end; the neutral action is one of them."""
    seats, given_options = table

    for state in play_randomly(deal_game(seed, seats, **given_options), seed, max_decisions=6):
        if state.turn is None:
            return
        assert state.neutral() in state.legal()
        for action in state.legal():
            state.copy().play(action)
