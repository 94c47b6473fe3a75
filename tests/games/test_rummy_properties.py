"""What is true of every game of Rummy, whoever plays and however."""

from __future__ import annotations

from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss import Random
from pitboss_rummy.messages import Discard, Layoff, Meld, TableMeld
from pitboss_rummy.state import RummyState
from tests.games.players import lay_down
from tests.games.random_play import play_randomly
from tests.games.rummy_states import deal_game, make_options

FEW: Final = settings(max_examples=100)
SEEDS: Final = st.integers(0, 10**6).map("seed-{}".format)


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, dict[str, object]]:
    """Return a number of seats and options that are allowed for it; the games are short."""
    seats, decks = draw(st.integers(2, 6)), draw(st.sampled_from([1, 2]))
    scoring, single = draw(st.sampled_from(["winner", "chips", "penalty"])), draw(st.booleans())
    options: dict[str, object] = {
        "hand_size": draw(st.none() | st.integers(1, (52 * decks - 2) // seats)),
        "decks": decks,
        "melds_per_turn": 1 if single else None,
        "layoff_needs_meld": draw(st.booleans()),
        "stock_out": draw(st.sampled_from(["turn_over", "reshuffle"])),
        "must_discard_out": draw(st.booleans()),
        "going_rummy": "off" if single else draw(st.sampled_from(["double", "off", None])),
        "scoring": scoring,
        "deals": draw(st.integers(1, 3)),
        "points": draw(st.none() | st.integers(1, 50)),
        "discard_taken": draw(st.booleans()),
        "group_max": draw(st.integers(4, 8)) if decks == 2 else 4,
        "max_turns": draw(st.integers(1, 12)),
        "stalled_deal": draw(st.sampled_from(["void", "block"])),
    }
    return seats, options


@FEW
@given(tables(), SEEDS)
def test_any_game(table: tuple[int, dict[str, object]], seed: str) -> None:
    """Every card lies in one place, and between turns the piles hold what the hands were not dealt.

    Some deal is the last.
    """
    seats, given_options = table
    options = make_options(seats, **given_options)
    cards, dealt_cards = 52 * options.decks, seats * (options.hand_size or 0)

    for state in play_randomly(deal_game(seed, seats, **given_options), seed):
        zones, board = state.table.zones, state.board
        assert sorted(card for zone in zones for card in zone) == list(range(cards))
        assert state.hand_masks == [sum(1 << card for card in zones[hand]) for hand in board.hands]
        if state.turn is None:
            assert state.deal_no == options.deals or max(state.totals) >= (options.points or 0)
            continue
        piles = len(zones[board.stock]) + len(zones[board.discard])
        assert piles == cards - dealt_cards - (state.turn.phase == "play")
        assert all(zones[hand] for hand in board.hands)
        assert state.turns_done < options.max_turns * seats
        if state.turn.phase == "draw":
            assert zones[board.discard]
            assert zones[board.stock] or options.stock_out == "turn_over"


@FEW
@given(tables(), SEEDS)
def test_table_of_any_game(table: tuple[int, dict[str, object]], seed: str) -> None:
    """Section 1: what lies on the table is a meld at all times, shown as it lies; melds only grow (D10)."""
    seats, given_options = table
    state, rng = deal_game(seed, seats, **given_options), Random(seed)
    deal, before = 0, list[TableMeld]()
    while state.turn is not None:
        view = state.view(seats)
        for meld, zone in zip(view.melds, state.board.melds, strict=False):
            assert sorted(state.table.faces(zone)) == sorted(meld.cards)
            again = state.board.find_meld(meld.cards)
            assert again is not None and again.kind == meld.kind
        if state.deal_no == deal:
            assert all(set(old.cards) <= set(new.cards) for old, new in zip(before, view.melds, strict=False))
        deal, before = state.deal_no, view.melds
        state.play(lay_down(state, rng))


@FEW
@given(tables(), SEEDS)
def test_scores_of_any_deal(table: tuple[int, dict[str, object]], seed: str) -> None:
    """Section 3: totals are sums of scores.

    Chips sum to zero, a winner is the only one to score, a void deal scores nothing.
    """
    seats, given_options = table
    state, rng = deal_game(seed, seats, **given_options), Random(seed)
    totals, seen = [0] * seats, state.last_deal

    while state.turn is not None:
        state.play(lay_down(state, rng))
        if state.last_deal is seen or state.last_deal is None:
            continue
        seen = state.last_deal
        assert_scores(state, seen.scores, seen.winner)
        totals = [old + new for old, new in zip(totals, seen.scores, strict=True)]
        assert state.totals == totals
    assert seen is not None


def assert_scores(state: RummyState, scores: tuple[int, ...], winner: int | None) -> None:
    """Assert what section 3 says of the scores of a deal."""
    scoring = state.options.scoring
    if winner is None and state.options.stalled_deal == "void":
        assert set(scores) == {0}
    if scoring == "chips":
        assert sum(scores) == 0
    elif scoring == "winner":
        assert min(scores) >= 0 and sum(score > 0 for score in scores) <= 1
    else:
        assert min(scores) >= 0 and (winner is None or scores[winner] == 0)


@FEW
@given(tables(), SEEDS)
def test_turns_and_clean_players(table: tuple[int, dict[str, object]], seed: str) -> None:
    """2.1, 2.2: turns go to the left and end with a discard.

    Who has melded or laid off in an earlier turn is not clean, and goes no Rummy.
    """
    seats, given_options = table
    state, rng = deal_game(seed, seats, **given_options), Random(seed)
    active, laid = set[int](), False
    while (turn := state.turn) is not None:
        assert state.view(seats).clean == [seat not in active for seat in range(seats)]
        action, deal, was_clean = lay_down(state, rng), state.deal_no, turn.seat not in active
        state.play(action)
        laid = laid or isinstance(action, Meld | Layoff)
        if state.last_deal is not None and (state.deal_no != deal or state.turn is None):
            rummy_counts = state.options.going_rummy != "off" and state.last_deal.winner is not None
            assert state.last_deal.rummy == (rummy_counts and was_clean)
            assert state.last_deal.winner in (turn.seat, None)
            active, laid = set(), False
        elif isinstance(action, Discard):
            assert state.turn is not None and state.turn.seat == (turn.seat + 1) % seats
            active, laid = active | ({turn.seat} if laid else set()), False
        else:
            assert state.turn == (turn.seat, "play")


@FEW
@given(tables(), SEEDS)
def test_legal_list_and_play_agree(table: tuple[int, dict[str, object]], seed: str) -> None:
    """Every legal action can be played, and leads to a decision or the end; the neutral action is one of them (D18)."""
    seats, given_options = table

    for state in play_randomly(deal_game(seed, seats, **given_options), seed, max_decisions=8):
        if state.turn is None:
            return
        neutral, view = state.neutral(), state.view(state.turn.seat)
        assert neutral in state.legal()
        if state.turn.phase == "play":
            from_stock = view.drawn if view.taken is None and view.drawn in view.hand else None
            assert neutral == (Discard(from_stock) if from_stock else state.legal()[-1])
        for action in state.legal():
            state.copy().play(action)
