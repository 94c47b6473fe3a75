"""Which bots may speak against a machine, and when it is condemned: a function of the games that were played again."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pitboss import Outcome
from pitboss.protocol.faults import Fault
from pitboss.records.record import Decision, Incident, Record, dumps, loads
from pitboss_tournament.processes.logs import compress_text, decompress_text
from pitboss_tournament.running.verification import (
    CONDEMNING_GAMES,
    SHOWN_GAMES,
    BotDiffers,
    MachineDiffers,
    VerifiedGames,
    find_difference,
)
from pitboss_tournament.running.worker_protocol import FinishedGame
from pitboss_tournament.statistics.scoring import GameResult, SeatResult


def add_differences(verified: VerifiedGames, machine: str, bot: str, games: int = CONDEMNING_GAMES) -> None:
    """Add games in which a bot answered otherwise on a machine than each time here."""
    for number in range(games):
        verified.add_difference(BotDiffers(bot, MachineDiffers(machine, number, "decision 2 is another one")))


def add_alike(verified: VerifiedGames, machine: str, bot: str, games: int = SHOWN_GAMES) -> None:
    """Add games of a bot that came out alike on a machine and here."""
    for _ in range(games):
        verified.add_alike(machine, [bot])


def list_condemned(verified: VerifiedGames) -> list[str]:
    """Return the machines that are condemned."""
    return [found.machine for found in verified.find_condemned()]


def test_a_repeatable_bot_speaks_against_a_machine() -> None:
    """A bot whose games came out alike elsewhere is proof against a machine on which several of them differ."""
    verified = VerifiedGames()
    add_alike(verified, "honest", "ann")
    add_differences(verified, "liar", "ann")

    assert list_condemned(verified) == ["liar"]
    assert verified.is_suspect("liar") and not verified.is_suspect("honest")
    assert list(verified.describe_doubts()) == []


@pytest.mark.parametrize(("alike", "differing"), [(SHOWN_GAMES - 1, CONDEMNING_GAMES), (100, CONDEMNING_GAMES - 1)])
def test_too_few_games(alike: int, differing: int) -> None:
    """A bot that was not shown to be repeatable condemns nobody, nor do a few games of any; the doubt is told."""
    verified = VerifiedGames()
    add_alike(verified, "honest", "ann", alike)
    add_differences(verified, "other", "ann", differing)

    assert list_condemned(verified) == []
    [doubt] = verified.describe_doubts()
    assert doubt.startswith("on other ann answered otherwise than here, in games such as 0, 1")


def test_a_bot_that_is_found_to_draw_lots() -> None:
    """A bot that turns out to draw lots is proof against no machine: earlier verdicts by it are taken back, other bots'
    stay.
    """
    verified = VerifiedGames()
    for bot in ("coin", "ann"):
        add_alike(verified, "honest", bot)
    add_differences(verified, "second", "coin")
    add_differences(verified, "third", "ann")
    assert list_condemned(verified) == ["second", "third"]

    verified.add_unsteady("coin")
    assert list_condemned(verified) == ["third"]
    assert verified.find_verdict("second") is None
    assert not verified.is_suspect("second")


def test_a_bot_that_answers_otherwise_on_most_machines() -> None:
    """A bot that answers differently on most machines condemns none of them."""
    verified = VerifiedGames()
    add_alike(verified, "first", "torch")
    for machine in ("second", "third", "fourth"):
        add_differences(verified, machine, "torch")

    assert list_condemned(verified) == []


def test_a_game_against_the_rules() -> None:
    """A game against the rules is a proof by itself, without any bot's games."""
    verified = VerifiedGames()
    verified.add_proof(MachineDiffers("liar", 7, "its record is against the rules"))

    assert list_condemned(verified) == ["liar"]
    assert verified.find_verdict("honest") is None


def make_play(
    actions: Sequence[int], outcome: tuple[float, float] = (1.0, 2.0), faulty: int | None = None
) -> FinishedGame:
    """Return a play of one game of two seats in turn, in which each chose these actions, and one seat was faulty."""
    kind = (
        None if faulty is None else Fault(kind="illegal", seat=faulty, decision=2, message="no", verdict="substitute")
    )
    record = Record(
        game="magpie",
        game_version="1",
        options={},
        seed="s",
        players=["a", "b"],
        decisions=[Decision(seat=place % 2, action=action, us=place) for place, action in enumerate(actions)],
        outcome=Outcome(outcome, (2, 1), ((0,), (1,))),
        incidents=[] if kind is None else [Incident(fault=kind, exchange=[], last_words="", us=1)],
    )
    seats = tuple(SeatResult(bot, points, 1, 0.5, None, {}, 1, 10, {}) for bot, points in enumerate(outcome))
    result = GameResult(0, 0, 0, 0, seats, {})
    packed = compress_text(dumps(record))
    return FinishedGame(
        batch=0, result=result, seed="s", faults=record.faults, decisions=len(actions), record=packed, logs=[]
    )


@pytest.mark.parametrize(
    ("other", "seat", "text"),
    [
        (make_play([1, 2, 3, 9]), 1, "decision 4 is another one"),
        (make_play([1, 2, 9]), 0, "decision 3 is another one"),
        (make_play([1, 2, 3, 4], faulty=1), 1, "its faults are others"),
        (make_play([1, 2, 3], faulty=0), 0, "its faults are others"),
        (make_play([1, 2, 3]), None, "other seats are on turn after the same decisions"),
        (make_play([1, 2, 3, 4], outcome=(2.0, 2.0)), None, "the outcome of its record is another one"),
    ],
)
def test_whose_answer_was_another_one(other: FinishedGame, seat: int | None, text: str) -> None:
    """The bot that differs first is named, as all that follows may follow from its answer; no bot is where only rules
    differ.
    """
    play = make_play([1, 2, 3, 4])

    assert find_difference(play, other, unpack_record) == find_difference(other, play, unpack_record) == (seat, text)
    assert find_difference(play, make_play([1, 2, 3, 4]), unpack_record) is None


def unpack_record(packed: bytes) -> Record:
    """Return the record of a play."""
    return loads(decompress_text(packed))
