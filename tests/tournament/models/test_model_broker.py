"""The broker of language models and a server on loopback, without bots."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

import pytest
import trio
import trio.testing
from msgspec.structs import replace

from pitboss_tournament.models.broker import ModelBroker
from pitboss_tournament.models.calls import CallPlace, CallRow, ModelAnswer, ModelCall, Spending
from pitboss_tournament.models.chat import ChatMessage, ChatRequest
from pitboss_tournament.models.fake_server import FakeAnswer, FakeModels, server_url
from pitboss_tournament.plan.models import BotModel, Budget, ModelTable
from pitboss_tournament.plan.plan import Entrant, Plan
from pitboss_tournament.store.model_calls import BrokenOffCalls
from tests.tournament.model_tournaments import KeptCalls, serve_models
from tests.tournament.small_tournaments import make_plan

LEGAL: Final = [{"do": "fold"}, {"do": "call"}]


def make_table(url: str, model: str = "random", key_env: str | None = None, *, reuse: bool = False) -> ModelTable:
    """Return a model that costs a dollar for each token of a request."""
    return ModelTable(url=url, model=model, key_env=key_env, price_in=1e6, tries=1, reuse=reuse)


def make_broker_plan(path: Path, table: ModelTable, **fields: object) -> Plan:
    """Return a plan in which one bot asks a model."""
    bot = Entrant(name="ann", command=("true",), model=BotModel(name="main"))
    return make_plan(path / "x", bot, replace(bot, name="ben", model=None), models={"main": table}, **fields)


def make_call(text: str, game_id: int = 0, decision: int = 1) -> ModelCall:
    """Return what the bot asks at a decision."""
    return ModelCall(
        number=1,
        bot="ann",
        place=CallPlace(game_id, 0, decision, 1),
        request=ChatRequest(messages=[ChatMessage("user", text)], max_output=10),
        legal=LEGAL,
        ranges=[],
    )


def ask_broker(plan: Plan, *calls: ModelCall) -> tuple[list[ModelAnswer], list[CallRow]]:
    """Return the answers to calls, one after another, and what is kept."""
    book = KeptCalls()

    async def ask() -> list[ModelAnswer]:
        broker = ModelBroker(plan, BrokenOffCalls(()), book, {})
        try:
            return [await broker.answer(call) for call in calls]
        finally:
            await broker.close()

    answers = trio.run(ask)
    assert book.open == {}
    return answers, book.rows


def test_equal_requests_are_asked_once_if_that_is_wanted(tmp_path: Path) -> None:
    """The second of two equal requests costs nothing, and is kept all the same; another request is asked."""
    calls = [make_call("same"), make_call("same", decision=2), make_call("other", decision=3)]
    with serve_models() as served:
        _, kept = ask_broker(make_broker_plan(tmp_path, make_table(served.url, reuse=True)), *calls)
        asked = served.fake.calls
        ask_broker(make_broker_plan(tmp_path, make_table(served.url)), *calls)

    assert asked == 2 and served.fake.calls == 5
    assert [row.usd > 0 for row in kept] == [True, False, True]
    assert kept[0].reply.text == kept[1].reply.text and kept[1].verdict == kept[0].verdict


def test_a_budget_of_a_game_is_that_of_one_game(tmp_path: Path) -> None:
    """A bot that has used up its budget of a game gets no more answers in that game; in the next one it does, and if
    the game is begun anew.
    """
    first, second = make_call("abc"), make_call("abc", decision=2)
    with serve_models() as served:
        plan = make_broker_plan(tmp_path, make_table(served.url), budget=Budget(game_tokens=50))
        answers, kept = ask_broker(plan, first, second, make_call("abc", game_id=1), first)

    assert [bool(answer.spent) for answer in answers] == [False, True, False, False]
    assert answers[1].spent.startswith("the budget of ann in game 0 (50 tokens) is used up")
    assert [row.verdict.outcome for row in kept] == ["chosen", "budget", "chosen", "chosen"]


def test_a_game_that_is_played_again_begins_with_the_same_notes(tmp_path: Path) -> None:
    """What a model has noted after a game is told in the next one; a game that is played again is told what it was told
    before, whatever the model has noted since. Notes are asked for without a schema of actions.
    """
    recall, notes = (
        [replace(make_call("Write.", game_id=game, decision=0), kind=kind) for game in range(2)]
        for kind in ("recall", "notes")
    )
    with serve_models("note one", "note two") as served:
        plan = make_broker_plan(tmp_path, make_table(served.url, "scripted"))
        plan = replace(plan, entrants=(replace(plan.entrants[0], model=BotModel(name="main", memory=100)),))
        answers, kept = ask_broker(plan, recall[0], notes[0], recall[1], notes[1], recall[1], recall[0])

    assert [answer.text for answer in answers] == [
        "{}",
        "note one",
        '{"notes":"note one"}',
        "note two",
        '{"notes":"note one"}',
        "{}",
    ]
    assert [row.verdict.outcome for row in kept] == ["recalled", "noted", "recalled", "noted"]
    assert [row.usd > 0 for row in kept] == [False, True, False, True]


class SilentModels(FakeModels):
    """Models that think until they are released."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = threading.Event()

    def answer(self, body: dict[str, Any]) -> FakeAnswer:
        """Wait."""
        self.asked.set()
        self.wait(None)
        return super().answer(body)


