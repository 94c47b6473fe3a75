"""Records: written and read, replayed and compared; each way in which one can be wrong has an error of its own."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss import Random
from pitboss.errors import RecordError, ReplayDiffers
from pitboss.game import resolve_options
from pitboss.protocol.faults import Fault
from pitboss.records.record import Decision, Incident, Record, dumps, loads, replay_events, replay_states, verify
from pitboss.table.events import Deal
from pitboss_magpie.magpie import Magpie

GAME = Magpie()


@cache
def sample_record() -> Record:
    """Return the record of a short game of Magpie, played at random."""
    options = resolve_options(GAME, 3, overrides={"turns": 6})
    state, rng = GAME.deal(3, options, Random("record")), Random("choices")
    decisions = []
    while state.turn is not None:
        action = rng.choice(state.legal())
        decisions.append(Decision(seat=state.turn.seat, action=action, us=17))
        state.play(action)
    return msgspec.convert(
        msgspec.to_builtins(
            Record(
                game="magpie",
                game_version=GAME.version,
                options=options,
                seed="record",
                players=["ann", "bob", "cy"],
                decisions=decisions,
                outcome=state.outcome(),
            )
        ),
        Record,
    )


def change_record(**fields: object) -> Record:
    """Return the sample with other fields."""
    return msgspec.structs.replace(sample_record(), **fields)


def change_decision(number: int, **fields: object) -> Record:
    """Return the sample with another decision of that number (from 1)."""
    decisions = sample_record().decisions[:]
    decisions[number - 1] = msgspec.structs.replace(decisions[number - 1], **fields)
    return change_record(decisions=decisions)


def test_written_and_read() -> None:
    """A record is one line of JSON, and reads as it was."""
    line = dumps(sample_record())

    assert b"\n" not in line
    assert loads(line) == sample_record()


def test_compared_with_its_replay() -> None:
    """A record of this version replays; the number of its decisions is returned."""
    assert verify(sample_record(), GAME) == len(sample_record().decisions) > 20


def test_replayed_step_by_step() -> None:
    """A replay has one state before each decision, with its seat on turn, and one at the end, over."""
    turns = [state.turn for state in replay_states(sample_record(), GAME)]

    assert [turn.seat for turn in turns if turn is not None] == [
        decision.seat for decision in sample_record().decisions
    ]
    assert turns[-1] is None


def test_the_event_log_of_a_record() -> None:
    """All-seeing eyes read every card; a player and the spectator what they saw, event by event."""
    everything, bob, spectator = (
        replay_events(sample_record(), GAME),
        replay_events(sample_record(), GAME, 1),
        replay_events(sample_record(), GAME, 3),
    )

    deals = [next(event for event in log if isinstance(event, Deal)) for log in (everything, bob, spectator)]
    assert all(None not in cards for cards in deals[0].cards.values())
    assert {zone: None in cards for zone, cards in deals[1].cards.items()} == {
        "hand 0": True,
        "hand 1": False,
        "hand 2": True,
    }
    assert all(set(cards) == {None} for cards in deals[2].cards.values())
    assert len(everything) == len(bob) == len(spectator)


def test_forfeited_seats() -> None:
    """The forfeited seats are those with a fault for which nothing was substituted."""
    fault = Fault(kind="late", seat=2, decision=9, message="late")
    spared = Fault(kind="late", seat=1, decision=8, message="late", verdict="substitute")
    incidents = [Incident(fault=one) for one in (spared, fault, fault)]

    assert change_record(incidents=incidents).forfeited_seats == frozenset({2})
    assert change_record(incidents=incidents).faults == [spared, fault, fault]


WRONG: list[tuple[str, Record, str]] = [
    ("another game", change_record(game="rummy"), "game rummy, seed 'record': recorded with rummy 1; here is magpie 1"),
    ("another version", change_record(game_version="0"), "recorded with magpie 0; here is magpie 1"),
    ("another seed", change_record(seed="other"), "game magpie, seed 'other'"),
    ("a decision left out", change_record(decisions=sample_record().decisions[1:]), "decision 1"),
    (
        "the end left out",
        change_record(decisions=sample_record().decisions[:-3]),
        "the record ends after .* decisions; the game goes on with Turn",
    ),
    (
        "too many",
        change_record(decisions=[*sample_record().decisions, sample_record().decisions[0]]),
        "decided; replayed it is None",
    ),
    ("another seat", change_decision(2, seat=2), r"decision 2: seat 2 decided; replayed it is Turn\(seat=\d, phase="),
    (
        "an illegal action",
        change_decision(1, action={"do": "boast"}),
        r"decision 1: Boast\(\) was played at Turn\(.*\); legal: \[Draw",
    ),
    ("no action of the game", change_decision(3, action={"do": "knock"}), "decision 3: Invalid value 'knock'"),
    ("no action at all", change_decision(3, action=None), "decision 3: Expected `object`, got `null`"),
    (
        "another outcome",
        change_record(outcome=msgspec.structs.replace(sample_record().outcome, places=(3, 3, 3))),
        "recorded Outcome.*; replayed",
    ),
    (
        "an option that is gone",
        change_record(options={"jokers": 2}),
        "it cannot be dealt any more: magpie: there is no key `jokers`",
    ),
    (
        "a value that is gone",
        change_record(options={"turns": 21}),
        "it cannot be dealt any more: magpie: Expected `int` <= 20",
    ),
    (
        "options that do not fit",
        change_record(options={"partners": True}),
        "cannot be dealt any more: magpie: partners is true",
    ),
    (
        "too few players",
        change_record(players=["ann"]),
        "cannot be dealt any more: magpie is played by 2, 3 or 4 players, not by 1",
    ),
    ("no players", change_record(players=[]), "cannot be dealt any more: .* not by 0"),
]


@pytest.mark.parametrize(
    ("record", "message"), [(record, message) for _, record, message in WRONG], ids=[what for what, *_ in WRONG]
)
def test_a_record_that_differs(record: Record, message: str) -> None:
    """The error about a record that differs says which game and seed, where, and how."""
    with pytest.raises(ReplayDiffers, match=message):
        verify(loads(dumps(record)), GAME)


@pytest.mark.parametrize("options", [None, [1], "classic", 7])
def test_options_that_are_no_object(options: object) -> None:
    """A record whose options are no object is wrong itself: no game's options look like that."""
    with pytest.raises(RecordError, match=r"the options are .*; they must be an object"):
        verify(loads(dumps(change_record(options=options))), GAME)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"", "this is not a game record: Input data was truncated"),
        (b"{}", "this is not a game record: Object missing required field `game`"),
        (dumps(change_record(format=1)), "this record has format 1; this Pitboss reads format 2"),
        (dumps(sample_record())[:-1], "this is not a game record: Input data was truncated"),
        (dumps(sample_record()).replace(b'"ann"', b'"\xff"'), "this is not a game record: 'utf-8' codec"),
        (b"[" * 100_000, "this is not a game record"),
        (b'{"options":' + b"[" * 100_000, "this is not a game record"),
    ],
    ids=lambda part: str(part)[:30],
)
def test_bytes_that_are_no_record(line: bytes, message: str) -> None:
    """The error about bytes that are no record says what is wrong with them."""
    with pytest.raises(RecordError, match=message):
        loads(line)


@given(st.integers(0, 10**6), st.integers(0, 255), st.booleans())
def test_damaged_records(place: int, byte: int, cut: bool) -> None:
    """A record that is cut anywhere, or has any byte changed, is a record error, or another record that replays or
    differs.
    """
    line = dumps(sample_record())
    at = place % len(line)
    damaged = line[:at] if cut else line[:at] + bytes([byte]) + line[at + 1 :]

    try:
        verify(loads(damaged), GAME)
    except RecordError as wrong:
        assert "\n" not in str(wrong)


@given(st.binary(max_size=60))
def test_random_bytes(line: bytes) -> None:
    """Random bytes are no record."""
    with pytest.raises(RecordError):
        loads(line)
