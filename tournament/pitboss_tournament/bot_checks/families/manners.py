"""Checks of what is no part of the game: standard error, files, and repeatable choices."""

from __future__ import annotations

from pathlib import Path

from pitboss.testing.framework.check import CheckFailed, CheckNote, NotApplicable, check
from pitboss.text import format_count, join_words
from pitboss_tournament.bot_checks.check_context import CheckContext
from pitboss_tournament.bot_checks.families import launch_environment, robustness

QUESTIONS = 10
STDERR_LIMIT_BYTES = 4_000  # for all these questions together
MAX_NAMED_FILES = 5


@check(
    advice="print less: of what a bot writes to standard error only the beginning and the end are kept",
    after=(robustness.plays_several_games,),
)
async def keeps_standard_error_short(context: CheckContext) -> str:
    """The bot writes only a few lines to standard error, not some for every decision."""
    async with context.open_game(QUESTIONS) as table:
        await table.say_bye()
        await table.connection.wait_ended(0.5)
        tail, count = table.connection.stderr_tail(), table.connection.process.stderr_bytes
        if count >= STDERR_LIMIT_BYTES:
            raise CheckFailed(f"{count:,} bytes or more for {format_count(QUESTIONS, 'decision')}", tail)
    return format_count(count, "byte")


@check(advice="take all luck from the `seed` in `start`", after=(robustness.plays_several_games,))
async def does_the_same_again(context: CheckContext) -> None:
    """With the same seeds and the same questions the bot makes the same choices, in another process."""
    runs: list[list[object]] = []
    for _ in range(2):
        async with context.open_game(QUESTIONS) as table:
            runs.append(table.chosen_actions)
    if runs[0] != runs[1]:
        at = next(
            (number for number, pair in enumerate(zip(*runs, strict=False), 1) if pair[0] != pair[1]),
            min(map(len, runs)),
        )
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
