"""Calls of language models in a store, and what is told of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
import trio
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.audit.store_audit import find_problems
from pitboss_tournament.models.calls import CallPlace, CallRow
from pitboss_tournament.models.chat import ChatMessage, ChatReply, ChatRequest
from pitboss_tournament.models.choice import Verdict
from pitboss_tournament.reporting.models import models_sections
from pitboss_tournament.results.model_calls import call_title, conversation_lines
from pitboss_tournament.results.model_use import StatedCalls, estimate_calls, list_model_use
from pitboss_tournament.results.pilot import Pilot
from pitboss_tournament.running.store_writer import StoreWriter
from pitboss_tournament.showing.tournament_size import compute_size, size_sentences
from pitboss_tournament.store.database import StoreError
from pitboss_tournament.store.store import Store
from tests.tournament.report_stores import write_tournament_store

RULES: Final = "Each card has a slot. " * 100
CALL: Final = CallRow(
    place=CallPlace(3, 1, 2, 1),
    digest="d1",
    bot="bot-00",
    model="main",
    at="2026-01-01T00:00:00+00:00",
    tries=1,
    ms=1500,
    usd=0.25,
    request=ChatRequest(messages=[ChatMessage("system", RULES), ChatMessage("user", "what?")], max_output=50),
    reply=ChatReply(text='{"choose": 9}', tokens_in=1000, tokens_out=20),
    verdict=Verdict("illegal", '"choose" is 9'),
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Return a store of two bots, 20 games and three calls; the first was made in a game that was begun anew."""
    path = write_tournament_store(tmp_path, bots=2, seats=2, blocks=10)
    store = Store(path)
    void = replace(CALL, verdict=Verdict("transport", "no answer"), usd=0.0)
    good = replace(CALL, place=CallPlace(3, 1, 2, 2), digest="d2", verdict=Verdict("chosen", choose=0))
    store.calls.add([void, CALL])
    store.calls.add([good])
    return store


def test_calls_are_read_as_they_were_written(store: Store) -> None:
    """Calls are read as they were written: long messages are kept once each. Where a game was begun anew, the last
    calls count.
    """
    calls = store.calls.read_game(3)

    assert calls[0] == CALL
    assert [call.place.ask for call in calls] == [1, 2]
    assert store.calls.read_game(4) == []
    with closing(sqlite3.connect(store.path)) as db:
        assert db.execute("select count(*) from model_texts").fetchone() == (1,)


def test_a_call_is_found_by_place_and_request(store: Store) -> None:
    """A call that was not answered is not found: it is made again."""
    assert store.calls.find_call(CALL.place, "d1") == CALL
    assert store.calls.find_call(CALL.place, "d2") is None
    assert store.calls.find_call(CallPlace(3, 0, 2, 1), "d1") is None
    assert store.calls.read_broken_off().find_call(CALL.place, "d1") is None  # its game is stored


def read_outcomes(store: Store) -> list[tuple[str, float]]:
    """Return outcome and dollars of the calls in the fifth game, as another process finds them."""
    with closing(sqlite3.connect(store.path)) as db:
        return db.execute("select outcome, usd from model_calls where game = 5 order by rowid").fetchall()


def test_an_open_call_is_on_the_disk_until_its_answer_replaces_it(store: Store) -> None:
    """An open call has a row with what it costs at most as soon as the writer returns; a further try replaces it, then
    the answer does. A call that was not made leaves none. What is left when a run ends is an interrupted call.
    """
    place, seen = CallPlace(5, 1, 1, 1), list[list[tuple[str, float]]]()
    most = replace(CALL, place=place, usd=0.5, verdict=Verdict("interrupted", "it was asked"))
    answered = replace(CALL, place=place, verdict=Verdict("chosen", choose=0))

    async def write() -> None:
        writer = StoreWriter(store)
        changes: list[Callable[[], None]] = [
            lambda: writer.open_call(1, most),
            lambda: writer.open_call(1, replace(most, usd=1.0)),
            lambda: writer.open_call(2, replace(most, usd=0.7)),
            lambda: writer.settle_call(1, answered),
            lambda: writer.settle_call(2, None),
            lambda: writer.open_call(3, most),
        ]
        for change in changes:
            change()
            await writer.write_calls()
            seen.append(read_outcomes(store))

    trio.run(write)

    assert seen == [
        [("interrupted", 0.5)],
        [("interrupted", 1.0)],
        [("interrupted", 1.0), ("interrupted", 0.7)],
        [("interrupted", 0.7), ("chosen", 0.25)],
        [("chosen", 0.25)],
        [("chosen", 0.25), ("interrupted", 0.5)],
    ]


