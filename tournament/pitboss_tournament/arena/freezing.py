"""Freezing: a copy of each entrant's bot, by whose digest the version is known; then it is built, checked and tried.

A version's folder is complete once it is sealed (see `league.version_folder`). Until then it is rebuilt.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec.structs import asdict, replace

from pitboss.errors import ConfigError
from pitboss.plugins.registry import Registry
from pitboss.simulation.game_setup import OptionVariant
from pitboss.text import format_count, truncate_text
from pitboss_tournament.arena.arena_folder import BOT_FOLDER, Arena
from pitboss_tournament.arena.journal import Frozen, Journal, Validated
from pitboss_tournament.arena.matches import make_settings
from pitboss_tournament.authoring.bot_build import BuildFailed, BuildRules, announce_nothing, build
from pitboss_tournament.bot_checks.admission import find_first_fault
from pitboss_tournament.bot_checks.bot_under_test import resolve_bot
from pitboss_tournament.bot_checks.suite import check_bot
from pitboss_tournament.config.bot_file import read_bot_file
from pitboss_tournament.config.entrants import apply_limits, check_bot_setup, resolve_entrant
from pitboss_tournament.config.settings_plan import resolve_plan
from pitboss_tournament.league.submission import Evidence
from pitboss_tournament.league.version_folder import check_built, digest_folder
from pitboss_tournament.plan.limits import MEBIBYTE
from pitboss_tournament.plan.plan import Admission, Entrant
from pitboss_tournament.processes.bot_contents import (
    digest_contents,
    is_sealed,
    list_source_files,
    remove_folder,
    seal_folder,
)
from pitboss_tournament.processes.sandbox_probe import resolve_sandbox

BUILD_MB: Final = 1_024  # of a bot's folder once it is built
MAX_SHOWN_OUTPUT: Final = 2_000  # characters of what a build printed, the last ones
MAX_SAID: Final = 200  # characters of what a refused version has printed
MAX_FILE_NAME: Final = 240  # bytes of a path from the bot's folder
BUILD_FILES: Final = "sources"  # the name of the copy of a version's sources, which are built again after a kill


def freeze_bots(arena: Arena, journal: Journal, number: int) -> dict[str, str]:
    """Copy the bots of all entrants that are not yet copied in this round; return the digest of each, "" of none."""
    found = dict[str, str]()
    for name in arena.file.entrants:
        frozen = journal.find_frozen(number, name)
        if frozen is None:
            frozen = _freeze(arena, number, name)
            journal.add(frozen)
        found[name] = frozen.digest
    return found


def _freeze(arena: Arena, number: int, name: str) -> Frozen:
    part = arena.folder.versions / f".{name}.part"
    remove_folder(part)
    part.mkdir(parents=True)
    rules = arena.file.judge
    try:
        copy_sources(arena.folder.workspace(name) / BOT_FOLDER, part, rules.bot_mb, rules.bot_files)
        read_bot_file(part)
    except ConfigError as error:
        remove_folder(part)
        return Frozen(round=number, entrant=name, digest="", why=str(error).replace(f"{part}/", ""))
    digest = digest_contents(digest_folder(part))
    sources = arena.folder.versions / f"{digest}.{BUILD_FILES}"
    if is_sealed(sources):
        remove_folder(part)
    else:
        remove_folder(sources)
        part.rename(sources)
        seal_folder(sources)
    return Frozen(round=number, entrant=name, digest=digest)


def copy_sources(source: Path, target: Path, max_mb: int, max_files: int) -> None:
    """Copy the source files of a stranger's bot into a folder that is empty.

    Raises:
        ConfigError: there is no folder, or it holds links, what is no file, or too much.
    """
    if source.is_symlink() or not source.is_dir():
        raise ConfigError(f"the work space has no folder {BOT_FOLDER}/ with a bot in it")
    left, count = max_mb * MEBIBYTE, 0
    for path in list_source_files(source):
        name = path.relative_to(source)
        _check_file_name(str(name))
        count += 1
        if count > max_files:
            raise ConfigError(f"the bot has more than {format_count(max_files, 'file')}")
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError as error:
            raise ConfigError(f"{BOT_FOLDER}/{name} is a link, or cannot be read ({error.strerror})") from None
        with open(descriptor, "rb") as file:  # noqa: PTH123 - a descriptor
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise ConfigError(f"{BOT_FOLDER}/{name} is no regular file")
            content = file.read(min(status.st_size, left) + 1)
        left -= len(content)
        if left < 0:
            raise ConfigError(f"the files of the bot hold more than {max_mb} MiB")
        copy = target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(content)
        copy.chmod(0o755 if status.st_mode & 0o111 else 0o644)
    if not count:
        raise ConfigError(f"the folder {BOT_FOLDER}/ of the work space is empty")


def _check_file_name(name: str) -> None:
    """Check that a file's path from the bot's folder can be noted, and can be a path in another folder.

    Raises:
        ConfigError: it cannot.
    """
    if len(os.fsencode(name)) > MAX_FILE_NAME:
        raise ConfigError(
            f"{BOT_FOLDER}/ has a file whose path has more than {MAX_FILE_NAME} bytes: {name[:40]!a}…; rename it"
        )
    if not name.isprintable():  # nor is what is no UTF-8
        raise ConfigError(f"{BOT_FOLDER}/ has a file whose name cannot be printed: {name!a}; rename it")


def validate_bots(arena: Arena, journal: Journal, number: int, announce: Callable[[str], None]) -> None:
    """Build, check and try each new version of a round, and note what it has shown."""
    for frozen in [one for one in journal.list_entries(Frozen) if one.round == number and one.digest]:
        if journal.find_validated(frozen.entrant, frozen.digest) is None:
            evidence = validate_version(arena, frozen.entrant, frozen.digest)
            journal.add(Validated(round=number, entrant=frozen.entrant, digest=frozen.digest, evidence=evidence))
            if not evidence.is_good:
                announce(f"{frozen.entrant}: its new version does not play: {evidence.seen}{_tell_last_line(evidence)}")


def validate_version(arena: Arena, name: str, digest: str) -> Evidence:
    """Return what a version shows when it is built, checked and tried."""
    for step in (_build, _check, _try_games):
        try:
            evidence = step(arena, name, digest)
        except BuildFailed as error:
            return Evidence(is_good=False, seen=str(error), output=error.output[-MAX_SHOWN_OUTPUT:])
        except ConfigError as error:
            return Evidence(is_good=False, seen=str(error))
        if not evidence.is_good:
            return evidence
    return evidence


def _tell_last_line(evidence: Evidence) -> str:
    """Return the last line that a bot or its build has printed, in brackets, or the first check that it failed."""
    lines = [line for line in evidence.output.splitlines() if line.strip()]
    failed = [f"{one.name}: {one.detail}" for one in evidence.checks[:1]]
    said = lines[-1:] or failed
    return f" ({truncate_text(said[0], MAX_SAID)})" if said else ""


def version_folder(arena: Arena, digest: str) -> Path:
    """Return the folder in which a version is built and plays."""
    return arena.folder.versions / digest


def _build(arena: Arena, name: str, digest: str) -> Evidence:
    folder = version_folder(arena, digest)
    if not is_sealed(folder):
        remove_folder(folder)
        sources = folder.with_name(f"{digest}.{BUILD_FILES}")
        folder.mkdir()
        copy_sources(sources, folder, 1 << 20, 1 << 20)
        contents = digest_folder(folder)
        if digest_contents(contents) != digest:
            raise ConfigError(f"{sources} has changed since it was frozen")
        try:
            build(folder, announce_nothing, BuildRules(sandbox=arena.file.sandbox), is_shown=False)
            check_built(folder, contents, BUILD_MB)
        except BaseException:
            remove_folder(folder)  # what a build has left that failed is no version
            raise
        seal_folder(folder)
    return Evidence(is_good=True, seen="it is built")


def _check(arena: Arena, name: str, digest: str) -> Evidence:
    if not arena.file.judge.check:
        return Evidence(is_good=True, seen="the arena makes no checks")
    folder = str(version_folder(arena, digest))
    bot = replace(
        resolve_bot(folder, Registry(), Path("/"), (arena.game,), arena.clock),
        sandbox=resolve_sandbox(arena.file.sandbox)[0],
        limits=arena.file.limits,
        seats=(arena.seats,),
        variant=OptionVariant(arena.file.preset, arena.file.options),
        seed=secrets.token_hex(8),
    )
    report = check_bot(bot, Registry())
    failed = report.results_with("failed")
    counts = f"{format_count(len(report.checks), 'check')}, {len(failed)} failed"
    return Evidence(is_good=report.is_good, seen=counts, checks=failed)


def enter_frozen(arena: Arena, name: str, digest: str) -> Entrant:
    """Return a version as an entrant of a tournament, whose files are to be what they were.

    Raises:
        ConfigError: it cannot be entered.
    """
    folder = version_folder(arena, digest)
    entrant = resolve_entrant(str(folder), Registry(), Path("/"), arena.game.name)
    if entrant.model is not None:
        raise ConfigError("it asks a language model ([model] in bot.toml), and the bots of an arena have none")
    return replace(
        apply_limits(entrant, arena.file.limits), name=name, contents=tuple(sorted(digest_folder(folder).items()))
    )


def _try_games(arena: Arena, name: str, digest: str) -> Evidence:
    entrant = enter_frozen(arena, name, digest)
    rules = arena.file.judge
    copies = [Entrant(**{**asdict(entrant), "name": f"{name}-{seat}"}) for seat in range(arena.seats)]
    settings = make_settings(arena, deals=1, seed="trial", workers=1)
    plan = resolve_plan(settings, copies, Registry(), arena.folder.judge / "trial.pitboss", hidden=[arena.folder.judge])
    check_bot_setup(entrant, arena.game, arena.seats, plan.options, arena.file.preset)
    admission = Admission(games=rules.trial_games, seconds=rules.trial_seconds)
    incident = find_first_fault(plan, arena.game, admission, entrant)
    if incident is None:
        return Evidence(is_good=True, seen=f"it forfeited none of {format_count(rules.trial_games, 'game')}")
    return Evidence(
        is_good=False,
        seen=f"{incident.fault.kind}: {incident.fault.message}",
        output=incident.last_words[-MAX_SHOWN_OUTPUT:],
        exchange=list(incident.exchange),
    )
