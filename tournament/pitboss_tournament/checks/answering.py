"""Checks of how a bot answers its first questions."""

# ruff: noqa: D401 - the docstring of a check is what a bot promises

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from pitboss.wire import Act
from pitboss_tournament.checks import greeting
from pitboss_tournament.checks.bench import Bench
from pitboss_tournament.checks.check import Broken, check
from pitboss_tournament.checks.cures import FAULT_CURES, flush_cure
from pitboss_tournament.checks.meeting import LATE_S, QUIET_S
from pitboss_tournament.checks.sitting import PATIENCE, Sitting, fields
from pitboss_tournament.checks.visit import shown
from pitboss_tournament.planning.wording import listed

QUESTIONS = 4
NOTE_LENGTH = 500


class Exchange(Struct, frozen=True):
    """A question and what the bot said to it."""

    question: dict[str, Any]
    said: bytes  # a line, or what there was of one in time
    more: bytes  # what followed, unasked

    def act(self) -> dict[str, Any]:
        """Return the answer as an object, an empty one if it is none."""
        try:
            message = msgspec.json.decode(self.said)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return {}
        return message if isinstance(message, dict) else {}


class Talk(Struct, frozen=True):
    """The first questions, and how the bot stood at the end."""

    unasked: bytes  # said after `start`
    exchanges: list[Exchange]
    late: bytes  # said when its input was closed
    lives: bool
    account: str
    stderr: str


async def talked(bench: Bench) -> Talk:
    """Ask the bot its first questions, or remember them."""
    return await bench.once("talk", lambda: _talk(bench))


async def _talk(bench: Bench) -> Talk:
    async with bench.sitting() as sitting:
        await sitting.begin()
        unasked = await sitting.visit.overhear(QUIET_S)
        exchanges: list[Exchange] = []
        while len(exchanges) < QUESTIONS and (raw := sitting.question()) is not None:
            exchanges.append(await _exchange(bench, sitting, raw))
            if not exchanges[-1].said.endswith(b"\n"):
                break
        account, lives, late = await sitting.visit.account(), sitting.visit.is_running(), b""
        if not exchanges[-1].said and lives:
            sitting.visit.hang_up()
            late = await sitting.visit.overhear(LATE_S)
        return Talk(unasked, exchanges, late, lives, account, sitting.visit.stderr())


async def _exchange(bench: Bench, sitting: Sitting, raw: bytes) -> Exchange:
    """Ask one question; chance then plays for the bot, whose answer is judged by the checks."""
    if not await sitting.visit.send(raw):
        return Exchange(fields(raw), b"", b"")
    said = await sitting.visit.hear(bench.decision_s * PATIENCE)
    more = await sitting.visit.overhear(QUIET_S / QUESTIONS)
    sitting.pass_by()
    return Exchange(fields(raw), said, more)


@check("say nothing to `start`: it wants no answer", after=(greeting.says_ready_once,))
async def says_nothing_to_start(bench: Bench) -> str:
    """The bot does not answer `start`."""
    talk = await talked(bench)
    if talk.unasked:
        raise Broken(f"after `start` it said {shown(talk.unasked)}", talk.stderr)
    return ""


@check("flush standard output after every line", after=(says_nothing_to_start,))
async def flushes_its_answers(bench: Bench) -> str:
    """Answers are sent as soon as they are written."""
    talk = await talked(bench)
    if talk.late:
        seen = f"it was silent, and when its input was closed it said {shown(talk.late)}"
        raise Broken(seen, talk.stderr, flush_cure(bench.bot.language, bench.bot.words))
    return ""


@check("answer each `decide` with an `act`; look at the end of standard error", after=(flushes_its_answers,))
async def answers_questions(bench: Bench) -> str:
    """Each question is answered with a whole line."""
    talk = await talked(bench)
    for exchange in talk.exchanges:
        if not exchange.said.endswith(b"\n"):
            part = f"no newline after {shown(exchange.said)}" if exchange.said else "no answer"
            seen = f"{part} in {bench.decision_s * PATIENCE:g} s to question {exchange.question['id']}; {talk.account}"
            if not talk.lives:
                seen = f"no answer to question {exchange.question['id']}, in phase {exchange.question['phase']!r}: {talk.account}"
            raise Broken(seen, talk.stderr)
    return ""


@check("print for yourself to standard error: standard output is the wire", after=(answers_questions,))
async def answers_with_act(bench: Bench) -> str:
    """Each answer is one JSON object whose type is `act`."""
    talk = await talked(bench)
    for exchange in talk.exchanges:
        if exchange.act().get("type") != "act":
            raise Broken(f"to question {exchange.question['id']} it said {shown(exchange.said)}", talk.stderr)
    return ""


@check(FAULT_CURES["out_of_turn"], after=(answers_with_act,))
async def answers_once(bench: Bench) -> str:
    """Each question is answered once."""
    for exchange in (await talked(bench)).exchanges:
        if exchange.more:
            raise Broken(f"after {shown(exchange.said)} it said {shown(exchange.more)}")
    return ""


@check("copy `id` from the question: it begins with 1 again in every game", after=(answers_with_act,))
async def answers_the_question_asked(bench: Bench) -> str:
    """An answer carries the id of its question."""
    for exchange in (await talked(bench)).exchanges:
        if exchange.act().get("id") != exchange.question["id"] or isinstance(exchange.act().get("id"), bool | float):
            raise Broken(f"question {exchange.question['id']} was asked; it answered {shown(exchange.said)}")
    return ""


@check(FAULT_CURES["malformed"], after=(answers_with_act,))
async def adds_no_keys_to_act(bench: Bench) -> str:
    """`act` has no keys that the protocol does not know."""
    known = ["type", *Act.__struct_fields__]
    for exchange in (await talked(bench)).exchanges:
        if more := [key for key in exchange.act() if key not in known]:
            raise Broken(
                f"`act` has {listed(map(repr, more), 'and')}; it may have {listed(known, 'and')}: {shown(exchange.said)}"
            )
    return ""


@check("give `choose`, an index into `legal`, or `action`, one of its entries: not both", after=(answers_with_act,))
async def says_what_it_does(bench: Bench) -> str:
    """An answer has either an index or an action."""
    for exchange in (await talked(bench)).exchanges:
        act = exchange.act()
        if (act.get("choose") is None) == ("action" not in act):
            raise Broken(f"to question {exchange.question['id']} it said {shown(exchange.said)}")
    return ""


@check(FAULT_CURES["illegal"], after=(says_what_it_does,))
async def chooses_what_is_legal(bench: Bench) -> str:
    """The first answers are legal actions."""
    for exchange in (await talked(bench)).exchanges:
        act, legal = exchange.act(), exchange.question["legal"]
        choice = act.get("choose")
        if "action" in act and act["action"] not in legal:
            raise Broken(f"it played {shown(exchange.said)}; legal were {shown(msgspec.json.encode(legal))}")
        if "action" not in act and (not isinstance(choice, int) or isinstance(choice, bool) or not 0 <= choice < len(legal)):
            raise Broken(f"it said {shown(exchange.said)}; there were {len(legal)} legal actions, 0..{len(legal) - 1}")
    return ""


@check(f"cut notes: Python note[:{NOTE_LENGTH}]", after=(answers_with_act,))
async def keeps_notes_short(bench: Bench) -> str:
    """A note is a text of at most 500 characters."""
    for exchange in (await talked(bench)).exchanges:
        note = exchange.act().get("note")
        if note is not None and (not isinstance(note, str) or len(note) > NOTE_LENGTH):
            raise Broken(f"its note is {shown(str(note).encode())}")
    return ""
