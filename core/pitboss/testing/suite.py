"""The conformance suite: which checks run when, and `check_game`, which runs them all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict

from pitboss.game import AnyGame, AnyState
from pitboss.random_play import MAX_DECISIONS
from pitboss.testing.checks import (
    card_conservation,
    constraint_contract,
    contract,
    copies,
    endings,
    evaluation,
    leaks,
    legal_history,
    legality,
    logs,
    other_deals,
    other_process,
    positions,
    read_only_queries,
    records,
    rendering,
    seeds,
    worlds,
)
from pitboss.testing.framework.check import Check, CheckResult, CheckScope, collect_checks
from pitboss.testing.framework.check_runner import CheckRunner
from pitboss.testing.framework.checked_setup import CheckedSetup, enumerate_setups
from pitboss.testing.framework.decision_point import DecisionPoint, PlayStep, choose_points
from pitboss.testing.framework.played_game import GamePlayer, PlayedGame, choose_at_random, play_game
from pitboss.testing.framework.snapshot import Snapshot, take_snapshot

MODULES_BY_SCOPE: Final[Mapping[CheckScope, Sequence[ModuleType]]] = {
    "game": (contract,),
    "setup": (seeds, positions, endings),
    "played game": (endings, seeds, records, other_deals),
    "all games": (other_process,),
    "decision": (read_only_queries, legality, card_conservation, rendering, evaluation),  # the first takes the snapshot
    "step": (logs,),
    "point": (
        card_conservation, legality, read_only_queries, copies, positions, logs, leaks, rendering, evaluation, worlds,
        constraint_contract, legal_history,
    ),
    "end": (legality, read_only_queries, positions, endings, rendering, evaluation, card_conservation, logs),
}  # fmt: skip
CHECKS: Final[Mapping[CheckScope, Sequence[Check[Any, None]]]] = {
    scope: tuple(collect_checks(modules, scope)) for scope, modules in MODULES_BY_SCOPE.items()
}
ALL_CHECKS: Final = tuple({check.name: check for checks in CHECKS.values() for check in checks}.values())

CHECKED_DECISIONS: Final = 500  # the first decisions of a game are all checked; later ones near the chosen points only
CHECKED_AFTER_POINT: Final = 30
OTHER_PROCESS_GAMES: Final = 8  # games at most that are played in other processes too


class ConformanceReport(Struct, frozen=True):
    """The results of all checks on one game, in the order of the suite."""

    game: str
    checks: list[CheckResult]
    tables: list[str]  # the seats and options that were played: "2 seats", "4 seats, preset 'partners'"
    games: int  # how many games were played
    decisions: int  # how many decisions they had

    @property
    def failures(self) -> list[CheckResult]:
        """The results of failed checks."""
        return [result for result in self.checks if result.outcome == "failed"]

    def to_json(self) -> dict[str, Any]:
        """Return the report as `pitboss check-game --json` prints it."""
        checks = [
            {"name": one.name, "promise": one.promise, "outcome": one.outcome, "detail": one.detail}
            for one in self.checks
        ]
        return {**asdict(self), "checks": checks}


def check_game(
    game: AnyGame,
    *,
    seats: Sequence[int] | None = None,
    presets: Sequence[str] | None = None,
    options: Mapping[str, object] | None = None,
    games: int = 2,
    seed: str = "conformance",
    player: GamePlayer | None = None,
    max_decisions: int = MAX_DECISIONS,
    stop_at_failure: bool = False,
) -> ConformanceReport:
    """Run every check on a game and return the report.

    By default the setups are every number of seats with the defaults, with every preset, and with each option of few
    values changed alone. `seats` and `presets` restrict them (an empty `presets`: the defaults only). `options` are set
    on top of them; then no option is changed alone.

    In each setup `games` games are played at random (one, where a single option is changed). `player` chooses a legal
    action of a state; it plays every second game, beginning with the first, since a sensible player reaches situations
    that random play does not. A game that has not ended after `max_decisions` decisions counts as endless.
    With `stop_at_failure` no game is begun after one in which a check has failed.
    """
    runner = CheckRunner(ALL_CHECKS)
    for check in CHECKS["game"]:
        runner.run(check, game)
    setups = _list_setups(game, seats, presets, options, seed, max_decisions)
    played_games: list[PlayedGame] = []
    for number, setup in enumerate(setups):
        is_single_change = bool(setup.variant.changes) and not options
        for game_number in range(1 if is_single_change else games):
            if stop_at_failure and runner.has_failures:
                break
            style, chooser = (
                ("by a player", player) if player and game_number % 2 == 0 else ("at random", choose_at_random)
            )
            played_games.append(play_game(setup, f"{seed}/{number}/{game_number}", style, chooser))
            _check_played_game(runner, played_games[-1])
            for check in CHECKS["setup"] if game_number == 0 else ():
                runner.run(check, setup)
    for check in () if stop_at_failure and runner.has_failures else CHECKS["all games"]:
        runner.run(check, played_games[:: len(played_games) // OTHER_PROCESS_GAMES + 1])
    return ConformanceReport(
        game=str(game.name),
        checks=runner.results,
        tables=[setup.label for setup in setups],
        games=len(played_games),
        decisions=sum(map(len, played_games)),
    )


def assert_conforms(
    game: AnyGame,
    *,
    seats: Sequence[int] | None = None,
    presets: Sequence[str] | None = None,
    games: int = 2,
    seed: str = "conformance",
    player: GamePlayer | None = None,
) -> ConformanceReport:
    """Run every check on a game, as `check_game` does, and return the report.

    Raises:
        AssertionError: a check failed; the text has every failure.
    """
    report = check_game(game, seats=seats, presets=presets, games=games, seed=seed, player=player)
    if report.failures:
        raise AssertionError("\n".join([f"{game.name} does not conform:", *map(str, report.failures)]))
    return report


def _list_setups(
    game: AnyGame,
    seats: Sequence[int] | None,
    presets: Sequence[str] | None,
    options: Mapping[str, object] | None,
    seed: str,
    max_decisions: int,
) -> list[CheckedSetup]:
    """Return the setups to play; [] if building them raises, which the checks of the game's contract report."""
    try:
        setups = list(enumerate_setups(game, seats, presets, options or {}))
    except Exception:  # noqa: BLE001 - the border to a plugin's code
        return []
    return [CheckedSetup(setup, seed, max_decisions) for setup in setups]


