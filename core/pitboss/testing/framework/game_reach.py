"""Game reach: the phases, kinds of actions and lines of a game that a run of the conformance suite has come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Final, get_args

from msgspec import Struct

from pitboss.game import AnyGame, AnyState
from pitboss.testing.framework.code_reach import CodeReach
from pitboss.testing.framework.option_trial import list_part_fields
from pitboss.testing.framework.played_game import PlayedGame

RECORDED_FIRST: Final = 4  # decisions at the beginning of a game, in which the lines that run are recorded
RECORDED_LAST: Final = 4  # and at its end
RECORDED_OF_KIND: Final = 8  # and those of each kind of action, in each phase
RECORDED_POINTS: Final = 1  # of each phase, and as many ends of games, at which the checks are recorded too


class GameReach(Struct, frozen=True):
    """What of a game no game of a run has come to."""

    phases: list[str] = []  # that its code names
    actions: list[str] = []  # kinds of actions that nobody has done
    lines: list[str] = []  # by function: "gin.py:88-91, in count"
    line_count: int = 0  # of the functions of the game
    reached_count: int = 0

    @property
    def share(self) -> float:
        """The share of the lines that have run."""
        return self.reached_count / self.line_count if self.line_count else 1.0

    @property
    def is_whole(self) -> bool:
        """Whether the games have come to everything."""
        return not (self.phases or self.actions or self.lines)


class ReachRecorder:
    """Records what the games of a run come to."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._code = _read_code(game)
        self._kinds = Counter[tuple[str, type[Any]]]()
        self._met_kinds = set[tuple[str, type[Any]]]()  # in games that were not recorded
        self._points = Counter[str]()

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Record what runs in the block, as far as that costs next to nothing."""
        with nullcontext() if self._code is None else self._code.watch():
            yield

    def play(self, state: AnyState, game: PlayedGame, number: int) -> None:
        """Do a decision of a game again; record the lines that run if they may be new ones."""
        action = game.actions[number]
        kind = game.turns[number].phase, type(action)
        self._kinds[kind] += 1
        if number < RECORDED_FIRST or number >= len(game) - RECORDED_LAST or self._kinds[kind] <= RECORDED_OF_KIND:
            with self.record():
                state.play(action)
        else:
            state.play(action)

    @contextmanager
    def record_point(self, phase: str) -> Iterator[None]:
        """Record the lines that run in the block, which checks a decision of this phase ("": the end of a game)."""
        self._points[phase] += 1
        with self.record(is_wanted=self._points[phase] <= RECORDED_POINTS):
            yield

    def count_lines(self) -> int:
        """Return how many lines of the game have run, as far as they were recorded."""
        return 0 if self._code is None else self._code.new_lines

    def list_unread(self, struct: type[Any]) -> Set[str]:
        """Return the fields of a struct whose names stand nowhere in the code of the game but in their declaration.

        Fields that the struct has from a part of `pitboss.parts` are read by that part.
        """
        if self._code is None or not self._code.line_count:
            return frozenset()
        fields = frozenset(getattr(struct, "__struct_encode_fields__", ()))
        return fields - self._code.names - list_part_fields(struct)

    def note_kinds(self, game: PlayedGame) -> None:
        """Note the phases and kinds of actions of a game that was not recorded."""
        for turn, action in zip(game.turns, game.actions, strict=True):
            self._met_kinds.add((turn.phase, type(action)))

    def report(self) -> GameReach:
        """Return what has not been reached."""
        met = self._met_kinds | self._kinds.keys()
        phases, kinds = {phase for phase, _ in met}, {kind for _, kind in met}
        code = self._code
        return GameReach(
            phases=[] if code is None else sorted(code.phases - phases),
            actions=[_name_of(kind) for kind in _list_kinds(self._game) if kind not in kinds],
            lines=[] if code is None else list(map(str, code.list_unreached())),
            line_count=0 if code is None else code.line_count,
            reached_count=0 if code is None else code.line_count - code.unreached_count,
        )

    def record(self, *, is_wanted: bool = True) -> AbstractContextManager[None]:
        """Record the lines that run in a block, where it `is_wanted`."""
        return self._code.record() if is_wanted and self._code is not None else nullcontext()


def _read_code(game: AnyGame) -> CodeReach | None:
    """Return the lines of a game; None if its source is not there, or cannot be read."""
    try:
        return CodeReach(game)
    except (OSError, SyntaxError, UnicodeDecodeError):
        return None


def _list_kinds(game: AnyGame) -> Sequence[type[Any]]:
    """Return the types of a game's actions."""
    found = getattr(game, "Action", None)
    kinds = get_args(found) or ((found,) if isinstance(found, type) else ())
    return [kind for kind in kinds if isinstance(kind, type)]


def _name_of(kind: type[Any]) -> str:
    """Return what bots write for a kind of action: its tag, else its name."""
    tag = getattr(getattr(kind, "__struct_config__", None), "tag", None)
    return str(tag or kind.__name__)
