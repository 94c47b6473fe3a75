"""The broker: answers the calls of all bots of a run, from the record or by asking a model, within the budgets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from typing import Final, Literal, Protocol

import trio
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.models.asking import Asking, read_clock
from pitboss_tournament.models.calls import CallBook, CallPlace, CallRow, ModelAnswer, ModelCall, OwnChoice, Spending
from pitboss_tournament.models.chat import ChatReply, ChatRequest, digest_request
from pitboss_tournament.models.choice import NOT_REUSED, UNCALLED, Verdict, judge_answer, make_choice_schema
from pitboss_tournament.models.completion import OVERFLOW
from pitboss_tournament.models.funds import Funds, PurseEmpty
from pitboss_tournament.models.memory import (
    RECALL_DIGEST,
    ModelMemory,
    RecalledMemory,
    RememberedEnd,
    cut_notes,
    encode_memory,
    judge_notes,
)
from pitboss_tournament.models.model_server import ModelServer, ModelUnreachable, ServerAnswer
from pitboss_tournament.models.purse import CallCost, Purse
from pitboss_tournament.plan.models import BotModel
from pitboss_tournament.plan.plan import Entrant, Plan

OWN_DIGEST: Final = ""  # where there was no request
MAX_GAME_VOIDS: Final = 2  # of one game, by failures that began in it: one less than end a run
MAX_BOT_VOIDS: Final = 8  # of all games of a run, by failures that began with a call of one bot


class CallRecord(Protocol):
    """Calls that were made before."""

    def find_call(self, place: CallPlace, digest: str) -> CallRow | None:
        """Return the call that was made there with a request of this digest; None if there is none."""


class ReplayRecord(CallRecord, Protocol):
    """Calls of games that are played again."""

    def lacks_game(self, game_id: int) -> bool:
        """Tell whether the record has no such game: it was not finished."""


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
        book: CallBook,
        spent: Mapping[str, Spending],
        *,
        replays: ReplayRecord | None = None,
        answered: Iterable[CallRow] = (),
        earlier: Iterable[CallRow] = (),
        find_notes: Callable[[str], str] = lambda bot: "",
    ) -> None:
        """Begin with what was `spent`, by bot, in earlier runs.

        `answered`: calls whose answers may be used again; `earlier`: calls from which to learn how servers count
        tokens. `find_notes`: the answer with the latest notes of a bot's model. With `replays` no model is asked, and
        all calls must be there.
        """
        self.spent = {name: spent.get(name, Spending()) for name in {*spent, *(one.name for one in _list_asking(plan))}}
        self.show_note: Callable[[str], None] = lambda text: None  # called when a server begins to fail
        self._bots: dict[str, Entrant] = {}
        self._servers: dict[str, ModelServer] = {}
        self._models = plan.models
        self._record, self._replays, self._book = record, replays, book
        self._answered = {row.digest: row for row in answered}  # of models whose answers are used again
        self._numbers = count(1)  # of calls that are made
        self._bounds = VoidBounds()
        self._memories: dict[str, ModelMemory] = {}  # by bot
        self._recalled: dict[CallPlace, CallRow] = {}  # a game that is played again begins with the same notes
        self._find_notes = find_notes
        self.funds = Funds(plan.budget, spent)
        self.change_bots(plan)
        for row in earlier:
            if (server := self._servers.get(row.model)) is not None and row.tries == 1:  # the tokens are of one try
                server.rates.learn(row.bot, row.request, row.reply)

    def change_bots(self, plan: Plan) -> None:
        """Let the bots of a plan ask too; those that left may have calls in games in progress."""
        self._bots |= {bot.name: bot for bot in _list_asking(plan)}
        self.funds.add_bots(plan.entrants)
        for bot in self._bots:
            self.spent.setdefault(bot, Spending())
            size = self._find_settings(bot).memory
            if size is not None and bot not in self._memories:
                self._memories[bot] = ModelMemory(size, self._find_notes(bot))
        for name in () if self._replays else _list_used(plan):
            if name not in self._servers:
                self._servers[name] = ModelServer(name, plan.models[name], self._pass_note)

    def list_spent_owners(self) -> list[str]:
        """Return the owners whose budgets pay for no more calls."""
        costs = [server.price_most("", server.probe) for server in self._servers.values()]
        least = CallCost(min((one.usd for one in costs), default=0.0), min((one.tokens for one in costs), default=1))
        return self.funds.list_spent_owners(least)

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
        if call.kind == "recall":
            return self._recall(call)
        if call.kind == "choice" and (memory := self._memories.get(call.bot)) is not None:
            memory.note_question(call.place.game_id, call.request)
        row = await self._find_answer(call)
        if row.verdict.outcome != "noted":
            return _answer_as(call, row)
        memory = self._memories[call.bot]
        memory.keep_notes(row.reply)
        size = self._find_settings(call.bot).memory or 0
        return ModelAnswer(number=call.number, verdict=row.verdict, text=cut_notes(row.reply.text, size))

    def end_game(self, game_id: int, ends: Mapping[str, RememberedEnd]) -> None:
        """Let the models of bots remember how a game ended; `ends` by bot."""
        for bot, end in ends.items():
            if (memory := self._memories.get(bot)) is not None:
                memory.end_game(game_id, end)

    def _recall(self, call: ModelCall) -> ModelAnswer:
        """Answer with the notes of a bot's model; in a replay with the notes that the record has for the game."""
        row = self._recalled.get(call.place) or self._record.find_call(call.place, RECALL_DIGEST)
        if row is None:
            row = self._recalled[call.place] = self._make_recalled(call)
            self._book.add_call(row)
        return ModelAnswer(number=call.number, verdict=row.verdict, text=row.reply.text)

    def _make_recalled(self, call: ModelCall) -> CallRow:
        if self._replays is None:
            told = self._memories[call.bot].recall()
        elif (row := self._replays.find_call(call.place, RECALL_DIGEST)) is not None:
            return row
        else:
            told = RecalledMemory()
        request, verdict = ChatRequest(messages=[], max_output=0), Verdict("recalled")
        row = _make_uncalled(call.bot, self._find_model(call.bot), call.place, RECALL_DIGEST, request, verdict)
        return replace(row, reply=ChatReply(text=encode_memory(told)))

    async def _find_answer(self, call: ModelCall) -> CallRow:
        """Return a call as it is kept, from the record or by asking the model."""
        model = self._find_model(call.bot)
        digest = digest_request(self._models[model].model, call.request)
        game_purse = self.funds.take_game_purse(call)
        if (row := self._record.find_call(call.place, digest)) is not None:
            game_purse.spend(CallCost(row.usd, row.reply.tokens_in + row.reply.tokens_out))
            return row
        if self._replays is not None:
            row = self._replays.find_call(call.place, digest)
            if row is None:
                raise ConfigError(_describe_missing(call))
            self._keep_call(row)
            return row
        if (row := self._answered.get(digest)) is not None and call.kind == "choice":
            again = _answer_again(row, call)
            self._keep_call(again)
            return again
        return await self._ask(call, model, digest, game_purse)

    def note_own_choice(self, own: OwnChoice) -> None:
        """Keep that a bot has taken a decision by itself, once if the game was broken off after it."""
        if self._record.find_call(own.place, OWN_DIGEST) is not None:
            return
        verdict = Verdict("own", "its model had not chosen that", action=own.action)
        request = ChatRequest(messages=[], max_output=0)
        self._book.add_call(_make_uncalled(own.bot, self._find_model(own.bot), own.place, OWN_DIGEST, request, verdict))

    async def _ask(self, call: ModelCall, model: str, digest: str, game_purse: Purse) -> CallRow:
        server = self._servers[model]
        for row in self._record.find_interrupted(call.place, digest):
            game_purse.spend(CallCost(row.usd, row.reply.tokens_in + row.reply.tokens_out))
        most, probe = (server.price_most(call.bot, request) for request in (call.request, server.probe))
        if not game_purse.can_pay(CallCost(most.usd + probe.usd, most.tokens + probe.tokens)):
            return self._keep_unpaid(call, model, digest, str(game_purse))
        asking = Asking(next(self._numbers), call, server, digest, self.funds, game_purse, self._book)
        try:
            row = await self._make_call(asking)
        except PurseEmpty as error:
            if (broken_off := asking.break_off()) is not None:
                self._count_call(broken_off)
            return self._keep_unpaid(call, model, digest, str(error))
        except trio.Cancelled:
            if (broken_off := asking.break_off()) is not None:
                self._count_call(broken_off)
            raise
        self._count_call(row)
        self._book.settle_call(asking.number, row)
        await self._book.write_calls()
        return row

    def _keep_unpaid(self, call: ModelCall, model: str, digest: str, why: str) -> CallRow:
        """Keep that a budget pays for no more answers, and return that."""
        row = _make_uncalled(call.bot, model, call.place, digest, call.request, Verdict("budget", why))
        self._book.add_call(row)
        return row

    async def _make_call(self, asking: Asking) -> CallRow:
        """Ask a server; where that fails, find out whose fault it is.

        A call that fails although the server answers a probe, and that fails once more after that, is the bot's fault.
        One that fails as the probe does is the machine's, but not each time: else a bot that brings the server down
        would have all games void that it is losing.
        """
        call, server = asking.call, asking.server
        schema = make_choice_schema(call.legal, call.ranges) if call.kind == "choice" else None
        try:
            return _judge(asking, await asking.ask(call.request, schema))
        except ModelUnreachable as error:
            failure = str(error)
        try:
            await asking.ask(server.probe, None, tries=1)
        except ModelUnreachable as error:
            outage = f"so does the organiser's probe: {error}"
            if server.note_outage() and not self._bounds.take_void(call.bot, call.place.game_id):
                return _make_failed(asking, f"{failure}; {outage}; but each time that was after a call of this bot")
            with suppress(ModelUnreachable):  # so a server that is kept busy for a while is no reason to end the run
                await asking.ask(server.probe, None)
            return _make_failed(asking, f"{failure}; {outage}", "transport")
        try:
            return _judge(asking, await asking.ask(call.request, schema, tries=1))
        except ModelUnreachable as error:
            return _make_failed(asking, f"{error}; yet the server answers the organiser's probe")

    def _count_call(self, row: CallRow) -> None:
        if row.verdict.outcome in UNCALLED:
            return
        self.spent[row.bot].add(row)
        if self._models[row.model].reuse and row.verdict.outcome not in NOT_REUSED:
            self._answered.setdefault(row.digest, row)

    def _keep_call(self, row: CallRow) -> None:
        """Keep a call that no server was asked for."""
        self._count_call(row)
        self._book.add_call(row)

    def _find_settings(self, bot: str) -> BotModel:
        model = self._bots[bot].model
        assert model is not None
        return model

    def _find_model(self, bot: str) -> str:
        return self._find_settings(bot).name


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


