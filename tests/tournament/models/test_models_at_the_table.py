"""Bots that ask language models, in tournaments with real processes and a server on loopback."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.audit.store_audit import find_problems
from pitboss_tournament.exchange.pooling import merge_stores
from pitboss_tournament.models.calls import CallPlace, CallRow
from pitboss_tournament.models.fake_server import FakeAnswer, FakeModels
from pitboss_tournament.plan.models import Budget
from pitboss_tournament.plan.plan import FaultRules
from pitboss_tournament.processes.start_errors import MachineError
from pitboss_tournament.store.store import Store
from tests.marks import first_rows
from tests.tournament.model_tournaments import make_model_bot, make_model_plan, play_models, serve_models
from tests.tournament.sandbox_programs import needs_bubblewrap, needs_landlock

pytestmark = pytest.mark.once

KEY_ENV: Final = "PITBOSS_TEST_MODEL_KEY"
KEY: Final = "sk-do-not-keep-me-0123456789"


def list_outcomes(calls: Iterable[CallRow]) -> list[tuple[str, int, int, str]]:
    """Return of each call the bot, the decision, the ask, and what it came to."""
    return sorted((call.bot, call.place.decision, call.place.ask, call.verdict.outcome) for call in calls)


@pytest.mark.long
def test_each_bad_answer_is_counted_as_what_it_is(tmp_path: Path) -> None:
    """Each bad answer is counted as what it is, and nothing is played in its place: the model is asked again, then the
    fault policy has its way.
    """
    models = ["illegal", "garbage", "truncated", "empty"]
    for model in models:
        make_model_bot(tmp_path, model, retries=1)
    with serve_models() as served:
        played = play_models(make_model_plan(tmp_path, served, *models, seats=4), most_games=1)

    outcomes = ["illegal", "unparsable", "truncated", "empty"]
    expected = [
        (f"m-{model}", 1, ask, outcome) for model, outcome in zip(models, outcomes, strict=True) for ask in (1, 2)
    ]
    assert list_outcomes(played.calls) == sorted(expected)
    for outcome in outcomes:
        assert [fault for fault in played.faults if f"nothing in 2 answers; the last was {outcome}: " in fault]


@pytest.mark.long
def test_a_refusal_is_not_asked_again(tmp_path: Path) -> None:
    """The neutral action is played in its place where the fault policy says so, and counted."""
    rules = FaultRules(policy="substitute", substitutions=1)
    with serve_models() as served:
        played = play_models(make_model_plan(tmp_path, served, "refused", faults=rules), most_games=1)

    assert list_outcomes(played.calls) == [("m-refused", 1, 1, "refused"), ("m-refused", 2, 1, "refused")]
    assert played.faults == ["its model chose nothing in 1 answer; the last was refused: I do not gamble."] * 2


@pytest.mark.long
def test_a_used_up_budget_is_carried_on_without_a_second_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The games are those of a tournament that was never broken off, and cost as much; the key is in neither store.
    Played from that record, without a server, they are the same again.
    """
    monkeypatch.setenv(KEY_ENV, KEY)
    with serve_models(key_env=KEY_ENV, key=KEY) as served:
        whole = play_models(make_model_plan(tmp_path, served, "random", store="whole.pitboss", deals=1))
        asked, spent = served.fake.calls, whole.tournament.spent["m-random"].usd
        short = make_model_plan(tmp_path, served, "random", deals=1, budget=Budget(usd=spent * 0.7))
        first = play_models(short)
        second = play_models(make_model_plan(tmp_path, served, "random", deals=1))

    assert first.tournament.end_cause == "budget" and first.tournament.spent["m-random"].usd <= spent * 0.7
    assert "the budget of the tournament" in first.tournament.used_up
    assert len(first.games) < len(whole.games)
    assert second.games == whole.games and list_outcomes(second.calls) == list_outcomes(whole.calls)
    assert served.fake.calls == 2 * asked
    assert second.tournament.spent["m-random"].usd == pytest.approx(spent)
    record = Store(tmp_path / "whole.pitboss")
    again = play_models(make_model_plan(tmp_path, served, "random", store="again.pitboss", deals=1), record)
    assert again.games == whole.games and again.calls == whole.calls
    kept = msgspec.json.encode([whole.calls, second.calls, again.calls])
    for file in (*tmp_path.glob("*.pitboss*"), *tmp_path.glob("m-random/*")):
        assert KEY.encode() not in file.read_bytes() + kept


@pytest.mark.long
def test_a_merged_store_has_the_calls_of_all(tmp_path: Path) -> None:
    """The spending of a merged store is that of both, games that were broken off included; each tournament can be
    played again from it.
    """
    with serve_models() as served:
        played = [
            play_models(make_model_plan(tmp_path, served, "random", store=f"{seed}.pitboss", deals=1, seed=seed))
            for seed in ("s", "t")
        ]
    stores = [tmp_path / "s.pitboss", tmp_path / "t.pitboss"]
    broken_off = replace(played[1].calls[0], place=CallPlace(77, 0, 1, 1))
    with closing(Store(stores[1])) as second:
        second.calls.add([broken_off])
    merge_stores(stores, tmp_path / "merged.pitboss")

    merged = Store(tmp_path / "merged.pitboss")
    assert [row.place.game_id for row in merged.calls.read_game(2)] == [2] * len(merged.calls.read_game(2)) != []
    spent, parts = (
        merged.calls.sum_spending()["m-random"],
        [Store(path).calls.sum_spending()["m-random"] for path in stores],
    )
    assert spent.calls == sum(one.calls for one in parts)
    assert spent.usd == pytest.approx(sum(one.usd for one in parts))
    assert merged.calls.read_game(4) == [replace(broken_off, place=broken_off.place._replace(game_id=4))]
    assert list(find_problems(merged)) == []
    for seed, first in zip(("s", "t"), played, strict=True):
        plan = make_model_plan(tmp_path, served, "random", store=f"again-{seed}.pitboss", deals=1, seed=seed)
        again = play_models(plan, merged)
        assert again.games == first.games and again.calls == first.calls


