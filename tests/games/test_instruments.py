"""The instruments of each game: what they name is there, they tell nothing hidden, and what a terminal says of them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import pytest

from pitboss.action_range import lowest_action
from pitboss.errors import OptionError
from pitboss.game import AnyState, find_public_counts, resolve_options
from pitboss.plugins.registry import Registry
from pitboss.rendering.instruments import AimTally, Bidding, Direction, Marks, PotAndCall, Track
from pitboss.rendering.presentation import Presentation, Speech, find_presentation
from pitboss.table.randomness import Random
from pitboss.table.zones import Zone
from pitboss_tournament.text.instrument_panel import InstrumentPanel, find_cell, find_grid, tell_count

GAMES = {name: game for name, game in Registry().games.items() if type(game).__module__.startswith("pitboss_")}
MAX_DECISIONS = 120
WORLDS_EACH = 10  # decisions between two comparisons with a sampled world


class PanelGame:
    """A game that random players play, with the panel of one viewer."""

    def __init__(self, name: str, seats: int, preset: str | None = None, viewer: int | None = 0) -> None:
        self.game, self.viewer = GAMES[name], viewer
        options = resolve_options(self.game, seats, preset)
        self.state: Any = self.game.deal(seats, options, Random(f"{name}/{preset}"))
        speech = Speech(find_presentation(self.game), {}, [f"Player {seat}" for seat in range(seats)], viewer)
        self.panel = InstrumentPanel(self.game, self.state.table.layout, speech, viewer)
        self._told = 0
        self.follow()

    def follow(self) -> None:
        """Tell the panel what has happened."""
        table = self.state.table
        self.panel.follow(table.events(self.viewer, self._told))
        self._told = len(table.log or ())

    def play(self, decisions: int = MAX_DECISIONS) -> Iterator[AnyState]:
        """Yield the state before each random decision, and the last one."""
        chance = random.Random(1)
        for _ in range(decisions):
            yield self.state
            if self.state.turn is None:
                return
            self.state.play(lowest_action(chance.choice(self.state.legal())))
            self.follow()


def list_tables(name: str) -> Iterator[PanelGame]:
    """Yield a table for each preset, and for fewest and most players."""
    game = GAMES[name]
    for preset in (None, *game.presets):
        for seats in dict.fromkeys((game.seats[0], game.seats[-1])):
            try:
                yield PanelGame(name, seats, preset)
            except OptionError:
                continue


@pytest.mark.parametrize("name", GAMES)
def test_what_instruments_name_is_there(name: str) -> None:
    """Each declared instrument names counts, options, events, actions and zones of the game, and is filled at times."""
    presentation = find_presentation(GAMES[name])
    filled, counts, options, stems = set[str](), set[str](), set[str](), set[str]()
    for table in list_tables(name):
        options |= set(msgspec.structs.asdict(table.state.options))
        stems |= {_stem_of(zone) for zone in table.state.table.layout.zones}
        for state in table.play():
            public = find_public_counts(state)
            counts |= {one.name for of in (public.table, *public.seats) for one in of} if public is not None else set()
            filled |= _list_filled(table, state, presentation)

    assert {type(one).__name__ for one in presentation.instruments} == filled
    assert presentation.counts.keys() <= counts
    for one in presentation.instruments:
        assert _list_counts(one) <= counts
        match one:
            case Track(goal=goal):
                assert goal in options
            case Marks(zone=zone):
                assert zone in stems
            case Bidding(calls=calls, ends=ends):
                assert calls.keys() | set(ends) <= presentation.events.keys()
            case _:
                pass


def _stem_of(zone: Zone) -> str:
    return zone.name.removesuffix(f" {zone.owner}")


def _list_counts(one: object) -> set[str]:
    match one:
        case AimTally(made=made, aim=aim, contract=contract):
            return {made, aim, contract} - {""}
        case Track(score=score):
            return {score}
        case Marks(count=count):
            return {count}
        case _:
            return set()


def _list_filled(table: PanelGame, state: AnyState, presentation: Presentation) -> set[str]:
    """Return the kinds of instruments that show something of a state."""
    drawn, counts = table.panel.fill(state), table.panel.list_counts(state)
    told = [] if counts is None else [tell_count(one) for of in (counts.table, *counts.seats) for one in of]
    found: Mapping[type, object] = {
        Bidding: drawn.bidding is not None and drawn.bidding.calls,
        Track: drawn.tracks,
        Direction: drawn.order,
        Marks: any(word for words in drawn.marks.values() for word in words),
        AimTally: any(" of " in one for one in told),
        PotAndCall: any(one.startswith("to call ") for one in told),
    }
    return {type(one).__name__ for one in presentation.instruments if found[type(one)]}


@pytest.mark.parametrize("name", GAMES)
def test_each_bid_has_a_cell(name: str) -> None:
    """Where a game has a grid of bids, each of them stands in a cell of its own while there is a bidding."""
    grid = find_grid(GAMES[name])
    for table in list_tables(name) if grid is not None else ():
        for state in table.play():
            if grid is None or state.turn is None or table.panel.fill(state).bidding is None:
                continue
            bids = [one for one in state.legal() if msgspec.to_builtins(one)["do"] == grid.action]
            cells = [find_cell(grid, one) for one in bids]
            assert None not in cells
            assert not grid.columns or len(set(cells)) == len(bids)


@pytest.mark.parametrize("name", GAMES)
def test_nothing_hidden(name: str) -> None:
    """What a viewer is shown is the same in a world in which the hidden cards lie otherwise, and without braces."""
    for viewer in (0, GAMES[name].seats[0]):
        table = PanelGame(name, GAMES[name].seats[0], viewer=viewer)
        for number, state in enumerate(table.play()):
            lines = [*table.panel.tell(state)]
            assert [line for line in lines if set(line) & set("_{}[]") or not line.strip()] == []
            if number % WORLDS_EACH == 0:
                world = state.imagine(viewer, Random(f"{number}"))
                assert table.panel.list_counts(world) == table.panel.list_counts(state)
                assert table.panel.fill(world) == table.panel.fill(state)
                assert [*table.panel.tell(world)] == lines


@pytest.mark.parametrize(
    ("name", "seats", "decisions", "lines"),
    [
        ("cribbage", 2, 12, ["the game goes to 121: you 9, Player 1 3"]),
        ("bridge", 4, 25, ["contract 7NT XX by you, N–S 0 of 13, needs 13 more, E–W 1"]),
        ("poker", 3, 2, ["100 to call"]),
        ("ragamaru", 4, 8, ["turns go to the left, next: Player 2"]),
        ("gin-rummy", 2, 6, ["the game goes to 100", "deadwood 48"]),
        ("hearts", 4, 30, ["the game goes to 100"]),
        ("oh-hell", 3, 9, ["tricks: you need 1 more"]),
        ("spades", 4, 20, ["your side 1 of 3, needs 2 more, their side 3 of 11, needs 8 more", "the game goes to 500"]),
        ("euchre", 4, 2, ["maker Player 1, your side 0, their side 0 of 3, needs 3 more", "the game goes to 10"]),
        ("dou-dizhu", 3, 1, ["calls: you 1"]),
    ],
)
def test_lines_of_a_terminal(name: str, seats: int, decisions: int, lines: list[str]) -> None:
    """A terminal says each instrument in a line, in the words of the game."""
    table = PanelGame(name, seats)
    *_, state = table.play(decisions)

    assert [*table.panel.tell(state)] == lines
