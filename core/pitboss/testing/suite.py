"""The suite: which checks there are, and one call that puts a game through them all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pitboss.game import AnyGame, AnyState
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
    other_process,
    positions,
    read_only_queries,
    records,
    rendering,
    seeds,
    worlds,
)
from pitboss.testing.framework.check_runner import CheckRunner, GameCheck
from pitboss.testing.framework.decision_point import DecisionPoint, PlayStep, choose_points
from pitboss.testing.framework.game_setup import MAX_DECISIONS, GameSetup, enumerate_setups, enumerate_variations
from pitboss.testing.framework.played_game import ActionChooser, PlayedGame, choose_at_random, play_game
from pitboss.testing.framework.report import ConformanceReport
from pitboss.testing.framework.snapshot import Snapshot, take_snapshot

GAME_CHECKS: Final[Sequence[GameCheck[AnyGame]]] = contract.GAME_CHECKS
SETUP_CHECKS: Final[Sequence[GameCheck[GameSetup]]] = (
    *seeds.SETUP_CHECKS,
    *positions.SETUP_CHECKS,
    *endings.SETUP_CHECKS,
)
PLAYED_GAME_CHECKS: Final[Sequence[GameCheck[PlayedGame]]] = (
    *endings.PLAYED_GAME_CHECKS,
    *seeds.PLAYED_GAME_CHECKS,
    *records.PLAYED_GAME_CHECKS,
)
DECISION_CHECKS: Final[Sequence[GameCheck[DecisionPoint]]] = (
    *read_only_queries.DECISION_CHECKS,
    *legality.DECISION_CHECKS,
    *card_conservation.DECISION_CHECKS,
    *rendering.DECISION_CHECKS,
    *evaluation.DECISION_CHECKS,
)
STEP_CHECKS: Final[Sequence[GameCheck[PlayStep]]] = logs.STEP_CHECKS
POINT_CHECKS: Final[Sequence[GameCheck[DecisionPoint]]] = (
    *card_conservation.POINT_CHECKS,
    *legality.POINT_CHECKS,
    *read_only_queries.POINT_CHECKS,
    *copies.POINT_CHECKS,
    *positions.POINT_CHECKS,
    *logs.POINT_CHECKS,
    *leaks.POINT_CHECKS,
    *rendering.POINT_CHECKS,
    *evaluation.POINT_CHECKS,
    *worlds.POINT_CHECKS,
    *constraint_contract.POINT_CHECKS,
    *legal_history.POINT_CHECKS,
)
END_CHECKS: Final[Sequence[GameCheck[DecisionPoint]]] = (
    *legality.END_CHECKS,
    *read_only_queries.END_CHECKS,
    *endings.END_CHECKS,
    *rendering.END_CHECKS,
    *evaluation.END_CHECKS,
    *card_conservation.DECISION_CHECKS,
    *logs.POINT_CHECKS,
)
ALL_CHECKS: Final[Sequence[GameCheck[Any]]] = tuple(
    dict.fromkeys(
        (
            *GAME_CHECKS,
            *SETUP_CHECKS,
            *PLAYED_GAME_CHECKS,
            *other_process.ALL_GAMES_CHECKS,
            *DECISION_CHECKS,
            *STEP_CHECKS,
            *POINT_CHECKS,
            *END_CHECKS,
        )
    )
)

CHECKED_DECISIONS: Final = (
    500  # decisions from the beginning of a game that are all looked at; later ones near the chosen moments only
)
CHECKED_AFTER_POINT: Final = 30
OTHER_PROCESS_GAMES: Final = 8  # games at most that are played in other processes too


def check_game(
    game: AnyGame,
    *,
    seats: Sequence[int] | None = None,
    presets: Sequence[str] | None = None,
    options: Mapping[str, object] | None = None,
    games: int = 2,
    seed: str = "conformance",
    player: ActionChooser | None = None,
    max_decisions: int = MAX_DECISIONS,
    stop_at_failure: bool = False,
) -> ConformanceReport:
    """Put a game through every check, and return what was found.

    By default it is played with every number of seats, with the defaults, every preset, and every option that has few values changed alone.
    `seats` and `presets` restrict this (no presets: the defaults), `options` are given on top (and then no others are changed).

    In each setting `games` games are played at random (one, where only one option is changed); with a `player`, which chooses a legal action
    of a state, every second one is its, and the first: a sensible player comes to where random play does not. A game that has not ended after
    `longest` decisions counts as endless. With `stop_at_failure` no game is begun after one in which a check has failed.
    """
    examiner = CheckRunner(ALL_CHECKS)
    for check in GAME_CHECKS:
        examiner.run(check, game)
    tables, whole = _list_setups(game, seats, presets, options or {})
    courses: list[PlayedGame] = []
    for number, setting in enumerate(tables):
        setting.max_decisions, setting.seed = max_decisions, seed
        for game_number in range(games if number < whole else 1):
            if stop_at_failure and examiner.has_failures:
                break
            style, chooser = (
                ("by a player", player) if player and game_number % 2 == 0 else ("at random", choose_at_random)
            )
            courses.append(play_game(setting, f"{seed}/{number}/{game_number}", style, chooser))
            _check_played_game(examiner, courses[-1])
            for of_setting in SETUP_CHECKS if game_number == 0 else ():
                examiner.run(of_setting, setting)
    for of_all in () if stop_at_failure and examiner.has_failures else other_process.ALL_GAMES_CHECKS:
        examiner.run(of_all, courses[:: len(courses) // OTHER_PROCESS_GAMES + 1])
    return ConformanceReport(
        game=str(game.name),
        checks=examiner.results(),
        tables=[setting.label for setting in tables],
        games=len(courses),
        decisions=sum(map(len, courses)),
    )


def assert_conforms(
    game: AnyGame,
    *,
    seats: Sequence[int] | None = None,
    presets: Sequence[str] | None = None,
    games: int = 2,
    seed: str = "conformance",
    player: ActionChooser | None = None,
) -> ConformanceReport:
    """Put a game through every check, as `check_game` does, and return the report.

    Raises:
        AssertionError: the game has not passed; the text has all that was found.
    """
    report = check_game(game, seats=seats, presets=presets, games=games, seed=seed, player=player)
    if report.failures:
        raise AssertionError("\n".join([f"{game.name} does not conform:", *map(str, report.failures)]))
    return report


def _list_setups(
    game: AnyGame, seats: Sequence[int] | None, presets: Sequence[str] | None, given: Mapping[str, object]
) -> tuple[list[GameSetup], int]:
    """Return the settings to play, and how many of them are more than single changes of an option.

    Those that cannot even be made are left to the checks of the game itself.
    """
    try:
        tables = list(enumerate_setups(game, seats, presets, given))
        changed = list(enumerate_variations(game, seats, tables)) if presets is None and not given else []
    except Exception:  # noqa: BLE001 - the border to a plugin's code
        return [], 0
    return [*tables, *changed], len(tables)


def _check_played_game(runner: CheckRunner, played_game: PlayedGame) -> None:
    """Put all checks of one game, the cheap ones at every decision, the others at chosen ones."""
    try:
        _check_decisions(runner, played_game)
    except Exception as wrong:  # noqa: BLE001 - the border to a plugin's code
        played_game.error = played_game.error or f"played again, it raised {type(wrong).__name__}: {wrong}"
    for check in PLAYED_GAME_CHECKS:
        runner.run(check, played_game)


def _check_decisions(runner: CheckRunner, played_game: PlayedGame) -> None:
    moments = choose_points(played_game, 3)
    near = {number for moment in moments for number in range(moment, moment + CHECKED_AFTER_POINT)}
    state = played_game.setup.deal(played_game.seed)
    for number, action in enumerate(played_game.actions):
        if number >= CHECKED_DECISIONS and number not in near:
            state.play(action)
            continue
        moment = DecisionPoint(played_game, number, state)
        for check in DECISION_CHECKS:
            runner.run(check, moment)
        if number in moments:
            state = _check_point(runner, moment, POINT_CHECKS)
        before = played_game.snapshots.get(number)
        logged, zones, known = (
            len(state.table.log or ()),
            [cards[:] for cards in state.table.zones],
            state.table.known_by[:],
        )
        state.play(action)
        if before is not None:
            step = PlayStep(played_game, number, before, logged, zones, known, state)
            for of_step in STEP_CHECKS:
                runner.run(of_step, step)
    if played_game.is_over:
        _check_point(runner, DecisionPoint(played_game, len(played_game), state), END_CHECKS)


def _check_point(runner: CheckRunner, point: DecisionPoint, checks: Sequence[GameCheck[DecisionPoint]]) -> AnyState:
    """Put checks to a moment. What a faulty game does to its state in one check is not to be held against it in the next."""
    before = _take_snapshot(point.state)
    for check in checks:
        runner.run(check, point)
        if _take_snapshot(point.state) != before:
            point.state = point.played_game.replay_to(point.number)
    return point.state


def _take_snapshot(state: AnyState) -> Snapshot | str:
    try:
        return take_snapshot(state)
    except Exception as wrong:  # noqa: BLE001 - the border to a plugin's code
        return repr(wrong)
