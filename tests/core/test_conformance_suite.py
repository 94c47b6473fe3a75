"""The interface of the conformance suite: what a report holds, and that no game can break the suite."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Self, cast

import pytest

from pitboss import AnyState, Random
from pitboss.testing import CheckResult, ConformanceReport, assert_conforms, check_game
from pitboss.testing.framework.decision_point import vary_plain
from pitboss.testing.framework.failures import FailureCause
from pitboss.testing.framework.played_game import PlayedGame
from pitboss.testing.suite import QUICK, THOROUGH, CheckDepth, ConformanceRun, list_setups
from pitboss_magpie.magpie import Magpie, MagpieState
from pitboss_magpie.messages import Action, MagpieOptions
from tests.core.mutants.endings import NeverEnds
from tests.core.mutants.leaks import ShowsHands

pytestmark = pytest.mark.once


class CrashingMagpie(MagpieState):
    """A game whose view has a bug."""

    def view(self, seat: int) -> object:  # type: ignore[override]
        """Divide by nothing."""
        return 1 // (self.turns_done - 3 if self.turns_done == 3 else 1)


class UndealableMagpie(Magpie):
    """A game that cannot be dealt."""

    def deal(self, seats: int, options: MagpieOptions, rng: Random) -> MagpieState:
        """Look for cards that are not there."""
        raise KeyError("no cards")


class PresetlessMagpie(Magpie):
    """A game whose presets cannot even be asked for."""

    @property
    def presets(self) -> Mapping[str, MagpieOptions]:  # type: ignore[override]
        """Fail."""
        raise RuntimeError("presets are not ready")


def check_quickly(game: Magpie) -> ConformanceReport:
    """Put a game through the suite in the smallest way."""
    return check_game(game, seats=[2], presets=[], games=1, max_decisions=150)


def find_verdict(report: ConformanceReport, name: str) -> CheckResult:
    """Return the verdict of one check."""
    [verdict] = [verdict for verdict in report.checks if verdict.name == name]
    return verdict


@pytest.mark.long
def test_a_report_of_a_healthy_game() -> None:
    """Each check has a name of its own, a promise in one sentence and a verdict, and there are more than thirty."""
    report = check_quickly(Magpie())

    names = [verdict.name for verdict in report.checks]
    assert len(names) == len(set(names)) >= 30
    assert all(verdict.promise.endswith(".") and "\n" not in verdict.promise for verdict in report.checks)
    assert report.failures == []
    assert sum(verdict.outcome == "passed" for verdict in report.checks) > 60
    assert (report.game, report.tables, report.games) == ("magpie", ["2 seats"], 1)


def test_a_check_that_does_not_apply_gives_the_reason() -> None:
    """A verdict that says neither yes nor no says why."""
    report = check_quickly(UndealableMagpie())

    assert find_verdict(report, "cards-are-conserved").outcome == "not applicable"
    assert find_verdict(report, "cards-are-conserved").detail != ""


@pytest.mark.long
def test_a_failure_can_be_replayed() -> None:
    """A failure names the seats, the preset, the seed and the decision."""
    report = check_game(Magpie(ShowsHands), seats=[4], presets=["pairs"], games=1, seed="found")

    detail = find_verdict(report, "view-leaks-nothing").detail
    assert "game magpie, 4 seats, preset 'pairs', seed 'found/0/0'" in detail
    assert "decision 0 (seat " in detail


@pytest.mark.long
def test_the_same_call_again() -> None:
    """The suite's own chance comes from its seed: the same call gives the same report."""
    assert check_quickly(Magpie(ShowsHands)) == check_quickly(Magpie(ShowsHands))


@pytest.mark.long
def test_a_game_that_crashes_in_its_view() -> None:
    """An exception in the game is a failure with the exception's text and its line, and the suite goes on."""
    detail = find_verdict(check_quickly(Magpie(CrashingMagpie)), "everybody-is-shown-something").detail

    assert detail.startswith("ZeroDivisionError: ")
    assert "(test_conformance_suite.py:" in detail


@pytest.mark.long
def test_an_error_that_breaks_many_promises() -> None:
    """An error that breaks many promises is one cause, which names the first game and the others; the check that names
    the decision comes first.
    """
    report = check_game(Magpie(CrashingMagpie), seats=[2, 3], presets=["graves"], games=1, max_decisions=150)

    [cause] = [one for one in report.causes if one.first.detail.startswith("ZeroDivisionError: ")]
    assert cause.first.name == "everybody-is-shown-something"
    assert ", seed 'conformance/0/0', " in cause.first.detail
    assert ", decision 5 (seat 1, phase 'draw')" in cause.first.detail
    assert cause.more_games == "and in 1 more game (seats 3; presets graves)"
    assert ", copy-goes-its-own-way, " in cause.more_checks
    assert {one.name for one in report.failures} == {one.name for one in report.all_failures}


def test_a_game_that_cannot_be_dealt() -> None:
    """A game that cannot even be dealt gets a report like any other."""
    detail = find_verdict(check_quickly(UndealableMagpie()), "games-are-played-without-error").detail

    assert detail.startswith("KeyError: 'no cards'")


