"""A clock of its own: time odds for one bot. It hears of it, is judged by it, and results name it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.protocol.messages import Clock
from pitboss_tournament.counting.report_findings import ReportCounts, ReportFindings
from pitboss_tournament.plan.limits import BotClock
from pitboss_tournament.reask.recorded_game import load_recorded_game
from pitboss_tournament.reporting.cautions import opening_caution
from pitboss_tournament.reporting.page import render_report
from pitboss_tournament.results.own_settings import describe_own_settings, own_settings_text
from pitboss_tournament.store.header import Header, OwnSettings
from pitboss_tournament.store.store import Store
from pitboss_tournament.text.terminal_text import decode_text
from tests.tournament.small_tournaments import make_plan, play_tournament, zoo_entrant
from tests.tournament.stored_games import make_stored_game, with_own_settings

FOR_ALL = Clock(start_ms=60_000, decision_ms=50_000, game_ms=3_000_000)


def sent_messages(store: Path, game: int, seat: int, kind: str) -> list[dict[str, Any]]:
    """Return what the runner sent of one kind to a seat."""
    wire = decode_text(Store(store).logs(game)[seat].wire)
    sent = (json.loads(line.split(" ", 2)[2]) for line in wire.splitlines() if line.split(" ", 2)[1] == ">")
    return [message for message in sent if message["type"] == kind]


def test_what_is_not_said_is_as_for_all() -> None:
    """A bot has the tournament's clock but for what is its own."""
    own = BotClock(decision_ms=7, increment_ms=0)

    assert BotClock().apply_to(FOR_ALL) == FOR_ALL
    assert own.apply_to(FOR_ALL) == replace(FOR_ALL, decision_ms=7)
    assert own.apply_to(replace(FOR_ALL, increment_ms=5)).increment_ms == 0


def test_results_name_the_bot(tmp_path: Path, header: Header) -> None:
    """The results name a bot with its own clock, in standings, the lead of the report and its table of bots; nothing is
    said where all bots have one clock.
    """
    own = with_own_settings(header, 1, OwnSettings(clock=BotClock(decision_ms=7, game_ms=900)))
    store = Store.for_run(tmp_path / "x.pitboss", own)
    store.add([make_stored_game(0)])
    page = render_report(store)

    assert describe_own_settings(own) == ["", "clock: decision_ms 7, game_ms 900"]
    assert own_settings_text(own) == "Not the same for all bots: b (clock: decision_ms 7, game_ms 900)."
    assert "not all settings are the same for all bots" in opening_caution(_with_a_game(own))
    assert "clock: decision_ms 7, game_ms 900" in page
    assert own_settings_text(header) is None
    assert "not all settings are the same" not in opening_caution(_with_a_game(header))


def _with_a_game(header: Header) -> ReportFindings:
    counts = ReportCounts(header)
    counts.add(make_stored_game(0).result)
    return ReportFindings(counts)


@pytest.mark.once
def test_a_bot_hears_of_its_own_clock(tmp_path: Path) -> None:
    """`hello` has the clock, `decide` what is left of it; the other bot hears of the tournament's."""
    own = replace(zoo_entrant("good", "odds"), clock=BotClock(decision_ms=40_000, game_ms=900_000, increment_ms=70_000))
    plan = make_plan(tmp_path / "x.pitboss", zoo_entrant("good"), own, deals=1, clock=FOR_ALL, keep_logs="all")

    play_tournament(plan)

    odds = {"start_ms": 60_000, "decision_ms": 40_000, "game_ms": 900_000, "increment_ms": 70_000}
    record = Store(plan.store).record(0)
    for name, wanted in (("odds", odds), ("good", {"decision_ms": 50_000, "game_ms": 3_000_000, "increment_ms": 0})):
        seat = record.players.index(name)
        [hello] = sent_messages(plan.store, 0, seat, "hello")
        first, second, *_ = sent_messages(plan.store, 0, seat, "decide")
        assert wanted == {key: hello["clock"][key] for key in wanted}
        assert first["clock"] == {key: wanted[key] for key in ("decision_ms", "game_ms")}
        assert (second["clock"]["game_ms"] > wanted["game_ms"]) == (name == "odds")  # by the increment
    assert load_recorded_game(plan.store, 0).bots[record.players.index("odds")].clock == own.clock.apply_to(FOR_ALL)


@pytest.mark.long
@pytest.mark.once
def test_a_bot_is_judged_by_its_own_clock(tmp_path: Path) -> None:
    """A bot that thinks longer than all others may is in time by its own clock, and late without it."""
    slow = zoo_entrant("slow_in_time", "slow")  # 150 ms for its first question
    strict = Clock(start_ms=60_000, decision_ms=50)
    generous = BotClock(decision_ms=60_000)
    patient = replace(zoo_entrant("good"), clock=generous)

    _, in_time = play_tournament(
        make_plan(tmp_path / "a", patient, replace(slow, clock=generous), deals=1, clock=strict)
    )
    _, late = play_tournament(make_plan(tmp_path / "b", patient, slow, deals=1, clock=strict))

    assert [fault for _, record in in_time for fault in record.faults] == []
    for _, record in late:
        [fault] = record.faults
        assert (fault.kind, fault.clock, record.players[fault.seat]) == ("late", "decision", "slow")
        assert "allowed were 50 ms" in fault.message
