"""What a league enters: bots, or why it cannot, and what the ladder goes by."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
import trio

from pitboss.errors import ConfigError
from pitboss.plugins.registry import Registry
from pitboss_tournament.counting.counts import Counts
from pitboss_tournament.counting.findings import Findings
from pitboss_tournament.counting.live_counts import LiveCounts
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.ladder_view import LadderView, build_ladder_view
from pitboss_tournament.league.league_field import draw_up_field, enter_files
from pitboss_tournament.league.league_folder import read_league
from pitboss_tournament.store.store import Store
from tests.league.archives import BOT_TOML, GOOD_BOT
from tests.league.league_process import make_league
from tests.league.sealed_leagues import make_valid_league, write_games

pytestmark = pytest.mark.once


def test_a_ladder_of_matchpoints(tmp_path: Path) -> None:
    """A ladder of matchpoints that is computed in memory is that of the store; the league's file may not change what
    its ladder goes by.
    """
    folder = tmp_path / "course"
    make_valid_league(folder)
    file = folder / "league.toml"
    file.write_text(f'score = "matchpoints"\n{file.read_text()}')
    write_games(folder, (1.0, 0.0, -1.0))
    league = read_league(folder, Registry())
    with closing(Store(league.folder.store)) as store:
        live = LiveCounts(store.header)
        for result in store.results():
            live.add(result)
        shown, header = StoredFindings(store), store.header
    shown.anytime = True  # as a league has it, which ends when it likes

    def build(counts: Counts, _: None) -> LadderView:
        return build_ladder_view("1", Findings(counts, anytime=True), submissions)

    with closing(Book(league.folder.store)) as book:
        submissions = book.submissions()
        lines = trio.run(live.compute, lambda: None, build).newcomers
        assert lines == build_ladder_view("1", shown, submissions).newcomers
        file.write_text(file.read_text().replace("matchpoints", "points"))
        with pytest.raises(ConfigError, match=r"score: was \"matchpoints\", is \"points\""):
            draw_up_field(read_league(folder, Registry()), submissions, header)

    assert shown.score_name == "matchpoints %"
    assert sum(line.row.points.mean or 0.0 for line in lines) == pytest.approx(150.0)


def test_a_bot_that_asks_a_language_model(tmp_path: Path) -> None:
    """A league has no models and no key: the bot plays without [model], or in a tournament that has models."""
    make_league(tmp_path / "course", sandbox="none")
    league = read_league(tmp_path / "course", Registry())
    bot = league.folder.bots / "digest"
    bot.mkdir()
    (bot / "bot.toml").write_bytes(BOT_TOML + b'[model]\nname = "main"\n')
    (bot / "bot.py").write_bytes(GOOD_BOT)

    with pytest.raises(ConfigError) as refused:
        enter_files(league, "digest", "ada", "mybot")

    assert str(refused.value) == (
        "it asks a language model ([model] in bot.toml), and a league has none: submit a bot without [model], or let "
        "this one play in a tournament with [models] in its file, by `pitboss run`"
    )


def test_what_bots_of_a_league_are_told_of_each_other(tmp_path: Path) -> None:
    """The bots of a league are told pseudonyms if its file says nothing; a league that has games keeps what they were
    played with.
    """
    folder = tmp_path / "course"
    make_valid_league(folder)
    file = folder / "league.toml"
    rules = "".join(line for line in file.read_text().splitlines(keepends=True) if not line.startswith("opponents"))
    file.write_text(rules)
    assert read_league(folder, Registry()).opponents == "pseudonyms"

    file.write_text(f'opponents = "names"\n{rules}')
    write_games(folder, (1.0, 0.0, -1.0))
    file.write_text(rules)
    league = read_league(folder, Registry())
    with closing(Book(league.folder.store)) as book, closing(Store(league.folder.store)) as store:
        plan = draw_up_field(league, book.submissions(), store.header).begin_in(1).plan
        file.write_text(f'opponents = "pseudonyms"\n{rules}')
        with pytest.raises(ConfigError, match=r"opponents: was \"names\", is \"pseudonyms\""):
            draw_up_field(read_league(folder, Registry()), book.submissions(), store.header)

    assert (league.opponents, plan.opponents, store.header.opponents) == ("names", "names", "names")