def test_a_game_whose_presets_fail() -> None:
    """A game whose tables cannot be laid fails the checks of what it says about itself."""
    report = check_game(PresetlessMagpie(), games=1)

    assert find_verdict(report, "presets-resolve").detail.startswith("RuntimeError: presets are not ready")
    assert report.games == 0


@pytest.mark.long
def test_a_game_that_never_ends() -> None:
    """A game without end fails a check of that name after so many decisions as were asked for."""
    detail = find_verdict(check_quickly(Magpie(NeverEnds)), "games-end").detail

    assert "after 150 decisions the game is not over" in detail


@pytest.mark.long
def test_a_setup_is_left_after_its_first_endless_game() -> None:
    """However many games were asked for, one game without end is enough; other setups are played too."""
    report = check_game(Magpie(NeverEnds), seats=[2, 3], presets=[], games=5, max_decisions=60)

    assert (report.games, report.decisions, report.tables) == (2, 120, ["2 seats", "3 seats"])


@pytest.mark.long
def test_every_setup_is_played_before_one_is_played_again() -> None:
    """A run that is broken off has a game of as many setups as it could; the report says which have none."""
    shown: list[str] = []

    def show_game(game: PlayedGame, causes: Sequence[FailureCause]) -> None:
        shown.append(game.setup.label)
        assert not causes
        if len(shown) == 3:
            raise KeyboardInterrupt

    run = ConformanceRun(Magpie(), show_game=show_game)
    with pytest.raises(KeyboardInterrupt):
        run.play(list_setups(Magpie(), [2, 3, 4], ["graves", "pairs"], {"turns": 1}, "s"))
    report = run.report()

    assert (shown, len(report.tables)) == (report.tables[:3], 4)
    assert (report.games, report.not_played) == (3, report.tables[3:])
    assert find_verdict(report, "games-end").outcome == "passed"


class CountedMagpie(MagpieState):
    """A game that counts the worlds that are sampled of it."""

    worlds = 0

    def imagine(self, seat: int, rng: Random) -> Self:
        """Count, and sample."""
        CountedMagpie.worlds += 1
        return super().imagine(seat, rng)


@pytest.mark.long
def test_a_quick_run_checks_each_promise_in_less_of_each_game() -> None:
    """A quick run passes the promises that a thorough run passes, with less than half of its worlds."""
    passed, worlds = zip(*map(check_at_depth, (QUICK, THOROUGH)), strict=True)

    assert passed[0] == passed[1]
    assert len(passed[0]) > 60
    assert worlds[0] < worlds[1] / 2


def check_at_depth(depth: CheckDepth) -> tuple[set[str], int]:
    """Return the checks that eight games of Magpie pass, and how many worlds they took."""
    CountedMagpie.worlds = 0
    game = Magpie(CountedMagpie)
    run = ConformanceRun(game, games=8, depth=depth)
    run.play(list_setups(game, [3], [], {"turns": 6}, "s"))
    return {check.name for check in run.report().checks if check.outcome == "passed"}, CountedMagpie.worlds


@pytest.mark.long
def test_seats_presets_and_options_that_are_asked_for() -> None:
    """The tables are those that were asked for; by default they are all tables, and each option changed."""
    some = check_game(Magpie(), seats=[3], presets=["graves"], options={"turns": 2}, games=1)
    every = check_game(Magpie(), games=0)

    assert some.tables == ["3 seats, preset 'graves', turns=2"]
    assert "4 seats, preset 'pairs'" in every.tables
    assert "2 seats" in every.tables


@pytest.mark.long
def test_a_player_plays_the_games() -> None:
    """With a player of its own, an author sees games that random play does not come to."""
    asked = []

    def last(state: AnyState, rng: Random) -> Action:
        asked.append(state.turn)
        return cast(Action, state.legal()[-1])

    report = check_game(Magpie(), seats=[2], presets=[], games=1, player=last)

    assert report.failures == []
    assert len(asked) == report.decisions > 0


@pytest.mark.long
def test_a_game_that_conforms() -> None:
    """For a game that passes, the assertion returns the report."""
    assert assert_conforms(Magpie(), seats=[2], presets=[]).failures == []


def test_a_game_that_does_not_conform() -> None:
    """The assertion tells each cause of failures once, with the details of the first."""
    told = r"magpie does not conform:\n(.|\n)*view-leaks-nothing failed: view"
    with pytest.raises(AssertionError, match=told):
        assert_conforms(Magpie(ShowsHands), seats=[2], presets=[], games=1)


def test_what_is_tried_in_place_of_a_value() -> None:
    """Actions and positions are tried with numbers small and large and with unknown words, never unchanged."""
    numbers, words, nothing = (list(vary_plain(plain)) for plain in (5, "7H", None))

    assert numbers == [-5, -1, 0, 4, 6, 1000, 10_000]
    assert words == ["", "7Hx", "7h", "nonsense"]
    assert nothing == [0, "", "nonsense", []]


def test_importing_the_suite() -> None:
    """The suite is plain code: it brings in no test runner, no trio and no typer."""
    program = "import sys, pitboss.testing; print(sorted({'pytest', 'trio', 'typer', '_pytest'} & set(sys.modules)))"

    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert said == "[]\n"
