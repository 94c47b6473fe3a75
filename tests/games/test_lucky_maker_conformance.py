"""Lucky Maker is put through the conformance suite."""

from __future__ import annotations

import pytest

from pitboss import Random
from pitboss.testing import check_game
from pitboss_lucky_maker.cards import CARD_BY_FACE, COMPLEMENT
from pitboss_lucky_maker.game import LuckyMaker
from pitboss_lucky_maker.messages import Play
from pitboss_lucky_maker.state import LuckyMakerState

pytestmark = pytest.mark.once


def choose_hoarding(state: LuckyMakerState, rng: Random) -> Play:
    """Keep the cards of one category if possible.

    Sooner or later one cannot follow, and everybody knows what is left.
    """
    view = state.view(state.turn.seat if state.turn else 0)
    kept = CARD_BY_FACE[view.hand[-1]] // 10
    apart = [play for play in state.legal() if CARD_BY_FACE[play.card] // 10 not in (kept, COMPLEMENT[kept])]
    others = [play for play in state.legal() if CARD_BY_FACE[play.card] // 10 != kept]
    return rng.choice(apart or others or state.legal())


@pytest.mark.parametrize(
    ("seats", "presets"),
    [
        (3, ["single"]),
        *(pytest.param(seats, None if seats == 3 else [], marks=pytest.mark.long) for seats in (3, 4, 5)),
    ],
)
def test_played_at_random(seats: int, presets: list[str] | None) -> None:
    """Every preset keeps every promise, and larger tables do."""
    assert check_game(LuckyMaker(), seats=[seats], presets=presets, games=1).failures == []


@pytest.mark.long
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_played_by_hoarders(seats: int) -> None:
    """Where players are soon void of suits, and all know it, every promise is kept."""
    assert check_game(LuckyMaker(), seats=[seats], presets=["single"], games=1, player=choose_hoarding).failures == []


@pytest.mark.long
@pytest.mark.parametrize(
    "options",
    [{"games": 2, "void_lead": "next", "start": "random"}, {"games": 5, "tie_lead": "winner", "start": "seat0"}],
    ids=str,
)
def test_played_with_other_options(options: dict[str, object]) -> None:
    """Option sets that no preset has keep every promise."""
    assert (
        check_game(LuckyMaker(), seats=[3], presets=[], options=options, games=1, player=choose_hoarding).failures == []
    )
