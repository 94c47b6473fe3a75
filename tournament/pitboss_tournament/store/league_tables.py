"""The tables of a league, which lie in its store beside those of the tournament.

They are made when a league is; the version of the schema does not change, and an earlier Pitboss ignores them. A store
may have them before it has a tournament: bots are submitted before the first game is played.

New facts get tables of their own, without triggers: an earlier Pitboss ignores a table that it does not know, and
refuses a store whose tables have other columns, or which has other triggers.

Nothing is decided by the audit trail, which is for people. What an earlier Pitboss wrote into the trail alone is taken
into the tables when the book is opened (`league.audit_migration`).
"""

from __future__ import annotations

import sqlite3
from typing import Final

from pitboss_tournament.store.rows import utc_now

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
    *(
        f"create trigger if not exists league_audit_{event} before {event} on league_audit begin "
        "select raise(abort, 'the audit trail of a league only grows'); end"
        for event in ("update", "delete")
    ),
)


def add_audit_line(db: sqlite3.Connection, who: str, what: str, about: str) -> int:
    """Add a line to the audit trail of a league; return the number of the change. Must run in a transaction."""
    number = db.execute(
        "insert into league_audit (at, who, what, about) values (?, ?, ?, ?)", (utc_now(), who, what, about)
    ).lastrowid
    assert number is not None
    db.execute("insert into league_changes values (?)", (number,))
    return number
