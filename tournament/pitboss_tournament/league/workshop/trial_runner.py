"""The process of one trial of a draft: builds it, and puts it through the checks or lets it play practice games.

`league run` starts it as `python -m pitboss_tournament.league.workshop.trial_runner PARENT`, gives it a `TrialJob` as a
line of JSON, and reads a `TrialNews` for whatever is new. It dies with its parent, its bots and builds with it.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec
import trio
from msgspec import Struct
from msgspec.structs import replace

from pitboss.errors import ConfigError, PitbossError
from pitboss.plugins.registry import Registry
from pitboss.records.record import Record, dumps
from pitboss.testing.framework.check import CheckResult
from pitboss.text import format_count
from pitboss_tournament.authoring.bot_build import BuildRules, announce_nothing, build
from pitboss_tournament.config.settings_plan import resolve_plan
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.game_archive import hide_thoughts
from pitboss_tournament.league.host_paths import make_shortener, shorten_record
from pitboss_tournament.league.intake import find_unpack_bounds
from pitboss_tournament.league.league_field import enter_files
from pitboss_tournament.league.league_folder import League, read_league
from pitboss_tournament.league.submission import Evidence
from pitboss_tournament.league.tar_reader import ArchiveRefused
from pitboss_tournament.league.unpacking import unpack_archive
from pitboss_tournament.league.validator import check_folder
from pitboss_tournament.league.version_folder import check_built, strip_folder
from pitboss_tournament.league.workshop.drafts import pack_files
from pitboss_tournament.league.workshop.opponents import enter_opponent
from pitboss_tournament.league.workshop.trials import Trial, TrialBook, TrialGame, TrialState
from pitboss_tournament.match.bot_seat import BotSeat, close_all, settle_all
from pitboss_tournament.match.match import Match
from pitboss_tournament.match.model_link import choose_first
from pitboss_tournament.plan.plan import Entrant, Plan
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.processes.logs import compress_text, decompress_text
from pitboss_tournament.processes.supervisor import BotSupervisor, open_supervisor
from pitboss_tournament.rounds.schedule import draw_bot_seeds, greet_entrant
from pitboss_tournament.running.worker import bind_to_relatives, claim_stdio
from pitboss_tournament.statistics.scoring import score_game

LARGEST_RECORD: Final = 256 << 10  # of a practice game, compressed; a longer one is kept without its record
LONGEST_ERRORS: Final = 4_000  # characters of standard error that are shown of a game: its end
PRACTICE_SEED_BYTES: Final = 8
OPPONENT_NAME: Final = "opponent"


class TrialJob(Struct, frozen=True):
    """What the process is told: where the league is, which trial it is about, and a new folder for the draft."""

    league: str
    number: int
    folder: str


class TrialNews(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The process's message: the trial is in a state, and what has been seen since the last message."""

    state: TrialState
    step: Evidence | None = None  # the state is done, and has shown this
    check: CheckResult | None = None
    game: TrialGame | None = None
    record: bytes = b""  # of the game, compressed
    is_machine_error: bool = False


def main() -> None:
    """Do the trial of the job."""
    bind_to_relatives(int(sys.argv[1]))
    descriptor_in, descriptor_out = claim_stdio()
    with open(descriptor_in, "rb") as told, open(descriptor_out, "wb") as out:  # noqa: PTH123 - descriptors
        job = msgspec.json.decode(told.readline(), type=TrialJob)

        def say(news: TrialNews) -> None:
            out.write(msgspec.json.encode(news) + b"\n")
            out.flush()

        league = read_league(Path(job.league), Registry())
        with closing(TrialBook(league.folder.store)) as book:
            trial = book.trial(job.number)
        state: TrialState = "building"
        try:
            folder = Path(job.folder)
            evidence = build_draft(league, trial, folder)
            say(TrialNews(state=state, step=evidence))
            state = "checking" if trial.kind == "check" else "playing"
            evidence = TRIALS[trial.kind](league, trial, folder, say)
        except (ConfigError, ArchiveRefused) as error:
            evidence = Evidence(is_good=False, seen=str(error))
        except (PitbossError, OSError, ExceptionGroup) as error:
            say(TrialNews(state=state, step=Evidence(is_good=False, seen=_describe(error)), is_machine_error=True))
            os._exit(0)
        say(TrialNews(state=state, step=evidence))
    sys.stderr.flush()
    os._exit(0)


def build_draft(league: League, trial: Trial, folder: Path) -> Evidence:
    """Unpack the archive that the draft's owner would submit into a new folder, and build it there.

    Raises:
        ConfigError, ArchiveRefused: the draft is not to be built.
    """
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    archive = folder.parent / f"{folder.name}.tar"
    try:
        archive.write_bytes(pack_files(trial.files))
        unpack_archive(archive, folder, find_unpack_bounds(league))
    finally:
        archive.unlink(missing_ok=True)
    sources = strip_folder(folder)
    was_built = build(folder, announce_nothing, BuildRules(sandbox=league.file.sandbox))
    check_built(folder, sources, league.file.validation.build_mb)
    return Evidence(is_good=True, seen="it is built" if was_built else "it has no build step")


