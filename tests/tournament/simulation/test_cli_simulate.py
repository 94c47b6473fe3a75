"""`pitboss simulate`: random play-outs, how long, how balanced, how fast."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from pitboss import Action, Deck, Options, Outcome, TableGame, TableState, Turn, Zone, outcome_by_side, pile
from pitboss.action_range import ActionRange
from pitboss_tournament.simulation.random_games import play_random_game
from pitboss_tournament.simulation.simulation import Simulation, estimate_mean, estimate_share, summarize_counts
from tests.mistakes import each_mistake
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

QUICK = ("simulate", "magpie", "-o", "turns=3", "-n", "20")


def test_the_seed_is_printed_and_repeats_the_run() -> None:
    """Without --seed the run says which seed it took; with it, everything but the speed is the same again."""
    first = run_pitboss(*QUICK)
    found = re.search(r"20 random games, seed (\w+)\n", first.out)
    assert found

    again = run_pitboss(*QUICK, "--seed", found[1])

    assert first.out.partition("\nDecisions a second")[0] == again.out.partition("\nDecisions a second")[0]


def test_what_is_printed() -> None:
    """The simulation prints the table, its options, the decisions of each phase, the balance of each seat and the
    speed.
    """
    out = run_pitboss(*QUICK, "--seats", "3", "--preset", "graves", "--seed", "s").out

    assert out.startswith("Magpie, 3 players, preset graves, turns=3: 20 random games, seed s\n")
    header, everything, draw, drop = out.splitlines()[2:6]
    assert header.split() == ["Decisions", "a", "game", "mean", "min", "median", "p95", "max", "choices"]
    assert (everything.split()[0], draw.split()[0], drop.split()[0]) == ("all", "draw", "drop")
    assert 3 <= float(draw.split()[-1]) <= 4
    assert re.search(
        r"^Seat +points +95 % +wins +95 %\n0 +[\d.]+ +-?[\d.]+ to [\d.]+ +0\.\d+ +0\.\d+ to \d\.\d+\n", out, re.M
    )
    assert re.search(r"^Decisions a second: [\d,]+; with events [\d,]+$", out, re.M)


def test_json_has_one_shape_and_adds_up() -> None:
    """The wins of all seats are one a game, and the decisions of the phases are all decisions."""
    found = run_pitboss(*QUICK, "--seats", "4", "--seed", "s", "--json").json_value

    assert tuple(found) == Simulation.__struct_encode_fields__
    assert (found["seats"], found["games"], found["options"]["hand"]) == (4, 20, 2)
    assert sum(seat["wins"]["mean"] for seat in found["balance"]) == pytest.approx(1)
    assert sum(phase["decisions"]["mean"] for phase in found["phases"]) == pytest.approx(found["decisions"]["mean"])
    assert all(seat["points"]["low"] <= seat["points"]["mean"] <= seat["points"]["high"] for seat in found["balance"])
    assert found["speed"]["without_events"] > 0 < found["speed"]["with_events"]


def test_as_few_players_as_the_preset_allows() -> None:
    """The smallest table that the options go with is taken without --seats."""
    found = run_pitboss(*QUICK, "--preset", "pairs", "--json").json_value

    assert found["seats"] == 4


def test_one_game_has_no_interval() -> None:
    """The points of one game have no interval, as nobody knows how much they vary."""
    [first, *_] = run_pitboss(*QUICK, "-n", "1", "--json").json_value["balance"]

    assert (first["points"]["low"], first["points"]["high"]) == (None, None)


@each_mistake(__file__)
def test_what_the_game_does_not_allow(written: str, said: str) -> None:
    """The line about what a game does not allow names the option, its value and what was allowed, or the
    nearest name.
    """
    ran = run_pitboss("simulate", "magpie", *written.split())

    assert ran.status == 2
    assert ran.err.startswith(f"pitboss: {said}")


def test_values_are_json_if_they_can_be() -> None:
    """The words `null`, `true` and numbers are themselves as values; any other word is a string."""
    words = ("-o", "hand=null", "-o", "graves=true")

    options = run_pitboss(*QUICK, *words, "--json").json_value["options"]

    assert (options["hand"], options["graves"], options["turns"]) == (3, True, 3)


def test_spread_of_counts() -> None:
    """The 95th percentile of 100 counts is one that 95 of them do not exceed; the median of an even number lies between
    two counts.
    """
    found = summarize_counts(range(1, 101))

    assert (found.mean, found.min, found.median, found.p95, found.max) == (50.5, 1, 50.5, 95, 100)


def test_interval_of_a_mean() -> None:
    """The interval of a mean is Student's: t(4) = 2.776 standard errors."""
    found = estimate_mean([1, 2, 3, 4, 5])

    assert found.low == pytest.approx(3 - 2.776 * 2.5**0.5 / 5**0.5, abs=1e-3)
    assert found.high == pytest.approx(3 + 2.776 * 2.5**0.5 / 5**0.5, abs=1e-3)


def test_interval_of_a_share() -> None:
    """The interval of a share is Wilson's, which does not shrink to nothing when one seat has won all of a
    few games.
    """
    half, everything = estimate_share([0, 1] * 5), estimate_share([1, 1, 1])

    assert (half.low, half.high) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert (everything.mean, everything.low, everything.high) == pytest.approx((1, 0.4385, 1), abs=1e-4)


class OfferChips(Action, frozen=True):
    """OfferChips a number of chips."""

    chips: int


class LoneRangeState(TableState[Options, OfferChips]):
    """One offer, of any number from 1 to 9, and the game is over."""

    deck = Deck(["A"])
    stock: Zone = pile()

    def start(self) -> None:
        """Let seat 0 offer."""
        self.turn = Turn(0, "offer")

    def legal(self) -> Sequence[ActionRange]:
        """Return the range of offers."""
        return [ActionRange.make(OfferChips, chips=(1, 9))] if self.turn else []

    def apply(self, action: OfferChips) -> None:
        """End the game."""
        self.turn = None

    def view(self, seat: int) -> None:
        """Nobody looks."""

    def outcome(self) -> Outcome:
        """Nobody wins."""
        return outcome_by_side([0, 0])


class LoneRange(TableGame[Options, LoneRangeState]):
    """The game."""

    state = LoneRangeState
    name = "offer"
    title = "Offer"
    seats = (2,)


def test_a_range_is_as_many_choices_as_it_has_numbers() -> None:
    """A decision whose only legal entry is a range of nine actions has nine choices, and is not forced."""
    played = play_random_game(LoneRange(), 2, Options(), "offer")

    assert (played.choices, played.forced) == ({"offer": 9}, 0)
