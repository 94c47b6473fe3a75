"""What calls cost: money is set aside before a request is sent, and estimates follow what servers count."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
import trio
from msgspec.structs import replace
from trio.testing import wait_all_tasks_blocked

from pitboss_tournament.models.broker import ModelBroker
from pitboss_tournament.models.calls import CallRow, Spending
from pitboss_tournament.models.chat import ChatMessage, ChatReply, ChatRequest, estimate_tokens
from pitboss_tournament.models.fake_server import FakeAnswer, FakeModels
from pitboss_tournament.models.funds import Funds
from pitboss_tournament.models.model_server import ModelServer
from pitboss_tournament.models.purse import CallCost, Purse
from pitboss_tournament.models.token_rate import TokenRates
from pitboss_tournament.plan.models import Budget, ModelTable
from pitboss_tournament.store.model_calls import BrokenOffCalls
from tests.tournament.hostile_model import serve_wishes
from tests.tournament.model_tournaments import KeptCalls, serve_models
from tests.tournament.models.test_model_broker import ask_broker, make_broker_plan, make_call, make_table

LONG: Final = "Which of these would you play? " * 30
TABLE: Final = ModelTable(url="http://x", model="x", price_in=1.0, price_out=10.0)


class WatchedModels(FakeModels):
    """Models whose requests are watched before they are answered."""

    def __init__(self, watch: Callable[[], None]) -> None:
        super().__init__()
        self._watch = watch

    def answer(self, body: dict[str, Any]) -> FakeAnswer:
        """Watch, and answer."""
        self._watch()
        return super().answer(body)


def ask_at_once(path: Path, table: ModelTable, budget: Budget, calls: int) -> tuple[KeptCalls, str]:
    """Have a broker asked for many calls at a time, until all are answered or a budget is used up; return which."""
    book = KeptCalls()

    async def ask() -> str:
        broker = ModelBroker(make_broker_plan(path, table, budget=budget), BrokenOffCalls(()), book, {})

        async def ask_all(scope: trio.CancelScope) -> None:
            async with trio.open_nursery() as asking:
                for number in range(calls):
                    asking.start_soon(broker.answer, make_call(LONG, game_id=number))
            scope.cancel()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(ask_all, nursery.cancel_scope)
            await broker.funds.used_up.wait()
            nursery.cancel_scope.cancel()
        await broker.close()
        return broker.funds.used_up_text

    return book, trio.run(ask)


def sum_tokens(rows: list[CallRow]) -> int:
    """Return the tokens of calls."""
    return sum(row.reply.tokens_in + row.reply.tokens_out for row in rows)


@pytest.mark.parametrize("factor", [1, 3])
def test_a_server_that_counts_more_than_the_estimate_exceeds_no_budget(tmp_path: Path, factor: int) -> None:
    """A server that counts three tokens for one of the estimate exceeds no budget, though many calls are made at a
    time: the first call is made alone, and tells how the server counts.
    """
    with serve_models(fake=FakeModels(token_factor=factor)) as served:
        table = replace(make_table(served.url), max_at_once=8)
        book, used_up = ask_at_once(tmp_path, table, Budget(tokens=4_000), 40)

    assert "the budget of the tournament (4,000 tokens) is used up" in used_up
    assert 2_500 < sum_tokens(book.rows) <= 4_000
    assert served.fake.calls == len(book.rows)


def test_calls_of_other_bots_do_not_end_the_wait_for_a_first_one() -> None:
    """While the first call of a bot is open, a second one waits, also if the server answers another bot meanwhile."""
    request, purses = make_call(LONG).request, [Purse("all", None, 10**6)]
    asked: list[CallCost] = []

    async def play() -> None:
        funds, server = Funds(Budget(tokens=10**6), {}), ModelServer("main", TABLE, print)
        server.rates.learn("bob", request, ChatReply(tokens_in=1, tokens_out=1))

        async def ask(bot: str) -> None:
            asked.append(await funds.set_aside(server, bot, request, purses))

        for bot in ("ann", "bob"):
            await ask(bot)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ask, "ann")
            funds.settle(server, purses, asked[1], CallCost(0.0, 2))
            await wait_all_tasks_blocked()
            assert len(asked) == 2
            funds.settle(server, purses, asked[0], CallCost(0.0, 2))
        await server.close()

    trio.run(play)
    assert len(asked) == 3


def test_a_budget_that_allows_all_calls_delays_none(tmp_path: Path) -> None:
    """A budget that pays for all calls lets all be made."""
    with serve_models() as served:
        book, used_up = ask_at_once(tmp_path, replace(make_table(served.url), max_at_once=8), Budget(tokens=10**6), 20)

    assert (len(book.rows), used_up) == (20, "")


def test_a_request_is_on_record_before_it_is_sent(tmp_path: Path) -> None:
    """When a server gets a request, the book has what the call costs at most; the answer replaces that."""
    book, open_at = KeptCalls(), list[int]()

    async def ask() -> None:
        broker = ModelBroker(make_broker_plan(tmp_path, make_table(served.url)), BrokenOffCalls(()), book, {})
        await broker.answer(make_call("which?"))
        await broker.close()

    with serve_models(fake=WatchedModels(lambda: open_at.append(len(book.open)))) as served:
        trio.run(ask)

    assert open_at == [1] and book.open == {}
    [most], [row] = book.most, book.rows
    assert most.verdict.outcome == "interrupted" and most.tries == row.tries == 1
    assert most.usd >= row.usd > 0 and sum_tokens([most]) >= sum_tokens([row])


def test_each_try_that_may_be_paid_is_counted(tmp_path: Path) -> None:
    """A try after which the server may have been at work is paid at most, and the next try is on record with it."""
    book = KeptCalls()

    async def ask(url: str) -> None:
        broker = ModelBroker(
            make_broker_plan(tmp_path, replace(make_table(url), tries=2)), BrokenOffCalls(()), book, {}
        )
        await broker.answer(make_call("NO-JSON"))
        await broker.close()

    with serve_wishes() as url:
        trio.run(ask, url)

    [row] = book.rows
    one = estimate_tokens(row.request) + row.request.max_output
    assert row.tries == 4  # two, the probe, and one more
    assert [sum_tokens([most]) for most in book.most[:2]] == [one, 2 * one]
    assert sum_tokens([row]) > 3 * one


def test_rates_are_learned_from_earlier_runs(tmp_path: Path) -> None:
    """A run that carries on knows from its record how the server counts."""
    book = KeptCalls()

    async def ask_again(row: CallRow) -> None:
        broker = ModelBroker(plan, BrokenOffCalls(()), book, {"ann": Spending()}, earlier=[row])
        await broker.answer(make_call(LONG, game_id=1))
        await broker.close()

    with serve_models(fake=FakeModels(token_factor=3)) as served:
        plan = make_broker_plan(tmp_path, make_table(served.url))
        _, [row] = ask_broker(plan, make_call(LONG))
        trio.run(ask_again, row)

    assert sum_tokens(book.most) >= sum_tokens([row])


def test_what_a_server_counts_is_learned_by_bot() -> None:
    """What a server counts for one bot is no reason to set more aside for another; a bot of which nothing is known has
    the lowest rates.
    """
    rates, request = TokenRates(), ChatRequest(messages=[ChatMessage("user", "x" * 396)], max_output=50)
    assert rates.estimate_most("ann", request) == (103, 50)

    rates.learn("ann", request, ChatReply(tokens_in=206, tokens_out=60))
    rates.learn("ann", request, ChatReply(tokens_in=103, tokens_out=20))
    assert (rates.is_known("ann"), rates.is_known("ben")) == (True, False)
    assert rates.estimate_most("ann", request) == rates.estimate_most("ben", request) == (206, 60)

    rates.learn("eve", request, ChatReply(tokens_in=1030, tokens_out=40))
    assert rates.estimate_most("eve", request) == (1030, 50)
    assert rates.estimate_most("ben", request) == (206, 50)


def test_cached_tokens_and_thoughts_have_prices() -> None:
    """Tokens of the cache and of thoughts cost what the table says, and else as much as the others."""
    assert TABLE.price(1_000_000, 100_000, 400_000, 60_000) == pytest.approx(2.0)
    cheap = replace(TABLE, price_cached=0.25, price_reasoning=5.0)
    assert cheap.price(1_000_000, 100_000, 400_000, 60_000) == pytest.approx(0.6 + 0.1 + 0.4 + 0.3)
    dear = replace(TABLE, price_cached=1.25, price_reasoning=20.0)
    assert cheap.price_most(1_000_000, 100_000) == pytest.approx(2.0)
    assert dear.price_most(1_000_000, 100_000) == pytest.approx(1.25 + 2.0)


def test_a_server_that_counts_nothing_is_paid_by_the_estimate(tmp_path: Path) -> None:
    """A server without usage is paid by the estimate, which a budget bounds."""
    with serve_models(fake=FakeModels(token_factor=0)) as served:
        book, used_up = ask_at_once(tmp_path, make_table(served.url), Budget(tokens=2_000), 40)

    assert "is used up" in used_up and 1_500 < sum_tokens(book.rows) <= 2_000
