"""The audit of an arena: that its files are what the journal says, proven without asking anybody.

The journal's lines follow from each other. The secret is the one whose digest was published before the first round, and
the seeds of the deals that count follow from it. The versions are those by whose digests they are known. The games in
the stores are those that were noted, were played with these seeds by these versions, and replay by the rules.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from pitboss.errors import ConfigError, PitbossError
from pitboss.text import format_count
from pitboss_tournament.arena.arena_folder import Arena
from pitboss_tournament.arena.beginning import digest_rules
from pitboss_tournament.arena.freezing import BUILD_FILES, enter_frozen, version_folder
from pitboss_tournament.arena.journal import (
    GAME_KINDS,
    Begun,
    Frozen,
    Journal,
    Played,
    derive_seed,
    digest_secret,
)
from pitboss_tournament.arena.matches import plan_tables
from pitboss_tournament.audit.store_audit import find_problems
from pitboss_tournament.exchange.export import digest_records
from pitboss_tournament.league.version_folder import digest_folder
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.processes.bot_contents import digest_contents
from pitboss_tournament.store.store import Store


class AuditFinding(Struct, frozen=True, kw_only=True):
    """One check of an audit."""

    what: str
    is_good: bool
    why: Annotated[str, Meta(description="What is wrong, or what could not be checked.")] = ""


def audit_arena(arena: Arena) -> list[AuditFinding]:
    """Return what all checks of an arena have found.

    Raises:
        JournalBroken: a line of the journal does not follow from the one before.
        ConfigError: the arena has not begun.
    """
    journal = Journal(arena.folder.journal)
    if journal.begun is None:
        raise ConfigError(f"{arena.folder.root}: the arena has not begun; there is nothing to audit")
    found = [AuditFinding(what=f"the journal: {format_count(len(journal.entries), 'line')} in a chain", is_good=True)]
    found.append(_judge(arena, journal.begun, digest_rules(arena)))
    secret = _find_secret(arena, journal)
    found.append(_judge_secret(journal, journal.begun, secret))
    found += _judge_versions(arena, journal)
    for played in journal.list_entries(Played):
        found += _judge_games(arena, journal, played, secret)
    return found


def _judge(arena: Arena, begun: Begun, rules: str) -> AuditFinding:
    same = begun.rules == rules
    return AuditFinding(
        what="the rules", is_good=same, why="" if same else f"{arena.folder.file} is not what it was at the beginning"
    )


def _find_secret(arena: Arena, journal: Journal) -> str | None:
    """Return the secret: as it was revealed, or as the judge keeps it; None if neither is there."""
    if journal.revealed is not None:
        return journal.revealed
    try:
        return arena.folder.secret.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None


def _judge_secret(journal: Journal, begun: Begun, secret: str | None) -> AuditFinding:
    if secret is None:
        return AuditFinding(what="the secret", is_good=False, why="it is gone")
    same = digest_secret(secret) == begun.secret_digest
    why = "" if same else "it is not the one whose digest was published at the beginning"
    when = "revealed" if journal.revealed is not None else "not revealed yet"
    return AuditFinding(what=f"the secret ({when})", is_good=same, why=why)


def _judge_versions(arena: Arena, journal: Journal) -> Iterator[AuditFinding]:
    for digest, entrant in {one.digest: one.entrant for one in journal.list_entries(Frozen) if one.digest}.items():
        what = f"version {digest[:12]} of {entrant}"
        sources, built = version_folder(arena, f"{digest}.{BUILD_FILES}"), version_folder(arena, digest)
        wrong = [one.name for one in (sources, built) if one.exists() and digest_contents(digest_folder(one)) != digest]
        gone = not sources.exists()
        why = "its sources are gone" if gone else f"{', '.join(wrong)} has other files" if wrong else ""
        yield AuditFinding(what=what, is_good=not why, why=why)


def _judge_games(arena: Arena, journal: Journal, played: Played, secret: str | None) -> Iterator[AuditFinding]:
    what = f"round {played.round}, {played.kind} deals"
    yield _judge_seed(journal, played, secret, what)
    path = arena.folder.store(played.round, played.kind)
    try:
        games, records = digest_records(path)
        if (games, records) != (played.games, played.records):
            yield AuditFinding(
                what=f"{what}: games", is_good=False, why=f"{path.name} does not hold the games that were noted"
            )
            return
        with closing(Store(path)) as store:
            problems = list(find_problems(store, arena.game))
            is_seeded = store.header.seed == played.seed
    except PitbossError as error:
        yield AuditFinding(what=f"{what}: games", is_good=False, why=str(error))
        return
    why = str(problems[0]) if problems else "" if is_seeded else "the store has another seed"
    yield AuditFinding(what=f"{what}: {format_count(games, 'game')}, replayed", is_good=not why, why=why)


def _judge_seed(journal: Journal, played: Played, secret: str | None, what: str) -> AuditFinding:
    assert journal.begun is not None
    drawn = journal.find_drawn(played.round)
    if played.kind == "practice":
        expected: str | None = journal.begun.practice_seed
    else:
        expected = None if secret is None or drawn is None else derive_seed(secret, drawn[1])
    is_good = played.seed == expected and drawn is not None
    return AuditFinding(
        what=f"{what}: seed",
        is_good=is_good,
        why="" if is_good else "it does not follow from the secret and the versions",
    )


def repeat_round(arena: Arena, number: int, play: Callable[[Sequence[Plan], Path], None]) -> Iterator[AuditFinding]:
    """Play the games of a round again, from the noted seeds and versions, and yield whether they are the same.

    Raises:
        ConfigError: the round has not been played.
    """
    journal = Journal(arena.folder.journal)
    rounds = [one for kind in GAME_KINDS if (one := journal.find_played(number, kind)) is not None]
    if not rounds:
        raise ConfigError(f"round {number} has not been played")
    for played in rounds:
        deals = arena.file.judge.practice if played.kind == "practice" else arena.file.judge.deals
        entrants = [enter_frozen(arena, name, digest) for name, digest in played.bots.items()]
        with tempfile.TemporaryDirectory(prefix="pitboss-arena-") as folder:
            store = Path(folder) / arena.folder.store(number, played.kind).name
            play(plan_tables(arena, entrants, store, deals=deals, seed=played.seed), store)
            same = digest_records(store) == (played.games, played.records)
        yield AuditFinding(
            what=f"round {number}, {played.kind} deals: played again",
            is_good=same,
            why="" if same else "some games differ: a bot is not deterministic, or this is another machine or version",
        )