def _judge(asking: Asking, answer: ServerAnswer) -> CallRow:
    return asking.make_row(answer.reply, answer.ms, judge_reply(answer.reply, asking.call))


def _make_failed(asking: Asking, why: str, outcome: Literal["failed", "transport"] = "failed") -> CallRow:
    text = f"model {asking.server.name!r}: {why} ({asking.tries} requests)"
    return asking.make_row(ChatReply(), 0, Verdict(outcome, text))


def judge_reply(reply: ChatReply, call: ModelCall) -> Verdict:
    """Return what an answer comes to: one that is refused, cut off or empty chooses nothing."""
    if reply.finish == OVERFLOW:
        return Verdict("too_long", f"the request is longer than its model's context: {reply.refusal}")
    if call.kind == "notes":
        return judge_notes(reply)
    if reply.refusal:
        return Verdict("refused", reply.refusal)
    thinking = ", within its thoughts" if reply.reasoning and not reply.text.strip() else ""
    if reply.finish == "length":
        return Verdict("truncated", f"the answer was cut off after {reply.tokens_out:,} tokens{thinking}; be brief")
    if not reply.text.strip():
        return Verdict("empty", f"the answer was empty{thinking and ': it ended within its thoughts'}")
    return judge_answer(reply.text, call.legal, call.ranges)


