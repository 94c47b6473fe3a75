"""What the suite of all games is to play of each game: `every_game/NAME.toml`, a file a game.

Positions and actions are JSON, as `pitboss` writes them; in a list, "13 times" repeats the value before it (see
`tests.mistakes`), so that `[null, "13 times"]` is a hand of thirteen open cards. A player is named by its function in
`players.py`. A game without a file, such as one that an author has installed beside these, is played at its smallest
table.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from msgspec import Struct

from pitboss import AnyGame, AnyState, Random
from pitboss.game import Renderable, has_positions, resolve_options
from pitboss.plugins.registry import Registry
from pitboss.simulation.random_play import ActionChooser, choose_from
from pitboss.testing.framework.played_game import GamePlayer
from tests.games import players
from tests.mistakes import list_mistakes, read_json

FOLDER: Final = Path(__file__).with_name("every_game")


class Row(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of a table of a game."""

    long: bool = False  # run by `make soak` alone
    player: str | None = None  # who plays the game; by default anybody, at random

    @property
    def chosen_player(self) -> GamePlayer | None:
        """The function that chooses an action, unless any action will do."""
        return getattr(players, self.player) if self.player else None


class ConformanceRow(Row, frozen=True, kw_only=True):
    """Arguments of `check_game`, and the checks that are known to fail."""

    seats: list[int] | None = None
    presets: list[str] | None = None
    options: dict[str, Any] = {}
    games: int = 1
    fails: list[str] = []


class TableRow(Row, frozen=True, kw_only=True):
    """A table of a game."""

    seats: int
    preset: str | None = None
    options: dict[str, Any] = {}

    def resolve(self, game: AnyGame) -> Any:  # noqa: ANN401 - options of any game
        """Return the options of the table."""
        return resolve_options(game, self.seats, self.preset, self.options)

    def deal(self, game: AnyGame, seed: str) -> AnyState:
        """Return a game as it is dealt at this table."""
        return game.deal(self.seats, self.resolve(game), Random(seed))

    def choose(self, seed: str) -> ActionChooser:
        """Return who plays, with random numbers from a seed."""
        player, rng = self.chosen_player, Random(seed)
        return (lambda state, legal: player(state, rng)) if player else choose_from(rng)


class MomentsRow(TableRow, frozen=True, kw_only=True):
    """Numbers of decisions of a game after its first actions, each an action or its place in the legal list."""

    opening: list[str | int] = []
    decisions: list[int]

    def open(self, game: AnyGame, seed: str) -> AnyState:
        """Return a game after its first actions."""
        state = self.deal(game, seed)
        for action in self.opening:
            state.play(state.legal()[action] if isinstance(action, int) else read_action(game, action))
        return state


class EstimateRow(MomentsRow, frozen=True, kw_only=True):
    """How well the estimate agrees with the points of a deal, at the least, at the first and at the last moment."""

    deals: int = 60
    is_zero_sum: bool = False  # what one seat is to win the others lose
    at_first: float = -1.0
    at_last: float = 0.0


class WidthRow(TableRow, frozen=True, kw_only=True):
    """A game whose pictures fit a narrow terminal, before each decision and at the end."""

    but: str | None = None  # lines with this word may be longer


class PictureRow(TableRow, frozen=True, kw_only=True):
    """A position, the actions played there, and what somebody sees then (without `seat`: every card)."""

    position: str
    actions: list[str] = []
    seat: int | None = None
    names: tuple[str, ...] = ("ann", "bob", "cleo", "dan")
    lines: str | None = None  # the whole picture
    has: list[str] = []  # parts of its lines
    lacks: list[str] = []


class MistakesRow(TableRow, frozen=True, kw_only=True):
    """Wrong positions or options, each with what the message says of it.

    Of a position the JSON has what differs from the base.
    """

    base: str = "{}"
    mistakes: dict[str, str | list[str]]

    def pairs(self) -> Iterator[tuple[dict[str, Any], list[str]]]:
        """Yield what is written, and the parts of the message."""
        for written, said in list_mistakes(self.mistakes):
            yield {**read_json(self.base), **read_json(written)}, [said] if isinstance(said, str) else said


class GameTables(Struct, frozen=True, forbid_unknown_fields=True):
    """All tables of a game."""

    conformance: list[ConformanceRow] = []
    positions: list[MomentsRow] = []
    estimates: list[EstimateRow] = []
    widths: list[WidthRow] = []
    pictures: list[PictureRow] = []
    wrong_positions: list[MistakesRow] = []
    wrong_options: list[MistakesRow] = []


def read_tables(game: AnyGame) -> GameTables:
    """Return the tables of a game: those of its file, or the smallest table of each kind."""
    file = FOLDER / f"{game.name}.toml"
    if file.exists():
        return msgspec.toml.decode(file.read_bytes(), type=GameTables)
    seats = min(game.seats)
    row = TableRow(seats=seats)
    return GameTables(
        conformance=[ConformanceRow(seats=[seats], presets=[])],
        positions=[MomentsRow(seats=seats, decisions=[0, 5, 1000])] if has_positions(game) else [],
        widths=[WidthRow(seats=seats)] if isinstance(row.deal(game, "look"), Renderable) else [],
    )


GAMES: Final[dict[str, AnyGame]] = Registry().games
TABLES: Final = {name: read_tables(game) for name, game in GAMES.items()}


def each_row(kind: str) -> pytest.MarkDecorator:
    """Return a parametrization: a game and a row of one of its tables; long rows are marked."""
    return pytest.mark.parametrize(
        ("game", "row"),
        [
            pytest.param(GAMES[name], row, id=f"{name}-{number}", marks=[pytest.mark.long] if row.long else [])
            for name, tables in TABLES.items()
            for number, row in enumerate(getattr(tables, kind), 1)
        ],
    )


def each_mistake_of_games(kind: str) -> pytest.MarkDecorator:
    """Return a parametrization: a game, a table, what is written there, and what the message says of it."""
    return pytest.mark.parametrize(
        ("game", "row", "written", "said"),
        [
            pytest.param(GAMES[name], row, written, said, id=f"{name}-{json.dumps(written)[:60]}: {said[0]}")
            for name, tables in TABLES.items()
            for row in getattr(tables, kind)
            for written, said in row.pairs()
        ],
    )


def read_action(game: AnyGame, text: str) -> Any:  # noqa: ANN401 - an action of any game
    """Return an action that is written as JSON."""
    return msgspec.convert(read_json(text), game.Action)


def list_onlookers(seats: int) -> Sequence[int | None]:
    """Return all who look at a table: somebody who sees every card, each seat, and the spectator."""
    return (None, *range(seats + 1))
