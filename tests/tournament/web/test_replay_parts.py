"""A game that is too long for one page: several pages, each of which begins with the table as it is."""

from __future__ import annotations

from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss.errors import PitbossError
from pitboss.game import AnyGame, resolve_options
from pitboss.plugins.registry import Registry
from pitboss.records.record import Decision, Record
from pitboss.table.randomness import Random
from pitboss_tournament.web.replay_page import (
    PART_DECISIONS,
    count_parts,
    make_replay_data,
    make_replay_parts,
    write_replay_pages,
)
from tests.core.frame_player import ShownTable, empty_table, play_sequence
from tests.marks import first_rows

pytestmark = pytest.mark.once

SEED = "long"


@pytest.fixture(scope="module")
def racko() -> AnyGame:
    """Return Rack-O."""
    return Registry().find_game("racko")


@pytest.fixture(scope="module")
def record(racko: AnyGame) -> Record:
    """Return a game that needs three pages, played at random."""
    options = resolve_options(racko, 4, overrides={"max_turns": 50, "max_rounds": 30})
    state, rng = racko.deal(4, options, Random(SEED)), Random("choices")
    decisions = []
    while state.turn is not None:
        legal = state.legal()
        action = legal[rng.randbelow(len(legal))]
        decisions.append(Decision(seat=state.turn.seat, action=action, us=9))
        state.play(action)
    plain: Any = Record(
        game=racko.name,
        game_version=racko.version,
        options=options,
        seed=SEED,
        players=list("abcd"),
        decisions=decisions,
        outcome=state.outcome(),
    )
    return msgspec.convert(msgspec.to_builtins(plain), Record)


def end_of(frames: Any, shown: ShownTable) -> ShownTable:  # noqa: ANN401 - frames with words
    """Return the table after the last frame."""
    for _ in play_sequence(frames, shown):
        pass
    return shown


@pytest.mark.long
@first_rows(1)("viewer", [None, 1])
def test_parts_make_the_whole_game(racko: AnyGame, record: Record, viewer: int | None) -> None:
    """The parts have all decisions once, and each begins with the table with which the one before ended."""
    layout = racko.deal(4, resolve_options(racko, 4), Random("s")).table.layout
    parts = list(make_replay_parts(record, racko, 7, viewer))

    assert len(parts) == count_parts(record) == 3
    assert sum(len(part.decisions) for part in parts) == len(record.decisions) > 2 * PART_DECISIONS
    assert [part.before for part in parts] == [0, PART_DECISIONS, 2 * PART_DECISIONS]
    assert [(part.previous, part.next) for part in parts] == [("", "1"), ("0", "2"), ("1", "")]
    shown = empty_table(layout)
    for part, follower in pairwise(parts):
        shown = end_of(part.sequence.frames, shown)
        begun = end_of(follower.sequence.frames[:1], empty_table(layout))
        assert begun.zones == shown.zones
        assert begun.secrets == shown.secrets
        assert [begun.faces_in(zone) for zone in layout.zones] == [shown.faces_in(zone) for zone in layout.zones]
        known = {token for tokens in shown.zones for token in tokens if shown.known.get(token)}
        assert {token for token, seats in begun.known.items() if seats} == known


@pytest.mark.long
def test_a_part_by_its_number(racko: AnyGame, record: Record) -> None:
    """One part is made alone, and is the same; there are no others than there are."""
    *_, last = make_replay_parts(record, racko, 7)

    assert make_replay_data(record, racko, 7, part=2) == last
    with pytest.raises(PitbossError, match="there is no part 3; the game has parts 0 to 2"):
        make_replay_data(record, racko, 7, part=3)


@pytest.mark.long
def test_a_long_game_is_several_files(racko: AnyGame, record: Record, tmp_path: Path) -> None:
    """Each page is written by itself, of bounded size, and the first has the name that was asked for."""
    write_replay_pages(record, racko, 7, tmp_path / "game.html", nullcontext)
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}

    assert set(sizes) == {"game.html", "game-2.html", "game-3.html"}
    assert max(sizes.values()) < 700_000