def check_draft(league: League, trial: Trial, folder: Path, say: Callable[[TrialNews], None]) -> Evidence:
    """Put a draft through the checks."""
    enter_files(league, folder.name, trial.owner, trial.bot)
    return check_folder(league, folder, lambda result: say(TrialNews(state="checking", check=result)))


def play_draft(league: League, trial: Trial, folder: Path, say: Callable[[TrialNews], None]) -> Evidence:
    """Let a draft play practice games with its opponent in all other seats, each game in another seat.

    Raises:
        ConfigError: the draft or its opponent cannot be entered.
    """
    draft = enter_files(league, folder.name, trial.owner, trial.bot)
    with closing(Book(league.folder.store)) as book:
        opponent = enter_opponent(league, trial.opponent, book.submissions())
    entrants = [
        replace(draft, memory=None),
        *(replace(opponent, name=f"{OPPONENT_NAME}-{number}", memory=None) for number in range(1, league.seats)),
    ]
    settings = league.make_settings(seed=secrets.token_hex(PRACTICE_SEED_BYTES), workers=1)
    plan = resolve_plan(settings, entrants, Registry(), league.folder.store, hidden=league.folder.secret)
    rules = league.file.trials
    names = _name_players(trial.bot, trial.opponent, league.seats)
    played = trio.run(_play_games, league, plan, entrants, names, say)
    if len(played) < rules.games:
        seen = f"{format_count(len(played), 'game')} in {rules.seconds:g} s; {rules.games} were to be played"
        return Evidence(is_good=bool(played) and not any(played), seen=seen)
    faulty = sum(played)
    if faulty:
        return Evidence(is_good=False, seen=f"it made a fault in {faulty} of {format_count(len(played), 'game')}")
    return Evidence(is_good=True, seen=f"{format_count(len(played), 'game')} without a fault")


def _name_players(bot: str, opponent: str, seats: int) -> list[str]:
    """Return how the players are called in the records: the draft first."""
    name = opponent.removeprefix("house:")
    return [bot, *((f"{name} {seat}" if seats > 2 else name) for seat in range(1, seats))]


async def _play_games(
    league: League,
    plan: Plan,
    entrants: Sequence[Entrant],
    names: Sequence[str],
    say: Callable[[TrialNews], None],
) -> list[bool]:
    """Play until all games are played or the time is up; return whether the draft made a fault, by game."""
    played: list[bool] = []
    rules = league.file.trials
    async with open_supervisor(plan.sandbox, available_cpus(), ask_model=choose_first) as supervisor:
        with trio.move_on_after(rules.seconds):
            for number in range(rules.games):
                news = await _play_game(supervisor, league, plan, entrants, names, number)
                say(news)
                assert news.game is not None
                played.append(bool(news.game.fault))
    return played


async def _play_game(
    supervisor: BotSupervisor,
    league: League,
    plan: Plan,
    entrants: Sequence[Entrant],
    names: Sequence[str],
    number: int,
) -> TrialNews:
    """Play one game in processes of its own. Its deal follows from a new seed, not from that of the ladder."""
    own, seed = number % plan.seats, f"trial/{secrets.token_hex(PRACTICE_SEED_BYTES)}"
    order = [(seat - own) % plan.seats for seat in range(plan.seats)]  # who sits there: 0 is the draft
    seeds = draw_bot_seeds(seed, plan.seats)
    bots = []
    for seat, who in enumerate(order):
        hello = greet_entrant(plan, entrants[who], seat, seeds[seat])
        bots.append(BotSeat(supervisor, entrants[who], league.game, hello, plan.faults, opponents=plan.opponents))
    try:
        record = (await Match(league.game, plan.options, bots, seed).play(number, seeds)).record
        await settle_all(bots)
        log = bots[own].link.log()
    finally:
        with trio.CancelScope(shield=True):
            await close_all(bots)
    result = score_game(record, tuple(order))
    errors = decompress_text(log.errors).decode("utf-8", "replace")[-LONGEST_ERRORS:]
    game = _describe_game(record, number, own, result[own].decisions, errors)
    shown = replace(hide_thoughts(record, [own]), players=[names[who] for who in order])
    shown = shorten_record(shown, make_shortener(league.folder.root))
    packed = compress_text(dumps(shown))
    game = replace(game, points=[seat.points for seat in result], places=[seat.place for seat in result])
    return TrialNews(state="playing", game=game, record=packed if len(packed) <= LARGEST_RECORD else b"")


def _describe_game(record: Record, number: int, own: int, decisions: int, errors: str) -> TrialGame:
    incident = next((one for one in record.incidents if one.fault.seat == own), None)
    others = [one.fault.kind for one in record.incidents if one.fault.seat != own]
    return TrialGame(
        number=number,
        seat=own,
        points=[],
        places=[],
        decisions=decisions,
        us=sum(one.us for one in record.decisions if one.seat == own),
        fault="" if incident is None else f"{incident.fault.kind}: {incident.fault.message}",
        opponent_fault=others[0] if others else "",
        exchange=[] if incident is None else list(incident.exchange),
        errors=errors if incident is None else incident.last_words or errors,
    )


TRIALS: Final = {"check": check_draft, "games": play_draft}


def _describe(error: BaseException) -> str:
    """Return an error, or the first one of a group, in one line."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return " ".join(f"{type(error).__name__}: {error}".split())


if __name__ == "__main__":
    main()
