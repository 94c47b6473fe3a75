"""Open actions: checked and not listed, on the wire, in records, for bots that track and for those that learn."""

from __future__ import annotations

from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace

from haggle import Accept, Haggle, HaggleOptions, HaggleState, Offer, Wait
from pitboss import Random
from pitboss.errors import MalformedLine, RefusedGame
from pitboss.learning.learning_game import prepare_game
from pitboss.learning.record_letters import read_letters
from pitboss.open_actions import (
    describe_open_kinds,
    find_open_choices,
    find_open_kinds,
    is_playable,
    read_open_action,
    read_told,
)
from pitboss.protocol.connection import BotConnection, RunnerConnection
from pitboss.protocol.messages import Act, Decide
from pitboss.records.notation import NotedGame, format_action, format_notation, parse_action, parse_notation
from pitboss.records.record import Decision, Record, dumps, loads, verify
from pitboss.simulation.random_play import make_random_chooser, play_on
from pitboss.table.events import Tell
from pitboss_magpie.magpie import Magpie
from tests.core.sample_messages import DECIDE, HELLO, START
from tests.core.tracked_games import is_tracked_correctly, track_game

GAME: Final = Haggle()
WIRE_OFFER: Final = {"do": "offer", "books": 2, "hats": 1, "balls": 0}
OFFERED: Final = replace(HELLO, open=describe_open_kinds(Haggle.Action))
ASKED: Final = replace(DECIDE, open=["offer"])


def deal(seed: str = "deal") -> HaggleState:
    """Return a game as it begins."""
    return GAME.deal(2, HaggleOptions(), Random(seed))


def play_record(seed: str) -> Record:
    """Return the record of a random game, offers included."""
    state, decisions = deal(seed), list[Decision]()
    choose = make_random_chooser(Haggle.Action, seed)
    while state.turn is not None:
        seat, [action] = state.turn.seat, play_on(state, choose, 1)
        decisions.append(Decision(seat=seat, action=action))
    options = msgspec.to_builtins(HaggleOptions())
    return Record(
        game="haggle",
        game_version="1",
        options=options,
        seed=seed,
        players=["a", "b"],
        decisions=decisions,
        outcome=state.outcome(),
    )


RECORD: Final = play_record("offers 3")


def test_only_kinds_that_are_declared_are_open() -> None:
    """The kinds are read off the type of a game's actions; a game whose actions are all listed has none."""
    assert dict(find_open_kinds(Haggle.Action)) == {"offer": Offer}
    assert dict(find_open_kinds(Magpie.Action)) == {}
    assert describe_open_kinds(Haggle.Action)["offer"]["$defs"]["Offer"]["required"] == ["do", "books", "hats", "balls"]


@pytest.mark.parametrize(
    ("value", "found", "reason"),
    [
        (WIRE_OFFER, Offer(2, 1, 0), ""),
        ({**WIRE_OFFER, "books": 4}, None, "there are 3 books, not 4"),
        ({**WIRE_OFFER, "books": 12}, None, "Expected `int` <= 9 - at `$.books`"),
        ({**WIRE_OFFER, "hat": 1}, None, "there is no key `hat` (did you mean 'hats'?)"),
        ({"do": "offer"}, None, "Object missing required field `books`"),
        ({"do": "accept"}, None, None),
        ([1], None, None),
        (None, None, None),
    ],
)
def test_what_an_answer_says(value: object, found: Offer | None, reason: str | None) -> None:
    """An answer of an open kind is an action, or the reason why it is none; others name no open kind."""
    assert read_open_action(value, find_open_choices(deal())) == (found, reason)


def test_what_can_be_played() -> None:
    """A listed action and an open one that passes the check can be played; at the end nothing can."""
    state = deal()
    assert [is_playable(one, state) for one in (Wait(), Accept(), Offer(1, 1, 1), Offer(9, 0, 0))] == [
        True,
        False,
        True,
        False,
    ]

    while state.turn is not None:
        state.play(Wait())
    assert not is_playable(Offer(1, 1, 1), state)


# ---- the wire


def ask(hello: Any, ready: bytes) -> RunnerConnection:  # noqa: ANN401 - a message
    """Return the runner's end of a conversation that has come to a question."""
    runner = RunnerConnection()
    runner.send(hello)
    runner.receive(ready)
    for message in (START, ASKED):
        runner.send(message)
    return runner


