"""The conformance suite: which checks run when; `ConformanceRun`, which runs them, and `check_game`, all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from itertools import count
from types import ModuleType
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import asdict

from pitboss.game import AnyGame, AnyState
from pitboss.simulation.random_play import MAX_DECISIONS, ActionChooser, mix_open_actions
from pitboss.table.randomness import Random
from pitboss.testing.checks import (
    all_playouts,
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
    loadouts,
    logs,
    next_deals,
    open_actions,
    option_effects,
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
from pitboss.testing.framework.check import Check, CheckFailed, CheckResult, CheckScope, collect_checks
from pitboss.testing.framework.check_runner import CheckRunner
from pitboss.testing.framework.checked_setup import CheckedSetup, enumerate_setups, order_by_length
from pitboss.testing.framework.choosers import NewKindChooser, choose_by_estimate
from pitboss.testing.framework.decision_point import DecisionPoint, PlayStep, choose_points
from pitboss.testing.framework.failed_game import FailedGame, find_failed_game
from pitboss.testing.framework.failures import Failure, FailureCause, fold_failures, make_failure, put_in_game
from pitboss.testing.framework.game_reach import GameReach, ReachRecorder
from pitboss.testing.framework.option_trial import OptionTrials
from pitboss.testing.framework.played_game import (
    LONG_GAME_DECISIONS,
    STILL_DECISIONS,
    GamePlayer,
    PlayedGame,
    choose_at_random,
    play_game,
)
from pitboss.testing.framework.playouts import PlayoutBudget, PlayoutTally, RareDecision, iterate_styles, play_out
from pitboss.testing.framework.snapshot import Snapshot, take_snapshot
from pitboss.text import describe_exception

MODULES_BY_SCOPE: Final[Mapping[CheckScope, Sequence[ModuleType]]] = {
    "game": (contract, open_actions),
    "play-out": (endings,),
    "end of play-out": (endings, card_conservation),
    "all play-outs": (all_playouts,),
    "option": (option_effects,),
    "table": (next_deals,),
    "setup": (seeds, positions, endings, learning, loadouts),
    "played game": (endings, seeds, records, other_deals, equal_cards, simultaneous),
    "all games": (endings, other_process),
    "decision": (  # first: the snapshot
        read_only_queries, legality, open_actions, card_conservation, rendering, evaluation, counts, learning,
    ),
    "step": (logs, equal_cards),
    "point": (
        card_conservation, legality, open_actions, read_only_queries, copies, positions, logs, leaks, rendering, counts,
        evaluation, worlds, constraint_contract, legal_history, learning,
    ),
    "end": (
        legality, open_actions, read_only_queries, positions, endings, rendering, counts, evaluation, card_conservation,
        logs,
    ),
}  # fmt: skip
CHECKS: Final[Mapping[CheckScope, Sequence[Check[Any, None]]]] = {
    scope: tuple(collect_checks(modules, scope)) for scope, modules in MODULES_BY_SCOPE.items()
}
ALL_CHECKS: Final = tuple({check.name: check for checks in CHECKS.values() for check in checks}.values())
EXACT_CHECKS: Final = {  # they play nothing on from the decision that they name
    endings.games_are_played_without_error.name,
    *(check.name for scope in ("decision", "step", "end") for check in CHECKS[scope]),
}

LOOKS: Final = {  # what is checked of the first decision of each kind: what costs little and looks at it alone
    *(
        check.name
        for scope in ("decision", "point", "end")
        for check in collect_checks((leaks, positions, evaluation, counts, constraint_contract), scope)
    ),
    legality.legal_is_distinct.name,
    legality.neutral_is_legal.name,
    worlds.worlds_keep_what_is_known.name,
    worlds.worlds_keep_who_knows.name,
} - {positions.setup_plays_on.name, positions.impossible_positions_are_refused.name}

CHECKED_DECISIONS: Final = 500  # the first decisions of a game are all checked; later ones near the chosen points only
CHECKED_AFTER_POINT: Final = 30
RECORDED_PLAYOUTS: Final = 16  # play-outs, one of which has its lines recorded where that costs much
ENDLESS_FACTOR: Final = 20  # times the decisions of the longest game: what is as long has no end
FIRST_PLAYOUTS: Final = 20  # in which a line that runs for the first time is nothing rare
IN_EVERY_GAME: Final = {check.name for check in CHECKS["play-out"]}


class CheckDepth(NamedTuple):
    """How much of each game is checked. In little time many games, each checked a little, show more than few."""

    points: int | None  # decisions with all expensive checks, at most; None: those of `choose_points`
    decisions: int  # the first decisions, with all cheap checks; later decisions: near the points only
    whole_games: int  # one game in this number, from the first on, is checked as a whole, with its setup
    rare: int  # how many of the rarest decisions of the play-outs are looked at after each game in depth


THOROUGH: Final = CheckDepth(points=None, decisions=CHECKED_DECISIONS, whole_games=1, rare=16)
QUICK: Final = CheckDepth(points=4, decisions=100, whole_games=5, rare=12)


class ConformanceReport(Struct, frozen=True):
    """The results of all checks on one game, in the order of the suite."""

    game: str
    checks: list[CheckResult]
    tables: list[str]  # the seats and options that were played: "2 seats", "4 seats, preset 'partners'"
    games: int  # how many games were checked in depth
    decisions: int  # how many decisions they had
    playouts: int = 0  # how many whole games were played out before
    playout_decisions: int = 0
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

    First many games are played out, by players who steer, in which only errors, endings and outcomes are checked; and
    each option is changed, to see whether that changes a game. Then, in each setup, `games` games are checked in depth,
    and between them the rarest decisions of the play-outs.

    In each setup `games` games are played (one, where a single option is changed). `player` chooses a legal action of a
    state; it plays every second game, beginning with the first. Of the others every second one is played at random, and
    the rest in turn by the state's own estimate, and by a player who does what it has done least: they reach situations
    that random play does not. A game that has not ended after `max_decisions` decisions counts as endless; its setup is
    then left. With `stop_at_failure` no game is begun after one in which a check has failed.
    """
    run = ConformanceRun(game, games=games, seed=seed, player=player, stop_at_failure=stop_at_failure)
    setups = list_setups(game, seats, presets, options, seed, max_decisions)
    if games:
        run.play_out(setups, PlayoutBudget())
        run.check_rare(THOROUGH.rare)
    if presets is None and not options:
        run.try_options(seats)
    run.play(setups)
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
        show_long_game: Callable[[PlayedGame], None] = lambda game: None,
    ) -> None:
        """`show_game` is called after the checks of each game, with the causes of failures that were first seen in it.

        Of a play-out, or one of its decisions, it is called only where a cause is new. `show_long_game` is called while
        a long game is played.

        A check that has failed is run in later games too, until it fails there.
        """
        self.played_games: list[PlayedGame] = []
        self.failed_games: dict[str, FailedGame] = {}  # by cause of failures: the first game that has it
        self.checked_games = 0  # of those, the games whose checks have all been run
        self.tally = PlayoutTally()
        self.long_game: PlayedGame | None = None  # the last game with very many decisions
        self._game = game
        self._games = games
        self._seed = seed
        self._player = player
        self._stop_at_failure = stop_at_failure
        self._depth = depth
        self._show_game = show_game
        self._show_long_game = show_long_game
        self._failures: list[Failure] = []
        self._game_in_progress: PlayedGame | None = None  # its checks are being run
        self._reach = ReachRecorder(game)
        self._new_kinds = NewKindChooser()
        self._other_games = 0  # played neither at random nor by the player
        self._runner = CheckRunner(ALL_CHECKS, self._note_failure)
        self._setups: Sequence[CheckedSetup] = ()
        self._left = set[CheckedSetup]()  # setups in which no game is begun any more
        self._judged = 0  # games in which checks were run, play-outs too
        self._is_begun = False
        self._is_complete = False
        self.rare: list[RareDecision] = []  # decisions still to be checked, the rarest last

    def play_out(self, setups: Sequence[CheckedSetup], budget: PlayoutBudget) -> None:
        """Play out games of all setups, those that were asked for first, and of short games more; check how they end.

        All setups have about as many decisions. A setup in which a game fails is left. Then what all games show
        together is checked, and the deals of matches.
        """
        with self._reach.watch():
            self._begin(setups)
            numbered = sorted(enumerate(setups), key=lambda one: one[1].is_single_change)
            styles = {setup: iterate_styles(setup, self._player, number) for number, setup in numbered}
            left, decisions = dict(numbered), [0] * len(setups)
            for setup in {setup.seats: setup for _, setup in reversed(numbered)}.values():
                for check in CHECKS["table"] if not (self._is_over or budget.is_spent()) else ():
                    self._runner.run(check, setup)
            while left and not self._is_over and not _is_spent(budget, self.tally):
                number = min(left, key=decisions.__getitem__)
                setup = left[number]
                style, make_chooser = next(styles[setup])
                seed = f"{self._seed}/{number}/play-out {self.tally.games}"
                game = PlayedGame(setup, seed, style)
                if not self._play_out(game, mix_open_actions(make_chooser(seed), Random(f"{seed}/open actions"))):
                    del left[number]
                decisions[number] += max(1, len(game))
            if not self._is_over:
                for check in CHECKS["all play-outs"]:
                    self._runner.run(check, self.tally)
        self.rare = self.tally.kinds.list_rare()[::-1]

    def try_options(self, seats: Sequence[int] | None = None, is_spent: Callable[[], bool] = lambda: False) -> None:
        """Check that each option changes something, in games with the same cards and choices."""
        if self._is_over:
            return
        with self._reach.watch():
            try:
                trials = OptionTrials(
                    self._game, seats or self._game.seats, self._reach.list_unread(self._game.Options)
                )
                trials.run(is_spent)
            except Exception:  # noqa: BLE001 - the border to a plugin's code; the checks of the contract report it
                return
            for check in CHECKS["option"]:
                self._runner.run(check, trials)

    def play(self, setups: Sequence[CheckedSetup]) -> None:
        """Play the first game of each setup, short ones first, then the second of each; check each game after it."""
        with self._reach.watch():
            self._begin(setups)
            numbered = order_by_length(setups, self._reach.record)
            for game_number in range(self._games):
                for turn, (number, setup) in enumerate(numbered, game_number):
                    if self._is_over:
                        break
                    if setup not in self._left:
                        style, player = self._choose_player(turn, game_number)
                        self._play_game(setup, f"{self._seed}/{number}/{game_number}", game_number, style, player)
                        self.check_rare(self._depth.rare)
        self._is_complete = True

    def check_again(self, game: PlayedGame, points: Set[int]) -> None:
        """Check a game that was played before, in depth, at some decisions and at those that are chosen in any game."""
        with self._reach.watch():
            self._begin([game.setup])
            self.played_games.append(game)
            with self._judge_game(game):
                for number in sorted(points):
                    if game.error is None or number < len(game):
                        _check_one_decision(self._runner, game, number)
                _check_played_game(self._runner, game, self._depth, True, self._reach)
            self.checked_games += 1
        self._is_complete = True

    def check_all_games(self) -> None:
        """Check what all games show together; some of them are played again in other processes."""
        for check in () if self._is_over else CHECKS["all games"]:
            self._runner.run(check, self.played_games)

    def note_break(self) -> None:
        """Say that the run was broken off: a game that was played then has no end, if it was far longer than others.

        Or if no card had moved in it for very many decisions.
        """
        game = self.long_game
        if game is None or not game.is_running:
            return
        longest = self.tally.longest.get(game.setup, 0)
        if len(game) >= ENDLESS_FACTOR * longest or game.still >= STILL_DECISIONS:
            self._game_in_progress = game
            text = f"after {len(game):,} decisions, when the run was broken off, the game was not over"
            still = f"; no card had moved in the last {game.still:,}" if game.still else ""
            with self._runner.judge(endings.games_end, game):
                raise CheckFailed(f"{text}{still}; the longest that ended at this table had {longest:,}")

    def report(self) -> ConformanceReport:
        """Return what has been checked so far."""
        played = {game.setup for game in self.played_games}
        return ConformanceReport(
            game=str(self._game.name),
            checks=self._runner.results,
            tables=[setup.label for setup in self._setups],
            games=len(self.played_games),
            decisions=sum(map(len, self.played_games)),
            playouts=self.tally.games,
            playout_decisions=self.tally.decisions,
            never_reached=self._reach.report(),
            not_played=[setup.label for setup in self._setups if not (self._is_complete or setup in played)],
            all_failures=self._failures[:],
        )

    @property
    def _is_over(self) -> bool:
        return self._stop_at_failure and self._runner.has_failures

    def _begin(self, setups: Sequence[CheckedSetup]) -> None:
        """Check what the game says about itself, once."""
        if not self._is_begun:
            self._is_begun = True
            for check in CHECKS["game"]:
                self._runner.run(check, self._game)
        self._setups = setups
        for setup in setups:
            setup.note_long_game = self._note_long_game

    def _note_long_game(self, game: PlayedGame) -> None:
        self.long_game = game
        if len(game) % LONG_GAME_DECISIONS == 0:
            self._show_long_game(game)

    def _play_out(self, game: PlayedGame, choose: ActionChooser) -> bool:
        """Play out and check a game; return whether no check has failed in it."""
        with self._judge_game(game) as failures:
            is_recorded = self.tally.games % RECORDED_PLAYOUTS == 0
            with self._reach.record(is_wanted=is_recorded):
                count_lines = self._reach.count_lines if self.tally.games > FIRST_PLAYOUTS else lambda: 0
                state = play_out(game, choose, self.tally.kinds, count_lines)
            self.tally.add(game)
            self._reach.note_kinds(game)
            for check in CHECKS["play-out"]:
                self._runner.run(check, game)
            if state is not None and game.is_over:
                point = DecisionPoint(game, len(game), state)
                for check in CHECKS["end of play-out"]:
                    self._runner.run(check, point)
        return game.is_over and not failures

    def check_rare(self, most: int | None = None, is_spent: Callable[[], bool] = lambda: False) -> None:
        """Check the rarest decisions of the play-outs that are left, `most` of them or until the budget is spent.

        All are looked at once (`LOOKS`); then they are checked in depth.
        """
        with self._reach.watch():
            for _ in count() if most is None else range(most):
                if self._is_over or not self.rare or is_spent():
                    return
                rare = self.rare.pop()
                if not rare.is_looked_at:
                    self.rare.insert(0, rare._replace(is_looked_at=True))
                with self._judge_game(rare.game):
                    self._runner.run_failed_again()
                    _check_one_decision(self._runner, rare.game, rare.number, is_look=not rare.is_looked_at)

    @contextmanager
    def _judge_game(self, game: PlayedGame) -> Iterator[list[Failure]]:
        """Context manager: failures in the block are of this game, which is shown if a cause is new among them.

        They are added to the list after the block.
        """
        before, found = len(self._failures), list[Failure]()
        self._game_in_progress = game
        yield found
        self._game_in_progress = None
        found += self._failures[before:]
        if found and (new := self._list_new_causes()):
            self._show_game(game, new)
        self._judged += 1

    def _list_new_causes(self) -> list[FailureCause]:
        """Return the causes of failures that were first seen in the game that was just judged."""
        return [cause for cause in fold_failures(self._failures) if cause.first.game == self._judged]

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
        open_rng = Random(f"{seed}/open actions")

        def choose(state: AnyState, rng: Random) -> Any:  # noqa: ANN401 - an action of any game
            return mix_open_actions(lambda one, legal: player(one, rng), open_rng)(state, ())

        game = play_game(setup, seed, style, choose)
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
        self.checked_games += 1
        self._show_game(game, self._list_new_causes())
        self._judged += 1

    def _note_failure(self, name: str, detail: str, hint: str, subject: object) -> None:
        failure, game = make_failure(name, detail, hint, is_exact=name in EXACT_CHECKS), self._game_in_progress
        self._failures.append(failure if game is None else put_in_game(failure, self._judged, game.setup))
        failed = find_failed_game(subject) or (None if game is None else FailedGame(game, None))
        if failed is not None:
            self.failed_games.setdefault(failure.cause, failed)


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


def _check_one_decision(runner: CheckRunner, game: PlayedGame, number: int, *, is_look: bool = False) -> None:
    """Run all checks of one decision of a game, or of its end; for a look only the cheap ones."""
    end, decision, at_point = (
        [check for check in CHECKS[scope] if check.name in LOOKS or not is_look]
        for scope in ("end", "decision", "point")
    )
    try:
        state = game.replay_to(number)
    except Exception as error:  # noqa: BLE001 - the border to a plugin's code
        game.error = game.error or f"played again, it raised {describe_exception(error)}"
        return
    point = DecisionPoint(game, number, state)
    if state.turn is None:
        _check_point(runner, point, end)
        return
    for check in decision:
        runner.run(check, point)
    _check_point(runner, point, at_point)


def _is_spent(budget: PlayoutBudget, tally: PlayoutTally) -> bool:
    return tally.games >= budget.games or tally.decisions >= budget.decisions or budget.is_spent()


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
