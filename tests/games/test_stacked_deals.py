"""Stacked deals of the four games: what a test asks for is dealt, whether they shuffle once or twice, or draw lots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from pitboss import AnyGame
from pitboss.game import resolve_options
from pitboss.table.zones import ZoneKind
from pitboss.testing import stack_deal
from pitboss_lucky_maker.game import LuckyMaker
from pitboss_racko.game import Racko
from pitboss_ragamaru.game import Ragamaru
from pitboss_rummy.game import Rummy


@pytest.mark.parametrize(
    ("game", "seats", "options", "dealt"),
    [
        (Racko(), 2, {}, {"rack 0": "5 40 10 35", "rack 1": "1 2", "discard": "20", "stock": "30 31"}),
        (Racko(), 3, {"first_dealer": "draw"}, {"rack 2": "5 40 10 35", "stock": "30 31"}),
        (Rummy(), 3, {}, {"hand 0": "H2 H3 H4", "hand 2": "SA", "discard": "DK", "stock": "C2 C3"}),
        (LuckyMaker(), 3, {}, {"hand 0": "G10Y1", "hand 2": "R1B10"}),
        (Ragamaru(), 4, {}, {"hand 3": "RAG RAG R-TRY", "hand 0": "K1", "stock": "SIN Y1"}),
    ],
    ids=["racko", "racko-two-shuffles", "rummy", "lucky-maker", "ragamaru"],
)
def test_a_stacked_deal(game: AnyGame, seats: int, options: Mapping[str, object], dealt: Mapping[str, str]) -> None:
    """The faces lie where they were asked for, and the game goes on."""
    table = (state := stack_deal(game, seats, dealt, options=resolve_options(game, seats, overrides=options))).table

    for zone in table.layout.zones:
        asked, found = dealt.get(zone.name, "").split(), [str(face) for face in table.faces(zone)]
        lying = found[::-1] if zone.name in ("stock", "discard") else found
        if zone.kind is ZoneKind.HAND:
            assert not Counter(asked) - Counter(found)
        else:
            assert lying[: len(asked)] == asked
    assert state.legal()
