"""Matches of Euchre are judged as a second referee does, who knows the rule book alone."""

from __future__ import annotations

from tests.referees.euchre import EuchreReferee, compare, read_height, read_suit


def test_matches_of_euchre() -> None:
    """Turn, legal choices, totals, points and places agree at every decision, with any options."""
    assert sum(compare(seed) for seed in range(60)) > 6_000


def test_the_referee_of_euchre_ranks_cards_by_the_rule_book() -> None:
    """E2: the Benny, both bowers, and then from the ace down; without trumps jacks stand below queens."""
    falling = ["JOKER", "HJ", "DJ", "HA", "HK", "HQ", "H10", "H9", "H8", "H7"]

    assert {read_suit(card, "H") for card in falling} == {"H"}
    assert sorted(falling, key=lambda card: read_height(card, "H"), reverse=True) == falling
    assert read_suit("DJ", "NT") == "D"
    assert read_height("D10", "NT") < read_height("DJ", "NT") < read_height("DQ", "NT")


def test_the_referee_of_euchre_counts_by_the_rule_book() -> None:
    """E13: makers without a trick give four points with `super_euchre`, and two without."""
    for is_super, points in ((True, 4), (False, 2)):
        referee = EuchreReferee({"super_euchre": is_super, "loner_euchre": False, "target": 4, "deals": 9})
        referee.maker, referee.alone, referee.tricks, referee.deals = 2, [], [0, 5], 1
        referee.count()

        assert (referee.totals, referee.is_over) == ([0, points, 0, points], is_super)
