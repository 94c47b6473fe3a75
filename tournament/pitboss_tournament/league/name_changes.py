"""Names of a league that change: a bot goes to another owner, bots and owners are called otherwise, one is erased.

The league is stopped meanwhile: its tournament has the names in memory. All is written in one transaction of the
store: the league's tables, the entries of the tournament, and the games that name the bots. An erased name is also
taken out of the audit trail, whose lines else never change, of the stores of finals and of people's games, and of the
free pages of the files.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from msgspec import Struct

from pitboss.errors import ConfigError
from pitboss.text import format_count, suggest_nearest
from pitboss_tournament.league.backup import ERASED
from pitboss_tournament.league.book import HOST, LEAGUE_ITSELF, Book, NameTaken, open_book
from pitboss_tournament.league.feedback_book import rename_in_bundles
from pitboss_tournament.league.former_names import (
    RENAMED,
    list_former_bots,
    list_names,
    tell_bot_renamed,
    tell_owner_renamed,
)
from pitboss_tournament.league.league_folder import LEAGUE_FILE, LeagueFolder, hold_league
from pitboss_tournament.league.season_folders import list_seasons_with
from pitboss_tournament.league.seasons import list_seasons
from pitboss_tournament.league.stored_ladder import has_tournament
from pitboss_tournament.league.submission import ACTIVE, WAITING, Submission
from pitboss_tournament.league.workshop.trials import erase_workshop
from pitboss_tournament.plan.names import BotName, clean_name, make_bot_name
from pitboss_tournament.plan.paths import STORE_ENDING
from pitboss_tournament.processes.bot_contents import remove_folder
from pitboss_tournament.store.redaction import Redaction
from pitboss_tournament.store.schema import LEAGUE_TABLES, add_audit_line, has_table
from pitboss_tournament.store.store import Store
from pitboss_tournament.store.stored_names import Renaming, StoredName, open_for_names, rename_entries
from pitboss_tournament.text.validation import InvalidValue, convert_checked

RUNNING: Final = "this league is running; stop it first: `pitboss stop --after-running` with its store lets games end"
HANDED_OVER: Final = "handed over"  # in the audit trail
SIMILAR_PAGE: Final = "similar.html"
SHORTEST_PART: Final = 3  # letters of a word of an owner's name that is looked for in names of bots
AUDIT_TRIGGERS: Final = ("league_audit_update", "league_audit_delete")
BOT_TABLES: Final = ("league_submissions", "league_held_names")  # that say whose bots are
OWNER_COLUMNS: Final = ("owner", "who", "person")  # that hold the name of an owner, and nothing else
PLAIN_COLUMNS: Final = (  # of a league's tables that hold no text in which an owner is named
    *("bot", "state", "role", "digest", "upload", "hash", "day", "at", "made", "ends", "revoked", "received"),
    *("changed", "joined", "begun", "held", "valid_at", "chosen", "store", "pseudonym", "what", "path", "event"),
    *("until", "kind", "content"),  # what is frozen names versions by the numbers of their submissions
)


class Erasure(Struct, frozen=True, kw_only=True):
    """What was done to erase an owner, and where the name may still be."""

    pseudonym: str  # that replaces the name from now on
    bots: dict[str, str]  # whose names held the owner's, with what they are called now
    tokens_revoked: int
    stores: list[str]  # that were written again: of the league, of finals, of games of people
    files_removed: list[str]
    copies: list[str]  # folders into which `league backup` copied the league: they have the name
    seasons: list[str]  # folders of leagues that `league renew` made with the same people: they have the name
    remains: list[str]  # where the name still stands, in sentences


def hand_over(folder: LeagueFolder, bot: str, to: str) -> list[Submission]:
    """Give a bot with all of its versions to another owner; return them.

    In the tournament versions that have played count as those of the former owner when opponents are drawn, and for
    budgets: otherwise nobody could follow how its tables came to be.

    Raises:
        ConfigError: there is no such bot or owner, or the league is running.
    """
    with hold_league(folder, RUNNING):
        with closing(open_book(folder.store)) as book:
            versions = _find_bot(book, bot)
            _check_is_owner(book, to)
        name, was = versions[0].bot, versions[0].owner
        if was == to:
            raise ConfigError(f"{name} is {to}'s already")

        with open_for_names(folder.store) as db:
            for table in BOT_TABLES:
                db.execute(f"update {table} set owner = ? where bot = ?", (to, name))
            add_audit_line(db, HOST, HANDED_OVER, f"{name} of {was} to {to}")
        with closing(open_book(folder.store)) as book:
            return _find_bot(book, name)


def rename_bot(folder: LeagueFolder, bot: str, said: str) -> list[Submission]:
    """Call a bot otherwise, in its games too; return its versions.

    Raises:
        ConfigError: there is no such bot, the name belongs to another one, or the league is running.
    """
    with hold_league(folder, RUNNING):
        with closing(open_book(folder.store)) as book:
            versions, name = _find_bot(book, bot), _check_bot_name(said)
            was, owner = versions[0].bot, versions[0].owner
            try:
                book.check_name(owner, name)
            except NameTaken as error:
                raise ConfigError(str(error)) from None
            if name != was and any(
                one.bot.casefold() == name.casefold() != was.casefold() for one in book.submissions()
            ):
                raise ConfigError(f"{owner} has a bot {name!r} already; two bots do not become one")
        with open_for_names(folder.store) as db:
            _rename_bots(db, {was: name}, None)
            rename_in_bundles(db, was, name)
            add_audit_line(db, HOST, RENAMED, tell_bot_renamed(was, owner, name))
        with closing(open_book(folder.store)) as book:
            return _find_bot(book, name)


def rename_owner(folder: LeagueFolder, owner: str, name: str) -> None:
    """Call an owner otherwise: tokens, bots and limits stay. The audit trail keeps both names.

    Raises:
        ConfigError: there is no such owner, the name is or looks like that of another one, or the league is running.
    """
    with hold_league(folder, RUNNING):
        with closing(open_book(folder.store)) as book:
            _check_is_owner(book, owner)
            book.check_new_owner(name, but=owner)

        def rename(one: StoredName) -> StoredName:
            return StoredName(one.bot, name, one.is_person) if one.owner == owner else one

        with open_for_names(folder.store) as db:
            _rename_in_columns(db, owner, name, but=("league_audit",))
            _rename_tournament(db, Renaming(rename))
            add_audit_line(db, HOST, RENAMED, tell_owner_renamed(owner, name))


def erase_owner(folder: LeagueFolder, owner: str, removes_files: bool) -> Erasure:
    """Put a pseudonym in the place of all names that an owner has or had, wherever the league has them; games stay.

    `removes_files`: the files of the owner's bots go, and these bots play no more.

    Raises:
        ConfigError: there is no such owner, or the league or its finals are running.
    """
    with hold_league(folder, RUNNING):
        with closing(open_book(folder.store)) as book:
            _check_is_owner(book, owner)
            pseudonym, names = book.owner_names()[owner].pseudonym, list_names(book, owner)
            former_bots = list_former_bots(book, names)
            own = [one for one in book.submissions() if one.owner == owner]
            revoked = book.revoke_tokens(lambda token: token.owner == owner)
            removed = _remove_files(folder, book, own) if removes_files else []
            earlier = [*list_seasons(folder).values()]
            bots = _choose_bot_names(book, [*own, *_list_earlier_bots(earlier, names)], names, pseudonym)
            finals, copies = book.list_finals_stores(), book.copies()
        seasons = sorted({path for name in names for path in list_seasons_with(folder, name)})
        former = {bot: _make_stem(pseudonym) for bot in former_bots if bot not in bots and _is_named_after(bot, names)}
        redaction = Redaction({**dict.fromkeys(names, pseudonym), **former, **bots})
        for path in (*earlier, folder.store):
            with open_for_names(path) as db:
                _erase_from_league(db, names, pseudonym, bots, redaction)
                add_audit_line(db, HOST, ERASED, f"an owner, {pseudonym} from now on")
        others = [*(folder.root / name for name in finals), *sorted(folder.people.glob(f"*{STORE_ENDING}"))]
        others = [path for path in others if path.is_file()]
        stores = [folder.store, *earlier, *others]
        renaming = _make_renaming(names, pseudonym, redaction.redact, redaction)
        for path in others:
            with open_for_names(path) as db:
                rename_entries(db, renaming)
        if (page := folder.root / SIMILAR_PAGE).exists():
            page.unlink()
            removed.append(str(page))
    return Erasure(
        pseudonym=pseudonym,
        bots=bots,
        tokens_revoked=len(revoked),
        stores=[str(path) for path in stores],
        files_removed=removed,
        copies=copies,
        seasons=seasons,
        remains=[*_find_remains(folder, stores, [*names, *former, *bots])],
    )


def _find_bot(book: Book, bot: str) -> list[Submission]:
    """Return the versions of a bot."""
    known = book.submissions()
    found = [one for one in known if one.bot.casefold() == clean_name(bot).casefold()]
    if not found:
        near = suggest_nearest(bot, {one.bot for one in known})
        raise ConfigError(f"no bot of this league is called {bot!r}{near}")
    return found


def _check_bot_name(said: str) -> str:
    try:
        name = convert_checked(clean_name(said), BotName)
    except InvalidValue as error:
        raise ConfigError(f"the name of the bot: {error}") from None
    if ":" in name:
        raise ConfigError(f"the name {name!r} has a colon, as only those of the house's bots have in a league")
    return name


def _check_is_owner(book: Book, owner: str) -> None:
    known = book.owners()
    if owner not in known:
        raise ConfigError(f"there is no owner {owner!r}{suggest_nearest(owner, known)}; `pitboss token list` has all")


def _rename_tournament(db: sqlite3.Connection, renaming: Renaming) -> None:
    if has_table(db, "tournament"):
        rename_entries(db, renaming)


def _rename_bots(db: sqlite3.Connection, bots: Mapping[str, str], redaction: Redaction | None) -> None:
    _rename_in_book(db, bots)

    def rename(one: StoredName) -> StoredName:
        return StoredName(bots.get(one.bot, one.bot), one.owner, one.is_person)

    _rename_tournament(db, Renaming(rename, redaction))


def _rename_in_book(db: sqlite3.Connection, bots: Mapping[str, str]) -> None:
    for table in BOT_TABLES:
        db.executemany(
            f"update or replace {table} set bot = ? where bot = ?", [(now, was) for was, now in bots.items()]
        )


def _rename_in_columns(db: sqlite3.Connection, owner: str, name: str, but: Collection[str]) -> None:
    """Put a name in the place of an owner's in all columns that hold owners."""
    db.execute("update league_owners set name = ? where name = ?", (name, owner))
    for table, columns in _list_text_columns(db).items():
        for column in set(columns).intersection(OWNER_COLUMNS) if table not in but else ():
            db.execute(f"update or replace {table} set {column} = ? where {column} = ?", (name, owner))


