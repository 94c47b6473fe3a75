"""The table of several games: who is one entrant, what is known by game and over games, and the page of it."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from statistics import fmean
from typing import Final

import msgspec
import pytest

from pitboss.errors import ConfigError
from pitboss.game import resolve_options
from pitboss_tournament.exchange.pooling import group_by_game, open_pooled
from pitboss_tournament.processes.bot_contents import digest_contents
from pitboss_tournament.reporting.games_page import NOT_PLAYED, render_table_markdown, render_table_page
from pitboss_tournament.reporting.games_table import (
    GameInput,
    GamesTable,
    StoreRecords,
    TabledEntrant,
    make_games_table,
)
from tests.plugins import load_registry
from tests.tournament.games_stores import FieldBot, write_game
from tests.tournament.parsed_page import ParsedPage
from tests.tournament.report_stores import ATTACK, ATTACKS

pytestmark = pytest.mark.once

ANN: Final = FieldBot(0.6, {"prompt.md": "aaaa", "bot.toml": "0001"}, "gpt")
BEN: Final = FieldBot(0.0, {"bot.py": "bbbb"})
CAT: Final = FieldBot(0.3, {"bot.py": "cccc"})


def tabulate(*paths: Path, anchor: str | None = None) -> GamesTable:
    """Return the table of some stores, those of one game as one column."""
    with ExitStack() as opened:
        inputs = [
            GameInput(
                opened.enter_context(open_pooled(files)),
                [StoreRecords(path=str(path), games=1, digest="d", commands=["c"]) for path in files],
            )
            for files in group_by_game(paths)
        ]
        return make_games_table(inputs, load_registry(), anchor)


def find(table: GamesTable, name: str) -> TabledEntrant:
    """Return the row of this name."""
    [row] = [one for one in table.entrants if one.name == name]
    return row


def test_one_program_in_several_games_is_one_row(tmp_path: Path) -> None:
    """Bots with one name, files, command and model are one entrant, wherever the folder was, and with a place and a
    rating in each game.
    """
    moved = FieldBot(0.6, ANN.files, "gpt", command=("/b/ann/run",), folder="/b/ann")
    here = FieldBot(0.6, ANN.files, "gpt", command=("/a/ann/run",), folder="/a/ann")
    table = tabulate(
        write_game(tmp_path / "one.pitboss", "one", {"ann": here, "ben": BEN, "cat": CAT}),
        write_game(tmp_path / "two.pitboss", "two", {"cat": CAT, "ben": BEN, "ann": moved}),
    )

    assert [game.name for game in table.games] == ["one", "two"]
    assert sorted(one.name for one in table.entrants) == ["ann", "ben", "cat"]
    ann = find(table, "ann")
    assert (ann.model, ann.prompt, ann.missing) == ("gpt", "aaaa", [])
    assert [result.standing.name for result in ann.games.values()] == ["ann", "ann"]
    assert all(result.standing.rank is not None for result in ann.games.values())


EVE: Final = FieldBot(0.6, {**ANN.files, "bot.toml": "0002"}, "gpt")


@pytest.mark.parametrize(
    ("other", "remarks"),
    [
        (EVE, [digest_contents(bot.files)[:12] for bot in (ANN, EVE)]),
        (FieldBot(0.6, ANN.files, "claude"), ["gpt", "claude"]),
        (FieldBot(0.6, {**ANN.files, "prompt.md": "eeee"}, "gpt"), ["aaaa", "eeee"]),
        (FieldBot(0.6, ANN.files, "gpt", prompt="words2"), ["aaaa", "words2"]),
        (FieldBot(0.6, ANN.files, "gpt", command=("another",)), ["1 of 2", "2 of 2"]),
    ],
)
def test_another_program_of_one_name_is_another_row(tmp_path: Path, other: FieldBot, remarks: list[str]) -> None:
    """Other files, or another model, prompt or command under one name are a row, which says what differs; each row
    lacks a game, and says so.
    """
    table = tabulate(
        write_game(tmp_path / "one.pitboss", "one", {"ann": ANN, "ben": BEN}),
        write_game(tmp_path / "two.pitboss", "two", {"ann": other, "ben": BEN}),
    )

    first, *rows = table.entrants
    assert first.name == "ben"  # only it has all games
    assert {row.name: row.missing for row in rows} == {f"ann ({remarks[0]})": ["two"], f"ann ({remarks[1]})": ["one"]}


def test_means_over_games(tmp_path: Path) -> None:
    """The mean rating and the mean place are those of the games, each as one value, and their intervals are over games:
    two games have a wide one, one game has none.
    """
    field = {"ann": ANN, "ben": BEN, "cat": CAT}
    one, two = (write_game(tmp_path / f"{name}.pitboss", name, field) for name in ("one", "two"))
    both, alone = tabulate(one, two, anchor="ben"), tabulate(one, anchor="ben")

    ratings = [result.rating.mean or 0.0 for result in find(both, "ann").games.values()]
    assert both.zero == "ben"
    assert find(both, "ann").rating.mean == pytest.approx(fmean(ratings))
    assert find(both, "ann").rating.half_width == pytest.approx(12.706 * abs(ratings[0] - ratings[1]) / 2, rel=1e-3)
    assert find(both, "ben").rating.mean == 0.0
    ranks = [result.standing.rank for result in find(both, "ann").games.values()]
    assert find(both, "ann").place.mean == fmean([(rank.best + rank.worst) / 2 for rank in ranks if rank])
    assert find(alone, "ann").rating.mean == pytest.approx(ratings[0])
    assert find(alone, "ann").rating.half_width is None


def test_the_zero_is_in_each_game(tmp_path: Path) -> None:
    """Ratings are counted from a bot that is in all games, one without a model before others; without such a bot there
    are places, and no ratings.
    """
    one = write_game(tmp_path / "one.pitboss", "one", {"ann": ANN, "cat": CAT, "ben": BEN})
    two = write_game(tmp_path / "two.pitboss", "two", {"ann": ANN, "ben": BEN})
    three = write_game(tmp_path / "three.pitboss", "three", {"dan": CAT, "eve": BEN})

    assert tabulate(one, two).zero == "ben"
    apart = tabulate(two, three)
    assert apart.zero is None
    assert {one.rating.mean for one in apart.entrants} == {None}
    assert None not in {one.place.mean for one in apart.entrants}
    page = render_table_page(apart)
    assert ParsedPage(page).errors == [] and "Mean places, 1 is the best" in page


def test_no_entrant_of_the_name(tmp_path: Path) -> None:
    """An anchor that does not play is refused with the names of those that do."""
    path = write_game(tmp_path / "one.pitboss", "one", {"ann": ANN, "ben": BEN})

    with pytest.raises(ConfigError, match=r"--anchor: no entrant is called 'zoe'; there are ann and ben"):
        tabulate(path, anchor="zoe")


def test_the_own_bots_of_games_are_one_row(tmp_path: Path) -> None:
    """The own bot of each game is one entrant, and the zero; a rung of the field is told, with its strength where it
    was measured with these options.
    """
    bots = load_registry().bots
    random = FieldBot(-0.5, command=tuple(bots["house:random"].command))
    fields = {
        game: {"ann": ANN, f"house:{game}": FieldBot(0.5, command=tuple(bots[f"house:{game}"].command)), "rnd": random}
        for game in ("racko", "rummy")
    }
    measured = load_registry().rungs["racko"]
    options = _options_of("racko", measured.preset, measured.seats)
    table = tabulate(
        write_game(tmp_path / "racko.pitboss", "racko", fields["racko"], options=options),
        write_game(tmp_path / "rummy.pitboss", "rummy", fields["rummy"]),
    )

    assert table.zero == "house:GAME"
    own = find(table, "house:GAME")
    assert [result.standing.name for result in own.games.values()] == ["house:racko", "house:rummy"]
    racko, rummy = table.games
    assert racko.name.startswith("Rack-O") and rummy.name == "Basic Rummy (own options)"
    [rung] = [one for one in racko.rungs if one.entrant == "rnd"]
    strength = measured.rungs[rung.rung - 1].strength
    assert measured.rungs[rung.rung - 1].bot == "house:random"
    assert rung.strength is not None and rung.strength.mean == strength
    assert [one.strength for one in rummy.rungs] == [None] * len(rummy.rungs) != []
    ann = find(table, "ann").games[racko.name]
    assert ann.strength.mean is not None and ann.strength.half_width is not None
    assert find(table, "ann").games[rummy.name].strength.mean is None


def test_a_rung_stands_in_for_the_own_bot(tmp_path: Path) -> None:
    """Where the game's own bot does not play, a rung of the field, of known strength, tells the rating above it."""
    measured = load_registry().rungs["racko"]
    random = FieldBot(-0.5, command=tuple(load_registry().bots["house:random"].command))
    options = _options_of("racko", measured.preset, measured.seats)
    table = tabulate(write_game(tmp_path / "r.pitboss", "racko", {"ann": ANN, "rnd": random}, options=options))

    assert table.zero == "house:GAME"
    [rung] = table.games[0].rungs
    assert find(table, "rnd").rating.mean == measured.rungs[rung.rung - 1].strength
    assert find(table, "ann").rating.mean == find(table, "ann").games[table.games[0].name].strength.mean


