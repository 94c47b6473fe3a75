"""`pitboss study`: figures of games that are known, and what is printed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from pitboss.errors import OptionError
from pitboss.outcome import Outcome, outcome_by_side, solo_sides
from pitboss.simulation.game_setup import GameSetup, OptionVariant, make_setup
from pitboss.simulation.random_play import choose_from_words, play_decisions
from pitboss_magpie.magpie import Magpie
from pitboss_magpie.messages import MagpieOptions
from pitboss_tournament.study.skill import GameLead, count_copies, count_tables, find_leader, follow_lead, measure_leads
from pitboss_tournament.study.study import (
    choose_setups,
    count_unknown_cards,
    count_unknown_secrets,
    measure_hidden,
    table_label,
    variant_label,
)
from tests.core.sealed_bids import SealedBids
from tests.tournament.command_line import run_pitboss
from tests.tournament.magpie_records import make_magpie_record
from tests.tournament.parsed_page import ParsedPage
from tests.tournament.small_tournaments import load_magpie

WON: Outcome = outcome_by_side([3, 1])


def make_magpie(seats: int, **changes: object) -> GameSetup:
    """Return a table of Magpie."""
    setup = make_setup(load_magpie(), seats, OptionVariant(None, changes))
    assert setup is not None
    return setup


# ---- variants


def test_the_defaults_and_each_preset_are_set_side_by_side() -> None:
    """The defaults and each preset stand side by side, each at its smallest table; equal tables are listed once."""
    labels = [table_label(one) for one in choose_setups(load_magpie(), [], [], with_single_changes=False)]

    assert labels == ["defaults, 2 seats", "graves, 2 seats", "pairs, 4 seats"]


def test_single_changes_come_after_them() -> None:
    """Single changes come after the presets: each value but the default of each option of few values, where it is not
    what a preset says.
    """

    class UnsetMagpie(Magpie):
        presets: Mapping[str, MagpieOptions] = {}

    labels = [table_label(one) for one in choose_setups(UnsetMagpie(), [], [3], with_single_changes=True)]

    assert labels == ["defaults, 3 seats", "graves=true, 3 seats"]


def test_a_variant_that_cannot_be_played_says_why() -> None:
    """A variant that cannot be played says why in the game's own words."""
    with pytest.raises(OptionError, match="partners is true; that is for 4 players only, and 3 play"):
        choose_setups(load_magpie(), [OptionVariant("pairs")], [3], with_single_changes=False)


def test_presets_that_do_not_fit_the_seats_are_left_out() -> None:
    """Presets that do not fit the seats are left out unless they are named."""
    labels = [table_label(one) for one in choose_setups(load_magpie(), [], [2, 3], with_single_changes=False)]

    assert labels == ["defaults, 2 seats", "defaults, 3 seats", "graves, 2 seats", "graves, 3 seats"]


def test_labels() -> None:
    """The label of a variant is as a person writes it."""
    assert variant_label(OptionVariant("graves", {"turns": 3})) == "graves,turns=3"
    assert variant_label(OptionVariant()) == "defaults"


# ---- what is hidden


def test_cards_are_unknown_to_others_or_to_all() -> None:
    """Magpie for three, dealt: two others see their hands of three and nests of two; five cards are in the stock."""
    state = make_magpie(3).deal("hidden")

    assert [count_unknown_cards(state, seat) for seat in range(3)] == [(10, 5)] * 3


def test_secrets_of_others_are_counted() -> None:
    """Sealed bids: two others have two dice each, and who bids later does not know the bids before."""
    setup = make_setup(SealedBids(), 3, OptionVariant())
    assert setup is not None
    state = setup.deal("bids")
    seen = [
        count_unknown_secrets(state, turn.seat) for turn, _ in play_decisions(state, choose_from_words("bids"), limit=3)
    ]

    assert seen == [4, 5, 6]


def test_hidden_figures_are_means_over_decisions() -> None:
    """The same games give the same figures; what is known to nobody and to others is no more than the deck."""
    setup = make_magpie(2)
    found = measure_hidden(setup, ["a", "b"])

    assert found == measure_hidden(setup, ["a", "b"])
    assert found.deck == 21
    assert 0 < found.known_to_others < found.known_to_nobody + found.known_to_others < 21
    assert found.secrets_of_others == 0


# ---- leads


@pytest.mark.parametrize(
    ("points", "sides", "leader"),
    [((1, 2), ((0,), (1,)), 1), ((2, 2), ((0,), (1,)), None), ((5, 1, 5, 1), ((0, 2), (1, 3)), 0)],
)
def test_who_leads_is_alone_in_front(points: list[float], sides: list[list[int]], leader: int | None) -> None:
    """Partners lead together."""
    assert find_leader(points, sides) == leader


