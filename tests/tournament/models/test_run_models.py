"""The models of a run, beside the broker itself (`test_model_broker`)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import pytest
import trio
import trio.testing

from pitboss.errors import ConfigError
from pitboss_tournament.models.calls import CallPlace, ModelAnswer, OwnChoice
from pitboss_tournament.plan.models import Budget
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.running.run_models import RunModels
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.store import Store
from tests.tournament.model_tournaments import KeptCalls, serve_models
from tests.tournament.models.test_model_broker import make_broker_plan, make_call, make_table
from tests.tournament.small_tournaments import make_plan, zoo_entrant

NOWHERE: Final = "http://127.0.0.1:1/v1"  # where nobody answers


@contextmanager
def open_models(plan: Plan, kept: KeptCalls) -> Iterator[RunModels]:
    """Give the models of a run whose store has no calls."""
    with closing(Store.for_run(plan.store, make_header(plan, "1", "0"))) as store:
        yield RunModels(plan, store, kept, None)


def test_bots_without_models(tmp_path: Path) -> None:
    """Bots without models cost nothing, and use up no budget, though the file names a model."""
    bots = [zoo_entrant("good", name) for name in "ab"]
    plan = make_plan(tmp_path / "x.pitboss", *bots, models={"main": make_table(NOWHERE)})

    async def wait(models: RunModels) -> bool:
        with trio.move_on_after(60) as waiting:
            await models.wait_until_used_up()
        await models.close()
        return waiting.cancelled_caught

    with open_models(plan, KeptCalls()) as models:
        assert trio.run(wait, models, clock=trio.testing.MockClock(autojump_threshold=0))
        assert (models.spent, models.used_up) == ({}, "")


def test_a_budget_that_is_used_up(tmp_path: Path) -> None:
    """A task that waits for the end of a budget learns which budget is used up; the call that it does not pay for is
    never answered.
    """
    sent, kept = list[ModelAnswer](), KeptCalls()

    async def ask(models: RunModels) -> None:
        async with trio.open_nursery() as nursery:
            await models.answer(make_call("abc"), sent.append)
            nursery.start_soon(models.answer, make_call("abc", decision=2), sent.append)
            await models.wait_until_used_up()
            nursery.cancel_scope.cancel()
        await models.close()

    with serve_models() as served:
        plan = make_broker_plan(tmp_path, make_table(served.url), budget=Budget(bot_tokens=20))
        with open_models(plan, kept) as models:
            trio.run(ask, models)

    assert len(sent) == len(kept.rows) == models.spent["ann"].calls == 1
    assert models.used_up.startswith("the budget of ann (20 tokens) is used up")


def test_an_own_choice_is_kept(tmp_path: Path) -> None:
    """An own choice is kept as a call that was sent to no server."""
    kept = KeptCalls()
    with open_models(make_broker_plan(tmp_path, make_table(NOWHERE)), kept) as models:
        models.note_own_choice(OwnChoice(bot="ann", place=CallPlace(0, 0, 1, 0), action={"do": "fold"}))

    assert [(row.bot, row.verdict.outcome) for row in kept.rows] == [("ann", "own")]


def test_a_library_for_models_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run whose bots ask models says what to install; others need no such library."""
    for name in ("broker", "model_server"):
        monkeypatch.delitem(sys.modules, f"pitboss_tournament.models.{name}", raising=False)
    monkeypatch.setitem(sys.modules, "httpx", None)

    with pytest.raises(ConfigError, match=r"need httpx, which is not installed: pitboss install 'pitboss\[models\]'"):
        open_models(make_broker_plan(tmp_path, make_table(NOWHERE)), KeptCalls()).__enter__()
    with open_models(
        make_plan(tmp_path / "y", zoo_entrant("good", "a"), zoo_entrant("good", "b")), KeptCalls()
    ) as models:
        assert models.spent == {}
