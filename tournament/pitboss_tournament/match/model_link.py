"""A bot and its language model: what it asks on its socket while it is asked for a decision, and what it is told.

The bot writes a line, `{"messages": [{"role": "user", "content": "…"}]}`, perhaps with `max_output` and `temperature`,
and reads one: `outcome`, `text`, and `choose` or `action` or `reason`. Its clock stands still meanwhile.

With `"kind": "recall"` the bot is told what its model has noted after earlier games, and how the last of these ended;
with `"kind": "notes"` it asks the model for new notes, of as many bytes as `memory` in its bot.toml says.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Final, Literal, TypeAlias

import msgspec
import trio
from msgspec import Struct

from pitboss.action_range import locate_ranges, lowest_action
from pitboss.foreign_input import InputRefused, read_json
from pitboss.protocol.messages import Decide
from pitboss_tournament.match.fault_policy import BotFaulted
from pitboss_tournament.models.calls import AskKind, CallPlace, ModelAnswer, ModelCall, OwnChoice
from pitboss_tournament.models.chat import ChatMessage, ChatRequest
from pitboss_tournament.models.choice import AskOutcome, Verdict
from pitboss_tournament.plan.models import BotModel
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.bot_process import BotProcess
from pitboss_tournament.processes.start_errors import MachineError
from pitboss_tournament.processes.supervisor import AskModel, NoteOwnChoice

MAX_MODEL_LINE: Final = 4 << 20  # bytes
MAX_ASKS: Final = 64  # at a decision: the clock stands still meanwhile
MAX_MEMORY_ASKS: Final = 4  # in a game, of the memory
READ_BYTES_AT_ONCE: Final = 65_536
FIRST_CHOICE: Final = '{"choose": 0}'  # of the stand-in where there is no model

ReplyOutcome: TypeAlias = AskOutcome | Literal["budget", "error"]


class AskLine(Struct, frozen=True, kw_only=True):
    """What a bot asks its model."""

    messages: list[ChatMessage]
    kind: AskKind = "choice"
    max_output: int | None = None
    temperature: float | None = None


class ReplyLine(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a bot is told. Only what is chosen has `choose`, an index into the legal list, or `action`, of a range."""

    outcome: ReplyOutcome
    text: str = ""  # of the model
    reason: str = ""  # why nothing is chosen
    choose: int | None = None
    action: Any = None


