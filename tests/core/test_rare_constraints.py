"""Constraints that hardly any deal satisfies: the Markov chain and the mixing histories find every world."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable

from pitboss import Deck, Layout, Random, Table, Visibility
from pitboss.determinization.sampling import sample_world
from tests.core.brute_force_worlds import (
    MAX_CHI_SQUARE_EXCESS,
    CardPositions,
    ScriptStep,
    SmallLayout,
    apply_step,
    card_positions,
    chi_square_excess,
    enumerate_worlds,
    run_script,
)


def is_nearly_sorted(cards: Iterable[int | None]) -> bool:
    """Tell whether the cards are in order but for one pair of neighbours at most; not where a card is not public."""
    public = list(cards)
    found = [card for card in public if card is not None]
    return (
        len(found) == len(public)
        and sum(abs(card - place) for card, place in zip(found, sorted(found), strict=True)) <= 2
    )


def test_so_rare_that_no_fair_deal_satisfies_it() -> None:
    """The Markov chain finds all eight worlds of 40,320, about equally often."""
    layout = Layout(Deck(range(8)), 2)
    stock = layout.add_pile("stock", Visibility.NOBODY)
    table = Table(layout, Random("rare"), stock)
    table.shuffle(stock, order=range(8))
    table.constrain(is_nearly_sorted, table.zones[stock])

    drawn = Counter[CardPositions](
        (tuple(sample_world(table, 0, Random(f"rare/{draw}")).zones[stock]),) for draw in range(240)
    )

    expected = Counter[CardPositions]((order,) for order in itertools.permutations(range(8)) if is_nearly_sorted(order))
    assert len(expected) == 8
    assert set(drawn) == set(expected)
    assert chi_square_excess(drawn, expected) < MAX_CHI_SQUARE_EXCESS


def test_as_rare_with_two_batches() -> None:
    """The chain finds nine worlds of 14,400, and exchanges no card of a reshuffled pile for one that was
    never in it.
    """
    layout = Layout(Deck(range(10)), 2)
    stock, light, dark = (
        layout.add_pile(str(sight), sight) for sight in (Visibility.NOBODY, Visibility.EVERYBODY, Visibility.NOBODY)
    )
    table = Table(layout, Random("rare"), stock)
    table.shuffle(stock, order=range(10))
    table.deal(stock, [light], 5)
    table.turn_over(light, dark)
    table.shuffle(dark, order=range(5, 10))
    table.constrain(is_nearly_sorted, [*table.zones[stock], *table.zones[dark]])

    worlds_drawn = [sample_world(table, 0, Random(f"rare/{draw}")) for draw in range(180)]

    drawn = Counter[CardPositions]((tuple(world.zones[stock]), tuple(world.zones[dark])) for world in worlds_drawn)
    low, high = range(5), range(5, 10)
    orders = [(one, two) for one in itertools.permutations(low) for two in itertools.permutations(high)]
    expected = Counter[CardPositions](order for order in orders if is_nearly_sorted([*order[0], *order[1]]))
    assert len(expected) == 9
    assert set(drawn) == set(expected)
    assert chi_square_excess(drawn, expected) < MAX_CHI_SQUARE_EXCESS


def test_as_rare_where_hidden_cards_were_mixed() -> None:
    """The chain of histories finds every world too: which of three cards was discarded unseen."""
    tiny = SmallLayout(7, 2)
    [one, _] = tiny.hands
    script = [
        ScriptStep("shuffle", tiny.stock),
        ScriptStep("draw", tiny.stock, tiny.light),
        ScriptStep("draw", tiny.light, one),
        *[ScriptStep("draw", tiny.stock, one)] * 2,
        ScriptStep("pass", one, tiny.dark, 1),
    ]
    table = run_script(tiny, script, "deal")
    order = table.zones[tiny.stock][:]
    script.append(ScriptStep("constrain", tiny.stock, holds=lambda cards: list(cards) == order))
    apply_step(table, script[-1])

    expected = enumerate_worlds(table, script, 2)
    drawn = Counter(card_positions(sample_world(table, 2, Random(f"rare/{draw}"))) for draw in range(120))

    assert len(expected) == 3
    assert set(drawn) == set(expected)
    assert chi_square_excess(drawn, expected) < MAX_CHI_SQUARE_EXCESS
