"""The broker: answers the calls of all bots of a run, from the record or by asking a model, within the budgets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final, Literal, Protocol

import trio
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.models.calls import CallPlace, CallRow, ModelAnswer, ModelCall, OwnChoice, Spending
from pitboss_tournament.models.chat import ChatReply, ChatRequest, digest_request, estimate_tokens
from pitboss_tournament.models.choice import NOT_REUSED, Verdict, judge_answer, make_choice_schema
from pitboss_tournament.models.model_server import Attempt, ModelServer, ModelUnreachable, ServerAnswer
from pitboss_tournament.models.purse import CallCost, Purse
from pitboss_tournament.plan.plan import Entrant, Plan

OWN_DIGEST: Final = ""  # where there was no request
MAX_GAME_VOIDS: Final = 2  # of one game, by failures that began in it: one less than end a run
MAX_BOT_VOIDS: Final = 8  # of all games of a run, by failures that began with a call of one bot


class CallRecord(Protocol):
    """Calls that were made before."""

    def find_call(self, place: CallPlace, digest: str) -> CallRow | None:
        """Return the call that was made there with a request of this digest; None if there is none."""


class BrokenOffRecord(CallRecord, Protocol):
    """Calls of games that were broken off."""

    def find_interrupted(self, place: CallPlace, digest: str) -> Sequence[CallRow]:
        """Return the calls with such a request that were open there when a run ended."""


class ModelBroker:
    """The models of a run."""

    def __init__(
        self,
        plan: Plan,
        record: BrokenOffRecord,
        keep: Callable[[CallRow], None],
        spent: Mapping[str, Spending],
        *,
        replays: CallRecord | None = None,
        answered: Iterable[CallRow] = (),
    ) -> None:
        """`spent`: by bot, in earlier runs; `answered`: calls whose answers may be used again.

        With `replays` no model is asked, and all calls must be there.
        """
        self.spent = {name: spent.get(name, Spending()) for name in {*spent, *(one.name for one in _list_asking(plan))}}
        self.show_note: Callable[[str], None] = lambda text: None  # called when a server begins to fail
        self.used_up = trio.Event()  # set when a budget is
        self.used_up_text = ""
        self._bots = {bot.name: bot for bot in _list_asking(plan)}
        self._servers = (
            {}
            if replays
            else {name: ModelServer(name, plan.models[name], self._pass_note) for name in _list_used(plan)}
        )
        self._models = plan.models
        self._budget = plan.budget
        self._record, self._replays, self._keep = record, replays, keep
        self._answered = {row.digest: row for row in answered}  # of models whose answers are used again
        self._settled = trio.Event()  # a call has ended
        self._bounds = VoidBounds()
        self._whole = Purse("the tournament", plan.budget.usd, plan.budget.tokens)
        self._purses = {bot.name: self._make_purse(bot) for bot in self._bots.values()}
        self._game_purses: dict[tuple[str, int], tuple[CallPlace, Purse]] = {}
        for name, spending in spent.items():
            cost = CallCost(spending.usd, spending.tokens)
            for purse in filter(None, (self._whole, self._purses.get(name))):
                purse.spend(cost)

    async def close(self) -> None:
        """Close the connections."""
        for server in self._servers.values():
            await server.close()

    def _pass_note(self, text: str) -> None:
        self.show_note(text)

    async def answer(self, call: ModelCall) -> ModelAnswer:
        """Answer a call; where a budget of the tournament or a bot is used up, say so by `used_up`, and never return.

        Raises:
            ConfigError: it is to be answered from a record that does not have it.
        """
        model = self._find_model(call.bot)
        digest = digest_request(self._models[model].model, call.request)
        game_purse = self._find_game_purse(call)
        if (row := self._record.find_call(call.place, digest)) is not None:
            game_purse.spend(CallCost(row.usd, row.reply.tokens_in + row.reply.tokens_out))
            return _answer_as(call, row)
        if self._replays is not None:
            row = self._replays.find_call(call.place, digest)
            if row is None:
                raise ConfigError(_describe_missing(call))
            self._keep_call(row)
            return _answer_as(call, row)
        if (row := self._answered.get(digest)) is not None:
            again = _answer_again(row, call)
            self._keep_call(again)
            return _answer_as(call, again)
        return await self._ask(call, model, digest, game_purse)

    def note_own_choice(self, own: OwnChoice) -> None:
        """Keep that a bot has taken a decision by itself, once if the game was broken off after it."""
        if self._record.find_call(own.place, OWN_DIGEST) is not None:
            return
        row = CallRow(
            place=own.place,
            digest=OWN_DIGEST,
            bot=own.bot,
            model=self._find_model(own.bot),
            at=_now(),
            tries=0,
            ms=0,
            usd=0.0,
            request=ChatRequest(messages=[], max_output=0),
            reply=ChatReply(),
            verdict=Verdict("own", "its model had not chosen that", action=own.action),
        )
        self._keep(row)

    async def _ask(self, call: ModelCall, model: str, digest: str, game_purse: Purse) -> ModelAnswer:
        server = self._servers[model]
        for row in self._record.find_interrupted(call.place, digest):
            game_purse.spend(CallCost(row.usd, row.reply.tokens_in + row.reply.tokens_out))
        most, probe = server.price_most(call.request), server.price_most(server.probe)
        if not game_purse.can_pay(CallCost(most.usd + probe.usd, most.tokens + probe.tokens)):
            return ModelAnswer(number=call.number, spent=str(game_purse))
        asking = _Asking(call, server, digest, (self._whole, self._purses[call.bot], game_purse))
        try:
            row = await self._make_call(asking)
        except trio.Cancelled:
            if asking.attempt.is_open:
                self._keep_call(_make_interrupted(asking))
            raise
        self._keep_call(row)
        return _answer_as(call, row)

    async def _make_call(self, asking: _Asking) -> CallRow:
        """Ask a server; where that fails, find out whose fault it is.

        A call that fails although the server answers a probe, and that fails once more after that, is the bot's fault.
        One that fails as the probe does is the machine's, but not each time: else a bot that brings the server down
        would have all games void that it is losing.
        """
        call, server = asking.call, asking.server
        schema = make_choice_schema(call.legal, call.ranges)
        try:
            return _judge(asking, await self._pay(asking, call.request, schema))
        except ModelUnreachable as error:
            failure = str(error)
        try:
            probe = await self._pay(asking, server.probe, None, tries=1)
        except ModelUnreachable as error:
            outage = f"so does the organiser's probe: {error}"
            if server.note_outage() and not self._bounds.take_void(call.bot, call.place.game_id):
                return _make_failed(asking, f"{failure}; {outage}; but each time that was after a call of this bot")
            await self._wait_for_server(asking)
            return _make_failed(asking, f"{failure}; {outage}", "transport")
        asking.probed = probe.reply
        try:
            return _judge(asking, await self._pay(asking, call.request, schema, tries=1))
        except ModelUnreachable as error:
            return _make_failed(asking, f"{error}; yet the server answers the organiser's probe")

    async def _wait_for_server(self, asking: _Asking) -> None:
        """Wait until a server answers the probe again, as long as one call takes at most.

        So a server that a bot keeps busy for a while is no reason to end the run.
        """
        with suppress(ModelUnreachable):
            asking.probed = (await self._pay(asking, asking.server.probe, None)).reply

    async def _pay(
        self, asking: _Asking, request: ChatRequest, schema: dict[str, Any] | None, tries: int | None = None
    ) -> ServerAnswer:
        """Ask a server, with what that may cost at most set aside.

        Raises:
            ModelUnreachable: there is no answer.
        """
        server, most, cost = asking.server, asking.server.price_most(request), CallCost(0.0, 0)
        await self._set_aside(most, asking.purses)
        try:
            answer = await server.ask(asking.call.bot, request, schema, asking.attempt, tries)
            cost = server.price_reply(answer.reply)
            return answer
        except trio.Cancelled:
            cost = most if asking.attempt.is_open else cost
            raise
        finally:
            for purse in asking.purses:
                purse.settle(most, cost)
            self._settled.set()
            self._settled = trio.Event()

    async def _set_aside(self, most: CallCost, purses: tuple[Purse, ...]) -> None:
        """Wait until all purses can pay a call, and set its cost aside; never return if one cannot."""
        while short := [purse for purse in purses if not purse.can_pay(most)]:
            if not short[0].has_open_calls:
                self.used_up_text = self.used_up_text or str(short[0])
                self.used_up.set()
                await trio.sleep_forever()
            await self._settled.wait()
        for purse in purses:
            purse.set_aside(most)

    def _keep_call(self, row: CallRow) -> None:
        self.spent[row.bot].add(row)
        if self._models[row.model].reuse and row.verdict.outcome not in NOT_REUSED:
            self._answered.setdefault(row.digest, row)
        self._keep(row)

    def _find_model(self, bot: str) -> str:
        model = self._bots[bot].model
        assert model is not None
        return model.name

    def _make_purse(self, bot: Entrant) -> Purse:
        assert bot.model is not None
        own, all_bots = bot.model, self._budget
        usd = min(filter(None, (own.budget_usd, all_bots.bot_usd)), default=None)
        tokens = min(filter(None, (own.budget_tokens, all_bots.bot_tokens)), default=None)
        return Purse(bot.name, usd, tokens)

    def _find_game_purse(self, call: ModelCall) -> Purse:
        """Return the budget of a bot in a game, a new budget if the game has restarted."""
        key, place = (call.bot, call.place.game_id), call.place
        last, purse = self._game_purses.get(key, (place, None))
        if purse is None or place <= last:
            whose = f"{call.bot} in game {place.game_id}"
            purse = Purse(whose, self._budget.game_usd, self._budget.game_tokens)
        self._game_purses[key] = place, purse
        return purse


class _Asking:
    """A call that is being made: its bot, its server, its payer, and what is known so far."""

    def __init__(self, call: ModelCall, server: ModelServer, digest: str, purses: tuple[Purse, ...]) -> None:
        self.call, self.server, self.digest, self.purses = call, server, digest, purses
        self.attempt = Attempt()
        self.probed = ChatReply()  # the answer to the probe, if there was one

    def make_row(self, reply: ChatReply, ms: int, verdict: Verdict) -> CallRow:
        """Return the call as it is kept: its tokens are also those of the probe."""
        call, probed = self.call, self.probed
        counted = replace(
            reply, tokens_in=reply.tokens_in + probed.tokens_in, tokens_out=reply.tokens_out + probed.tokens_out
        )
        return CallRow(
            place=call.place,
            digest=self.digest,
            bot=call.bot,
            model=self.server.name,
            at=_now(),
            tries=self.attempt.number,
            ms=ms,
            usd=self.server.price_reply(counted).usd,
            request=call.request,
            reply=counted,
            verdict=verdict,
        )


class VoidBounds:
    """How many games may still be void by failures of servers that began with a bot's call.

    Who brings a server down each time cannot have more games void than these.
    """

    def __init__(self) -> None:
        self._of_games, self._of_bots = Counter[int](), Counter[str]()

    def take_void(self, bot: str, game_id: int) -> bool:
        """Count a void; return whether it was allowed."""
        self._of_games[game_id] += 1
        self._of_bots[bot] += 1
        return self._of_games[game_id] <= MAX_GAME_VOIDS and self._of_bots[bot] <= MAX_BOT_VOIDS


def _judge(asking: _Asking, answer: ServerAnswer) -> CallRow:
    return asking.make_row(answer.reply, answer.ms, judge_reply(answer.reply, asking.call))


def _make_failed(asking: _Asking, why: str, outcome: Literal["failed", "transport"] = "failed") -> CallRow:
    text = f"model {asking.server.name!r}: {why} ({asking.attempt.number} requests)"
    return asking.make_row(ChatReply(), 0, Verdict(outcome, text))


def _make_interrupted(asking: _Asking) -> CallRow:
    """Return a call that was open when the run ended, with the most that the server may charge for it."""
    request = asking.call.request
    reply = ChatReply(tokens_in=estimate_tokens(request), tokens_out=request.max_output)
    verdict = Verdict("interrupted", "the run ended while it was open; what it cost is what it may have cost at most")
    return asking.make_row(reply, asking.attempt.elapsed_ms, verdict)


def judge_reply(reply: ChatReply, call: ModelCall) -> Verdict:
    """Return what an answer comes to: one that is refused, cut off or empty chooses nothing."""
    if reply.refusal:
        return Verdict("refused", reply.refusal)
    if reply.finish == "length":
        return Verdict("truncated", f"the answer was cut off after {reply.tokens_out:,} tokens; be brief")
    if not reply.text.strip():
        return Verdict("empty", "the answer was empty")
    return judge_answer(reply.text, call.legal, call.ranges)


def _answer_again(row: CallRow, call: ModelCall) -> CallRow:
    """Return a call that gets the answer of an equal one, and costs nothing."""
    reply = replace(row.reply, tokens_in=0, tokens_out=0)
    verdict = judge_reply(reply, call)
    return replace(row, place=call.place, bot=call.bot, at=_now(), tries=0, ms=0, usd=0.0, reply=reply, verdict=verdict)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _answer_as(call: ModelCall, row: CallRow) -> ModelAnswer:
    if row.verdict.outcome == "transport":
        return ModelAnswer(number=call.number, void=f"{call.bot} gets no answer of its {row.verdict.reason}")
    if row.verdict.outcome == "failed":
        return ModelAnswer(number=call.number, fault=row.verdict.reason)
    return ModelAnswer(number=call.number, verdict=row.verdict, text=row.reply.text)


def _describe_missing(call: ModelCall) -> str:
    game, seat, decision, ask = call.place
    return (
        f"--replay-models: {call.bot} asks its model in game {game}, seat {seat}, decision {decision} ({ask}) what it "
        "was not asked there in the record; the bots, the seed and the settings must be those of the record"
    )


def _list_asking(plan: Plan) -> list[Entrant]:
    return [bot for bot in plan.entrants if bot.model is not None]


def _list_used(plan: Plan) -> list[str]:
    return sorted({bot.model.name for bot in plan.entrants if bot.model is not None})
