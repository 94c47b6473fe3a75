"""A new season: a league with the people of an earlier one, and without its games."""

from __future__ import annotations

import re
import sqlite3
import tomllib
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from msgspec import Struct

from pitboss.errors import ConfigError
from pitboss.foreign_input import read_toml
from pitboss_tournament.league.backup import copy_version
from pitboss_tournament.league.book import HOST, Book, open_book
from pitboss_tournament.league.league_folder import LeagueFolder
from pitboss_tournament.league.season_folders import note_season
from pitboss_tournament.league.submission import ACTIVE, Submission
from pitboss_tournament.processes.bot_contents import sync_folder
from pitboss_tournament.store.database import open_database, transaction, translate_errors
from pitboss_tournament.store.rows import utc_now
from pitboss_tournament.store.schema import add_audit_line, has_table

RENEWED: Final = "season begun"  # in the audit trail
CARRIED_TABLES: Final = (
    *("league_owners", "league_tokens", "league_names", "league_held_names", "league_members", "league_extensions"),
)
PAST_KEYS: Final = re.compile(r"^(?=[ \t]*(closes|late_days)[ \t]*=)", re.MULTILINE)
FIRST_STATE: Final = "checking"  # of a version that is taken along: it is built, and checked by the rules of the season


class Renewal(Struct, frozen=True, kw_only=True):
    """What a new season has from the one before."""

    folder: str
    owners: int
    tokens: int  # that open it
    bots: list[str]  # the versions that were taken along, and are validated again
    past_closes: str = ""  # the end of submissions in the rules, if that was over
    dropped: list[str] = []  # keys of the rules that are comments now, because their time is over


def renew_league(folder: LeagueFolder, target: Path, takes_bots: bool) -> Renewal:
    """Make a league in a new folder, with the owners, tokens, names and rules of another one, which stays as it is.

    `takes_bots`: the newest valid version of each bot comes along, and is validated again. If the end of submissions is
    over, it becomes a comment in the rules of the season, with the late days behind it.

    Raises:
        ConfigError: there is something in the folder already.
        StoreError: a store cannot be read or written.
    """
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise ConfigError(f"{str(target)!r} exists and is not an empty folder; give the season a folder of its own")
    made = LeagueFolder(target.absolute())
    if made.root.resolve().is_relative_to(folder.root.resolve()):
        raise ConfigError(f"{target}: this lies in the league's own folder; give the season another folder")
    for place in (made.root, made.bots, made.uploads):
        place.mkdir(parents=True, exist_ok=True)
    made.uploads.chmod(0o700)
    with closing(open_book(folder.store)) as book:
        taken = list_newest(book.submissions()) if takes_bots else []
    for one in taken:
        copy_version(folder, made, one.digest)
    bots = carry_people(folder.store, made.store, taken, f"from {folder.root.name}")
    rules, past_closes, dropped = drop_past_end(folder.file.read_bytes().decode(), datetime.now(UTC))
    made.file.write_text(rules, encoding="utf-8", newline="")
    note_season(folder, made)
    sync_folder(made.root)
    with closing(open_book(made.store)) as book:
        now = utc_now()
        valid = sum(token.why_invalid(now) is None for token in book.tokens())
        return Renewal(
            folder=str(target),
            owners=len(book.owners()),
            tokens=valid,
            bots=bots,
            past_closes=past_closes,
            dropped=dropped,
        )


def drop_past_end(rules: str, now: datetime) -> tuple[str, str, list[str]]:
    """Return the text of a league.toml in which an end of submissions that is over is a comment, with its late days.

    Also the end that was over ("": none was), and the keys that are comments now; none if they are not lines of their
    own.
    """
    closes = read_toml(rules).get("submissions", {}).get("closes")
    if closes is None or closes > now:
        return rules, "", []
    found = PAST_KEYS.sub("# ", rules)
    try:
        is_dropped = "closes" not in read_toml(found).get("submissions", {})
    except tomllib.TOMLDecodeError:
        is_dropped = False
    if not is_dropped:
        return rules, closes.isoformat(), []
    return found, closes.isoformat(), [*dict.fromkeys(PAST_KEYS.findall(rules))]


def list_newest(submissions: Sequence[Submission]) -> list[Submission]:
    """Return the newest of the versions of each bot that play."""
    by_age = sorted(submissions, key=lambda one: (one.received, one.number))
    return [*{one.bot: one for one in by_age if one.state in ACTIVE}.values()]


def carry_people(store: Path, target: Path, taken: Sequence[Submission], why: str) -> list[str]:
    """Make the store of a season: with the people of another store, the names of its bots, and these versions.

    `why` is for the audit trail. Return the versions that were taken along.
    """
    with closing(Book(store)) as book:  # it has the tables of today from then on
        book.owner_names()  # draws the pseudonyms that were never shown
    Book(target).close()
    with translate_errors(target, "written"), closing(open_database(target, for_writing=True)) as db:
        db.execute("attach ? as earlier", (str(store),))
        with transaction(db):
            for table in CARRIED_TABLES:
                if has_table(db, table):
                    db.execute(f"insert into {table} select * from earlier.{table}")
            db.execute(
                "insert or ignore into league_held_names select bot, min(owner) from earlier.league_submissions group "
                "by bot"
            )
            add_audit_line(db, HOST, RENEWED, why)
            for one in taken:
                _take_along(db, one)
            _keep_bars(db)
        db.execute("detach earlier")
    return [one.label for one in taken]


def _take_along(db: sqlite3.Connection, one: Submission) -> None:
    now, state = utc_now(), "received" if one.upload else FIRST_STATE
    number = db.execute(
        "insert into league_submissions (owner, bot, version, digest, bytes, upload, state, tries, received, changed) "
        "values (?, ?, ?, ?, ?, ?, ?, 0, ?, ?)",
        (one.owner, one.bot, one.version, one.digest, one.bytes, one.upload, state, now, now),
    ).lastrowid
    add_audit_line(db, HOST, "taken along", f"submission {number} ({one.label} of {one.owner}), digest {one.digest}")


def _keep_bars(db: sqlite3.Connection) -> None:
    """Keep which files do not come back: their versions are there as retired ones."""
    names = "owner, bot, version, digest, bytes, upload, state, tries, received, changed"
    db.execute(
        f"insert or ignore into league_submissions ({names}) select {names} from earlier.league_submissions where "
        "state = 'retired' and number in (select submission from earlier.league_barred)"
    )
    db.execute(
        "insert into league_barred select now.number, at, who, why from earlier.league_barred join "
        "earlier.league_submissions was on was.number = submission join league_submissions now on now.owner = "
        "was.owner and now.bot = was.bot and now.digest = was.digest"
    )