@pytest.mark.parametrize(
    ("leaders", "expected"),
    [
        ([None, 0, 0, 0, 0], GameLead(changes=0, decided=0.25, halfway=1.0)),
        ([0, 0, 0, 0, 0], GameLead(changes=0, decided=0.0, halfway=1.0)),
        ([0, 1, 1, None, 0], GameLead(changes=2, decided=1.0, halfway=0.0)),
        ([0, 1, None, 1, 0], GameLead(changes=2, decided=1.0, halfway=0.5)),
        ([0], GameLead(changes=0, decided=0.0, halfway=1.0)),
    ],
)
def test_the_lead_is_followed(leaders: list[int | None], expected: GameLead) -> None:
    """Side 0 wins; the last entry is the end of the game."""
    assert follow_lead(leaders, WON) == expected


def test_a_shared_win_is_halved() -> None:
    """Each of two winners has half of the win, and either may lead."""
    shared = Outcome(points=(1.0, 1.0, 0.0), places=(1, 1, 3), sides=solo_sides(3))

    assert follow_lead([0, 1, 0], shared) == GameLead(changes=2, decided=0.0, halfway=0.5)


def test_a_game_with_an_evaluation_needs_no_outcome_before_its_end() -> None:
    """The `evaluate` of a game judges each decision, and the outcome its end."""
    figures = measure_leads([make_magpie_record("a"), make_magpie_record("b")], load_magpie())

    assert figures is not None
    assert (figures.games, figures.judged_by) == (2, "evaluate")


# ---- the ladder


@pytest.mark.parametrize(
    ("seats", "copies", "tables"), [(2, 1, None), (3, 1, None), (5, 1, None), (6, 2, 10), (10, 2, None)]
)
def test_bots_fill_a_table(seats: int, copies: int, tables: int | None) -> None:
    """Of five times to think there are as many copies as a table needs, and not all of very many sets of bots meet."""
    assert (count_copies(seats), count_tables(seats)) == (copies, tables)


# ---- the command


@pytest.mark.once
def test_what_is_printed_without_the_ladder() -> None:
    """Tables side by side, a row for each variant; the same seed prints the same."""
    words = (
        "study",
        "magpie",
        "--minutes",
        "0",
        "-n",
        "5",
        "--seed",
        "s",
        "--variant",
        "turns=3",
        "--variant",
        "pairs",
    )
    out = run_pitboss(*words).out

    assert out.startswith("Magpie, seed s\n\nLength and choices\nVariant ")
    rows = [line.split("  ")[0] for line in out.splitlines()]
    assert rows.count("turns=3, 2 seats") == rows.count("pairs, 4 seats") == 3
    assert "All seats are played at random." in out
    assert "skill ladder" not in out
    assert run_pitboss(*words).out == out


@pytest.mark.once
@pytest.mark.long
def test_the_ladder_and_its_page(tmp_path: Path) -> None:
    """Searches with five times to think play a deal at each table at least; JSON and page have the figures."""
    page = tmp_path / "study.html"
    found = run_pitboss(
        "study", "magpie", "--variant", "turns=2", "-n", "5", "--ms", "1", "--minutes", "0.001", "--seed", "s",
        "--page", str(page), "--json",
    ).json_value  # fmt: skip

    [variant] = found["variants"]
    skill = variant["skill"]
    assert [rung["ms"] for rung in skill["ladder"]] == [1, 2, 4, 8, 16]
    assert skill["ladder"][0]["rating"] == {"mean": 0.0, "half_width": 0.0}
    assert (skill["games"], skill["deals"]) == (20, 1)
    assert 4 < skill["decisions"]["mean"] <= 8
    assert sum(seat["wins"]["mean"] for seat in skill["seats"]) == pytest.approx(1)
    assert skill["leads"]["games"] == 20
    assert sum(variant["random"]["lengths"].values()) == 5
    shown = ParsedPage(page.read_text())
    assert "Magpie: what kind of game it is" in shown.text
    assert "turns=2, 2 seats" in shown.text


@pytest.mark.once
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--variant", "grvaes"), "magpie has no preset 'grvaes'"),
        (("--variant", "graves,turns"), "an option is written NAME=VALUE"),
        (("--variant", "pairs", "--seats", "3"), "partners is true"),
        (("--seats", "9"), "played by"),
    ],
)
def test_wrong_variants_are_refused(words: tuple[str, ...], said: str) -> None:
    """Wrong variants are refused in a sentence, with an exit status."""
    ended = run_pitboss("study", "magpie", *words)

    assert ended.status != 0
    assert said in ended.err