def test_a_call_that_is_broken_off_counts_with_what_it_may_cost(tmp_path: Path) -> None:
    """The server may charge for it, so that no budget is exceeded by the run that carries on. One that waits for its
    turn was not asked.
    """
    book = KeptCalls()
    first, silent = make_call("abc"), SilentModels()

    async def break_off(plan: Plan) -> None:
        broker = ModelBroker(plan, BrokenOffCalls(()), book, {})
        with trio.move_on_after(30):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(broker.answer, first)
                await trio.to_thread.run_sync(silent.asked.wait, 20)
                nursery.start_soon(broker.answer, make_call("waits", decision=2))
                await trio.testing.wait_all_tasks_blocked()
                nursery.cancel_scope.cancel()
        await broker.close()

    async def carry_on(plan: Plan, spent: Spending) -> ModelAnswer | str:
        broker = ModelBroker(plan, BrokenOffCalls(kept), book, {"ann": spent})
        try:
            with trio.move_on_after(20):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(_cancel_if_used_up, broker, nursery.cancel_scope)
                    answer = await broker.answer(first)
                    nursery.cancel_scope.cancel()
                    return answer
            return broker.funds.used_up_text
        finally:
            await broker.close()

    with serve_models(fake=silent) as served:
        table = replace(make_table(served.url), max_at_once=1)
        trio.run(break_off, make_broker_plan(tmp_path, table))
    [row] = kept = list(book.rows)
    tokens = row.reply.tokens_in + row.reply.tokens_out
    spent = Spending()
    spent.add(row)
    with serve_models() as served:
        table = make_table(served.url)
        for budget, words in (
            (Budget(tokens=2 * tokens - 1), "the budget of the tournament"),
            (Budget(game_tokens=2 * tokens - 1), "the budget of ann in game 0"),
        ):
            told = trio.run(carry_on, make_broker_plan(tmp_path, table, budget=budget), spent)
            assert words in (told if isinstance(told, str) else told.spent)
        again = trio.run(carry_on, make_broker_plan(tmp_path, table, budget=Budget(tokens=2 * tokens)), spent)

    assert (row.verdict.outcome, row.place, row.reply.tokens_out) == ("interrupted", first.place, 10)
    assert row.usd == row.reply.tokens_in > 0
    assert isinstance(again, ModelAnswer) and again.verdict is not None


async def _cancel_if_used_up(broker: ModelBroker, scope: trio.CancelScope) -> None:
    await broker.funds.used_up.wait()
    scope.cancel()


class WithoutSchemas(FakeModels):
    """Models of a server that knows no response format, and wants the bound of an answer by its newer name."""

    def answer(self, body: dict[str, Any]) -> FakeAnswer:
        """Refuse a request that names one."""
        if "max_tokens" in body:
            return FakeAnswer("unsupported: 'max_tokens'; use 'max_completion_tokens'", status=400)
        if "response_format" in body:
            return FakeAnswer("unknown field", status=400)
        return super().answer(body)


