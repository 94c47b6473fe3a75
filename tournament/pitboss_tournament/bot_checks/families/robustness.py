"""Checks of what a bot has to understand, or to ignore: every line that the protocol allows, however it comes."""

from __future__ import annotations

from typing import Any

import trio
from msgspec.structs import replace

from pitboss.protocol.faults import Fault
from pitboss.protocol.messages import MAX_SAFE_INTEGER
from pitboss.testing.framework.check import CheckNote, NotApplicable, check
from pitboss_tournament.bot_checks.check_context import CheckContext
from pitboss_tournament.bot_checks.families import whole_games
from pitboss_tournament.bot_checks.families.greeting import SILENCE_S
from pitboss_tournament.bot_checks.scripted_table import (
    ODD_NAMES,
    ScriptedTable,
    alter_line,
    decode_fields,
    encode_message,
)

LONG_LIST = 1_000
LONG_LINE = 1 << 20
PAUSE_S = 0.03  # between the pieces of a line
LONG_WAIT_S = 1.0  # for the next question
UNKNOWN_FIELDS: dict[str, Any] = {"later": {"type": "act", "id": -1, "legal": [1, 2]}, "and": [None, ']}"']}

_READING = (whole_games.plays_a_whole_game,)


@check(
    advice="mend the error that standard error shows, if there is one; go on reading after `end`, and forget the "
    "last game at `start`",
    after=_READING,
)
async def plays_several_games(context: CheckContext) -> None:
    """One process plays several games, one after another."""
    try:
        async with context.open_game(2) as table:
            for _ in range(4):
                await table.end_game()
                await table.send(table.start_game())
                await table.ask_questions(2)
    except NotApplicable as skipped:
        raise CheckNote(f"{skipped}: that costs its start each time") from None


_PLAYING = (plays_several_games,)


@check(advice="take the fields that you need by their names, and do not mind the others", after=_PLAYING)
async def ignores_unknown_fields(context: CheckContext) -> None:
    """The bot ignores fields that a later protocol may add to any message."""
    async with context.open_table(is_new=True) as table:
        await table.greet(_add_unknown_fields(table.hello_line()))
        for _ in range(2):
            await table.send(_add_unknown_fields(table.start_game()))
            for _ in range(2):
                await table.send(_add_unknown_fields(table.require_question()))
                await table.receive_answer()
            await table.end_game(_add_unknown_fields(table.end_line()))


@check(advice="answer `hello` and `decide`, and no other type", after=_PLAYING)
async def ignores_unknown_types(context: CheckContext) -> None:
    """The bot ignores messages of a type that a later protocol may add, and does not answer them."""
    odd = encode_message({"type": "weather", "id": 1, "legal": ["rain"], "seat": 0})
    async with context.open_table() as table:
        await table.greet()
        await table.send(odd + table.start_game() + odd)
        await table.expect_silence(SILENCE_S, "after a message of an unknown type")
        await table.ask_questions(1)
        await table.send(odd)
        await table.ask_questions(1)
        await table.end_game()
        await table.send(odd + table.start_game())
        await table.ask_questions(1)


@check(advice="forget the last game when `start` comes, and not when `end` comes", after=_READING)
async def takes_a_second_start(context: CheckContext) -> None:
    """The bot begins a new game at a `start` without an `end` before it."""
    async with context.open_game(2) as table:
        await table.send(table.start_game())
        await table.send(table.start_game())
        await table.ask_questions(2)


@check(advice="start afresh at `start`: no question may have been asked in a game", after=_PLAYING)
async def takes_games_without_a_question(context: CheckContext) -> None:
    """The bot goes on after games that ended before it was asked anything."""
    async with context.open_table() as table:
        await table.greet()
        for _ in range(3):
            await table.send(table.start_game())
            await table.end_game()
        await table.expect_silence(SILENCE_S, "in games in which it was not asked")
        await table.send(table.start_game())
        await table.ask_questions(1)


@check(advice="read `seat` from `start` or from the question", after=_READING)
async def plays_from_another_seat(context: CheckContext) -> str:
    """The bot plays from the last seat as it does from the first."""
    setup = context.bot.first_table()
    if setup.seats < 2:
        raise NotApplicable("there is one seat only")
    async with context.open_table(seat=setup.seats - 1) as table:
        await table.begin_game(3)
    return f"seat {setup.seats - 1}"


@check(advice="keep `id` as a whole number of 64 bits, or as the text that it is", after=_READING)
async def echoes_any_id(context: CheckContext) -> None:
    """The bot answers with the id of the question, which may be any whole number up to 2^53 - 1."""
    async with context.open_game() as table:
        for number in (1_000_000, 2**31 + 7, 2**32 + 1, MAX_SAFE_INTEGER):
            raw = table.require_question().replace(b'"id":%d,' % table.question_id, b'"id":%d,' % number, 1)
            await table.send(raw)
            await table.receive_answer(number)


