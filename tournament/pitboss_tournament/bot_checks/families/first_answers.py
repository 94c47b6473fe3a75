"""Checks of how a bot answers its first questions."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from pitboss.action_range import is_within
from pitboss.bot import MAX_NOTE_LENGTH
from pitboss.protocol.messages import Act
from pitboss.testing.framework.check import CheckFailed, check
from pitboss.text import join_words
from pitboss_tournament.bot_checks.check_context import CheckContext, observe_once
from pitboss_tournament.bot_checks.diagnosis import Diagnosis, diagnose_silence
from pitboss_tournament.bot_checks.families import greeting
from pitboss_tournament.bot_checks.families.greeting import SILENCE_S, decode_object
from pitboss_tournament.bot_checks.raw_connection import ConnectionEnd, format_bytes
from pitboss_tournament.bot_checks.scripted_table import LIMIT_FACTOR, ScriptedTable, decode_fields
from pitboss_tournament.text.fault_advice import ACT_ADVICE, FAULT_ADVICE, NUMBER_ADVICE, advise_line

FIRST_QUESTIONS = 4


class AnsweredQuestion(Struct, frozen=True):
    """A question and what the bot said to it."""

    question: dict[str, Any]
    answer: bytes  # a line, or the part that came in time
    said_after: bytes  # output after the answer

    def decode_act(self) -> dict[str, Any]:
        """Return the answer as an object; {} if it is no JSON object."""
        try:
            return decode_object(self.answer)
        except CheckFailed:
            return {}


class FirstAnswers(Struct, frozen=True):
    """The first questions with their answers, and the state of the bot at the end."""

    said_after_start: bytes
    is_gone_after_start: bool  # before it was asked
    exchanges: list[AnsweredQuestion]
    end: ConnectionEnd

    def diagnose(self, context: CheckContext) -> Diagnosis | None:
        """Return why a question got no answer, None if all got one."""
        is_answered = bool(self.exchanges[-1].answer)
        return None if is_answered else diagnose_silence(self.end, "decide", context.flush_advice)


@observe_once
async def observe_first_answers(context: CheckContext) -> FirstAnswers:
    """Ask the first questions; return the answers."""
    async with context.open_game() as table:
        unasked = await table.connection.receive_for(SILENCE_S)
        is_gone, exchanges = table.connection.is_output_closed, list[AnsweredQuestion]()
        while len(exchanges) < FIRST_QUESTIONS and (raw := table.next_question()) is not None:
            exchanges.append(await _ask_question(context, table, raw))
            if not exchanges[-1].answer.endswith(b"\n"):
                break
        more = b"" if exchanges[-1].answer else table.sample_lines()
        return FirstAnswers(unasked, is_gone, exchanges, await table.connection.observe_end(more))


async def _ask_question(context: CheckContext, table: ScriptedTable, raw: bytes) -> AnsweredQuestion:
    """Ask one question and return the exchange; play at random for the bot, as checks judge its answer later."""
    if not await table.connection.send(raw):
        return AnsweredQuestion(decode_fields(raw), b"", b"")
    said = await table.connection.receive_line(context.decision_s * LIMIT_FACTOR)
    more = await table.connection.receive_for(SILENCE_S / FIRST_QUESTIONS)
    table.play_at_random()
    return AnsweredQuestion(decode_fields(raw), said, more)


@check(advice="say nothing to `start`: it wants no answer", after=(greeting.says_ready_once, greeting.starts_in_time))
async def says_nothing_to_start(context: CheckContext) -> None:
    """The bot does not answer `start`."""
    observed = await observe_first_answers(context)
    if observed.said_after_start:
        raise CheckFailed(f"after `start` it said {format_bytes(observed.said_after_start)}", observed.end.stderr)


@check(advice="flush standard output after every line", after=(says_nothing_to_start,))
async def flushes_its_answers(context: CheckContext) -> None:
    """Answers are sent as soon as they are written."""
    observed = await observe_first_answers(context)
    diagnosis = observed.diagnose(context)
    if diagnosis and diagnosis.cause == "does not flush":
        raise CheckFailed(f"it was silent: {diagnosis.seen}", observed.end.stderr, diagnosis.cure)


@check(advice=ACT_ADVICE, after=(flushes_its_answers,))
async def answers_questions(context: CheckContext) -> None:
    """Each question is answered with a whole line."""
    observed = await observe_first_answers(context)
    last = observed.exchanges[-1]
    asked = f"question {last.question['id']}, in phase {last.question['phase']!r}"
    if diagnosis := observed.diagnose(context):
        if observed.is_gone_after_start:
            seen, hint = f"after `start` {diagnosis.seen}", "read `start` and go on, it wants no answer; "
        else:
            seen, hint = f"no answer to {asked}: {diagnosis.seen}", ""
        raise CheckFailed(seen, observed.end.stderr, hint + diagnosis.cure, diagnosis.key)
    if not last.answer.endswith(b"\n"):
        seen = f"no newline after {format_bytes(last.answer)}, the answer to {asked}"
        raise CheckFailed(seen, observed.end.stderr, "end every message with a newline, and flush it")


@check(advice=ACT_ADVICE, after=(answers_questions,))
async def answers_with_act(context: CheckContext) -> None:
    """Each answer is one JSON object whose type is `act`."""
    observed = await observe_first_answers(context)
    for exchange in observed.exchanges:
        if exchange.decode_act().get("type") != "act":
            seen = f"to question {exchange.question['id']} it said {format_bytes(exchange.answer)}"
            raise CheckFailed(seen, observed.end.stderr, advise_line(exchange.answer))


@check(advice=FAULT_ADVICE["out_of_turn"], after=(answers_with_act,))
async def answers_once(context: CheckContext) -> None:
    """Each question is answered once."""
    for exchange in (await observe_first_answers(context)).exchanges:
        if exchange.said_after:
            raise CheckFailed(f"after {format_bytes(exchange.answer)} it said {format_bytes(exchange.said_after)}")


@check(advice="copy `id` from the question: it begins with 1 again in every game", after=(answers_with_act,))
async def answers_the_question_asked(context: CheckContext) -> None:
    """An answer carries the id of its question."""
    for exchange in (await observe_first_answers(context)).exchanges:
        if exchange.decode_act().get("id") != exchange.question["id"] or isinstance(
            exchange.decode_act().get("id"), bool | float
        ):
            raise CheckFailed(
                f"question {exchange.question['id']} was asked; it answered {format_bytes(exchange.answer)}",
                advice=NUMBER_ADVICE.format(key="id") if isinstance(exchange.decode_act().get("id"), str) else "",
            )


@check(advice=FAULT_ADVICE["malformed"], after=(answers_with_act,))
async def adds_no_keys_to_act(context: CheckContext) -> None:
    """`act` has no keys that the protocol does not know."""
    known = ["type", *Act.__struct_fields__]
    for exchange in (await observe_first_answers(context)).exchanges:
        if more := [key for key in exchange.decode_act() if key not in known]:
            raise CheckFailed(
                f"`act` has {join_words(map(repr, more), 'and')}; it may have {join_words(known, 'and')}: "
                f"{format_bytes(exchange.answer)}"
            )


@check(
    advice="give `choose`, an index into `legal`, or `action`, one of its entries; not both, and not null",
    after=(adds_no_keys_to_act,),
)
async def says_what_it_does(context: CheckContext) -> None:
    """An answer has either an index or an action."""
    for exchange in (await observe_first_answers(context)).exchanges:
        act = exchange.decode_act()
        if (act.get("choose") is None) == ("action" not in act):
            raise CheckFailed(f"to question {exchange.question['id']} it said {format_bytes(exchange.answer)}")


@check(advice=FAULT_ADVICE["illegal"], after=(says_what_it_does,))
async def chooses_what_is_legal(context: CheckContext) -> None:
    """The first answers are legal actions."""
    for exchange in (await observe_first_answers(context)).exchanges:
        act, legal = exchange.decode_act(), exchange.question["legal"]
        choice = act.get("choose")
        ranges = exchange.question.get("ranges", ())
        in_range = any(is_within(act.get("action"), legal[one["index"]], one["field"]) for one in ranges)
        if "action" in act and act["action"] not in legal and not in_range:
            raise CheckFailed(
                f"it played {format_bytes(exchange.answer)}; legal were {format_bytes(msgspec.json.encode(legal))}"
            )
        if "action" not in act and (
            not isinstance(choice, int) or isinstance(choice, bool) or not 0 <= choice < len(legal)
        ):
            raise CheckFailed(
                f"it said {format_bytes(exchange.answer)}; there were {len(legal)} legal actions, 0..{len(legal) - 1}",
                advice="" if isinstance(choice, int) else 'give `choose` as a whole number: 0, not "0", 0.0 or true',
            )


@check(advice=f"cut notes: Python note[:{MAX_NOTE_LENGTH}]", after=(answers_with_act,))
async def keeps_notes_short(context: CheckContext) -> None:
    """A note is a text of at most 500 characters."""
    for exchange in (await observe_first_answers(context)).exchanges:
        note = exchange.decode_act().get("note")
        if note is not None and (not isinstance(note, str) or len(note) > MAX_NOTE_LENGTH):
            raise CheckFailed(f"its note is {format_bytes(str(note).encode())}")


@check(
    advice="a read may bring several lines: answer each of them before you read again",
    after=(
        answers_once,
        answers_the_question_asked,
        adds_no_keys_to_act,
        says_what_it_does,
        chooses_what_is_legal,
        keeps_notes_short,
    ),
)
async def reads_several_lines_at_once(context: CheckContext) -> None:
    """The bot reads several lines that come at once."""
    async with context.open_table() as table:
        await table.greet()
        await table.send(table.start_game() + table.require_question())
        await table.receive_answer()
