"""Chance: an imagined table tells the shuffles and lots that would have led to it."""

from __future__ import annotations

from pitboss import Random
from pitboss.determinization.sampling import sample_world
from tests.core.brute_force_worlds import ScriptStep, SmallLayout, run_script

LAYOUT = SmallLayout(5, 2)


def test_lots_are_kept() -> None:
    """A lot that was drawn is part of the past, in the order of things."""
    table = run_script(LAYOUT, [ScriptStep("shuffle", LAYOUT.stock)], "deal")
    drawn = [table.draw_lot(6) for _ in range(3)]

    world = sample_world(table, 0, Random("x"))

    assert (world.chance_events or [])[1:] == (table.chance_events or [])[1:] == drawn


def test_hidden_cards_mixed_with_others() -> None:
    """With private mixing a world has no chance events: shuffles do not tell which card was passed unseen."""
    [one, two] = LAYOUT.hands
    known = [
        ScriptStep("shuffle", LAYOUT.stock),
        ScriptStep("draw", LAYOUT.stock, LAYOUT.light),
        ScriptStep("draw", LAYOUT.light, one),
    ]

    table = run_script(LAYOUT, [*known, ScriptStep("draw", LAYOUT.stock, one), ScriptStep("pass", one, two, 1)], "deal")

    assert sample_world(table, 2, Random("x")).chance_events is None
    assert table.chance_events == run_script(LAYOUT, known, "deal").chance_events


def test_a_table_without_a_log() -> None:
    """A copy for looking ahead has no past, and so its worlds have none."""
    table = run_script(LAYOUT, [ScriptStep("shuffle", LAYOUT.stock)], "deal").copy()

    assert sample_world(table, 0, Random("x")).chance_events is None
