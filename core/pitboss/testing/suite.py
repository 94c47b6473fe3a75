"""The suite: which checks there are, and one call that puts a game through them all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pitboss.game import AnyGame, AnyState
from pitboss.testing import (
    contract,
    copying,
    elsewhere,
    endings,
    leaks,
    legality,
    logs,
    looking,
    past,
    pictures,
    placing,
    positions,
    prospects,
    records,
    seeds,
    stated,
    worlds,
)
from pitboss.testing.course import Course, Player, at_random, played
from pitboss.testing.examiner import Check, Examiner
from pitboss.testing.moment import Moment, Step, chosen
from pitboss.testing.report import Report
from pitboss.testing.settings import LONGEST, Setting, settings, variations
from pitboss.testing.standing import Standing, standing

OF_A_GAME: Final[Sequence[Check[AnyGame]]] = contract.OF_A_GAME
OF_A_SETTING: Final[Sequence[Check[Setting]]] = (*seeds.OF_A_SETTING, *positions.OF_A_SETTING, *endings.OF_A_SETTING)
OF_A_COURSE: Final[Sequence[Check[Course]]] = (*endings.OF_A_COURSE, *seeds.OF_A_COURSE, *records.OF_A_COURSE)
OF_A_DECISION: Final[Sequence[Check[Moment]]] = (
    *looking.OF_A_DECISION,
    *legality.OF_A_DECISION,
    *placing.OF_A_DECISION,
    *pictures.OF_A_DECISION,
    *prospects.OF_A_DECISION,
)
OF_A_STEP: Final[Sequence[Check[Step]]] = logs.OF_A_STEP
OF_A_MOMENT: Final[Sequence[Check[Moment]]] = (
    *placing.OF_A_MOMENT,
    *legality.OF_A_MOMENT,
    *looking.OF_A_MOMENT,
    *copying.OF_A_MOMENT,
    *positions.OF_A_MOMENT,
    *logs.OF_A_MOMENT,
    *leaks.OF_A_MOMENT,
    *pictures.OF_A_MOMENT,
    *prospects.OF_A_MOMENT,
    *worlds.OF_A_MOMENT,
    *stated.OF_A_MOMENT,
    *past.OF_A_MOMENT,
)
OF_AN_END: Final[Sequence[Check[Moment]]] = (
    *legality.OF_AN_END,
    *looking.OF_AN_END,
    *endings.OF_AN_END,
    *pictures.OF_AN_END,
    *prospects.OF_AN_END,
    *placing.OF_A_DECISION,
    *logs.OF_A_MOMENT,
)
EVERY_CHECK: Final[Sequence[Check[Any]]] = tuple(
    dict.fromkeys(
        (
            *OF_A_GAME,
            *OF_A_SETTING,
            *OF_A_COURSE,
            *elsewhere.OF_ALL_COURSES,
            *OF_A_DECISION,
            *OF_A_STEP,
            *OF_A_MOMENT,
            *OF_AN_END,
        )
    )
)

CLOSELY: Final = 500  # decisions from the beginning of a game that are all looked at; later ones near the chosen moments only
NEAR: Final = 30
ELSEWHERE: Final = 8  # games at most that are played in other processes too


def check_game(
    game: AnyGame,
    *,
    seats: Sequence[int] | None = None,
    presets: Sequence[str] | None = None,
    options: Mapping[str, object] | None = None,
    games: int = 2,
    seed: str = "conformance",
    player: Player | None = None,
    longest: int = LONGEST,
    stop_at_failure: bool = False,
) -> Report:
    """Put a game through every check, and return what was found.

    By default it is played with every number of seats, with the defaults, every preset, and every option that has few values changed alone.
    `seats` and `presets` restrict this (no presets: the defaults), `options` are given on top (and then no others are changed).

    In each setting `games` games are played at random (one, where only one option is changed); with a `player`, which chooses a legal action
    of a state, every second one is its, and the first: a sensible player comes to where random play does not. A game that has not ended after
    `longest` decisions counts as endless. With `stop_at_failure` no game is begun after one in which a check has failed.
    """
    examiner = Examiner(EVERY_CHECK)
    for check in OF_A_GAME:
        examiner.put(check, game)
    tables, whole = _tables(game, seats, presets, options or {})
    courses: list[Course] = []
    for number, setting in enumerate(tables):
        setting.longest, setting.seed = longest, seed
        for game_number in range(games if number < whole else 1):
            if stop_at_failure and examiner.has_failures:
                break
            style, chooser = ("by a player", player) if player and game_number % 2 == 0 else ("at random", at_random)
            courses.append(played(setting, f"{seed}/{number}/{game_number}", style, chooser))
            _examine(examiner, courses[-1])
            for of_setting in OF_A_SETTING if game_number == 0 else ():
                examiner.put(of_setting, setting)
    for of_all in () if stop_at_failure and examiner.has_failures else elsewhere.OF_ALL_COURSES:
        examiner.put(of_all, courses[:: len(courses) // ELSEWHERE + 1])
    return Report(
        game=str(game.name),
        checks=examiner.verdicts(),
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
    player: Player | None = None,
) -> Report:
    """Put a game through every check, as `check_game` does, and return the report.

    Raises:
        AssertionError: the game has not passed; the text has all that was found.
    """
    report = check_game(game, seats=seats, presets=presets, games=games, seed=seed, player=player)
    if report.failed:
        raise AssertionError("\n".join([f"{game.name} does not conform:", *map(str, report.failed)]))
    return report


def _tables(
    game: AnyGame, seats: Sequence[int] | None, presets: Sequence[str] | None, given: Mapping[str, object]
) -> tuple[list[Setting], int]:
    """Return the settings to play, and how many of them are more than single changes of an option.

    Those that cannot even be made are left to the checks of the game itself.
    """
    try:
        tables = list(settings(game, seats, presets, given))
        changed = list(variations(game, seats, tables)) if presets is None and not given else []
    except Exception:  # noqa: BLE001 - the border to a plugin's code
        return [], 0
    return [*tables, *changed], len(tables)


def _examine(examiner: Examiner, course: Course) -> None:
    """Put all checks of one game, the cheap ones at every decision, the others at chosen ones."""
    try:
        _walk(examiner, course)
    except Exception as wrong:  # noqa: BLE001 - the border to a plugin's code
        course.error = course.error or f"played again, it raised {type(wrong).__name__}: {wrong}"
    for check in OF_A_COURSE:
        examiner.put(check, course)


def _walk(examiner: Examiner, course: Course) -> None:
    moments = chosen(course, 3)
    near = {number for moment in moments for number in range(moment, moment + NEAR)}
    state = course.setting.deal(course.seed)
    for number, action in enumerate(course.actions):
        if number >= CLOSELY and number not in near:
            state.play(action)
            continue
        moment = Moment(course, number, state)
        for check in OF_A_DECISION:
            examiner.put(check, moment)
        if number in moments:
            state = _look_closely(examiner, moment, OF_A_MOMENT)
        before = course.trace.get(number)
        logged, zones, known = len(state.table.log or ()), [cards[:] for cards in state.table.zones], state.table.known[:]
        state.play(action)
        if before is not None:
            step = Step(course, number, before, logged, zones, known, state)
            for of_step in OF_A_STEP:
                examiner.put(of_step, step)
    if course.is_over:
        _look_closely(examiner, Moment(course, len(course), state), OF_AN_END)


def _look_closely(examiner: Examiner, moment: Moment, checks: Sequence[Check[Moment]]) -> AnyState:
    """Put checks to a moment. What a faulty game does to its state in one check is not to be held against it in the next."""
    before = _standing(moment.state)
    for check in checks:
        examiner.put(check, moment)
        if _standing(moment.state) != before:
            moment.state = moment.course.at(moment.number)
    return moment.state


def _standing(state: AnyState) -> Standing | str:
    try:
        return standing(state)
    except Exception as wrong:  # noqa: BLE001 - the border to a plugin's code
        return repr(wrong)