def _erase_from_league(
    db: sqlite3.Connection, names: Sequence[str], pseudonym: str, bots: Mapping[str, str], redaction: Redaction
) -> None:
    """Take an owner's names out of the tables of a league, also of its audit trail. Must run in a transaction.

    `names`: the name of today first, then others that the owner had, which an earlier season still has.
    """
    owner, *former = names
    for trigger in AUDIT_TRIGGERS:
        db.execute(f"drop trigger if exists {trigger}")
    for name in former:
        _rename_in_columns(db, name, owner, but=())
    own = "select number from league_submissions where owner = ?"
    db.execute(f"delete from league_evidence where submission in ({own})", (owner,))
    db.execute("update league_names set display = '' where owner = ?", (owner,))
    if has_table(db, "league_drafts"):
        db.execute("delete from league_drafts where owner = ?", (owner,))
    for table in ("league_members", "league_graded_members"):
        if has_table(db, table):
            db.execute(f"delete from {table} where owner = ?", (owner,))
    erase_workshop(db, owner)
    _rename_in_columns(db, owner, pseudonym, but=())
    db.create_function("redact", 1, redaction.redact, deterministic=True)
    for table, columns in _list_text_columns(db).items():
        for column in set(columns).difference(OWNER_COLUMNS, PLAIN_COLUMNS):
            if (table, column) != ("league_owners", "name"):
                db.execute(f"update {table} set {column} = redact({column}) where {column} is not null")
    for statement in LEAGUE_TABLES:
        if any(trigger in statement for trigger in AUDIT_TRIGGERS):
            db.execute(statement)
    _rename_in_book(db, bots)
    _rename_tournament(db, _make_renaming(names, pseudonym, lambda bot: bots.get(bot, bot), redaction))


