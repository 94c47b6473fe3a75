"""Leagues with valid versions, whose files lie sealed in bots/, and with games that were really played."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Final

import trio
from msgspec.structs import replace

from pitboss.plugins.registry import Registry
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.league_field import draw_up_field
from pitboss_tournament.league.league_folder import LeagueFolder, read_league
from pitboss_tournament.league.submission import Submission
from pitboss_tournament.league.version_folder import digest_folder
from pitboss_tournament.processes.bot_contents import digest_contents, seal_folder
from pitboss_tournament.running.progress_listener import ProgressListener
from pitboss_tournament.running.run_end import RunLimits
from pitboss_tournament.running.tournament import Tournament
from pitboss_tournament.store.store import Store
from tests.league.archives import BOT_TOML, GOOD_BOT
from tests.league.league_process import make_league
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.stored_games import make_stored_game

OWNERS: Final = ("ada", "bob", "cid")


def add_version(folder: Path, owner: str, bot: str, comment: str = "", active_versions: int = 1) -> Submission:
    """Add a valid version to a league, its files sealed in bots/; those of two comments are others."""
    part = folder / "bots" / "part"
    part.mkdir()
    (part / "bot.toml").write_bytes(BOT_TOML)
    (part / "bot.py").write_bytes(GOOD_BOT + f"# {owner} {bot} {comment}\n".encode())
    digest = digest_contents(digest_folder(part))
    part.rename(folder / "bots" / digest)
    seal_folder(folder / "bots" / digest)
    with closing(Book(folder / "league.pitboss")) as book:
        one = book.receive(owner, bot, digest, 100, "x.upload").submission
        for state in ("building", "checking", "validation"):
            book.move(one.number, state)
        return book.move(one.number, "placing", active_versions=active_versions)


def make_valid_league(folder: Path, owners: Sequence[str] = OWNERS) -> dict[str, str]:
    """Make a league of Magpie in which each owner has a valid bot, `ada-bot` and so on; return the tokens."""
    tokens = make_league(folder, owners=" ".join(owners), sandbox="none")
    for owner in owners:
        add_version(folder, owner, f"{owner}-bot")
    return tokens


def play_league(folder: Path, games: int = 24) -> int:
    """Play so many games of a league; return how many they are."""
    league = read_league(folder, Registry())
    with closing(Book(league.folder.store)) as book:
        plan, header = draw_up_field(league, book.submissions(), None, workers=2).begin_in(1)
    with closing(Store.for_run(LeagueFolder(folder).store, header)) as store:
        tournament = Tournament(plan, league.game, store, limits=RunLimits(games=games))
        store.begin_run(0, None)
        trio.run(tournament.run, ProgressListener())
        return store.count_games()


def write_games(folder: Path, strengths: Sequence[float], deals: int = 5) -> None:
    """Write synthetic games of a league of versions of these strengths; there are records, but no real ones."""
    league = read_league(folder, Registry())
    with closing(Book(league.folder.store)) as book:
        _, header = draw_up_field(league, book.submissions(), None).begin_in(1)
    synthetic = SyntheticTournament(strengths=tuple(strengths), seats=2)
    pairs = len(strengths) * (len(strengths) - 1) // 2
    games = synthetic.games(pairs * deals, Random(1))
    with closing(Store.for_run(league.folder.store, header)) as store:
        store.add(
            (replace(game, game_id=number), make_stored_game(number).record, ()) for number, game in enumerate(games)
        )