class ModelLink:
    """The link of one bot to its model, over many of its processes."""

    def __init__(
        self, entrant: Entrant, ask_model: AskModel | None, note_own_choice: NoteOwnChoice | None = None
    ) -> None:
        assert entrant.model is not None
        self.game_id = 0
        self._failure: MachineError | None = None  # the model could not be reached
        self._fault = ""  # why its call has failed at this decision, by the bot's fault
        self._bot = entrant.name
        self._model: BotModel = entrant.model
        self._ask_model = ask_model or _refuse_model
        self._note_own_choice = note_own_choice
        self._question: Decide | None = None
        self._seat = 0
        self._legal: Sequence[Any] = ()
        self._asks = 0
        self._last: Verdict | None = None  # of the last answer at this decision
        self._calls = 0
        self._memory_asks = 0  # in this game

    def begin_game(self, game_id: int) -> None:
        """Begin a game, or the same game again."""
        self.game_id, self._memory_asks = game_id, 0

    def begin(self, question: Decide) -> None:
        """Begin a decision: from now on the bot may ask."""
        self._question, self._legal = question, msgspec.to_builtins(question.legal)
        self._asks, self._last, self._seat, self._fault = 0, None, question.seat, ""

    def end(self) -> None:
        """End the decision."""
        self._question = None

    async def compare(self, question: int, action: object, legal: Sequence[Any]) -> None:
        """Have it noted if an action that the bot has played is not what its model has chosen of several."""
        is_forced = len(legal) == 1 and not locate_ranges(legal)
        if self._note_own_choice is None or is_forced or self._has_chosen(action, legal):
            return
        place = CallPlace(self.game_id, self._seat, question, 0)
        await self._note_own_choice(OwnChoice(bot=self._bot, place=place, action=msgspec.to_builtins(action)))

    def _has_chosen(self, action: object, legal: Sequence[Any]) -> bool:
        last = self._last
        if last is None or last.outcome != "chosen":
            return False
        if last.choose is not None:
            return bool(action == lowest_action(legal[last.choose]))
        return bool(msgspec.to_builtins(action) == last.action)

    def check_reached(self) -> None:
        """Check that the model was reached at this decision.

        Raises:
            MachineError: it was not.
        """
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    def check_answered(self) -> None:
        """Check that the bot's calls at this decision, which it has answered, had answers.

        Raises:
            BotFaulted: one has failed by the bot's fault, whatever it has played after that.
        """
        if self._fault:
            raise BotFaulted("illegal", f"what it asked has failed, and is its fault: {self._fault}")

    def explain(self) -> str:
        """Return why the model has chosen nothing at this decision; "" if it has, or was not asked."""
        if self._last is None or self._last.outcome == "chosen":
            return ""
        asks = f"{self._asks} answer{'s' * (self._asks > 1)}"
        return f"its model chose nothing in {asks}; the last was {self._last.outcome}: {self._last.reason}"

    async def serve(self, process: BotProcess) -> None:
        """Answer what a process of the bot asks, until it or its socket is closed."""
        await _serve_lines(process, partial(self._answer, process))

    async def _answer(self, process: BotProcess, line: bytes) -> ReplyLine | None:
        """Return what the bot is told; None if the game is void, and the bot's process is killed."""
        question = self._question
        if question is None:
            return ReplyLine(outcome="error", reason="a model may be asked while a decision is, and none is")
        try:
            asked = read_json(line, AskLine)
        except InputRefused as error:
            return ReplyLine(outcome="error", reason=f"the line is no question to a model: {error}")
        if self._fault:
            return ReplyLine(outcome="error", reason="a call has failed at this decision, by the bot's fault: no more")
        place = self._take_place(asked.kind, question)
        if isinstance(place, ReplyLine):
            return place
        process.timer.pause()
        try:
            answer = await self._ask_model(self._make_call(asked, question, place))
        finally:
            process.timer.resume()
        is_waited_for = self._question is question  # else the bot has answered it meanwhile
        if answer.fault:
            if is_waited_for:
                self._fault = answer.fault
            return ReplyLine(outcome="failed", reason=answer.fault)
        if answer.void and not is_waited_for:
            return ReplyLine(outcome="transport", reason=answer.void)
        if answer.void:
            self._failure = MachineError(answer.void, "no_model")
            process.kill()
            return None
        verdict = answer.verdict or Verdict("refused", answer.spent)
        if is_waited_for and asked.kind == "choice":
            self._last = verdict
        if answer.spent:
            return ReplyLine(outcome="budget", reason=answer.spent)
        return ReplyLine(
            outcome=verdict.outcome,
            text=answer.text,
            reason=verdict.reason,
            choose=verdict.choose,
            action=verdict.action,
        )

    def _take_place(self, kind: AskKind, question: Decide) -> CallPlace | ReplyLine:
        """Return where a call belongs to, or why it may not be made."""
        if kind == "choice":
            if self._asks == MAX_ASKS:
                return ReplyLine(outcome="budget", reason=f"a model may be asked {MAX_ASKS} times at a decision")
            self._asks += 1
            return CallPlace(self.game_id, question.seat, question.id, self._asks)
        if self._model.memory is None:
            return ReplyLine(
                outcome="error", reason="the model has no memory: [model] in bot.toml does not give it one"
            )
        if self._memory_asks == MAX_MEMORY_ASKS:
            return ReplyLine(outcome="budget", reason=f"the memory may be asked {MAX_MEMORY_ASKS} times in a game")
        self._memory_asks += 1
        return CallPlace(self.game_id, question.seat, 0, self._memory_asks)

    def _make_call(self, asked: AskLine, question: Decide, place: CallPlace) -> ModelCall:
        self._calls += 1
        own = self._model
        most = own.max_output if asked.max_output is None else max(1, min(asked.max_output, own.max_output))
        temperature = own.temperature if asked.temperature is None else asked.temperature
        return ModelCall(
            number=self._calls,
            bot=self._bot,
            place=place,
            kind=asked.kind,
            request=ChatRequest(
                messages=asked.messages,
                max_output=most,
                temperature=temperature,
                effort=own.effort,
                extra=own.extra,
            ),
            legal=self._legal,
            ranges=locate_ranges(question.legal),
        )


async def serve_stand_in(process: BotProcess) -> None:
    """Be a model that chooses the first legal action, whatever a process asks, until its socket is closed."""

    async def answer(line: bytes) -> ReplyLine:
        return ReplyLine(outcome="chosen", text=FIRST_CHOICE, choose=0)

    await _serve_lines(process, answer)


async def choose_first(call: ModelCall) -> ModelAnswer:
    """Be a model that chooses the first legal action."""
    return ModelAnswer(number=call.number, verdict=Verdict("chosen", choose=0), text=FIRST_CHOICE)


async def _refuse_model(call: ModelCall) -> ModelAnswer:
    return ModelAnswer(number=call.number, void=f"{call.bot} asks a language model, and there is none here")


async def _serve_lines(process: BotProcess, answer: Callable[[bytes], Awaitable[ReplyLine | None]]) -> None:
    """Answer the lines on the socket of a process, until it is closed or a line has no answer."""
    socket, pending = process.model_socket, bytearray()
    assert socket is not None
    try:
        while len(pending) <= MAX_MODEL_LINE and (part := await socket.recv(READ_BYTES_AT_ONCE)):
            pending += part
            while (end := pending.find(b"\n")) >= 0:
                line = bytes(pending[:end])
                del pending[: end + 1]
                reply = await answer(line)
                if reply is None:
                    return
                await _send_all(socket, msgspec.json.encode(reply) + b"\n")
        socket.close()
    except (trio.ClosedResourceError, OSError):
        return  # the bot has ended


async def _send_all(socket: trio.socket.SocketType, line: bytes) -> None:
    while line:
        line = line[await socket.send(line) :]
