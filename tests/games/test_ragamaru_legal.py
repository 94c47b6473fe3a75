"""The legal lists of RAGAMARU against the text of the rule book: sections 2.2, 2.3, 2.5 and 6."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss import IllegalAction
from pitboss_ragamaru.cards import BOX
from pitboss_ragamaru.messages import Action, Play
from pitboss_ragamaru.rules import PASS
from tests.games.ragamaru_reference import list_answers, list_plays
from tests.games.ragamaru_states import deal_game, hand_cards, set_up_game
from tests.games.random_play import play_randomly

FEW: Final = settings(max_examples=25)
SEEDS: Final = st.integers(0, 10**6).map("seed-{}".format)


def played_cards(actions: object) -> list[tuple[str, ...]]:
    """Return the cards of the plays among some actions."""
    return [action.cards for action in actions if isinstance(action, Play)]  # type: ignore[attr-defined]


def play_order(cards: tuple[str, ...]) -> tuple[int, list[int]]:
    """Section 6: by size, then by card order."""
    return len(cards), [BOX.index(card) for card in cards]


@FEW
@given(
    SEEDS,
    st.integers(2, 6),
    st.fixed_dictionaries(
        {
            "max_same": st.sampled_from([2, 3, 4]),
            "advantage": st.sampled_from(["coloured", "wild"]),
            "after_draw": st.sampled_from(["any", "drawn"]),
            "decline": st.sampled_from(["draw", "free"]),
        }
    ),
)
def test_every_decision_of_a_game(seed: str, seats: int, options: dict[str, object]) -> None:
    """The legal list is what the text allows, each play once, in the order of section 6."""
    max_same, advantage = options["max_same"], options["advantage"]
    assert isinstance(max_same, int)
    for state in play_randomly(deal_game(seed, seats, **options), seed, 80):
        if state.turn is None or state.turn.phase not in ("play", "drawn", "defend"):
            continue
        seat, phase = state.turn
        view, legal = state.view(seat), state.legal()
        if phase == "defend":
            assert view.pending is not None
            expected = list_answers(view.hand, view.pending, max_same)
        else:
            expected = list_plays(view.hand, view.field, max_same, str(advantage))
        if phase == "drawn" and options["after_draw"] == "drawn":
            expected = {cards for cards in expected if view.drawn in cards}

        assert played_cards(legal) == sorted(expected, key=play_order)
        assert [type(action).__name__ for action in legal[len(expected) :]] == final_actions(
            phase, bool(expected), view.stock + view.pile > 0, options["decline"] == "free"
        )


def final_actions(phase: str, has_play: bool, can_draw: bool, is_free: bool) -> list[str]:
    """2.3: return what a legal list ends with, after the plays."""
    if phase != "play":
        return ["Pass"] if phase == "drawn" else ["Take"]
    if not can_draw:
        return ["Pass"]
    return ["Pass", "Draw"] if has_play and is_free else ["Draw"]


@FEW
@given(SEEDS, st.lists(st.sampled_from(BOX), min_size=1, max_size=3).map(tuple))
def test_any_cards_at_all(seed: str, cards: tuple[str, ...]) -> None:
    """A play that is not in the legal list is refused, and nothing has changed; one that is there is not."""
    *_, state = play_randomly(deal_game(seed, 3), seed, 30)
    if state.turn is None:
        return
    action, before = Play(cards), state.position()
    if action in state.legal():
        state.copy().play(action)
        return

    with pytest.raises(IllegalAction, match="legal:"):
        state.play(action)
    assert state.position() == before


@pytest.mark.parametrize("copies", [["RES", "RES"], ["SIN", "SIN"], ["RAG", "RAG"]])
def test_equal_cards(copies: list[str]) -> None:
    """Two equal cards are listed once alone and once together (D7)."""
    state = set_up_game({"hands": [[*copies, "K9"], ["K1"]], "field": {"card": "R1"}})

    assert played_cards(state.legal()) == [(copies[0],), tuple(copies)]


@pytest.mark.parametrize("copies", [["TMO", "TMO"], ["CV", "CV"]])
def test_equal_cards_that_never_go_together(copies: list[str]) -> None:
    """D7: two TMO or two Conversions answer one at a time."""
    pending = {"attack": "TRY", "draw": 5, "converted": False}
    state = set_up_game(
        {"phase": "defend", "hands": [[*copies, "K9"], ["K1"]], "field": {"card": "R-TRY"}, "pending": pending}
    )

    assert played_cards(state.legal()) == [(copies[0],)]
    refused: Action = Play(tuple(copies))
    with pytest.raises(IllegalAction):
        state.play(refused)


def test_four_of_a_family() -> None:
    """D6, `max_same` 4: the first must fit, any can be the last, those between are listed in one order."""
    state = set_up_game({"hands": [["R7", "Y7", "B7", "K7"], ["K1"]], "field": {"card": "R1"}}, max_same=4)

    four = [cards for cards in played_cards(state.legal()) if len(cards) == 4]

    assert four == [("R7", "Y7", "B7", "K7"), ("R7", "Y7", "K7", "B7"), ("R7", "B7", "K7", "Y7")]
    state.play(Play(four[1]))
    assert state.result == "out"
    assert hand_cards(state, 0) == []
    assert state.view(0).field.card == "B7"


def test_pass_at_once_without_a_play() -> None:
    """D9, `decline` = `free`: who has no play has to draw; who may not pass at once at all, too."""
    for cards, decline in ((["K2", "B3"], "free"), (["R-CUT"], "free"), (["R2", "B3"], "draw")):
        state = set_up_game({"hands": [cards, ["K1"]], "field": {"card": "R1"}}, decline=decline)

        with pytest.raises(IllegalAction, match="Draw"):
            state.play(PASS)
