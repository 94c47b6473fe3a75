"""Checks of what is no part of the game: standard error, files, and repeatable choices."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from pitboss.testing.framework.check import CheckFailed, CheckNote, NotApplicable, check
from pitboss.text import format_count, join_words
from pitboss_tournament.bot_checks.check_context import CheckContext, observe_once
from pitboss_tournament.bot_checks.families import launch_environment, robustness

QUESTIONS = 10
STDERR_LIMIT_BYTES = 4_000  # for all these questions together
MAX_NAMED_FILES = 5


class QuestionedGame(Struct, frozen=True):
    """What a bot chose at QUESTIONS questions, and what it wrote to standard error up to its end."""

    actions: list[object]
    stderr_bytes: int
    stderr: str


@observe_once
async def observe_game(context: CheckContext) -> QuestionedGame:
    """Ask QUESTIONS questions, and say goodbye; return what the bot did."""
    async with context.open_game(QUESTIONS) as table:
        await table.say_bye()
        await table.connection.wait_ended(0.5)
        return QuestionedGame(
            table.chosen_actions, table.connection.process.stderr_bytes, table.connection.stderr_tail()
        )


@check(
    advice="print less: of what a bot writes to standard error only the beginning and the end are kept",
    after=(robustness.plays_several_games,),
)
async def keeps_standard_error_short(context: CheckContext) -> str:
    """The bot writes only a few lines to standard error, not some for every decision."""
    observed = await observe_game(context)
    if (count := observed.stderr_bytes) >= STDERR_LIMIT_BYTES:
        raise CheckFailed(f"{count:,} bytes or more for {format_count(QUESTIONS, 'decision')}", observed.stderr)
    return format_count(count, "byte")


@check(advice="take all luck from the `seed` in `start`", after=(robustness.plays_several_games,))
async def does_the_same_again(context: CheckContext) -> None:
    """With the same seeds and the same questions the bot makes the same choices, in another process."""
    first = (await observe_game(context)).actions
    async with context.open_game(QUESTIONS) as table:
        second = table.chosen_actions
    if first != second:
        pairs = enumerate(zip(first, second, strict=False), 1)
        at = next((number for number, (one, other) in pairs if one != other), min(len(first), len(second)))
        raise CheckNote(f"decision {at} was another one the second time: a game that went wrong cannot be played again")


@check(
    advice="write to /tmp, or to standard error: the folder is read-only in a tournament",
    after=(launch_environment.starts_elsewhere,),
)
async def writes_nothing_into_its_folder(context: CheckContext) -> None:
    """The bot leaves its own folder as it is."""
    if context.bot.source != "folder":
        raise NotApplicable("a command has no folder of its own")
    entrant = context.copy_bot("a copy to look after")
    assert entrant.folder is not None
    before = _list_files(entrant.folder)
    async with context.open_table(entrant) as table:
        await table.begin_game(3)
        await table.end_game()
        await table.say_bye()
        await table.connection.wait_ended(0.5)
    after = _list_files(entrant.folder)
    changed = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
    if changed:
        raise CheckFailed(f"it wrote {join_words(map(repr, changed[:MAX_NAMED_FILES]), 'and')}")


def _list_files(folder: Path) -> dict[str, tuple[int, int]]:
    """Return the size and the time of change of each file, `__pycache__` left out."""
    files = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path.relative_to(folder)): (path.stat().st_size, path.stat().st_mtime_ns) for path in files}
