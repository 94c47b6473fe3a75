"""Checks of what is no part of the game: standard error, files, and whether the bot does the same again."""

# ruff: noqa: D401 - the docstring of a check is what a bot promises

from __future__ import annotations

from pathlib import Path

from pitboss_tournament.checks import answering, starting
from pitboss_tournament.checks.bench import Bench
from pitboss_tournament.checks.check import Broken, Noted, Skipped, check
from pitboss_tournament.planning.wording import counted, listed

QUESTIONS = 10
FLOOD_BYTES = 4_000  # for so many questions
MOST_NAMED = 5


@check(
    "print less: of what a bot writes to standard error only the beginning and the end are kept",
    after=(answering.answers_with_act,),
)
async def keeps_standard_error_short(bench: Bench) -> str:
    """The bot writes a few lines to standard error, and not some for every decision."""
    async with bench.sitting() as sitting:
        await sitting.begin(QUESTIONS)
        await sitting.part()
        await sitting.visit.has_ended(0.5)
        count = sitting.visit.stderr_bytes()
        if count >= FLOOD_BYTES:
            raise Broken(f"{count:,} bytes or more for {counted(QUESTIONS, 'decision')}", sitting.visit.stderr())
    return counted(count, "byte")


@check("take all luck from the `seed` in `start`", after=(answering.chooses_what_is_legal,))
async def does_the_same_again(bench: Bench) -> str:
    """With the same seeds and the same questions the bot makes the same choices, in another process."""
    runs: list[list[object]] = []
    for _ in range(2):
        async with bench.sitting() as sitting:
            await sitting.begin(QUESTIONS)
            runs.append(sitting.chosen)
    if runs[0] != runs[1]:
        at = next((number for number, pair in enumerate(zip(*runs, strict=False), 1) if pair[0] != pair[1]), min(map(len, runs)))
        raise Noted(f"decision {at} was another one the second time: a game that went wrong cannot be played again")
    return ""


@check("write to /tmp, or to standard error: the folder is read-only in a tournament", after=(starting.starts_elsewhere,))
async def writes_nothing_into_its_folder(bench: Bench) -> str:
    """The bot leaves its own folder as it is."""
    if bench.bot.kind != "folder":
        raise Skipped("a command has no folder of its own")
    entrant = bench.copied("a copy to look after")
    assert entrant.folder is not None
    before = _files(entrant.folder)
    async with bench.sitting(entrant) as sitting:
        await sitting.begin(3)
        await sitting.say(sitting.end())
        await sitting.part()
        await sitting.visit.has_ended(0.5)
    after = _files(entrant.folder)
    changed = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
    if changed:
        raise Broken(f"it wrote {listed(map(repr, changed[:MOST_NAMED]), 'and')}")
    return ""


def _files(folder: Path) -> dict[str, tuple[int, int]]:
    """Return the size and the time of change of each file; what Python keeps for itself does not count."""
    files = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path.relative_to(folder)): (path.stat().st_size, path.stat().st_mtime_ns) for path in files}