def _options_of(game: str, preset: str | None, seats: int) -> object:
    return msgspec.json.decode(msgspec.json.encode(resolve_options(load_registry().games[game], seats, preset)))


def test_costs(tmp_path: Path) -> None:
    """Dollars, tokens, the time of a decision and the shares of illegal and unparsed answers are those of the calls;
    points for a dollar has only who is ahead of the field.
    """
    answers = {"chosen": 5, "illegal": 2, "unparsable": 1, "empty": 1, "truncated": 1, "failed": 7, "budget": 3}
    ahead = FieldBot(2.0, ANN.files, "gpt", answers=answers)  # type: ignore[arg-type]
    behind = FieldBot(-2.0, {"prompt.md": "dddd"}, "gpt", answers={"chosen": 4})
    field = {"ann": ahead, "ben": BEN, "dan": behind}
    table = tabulate(write_game(tmp_path / "one.pitboss", "one", field), anchor="ben")

    ann, dan, ben = (find(table, name) for name in ("ann", "dan", "ben"))
    result = ann.games["one"]
    games = result.standing.games
    assert ann.usd == pytest.approx(0.17)
    assert ann.tokens == 1700
    assert (ann.illegal, ann.unparsed) == (0.2, 0.3)
    assert ann.seconds == pytest.approx(17 / result.decisions + 0.002)
    assert result.lead is not None and result.lead > 0
    assert result.points_per_dollar == pytest.approx(result.lead / (0.17 / games))
    assert ann.rating_per_dollar == pytest.approx((ann.rating.mean or 0) / (0.17 / games))
    assert (dan.games["one"].points_per_dollar, dan.rating_per_dollar) == (None, None)
    assert (ben.usd, ben.tokens, ben.illegal, ben.games["one"].model) == (None, None, None, None)


