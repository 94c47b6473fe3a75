"""What a game's plugin can do wrong during a game: the error names its file and line, and never a bot."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Sequence
from typing import Any

import pytest

from pitboss import AnyGame, Outcome, Random, outcome_by_side
from pitboss.table.turns import Turn
from pitboss_magpie.magpie import Magpie, MagpieState
from pitboss_tournament.bot_checks.watched_games import RandomSeat
from pitboss_tournament.match.match import Match
from pitboss_tournament.match.plugin_calls import GamePluginError, PluginCalls, break_endless_calls


class NothingLegal(MagpieState):
    """Nothing is legal, and the game goes on."""

    def legal(self) -> Sequence[Any]:
        """Return nothing."""
        return []


class LegalIsNone(MagpieState):
    """There is no list of legal actions."""

    def legal(self) -> Sequence[Any]:
        """Return no list."""
        return None  # type: ignore[return-value]


class NobodysTurn(MagpieState):
    """It is the turn of a seat that is not there."""

    def play(self, action: Any) -> None:  # noqa: ANN401
        """Hand the turn to seat 9."""
        super().play(action)
        self.turn = self.turn and Turn(9, "draw")


class NoTurn(MagpieState):
    """The turn is a number."""

    def play(self, action: Any) -> None:  # noqa: ANN401
        """Make the turn a number."""
        super().play(action)
        self.turn = 7  # type: ignore[assignment]

    def legal(self) -> Sequence[Any]:
        """Return something all the same."""
        return [1]


class NoOutcome(MagpieState):
    """It ends with nothing."""

    def outcome(self) -> Outcome:
        """Return nothing."""
        return None  # type: ignore[return-value]


class ShortOutcome(MagpieState):
    """It ends with the points of one seat."""

    def outcome(self) -> Outcome:
        """Return the outcome of one seat."""
        return Outcome((1.0,), (1,), ((0,),))


class EndsThePython(MagpieState):
    """It ends the process."""

    def legal(self) -> Sequence[Any]:
        """End it."""
        raise SystemExit("bye")


class Computes(MagpieState):
    """It computes for ever, whatever is raised."""

    def legal(self) -> Sequence[Any]:
        """Compute."""
        while True:
            with contextlib.suppress(Exception):
                sum(range(1000))


class Sleeps(MagpieState):
    """It waits for ever."""

    def legal(self) -> Sequence[Any]:
        """Wait."""
        time.sleep(1e6)
        return []


class PartnersByPlay(MagpieState):
    """Sides that the game does not have."""

    def outcome(self) -> Outcome:
        """Make partners of all."""
        return outcome_by_side([1], ((0, 1),))


class NothingHappens(MagpieState):
    """Nothing happens."""

    def play(self, action: Any) -> None:  # noqa: ANN401
        """Do nothing."""


class DealsNothing(Magpie):
    """A game that deals nothing."""

    def deal(self, seats: int, options: Any, rng: Random) -> Any:  # noqa: ANN401
        """Return nothing."""


async def play_match(game: AnyGame) -> None:
    """Play a game between two seats that choose at random."""
    options = game.Options().resolve(2)
    seats = [RandomSeat(seat, "s") for seat in range(2)]
    await Match(game, options, seats, "s", max_decisions=500).play(0, ["a", "b"])


@pytest.mark.parametrize(
    ("state", "where", "what"),
    [
        (NothingLegal, "NothingLegal.legal", r"the legal actions of seat \d are \[\]; until the game is over there is"),
        (LegalIsNone, "LegalIsNone.legal", r"the legal actions of seat \d are None; until"),
        (NobodysTurn, "MagpieState.legal", r"the turn is Turn\(seat=9, phase='draw'\); a turn has a seat, 0 to 1"),
        (NoTurn, "NoTurn.legal", "the turn is 7; a turn has a seat, 0 to 1, and a phase"),
        (NoOutcome, "NoOutcome.outcome", "the outcome is None; it must have points and a place for each of 2 seats"),
        (ShortOutcome, "ShortOutcome.outcome", r"the outcome is Outcome\(.*; it must have points and a place for each"),
        (
            PartnersByPlay,
            "PartnersByPlay.outcome",
            r"the sides of the outcome are \(\(0, 1\),\), and those",
        ),
        (EndsThePython, "in legal", "SystemExit: bye"),
        (NothingHappens, "NothingHappens.play", "the game has not ended after 500 decisions"),
        (DealsNothing, "DealsNothing", "AttributeError: 'NoneType' object has no attribute 'table'"),
    ],
)
async def test_a_plugin_that_goes_wrong(state: type[Any], where: str, what: str) -> None:
    """The error names the game, the file and the line of the plugin, what it did, and the decision."""
    game = state() if issubclass(state, Magpie) else Magpie(state)
    file = "magpie.py" if "Magpie" in where else "test_plugin_calls.py"

    with pytest.raises(
        GamePluginError, match=rf"'magpie' failed \([^,]*, {file}, line \d+, {where}\): {what}.* seed 's'"
    ):
        await play_match(game)


@pytest.mark.parametrize(("state", "line"), [(Computes, "in legal"), (Sleeps, "in legal")])
async def test_a_call_that_does_not_return(state: type[MagpieState], line: str) -> None:
    """A call that does not return is broken off, whether it computes or waits, and the error names the line where it
    was.
    """
    with (
        break_endless_calls(cpu_seconds=0.05, wall_seconds=0.5, tick_seconds=0.02),
        pytest.raises(GamePluginError, match=rf"test_plugin_calls.py, line \d+, {line}\): it has not returned after"),
    ):
        await play_match(Magpie(state))


async def test_a_wait_is_counted_in_looks() -> None:
    """While the process is stopped, as by Ctrl-Z, nobody looks: a call is not broken off when the process goes on."""
    looks: list[str] = []
    with (
        break_endless_calls(cpu_seconds=1000.0, wall_seconds=2500.0, tick_seconds=1000.0),
        pytest.raises(GamePluginError, match="it has not returned after 3000 s"),
        PluginCalls(Magpie(), lambda: ""),
    ):
        while len(looks) < 10:
            looks.append("look")
            signal.raise_signal(signal.SIGALRM)

    assert len(looks) == 4


async def test_calls_that_return() -> None:
    """A game whose calls return is not broken off, however long they take together."""
    with break_endless_calls(cpu_seconds=0.0, wall_seconds=0.5, tick_seconds=0.05):
        await play_match(Magpie())
