"""The edit phase of a round: the entrants' programs run at the same time, each in its work space.

Before an entrant's program runs, the judge's files are put into its work space, and a copy of the work space is kept:
a run that was killed begins again from there, and a work space that holds too much is put back. Afterwards the work
space is committed to its repository of git, in the sandbox too, as that repository is the entrant's.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.arena.arena_folder import Arena
from pitboss_tournament.arena.journal import Edited, Journal
from pitboss_tournament.arena.workspace import (
    COST_FILE,
    GIT,
    GIT_WORDS,
    NO_SYSTEM,
    REPOSITORY,
    copy_folder,
    delete_folder,
    find_tampered,
    find_workspace_excess,
    put_given,
    read_usage,
)
from pitboss_tournament.config.entrants import find_program
from pitboss_tournament.plan.paths import PYTHON, normalize_path
from pitboss_tournament.plan.plan import SandboxLevel
from pitboss_tournament.processes.edit_run import EditBounds, end_editors, run_editor
from pitboss_tournament.processes.sandbox_probe import resolve_sandbox
from pitboss_tournament.processes.visible_paths import find_visible_paths

COMMIT_SECONDS: Final = 60.0


def edit_bots(arena: Arena, journal: Journal, number: int, announce: Callable[[str], None]) -> None:
    """Let all entrants edit that have not done so in this round, and note how each one has ended.

    Raises:
        ConfigError: a command cannot be run so that it sees nothing of the arena but its work space.
        MachineError: the machine cannot start one.
    """
    end_editors(arena.folder.mark)
    waiting = [name for name in arena.file.entrants if journal.find_edited(number, name) is None]
    level, _ = resolve_sandbox(arena.file.sandbox)
    commands = {name: find_command(arena, name) for name in waiting}
    bounds = {name: arena.find_bounds(name, number) for name in waiting}
    for name in waiting:
        check_apart(arena, name, commands[name], bounds[name], level)
        _prepare(arena, number, name)
    if not waiting:
        return
    with ThreadPoolExecutor(len(waiting)) as pool:
        edits = [pool.submit(_edit, arena, number, name, commands[name], bounds[name], level) for name in waiting]
        try:
            for edit in edits:
                done = edit.result()
                journal.add(done)
                announce(tell_edit(done))
        except BaseException:
            end_editors(arena.folder.mark)  # at Ctrl-C nobody waits for the minutes of an edit
            raise


def find_command(arena: Arena, name: str) -> list[str]:
    """Return the command of an entrant: a file that it names from the arena's folder is absolute.

    Raises:
        ConfigError: there is no such program.
    """
    root = arena.folder.root
    words = [sys.executable if word == PYTHON else word for word in arena.file.entrants[name].edit]
    # a link stays one: the Python of an environment is a link to one that lacks its packages
    words = [str(normalize_path(root / word)) if word and (root / word).exists() else word for word in words]
    if find_program(words[0], root) is None:
        raise ConfigError(f"{arena.folder.file}: entrants.{name}.edit: there is no program {words[0]!r}")
    return words


def check_apart(arena: Arena, name: str, command: Sequence[str], bounds: EditBounds, level: SandboxLevel) -> None:
    """Check that an entrant's program is shown nothing of the arena but its work space and its own folder.

    Raises:
        ConfigError: it would be.
    """
    if level == "none":
        return
    folder, workspace = arena.folder, arena.folder.workspace(name)
    for path in find_visible_paths(command, workspace, bounds.read).paths:
        hidden = [folder.judge, folder.workspace(name).parent]
        if folder.root.is_relative_to(path) or any(path.is_relative_to(one) for one in hidden if path != workspace):
            raise ConfigError(
                f"{folder.file}: entrants.{name}: its command would be shown {str(path)!r}, where the arena keeps what "
                "no entrant may see; put its program into a folder of its own, such as agents/"
            )


def _prepare(arena: Arena, number: int, name: str) -> None:
    """Have a work space as it is to be at the beginning of a round, and a copy of it."""
    workspace, before = arena.folder.workspace(name), arena.folder.before(number, name)
    if before.exists():  # an edit was killed
        delete_folder(workspace)
        copy_folder(before, workspace)
        return
    put_given(arena.folder.given(name), workspace)
    delete_folder(workspace / COST_FILE)
    copy_folder(workspace, before)


def _edit(
    arena: Arena, number: int, name: str, command: Sequence[str], bounds: EditBounds, level: SandboxLevel
) -> Edited:
    folder, workspace = arena.folder, arena.folder.workspace(name)
    programs = [sys.executable, *([GIT] if shutil.which(GIT) else [])]
    output = folder.round(number) / f"edit-{name}.txt"
    given = replace(bounds, env={**NO_SYSTEM, **bounds.env})
    run = run_editor(command, workspace, programs, given, level=level, mark=folder.mark, output=output)
    too_much = f"the work space holds more than {bounds.workspace_mb} MiB"
    why = too_much if run.end == "size" else find_workspace_excess(workspace, bounds.workspace_mb)
    if not why:
        commit_workspace(workspace, number, bounds, level, folder.mark, folder.round(number) / f"commit-{name}.txt")
        why = find_workspace_excess(workspace, bounds.workspace_mb)
    if why:
        delete_folder(workspace)
        copy_folder(folder.before(number, name), workspace)
        return Edited(round=number, entrant=name, run=replace(run, end="size", why=why))
    tampered = find_tampered(folder.given(name), workspace)
    usage = read_usage(workspace)
    return Edited(round=number, entrant=name, run=run, usage=usage, tampered=tampered)


def commit_workspace(
    workspace: Path, number: int, bounds: EditBounds, level: SandboxLevel, mark: str, output: Path
) -> None:
    """Commit a work space as its entrant would: the repository is the entrant's, and so may be what git runs there.

    Whatever runs, it can change the repository alone: the edit phase is over.
    """
    repository = workspace / REPOSITORY
    if shutil.which(GIT) is None or repository.is_symlink() or not repository.is_dir():
        return
    words = " ".join(f"'{word}'" for word in GIT_WORDS)
    script = f"cd .. && {words} add --all && {words} commit --quiet --allow-empty -m 'Round {number}'"
    own = replace(
        bounds, seconds=COMMIT_SECONDS, cpu_s=COMMIT_SECONDS, has_network=False, read=(str(workspace),), env=NO_SYSTEM
    )
    run_editor(["/bin/sh", "-c", script], repository, [GIT], own, level=level, mark=mark, output=output)


def tell_edit(edited: Edited) -> str:
    """Return how an entrant's edit phase has ended, as a sentence."""
    run = edited.run
    ends = {
        "ended": "its command ended",
        "failed": f"its command failed with status {run.status}",
        "time": "its command was ended: the time was used up",
        "processor": "its command was ended: the processor time was used up",
        "processes": "its command was ended: it had too many processes",
        "size": f"its work space was put back: {run.why}",
        "not started": f"its command was not started: {run.why}",
    }
    cost = ", ".join(
        [f"{run.seconds:.1f} s", *([f"{run.cpu_s:.1f} s of the processor"] if run.cpu_s is not None else [])]
    )
    said = f"{edited.entrant}: {ends[run.end]} ({cost})"
    if edited.tampered:
        said += f"; it changed files of the judge, which are put back: {', '.join(edited.tampered[:5])}"
    return said
