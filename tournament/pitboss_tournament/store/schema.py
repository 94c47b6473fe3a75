"""The schema: the tables of a store, and the migrations of stores that an older Pitboss made.

The version is SQLite's `user_version`. A store of an unknown version, newer or foreign, is never touched.

The tables of a league lie in its store beside those of the tournament. They are made when a league is; the version of
the schema does not change, and an earlier Pitboss ignores them. A store may have them before it has a tournament: bots
are submitted before the first game is played. New facts get tables of their own, without triggers: an earlier Pitboss
ignores a table that it does not know, and refuses a store whose tables have other columns, or which has other triggers.
Nothing is decided by the audit trail, which is for readers. What an earlier Pitboss wrote into the trail alone is taken
into the tables when the book is opened (`league.book`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.plan import BotAbout, Roster
from pitboss_tournament.store.database import StoreError, number_file, open_database, transaction, translate_errors
from pitboss_tournament.store.field_changes import stamp_entries
from pitboss_tournament.store.header import Entry, Header, HeaderRow, OwnSettings
from pitboss_tournament.store.record_packing import make_dictionary
from pitboss_tournament.store.rows import utc_now
from pitboss_tournament.store.table_checksums import find_broken_seals, seal, seal_all

Migrations: TypeAlias = Mapping[int, Sequence[str]]  # by version: the statements that lead to the next one

MIGRATIONS: Final[Migrations] = {
    2: (
        "create table runs (began text not null, played integer not null, total integer, pitboss text not null, "
        "python text not null, platform text not null) strict",
        "create table ends (at text not null, why text not null) strict",
    ),
    3: (
        "alter table games add column checksum blob",  # null: written by a Pitboss that made none
        "create table run_ends (at text not null, games integer not null) strict",
    ),
    4: (),  # thinking times are strings, records are in columns; what is there is still read
    5: ("create table checksums (name text primary key, checksum blob not null) strict",),
    6: (
        "create table entries (number integer primary key, name text not null, version integer not null, "
        "digest text not null, command text not null, limits text not null, own text not null, about text not null, "
        "folder text not null, contents text not null, joined text not null, left text, why text) strict",
        "create table rosters (first_round integer primary key, entries text not null, deals integer not null) strict",
        "create table dictionary (bytes blob not null) strict",  # with which records are packed
    ),
    7: (),  # thinking times are counted by bin, columns of records are bytes; what is there is still read
    8: ("alter table ends add column is_complete integer not null default 0",),  # all rounds of the format were played
}
SEALED_FROM: Final = 5  # the version whose migration makes the checksums of tables
ENTRIES_FROM: Final = 6  # the version whose migration makes rows of the bots in the header
ENDS_FROM: Final = 8  # the version whose migration finds out which ends are complete
PAGE_BYTES: Final = 8_192  # in smaller pages games of some kilobytes leave much unused
TABLES: Final = (
    "create table tournament (header text not null) strict",
    "create table games (id integer primary key, result text not null, record blob not null) strict",
    "create table logs (game integer not null, seat integer not null, errors blob not null, wire blob not null, "
    "primary key (game, seat)) strict",
    "create table voids (game integer not null, at text not null, cause text not null, message text not null) strict",
    *MIGRATIONS[2],
    *MIGRATIONS[3],
    *MIGRATIONS[5],
    *MIGRATIONS[6],
    *MIGRATIONS[8],
)

# Made when luck is first kept. It does not change the version: an earlier Pitboss reads such a store and ignores it, as
# this one ignores the table `luck`, in which an earlier Pitboss kept one feature.
LUCK_TABLE: Final = (
    "create table if not exists draw_luck "
    "(game integer primary key, features text not null, seats text not null) strict"
)
# Where games were played, if not on the machine of the run. Made with the first such game; the version stays.
MACHINES_TABLE: Final = "create table if not exists machines (game integer primary key, machine text not null) strict"

# At which level of the sandbox earlier runs had their bots, by the numbers of their rows. Made when a run has another
# level than those before: a run that is not in there has the one of the header. The version stays.
RUN_LEVELS_TABLE: Final = "create table if not exists run_levels (run integer primary key, level text not null) strict"

# Of a tournament whose rounds overlap: the rounds as they were opened, and where it was at some time (the parts of a
# `playing.checkpoint`). Made with the first round; the version stays.
OVERLAP_TABLES: Final = (
    "create table if not exists rounds (number integer primary key, first_game integer not null, deals integer not "
    "null, tables text not null, still_open text not null, out text not null) strict",
    "create table if not exists checkpoint (part integer primary key, content blob not null) strict",
)

# Standings that are kept until a game or the header changes, whoever changes them. Made when they are first kept; an
# earlier Pitboss reads such a store too, and carries it on.
KEPT_STANDINGS: Final = (
    "create table if not exists kept_standings (standings blob not null) strict",
    *(
        f"create trigger if not exists forget_standings_{number} after {event} begin delete from kept_standings; end"
        for number, event in enumerate(
            (
                *("insert on games", "update on games", "delete on games", "update on tournament"),
                *("insert on entries", "update on entries"),
            ),
            start=1,
        )
    ),
)

# The calls of language models, and the long messages in them. Made with the first call; the version stays.
MODEL_TABLES: Final = (
    "create table if not exists model_calls (game integer not null, seat integer not null, decision integer not null, "
    "ask integer not null, digest text not null, bot text not null, model text not null, at text not null, tries "
    "integer not null, ms integer not null, tokens_in integer not null, tokens_out integer not null, usd real not "
    "null, outcome text not null, content blob not null) strict",
    "create index if not exists model_calls_of_games on model_calls (game)",
    "create table if not exists model_texts (digest text primary key, content blob not null) strict",
)

LEAGUE_TABLES: Final = (
    "create table if not exists league_owners (name text primary key, joined text not null) strict",
    # of a token only a hash is kept; `ends` and `revoked` in UTC
    "create table if not exists league_tokens (number integer primary key, owner text not null, role text not null, "
    "hash blob not null, made text not null, ends text, revoked text) strict",
    # `upload` is the archive in uploads/, "" once the files in bots/ are complete; `tries` counts validations begun
    "create table if not exists league_submissions (number integer primary key, owner text not null, bot text not "
    "null, version integer not null, digest text not null, bytes integer not null, upload text not null, state text "
    "not null, tries integer not null, received text not null, changed text not null) strict",
    "create unique index if not exists league_versions on league_submissions (owner, bot, digest)",
    "create table if not exists league_evidence (submission integer not null, state text not null, at text not null, "
    "seen text not null, primary key (submission, state)) strict",
    # versions that do not come back by the same files
    "create table if not exists league_barred (submission integer primary key, at text not null, who text not null, "
    "why text not null) strict",
    "create table if not exists league_audit (number integer primary key, at text not null, who text not null, what "
    "text not null, about text not null) strict",
    # the lines of the audit trail whose facts are in these tables: all but those that an earlier Pitboss has written
    "create table if not exists league_changes (number integer primary key) strict",
    # submissions that have been valid, and when first; they may have been refused since, when they were sent again
    "create table if not exists league_valid (submission integer primary key, valid_at text not null) strict",
    # uploads that have begun, which count whatever becomes of them; `number` as in league_changes
    "create table if not exists league_uploads (number integer primary key, owner text not null, at text not null) "
    "strict",
    # `rules` in JSON; `held` is null while games are left to play; `number` as in league_changes
    "create table if not exists league_finals (number integer primary key, store text not null, rules text not null, "
    "begun text not null, held text) strict",
    # the last rating of each day; `low` and `high` are the ends of its comparison interval
    "create table if not exists league_history (submission integer not null, day text not null, at text not null, "
    "rating real not null, low real not null, high real not null, games integer not null, "
    "primary key (submission, day)) strict",
    # games of people against bots: a row for each person and bot of a deal, by their numbers in the `store`; `name` is
    # "" if the person has said none, and `score` 1 if the person came in before the bot, a tie half
    "create table if not exists league_people (store text not null, deal integer not null, person integer not null, "
    "bot integer not null, at text not null, name text not null, submission integer not null, points real not null, "
    "bot_points real not null, score real not null, primary key (store, deal, person, bot)) strict, without rowid",
    # what grades rest on: when submissions of an owner end, in UTC; who is in a group, which is an owner; and what was
    # frozen, in JSON, without the names of people (`league.term_book`)
    "create table if not exists league_extensions (owner text primary key, until text not null, at text not null) "
    "strict",
    "create table if not exists league_members (person text primary key, owner text not null, at text not null) strict",
    # who was in a group when the standings were frozen: final grades go by these
    "create table if not exists league_graded_members (person text primary key, owner text not null, at text not null) "
    "strict",
    "create table if not exists league_snapshots (number integer primary key, at text not null, kind text not null, "
    "content text not null) strict",
    # how owners are called before others: `display` is "" if they have chosen nothing, and `chosen` when they did
    "create table if not exists league_names (owner text primary key, pseudonym text not null unique, display text not "
    "null, chosen text not null) strict",
    # names of bots that belonged to an owner in the season before, and nobody else may take
    "create table if not exists league_held_names (bot text primary key, owner text not null) strict",
    # what the program of a hook was told last of each submission; the row of submission 0 says that there is a hook
    "create table if not exists league_told (submission integer primary key, event text not null, received text not "
    "null) strict",
    # the folders into which the league was copied, and when last
    "create table if not exists league_copies (path text primary key, at text not null) strict",
    *(
        f"create trigger if not exists league_audit_{event} before {event} on league_audit begin "
        "select raise(abort, 'the audit trail of a league only grows'); end"
        for event in ("update", "delete")
    ),
)


def latest_version(migrations: Migrations) -> int:
    """Return the version after all migrations."""
    return max(migrations) + 1


def needs_migration(db: sqlite3.Connection, path: Path, migrations: Migrations = MIGRATIONS) -> bool:
    """Return whether a store has an older schema that must be changed before it can be read.

    Raises:
        ConfigError: it is no store, or its schema is unknown.
    """
    [version] = db.execute("pragma user_version").fetchone()
    wanted = latest_version(migrations)
    if version == wanted:
        return False
    if not version and has_table(db, "league_submissions"):
        raise ConfigError(f"{path}: the store of a league in which no game has been played yet")
    if version in migrations:
        return any(migrations[number] for number in range(version, wanted))
    if version > wanted and has_table(db, "tournament"):
        raise ConfigError(
            f"{path}: made by a newer Pitboss (schema {version}; this one reads {min(migrations)} to {wanted})"
        )
    raise ConfigError(
        f"{path}: not a store of this Pitboss (schema {version}; it reads schema {min(migrations)} to {wanted})"
    )


def check_objects(db: sqlite3.Connection, path: Path) -> None:
    """Check that the tables of a store are tables that a Pitboss has made: a view in place of one may never end.

    Tables and indexes that others have added are not read, and may be there.

    Raises:
        StoreError: another object has the name of a table of a store, or there are views or triggers of others.
    """
    known = _known_objects()
    names = {name for _, name, _ in known}
    for kind, name, statement in db.execute("select type, name, sql from sqlite_master"):
        if (kind, name, statement) not in known and (name in names or kind in ("view", "trigger")):
            raise StoreError(f"{path}: cannot be read: no Pitboss has made its {kind} {name!r}")


@cache
def _known_objects() -> frozenset[tuple[str, str, str]]:
    """Return the objects of stores of each version: type, name and statement, as SQLite writes it."""
    added = {statement for statements in MIGRATIONS.values() for statement in statements}
    found = set()
    with closing(sqlite3.connect(":memory:")) as db:
        for statements in (
            [one for one in TABLES if one not in added],
            *MIGRATIONS.values(),
            (
                LUCK_TABLE,
                MACHINES_TABLE,
                RUN_LEVELS_TABLE,
                *OVERLAP_TABLES,
                *LEAGUE_TABLES,
                *MODEL_TABLES,
                *KEPT_STANDINGS,
            ),
        ):
            for statement in statements:
                db.execute(statement)
            found |= set(db.execute("select type, name, sql from sqlite_master"))
    return frozenset(found)


def migrate(db: sqlite3.Connection, migrations: Migrations = MIGRATIONS) -> None:
    """Bring a store to the latest version. Must run in a transaction."""
    [version] = db.execute("pragma user_version").fetchone()
    for number in range(version, latest_version(migrations)):
        are_ends_broken = number == ENDS_FROM and "ends" in find_broken_seals(db)
        for statement in migrations[number]:
            db.execute(statement)
        db.execute(f"pragma user_version = {number + 1}")
        if number == SEALED_FROM:
            seal_all(db)
        if number == ENTRIES_FROM:
            is_broken = "tournament" in find_broken_seals(db)
            _separate_entries(db)
            seal(db, "entries", "rosters", "dictionary", *([] if is_broken else ["tournament"]))
        if number == ENDS_FROM:
            _mark_complete_ends(db)
            if not are_ends_broken:
                seal(db, "ends")


def migrate_file(path: Path) -> None:
    """Bring the file of a store to the latest version."""
    with translate_errors(path, "opened as a store"), closing(open_database(path)) as db:
        needs_migration(db, path)  # or it cannot be migrated
        check_objects(db, path)
        with transaction(db):
            migrate(db)


def create_if_empty(path: Path, header: Header) -> None:
    """Create the tables in a new or empty file, or in one that has only those of a league, in one transaction."""
    with (
        translate_errors(path, "opened as a store"),
        closing(open_database(path, for_writing=True)) as db,
    ):
        db.execute(f"pragma page_size = {PAGE_BYTES}")  # of a new file
        _create_tables(db, header)


def _create_tables(db: sqlite3.Connection, header: Header) -> None:
    with transaction(db):
        [version] = db.execute("pragma user_version").fetchone()
        is_new = db.execute("select 1 from sqlite_master").fetchone() is None
        if is_new or (not version and has_table(db, "league_submissions")):
            if is_new:
                number_file(db)
            for statement in TABLES:
                db.execute(statement)
            db.execute(f"pragma user_version = {latest_version(MIGRATIONS)}")
            db.execute("insert into dictionary values (?)", (make_dictionary(header.row, header.bots),))
            db.execute("insert into tournament values ('')")
            write_header(db, replace(header, entries=stamp_entries(header.entries)))
            seal_all(db)


def write_header(db: sqlite3.Connection, header: Header) -> None:
    """Replace the settings and entries of a tournament. Must run in a transaction."""
    db.execute("update tournament set header = ?", (_to_text(header.row),))
    for table in ("entries", "rosters"):
        db.execute(f"delete from {table}")
    db.executemany(
        "insert into entries values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                *(number, entry.name, entry.version, entry.digest, _to_text(entry.command), _to_text(entry.limits)),
                *(_to_text(entry.own), _to_text(entry.about), entry.folder, _to_text(entry.contents)),
                *(entry.joined, entry.left, entry.why),
            )
            for number, entry in enumerate(header.entries)
        ],
    )
    db.executemany(
        "insert into rosters values (?, ?, ?)",
        [(roster.first_round, _to_text(roster.entries), roster.deals) for roster in header.rosters],
    )


def read_header(db: sqlite3.Connection) -> Header | None:
    """Return the settings and entries of a tournament; None if there are none.

    Raises:
        sqlite3.Error, msgspec.MsgspecError: they cannot be read.
    """
    row = db.execute("select header from tournament").fetchone()
    if row is None:
        return None
    plain = msgspec.json.decode(row[0], type=HeaderRow)
    entries = [
        Entry(
            name=name,
            version=version,
            command=msgspec.json.decode(command, type=tuple[str, ...]),
            limits=msgspec.json.decode(limits, type=Limits),
            own=msgspec.json.decode(own, type=OwnSettings),
            about=msgspec.json.decode(about, type=BotAbout),
            folder=folder,
            contents=msgspec.json.decode(contents, type=dict[str, str]),
            joined=joined,
            left=left,
            why=why,
        )
        for name, version, command, limits, own, about, folder, contents, joined, left, why in db.execute(
            "select name, version, command, limits, own, about, folder, contents, joined, left, why from entries "
            "order by number"
        )
    ]
    rosters = tuple(
        Roster(first_round=first, entries=msgspec.json.decode(numbers, type=tuple[int, ...]), deals=deals)
        for first, numbers, deals in db.execute("select * from rosters order by first_round")
    )
    settings = {name: getattr(plain, name) for name in HeaderRow.__struct_fields__}
    return Header(**settings, entries=entries, rosters=rosters)


class _EarlierBots(Struct):
    """The bots in a header of schema 2 to 6."""

    bots: list[str]
    commands: list[tuple[str, ...]]
    limits: list[Limits]
    about: list[BotAbout] = []
    contents: list[dict[str, str]] = []


def _separate_entries(db: sqlite3.Connection) -> None:
    """Make rows of the bots that an earlier Pitboss kept in the header."""
    row = db.execute("select header from tournament").fetchone()
    if row is None:
        return  # whoever reads it says so
    settings, earlier = (msgspec.json.decode(row[0], type=kind) for kind in (HeaderRow, _EarlierBots))
    assert isinstance(settings, HeaderRow)
    assert isinstance(earlier, _EarlierBots)
    bots = len(earlier.bots)
    about = earlier.about or [BotAbout()] * bots
    contents = earlier.contents or [{}] * bots
    entries = [
        Entry(name=name, command=command, limits=limits, about=one, contents=files)
        for name, command, limits, one, files in zip(
            earlier.bots, earlier.commands, earlier.limits, about, contents, strict=True
        )
    ]
    plain = {name: getattr(settings, name) for name in HeaderRow.__struct_fields__}
    roster = Roster(first_round=1, entries=tuple(range(bots)), deals=settings.deals)
    header = Header(**{**plain, "lexicographic": bots}, entries=entries, rosters=(roster,))
    db.execute("insert into dictionary values (?)", (make_dictionary(header.row, header.bots),))
    write_header(db, header)


def _mark_complete_ends(db: sqlite3.Connection) -> None:
    """Mark the ends at which a format had played all its rounds: an earlier Pitboss began them with its name."""
    row = db.execute("select header from tournament").fetchone()
    if row is not None:  # a missing header is reported by its reader
        start = f"{msgspec.json.decode(row[0], type=HeaderRow).format.name}: "
        db.execute("update ends set is_complete = 1 where substr(why, 1, ?) = ?", (len(start), start))


def _to_text(value: object) -> str:
    return msgspec.json.encode(value).decode()


def has_table(db: sqlite3.Connection, name: str) -> bool:
    """Return whether there is a table of this name."""
    return db.execute("select 1 from sqlite_master where name = ?", (name,)).fetchone() is not None


def add_audit_line(db: sqlite3.Connection, who: str, what: str, about: str) -> int:
    """Add a line to the audit trail of a league; return the number of the change. Must run in a transaction."""
    number = db.execute(
        "insert into league_audit (at, who, what, about) values (?, ?, ?, ?)", (utc_now(), who, what, about)
    ).lastrowid
    assert number is not None
    db.execute("insert into league_changes values (?)", (number,))
    return number
