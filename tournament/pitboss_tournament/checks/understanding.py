"""Checks of what a bot has to understand, or to ignore: every line that the protocol allows, however it comes."""

# ruff: noqa: D401 - the docstring of a check is what a bot promises

from __future__ import annotations

from typing import Any

import trio

from pitboss.wire import LARGEST, Fault
from pitboss_tournament.checks import answering
from pitboss_tournament.checks.bench import Bench
from pitboss_tournament.checks.check import Noted, Skipped, check
from pitboss_tournament.checks.meeting import QUIET_S
from pitboss_tournament.checks.sitting import ODD_NAMES, Sitting, fields, line

LONG_LIST = 1_000
LONG_LINE = 1 << 20
PAUSE_S = 0.03  # between the pieces of a line
LATER: dict[str, Any] = {"later": {"type": "act", "id": -1, "legal": [1, 2]}, "and": [None, ']}"']}

_BASIC = (
    answering.answers_once,
    answering.answers_the_question_asked,
    answering.adds_no_keys_to_act,
    answering.chooses_what_is_legal,
)


@check("a read may bring several lines: answer each of them before you read again", after=_BASIC)
async def reads_several_lines_at_once(bench: Bench) -> str:
    """Several lines may come at once."""
    async with bench.sitting() as sitting:
        await sitting.greet()
        await sitting.say(sitting.start() + _asked(sitting))
        await sitting.answer()
    return ""


_ABLE = (reads_several_lines_at_once,)


@check("go on reading after `end`; forget the last game when `start` comes", after=_ABLE)
async def plays_several_games(bench: Bench) -> str:
    """One process plays several games, one after another."""
    try:
        async with bench.sitting() as sitting:
            await sitting.begin(2)
            for _ in range(4):
                await sitting.say(sitting.end() + sitting.start())
                await sitting.play(2)
    except Skipped as skipped:
        raise Noted(f"{skipped}: that costs its start each time") from None
    return ""


_GAMES = (plays_several_games,)


@check("take the fields that you need by their names, and do not mind the others", after=_GAMES)
async def ignores_unknown_fields(bench: Bench) -> str:
    """Fields that a later protocol may add, to any message, are ignored."""
    async with bench.sitting() as sitting:
        await sitting.greet(_with_more(sitting.hello()))
        for _ in range(2):
            await sitting.say(_with_more(sitting.start()))
            for _ in range(2):
                await sitting.say(_with_more(_asked(sitting)))
                await sitting.answer()
            await sitting.say(_with_more(sitting.end()))
    return ""


@check("answer `hello` and `decide`, and no other type", after=_GAMES)
async def ignores_unknown_types(bench: Bench) -> str:
    """Messages of a type that a later protocol may add are ignored, and not answered."""
    odd = line({"type": "weather", "id": 1, "legal": ["rain"], "seat": 0})
    async with bench.sitting() as sitting:
        await sitting.greet()
        await sitting.say(odd + sitting.start() + odd)
        await sitting.keep_silent(QUIET_S, "after a message of an unknown type")
        await sitting.play(1)
        await sitting.say(odd)
        await sitting.play(1)
        await sitting.say(sitting.end() + odd + sitting.start())
        await sitting.play(1)
    return ""


@check("forget the last game when `start` comes, and not when `end` comes", after=_ABLE)
async def takes_a_second_start(bench: Bench) -> str:
    """A `start` without an `end` before it begins a new game."""
    async with bench.sitting() as sitting:
        await sitting.begin(2)
        await sitting.say(sitting.start())
        await sitting.say(sitting.start())
        await sitting.play(2)
    return ""


@check("start afresh at `start`: no question may have been asked in a game", after=_GAMES)
async def takes_games_without_a_question(bench: Bench) -> str:
    """A game may end before the bot was asked anything."""
    async with bench.sitting() as sitting:
        await sitting.greet()
        for _ in range(3):
            await sitting.say(sitting.start() + sitting.end())
        await sitting.keep_silent(QUIET_S, "in games in which it was not asked")
        await sitting.say(sitting.start())
        await sitting.play(1)
    return ""


@check("read `seat` from `start` or from the question", after=_ABLE)
async def plays_from_another_seat(bench: Bench) -> str:
    """The bot plays from the last seat as it does from the first."""
    setting = bench.bot.first_setting()
    if setting.seats < 2:
        raise Skipped("there is one seat only")
    async with bench.sitting(seat=setting.seats - 1) as sitting:
        await sitting.begin(3)
    return f"seat {setting.seats - 1}"


@check("keep `id` as a whole number of 64 bits, or as the text that it is", after=_ABLE)
async def echoes_any_id(bench: Bench) -> str:
    """The id of a question may be any whole number up to 2^53 - 1."""
    async with bench.sitting() as sitting:
        await sitting.begin()
        for number in (1_000_000, 2**31 + 7, 2**32 + 1, LARGEST):
            raw = _asked(sitting).replace(b'"id":%d,' % sitting.asked, b'"id":%d,' % number, 1)
            await sitting.say(raw)
            await sitting.answer(number)
    return ""


