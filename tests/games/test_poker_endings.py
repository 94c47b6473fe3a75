"""Games of poker that are played at random come to an end, and no chip is lost on the way."""

from __future__ import annotations

import pytest

from pitboss.simulation.random_play import choose_from_words, play_decisions
from pitboss_poker.messages import PRESETS, Call, Check
from tests.games.poker_states import deal_poker


@pytest.mark.parametrize("preset", PRESETS)
def test_random_games(preset: str) -> None:
    """At every decision all chips are on the table; at the end all have been paid out."""
    for seats in (2, 3, 6, 10):
        state = deal_poker(seats, preset, seed=f"{preset}/{seats}")
        chips = state.options.stack * seats
        for _ in play_decisions(state, choose_from_words(preset)):
            assert state.turn is None or sum(state.stacks) + sum(state.paid) == chips

        assert state.turn is None
        assert sum(state.stacks) == chips
        assert sum(state.outcome().points) == 0


def test_a_match_with_levels() -> None:
    """With stacks that carry and blinds that double one player has all chips in the end, whoever checks and calls."""
    for seats in (2, 5, 10):
        state = deal_poker(seats, "tournament", seed=seats, level_hands=2)
        while state.turn is not None:
            state.play(Call() if state.to_call else Check())

        assert max(state.stacks) == 1500 * seats
        assert sorted(state.outcome().places)[:2] == [1, 2]


def test_cards_do_not_depend_on_the_play_before() -> None:
    """The second hand has the same deck whatever happened in the first."""
    decks = []
    for choice in (0, -1):
        state = deal_poker(2, "limit", seed="deck")
        while state.hand_no == 1:
            state.play(state.legal()[choice])  # type: ignore[arg-type]
        zones = state.table.zones
        decks.append([zones[state.stock], *[zones[hand] for hand in state.hands]])

    assert decks[0] == decks[1]


def test_the_button_goes_round() -> None:
    """Everybody has the button and each blind once in as many hands as players; a game has whole rounds."""
    state = deal_poker(6)
    seen = [(state.button, state.small_seat, state.big_seat)]
    for _ in play_decisions(state, lambda state, legal: legal[0]):
        if state.button != seen[-1][0]:
            seen.append((state.button, state.small_seat, state.big_seat))

    assert [(5, 0, 1), (0, 1, 2), (1, 2, 3), (2, 3, 4), (3, 4, 5), (4, 5, 0)] * 4 == seen  # 24 hands: 20 and some more


@pytest.mark.parametrize("preset", ["no-limit", "limit", "leduc", "kuhn"])
def test_the_cards_are_the_same_whether_anything_is_recorded(preset: str) -> None:
    """A hand that nobody records shuffles no more of the deck than it may deal."""
    for seats in (2, 3, 10):
        shown, bare = (deal_poker(seats, preset, seed=f"record/{seats}") for _ in range(2))
        bare.table.stop_logging()
        while shown.turn is not None:
            action = Call() if shown.to_call else Check()
            shown.play(action)
            bare.play(action)
            dealt = [[state.table.zones[zone] for zone in (*state.hands, state.board)] for state in (shown, bare)]
            assert dealt[0] == dealt[1]

        assert shown.outcome() == bare.outcome()
        assert shown.hand_no == bare.hand_no > 1
