"""The conformance suite: which checks run when; `ConformanceRun`, which runs them, and `check_game`, all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import asdict

from pitboss.game import AnyGame, AnyState
from pitboss.simulation.random_play import MAX_DECISIONS
from pitboss.testing.checks import (
    card_conservation,
    constraint_contract,
    contract,
    copies,
    counts,
    endings,
    equal_cards,
    evaluation,
    leaks,
    learning,
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
    simultaneous,
    worlds,
)
from pitboss.testing.framework.check import Check, CheckResult, CheckScope, collect_checks
from pitboss.testing.framework.check_runner import CheckRunner
from pitboss.testing.framework.checked_setup import CheckedSetup, enumerate_setups, order_by_length
from pitboss.testing.framework.choosers import NewKindChooser, choose_by_estimate
from pitboss.testing.framework.decision_point import DecisionPoint, PlayStep, choose_points
from pitboss.testing.framework.failures import Failure, FailureCause, fold_failures, make_failure, put_in_game
from pitboss.testing.framework.game_reach import GameReach, ReachRecorder
from pitboss.testing.framework.played_game import GamePlayer, PlayedGame, choose_at_random, play_game
from pitboss.testing.framework.snapshot import Snapshot, take_snapshot
from pitboss.text import describe_exception

MODULES_BY_SCOPE: Final[Mapping[CheckScope, Sequence[ModuleType]]] = {
    "game": (contract,),
    "setup": (seeds, positions, endings, learning),
    "played game": (endings, seeds, records, other_deals, equal_cards, simultaneous),
    "all games": (endings, other_process),
    "decision": (  # first: the snapshot
        read_only_queries, legality, card_conservation, rendering, evaluation, counts, learning,
    ),
    "step": (logs, equal_cards),
    "point": (
        card_conservation, legality, read_only_queries, copies, positions, logs, leaks, rendering, counts, evaluation,
        worlds, constraint_contract, legal_history, learning,
    ),
    "end": (legality, read_only_queries, positions, endings, rendering, counts, evaluation, card_conservation, logs),
}  # fmt: skip
CHECKS: Final[Mapping[CheckScope, Sequence[Check[Any, None]]]] = {
    scope: tuple(collect_checks(modules, scope)) for scope, modules in MODULES_BY_SCOPE.items()
}
ALL_CHECKS: Final = tuple({check.name: check for checks in CHECKS.values() for check in checks}.values())
EXACT_CHECKS: Final = {  # they play nothing on from the decision that they name
    endings.games_are_played_without_error.name,
    *(check.name for scope in ("decision", "step", "end") for check in CHECKS[scope]),
}

CHECKED_DECISIONS: Final = 500  # the first decisions of a game are all checked; later ones near the chosen points only
CHECKED_AFTER_POINT: Final = 30
IN_EVERY_GAME: Final = {endings.games_are_played_without_error.name, endings.games_end.name}


class CheckDepth(NamedTuple):
    """How much of each game is checked. In little time many games, each checked a little, show more than few."""

    points: int | None  # decisions with all expensive checks, at most; None: those of `choose_points`
    decisions: int  # the first decisions, with all cheap checks; later decisions: near the points only
    whole_games: int  # one game in this number, from the first on, is checked as a whole, with its setup


THOROUGH: Final = CheckDepth(points=None, decisions=CHECKED_DECISIONS, whole_games=1)
QUICK: Final = CheckDepth(points=4, decisions=100, whole_games=5)


class ConformanceReport(Struct, frozen=True):
    """The results of all checks on one game, in the order of the suite."""

    game: str
    checks: list[CheckResult]
    tables: list[str]  # the seats and options that were played: "2 seats", "4 seats, preset 'partners'"
    games: int  # how many games were played
    decisions: int  # how many decisions they had
    never_reached: GameReach = GameReach()
    not_played: list[str] = []  # of `tables`, where the run was broken off before
    all_failures: list[Failure] = []  # of each check and game one at most, in the order in which they were seen

    @property
    def failures(self) -> list[CheckResult]:
        """The results of failed checks: of each its first failure."""
        return [result for result in self.checks if result.outcome == "failed"]

    @property
    def causes(self) -> list[FailureCause]:
        """All failures, folded by their cause."""
        return fold_failures(self.all_failures)

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

    In each setup `games` games are played (one, where a single option is changed). `player` chooses a legal action of a
    state; it plays every second game, beginning with the first. Of the others every second one is played at random, and
    the rest in turn by the state's own estimate, and by a player who does what it has done least: they reach situations
    that random play does not. A game that has not ended after `max_decisions` decisions counts as endless; its setup is
    then left. With `stop_at_failure` no game is begun after one in which a check has failed.
    """
    run = ConformanceRun(game, games=games, seed=seed, player=player, stop_at_failure=stop_at_failure)
    run.play(list_setups(game, seats, presets, options, seed, max_decisions))
    run.check_all_games()
    return run.report()


