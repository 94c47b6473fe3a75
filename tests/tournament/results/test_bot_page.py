"""The page of a bot: it has the numbers of standings and report, its utmost games, and tells nothing that is secret."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import msgpack

from pitboss_tournament.counting.notable_games import NotableGames
from pitboss_tournament.counting.report_findings import ReportFindings
from pitboss_tournament.counting.stored_findings import collect_report
from pitboss_tournament.html.elements import markup
from pitboss_tournament.results.columns import choose_columns
from pitboss_tournament.results.standings_rows import list_bot_rows
from pitboss_tournament.statistics.blocks import margins
from pitboss_tournament.store.store import Store
from pitboss_tournament.web.bot_page import bot_page_content
from tests.tournament.parsed_page import ParsedPage
from tests.tournament.report_stores import ATTACK, write_hostile_store, write_tournament_store


def render_bot(store: Store, statistics: ReportFindings, bot: int) -> str:
    """Return the page of a bot, without its frame."""
    return markup(*bot_page_content("friday", statistics, store, bot))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Return the store of a tournament of six bots at tables of three."""
    return Store(write_tournament_store(tmp_path, 6, 3, 60))


def test_the_numbers_of_the_standings(store: Store) -> None:
    """The page has each cell of the bot's line in the standings, and each bot that it met, with the blocks of both."""
    statistics = collect_report(store)
    page = ParsedPage(render_bot(store, statistics, 4))
    rows = list_bot_rows(statistics)
    [own] = [row for row in rows if row.name == "bot-04"]
    met = {row[0]: row[4] for row in page.rows["bot-pairs"][1:]}

    assert page.errors == []
    assert {column.heading for column in choose_columns(rows)} - {"bot"} <= set(page.texts)
    assert f"{own.games:,}" in page.texts
    assert met == {f"bot-{other:02}": f"{statistics.compare_pair(4, other)[0]}" for other in (0, 1, 2, 3, 5)}


def test_its_best_and_worst_games(store: Store) -> None:
    """The best and worst games of a bot have the most and the fewest points above the mean of their tables, and lead to
    their replays.
    """
    page = ParsedPage(render_bot(store, collect_report(store), 2))
    of_games = {
        game.game_id: margin
        for game in store.results()
        for seat, margin in zip(game.seats, margins(game), strict=True)
        if seat.entrant == 2
    }
    in_order = sorted(of_games, key=lambda game: (of_games[game], game))
    best = sorted(of_games, key=lambda game: (-of_games[game], game))
    links = [value for tag, name, value in page.attributes if (tag, name) == ("a", "href")]

    assert [row[0] for row in page.rows["best-games"][1:]] == [f"game {game}" for game in best[:3]]
    assert [row[0] for row in page.rows["worst-games"][1:]] == [f"game {game}" for game in in_order[:3]]
    assert f"/t/friday/games/{best[0]}" in links


def test_luck_makes_no_best_game(store: Store) -> None:
    """The luck of a bot does not count for its best games, where luck is taken out of results."""
    luckless, best = NotableGames(), NotableGames()
    lucky, *others = list(store.results())
    luck = [1e6 if seat == 0 else 0.0 for seat in range(3)]
    for game in (lucky, *others):
        best.consider(game)
        luckless.consider(game, luck if game is lucky else None)
    bot = lucky.seats[0].entrant

    assert lucky.game_id not in [game for _, game in luckless.extremes[bot].highest]
    assert luckless.extremes[bot].lowest[0][1] == lucky.game_id
    assert best.extremes[bot].lowest != luckless.extremes[bot].lowest


def test_utmost_games_that_are_kept(store: Store) -> None:
    """The best and worst games are the same after they were kept as bytes."""
    notable = NotableGames()
    for game in store.results():
        notable.consider(game)

    assert msgpack.decode(msgpack.encode(notable), type=NotableGames) == notable


def test_secrets_and_attacks(tmp_path: Path) -> None:
    """The seed, the path of the store and the commands of bots are not on the page, and what bots wrote is text."""
    store = Store(write_hostile_store(tmp_path))
    page = ParsedPage(whole := render_bot(store, collect_report(store), 0))

    assert page.errors == []
    assert not {"script", "img"} & set(page.tags)
    assert not [name for _, name, _ in page.attributes if name.startswith("on") or name in ("src", "style")]
    assert "First in" in page.text
    assert str(tmp_path) not in whole
    assert "pitboss " not in whole
    assert ATTACK not in whole


def test_the_seed_is_nowhere(store: Store) -> None:
    """The seed of a tournament is not on the pages of its bots."""
    statistics = collect_report(store)

    assert store.header.seed == "test"
    assert not [bot for bot in range(6) if "test" in render_bot(store, statistics, bot)]
