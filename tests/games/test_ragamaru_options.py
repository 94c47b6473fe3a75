"""The options of RAGAMARU: the deck of each preset, and what `level` means."""

from __future__ import annotations

import pytest

from pitboss.game import resolve_options
from pitboss_ragamaru.cards import KICK_OFF, places_in
from pitboss_ragamaru.game import Ragamaru
from tests.games.ragamaru_states import make_options

GAME = Ragamaru()


@pytest.mark.parametrize(
    ("preset", "cards"),
    [
        ("beginner", 107),
        ("beginner_fixed_seats", 103),
        ("advanced", 109),
        ("advanced_fixed_seats", 105),
        ("literal", 109),
        (None, 109),
    ],
)
@pytest.mark.parametrize("seats", [2, 10])
def test_preset(preset: str | None, cards: int, seats: int) -> None:
    """Every preset can be played by any number, has its deck, and resolving it twice changes nothing."""
    options = resolve_options(GAME, seats, preset)

    assert options.resolve(seats) == options
    assert len(places_in(options.conversion, options.loop)) + len([KICK_OFF]) == cards


@pytest.mark.parametrize(("level", "conversion"), [("beginner", False), ("advanced", True)])
def test_level(level: str, conversion: bool) -> None:
    """Section 4: a level is another name for with or without Conversion cards.

    To say both is allowed where they agree.
    """
    by_level = make_options(4, level=level)

    assert by_level.conversion is conversion
    assert by_level == make_options(4, conversion=conversion) == make_options(4, level=level, conversion=conversion)