class ConformanceRun:
    """A run of the suite over one game. An exception may break it off at any moment: `report` has what was checked."""

    def __init__(
        self,
        game: AnyGame,
        *,
        games: int = 2,
        seed: str = "conformance",
        player: GamePlayer | None = None,
        stop_at_failure: bool = False,
        depth: CheckDepth = THOROUGH,
        show_game: Callable[[PlayedGame, Sequence[FailureCause]], None] = lambda game, causes: None,
    ) -> None:
        """`show_game` is called after the checks of each game, with the causes of failures that were first seen in it.

        A check that has failed is run in later games too, until it fails there.
        """
        self.played_games: list[PlayedGame] = []
        self.checked_games = 0  # of those, the games whose checks have all been run
        self._game = game
        self._games = games
        self._seed = seed
        self._player = player
        self._stop_at_failure = stop_at_failure
        self._depth = depth
        self._show_game = show_game
        self._failures: list[Failure] = []
        self._game_in_progress: PlayedGame | None = None  # its checks are being run
        self._reach = ReachRecorder(game)
        self._new_kinds = NewKindChooser()
        self._other_games = 0  # played neither at random nor by the player
        self._runner = CheckRunner(ALL_CHECKS, self._note_failure)
        self._setups: Sequence[CheckedSetup] = ()
        self._left = set[CheckedSetup]()  # setups in which no game is begun any more
        self._is_complete = False

    def play(self, setups: Sequence[CheckedSetup]) -> None:
        """Play the first game of each setup, short ones first, then the second of each; check each game after it."""
        with self._reach.watch():
            for check in CHECKS["game"]:
                self._runner.run(check, self._game)
            self._setups = setups
            numbered = order_by_length(setups, self._reach.record)
            for game_number in range(self._games):
                for turn, (number, setup) in enumerate(numbered, game_number):
                    if self._is_over:
                        break
                    if setup not in self._left:
                        style, player = self._choose_player(turn, game_number)
                        self._play_game(setup, f"{self._seed}/{number}/{game_number}", game_number, style, player)
        self._is_complete = True

    def check_all_games(self) -> None:
        """Check what all games show together; some of them are played again in other processes."""
        for check in () if self._is_over else CHECKS["all games"]:
            self._runner.run(check, self.played_games)

    def report(self) -> ConformanceReport:
        """Return what has been checked so far."""
        played = {game.setup for game in self.played_games}
        return ConformanceReport(
            game=str(self._game.name),
            checks=self._runner.results,
            tables=[setup.label for setup in self._setups],
            games=len(self.played_games),
            decisions=sum(map(len, self.played_games)),
            never_reached=self._reach.report(),
            not_played=[setup.label for setup in self._setups if not (self._is_complete or setup in played)],
            all_failures=self._failures[:],
        )

    @property
    def _is_over(self) -> bool:
        return self._stop_at_failure and self._runner.has_failures

    def _choose_player(self, turn: int, game_number: int) -> tuple[str, GamePlayer]:
        """Return who plays a game, in a word, and how. `turn` counts on from setup to setup."""
        if self._player and game_number % 2 == 0:
            return "by a player", self._player
        if (turn - (game_number + 1) // 2 if self._player else turn) % 2 == 0:
            return "at random", choose_at_random
        self._other_games += 1
        if self._other_games % 2:
            return "by the estimate", choose_by_estimate
        return "by new kinds", self._new_kinds

    def _play_game(self, setup: CheckedSetup, seed: str, game_number: int, style: str, player: GamePlayer) -> None:
        game = play_game(setup, seed, style, player)
        self.played_games.append(game)
        self._game_in_progress = game
        self._runner.run_failed_again()
        is_whole = self.checked_games % self._depth.whole_games == 0
        _check_played_game(self._runner, game, self._depth, is_whole, self._reach)
        if setup.is_single_change or game.is_endless:
            self._left.add(setup)
        for check in CHECKS["setup"] if is_whole and game_number == 0 and not game.is_endless else ():
            self._runner.run(check, setup)
        self._game_in_progress = None
        number, self.checked_games = self.checked_games, self.checked_games + 1
        self._show_game(game, [cause for cause in fold_failures(self._failures) if cause.first.game == number])

    def _note_failure(self, name: str, detail: str, hint: str) -> None:
        failure, game = make_failure(name, detail, hint, is_exact=name in EXACT_CHECKS), self._game_in_progress
        self._failures.append(failure if game is None else put_in_game(failure, self.checked_games, game.setup))


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
        AssertionError: a check failed; the text has every cause of failures.
    """
    report = check_game(game, seats=seats, presets=presets, games=games, seed=seed, player=player)
    if report.failures:
        raise AssertionError("\n".join([f"{game.name} does not conform:", *map(str, report.causes)]))
    return report


def list_setups(
    game: AnyGame,
    seats: Sequence[int] | None,
    presets: Sequence[str] | None,
    options: Mapping[str, object] | None,
    seed: str,
    max_decisions: int = MAX_DECISIONS,
) -> list[CheckedSetup]:
    """Return the setups to play (see `check_game`).

    It is [] if building them raises, which the checks of the game's contract report.
    """
    try:
        setups = list(enumerate_setups(game, seats, presets, options or {}))
    except Exception:  # noqa: BLE001 - the border to a plugin's code
        return []
    return [CheckedSetup(setup, seed, max_decisions, is_single_change=not options) for setup in setups]


def _check_played_game(
    runner: CheckRunner, played_game: PlayedGame, depth: CheckDepth, is_whole: bool, reach: ReachRecorder
) -> None:
    """Run the checks of one game: the cheap ones at every decision, others at chosen points, those of whole games."""
    try:
        _check_decisions(runner, played_game, depth, reach)
    except Exception as error:  # noqa: BLE001 - the border to a plugin's code
        played_game.error = played_game.error or f"played again, it raised {describe_exception(error)}"
    for check in CHECKS["played game"]:
        if is_whole or check.name in IN_EVERY_GAME:
            runner.run(check, played_game)


def _check_decisions(runner: CheckRunner, played_game: PlayedGame, depth: CheckDepth, reach: ReachRecorder) -> None:
    points = choose_points(played_game, depth.points)
    near_points = {number for point in points for number in range(point, point + CHECKED_AFTER_POINT)}
    state = played_game.setup.deal(played_game.seed)
    for number in range(len(played_game)):
        if number >= depth.decisions and number not in near_points:
            reach.play(state, played_game, number)
            continue
        point = DecisionPoint(played_game, number, state)
        for check in CHECKS["decision"]:
            runner.run(check, point)
        if number in points:
            with reach.record_point(played_game.turns[number].phase):
                state = _check_point(runner, point, CHECKS["point"])
        step = PlayStep(point) if number in played_game.snapshots else None
        reach.play(state, played_game, number)
        for check in CHECKS["step"] if step else ():
            runner.run(check, step)
    if played_game.is_over:
        with reach.record_point(""):
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