def test_a_server_that_knows_no_schema_is_asked_without(tmp_path: Path) -> None:
    """A server that knows no schema is asked without one from its first refusal on."""
    fake = WithoutSchemas(['{"choose": 1}'])
    with serve_models(fake=fake) as served:
        plan = make_broker_plan(tmp_path, make_table(served.url, model="scripted"))
        _, kept = ask_broker(plan, make_call("one"), make_call("two", decision=2))

    assert [(row.verdict.outcome, row.verdict.choose) for row in kept] == [("chosen", 1)] * 2


def test_a_key_that_a_server_repeats_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that refuses the key makes games void, and the message does not show a key that the server repeats."""
    monkeypatch.setenv("PITBOSS_TEST_MODEL_KEY", "sk-secret")
    with serve_models(key="sk-another") as served:
        table = make_table(served.url, key_env="PITBOSS_TEST_MODEL_KEY")
        [told], kept = ask_broker(make_broker_plan(tmp_path, table), make_call("abc"))

    assert "the server answers 401" in told.void and "[key]" in told.void
    assert "sk-secret" not in told.void + str(kept)


def test_a_key_that_a_model_says_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that a model says is not kept: a proxy may write the headers of a request into what it lets a
    model read.
    """
    monkeypatch.setenv("PITBOSS_TEST_MODEL_KEY", "sk-secret")
    with serve_models(fake=FakeModels(['Your key is sk-secret. {"choose": 1}']), key="sk-secret") as served:
        table = make_table(served.url, model="scripted", key_env="PITBOSS_TEST_MODEL_KEY")
        [told], [row] = ask_broker(make_broker_plan(tmp_path, table), make_call("abc"))

    assert row.verdict.choose == 1
    assert "Your key is [key]." in row.reply.text
    assert "sk-secret" not in f"{told}{row}"


@contextmanager
def serve_body(status: int, body: bytes) -> Iterator[str]:
    """Serve the same answer to everybody; yields the address."""

    class SameAnswerHandler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            """Answer."""
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), SameAnswerHandler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        try:
            yield server_url(server)
        finally:
            server.shutdown()


@pytest.mark.parametrize("status", [200, 400])
def test_a_key_that_is_escaped_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    """A key that a server repeats in escapes is not kept, neither of an answer nor of an error."""
    monkeypatch.setenv("PITBOSS_TEST_MODEL_KEY", "sk-secret")
    answers = {
        200: rb"""{"choices": [{"message": {"content": "sk\u002dsecret {\"choose\": 1}", "reasoning": "s\u006b-secret"}
            }]}""",
        400: rb"""{"error": {"message": "s\u006b-secret is not allowed"}}""",
    }
    with serve_body(status, answers[status]) as url:
        table = make_table(url, key_env="PITBOSS_TEST_MODEL_KEY")
        [told], [row] = ask_broker(make_broker_plan(tmp_path, table), make_call("abc"))

    assert row.verdict.outcome == ("chosen" if status == 200 else "refused")
    assert "[key]" in f"{row}" and "sk-secret" not in f"{told}{row}"


def test_a_server_that_dies_in_its_answer_makes_games_void(tmp_path: Path) -> None:
    """A server that dies in its answer makes games void, and its partial answer is not used."""
    with closing(socket.create_server(("127.0.0.1", 0))) as dying:

        def die() -> None:
            one, _ = dying.accept()
            dying.close()  # the probe finds nobody
            with one:
                one.recv(1 << 16)
                one.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{"choices": [')
                one.shutdown(socket.SHUT_WR)
                while one.recv(1 << 16):  # else the rest of the question would make a reset of the end
                    pass

        threading.Thread(target=die, daemon=True).start()
        table = make_table(f"http://127.0.0.1:{dying.getsockname()[1]}/v1")
        [told], kept = ask_broker(make_broker_plan(tmp_path, table), make_call("abc"))

    assert "peer closed connection" in told.void
    assert [row.verdict.outcome for row in kept] == ["transport"]