def test_a_disqualified_bot_has_the_last_place(tmp_path: Path) -> None:
    """A bot that is out for its faults is placed behind all others, so that its mean place does not gain by it."""
    field = {"ann": FieldBot(3.0, ANN.files, "gpt", forfeits=1001), "ben": BEN, "cat": CAT}
    table = tabulate(write_game(tmp_path / "one.pitboss", "one", field, blocks=1600))

    assert find(table, "ann").games["one"].standing.rank is None
    assert find(table, "ann").place.mean == 3.0
    assert "out" in render_table_markdown(table)


def test_a_game_in_which_all_play_together(tmp_path: Path) -> None:
    """A game without opponents has points and no places; places and ratings over games are those of the others."""
    field = {"ann": ANN, "ben": BEN, "cat": CAT}
    one = write_game(tmp_path / "one.pitboss", "one", field)
    together = write_game(tmp_path / "two.pitboss", "two", field, sides=((0, 1),))
    table = tabulate(one, together)

    ann, alone = find(table, "ann"), find(tabulate(one), "ann")
    assert (ann.missing, ann.rating, ann.place) == ([], alone.rating, alone.place)
    assert (ann.games["two"].place, ann.games["two"].lead, ann.games["two"].standing.rank) == (None, None, None)
    assert ann.games["two"].standing.points.mean is not None
    page = ParsedPage(render_table_page(table))
    assert page.errors == [] and "All seats play together: there are no places." in page.text


