"""Games of other programs that stop before their end: refused as games, and kept as far as they go."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec import UNSET

from pitboss import Random
from pitboss.errors import ConfigError, RefusedGame
from pitboss.game import PartlyKnown, resolve_options
from pitboss.plugins.registry import Registry
from pitboss.records.record import Record, StoppedGame, replay_states, require_games
from pitboss_bridge.pbn_deal import read_seed
from pitboss_bridge.untold_hands import PlayedCard, draw_hands
from pitboss_tournament.exchange.importers import find_importer
from pitboss_tournament.reask.bot_lookup import choose_decision
from pitboss_tournament.reask.foreign_game import load_any_game
from tests.foreign_files import list_foreign_files, play_boards, write_pbn, write_untold

RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
REGISTRY: Final = Registry()
FILES: Final = {file.name: file.data for file in list_foreign_files()}
STREET: Final = FILES["street.phh"].decode()
FIRST_CALLS: Final = len(play_boards()[0].calls)


def read_stopped(name: str) -> list[StoppedGame]:
    """Return the games of a file that stop before their end."""
    importer = find_importer(Path(name), REGISTRY)
    assert importer is not None
    found = importer.read(FILES[name].decode().splitlines(keepends=True))
    return [one for one in found if isinstance(one, StoppedGame)]


def list_records(lines: list[str], name: str) -> list[Record]:
    """Return the games of a text, all of which can be read."""
    importer = find_importer(Path(name), REGISTRY)
    assert importer is not None
    return [found.record for found in require_games(importer.read(lines))]


def open_last(record: Record) -> Any:  # noqa: ANN401 - a state of any game
    """Return the state at which a record stops."""
    states = replay_states(record, REGISTRY.find_game(record.game))
    return next(islice(states, len(record.decisions), None))


@pytest.mark.parametrize(
    ("name", "decisions", "seat", "phase", "untold"),
    [
        ("deals.pbn", 0, 0, "call", ""),
        ("auction-cut.pbn", FIRST_CALLS - 1, 1, "call", ""),
        ("one-hand.pbn", FIRST_CALLS - 1, 1, "call", "123"),
        ("hands-untold.pbn", FIRST_CALLS + 18, None, "", "13"),
        ("deal.lin", 0, 0, "call", ""),
        ("auction-cut.lin", 3, 3, "call", ""),
        ("street.phh", 4, 0, "turn", "1"),
        ("seen.log", 2, 0, "flop", "1"),
        ("broken-off.json", 5, 2, "play", ""),
    ],
)
def test_where_a_game_stops(name: str, decisions: int, seat: int | None, phase: str, untold: str) -> None:
    """What is there of a game becomes a record, at whose end the right seat is on turn; untold cards stay untold."""
    refused, *_ = read_stopped(name)
    record = refused.record

    state = open_last(record)

    assert len(record.decisions) == decisions
    assert (None if state.turn is None else state.turn.seat) == seat
    assert state.turn is None or state.turn.phase == phase
    is_partly_known = isinstance(state, PartlyKnown)
    assert (
        "".join(
            f"{one}" for one in range(state.seats) if is_partly_known and f"seat {one}" in state.describe_unknown(one)
        )
        == untold
    )
    assert (record.broken is UNSET) == (seat is None)


def test_hands_that_are_drawn() -> None:
    """Hands that are not told are drawn so that they fit the play: cards that were played, suits that ran out."""
    text = write_pbn(play_boards())
    rows = text.split("[Play")[1].splitlines()[1:10]  # of the first board, up to the ninth trick
    cut = text.partition("[Play")[0] + "[Play" + text.split("[Play")[1].splitlines()[0] + "\n" + "\n".join(rows)
    importer = find_importer(Path("x.pbn"), REGISTRY)
    assert importer is not None
    [whole] = list_records(text.partition("\n\n")[0].splitlines(), "x.pbn")

    [refused] = importer.read(write_untold(re.sub(r"\[(Result|Score) .*\]\n", "", cut), "NS").splitlines())

    assert isinstance(refused, StoppedGame)
    assert "the hands of E and W are not told" in str(refused)
    record = refused.record
    assert [one.action for one in record.decisions] == [one.action for one in whole.decisions[: len(record.decisions)]]
    assert len(record.decisions) == FIRST_CALLS + 36
    drawn, dealt = map(read_seed, (record.seed, whole.seed))
    assert drawn is not None
    assert dealt is not None
    assert [sorted(drawn.hands[seat]) for seat in (0, 2)] == [sorted(dealt.hands[seat]) for seat in (0, 2)]
    assert drawn.hands != dealt.hands
    assert drawn.untold == {1, 3}


def test_hands_that_no_deal_fits() -> None:
    """A play that no hands fit, as if nobody had the spades that are left, is refused."""
    hands = [[f"H{rank}" for rank in RANKS], [], [f"D{rank}" for rank in RANKS], []]
    played = [PlayedCard(1, "C2", "S"), PlayedCard(3, "C3", "S")]

    with pytest.raises(RefusedGame, match="line 7: the hands that are not told cannot be dealt"):
        draw_hands(hands, played, 7)

    east, west = draw_hands(hands, played[:1], 7)[1::2]
    assert {card[0] for card in east} == {"C"}
    assert {card[0] for card in west} == {"S"}


@pytest.mark.parametrize(
    ("name", "number", "decision"),
    [("auction-cut.pbn", None, FIRST_CALLS), ("one-wrong.pbn", 0, None), ("auction-alone.pbn", 1, None)],
)
def test_the_question_of_a_file(tmp_path: Path, name: str, number: int | None, decision: int | None) -> None:
    """By default the question is the one at which the first unfinished game of a file stops; numbers count from 0."""
    path = tmp_path / name
    path.write_bytes(FILES[name])

    found = load_any_game(path, number, REGISTRY)

    assert found.game_id == (number or 0)
    if found.open_seat is None:
        with pytest.raises(ConfigError, match="no bot committed a fault"):
            choose_decision(found, None)
    else:
        assert choose_decision(found, None) == len(found.record.decisions) + 1 == found.last_question
        assert choose_decision(found, found.open_seat) == found.last_question
    assert decision in (None, found.last_question)


@pytest.mark.parametrize(
    ("name", "text", "number", "said"),
    [
        ("a.pbn", "[Nothing]", None, "there is no game; none can be read; line 1: '[Nothing]' is no tag"),
        ("a.pbn", FILES["played.pbn"].decode(), 2, "there is no game 2; its games are numbered 0 to 1"),
        ("a.log", "STATE", None, "there is no game; none can be read; line 1: 'STATE' is no hand"),
        ("a.json", "{}", None, "this is no game of hanab.live"),
        (
            "a.phh",
            FILES["street.phh"].decode().replace("'d db Kh'", ""),
            None,
            "the board has 3 cards, and 4 were dealt",
        ),
        ("a.txt", "1. 0 draw", None, "there is no game; none can be read; line"),
    ],
)
def test_files_without_the_game(tmp_path: Path, name: str, text: str, number: int | None, said: str) -> None:
    """A file that has no such game is refused with a sentence, which says what is wrong in the file."""
    path = tmp_path / name
    path.write_text(text)

    with pytest.raises(ConfigError) as error:
        load_any_game(path, number, REGISTRY)

    assert said in str(error.value)


@pytest.mark.parametrize(
    ("name", "seats", "given", "file"),
    [
        ("bridge", 4, {"deals": 1}, "played.pbn"),
        ("poker", 2, {"hands": 1}, "hidden.phh"),
        ("fireworks", 3, {}, "played.json"),
    ],
)
def test_a_deal_that_a_seed_names(name: str, seats: int, given: dict[str, object], file: str) -> None:
    """Who sits at a deal that a seed names sees the events of any other deal, so that bots can follow the game."""
    game = REGISTRY.find_game(name)
    record, *_ = list_records(FILES[file].decode().splitlines(keepends=True), file)
    options = resolve_options(game, seats, None, given)

    named, other = (game.deal(seats, options, Random(seed)) for seed in (record.seed, "any"))

    for seat in range(seats):
        kinds = [[(type(one), one.event) for one in state.table.events(seat)] for state in (named, other)]
        assert kinds[0] == kinds[1]