def _make_uncalled(
    bot: str, model: str, place: CallPlace, digest: str, request: ChatRequest, verdict: Verdict
) -> CallRow:
    """Return what is kept where no server was asked."""
    return CallRow(
        place=place,
        digest=digest,
        bot=bot,
        model=model,
        at=read_clock(),
        tries=0,
        ms=0,
        usd=0.0,
        request=request,
        reply=ChatReply(),
        verdict=verdict,
    )


def _answer_again(row: CallRow, call: ModelCall) -> CallRow:
    """Return a call that gets the answer of an equal one, and costs nothing."""
    reply = replace(row.reply, tokens_in=0, tokens_out=0, tokens_cached=0, tokens_reasoning=0)
    verdict = judge_reply(reply, call)
    return replace(
        row, place=call.place, bot=call.bot, at=read_clock(), tries=0, ms=0, usd=0.0, reply=reply, verdict=verdict
    )


def _answer_as(call: ModelCall, row: CallRow) -> ModelAnswer:
    if row.verdict.outcome == "transport":
        return ModelAnswer(number=call.number, void=f"{call.bot} gets no answer of its {row.verdict.reason}")
    if row.verdict.outcome == "failed":
        return ModelAnswer(number=call.number, fault=row.verdict.reason)
    if row.verdict.outcome == "budget":
        return ModelAnswer(number=call.number, spent=row.verdict.reason)
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
