"""The book of a league: owners, tokens, submissions, evidence and the audit trail, in tables of its store.

Each method is one transaction; what it wrote is on the disk when it returns. Several processes may have the book open:
`league run`, and commands that make tokens or look at the state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from pitboss.errors import ConfigError, PitbossError
from pitboss.text import join_words, suggest_nearest
from pitboss_tournament.league.finals_rules import FinalsRules, StoredFinals
from pitboss_tournament.league.name_book import NameBook
from pitboss_tournament.league.submission import (
    ACTIVE,
    NEXT_STATES,
    WAITING,
    Evidence,
    Submission,
    SubmissionState,
)
from pitboss_tournament.league.term_book import TermBook
from pitboss_tournament.league.tokens import Role, Token, draw_number, draw_secret, format_token, hash_secret
from pitboss_tournament.plan.names import are_confusable, clean_name, describe_letters
from pitboss_tournament.store.database import translate_errors
from pitboss_tournament.store.rows import utc_now

HOST: Final = "host"  # who does something at the league's own machine, in the audit trail
LEAGUE_ITSELF: Final = "league"  # what happens by itself, in the audit trail
UPLOAD_BEGUN: Final = "upload begun"  # in the audit trail, as the next two
FINALS_BEGUN: Final = "finals begun"
FINALS_HELD: Final = "finals held"


class HistoryPoint(Struct, frozen=True):
    """A rating as it was once."""

    at: str  # in UTC
    rating: float
    low: float  # the ends of its comparison interval
    high: float
    games: int


class PeopleGame(Struct, frozen=True):
    """A person and a bot in a game."""

    store: str  # the name of the file with the game
    deal: int
    person: int  # the number in the store
    bot: int  # the number in the store
    name: str  # of the person; "": none was said
    submission: int  # whose bot it is
    points: float  # of the person
    bot_points: float
    score: float  # 1 if the person came in before the bot, a tie half


class NameTaken(PitbossError):
    """The name of a bot belongs to somebody else."""


class VersionBarred(PitbossError):
    """A version was taken out for good, and its files are sent again."""


class ComeAgain(PitbossError):
    """Somebody has to wait for `seconds` before he may send again."""

    def __init__(self, text: str, seconds: float) -> None:
        super().__init__(text)
        self.seconds = seconds


class Received(NamedTuple):
    """A submission as the book has it, and whether it waits for a validation because of this upload."""

    submission: Submission
    is_queued: bool


class NewToken(NamedTuple):
    """A token that was just made: the one time that it can be shown."""

    owner: str
    token: str


class Book(NameBook, TermBook):
    """The open book of a league. Threads may share it."""

    def add_tokens(
        self, owners: Sequence[str], role: Role = "owner", days: float | None = None, who: str = HOST
    ) -> list[NewToken]:
        """Make a token for each of these owners, all or none.

        Raises:
            ConfigError: a name is reserved for the audit trail, or confusable with the name of another owner.
        """
        if taken := {HOST, LEAGUE_ITSELF}.intersection(owners):
            raise ConfigError(f"{min(taken)!r} is reserved for the audit trail; choose another owner name")
        made: list[NewToken] = []
        ends = None if days is None else _format_time(datetime.now(UTC) + timedelta(days=days))
        with self._writing():
            for owner in owners:
                self._check_owner(owner)
                secret, number, now = draw_secret(), self._draw_free_number(), utc_now()
                self._db.execute("insert or ignore into league_owners values (?, ?)", (owner, now))
                self._db.execute(
                    "insert into league_tokens (number, owner, role, hash, made, ends) values (?, ?, ?, ?, ?, ?)",
                    (number, owner, role, hash_secret(secret), now, ends),
                )
                self._note(who, "token made", f"token {number} of {owner}, role {role}, ends {ends or 'never'}")
                made.append(NewToken(owner, format_token(number, secret)))
        return made

    def adopt_token(self, token: Token) -> None:
        """Let a token of another league open this one, too, and take its owner; revoke a token that was revoked there.

        Raises:
            ConfigError: the name of the owner is confusable with that of another one.
        """
        own = self.find_token(token.number)
        if own == token or (own is not None and (own.hash != token.hash or token.revoked is None)):
            return
        with self._writing():
            if own is None:
                self._check_owner(token.owner)
                self._db.execute("insert or ignore into league_owners values (?, ?)", (token.owner, utc_now()))
                names = ", ".join(Token.__struct_fields__)
                self._db.execute(f"insert into league_tokens ({names}) values (?, ?, ?, ?, ?, ?, ?)", astuple(token))
                about = f"token {token.number} of {token.owner}, role {token.role}, as in another league of the class"
                self._note(LEAGUE_ITSELF, "token made", about)
            elif own.revoked is None:
                self._db.execute("update league_tokens set revoked = ? where number = ?", (token.revoked, token.number))
                about = f"token {token.number} of {token.owner}, as in another league of the class"
                self._note(LEAGUE_ITSELF, "token revoked", about)

    def check_new_owner(self, name: str, but: str) -> None:
        """Check that an owner, `but`, may be called so from now on.

        Raises:
            ConfigError: it is the name of another owner, reserved, or confusable with the name of another one.
        """
        if name in (HOST, LEAGUE_ITSELF):
            raise ConfigError(f"{name!r} is reserved for the audit trail; choose another owner name")
        if name in self.owners():
            raise ConfigError(f"there is an owner {name!r} already")
        self._check_owner(name, but)

    def _check_owner(self, owner: str, but: str = "") -> None:
        known = self.owners()
        for other in (one for one in known if one != but) if owner not in known else ():
            if are_confusable(owner, other):
                both = f"{describe_letters(owner)} and {describe_letters(other)}"
                raise ConfigError(
                    f"the owners {both} look alike: write the name as before, or call one of them otherwise"
                )

    def _draw_free_number(self) -> int:
        while self.find_token(number := draw_number()) is not None:
            pass
        return number

    def tokens(self) -> list[Token]:
        """Return all tokens, the oldest first; those of one second by their owners."""
        rows = self._token_rows("order by made, owner, number")
        return [msgspec.convert(row, Token, strict=False) for row in rows]

    def find_token(self, number: int) -> Token | None:
        """Return a token; None if there is none of this number."""
        return next((msgspec.convert(row, Token) for row in self._token_rows("where number = ?", number)), None)

    def _token_rows(self, which: str, *values: object) -> list[dict[str, Any]]:
        names = ", ".join(Token.__struct_fields__)
        return self._select(f"select {names} from league_tokens {which}", *values)

    def revoke_tokens(self, is_meant: Callable[[Token], bool], who: str = HOST) -> list[Token]:
        """Revoke the tokens that are meant, and return those that were not revoked before."""
        with self._writing():
            found = [token for token in self.tokens() if token.revoked is None and is_meant(token)]
            for token in found:
                self._db.execute("update league_tokens set revoked = ? where number = ?", (utc_now(), token.number))
                self._note(who, "token revoked", f"token {token.number} of {token.owner}")
        return found

    def owners(self) -> list[str]:
        """Return the names of all owners."""
        return [str(row["name"]) for row in self._select("select name from league_owners order by name")]

    def check_name(self, owner: str, bot: str) -> str:
        """Check that an owner may call a bot so; return the name as it was first written.

        Names that differ only in capital letters, or in what readers cannot see, are the same.

        Raises:
            NameTaken: it is the name of another owner's bot, or confusable with that.
        """
        known = self._select("select owner, bot from league_submissions union select owner, bot from league_held_names")
        for row in known:
            if row["owner"] == owner and _fold_name(row["bot"]) == _fold_name(bot):
                return str(row["bot"])
        for row in known:
            if row["owner"] != owner and _fold_name(row["bot"]) == _fold_name(bot):
                raise NameTaken(f"the name {row['bot']!r} belongs to another owner; choose another one")
            if row["owner"] != owner and are_confusable(row["bot"], bot):
                both = f"{describe_letters(bot)} and {describe_letters(row['bot'])}"
                raise NameTaken(
                    f"the names {both} look alike, and the latter belongs to another owner; choose another one"
                )
        return bot

    def seconds_until_next(self, owner: str, a_day: int) -> int:
        """Return how long an owner with this limit per 24 hours must wait before the next submission; 0: no wait."""
        now = datetime.now(UTC)
        rows = self._select(
            "select at from league_uploads where owner = ? and at > ? order by number desc limit ?",
            *(owner, _format_time(now - timedelta(days=1)), a_day),
        )
        if len(rows) < a_day:
            return 0
        return max(1, int((datetime.fromisoformat(rows[-1]["at"]) + timedelta(days=1) - now).total_seconds()) + 1)

    def has_sent_since(self, owner: str, time: datetime) -> bool:
        """Whether an owner has begun an upload since a time."""
        return bool(
            self._select("select 1 from league_uploads where owner = ? and at >= ? limit 1", owner, _format_time(time))
        )

    def begin_upload(self, owner: str, bot: str, a_day: int) -> None:
        """Count an upload among those of the owner's day, before its first byte is read.

        Raises:
            NameTaken: it is the name of another owner's bot.
            ComeAgain: there are `a_day` already.
        """
        with self._writing():
            self.check_name(owner, bot)
            if seconds := self.seconds_until_next(owner, a_day):
                raise ComeAgain(f"{owner} has sent {a_day} submissions within 24 hours", seconds)
            number = self._note(owner, UPLOAD_BEGUN, f"as {bot}")
            self._db.execute("insert into league_uploads values (?, ?, ?)", (number, owner, utc_now()))

    def receive(self, owner: str, bot: str, digest: str, size: int, upload: str) -> Received:
        """Take in what was uploaded: another version, or one that is known; the same files are the same version.

        One that was refused or retired is validated again, unless it was barred: that holds for all names of its owner.

        Raises:
            NameTaken: it is the name of another owner's bot.
            VersionBarred: these files of this owner are barred.
        """
        now = utc_now()
        with self._writing():
            bot = self.check_name(owner, bot)
            self._check_not_barred(owner, digest)
            known = self._find("where owner = ? and bot = ? and digest = ?", owner, bot, digest)
            if known:
                [was] = known
                is_queued = "received" in NEXT_STATES[was.state] and was.state not in WAITING
                if is_queued:
                    self._db.execute(
                        "update league_submissions set state = 'received', tries = 0, upload = ?, bytes = ?, "
                        "received = ?, changed = ? where number = ?",
                        (upload, size, now, now, was.number),
                    )
                    self._db.execute("delete from league_evidence where submission = ?", (was.number,))
                self._note(owner, "sent again", f"submission {was.number} ({was.label}), which is {was.state}")
                return Received(self.submission(was.number), is_queued)
            others = self._find("where digest = ? and owner <> ?", digest, owner)
            [last] = self._db.execute(
                "select max(version) from league_submissions where owner = ? and bot = ?", (owner, bot)
            ).fetchone()
            number = self._db.execute(
                "insert into league_submissions (owner, bot, version, digest, bytes, upload, state, tries, received, "
                "changed) values (?, ?, ?, ?, ?, ?, 'received', 0, ?, ?)",
                (owner, bot, (last or 0) + 1, digest, size, upload, now, now),
            ).lastrowid
            assert number is not None
            received = self.submission(number)
            self._note(owner, "submitted", f"submission {number} ({received.label}), digest {digest}")
            for one in others:
                about = f"submissions {one.number} of {one.owner} and {number} of {owner}, digest {digest}"
                self._note(LEAGUE_ITSELF, "same files", about)
        return Received(received, True)

    def _check_not_barred(self, owner: str, digest: str) -> None:
        rows = self._select(
            "select bot, version, at, league_barred.who, why from league_submissions join league_barred "
            "on submission = number where owner = ? and digest = ?",
            *(owner, digest),
        )
        for row in rows:
            why = f" ({row['why']})" if row["why"] else ""
            raise VersionBarred(
                f"these files are {row['bot']}@{row['version']}, which {row['who']} took out at {row['at']}{why}; the "
                "same files do not come back"
            )

    def submission(self, number: int) -> Submission:
        """Return a submission.

        Raises:
            ConfigError: there is none of this number.
        """
        found = self._find("where number = ?", number)
        if not found:
            raise ConfigError(f"there is no submission {number}")
        return found[0]

    def submissions(self) -> list[Submission]:
        """Return all submissions in the order of arrival."""
        return self._find("order by number")

    def list_valid(self) -> set[int]:
        """Return the numbers of the submissions that have been valid, also if they were refused when sent again."""
        return {int(row["submission"]) for row in self._select("select submission from league_valid")}

    def list_waiting(self) -> list[Submission]:
        """Return the submissions that wait for the validator: the first of each owner, then the second, and so on."""
        waiting = [one for one in self._find("order by received, number") if one.state in WAITING]
        earlier = Counter[str]()
        turns = []
        for one in waiting:
            turns.append((earlier[one.owner], one))
            earlier[one.owner] += 1
        return [one for _, one in sorted(turns, key=itemgetter(0))]

    def find_shared(self) -> list[tuple[str, list[Submission]]]:
        """Return the digests that several owners have sent, each with the submissions."""
        found: dict[str, list[Submission]] = {}
        for one in self.submissions():
            found.setdefault(one.digest, []).append(one)
        return [(digest, same) for digest, same in found.items() if len({one.owner for one in same}) > 1]

    def begin_try(self, number: int) -> int:
        """Count that the validation of a submission begins now; return how often it has."""
        with self._writing():
            self._db.execute("update league_submissions set tries = tries + 1 where number = ?", (number,))
            return self.submission(number).tries

    def move(
        self,
        number: int,
        state: SubmissionState,
        evidence: Evidence | None = None,
        *,
        active_versions: int | None = None,
        who: str = LEAGUE_ITSELF,
        why: str = "",
    ) -> Submission:
        """Bring a submission into a state; `evidence` is that of the state which it leaves.

        Once it is built or refused its archive is needed no more, and the book forgets it. `who` and `why` are for the
        audit trail.
        Older versions of its name are retired if more than `active_versions` would play.

        Raises:
            ConfigError: it cannot get there from where it is.
        """
        with self._writing():
            was = self.submission(number)
            if state not in (was.state, *NEXT_STATES[was.state]):
                raise ConfigError(f"submission {number} is {was.state}, and cannot become {state}")
            now = utc_now()
            if evidence is not None:
                self._db.execute(
                    "insert or replace into league_evidence values (?, ?, ?, ?)",
                    (number, was.state, now, msgspec.json.encode(evidence).decode()),
                )
            if state != was.state:
                upload = was.upload if state == "building" else ""  # later they are in bots/, or it is refused
                self._db.execute(
                    "update league_submissions set state = ?, upload = ?, changed = ? where number = ?",
                    (state, upload, now, number),
                )
                if state == "placing":
                    self._db.execute("insert or ignore into league_valid values (?, ?)", (number, now))
                self._note(who, state, f"submission {number} ({was.label} of {was.owner}){why and f': {why}'}")
            if active_versions is not None:
                self._retire_older(was, active_versions)
            return self.submission(number)

    def retire(
        self, numbers: Sequence[int], why: str = "", *, who: str = HOST, is_barred: bool = True
    ) -> list[Submission]:
        """Take versions out, all or none: they play no more, and keep their games and ratings.

        `is_barred`: they do not come back by the same files (see `receive`), and their owner reads why.

        Raises:
            ConfigError: one of them is not among those that play.
        """
        retired = list[Submission]()
        with self._writing():
            for number in numbers:
                was = self.submission(number)
                if was.state == "retired":
                    raise ConfigError(f"{was.label} of {was.owner} is retired already, since {was.changed}")
                if was.state not in ACTIVE:
                    raise ConfigError(f"{was.label} of {was.owner} is {was.state}, and can be retired once it is valid")
                evidence = None
                if is_barred:
                    barred = (number, utc_now(), who, why)
                    self._db.execute("insert or replace into league_barred values (?, ?, ?, ?)", barred)
                    evidence = Evidence(is_good=False, seen=f"{who} took it out{why and f': {why}'}")
                retired.append(self.move(number, "retired", evidence, who=who, why=why))
        return retired

    def find_active(self, said: str) -> list[Submission]:
        """Return the versions that a person means by NAME@VERSION, or all active ones of NAME.

        Raises:
            ConfigError: there is none.
        """
        name, sign, version = said.partition("@")
        same = [one for one in self.submissions() if _fold_name(one.bot) == _fold_name(name)]
        if not same:
            near = suggest_nearest(name, {one.bot for one in self.submissions()})
            raise ConfigError(f"no bot of this league is called {name!r}{near}")
        found = [one for one in same if (str(one.version) == version if sign else one.state in ACTIVE)]
        if not found:
            there = join_words((f"{one.label} ({one.state})" for one in same), "and")
            what = f"there is no version {said!r}" if sign else f"no version of {name!r} plays"
            raise ConfigError(f"{what}; there is {there}")
        return found

    def _retire_older(self, newest: Submission, active_versions: int) -> None:
        same = self._find("where owner = ? and bot = ? order by received desc, number desc", newest.owner, newest.bot)
        active = [one for one in same if one.state in ACTIVE and one.number != newest.number]
        for one in active[active_versions - 1 :]:
            self.move(one.number, "retired")

    def evidence(self, number: int) -> dict[str, Evidence]:
        """Return the evidence of a submission by state, in the order in which it came."""
        rows = self._select("select state, seen from league_evidence where submission = ? order by rowid", number)
        with translate_errors(self.path, "read"):
            return {row["state"]: msgspec.json.decode(row["seen"], type=Evidence) for row in rows}

    def note_history(self, points: Mapping[int, HistoryPoint]) -> None:
        """Keep ratings, by submission: of each day the last."""
        rows = [(number, point.at[:10], *astuple(point)) for number, point in points.items()]
        with self._writing():
            self._db.executemany("insert or replace into league_history values (?, ?, ?, ?, ?, ?, ?)", rows)

    def history(self) -> dict[int, list[HistoryPoint]]:
        """Return the ratings of earlier days and of this one, by submission, the oldest first."""
        found: dict[int, list[HistoryPoint]] = {}
        for row in self._select("select * from league_history order by day, submission"):
            number, _, *point = row.values()
            found.setdefault(number, []).append(HistoryPoint(*point))
        return found

    def add_people_games(self, games: Iterable[PeopleGame]) -> None:
        """Keep games of people against bots; of a deal that people have played again, the first game stays."""
        rows = [(*astuple(game)[:4], utc_now(), *astuple(game)[4:]) for game in games]
        with self._writing():
            self._db.executemany("insert or ignore into league_people values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def people_games(self) -> list[PeopleGame]:
        """Return the games of people against bots."""
        names = ", ".join(PeopleGame.__struct_fields__)
        return [
            PeopleGame(**row)
            for row in self._select(f"select {names} from league_people order by at, store, deal, person, bot")
        ]

    def begin_finals(self, store: str, rules: FinalsRules, field: str) -> None:
        """Keep that finals begin in a store; `field` says for the audit trail who plays."""
        with self._writing():
            number = self._note(HOST, FINALS_BEGUN, f"{store}: {rules}: {field}")
            row = (number, store, msgspec.json.encode(rules).decode(), utc_now())
            self._db.execute("insert into league_finals values (?, ?, ?, ?, null)", row)

    def end_finals(self, store: str, result: str) -> None:
        """Keep that the last finals that began in a store are held; `result` is for the audit trail.

        Nothing changes if they are held already.
        """
        with self._writing():
            found = self.find_finals(store)
            if found is not None and found.held is None:
                self._note(HOST, FINALS_HELD, f"{store}: {result}")
                self._db.execute("update league_finals set held = ? where number = ?", (utc_now(), found.number))

    def list_finals_stores(self) -> list[str]:
        """Return the stores of finals: each a file name in the league's folder, else a path."""
        return [str(row["store"]) for row in self._select("select distinct store from league_finals order by store")]

    def find_finals(self, store: str) -> StoredFinals | None:
        """Return the last finals that began in a store; None if none did."""
        rows = self._select("select * from league_finals where store = ? order by number desc limit 1", store)
        if not rows:
            return None
        with translate_errors(self.path, "read"):
            return msgspec.convert({**rows[0], "rules": msgspec.json.decode(rows[0]["rules"])}, StoredFinals)

    def _find(self, which: str, *values: object) -> list[Submission]:
        names = ", ".join(Submission.__struct_fields__)
        with translate_errors(self.path, "read"):
            rows = self._select(f"select {names} from league_submissions {which}", *values)
            return [msgspec.convert(row, Submission) for row in rows]


def open_book(path: Path) -> Book:
    """Open the book of a league that exists.

    Raises:
        ConfigError: there is no such file.
        StoreError: it cannot be opened.
    """
    if not path.is_file():
        raise ConfigError(f"{path}: there is no such file; `pitboss league init` makes it")
    return Book(path)


def _fold_name(name: str) -> str:
    return clean_name(name).casefold()


def _format_time(time: datetime) -> str:
    return time.isoformat(timespec="seconds")
