"""Domains stated again and again, as where a player draws until it can play: worlds stay right and cheap to sample."""

from __future__ import annotations

import pytest

from pitboss import Deck, Layout, Random, Table, Visibility
from pitboss.determinization.sampling import sample_world
from pitboss.testing.framework.call_count import count_calls
from tests.core.brute_force_worlds import run_script
from tests.core.test_constraints import DEALT, LAYOUT, LIGHT, ONE, STOCK


def play_eights(seed: str, turns: int) -> tuple[Table, int]:
    """Play a game in which a player draws until it can follow suit or rank: each draw proves that it could not."""
    layout = Layout(Deck(range(52)), 4)
    stock, pile = layout.add_pile("stock", Visibility.NOBODY), layout.add_pile("pile", Visibility.EVERYBODY)
    hands = layout.add_hands()
    table, proofs = Table(layout, Random(seed), stock), 0
    table.shuffle(stock)
    table.deal(stock, hands, 7)
    table.draw(stock, pile)
    for turn in range(turns):
        hand, top = hands[turn % 4], table.zones[pile][-1]
        fits = {card for card in range(52) if card // 13 == top // 13 or card % 13 in (7, top % 13)}
        while not fits.intersection(table.zones[hand]) and table.zones[stock]:
            table.restrict(table.zones[hand], set(range(52)) - fits)
            table.draw(stock, hand)
            proofs += 1
        for card in sorted(fits.intersection(table.zones[hand]))[:1]:
            table.move(card, hand, pile)
    return table, proofs


@pytest.mark.parametrize("seed", ["s0", "s2", "s4"])
def test_many_proofs_that_a_player_could_not_play(seed: str) -> None:
    """Worlds take work that does not grow with the number of proofs, and every one of them satisfies them all."""
    table, proofs = play_eights(seed, 40)

    with count_calls() as calls:
        worlds = [sample_world(table, 0, Random(f"eights/{draw}")) for draw in range(3)]

    assert proofs >= 20
    assert calls.count < 3 * 60_000  # it was hundreds of thousands for each
    for world in worlds:
        cards = {
            card: other
            for lies, imagined in zip(table.zones, world.zones, strict=True)
            for card, other in zip(lies, imagined, strict=True)
        }
        assert all(
            cards[card] in among for among, numbers in table.card_domains for card in numbers if card < len(cards)
        )


def test_a_card_that_was_drawn_and_played_at_once() -> None:
    """Everybody knows which card left the hand, as the others could not be played: no cards are mixed."""
    table = run_script(LAYOUT, DEALT, "deal")
    among = frozenset(table.zones[ONE])
    table.restrict(table.zones[ONE], among)
    table.move(table.draw(STOCK, ONE), ONE, LIGHT)

    assert len(table.shuffle_groups) == 1
    assert {frozenset(sample_world(table, 1, Random(f"w/{seed}")).zones[ONE]) for seed in range(20)} == {among}


def test_confined_again_and_again() -> None:
    """Domains of the same cards are one."""
    table = run_script(LAYOUT, DEALT, "deal")
    for card in table.zones[STOCK]:
        table.restrict(table.zones[ONE], frozenset(range(5)) - {card})

    assert [stated.domain for stated in table.card_domains] == [frozenset(range(5)) - frozenset(table.zones[STOCK])]
