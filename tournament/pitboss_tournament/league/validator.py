"""The process that validates one submission: unpacks, builds, checks it, and lets it play.

`league run` starts it as `python -m pitboss_tournament.league.validator PARENT`, gives it a `ValidationJob` as a line
of JSON, and reads a `StepDone` for each step. It dies with its parent, its bots and builds with it. What a build prints
goes to standard error.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.errors import ConfigError, PitbossError
from pitboss.plugins.registry import Registry
from pitboss.simulation.game_setup import OptionVariant
from pitboss.testing.framework.check import count_outcomes
from pitboss.text import format_count
from pitboss_tournament.authoring.bot_build import BuildRules, announce_nothing, build
from pitboss_tournament.bot_checks.admission import find_first_fault
from pitboss_tournament.bot_checks.bot_under_test import resolve_bot
from pitboss_tournament.bot_checks.suite import OnResult, check_bot
from pitboss_tournament.config.bot_file import read_bot_file
from pitboss_tournament.league.intake import find_unpack_bounds
from pitboss_tournament.league.league_field import enter_version
from pitboss_tournament.league.league_folder import League, read_league
from pitboss_tournament.league.submission import Evidence, Submission, SubmissionState
from pitboss_tournament.league.tar_reader import ArchiveRefused
from pitboss_tournament.league.unpacking import unpack_archive
from pitboss_tournament.league.version_folder import check_built, strip_folder
from pitboss_tournament.plan.plan import Admission
from pitboss_tournament.processes.bot_contents import digest_contents, is_sealed, remove_folder, seal_folder
from pitboss_tournament.processes.sandbox_probe import resolve_sandbox
from pitboss_tournament.running.worker import bind_to_relatives, claim_stdio


class ValidationJob(Struct, frozen=True):
    """What the process is told: where the league is, and which submission it is about, in its state."""

    league: str
    submission: Submission


class StepDone(Struct, frozen=True):
    """The process's message: the step of this state is done, and what it has shown; a machine error is nobody's."""

    step: SubmissionState
    evidence: Evidence
    is_machine_error: bool = False


def main() -> None:
    """Validate the submission of the job, from its state on, until a step fails or all are done."""
    bind_to_relatives(int(sys.argv[1]))
    descriptor_in, descriptor_out = claim_stdio()
    with open(descriptor_in, "rb") as told, open(descriptor_out, "wb") as out:  # noqa: PTH123 - descriptors
        job = msgspec.json.decode(told.readline(), type=ValidationJob)
        league = read_league(Path(job.league), Registry())
        names = list(STEPS)
        first = 0 if job.submission.state == "received" else names.index(job.submission.state)
        for name in names[first:]:
            done = _run_step(name, league, job.submission)
            out.write(msgspec.json.encode(done) + b"\n")
            out.flush()
            if not done.evidence.is_good:
                break
    sys.stderr.flush()
    os._exit(0)


def _run_step(name: SubmissionState, league: League, submission: Submission) -> StepDone:
    try:
        evidence = STEPS[name](league, submission)
    except (ConfigError, ArchiveRefused) as error:
        return StepDone(name, Evidence(is_good=False, seen=str(error)))
    except (PitbossError, OSError, ExceptionGroup) as error:
        return StepDone(name, Evidence(is_good=False, seen=_describe(error)), is_machine_error=True)
    return StepDone(name, evidence)


def build_version(league: League, submission: Submission) -> Evidence:
    """Unpack the archive where the bot stays, build it, and make its folder read-only.

    Raises:
        ConfigError, ArchiveRefused: a step failed.
    """
    folder = league.folder.bots / submission.digest
    if is_sealed(folder):
        _, bot = read_bot_file(folder)  # what it says is the same whether somebody has sent these files before or not
        return Evidence(is_good=True, seen=NO_BUILD if bot.build is None else BUILT)
    remove_folder(folder)
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    unpack_archive(league.folder.uploads / submission.upload, folder, find_unpack_bounds(league))
    sources = strip_folder(folder)
    if digest_contents(sources) != submission.digest:
        raise ArchiveRefused("the archive differs from the received one")
    was_built = build(folder, announce_nothing, BuildRules(sandbox=league.file.sandbox))
    check_built(folder, sources, league.file.validation.build_mb)
    seal_folder(folder)
    return Evidence(is_good=True, seen=BUILT if was_built else NO_BUILD)


def check_version(league: League, submission: Submission) -> Evidence:
    """Put the bot through the checks of `pitboss check`.

    Raises:
        ConfigError: it cannot be entered at all.
    """
    enter_version(league, submission, submission.bot)
    if not league.file.validation.check:
        return Evidence(is_good=True, seen="the league makes no checks")
    return check_folder(league, league.folder.bots / submission.digest)


def check_folder(league: League, folder: Path, on_result: OnResult = lambda result: None) -> Evidence:
    """Put the bot in a folder through the checks of `pitboss check`, by the rules of the league.

    Raises:
        ConfigError: it cannot be checked at all.
    """
    bot = replace(
        resolve_bot(str(folder), Registry(), Path("/"), (league.game,), league.clock),
        sandbox=resolve_sandbox(league.file.sandbox)[0],
        limits=league.limits,
        seats=(league.seats,),
        variant=OptionVariant(league.file.preset, league.file.options),
        seed=secrets.token_hex(8),
    )
    report = check_bot(bot, Registry(), on_result=on_result)
    counts = f"{format_count(len(report.checks), 'check')}: {count_outcomes(report.checks)}"
    return Evidence(is_good=report.is_good, seen=counts, checks=report.results_with("failed"))


def play_version(league: League, submission: Submission) -> Evidence:
    """Let the bot play, with random players.

    Raises:
        ConfigError: it cannot be entered.
    """
    games = league.file.validation.games
    if not games:
        return Evidence(is_good=True, seen="the league asks for no game")
    entrant = enter_version(league, submission, submission.bot)
    admission = Admission(games=games, seconds=league.file.validation.seconds)
    incident = find_first_fault(league.make_validation_plan(entrant), league.game, admission, entrant)
    if incident is None:
        return Evidence(is_good=True, seen=f"it forfeited none of {format_count(games, 'game')}")
    fault = incident.fault
    return Evidence(
        is_good=False,
        seen=f"{fault.kind}: {fault.message}",
        output=incident.last_words,
        exchange=list(incident.exchange),
    )


BUILT: Final = "it is built"
NO_BUILD: Final = "it has no build step"
STEPS: Final[Mapping[SubmissionState, Callable[[League, Submission], Evidence]]] = {
    "building": build_version,
    "checking": check_version,
    "validation": play_version,
}


def _describe(error: BaseException) -> str:
    """Return an error, or the first one of a group, in one line."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return " ".join(f"{type(error).__name__}: {error}".split())


if __name__ == "__main__":
    main()