def test_an_audit_looks_at_calls(store: Store) -> None:
    """A call that cannot be read, or is of a bot that did not sit there, is named with its game."""
    own = store.record(3).players.index("bot-00")
    with closing(sqlite3.connect(store.path)) as db, db:
        db.execute("update model_calls set seat = ?", (own,))
        db.execute("update model_calls set content = x'00', seat = ? where ask = 2", (1 - own,))
        db.execute("update model_calls set bot = 'zed' where outcome = 'transport'")
        db.execute("delete from model_texts")
    told = [str(problem) for problem in find_problems(store)]

    at_own, beside = (f"game 3: the call of a language model at seat {seat}, decision 2" for seat in (own, 1 - own))
    assert [line.partition(" gone")[0] for line in told if at_own in line] == [
        f"{at_own} (1) is by 'zed', which does not take part",
        *[f"{at_own} (1) cannot be read: a message is"] * 2,
    ]
    assert [line.removesuffix(": incomplete or surplus data") for line in told if beside in line] == [
        f"{beside} (2) is by 'bot-00', which does not sit there",
        f"{beside} (2) cannot be read",
    ]
    with pytest.raises(StoreError, match=r"has calls of a language model by 'zed', which does not take part"):
        store.calls.copy_from(store.calls, {}, {"bot-00": "bot-00"}, 0)


def test_what_models_were_asked_is_told(store: Store) -> None:
    """Each outcome is counted, also of calls of void games; the report has a table."""
    [use] = list_model_use(store)

    assert str(use) == (
        "bot-00 asked '' 3 times (chosen 1, illegal 1, transport 1): 3,060 tokens, $0.5000, 1.5 s a call."
    )
    [section] = models_sections(store)
    assert "3 calls for 0.50 dollars" in section.markup and "transport" in section.markup
    assert call_title(CALL) == ('question 2: main illegal: "choose" is 9 [1,500 ms, 1,000 + 20 tokens, $0.2500]')
    assert list(conversation_lines(CALL, None))[-2:] == ["    answer:", '    | {"choose": 9}']


def test_a_plan_tells_what_so_many_games_cost(store: Store) -> None:
    """The games of a plan cost as much each as those of the pilot: as many games as the pilot had cost what
    it spent.
    """
    size = compute_size(Pilot(store), 100, 80, 1.0, None, estimate_calls(store))

    assert size.games is not None and size.usd is not None
    assert size.usd / size.games == pytest.approx(0.5 / 20)
    assert size.calls == round(size.games * 3 / 20)
    assert [line for line in size_sentences(size) if f"about {size.calls:,} calls of language models" in line]


def test_a_plan_from_stated_assumptions(store: Store) -> None:
    """Each decision of a bot of the pilot is a call; time is what the calls take if that is longer."""
    named = store.header.labels[0]
    estimate = estimate_calls(store, StatedCalls((named,), 0.01, 6.0, 3))
    of_bot = sum(
        seat.decisions for result in store.results(with_times=False) for seat in result.seats if seat.entrant == 0
    )

    assert estimate is not None and estimate.calls == of_bot
    assert [estimate.usd, estimate.seconds] == pytest.approx([of_bot * 0.01, of_bot * 2.0])
    assert of_bot > 0
    size = compute_size(Pilot(store), 100, 80, 1000.0, None, estimate)
    assert size.games is not None
    assert size.seconds == pytest.approx(size.games / 20 * of_bot * 2.0)
    assert size.calls == round(size.games / 20 * of_bot)
    with pytest.raises(ConfigError, match=r"--calls-of.*nobody"):
        estimate_calls(store, StatedCalls(("nobody",), 0.01, 6.0, 3))