def _make_renaming(names: Sequence[str], pseudonym: str, call: Callable[[str], str], redaction: Redaction) -> Renaming:
    """Return how entries are called of an owner with these names; `call` returns the name of a bot of the owner."""

    def rename(one: StoredName) -> StoredName:
        if one.owner in names:
            return StoredName(call(one.bot), pseudonym, one.is_person)
        return StoredName(redaction.redact(one.bot), one.owner, one.is_person) if one.is_person else one

    return Renaming(rename, redaction)


def _list_text_columns(db: sqlite3.Connection) -> dict[str, list[str]]:
    """Return the columns of text of each of a league's tables."""
    tables = [name for [name] in db.execute("select name from sqlite_master where type = 'table'").fetchall()]
    return {
        table: [str(row[1]) for row in db.execute(f"pragma table_info({table})") if str(row[2]).lower() == "text"]
        for table in tables
        if table.startswith("league_")
    }


def _choose_bot_names(book: Book, own: Sequence[Submission], names: Sequence[str], pseudonym: str) -> dict[str, str]:
    """Return another name for each bot whose name holds a word of one of its owner's names."""
    taken = {one.bot.casefold() for one in book.submissions()}
    chosen = dict[str, str]()
    for one in own:
        if one.bot not in chosen and _is_named_after(one.bot, names):
            stem = _make_stem(pseudonym)
            number, name = 1, stem
            while name.casefold() in taken:
                number += 1
                name = f"{stem}-{number}"
            taken.add(name.casefold())
            chosen[one.bot] = name
    return chosen


