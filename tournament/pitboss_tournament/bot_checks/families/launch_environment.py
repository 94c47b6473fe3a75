"""Checks of where and how a bot can be started: several times at once, elsewhere, with an empty environment."""

from __future__ import annotations

import os
from contextlib import AbstractAsyncContextManager

from msgspec.structs import replace

from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss_tournament.bot_checks.check_context import CheckContext
from pitboss_tournament.bot_checks.families import whole_games
from pitboss_tournament.bot_checks.scripted_table import ScriptedTable
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.processes.reaper import MARK
from pitboss_tournament.processes.sandbox_probe import resolve_sandbox
from pitboss_tournament.processes.start_errors import MachineError
from pitboss_tournament.processes.supervisor import open_supervisor
from pitboss_tournament.processes.visible_paths import find_visible_paths

LARGEST_COPY = 200 << 20  # bytes of a folder that are copied for a check
PROCESSES_AT_ONCE = 3

_READING = (whole_games.plays_a_whole_game,)


@check(
    advice="do without the network, the home folder and other files; "
    "`read` under [limits] in the tournament file shows it more",
    after=_READING,
)
async def runs_in_the_sandbox(context: CheckContext) -> str | None:
    """The bot plays where there is no network, no other process, and nothing to be read but the system and its own
    folder.
    """
    if context.bot.sandbox != "none":
        return "it is in there for all checks"
    try:
        level, _ = resolve_sandbox("auto")
    except MachineError as error:
        raise NotApplicable(str(error)) from None
    if level == "none":
        raise NotApplicable("this machine has no sandbox: see `pitboss doctor`")
    inside = replace(context.bot, sandbox=level)
    broken: CheckFailed | None = None
    async with open_supervisor(inside.sandbox, available_cpus()) as supervisor:
        try:
            async with CheckContext(inside, context.registry, supervisor, context.scratch).open_table() as table:
                await table.begin_game(1)
        except CheckFailed as found:  # the supervisor would wrap it in a group
            broken = found
    if broken is not None:
        raise broken
    return None


@check(advice="open no port, lock or file of a fixed name: each process of a bot is on its own", after=_READING)
async def starts_several_times_at_once(context: CheckContext) -> str:
    """Several processes of the bot play at the same time."""
    async with context.open_table() as one, context.open_table() as two, context.open_table() as three:
        for table in (one, two, three):
            await table.begin_game(1)
    return f"{PROCESSES_AT_ONCE} at once"


@check(
    advice="build every path from the place of the program itself (Python: Path(__file__).parent), and quote it",
    after=_READING,
)
async def starts_elsewhere(context: CheckContext) -> None:
    """The bot runs in a copy of its folder, in a place whose path has a blank in it."""
    if context.bot.source != "folder":
        raise NotApplicable("a command runs in the folder that it is called in")
    size = sum(path.stat().st_size for path in context.bot.base.rglob("*") if path.is_file())
    if size > LARGEST_COPY:
        raise NotApplicable(f"its folder has {size >> 20} MiB, too much to be copied for this")
    async with context.open_table(context.copy_bot("another place")) as table:
        await table.begin_game(1)


@check(advice="put what the bot needs into its folder or its command: a sandbox has no environment", after=_READING)
async def needs_no_environment(context: CheckContext) -> str | None:
    """The bot runs with nothing but PATH in its environment."""
    if context.bot.sandbox != "none":
        return "in the sandbox there is nothing more"
    async with _open_table_in_shell(context, f'exec env -i PATH="$PATH" {MARK}="${MARK}" "$@"') as table:
        await table.begin_game(1)
    return None


@check(
    advice="keep settings and caches out of the home folder, or do without them when it is not there", after=_READING
)
async def needs_no_home(context: CheckContext) -> None:
    """The bot runs where its home folder does not exist."""
    async with _open_table_in_shell(context, 'HOME=/nonexistent exec "$@"') as table:
        await table.begin_game(1)


@check(advice="read and write bytes, or name UTF-8 when you open standard input and output", after=_READING)
async def needs_no_locale(context: CheckContext) -> None:
    """The bot runs, and reads a name that is not ASCII, in the plain C locale."""
    async with _open_table_in_shell(context, 'unset LANG; LC_ALL=C exec "$@"') as table:
        await table.greet()
        await table.send(table.start_game().replace(b"player-0", "Zoë 李 🂡".encode()))
        await table.ask_questions(1)


def _open_table_in_shell(context: CheckContext, script: str) -> AbstractAsyncContextManager[ScriptedTable]:
    """Start the bot through `/bin/sh -c script`, which must end in `exec "$@"`.

    Raises:
        NotApplicable: this system has no such shell.
    """
    if os.name != "posix":
        raise NotApplicable("the check starts the bot by /bin/sh, which this system does not have")
    entrant = context.entrant()
    command, limits = entrant.command, entrant.limits
    if context.bot.sandbox != "none":  # paths that the sandbox would show to the bot's own command
        seen = find_visible_paths(entrant.command, entrant.folder, limits.read)
        command, limits = seen.command, replace(limits, read=(*limits.read, *map(str, seen.paths)))
        paths = {"PATH": [*seen.program_folders, "$PATH"], "PYTHONPATH": seen.module_folders}
        exports = [f'export {name}="{":".join(folders)}"; ' for name, folders in paths.items() if folders]
        script = "".join(exports) + script
    return context.open_table(replace(entrant, command=("/bin/sh", "-c", script, "sh", *command), limits=limits))
