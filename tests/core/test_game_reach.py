"""How far the games of a conformance run reach: who plays them, and what none of them has come to."""

from __future__ import annotations

from collections import Counter

import pytest

from pitboss import Random, Turn
from pitboss.simulation.game_setup import OptionVariant, make_setup
from pitboss.testing import check_game
from pitboss.testing.checks.endings import random_play_scores
from pitboss.testing.framework.check import CheckNote
from pitboss.testing.framework.checked_setup import CheckedSetup, order_by_length
from pitboss.testing.framework.choosers import (
    MAX_STUBBORN,
    NewKindChooser,
    choose_by_estimate,
    list_stubborn_choosers,
)
from pitboss.testing.framework.code_reach import CodeReach
from pitboss.testing.framework.game_reach import ReachRecorder
from pitboss.testing.framework.played_game import PlayedGame, choose_at_random, play_game
from pitboss.testing.suite import QUICK, ConformanceRun, list_setups
from pitboss_gin_rummy.game import GinRummy
from pitboss_gin_rummy.messages import Knock
from pitboss_gin_rummy.state import GinRummyState
from pitboss_magpie.magpie import Magpie, MagpieState
from pitboss_magpie.messages import Bury, Draw, Lay, Take


class UndercutFails(GinRummyState):
    """A game with an error in a count that random play hardly ever comes to."""

    def end_with_totals(self, loser: int | None) -> None:
        """Look for a bonus that is not there, if the player on turn, who knocked, has lost."""
        if loser == self.require_turn().seat:
            raise AttributeError(f"no undercut in {self.options!r}")
        super().end_with_totals(loser)


class FailingGin(GinRummy):
    """The game."""

    state = UndercutFails


class NeverSleeps(MagpieState):
    """A game with a phase that nothing leads to."""

    def fall_asleep(self, seat: int) -> None:
        """Let a player sleep."""
        self.turn = Turn(seat, "sleep")


def make_checked(game: GinRummy | Magpie, seats: int = 2, preset: str | None = None) -> CheckedSetup:
    """Return a setup of a game."""
    setup = make_setup(game, seats, OptionVariant(preset))
    assert setup is not None
    return CheckedSetup(setup)


def test_lines_that_no_game_comes_to() -> None:
    """The report names unreached lines by file and function, with the phases and kinds of actions in the code."""
    run = ConformanceRun(Magpie(NeverSleeps), games=1, depth=QUICK)
    run.play(list_setups(Magpie(NeverSleeps), [2], [], {"turns": 2}, "reach", 150))
    reach = run.report().never_reached

    assert "sleep" in reach.phases
    assert "bury" in reach.actions  # there are no graves without a preset
    assert any(
        line.startswith("test_game_reach.py:") and line.endswith("NeverSleeps.fall_asleep") for line in reach.lines
    )
    assert 0.5 < reach.share < 1
    assert not reach.is_whole


def test_a_line_that_has_run_is_reached() -> None:
    """A line that runs in a recorded block leaves the list of lines that have not run."""
    reach = CodeReach(Magpie())
    setup = make_checked(Magpie(), 3)
    before = reach.unreached_count

    with reach.watch(), reach.record():
        play_game(setup, "reach", "at random", choose_at_random)

    left = {span.function for span in reach.list_unreached()}
    assert reach.unreached_count < before
    assert "MagpieState.draw_actions" not in left
    assert "MagpieState.evaluate" in left


def test_a_player_who_does_what_it_has_done_least() -> None:
    """In a phase each kind of action is chosen about as often as the others, however many of it are legal."""
    chooser, state, rng = NewKindChooser(), make_checked(Magpie()).deal("kinds"), Random("kinds")

    chosen = Counter(type(chooser(state, rng)) for _ in range(30))

    assert chosen == {Draw: 10, Take: 10, Lay: 10}


def test_a_player_who_goes_by_the_estimate() -> None:
    """The player who goes by the estimate comes to knock in Gin, where random play does so once in 60 games."""
    setup = make_checked(GinRummy(), preset="single")
    games = [play_game(setup, f"gin {number}", "by the estimate", choose_by_estimate) for number in range(6)]

    assert sum(any(isinstance(action, Knock) for action in game.actions) for game in games) >= 4


def test_stubborn_players() -> None:
    """For each two phases there is each combination of first and last kinds, and each kind of three is done by some."""
    choosers = list_stubborn_choosers({"draw": {Draw, Take, Lay}, "drop": {Draw, Bury}, "boast": {Draw, Take}})
    state, rng = make_checked(Magpie()).deal("kinds"), Random("stubborn")

    assert {type(chooser(state, rng)) for chooser in choosers} == {Draw, Take, Lay}
    assert len(choosers) <= MAX_STUBBORN


def test_short_games_come_first() -> None:
    """Tables of fewer players and shorter games come before others, options changed alone come last, and each table
    keeps its number.
    """
    setups = list_setups(Magpie(), [2, 4], None, None, "order")
    ordered = order_by_length(setups, ReachRecorder(Magpie()).record)

    assert sorted(number for number, _ in ordered) == list(range(len(setups)))
    assert all(setups[number] is setup for number, setup in ordered)
    assert [setup.is_single_change for _, setup in ordered] == sorted(setup.is_single_change for setup in setups)
    assert ordered[0][1].seats == 2


def test_who_plays() -> None:
    """Every second game is played at random, the rest in turn by the estimate and by new kinds."""
    styles: list[str] = []

    def note(game: PlayedGame, causes: object) -> None:
        styles.append(game.style)

    run = ConformanceRun(Magpie(), games=4, depth=QUICK, show_game=note)
    run.play(list_setups(Magpie(), [2], [], {"turns": 1}, "who", 150))

    assert styles == ["at random", "by the estimate", "at random", "by new kinds"]


def test_a_search_that_is_blind() -> None:
    """Where random games end without points for anybody, and the state has no estimate, a note says so."""

    class Blind(GinRummyState):
        """Gin without an estimate."""

        evaluate = None  # type: ignore[assignment]

    class BlindGin(GinRummy):
        """The game."""

        state = Blind

    def check_random_games(game: GinRummy) -> None:
        setup = make_checked(game, preset="single")
        random_play_scores.function([play_game(setup, f"{n}", "at random", choose_at_random) for n in range(4)])

    with pytest.raises(CheckNote, match=r"everybody had 0 points in 4 games .* is blind here"):
        check_random_games(BlindGin())
    check_random_games(GinRummy())


@pytest.mark.once
@pytest.mark.long
def test_an_error_in_the_undercut() -> None:
    """A branch that random play does not come to in thousands of games is found by default."""
    report = check_game(FailingGin(), games=2)

    assert any("undercut" in str(cause) for cause in report.causes)