def test_open_actions_that_were_agreed() -> None:
    """A bot that agrees in `ready` is told the kinds that are open, and answers with an action in place of an index."""
    runner = ask(OFFERED, b'{"type":"ready","open":true}\n')
    line = msgspec.json.encode({"type": "act", "id": 7, "action": WIRE_OFFER}) + b"\n"

    assert runner.receive(line) == Act(id=7, action=WIRE_OFFER)


def test_open_actions_that_were_not_offered() -> None:
    """A bot cannot agree to what `hello` does not offer."""
    runner = RunnerConnection()
    runner.send(HELLO)

    with pytest.raises(MalformedLine, match="agrees to 'open', which `hello` did not offer"):
        runner.receive(b'{"type":"ready","open":true}\n')


def test_other_games_say_nothing_of_open_actions() -> None:
    """Neither `hello` nor a question of a game whose actions are all listed has the key: earlier bots see no change."""
    runner = RunnerConnection()

    assert b"open" not in runner.send(HELLO)
    assert describe_open_kinds(Magpie.Action) == {}


def test_the_bots_end_reads_what_is_open() -> None:
    """The SDK reads the kinds of a question, and the schemas of `hello`."""
    bot = BotConnection()
    hello = bot.receive(RunnerConnection().send(OFFERED))
    assert hello == OFFERED

    bot.phase = "playing"
    asked = bot.receive(msgspec.json.encode(ASKED) + b"\n")
    assert isinstance(asked, Decide)
    assert asked.open == ["offer"]


# ---- records


def test_a_record_with_open_actions_replays() -> None:
    """A record with offers, written and read, replays exactly; so does its notation."""
    assert any(isinstance(one.action, Offer) for one in RECORD.decisions)
    assert verify(loads(dumps(RECORD)), GAME) == len(RECORD.decisions)

    text = format_notation(NotedGame(loads(dumps(RECORD))))
    [noted] = parse_notation(text.splitlines())
    assert "offer books=" in text
    assert dumps(noted.record) == dumps(RECORD)


def test_an_action_alone_in_the_notation() -> None:
    """An action is read as it is written, also as JSON; what follows it is refused."""
    assert (
        parse_action(format_action(WIRE_OFFER))
        == WIRE_OFFER
        == parse_action('{"do":"offer","books":2,"hats":1,"balls":0}')
    )
    for wrong in ("offer books=2 hats", "", "offer books=", "offer books=2 books=3"):
        with pytest.raises(RefusedGame):
            parse_action(wrong)


# ---- bots that track, and programs that learn


def test_a_tracker_follows_the_offers_of_others() -> None:
    """A bot that tracks the game knows what the others have offered, and never loses the game."""
    choose = make_random_chooser(Haggle.Action, "tracked")

    offers = 0
    for number in range(12):
        tracked = track_game(
            GAME, 2, HaggleOptions(), f"tracked {number}", choose=lambda state, rng: choose(state, state.legal())
        )
        for one in tracked:
            assert is_tracked_correctly(one)
            offers += one.state.view(0).offered_by == 1
    assert offers > 3


@pytest.mark.parametrize(
    ("event", "read"),
    [
        (Tell(event="offer", facts={"seat": 1, "books": 1, "hats": 2, "balls": 0}), Offer(1, 2, 0)),
        (Tell(event="offer", facts={"seat": 1, "books": 1}), None),
        (Tell(event="wait", facts={"books": 1, "hats": 2, "balls": 0}), None),
    ],
)
def test_what_is_told_is_read(event: Tell, read: Offer | None) -> None:
    """An open action is read from the event of its word whose facts have its fields; from no other."""
    assert read_told(Offer, event) == read


def test_learners_choose_among_the_listed_actions() -> None:
    """Open actions have no numbers; those that were recorded are left out of the rows for learners."""
    game = prepare_game(GAME)
    row = memoryview(bytearray(4 * game.encoder.size)).cast("f")
    read = list(read_letters(game, RECORD, row))

    assert game.alphabet.letters == ["(end)", "wait", "accept"]
    assert read
    assert not any(isinstance(RECORD.decisions[one.decision].action, Offer) for one in read)
