"""Checks of where and how a bot can be started: twice at once, elsewhere, with nothing in its environment."""

# ruff: noqa: D401 - the docstring of a check is what a bot promises

from __future__ import annotations

from msgspec.structs import replace

from pitboss_tournament.checks import understanding
from pitboss_tournament.checks.bench import Bench
from pitboss_tournament.checks.check import Broken, Skipped, check
from pitboss_tournament.checks.visit import in_shell, opened
from pitboss_tournament.processes.guardian import MARK
from pitboss_tournament.processes.sandbox import probe

LARGEST_COPY = 200 << 20  # bytes of a folder that are copied for a check
AT_ONCE = 3

_ABLE = (understanding.reads_several_lines_at_once,)


@check(
    "do without the network, the home folder and other files; `read` under [limits] in the tournament file shows it more",
    after=_ABLE,
)
async def runs_in_the_sandbox(bench: Bench) -> str:
    """The bot plays where there is no network, no other process, and nothing to be read but the system and its own folder."""
    if bench.bot.sandbox == "bubblewrap":
        return "it is in there for all checks"
    if trouble := probe().sentence:
        raise Skipped(f"this machine has no sandbox: {trouble}")
    inside = replace(bench.bot, sandbox="bubblewrap")
    broken: Broken | None = None
    async with opened(inside) as room:
        try:
            async with Bench(inside, bench.registry, room, bench.scratch).sitting() as sitting:
                await sitting.begin(1)
        except Broken as found:  # the room would wrap it in a group
            broken = found
    if broken is not None:
        raise broken
    return ""


@check("open no port, lock or file of a fixed name: each process of a bot is on its own", after=_ABLE)
async def starts_several_times_at_once(bench: Bench) -> str:
    """Several processes of the bot play at the same time."""
    async with bench.sitting() as one, bench.sitting() as two, bench.sitting() as three:
        for sitting in (one, two, three):
            await sitting.begin(1)
    return f"{AT_ONCE} at once"


@check("build every path from the place of the program itself (Python: Path(__file__).parent), and quote it", after=_ABLE)
async def starts_elsewhere(bench: Bench) -> str:
    """The bot runs in a copy of its folder, in a place whose path has a blank in it."""
    if bench.bot.kind != "folder":
        raise Skipped("a command runs in the folder that it is called in")
    size = sum(path.stat().st_size for path in bench.bot.base.rglob("*") if path.is_file())
    if size > LARGEST_COPY:
        raise Skipped(f"its folder has {size >> 20} MiB, too much to be copied for this")
    async with bench.sitting(bench.copied("another place")) as sitting:
        await sitting.begin(1)
    return ""


@check("put what the bot needs into its folder or its command: a sandbox has no environment", after=_ABLE)
async def needs_no_environment(bench: Bench) -> str:
    """The bot runs with nothing but PATH in its environment."""
    if bench.bot.sandbox != "none":
        return "in the sandbox there is nothing more"
    async with bench.sitting(
        in_shell(bench.entrant(), bench.bot.sandbox, f'exec env -i PATH="$PATH" {MARK}="${MARK}" "$@"')
    ) as sitting:
        await sitting.begin(1)
    return ""


@check("keep settings and caches out of the home folder, or do without them when it is not there", after=_ABLE)
async def needs_no_home(bench: Bench) -> str:
    """The bot runs where its home folder does not exist."""
    async with bench.sitting(in_shell(bench.entrant(), bench.bot.sandbox, 'HOME=/nonexistent exec "$@"')) as sitting:
        await sitting.begin(1)
    return ""


@check("read and write bytes, or name UTF-8 when you open standard input and output", after=_ABLE)
async def needs_no_locale(bench: Bench) -> str:
    """The bot runs, and reads a name that is not ASCII, in the plain C locale."""
    async with bench.sitting(in_shell(bench.entrant(), bench.bot.sandbox, 'unset LANG; LC_ALL=C exec "$@"')) as sitting:
        await sitting.greet()
        await sitting.say(sitting.start().replace(b"player-0", "Zoë 李 🂡".encode()))
        await sitting.play(1)
    return ""