def _check_played_game(runner: CheckRunner, played_game: PlayedGame) -> None:
    """Run all checks of one game: the cheap ones at every decision, the others at chosen points."""
    try:
        _check_decisions(runner, played_game)
    except Exception as error:  # noqa: BLE001 - the border to a plugin's code
        played_game.error = played_game.error or f"played again, it raised {type(error).__name__}: {error}"
    for check in CHECKS["played game"]:
        runner.run(check, played_game)


def _check_decisions(runner: CheckRunner, played_game: PlayedGame) -> None:
    points = choose_points(played_game)
    near_points = {number for point in points for number in range(point, point + CHECKED_AFTER_POINT)}
    state = played_game.setup.deal(played_game.seed)
    for number, action in enumerate(played_game.actions):
        if number >= CHECKED_DECISIONS and number not in near_points:
            state.play(action)
            continue
        point = DecisionPoint(played_game, number, state)
        for check in CHECKS["decision"]:
            runner.run(check, point)
        if number in points:
            state = _check_point(runner, point, CHECKS["point"])
        step = PlayStep(point) if number in played_game.snapshots else None
        state.play(action)
        for check in CHECKS["step"] if step else ():
            runner.run(check, step)
    if played_game.is_over:
        _check_point(runner, DecisionPoint(played_game, len(played_game), state), CHECKS["end"])


def _check_point(runner: CheckRunner, point: DecisionPoint, checks: Sequence[Check[Any, None]]) -> AnyState:
    """Run checks at one decision point and return its state, replayed whenever a check has changed it."""
    before = _take_snapshot(point.state)
    for check in checks:
        runner.run(check, point)
        if _take_snapshot(point.state) != before:
            point.state = point.played_game.replay_to(point.number)
    return point.state


def _take_snapshot(state: AnyState) -> Snapshot | str:
    try:
        return take_snapshot(state)
    except Exception as error:  # noqa: BLE001 - the border to a plugin's code
        return repr(error)
