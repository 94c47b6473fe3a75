"""`pitboss submit`: a bot's folder is sent to a league, and its progress is shown."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import IO, TYPE_CHECKING, Final

import typer

from pitboss.errors import ConfigError
from pitboss.text import format_count
from pitboss_tournament.cli.output import print_check, print_json, print_note, print_paragraph
from pitboss_tournament.league.league_client import LeagueClient, LeagueRefusal, LeagueUnreachable
from pitboss_tournament.league.packing import clone_repository, find_bot_name, pack_folder
from pitboss_tournament.league.submission import WAITING, Evidence
from pitboss_tournament.league.unpacking import UnpackBounds
from pitboss_tournament.plan.names import make_bot_name
from pitboss_tournament.store.header import SHOWN_DIGITS
from pitboss_tournament.text.terminal_text import escape_line, escape_lines

if TYPE_CHECKING:
    from pitboss_tournament.league.league_answers import SubmissionAnswer

POLL_SECONDS: Final = 1.0
MAX_POLL_SECONDS: Final = 10.0
BUSY: Final = 429  # the status of an answer that says when to come again
LONGEST_WAIT_SECONDS: Final = 60  # for that
MAX_SENDS: Final = 20
MAX_SILENCES: Final = 30  # of a league that is being restarted, one after the other
_EVIDENCE_INDENT: Final = 4


def submit(
    url: str,
    folder: Path,
    token: str | None,
    name: str | None,
    git: str | None,
    rev: str | None,
    no_wait: bool,
    as_json: bool,
) -> None:
    """Run `pitboss submit`."""
    if token is None:
        raise ConfigError("a token is needed: --token, or the variable PITBOSS_TOKEN; the host of the league has one")
    if rev is not None and git is None:
        raise ConfigError("--rev is a revision of --git REPOSITORY, which is missing")
    client = LeagueClient(url, token)
    if not client.is_encrypted and client.host not in ("127.0.0.1", "localhost", "::1"):
        print_note(f"{url}: the token is sent without encryption; https is safer")
    with _open_source(folder, git, rev) as source:
        answer = _send(client, source, name)
    if not as_json:
        _print_received(answer)
    if not no_wait:
        answer = _wait(client, answer, is_shown=not as_json)
    if as_json:
        print_json(answer)
    if not no_wait and answer.state not in ("placing", "playing"):
        raise typer.Exit(1)


@contextmanager
def _open_source(folder: Path, git: str | None, rev: str | None) -> Iterator[Path]:
    """Yield the folder to send.

    Raises:
        ConfigError: there is none.
    """
    if git is None:
        yield folder
        return
    with clone_repository(git, rev or "HEAD") as repository:
        inner = (repository / folder).resolve()
        if not inner.is_relative_to(repository.resolve()) or not inner.is_dir():
            raise ConfigError(f"there is no folder {str(folder)!r} in {git}")
        yield inner


def _send(client: LeagueClient, folder: Path, name: str | None) -> SubmissionAnswer:
    is_archive = folder.is_file()
    called = make_bot_name(folder.name.partition(".")[0]) if is_archive else find_bot_name(folder)
    feed = client.find_feed()
    bounds = UnpackBounds(feed.max_mb, feed.max_files)
    with folder.open("rb") if is_archive else pack_folder(folder) as archive:
        size = os.fstat(archive.fileno()).st_size
        if size > bounds.max_archive_bytes:
            raise ConfigError(f"{folder}: {size:,} bytes, compressed; the league takes {feed.max_mb} MiB")
        return _send_patiently(client, name or called, archive)


def _send_patiently(client: LeagueClient, name: str, archive: IO[bytes]) -> SubmissionAnswer:
    """Send an archive; wait and send it again while the league has its hands full, as before a closing time."""
    for _ in range(MAX_SENDS - 1):
        try:
            return client.send(name, archive)
        except LeagueRefusal as refusal:
            if refusal.status != BUSY or not 0 < (refusal.retry_after or 0) <= LONGEST_WAIT_SECONDS:
                raise
            print_note(f"{refusal}: waiting")
            sleep(refusal.retry_after or 0)
            archive.seek(0)
    return client.send(name, archive)


def _wait(client: LeagueClient, answer: SubmissionAnswer, is_shown: bool) -> SubmissionAnswer:
    """Return the answer once the submission is validated; print each state and its evidence as it comes."""
    shown: set[str] = set()
    silences, pause = 0, POLL_SECONDS
    while True:
        for state, evidence in answer.evidence.items():
            if state not in shown and is_shown:
                _print_evidence(state, evidence)
            shown.add(state)
        if answer.state not in WAITING:
            break
        sleep(pause)
        pause = min(pause * 1.1, MAX_POLL_SECONDS)
        try:
            answer, silences = client.find_submission(answer.number), 0
        except LeagueUnreachable:
            silences += 1
            if silences > MAX_SILENCES:
                raise
    if is_shown:
        _print_end(answer)
    return answer


def _print_received(answer: SubmissionAnswer) -> None:
    known = "" if answer.is_new else ", known already"
    before = f"; {answer.before} before it" if answer.before else ""
    what = f"{answer.name}@{answer.version}, digest {answer.digest[:SHOWN_DIGITS]}"
    late = f"; {format_count(answer.late_days, 'day')} late" if answer.late_days else ""
    typer.echo(f"received    submission {answer.number}: {what}{known}{before}{late}")


def _print_evidence(state: str, evidence: Evidence) -> None:
    typer.echo(f"{state:10}  {'' if evidence.is_good else 'FAILED: '}{escape_line(evidence.seen)}")
    for line in [] if evidence.is_good or not evidence.output else escape_lines(evidence.output):
        typer.echo(f"    {line}")
    for line in evidence.exchange:
        typer.echo(f"    {escape_line(line)}")
    for result in evidence.checks:
        print_check(result)
        print_paragraph(f"seen: {escape_line(result.detail)}", _EVIDENCE_INDENT, 6)
        for line in result.stderr.splitlines():
            typer.echo(f"    stderr| {escape_line(line)}")
        print_paragraph(f"cure: {escape_line(result.advice)}", _EVIDENCE_INDENT, 6)


def _print_end(answer: SubmissionAnswer) -> None:
    said = {
        "placing": "it is valid, and waits for its first games",
        "playing": "it plays",
        "refused": "it does not play; mend it, and submit it again",
        "retired": "a newer version plays in its place",
    }
    typer.echo(f"{answer.state:10}  {said.get(answer.state, '')}")
