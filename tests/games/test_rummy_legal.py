"""The legal list of Rummy against one that is made from the words of the rule book, card by card."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss import Random
from pitboss.plugins.packs import STANDARD_PACK
from pitboss_rummy.melds import GroupRules, MeldTable
from pitboss_rummy.messages import Action, Discard, Draw, Layoff, Meld, RummyOptions, Take
from pitboss_rummy.state import RummyState
from tests.games.players import lay_down
from tests.games.rummy_states import deal_game

FEW: Final = settings(max_examples=50)
SEEDS: Final = st.integers(0, 10**6).map("seed-{}".format)
SUITS: Final = "SHDC"
RANKS: Final = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
ORDER: Final = [suit + rank for suit in SUITS for rank in RANKS]


def is_sequence(faces: list[str]) -> bool:
    """Section 1: three or more of one suit with consecutive ranks, the ace below the 2 alone."""
    ranks = [RANKS.index(face[1:]) for face in faces]
    return (
        len(faces) >= 3
        and len({face[0] for face in faces}) == 1
        and ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    )


def is_group(faces: list[str], options: RummyOptions) -> bool:
    """Section 1, D12: three or more of one rank, at most `group_max`, each card once or in both copies."""
    if not 3 <= len(faces) <= options.group_max or len({face[1:] for face in faces}) != 1:
        return False
    return options.group_copies or len(set(faces)) == len(faces)


def is_meld(faces: list[str], options: RummyOptions) -> bool:
    """Tell whether cards in any order are a meld."""
    faces = sorted(faces, key=ORDER.index)
    return is_sequence(faces) or is_group(faces, options)


@cache
def list_melds(options: RummyOptions) -> list[list[str]]:
    """6.2: sequences by suit, lowest rank and length; groups by rank, size and suits."""
    runs = [
        ORDER[13 * suit + low : 13 * suit + low + length]
        for suit in range(4)
        for low in range(13)
        for length in range(3, 14 - low)
    ]
    groups = [
        [suit + rank for suit in suits]
        for rank in RANKS
        for size in range(3, options.group_max + 1)
        for suits in combinations_with_replacement(SUITS, size)
    ]
    return [run for run in runs if is_sequence(run)] + [group for group in groups if is_group(group, options)]


def melds_in_hand(hand: list[str], options: RummyOptions) -> list[list[str]]:
    """Return the melds whose cards are in the hand, copies counted."""
    held, different = Counter(hand), set(hand)
    return [meld for meld in list_melds(options) if different.issuperset(meld) and not Counter(meld) - held]


def expected_actions(state: RummyState, did_meld: bool) -> list[Action]:
    """2.1: all that the player on turn may do in PLAY."""
    assert state.turn is not None
    seat, options = state.turn.seat, state.options
    view = state.view(seat)
    hand, different = view.hand, sorted(set(view.hand), key=ORDER.index)
    may_meld = not (options.melds_per_turn and did_meld)
    melds = [Meld(tuple(meld)) for meld in melds_in_hand(hand, options) if may_meld]
    may_lay_off = not options.layoff_needs_meld or any(meld.owner == seat for meld in view.melds)
    layoffs = [
        Layoff(face, meld.id)
        for face in different
        for meld in view.melds
        if may_lay_off and is_meld([*meld.cards, face], options)
    ]
    if options.must_discard_out:
        melds = [meld for meld in melds if len(meld.cards) < len(hand)]
        layoffs = [layoff for layoff in layoffs if len(hand) > 1]
    banned = None if options.discard_taken or set(hand) == {view.taken} else view.taken
    return [*melds, *layoffs, *(Discard(face) for face in different if face != banned)]


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, dict[str, object]]:
    """Return a number of seats and options; hands are large, so that there is much to lay down."""
    seats, decks = draw(st.integers(2, 4)), draw(st.sampled_from([1, 2]))
    options: dict[str, object] = {
        "decks": decks,
        "hand_size": draw(st.integers(3, (52 * decks - 2) // seats)),
        "melds_per_turn": draw(st.sampled_from([None, 1])),
        "layoff_needs_meld": draw(st.booleans()),
        "must_discard_out": draw(st.booleans()),
        "discard_taken": draw(st.booleans()),
        "group_copies": draw(st.booleans()),
        "group_max": draw(st.integers(4, 8)) if decks == 2 else 4,
        "stock_out": draw(st.sampled_from(["turn_over", "reshuffle"])),
        "deals": 1,
        "max_turns": 5,
    }
    return seats, options


@FEW
@given(tables(), SEEDS)
def test_legal_list(table: tuple[int, dict[str, object]], seed: str) -> None:
    """At every decision the list is the rule book's, complete and in its order."""
    seats, options = table
    state, rng, did_meld = deal_game(seed, seats, **options), Random(seed), False

    while state.turn is not None:
        if state.turn.phase == "draw":
            did_meld = False
            assert list(state.legal()) == [Draw(), Take()]
        else:
            assert list(state.legal()) == expected_actions(state, did_meld)
        action = lay_down(state, rng)
        did_meld = did_meld or isinstance(action, Meld)
        state.play(action)


@pytest.mark.parametrize(("held", "sequences"), [(3, 1), (5, 6), (9, 28), (11, 45), (13, 66)])
def test_cards_in_a_row(held: int, sequences: int) -> None:
    """6.2: a stretch of L cards gives (L-1)(L-2)/2 sequences, eleven cards at most 45."""
    table = MeldTable(STANDARD_PACK.faces, GroupRules(4, False))

    assert [len(table.all_melds((1 << held) - 1 << 13 * suit, 0)) for suit in range(4)] == [sequences] * 4
    assert sequences == (held - 1) * (held - 2) // 2
