"""Runs the cases of Gin Rummy, in the form of section 8 of its rule book: counts, entries, or play from a position."""

from __future__ import annotations

from typing import Final

import msgspec

from pitboss.game import resolve_options
from pitboss_gin_rummy.game import GinRummy
from pitboss_gin_rummy.scoring import begin_games, count_deal, count_totals, enter_deal, is_won
from tests.rules.case_input import CaseInput
from tests.rules.comparison import CaseFacts
from tests.rules.trick_cases import CountCases, make_trick_runner

GAME: Final = GinRummy()


class LooseCards(CaseInput, frozen=True):
    """What knockers and the others have loose, in several deals."""

    loose: list[int]
    left: list[int]
    big: bool = False


class KnockCountInput(CaseInput, frozen=True):
    """Knocks to count."""

    count: LooseCards
    preset: str | None = None
    options: dict[str, object] = msgspec.field(default_factory=dict)


class EntriesInput(CaseInput, frozen=True):
    """Deals that were won, each with seat and points, to write down."""

    entries: list[tuple[int, int]]
    preset: str | None = None
    options: dict[str, object] = msgspec.field(default_factory=dict)


def count_knocks(given: KnockCountInput) -> CaseFacts:
    """G13 to G15: return the points of the knocker and of the other in each deal."""
    options = resolve_options(GAME, 2, given.preset, given.options)
    pairs = zip(given.count.loose, given.count.left, strict=True)
    counts = [count_deal(loose, left, given.count.big, options) for loose, left in pairs]
    return {
        "knocker": [one.points if one.is_knocker else 0 for one in counts],
        "other": [0 if one.is_knocker else one.points for one in counts],
    }


def write_entries(given: EntriesInput) -> CaseFacts:
    """G16 to G18: return the games after some deals."""
    options = resolve_options(GAME, 2, given.preset, given.options)
    games = begin_games(2, options)
    for seat, points in given.entries:
        games = enter_deal(games, seat, points, options)
    return {
        "points": [list(game.points) for game in games],
        "lines": [list(game.lines) for game in games],
        "totals": count_totals(games, options),
        "over": all(is_won(game, options) for game in games),
    }


run_case: Final = make_trick_runner(
    GAME,
    CountCases("count", KnockCountInput, count_knocks),
    CountCases("entries", EntriesInput, write_entries),
    seats=2,
)