def _is_named_after(bot: str, names: Sequence[str]) -> bool:
    """Whether the name of a bot holds a word of one of its owner's names."""
    words = _split_words(" ".join(names))
    parts = {word for word in words if len(word) >= SHORTEST_PART}
    return any(part in bot.casefold() for part in parts) or not words.isdisjoint(_split_words(bot))


def _make_stem(pseudonym: str) -> str:
    return make_bot_name(pseudonym.replace(" ", "-"))


def _list_earlier_bots(stores: Iterable[Path], names: Sequence[str]) -> Iterator[Submission]:
    """Yield what an owner with these names submitted in seasons that are over."""
    for path in stores:
        with closing(open_book(path)) as book:
            yield from (one for one in book.submissions() if one.owner in names)


def _split_words(name: str) -> set[str]:
    return {word for word in re.split(r"[\W_]+", name.casefold()) if word}


def _remove_files(folder: LeagueFolder, book: Book, own: Iterable[Submission]) -> list[str]:
    """Take bots out, and remove their files, unless another owner has sent the same ones; return what was removed."""
    removed = []
    for one in own:
        if one.state in ACTIVE:
            book.retire([one.number], who=LEAGUE_ITSELF, is_barred=False)
        elif one.state in WAITING:
            book.move(one.number, "refused")
        paths = [folder.uploads / one.upload] if one.upload else []
        if not any(other.digest == one.digest and other.owner != one.owner for other in book.submissions()):
            paths.append(folder.bots / one.digest)
        for path in filter(Path.exists, paths):
            if path.is_dir():
                remove_folder(path)
            else:
                path.unlink()
            removed.append(str(path))
    return removed


def _find_remains(folder: LeagueFolder, stores: Iterable[Path], names: Sequence[str]) -> list[str]:
    """Return where names still stand, as words: in seeds of games, in the league's file, in sources of bots."""
    redaction = Redaction(dict.fromkeys(filter(None, names), ""))
    found = list[str]()
    for number, line in enumerate(folder.file.read_text(encoding="utf-8").splitlines(), 1):
        if redaction.is_named_in(line):
            found.append(f"{folder.root / LEAGUE_FILE}, line {number}")
    for store in stores:
        if games := _count_seeds(store, redaction):
            found.append(f"{store}: seeds of {format_count(games, 'game')}, from which the cards follow")
    for path in sorted(folder.bots.rglob("*")):
        if path.is_file() and not path.is_symlink() and redaction.is_named_in(_read_text(path)):
            found.append(str(path))
    return found


def _count_seeds(path: Path, redaction: Redaction) -> int:
    """Return in how many games of a store the seed has one of the names."""
    if not has_tournament(path):
        return 0
    with closing(Store(path)) as store:
        return sum(redaction.is_named_in(seed) for seed in store.seeds())


def _read_text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")
