"""Why a bot gave no answer in time, or none at all: the causes of faults, in words, as far as its process tells.

Hints say what keeps bots from starting: commands that print or build at each start, files that are linked from
elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final

import trio

from pitboss.protocol.faults import ClockName, FaultKind
from pitboss_tournament.match.fault_policy import BotFaulted
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.bot_process import BotProcess
from pitboss_tournament.processes.machine_programs import read_shebang
from pitboss_tournament.processes.start_errors import MachineError
from pitboss_tournament.processes.visible_paths import is_system

BOT_EXIT_SECONDS: Final = 0.1  # between the end of a bot's output and its exit status
FLOOD_BYTES: Final = 1_000_000  # of standard error, which take a bot a noticeable time

_BUILDERS: Final = {("cargo", "run"), ("go", "run"), ("dotnet", "run"), ("mvn", "exec:java"), ("gradle", "run")}
_PACKAGE_MANAGERS: Final = ("npm", "pnpm", "yarn")
MAX_ENTRIES_SEEN: Final = 10_000  # of a folder that is looked through for links
_QUIET: Final = ("--silent", "-s")


def describe_overload(name: str, seconds: float, us: int, limit_us: int) -> str:
    """Describe a machine that has left a bot too little time of what it was allowed, for `MachineError`."""
    return (
        f"in {seconds:.1f} s the machine gave bot {name!r} only {us / 1000:.0f} of its {limit_us / 1000:.0f} ms: too "
        "many other programs are running"
    )


def describe_lateness(
    process: BotProcess, us: int, allowed: str, clock: ClockName, *, is_silent: bool, stderr_bytes: int
) -> str:
    """Describe a bot whose answer was late.

    `is_silent`: it has written no part of the answer; `stderr_bytes`: what it wrote there since it was asked.
    """
    if process.exit_before_deadline:
        allowed += f"; its process {process.exit_before_deadline}"
    elif stderr_bytes >= FLOOD_BYTES:
        allowed += f"; it wrote {stderr_bytes:,} bytes to standard error meanwhile, which takes time"
    elif is_silent and process.timer.lateness:
        allowed += (
            "; it wrote nothing at all: is its output buffered?"
            if clock == "start"
            else "; it has written nothing since: does it loop, wait for more, or keep its answer in a buffer?"
        )
    question = "hello" if clock == "start" else "decide"
    return f"no whole answer to {question!r} after {us / 1000:.0f} ms; allowed were {allowed}"


async def explain_exit(process: BotProcess, entrant: Entrant, when: str, *, is_greeted: bool) -> BotFaulted:
    """Return the fault of a bot that is gone, and why it is. `when`: a clause, as "before it answered 'decide'".

    Raises:
        MachineError: its sandbox cannot be made, or the system has killed it for want of memory that others took.
    """
    with trio.move_on_after(BOT_EXIT_SECONDS):
        await process.wait_exit()
    if excess := process.memory_excess():
        allowed = entrant.limits.memory_mb
        return BotFaulted("out_of_memory", f"its processes {excess} {when}; allowed were {allowed:,} MiB")
    if process.was_killed_for_others():
        raise MachineError(
            f"the machine had no memory left, and the system killed bot {entrant.name!r} {when}, which had kept to its "
            f"{entrant.limits.memory_mb:,} MiB: play fewer games at once, or let nothing else run",
            "no_memory",
        )
    if process.has_overcomputed:
        allowed = entrant.limits.cpu_s
        return BotFaulted(
            "crashed",
            f"it computed for more than {allowed:,} s in one game, and was ended {when}; its limit is cpu_s under "
            "[limits]: think less, or ask for more there in bot.toml and in the tournament file (-s limits.cpu_s=N)",
        )
    if process.has_overfilled:
        return BotFaulted("crashed", f"{process.folder_excess()}, and it was ended {when}")
    if not is_greeted and (sandbox_error := process.sandbox_error()):
        raise MachineError(sandbox_error, "no_sandbox")
    if not is_greeted and process.has_exec_failed():
        words = process.stderr_tail().strip().splitlines() or ["no reason is known"]
        program = entrant.command[0]
        return BotFaulted("never_started", f"{program!r} cannot be run: {words[-1]}{_describe_shebang(program)}")
    hint = "" if is_greeted else describe_start(entrant)
    kind: FaultKind = "ended_early" if process.has_exited_cleanly() else "crashed"
    return BotFaulted(kind, f"{process.exit_text()} {when}{hint}")


def describe_start(entrant: Entrant) -> str:
    """Return a clause on the command of a bot that has not been ready once; "" if it is a usual one."""
    hint = find_start_hint(entrant.command)
    return f"; {hint}" if hint else ""


def refuse_start(failed: Sequence[Exception]) -> BotFaulted:
    """Return the fault of a bot that is not started again: its last one."""
    last = failed[-1]
    assert isinstance(last, BotFaulted)
    why = f"it has never said 'ready' in {len(failed)} starts, and is not started again"
    return BotFaulted(last.kind, f"{last}; {why}", last.clock)


def _describe_shebang(program: str) -> str:
    """Return a clause with a script's interpreter line: the system says "no such file", and means the interpreter."""
    line = read_shebang(Path(program))
    ending = ", which ends as lines of Windows do" if line.endswith("\r") else ""
    return f"; its first line is {line!r}{ending}" if line else ""


def find_start_hint(command: Sequence[str]) -> str:
    """Return a sentence without its full stop for a command that seldom starts a bot as it stands, else ""."""
    program, words = Path(command[0]).name, command[1:]
    if program in _PACKAGE_MANAGERS and not any(word in _QUIET for word in words):
        return f"{program} prints lines of its own to standard output: add --silent behind it"
    if (program, *words[:1]) in _BUILDERS:
        return (
            f"`{program} {words[0]}` builds at each start, and the bot's folder is read-only then: have `build` make "
            "the program in the folder build/, and name it in `command`"
        )
    return ""


def find_link_hint(folder: Path) -> str:
    """Return a sentence without its full stop on the first link that leads out of a bot's folder; "" if none does.

    Links to the system, and those of virtual environments, are as they should be.
    """
    for path in islice(folder.rglob("*"), MAX_ENTRIES_SEEN):
        if not path.is_symlink() or any((above / "pyvenv.cfg").exists() for above in path.parents):
            continue
        target = path.resolve()
        if not (target.is_relative_to(folder.resolve()) or is_system(target)):
            return (
                f"{str(path.relative_to(folder))!r} is a link out of the folder, to {str(target)!r}, which a sandbox "
                "does not show: copy it there, or name it in `read` under [limits] of the tournament file"
            )
    return ""