@pytest.mark.long
def test_other_games_than_those_of_the_record_are_not_replayed(tmp_path: Path) -> None:
    """A replay of other games than those of the record ends with a sentence that says where the first differs."""
    with serve_models() as served:
        play_models(make_model_plan(tmp_path, served, "random", deals=1), most_games=1)
    other = make_model_plan(tmp_path, served, "random", store="other.pitboss", deals=1, seed="another")

    with pytest.RaisesGroup(
        pytest.RaisesExc(ConfigError, match=r"asks its model in game \d, seat \d, decision 1"), flatten_subgroups=True
    ):
        play_models(other, Store(tmp_path / "t.pitboss"))


@pytest.mark.long
def test_a_server_that_fails_makes_games_void(tmp_path: Path) -> None:
    """A server that fails makes games void, and no bot is at fault. When that does not help, the run ends with the
    server's words; each try is kept.
    """
    with serve_models() as served:
        plan = make_model_plan(tmp_path, served, "hang", games_at_once=1, workers=1)
        models = {"hang": msgspec.structs.replace(plan.models["hang"], timeout_s=0.05, tries=1)}
        with pytest.RaisesGroup(
            pytest.RaisesExc(MachineError, match="there is no answer after 0.05 s"), flatten_subgroups=True
        ):
            play_models(msgspec.structs.replace(plan, models=models))
    store = Store(tmp_path / "t.pitboss")

    assert store.void_causes() == {"no_model": 3} and store.count_games() == 0
    assert store.calls.count_outcomes()["m-hang"]["transport"] == 3


WILFUL_BOT: Final = """
from pitboss.bot import run
from pitboss_house_bots.model_socket import ModelSocket
model = ModelSocket()
def choose(question):
    model.ask([{"role": "user", "content": "which?"}])
    return len(question.legal) - 1
run(choose)
"""


@pytest.mark.long
def test_what_a_bot_plays_against_its_model_is_counted(tmp_path: Path) -> None:
    """A bot's own choices against its model are counted beside what the model chose, where the bot had a choice."""
    entrant = make_model_bot(tmp_path, "scripted")
    (tmp_path / "m-scripted" / "bot.py").write_text(WILFUL_BOT, encoding="utf-8")
    wilful = msgspec.structs.replace(entrant, command=(sys.executable, "bot.py"))
    with serve_models('{"choose": 0}') as served:
        plan = make_model_plan(tmp_path, served, "scripted")
        entrants = (wilful, *plan.entrants[1:])
        played = play_models(msgspec.structs.replace(plan, entrants=entrants), most_games=1)

    asked = [call for call in played.calls if call.verdict.outcome == "chosen"]
    own = [call for call in played.calls if call.verdict.outcome == "own"]
    assert {call.verdict.choose for call in asked} == {0} and 0 < len(own) <= len(asked)
    assert {call.place.ask for call in own} == {0}
    assert played.tournament.spent["m-scripted"].calls == len(asked)


class PairedModels(FakeModels):
    """Models that do not answer before two requests are open."""

    def __init__(self) -> None:
        super().__init__()
        self.has_pair = threading.Event()
        self._open = 0

    def answer(self, body: dict[str, Any]) -> FakeAnswer:
        """Answer, at first together with another request."""
        self._open += 1
        if self._open == 2:
            self.has_pair.set()
        self.has_pair.wait(60)
        return super().answer(body)


@pytest.mark.long
def test_a_bot_that_waits_for_its_model_holds_no_processor(tmp_path: Path) -> None:
    """One worker with one processor has two games in play, and both ask."""
    paired = PairedModels()
    with serve_models(fake=paired) as served:
        played = play_models(make_model_plan(tmp_path, served, "random", workers=1, games_at_once=2, deals=1))

    assert paired.has_pair.is_set() and played.faults == [] and len(played.games) == 2


@first_rows(1)(
    "level", [pytest.param("bubblewrap", marks=needs_bubblewrap), pytest.param("landlock", marks=needs_landlock)]
)
def test_a_sandboxed_bot_reaches_its_model_and_nothing_else(tmp_path: Path, level: str) -> None:
    """A sandboxed bot reaches its model by a socket that it inherits. A server that is busy is asked again, and no bot
    loses by it.
    """
    with serve_models() as served:
        plan = make_model_plan(tmp_path, served, "429", sandbox=level)
        played = play_models(plan, most_games=1)

    assert played.faults == []
    assert {(call.verdict.outcome, call.tries) for call in played.calls} == {("chosen", 2)}
