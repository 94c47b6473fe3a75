"""Leagues whose games were played on paper: any number of bots, with results of known strengths in the store."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from pitboss.game import resolve_options
from pitboss.protocol.faults import Fault
from pitboss.records.record import Decision, Incident, Record, dumps
from pitboss.table.randomness import Random as CardRandom
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.league_field import draw_up_field
from pitboss_tournament.league.league_folder import read_league
from pitboss_tournament.league.submission import Evidence, Submission
from pitboss_tournament.league.version_folder import digest_folder
from pitboss_tournament.processes.bot_contents import digest_contents
from pitboss_tournament.processes.logs import SeatLog, compress_text
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.store import Store
from tests.league.archives import BOT_TOML
from tests.league.league_process import make_league
from tests.plugins import METADATA, load_registry
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.small_tournaments import load_magpie

SECRET_LOG: Final = "only the owner of {bot} may read this"
SECRET_NOTE: Final = "a note of {bot} to itself"
GOOD: Final = Evidence(is_good=True, seen="it is good")


class PlayedLeague(NamedTuple):
    """The folder of a league, and the token of each owner."""

    folder: Path
    tokens: dict[str, str]

    @property
    def store(self) -> Path:
        """Its store."""
        return self.folder / "league.pitboss"


class LeagueBot(NamedTuple):
    """A version to put into a league."""

    owner: str
    name: str
    state: str = "playing"
    code: str = ""  # of bot.py; "": none that runs


def make_played_league(
    folder: Path, bots: Sequence[LeagueBot], rounds: int, rules: str = "", forfeits: bool = False
) -> PlayedLeague:
    """Make a league in which the first bots are the strongest; with no rounds no game was played."""
    owners = " ".join(dict.fromkeys(bot.owner for bot in bots))
    tokens = make_league(folder, owners=owners, rules=rules)
    with closing(Book(folder / "league.pitboss")) as book:
        for bot in bots:
            add_version(folder, book, bot)
        [host] = book.add_tokens(["teacher"], "host")
        tokens["teacher"] = host.token
        if rounds:
            play_on_paper(folder, book, rounds, forfeits=forfeits)
        for bot, one in zip(bots, book.submissions(), strict=True):
            if bot.state == "retired":
                book.move(one.number, "retired")
    return PlayedLeague(folder, tokens)


def add_version(folder: Path, book: Book, bot: LeagueBot) -> Submission:
    """Put a version into the book, as far as it plays, and its folder where it belongs."""
    part = folder / "bots" / "part"
    part.mkdir(parents=True)
    (part / "bot.toml").write_bytes(BOT_TOML)
    (part / "bot.py").write_text(bot.code or f"{bot} {len(book.submissions())}")
    digest = digest_contents(digest_folder(part))
    one = book.receive(bot.owner, bot.name, digest, 1_000, "x.upload").submission
    if bot.state in ("placing", "playing", "retired"):
        part.rename(folder / "bots" / digest)
        for state in ("building", "checking", "validation", "placing"):
            book.move(one.number, state, None if state == "building" else GOOD)
        if bot.state != "placing":
            book.move(one.number, "playing", GOOD)
    elif bot.state == "refused":
        book.move(one.number, "building")
        book.move(one.number, "refused", Evidence(is_good=False, seen="it does not build", output="gcc: <b>no</b>"))
    if part.is_dir():
        shutil.rmtree(part)
    return book.submission(one.number)


def play_on_paper(folder: Path, book: Book, rounds: int, forfeits: bool = False, seed: str = "paper") -> None:
    """Add games of all versions that play to the store, in rounds of a ladder."""
    league = read_league(folder, load_registry())
    active = [one for one in book.submissions() if one.state in ("placing", "playing")]
    path = league.folder.store
    try:
        with closing(Store(path)) as store:
            was, first = store.header, store.count_games()
    except Exception:  # noqa: BLE001 - it has no tournament yet
        was, first = None, 0
    sys.path.append(str(METADATA))  # the field's registry finds Magpie among the installed plugins
    try:
        header = draw_up_field(league, active, was).begin_in(1).header
    finally:
        sys.path.remove(str(METADATA))
    entries = header.rosters[-1].entries
    with closing(Store.for_run(path, was or header)) as store:
        store.change_header(header)
        games = list(_draw_games(header, entries, rounds, first, seed, forfeits))
        store.add([(game, compress_text(dumps(record)), logs) for game, record, logs in games])


def _draw_games(
    header: Header, entries: Sequence[int], rounds: int, first: int, seed: str, forfeits: bool
) -> Iterator[tuple[GameResult, Record, list[SeatLog]]]:
    rng = Random(seed)
    strengths = tuple(1.6 * (1 - number / len(entries)) for number in range(len(entries)))
    world = SyntheticTournament(strengths=strengths, seats=header.seats, card_share=0.4)
    for number, game in enumerate(world.play_format("ladder", {"rounds": rounds, "placing": 4}, 1, rng), first):
        seats = []
        for seat in game.seats:
            fault = "late" if forfeits and rng.random() < 0.01 else None
            think = {rng.randrange(30 + 5 * (seat.entrant % 7), 110): 9, 60: 1}
            entrant = entries[seat.entrant]
            seats.append(replace(seat, entrant=entrant, fault=fault, decisions=10, think_us=900, think=think))
        played = replace(game, game_id=number, seats=tuple(seats))
        yield played, _make_record(header, played), _make_logs(header, played)


def _make_record(header: Header, game: GameResult) -> Record:
    record = _play_record(header.seats, game.deal % 3)
    names = [header.bots[seat.entrant] for seat in game.seats]
    faults = [number for number, one in enumerate(game.seats) if one.fault]
    incidents = [
        Incident(fault=Fault(kind="late", seat=seat, decision=1, message=SECRET_LOG.format(bot=names[seat])))
        for seat in faults
    ]
    decisions = [replace(one, note=SECRET_NOTE.format(bot=names[one.seat])) for one in record.decisions]
    return replace(record, players=names, decisions=decisions, incidents=incidents)


@cache
def _play_record(seats: int, deal: int) -> Record:
    """Return the record of a game of Magpie, played at random; the bots have no names."""
    magpie = load_magpie()
    options = resolve_options(magpie, seats)
    state, rng = magpie.deal(seats, options, CardRandom(f"{deal}")), CardRandom("choices")
    decisions: list[Decision] = []
    while state.turn is not None:
        action = rng.choice(state.legal())
        decisions.append(Decision(seat=state.turn.seat, action=msgspec.to_builtins(action), us=900))
        state.play(action)
    return Record(
        game="magpie",
        game_version=magpie.version,
        options=msgspec.to_builtins(options),
        seed=f"{deal}",
        players=["" for _ in range(seats)],
        decisions=decisions,
        outcome=state.outcome(),
    )


def _make_logs(header: Header, game: GameResult) -> list[SeatLog]:
    """Return what the bots of a game wrote; like a league, keep it of every tenth game and of those with a fault."""
    if game.game_id % 10 and not any(seat.fault for seat in game.seats):
        return []
    names = [header.bots[seat.entrant] for seat in game.seats]
    return [
        SeatLog(seat, compress_text(SECRET_LOG.format(bot=name).encode()), compress_text(b'> {"type":"hello"}\n'))
        for seat, name in enumerate(names)
    ]