def test_stores_of_one_game_are_one_column(tmp_path: Path) -> None:
    """Two stores of a game are one column with the games of both; other options or seats are another column."""
    field = {"ann": ANN, "ben": BEN}
    one = write_game(tmp_path / "one.pitboss", "one", field, blocks=20)
    two = write_game(tmp_path / "two.pitboss", "one", field, blocks=30)
    three = write_game(tmp_path / "three.pitboss", "one", field, blocks=10, options={"turns": 9})
    table = tabulate(one, two, three)

    assert [(game.name, game.games) for game in table.games] == [("one (1)", 100), ("one (2)", 20)]
    assert [[store.path for store in game.stores] for game in table.games] == [[str(one), str(two)], [str(three)]]


def test_the_page(tmp_path: Path) -> None:
    """The page closes every element, says what was not played, has each record with its command, and is the same each
    time but for the date.
    """
    table = tabulate(
        write_game(tmp_path / "one.pitboss", "one", {"ann": ANN, "ben": BEN}),
        write_game(tmp_path / "two.pitboss", "two", {"ben": BEN, "cat": CAT}),
    )
    page = render_table_page(table, "30 November 2026")
    leaf = ParsedPage(page)

    assert leaf.errors == []
    assert page.replace(", 30 November 2026", "") == render_table_page(table)
    assert {"over-games", "cost", "game-1", "game-2", "records"} <= set(leaf.ids)
    rows = {row[0]: row for row in leaf.rows["places"]}
    assert rows["ann"][4] == rows["cat"][3] == NOT_PLAYED
    assert "ann has not played two." in leaf.text and "Not in this game: cat." in leaf.text
    assert str(tmp_path / "one.pitboss") in leaf.text
    assert leaf.tags.count("svg") == 3


def test_a_table_without_games(tmp_path: Path) -> None:
    """Stores without games have a page."""
    table = tabulate(
        *(write_game(tmp_path / f"{name}.pitboss", name, {"ann": ANN, "ben": BEN}, blocks=0) for name in "ab")
    )

    assert ParsedPage(render_table_page(table)).errors == []
    assert "No places are known yet." in render_table_markdown(table)


def test_hostile_names(tmp_path: Path) -> None:
    """Games, bots, models and files that are attacks, and names of ten thousand letters, are shown as text."""
    safe = ATTACK.replace("\ud800", "")
    hostile = FieldBot(0.5, {"prompt.md": safe, safe: safe}, safe, answers={"chosen": 2}, command=(safe,))
    field = {safe: hostile, "b" * 10_000: BEN}
    table = tabulate(
        write_game(tmp_path / "x' <b>&.pitboss", safe, field),
        write_game(tmp_path / "two.pitboss", "g" * 10_000, field),
    )
    leaf = ParsedPage(page := render_table_page(table))

    assert leaf.errors == []
    assert "script" not in leaf.tags and "img" not in leaf.tags
    assert not {name for _, name, _ in leaf.attributes if name.startswith("on") or name in ("src", "style")}
    assert ATTACKS[0] in leaf.text and "\x1b" not in page and "\u202e" not in page
    assert "<script" not in render_table_markdown(table).replace("\\<", "")