@check(advice="read the whole of `legal`, however long it is", after=_READING)
async def reads_a_long_list(context: CheckContext) -> None:
    """The bot reads a list of a thousand legal actions."""
    async with context.open_game() as table:
        await table.send(table.repeat_legal(table.require_question(), LONG_LIST))
        await table.receive_answer()


@check(advice="read lines of any length: no fixed buffer, and no limit of the reading function", after=_READING)
async def reads_a_long_line(context: CheckContext) -> None:
    """The bot reads a question that is a megabyte long."""
    async with context.open_game(1) as table:
        await table.send(alter_line(table.require_question(), later="x" * LONG_LINE))
        await table.receive_answer()
        await table.ask_questions(1)


@check(advice="a read may bring half a line: collect until there is a newline", after=_READING)
async def reads_a_line_in_pieces(context: CheckContext) -> None:
    """The bot reads a line that comes in pieces, cut in the middle of a character too."""
    async with context.open_table() as table:
        await table.greet()
        start = table.start_game().replace(b"player-0", "李".encode())
        middle = start.index("李".encode()) + 1
        await _send_slowly(table, start[:middle], start[middle:])
        raw = table.require_question()
        third = len(raw) // 3
        await _send_slowly(table, raw[:third], raw[third : 2 * third], raw[2 * third :])
        await table.receive_answer()
        raw = table.require_question()
        await _send_slowly(table, raw[:-1], raw[-1:])
        await table.receive_answer()


@check(advice="read strings with a JSON library, or mind the \\ before a quotation mark", after=_READING)
async def reads_odd_names(context: CheckContext) -> None:
    """The bot reads names of players with quotation marks, brackets and any letter, escaped or not."""
    async with context.open_table() as table:
        await table.greet()
        for names in (ODD_NAMES, ODD_NAMES[::-1]):
            players = [names[seat % len(names)] for seat in range(table.setup.seats)]
            await table.send(alter_line(table.start_game(), players=players))
            await table.ask_questions(1)
            start = alter_line(table.start_game(), players=["X"] * len(players))
            await table.send(start.replace(b'"X"', b'"\\u674e \\ud83c\\udca1\\/\\t"'))
            await table.ask_questions(1)


@check(advice="read numbers as JSON has them: -12.5, 1e+21", after=_PLAYING)
async def reads_odd_numbers(context: CheckContext) -> None:
    """The bot reads points that are negative, fractions or very large, and places that are shared."""
    async with context.open_game(1) as table:
        seats, numbers = table.setup.seats, [-12.5, 1e21, 0.1 + 0.2, -0.0, 1e-7]
        points = [numbers[seat % 5] for seat in range(seats)]
        await table.end_game(alter_line(table.end_line(), points=points, places=[1] * seats))
        await table.send(table.start_game())
        await table.ask_questions(1)


@check(advice="look at `faults` or do not, but go on after it", after=_PLAYING)
async def takes_faults_in_end(context: CheckContext) -> None:
    """The bot goes on after an `end` that lists faults."""
    async with context.open_game(1) as table:
        last = table.setup.seats - 1
        faults = [
            Fault(kind="illegal", seat=last, decision=3, message='it chose "9"'),
            Fault(kind="late", seat=last, decision=0, message=""),
        ]
        await table.end_game(alter_line(table.end_line(), faults=faults))
        await table.send(table.start_game())
        await table.ask_questions(1)


@check(advice="`game_ms` is null or a number: mind both", after=_READING)
async def takes_either_clock(context: CheckContext) -> None:
    """The bot reads a clock with time left for the whole game, and one with null for it."""
    own = context.bot.clock.game_ms  # which all other games have
    for game_ms in [one for one in (None, 30_000, 1) if one != own]:
        async with context.open_table(clock=replace(context.bot.clock, game_ms=game_ms)) as table:
            await table.begin_game(1)


@check(advice="wait for the next line without a limit of your own", after=_READING)
async def waits_patiently(context: CheckContext) -> None:
    """The bot says nothing while others think, and answers when it is its turn again."""
    async with context.open_game(1) as table:
        await table.expect_silence(LONG_WAIT_S, "while others were thinking")
        await table.ask_questions(1)


def _add_unknown_fields(raw: bytes) -> bytes:
    """Return a line with more fields, behind those that it has, and in the objects within it."""
    message = decode_fields(raw)
    clock = {"clock": message["clock"] | UNKNOWN_FIELDS} if "clock" in message else {}
    return alter_line(raw, **clock, **UNKNOWN_FIELDS)


async def _send_slowly(table: ScriptedTable, *pieces: bytes) -> None:
    for piece in pieces:
        await table.send(piece)
        await trio.sleep(PAUSE_S)