@check("read the whole of `legal`, however long it is", after=_ABLE)
async def reads_a_long_list(bench: Bench) -> str:
    """There may be a thousand legal actions."""
    async with bench.sitting() as sitting:
        await sitting.begin()
        await sitting.say(sitting.lengthened(_asked(sitting), LONG_LIST))
        await sitting.answer()
    return ""


@check("read lines of any length: no fixed buffer, and no limit of the reading function", after=_ABLE)
async def reads_a_long_line(bench: Bench) -> str:
    """A question may be a megabyte long."""
    async with bench.sitting() as sitting:
        await sitting.begin(1)
        await sitting.say(line({**fields(_asked(sitting)), "later": "x" * LONG_LINE}))
        await sitting.answer()
        await sitting.play(1)
    return ""


@check("a read may bring half a line: collect until there is a newline", after=_ABLE)
async def reads_a_line_in_pieces(bench: Bench) -> str:
    """A line may come in pieces, cut in the middle of a character too."""
    async with bench.sitting() as sitting:
        await sitting.greet()
        start = sitting.start().replace(b"player-0", "李".encode())
        middle = start.index("李".encode()) + 1
        await _say_slowly(sitting, start[:middle], start[middle:])
        raw = _asked(sitting)
        third = len(raw) // 3
        await _say_slowly(sitting, raw[:third], raw[third : 2 * third], raw[2 * third :])
        await sitting.answer()
        raw = _asked(sitting)
        await _say_slowly(sitting, raw[:-1], raw[-1:])
        await sitting.answer()
    return ""


@check("read strings with a JSON library, or mind the \\ before a quotation mark", after=_ABLE)
async def reads_odd_names(bench: Bench) -> str:
    """Names of players may hold quotation marks, brackets and any letter, escaped or not."""
    async with bench.sitting() as sitting:
        await sitting.greet()
        for names in (ODD_NAMES, ODD_NAMES[::-1]):
            start = fields(sitting.start())
            players = [names[seat % len(names)] for seat in range(sitting.setting.seats)]
            await sitting.say(line({**start, "players": players}))
            await sitting.play(1)
            escaped = line({**fields(sitting.start()), "players": ["X"] * len(players)}).replace(
                b'"X"', b'"\\u674e \\ud83c\\udca1\\/\\t"'
            )
            await sitting.say(escaped)
            await sitting.play(1)
    return ""


@check("read numbers as JSON has them: -12.5, 1e+21", after=_GAMES)
async def reads_odd_numbers(bench: Bench) -> str:
    """Points may be negative, fractions and very large, and places shared."""
    async with bench.sitting() as sitting:
        await sitting.begin(1)
        numbers = [-12.5, 1e21, 0.1 + 0.2, -0.0, 1e-7]
        end = fields(sitting.end(points=[numbers[seat % 5] for seat in range(sitting.setting.seats)]))
        await sitting.say(line({**end, "places": [1] * sitting.setting.seats}) + sitting.start())
        await sitting.play(1)
    return ""


@check("look at `faults` or do not, but go on after it", after=_GAMES)
async def takes_faults_in_end(bench: Bench) -> str:
    """The end of a game in which somebody has done wrong is an end like any other."""
    async with bench.sitting() as sitting:
        await sitting.begin(1)
        last = sitting.setting.seats - 1
        faults = [
            Fault(kind="illegal", seat=last, decision=3, message='it chose "9"'),
            Fault(kind="late", seat=last, decision=0, message=""),
        ]
        await sitting.say(sitting.end(faults) + sitting.start())
        await sitting.play(1)
    return ""


@check("`game_ms` is null or a number: mind both", after=_ABLE)
async def takes_either_clock(bench: Bench) -> str:
    """The clock of a question may have time for the whole game, or null for it."""
    for game_ms in (None, 30_000, 1):
        async with bench.sitting() as sitting:
            hello = fields(sitting.hello())
            await sitting.greet(line({**hello, "clock": {**hello["clock"], "game_ms": game_ms}}))
            await sitting.say(sitting.start())
            question = fields(_asked(sitting))
            await sitting.say(line({**question, "clock": {**question["clock"], "game_ms": game_ms}}))
            await sitting.answer()
    return ""


@check("wait for the next line without a limit of your own", after=_ABLE)
async def waits_patiently(bench: Bench) -> str:
    """While others think the bot says nothing, and is there when it is its turn again."""
    async with bench.sitting() as sitting:
        await sitting.begin(1)
        await sitting.keep_silent(1.0, "while others were thinking")
        await sitting.play(1)
    return ""


def _asked(sitting: Sitting) -> bytes:
    """Return the next question, in a new game if this one is over (the bot is then told nothing of it: it need not mind)."""
    raw = sitting.question()
    while raw is None:
        sitting.start()
        raw = sitting.question()
    return raw


def _with_more(raw: bytes) -> bytes:
    """Return a line with more fields, behind those that it has, and in the objects within it."""
    message = fields(raw)
    if "clock" in message:
        message["clock"] |= LATER
    return line({**message, **LATER})


async def _say_slowly(sitting: Sitting, *pieces: bytes) -> None:
    for piece in pieces:
        await sitting.say(piece)
        await trio.sleep(PAUSE_S)
