"""The headline: one sentence on who has won and how sure that is, or between whom it is not decided; and the places."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pitboss_tournament.results.headline import FormatOrder, Headline, place_groups, place_lines, word_headline
from tests.tournament.command_line import run_pitboss
from tests.tournament.report_stores import write_tournament_store
from tests.tournament.statistics.ranked_blocks import rank_direct_results

NAMES = ("ann", "bea", "cid", "dan", "eve", "fay", "gus", "hal", "ida", "jon")

Blocks = Sequence[tuple[Sequence[int], int]]


def make_headline(bots: int, blocks: Blocks, order: FormatOrder | None = None) -> Headline:
    """Return the headline on bots after blocks: the order in which some bots ended, and how often."""
    return word_headline(rank_direct_results(bots, blocks), NAMES[:bots], 100, order)


@pytest.mark.parametrize(
    ("bots", "blocks", "said", "places"),
    [
        (2, [((0, 1), 30)], "Winner: ann, more than 99.99 % sure.", ["1: ann", "2: bea"]),
        (
            3,
            [((0, 1), 40), ((0, 2), 40), ((1, 2), 1), ((2, 1), 1)],
            "Winner: ann, more than 99.99 % sure.",
            ["1: ann", "2–3: bea and cid, tied"],
        ),
        (
            3,
            [((0, 2), 40), ((1, 2), 40), ((0, 1), 20), ((1, 0), 10)],
            "Not decided between ann and bea: about 460 more games.",
            ["1–2: ann and bea, tied", "3: cid"],
        ),
        (
            2,
            [((0, 1), 10), ((1, 0), 10)],
            "Not decided between ann and bea: they are nearly equal, and no realistic number of games would decide.",
            ["1–2: ann and bea, tied"],
        ),
        (
            2,
            [((0, 1), 2)],
            "Not decided between ann and bea: fewer than 5 blocks of a bot are played.",
            ["1–2: ann and bea, tied"],
        ),
        (
            3,
            [((0, 1), 30), ((1, 2), 30), ((2, 0), 30)],
            "Not decided between ann, bea and cid: some bots beat each other in a cycle.",
            ["1–3: ann, bea and cid, tied"],
        ),
        (1, [], "Winner: ann, the only one that is compared.", ["1: ann"]),
    ],
)
def test_what_the_games_have_proven(bots: int, blocks: Blocks, said: str, places: list[str]) -> None:
    """A winner is proven better than each other bot; otherwise the headline names those that may be the best.

    Bots share a place if no difference between them is proven, and ties are named.
    """
    found = make_headline(bots, blocks)

    assert found.text == said
    assert list(place_lines(found)) == places


def test_many_leaders_are_counted() -> None:
    """A headline names eight bots at most; of more it says how many may be the best."""
    found = make_headline(10, [(range(10), 5), (range(9, -1, -1), 5)])

    assert found.text.startswith("Not decided between 10 bots")
    assert len(found.leaders) == 10


def test_a_format_decides() -> None:
    """A format that ranks the bots names the winner by its rule; the headline adds whether that is proven, too."""
    final = FormatOrder("knockout", is_over=True, groups=[[1], [0], [2, 3]])

    unproven = make_headline(4, [((1, 0), 5), ((2, 3), 5)], final)
    proven = make_headline(2, [((1, 0), 30)], FormatOrder("knockout", is_over=True, groups=[[1], [0]]))

    assert unproven.text == "Winner: bea, by the rule of the knockout; not proven to be the best."
    assert list(place_lines(unproven)) == ["1: bea", "2: ann", "3–4: cid and dan, tied"]
    assert unproven.sureness is None
    assert proven.text == "Winner: bea, by the rule of the knockout, and more than 99.99 % sure to be the best."


def test_a_format_that_goes_on() -> None:
    """While rounds are to come, a format that ranks the bots has no winner, whatever is proven so far."""
    found = make_headline(2, [((0, 1), 30)], FormatOrder("swiss", is_over=False, groups=None))

    assert found.kind == "undecided"
    assert found.text == "Not decided yet: swiss is not over."


def test_places_count_those_before() -> None:
    """The place behind a shared one counts all that share it: 1, 2, 2, 4."""
    places = place_groups([[0], [2, 1], [3]], NAMES)

    assert [(place.bot, place.place, str(place)) for place in places] == [
        ("ann", 1, "1"),
        ("cid", 2, "2–3"),
        ("bea", 2, "2–3"),
        ("dan", 4, "4"),
    ]


@pytest.mark.once
def test_the_headline_of_a_store(tmp_path: Path) -> None:
    """The terminal, --places and CSV have the headline and the places of one store."""
    store = str(write_tournament_store(tmp_path, 2, 2, 40))

    shown = run_pitboss("standings", store).out.splitlines()
    places = run_pitboss("standings", store, "--places").out.splitlines()
    [head, *rows] = run_pitboss("standings", store, "--csv").out.splitlines()

    assert shown[1] == places[1]
    assert shown[1].startswith("Winner: bot-01, ")
    assert places[2:] == ["1: bot-01", "2: bot-00"]
    column = head.split(",").index("place")
    assert [row.split(",")[column] for row in rows] == ["1", "2"]
