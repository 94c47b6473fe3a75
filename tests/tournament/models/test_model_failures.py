"""Whose fault it is that a call of a language model fails: the bot's, if the server answers others meanwhile."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pitboss_tournament.models.chat import ChatMessage, ChatRequest, estimate_tokens
from pitboss_tournament.plan.models import Budget, ModelTable
from tests.tournament.hostile_model import PAID_WISHES, WISHES, serve_wishes
from tests.tournament.model_tournaments import ServedModels, make_model_bot, make_model_plan, play_models
from tests.tournament.models.test_model_broker import ask_broker, make_broker_plan, make_call, make_table

PROBE: Final = ChatRequest(messages=[ChatMessage("user", ModelTable(url="http://x", model="x").probe)], max_output=16)


@settings(max_examples=len(WISHES), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(wishes=st.lists(st.sampled_from(WISHES), min_size=1, max_size=3))
def test_what_a_bot_asks_makes_no_game_void(tmp_path: Path, wishes: list[str]) -> None:
    """A call that makes the server fail is its bot's fault, and makes no game void; calls before and after it are
    answered.
    """
    texts = ["before", *wishes, "after"]
    calls = [make_call(text, game_id=number) for number, text in enumerate(texts)]
    with serve_wishes() as url:
        answers, kept = ask_broker(make_broker_plan(tmp_path, make_table(url)), *calls)

    assert [row.verdict.outcome for row in kept] == ["chosen", *["failed"] * len(wishes), "chosen"]
    assert [bool(answer.fault) for answer in answers] == [False, *[True] * len(wishes), False]
    assert all(answer.void == "" for answer in answers)


@pytest.mark.parametrize("wish", WISHES)
def test_each_failure_is_the_askers_fault(tmp_path: Path, wish: str) -> None:
    """Each failure is the asker's fault, and the reason says so. The probe is paid, and each try after which the server
    may have been at work, at most: their tokens are those of the call.
    """
    with serve_wishes() as url:
        [told], [row] = ask_broker(make_broker_plan(tmp_path, make_table(url)), make_call(wish))

    assert "yet the server answers the organiser's probe (3 requests)" in told.fault
    asked, probed = estimate_tokens(row.request), estimate_tokens(PROBE)
    paid = 2 if wish in PAID_WISHES else 0
    assert (row.reply.tokens_in, row.reply.tokens_out, row.tries) == (
        paid * asked + probed, paid * row.request.max_output + 5, 3,
    )  # fmt: skip
    assert row.usd > 0


@pytest.mark.long
@pytest.mark.once
def test_a_request_that_is_never_answered_is_the_askers_fault(tmp_path: Path) -> None:
    """A request that is never answered is the asker's fault: others are answered meanwhile."""
    with serve_wishes() as url:
        table = replace(make_table(url), timeout_s=10.0)
        [told, other], _ = ask_broker(make_broker_plan(tmp_path, table), make_call("HANG"), make_call("abc", 1))

    assert "no answer after 10 s; yet the server answers" in told.fault
    assert other.verdict is not None and other.verdict.outcome == "chosen"


def test_a_bot_that_brings_the_server_down_again_and_again(tmp_path: Path) -> None:
    """A bot that brings the server down makes two games void, by name; then the failure is the bot's fault, in that
    game and not in others.
    """
    calls = [make_call("DIE"), make_call("abc"), make_call("DIE"), make_call("abc"), make_call("DIE")]
    with serve_wishes() as url:
        plan = make_broker_plan(tmp_path, make_table(url))
        answers, kept = ask_broker(plan, *calls, make_call("DIE", game_id=1), make_call("abc", game_id=2))

    assert [row.verdict.outcome for row in kept] == [
        "transport", "chosen", "transport", "chosen", "failed", "transport", "chosen",
    ]  # fmt: skip
    assert answers[0].void.startswith("ann gets no answer of its model 'main': ")
    assert "so does the organiser's probe" in answers[0].void
    assert "each time that was after a call of this bot" in answers[4].fault


def test_a_server_that_stays_away_makes_games_void(tmp_path: Path) -> None:
    """A server that stays away makes games void, however often it is asked: nobody has brought it down twice."""
    table = make_table("http://127.0.0.1:1/v1")
    answers, _ = ask_broker(make_broker_plan(tmp_path, table), *[make_call("abc", game_id=one) for one in range(12)])

    assert all("so does the organiser's probe" in answer.void for answer in answers)


def test_a_probe_is_within_the_budget_of_a_game(tmp_path: Path) -> None:
    """A bot cannot spend a budget on probes: when the budget is used up, it gets no more answers."""
    with serve_wishes() as url:
        plan = make_broker_plan(tmp_path, make_table(url), budget=Budget(game_tokens=70))
        answers, kept = ask_broker(plan, *[make_call("403", decision=decision) for decision in range(1, 4)])

    assert [bool(answer.fault) for answer in answers] == [True, True, False]
    assert answers[2].spent.startswith("the budget of ann in game 0 (70 tokens) is used up")
    assert sum(row.reply.tokens_in + row.reply.tokens_out for row in kept) == 2 * (estimate_tokens(PROBE) + 5)


ASKING_BOT: Final = """
from pitboss.bot import run
from pitboss_house_bots.model_socket import ModelSocket
model = ModelSocket()
def choose(question):
    model.ask([{"role": "user", "content": "403"}])
    return 0
run(choose)
"""


@pytest.mark.once
def test_a_bot_whose_request_is_refused_forfeits_and_the_others_finish(tmp_path: Path) -> None:
    """A bot whose request is refused forfeits, whatever it plays then, and the others finish; no game is void."""
    entrant = make_model_bot(tmp_path, "wish")
    (tmp_path / "m-wish" / "bot.py").write_text(ASKING_BOT, encoding="utf-8")
    asking = replace(entrant, command=(sys.executable, "bot.py"))
    with serve_wishes() as url:
        plan = make_model_plan(tmp_path, ServedModels(None, url, None), "wish", deals=1)  # type: ignore[arg-type]
        played = play_models(replace(plan, entrants=(asking, *plan.entrants[1:])))

    assert len(played.games) == 2 and not played.tournament.voids
    assert len(played.faults) == 2
    assert all("what it asked has failed, and is its fault: model 'wish': " in fault for fault in played.faults)
    assert [call.verdict.outcome for call in played.calls] == ["failed"] * 2
