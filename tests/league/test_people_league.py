"""People play against the bots of a league in a lobby: by its rules, and apart from its ladder."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from pitboss_tournament.league.book import Book, PeopleGame
from pitboss_tournament.league.people_results import NAMELESS_PEOPLE, count_people
from pitboss_tournament.processes.sandbox_probe import resolve_sandbox
from tests.browser.lobby_page import LobbyServer, SocketPerson, open_lobby
from tests.league.league_process import run_league
from tests.league.sealed_leagues import OWNERS, make_valid_league, play_league
from tests.tournament.command_line import run_pitboss

GAMES_BEFORE = 24


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """Return a league of three bots that have played; people may play against two of them."""
    folder = tmp_path / "course"
    make_valid_league(folder)
    assert play_league(folder, GAMES_BEFORE) == GAMES_BEFORE
    open_to_people(folder, 2)
    return folder


def open_to_people(folder: Path, bots: int) -> None:
    """Let people play against the best `bots` bots of a league."""
    file = folder / "league.toml"
    text = file.read_text().replace('sandbox = "none"', 'sandbox = "auto"')
    file.write_text(text.replace("[league]", f"[limits]\nmemory_mb = 555\n[league]\nopen_to_people = {bots}"))


def find_invitation(server: LobbyServer) -> str:
    """Return the path to which the invitation leads that the host sees in the lobby."""
    found = re.search(r'href="http://[^/"]+(/league/[\w-]+)"', server.ask("GET", "/", Cookie=server.host_cookie).text)
    assert found
    return found[1]


def list_offered(server: LobbyServer, path: str) -> list[str]:
    """Return the bots that a guest can choose."""
    return re.findall(r'<option value="([^"]+)"', server.ask("GET", path).text)


def open_table(server: LobbyServer, path: str, name: str, bot: str) -> SocketPerson:
    """Return a new guest who has chosen a bot."""
    answer = server.send(path, name=name, seat1=bot)
    assert answer.status == 303, answer.text
    return SocketPerson(server, answer.headers["location"], answer.cookie)


@pytest.mark.once
def test_people_play_against_the_best_bots(tmp_path: Path, league: Path) -> None:
    """By the invitation a guest chooses one of the best bots and plays. Lobby and ladder show how people have fared, by
    the names that they have given; games and ratings of the league stay as they are.
    """
    before = run_pitboss("standings", str(league / "league.pitboss"), "--json").out
    with open_lobby(tmp_path, "--league", str(league)) as server:
        path = find_invitation(server)
        offered = list_offered(server, path)
        ann = open_table(server, path, "Ann", offered[0])
        ann.play_to_the_end()
        ann.choose_next()
        ann.play_to_the_end()
        open_table(server, path, "", offered[1]).play_to_the_end()
        shown = server.ask("GET", path).text
        lobby = server.ask("GET", "/", Cookie=server.host_cookie).text
        server.stop()
    with run_league(league, "--no-play") as running:
        ladder = running.ask("GET", "/").value
    with closing(Book(league / "league.pitboss")) as book:
        games = book.people_games()
    after = run_pitboss("standings", str(league / "league.pitboss"), "--json").out

    assert len(offered) == 2
    assert set(offered) < {f"{owner}-bot v1" for owner in OWNERS}
    assert [(game.name, game.deal) for game in games] == [("Ann", 0), ("Ann", 1), ("", 0)]
    assert len({game.submission for game in games}) == 2
    for page in (shown, lobby, ladder):
        assert "3 games, apart from the ladder" in page
        assert ">Ann<" in page
        assert NAMELESS_PEOPLE in page
    assert "Guest" not in shown + ladder
    assert before == after
    assert sorted(path.parent.name for path in tmp_path.rglob("*Ann*.pitboss")) == ["people"]
    assert list(tmp_path.glob("*.pitboss")) == []


@pytest.mark.once
def test_an_unfinished_game_against_a_bot(tmp_path: Path, league: Path) -> None:
    """After a kill a guest goes on by the same name and bot, and a game that ended before counts once. The bot has the
    limits and the sandbox of the league.
    """
    with open_lobby(tmp_path, "--league", str(league)) as server:
        path = find_invitation(server)
        bot = list_offered(server, path)[0]
        ann = open_table(server, path, "Ann", bot)
        ann.play_to_the_end()
        ann.choose_next()
        ann.play()
        table = re.findall(r'href="(/table/[\w-]+)\?look"', server.ask("GET", "/", Cookie=server.host_cookie).text)[0]
        server.send(f"{table}/leave")  # of somebody else
        is_there = server.ask("GET", table).status
        server.process.kill()
        server.process.wait()
    [journal] = (league / "people").glob("*.unfinished")
    plan = json.loads(journal.read_text().partition("\n")[0])["plan"]
    with closing(sqlite3.connect(league / "league.pitboss")) as db:
        db.execute("delete from league_people")  # as if the kill had come before the book was told
        db.commit()
    with open_lobby(tmp_path, "--league", str(league)) as server:
        again = open_table(server, find_invitation(server), "Ann", bot)
        decisions = again.game["data"]["decisions"]
        again.play_to_the_end()
    with closing(Book(league / "league.pitboss")) as book:
        games = book.people_games()

    assert is_there == 200
    assert decisions
    assert plan["sandbox"] == resolve_sandbox("auto")[0]
    assert plan["entrants"][1]["limits"]["memory_mb"] == 555
    assert {str(league / "league.pitboss"), str(journal)} <= {*plan["entrants"][1]["hidden"]}
    assert [game.deal for game in games] == [0, 1]


@pytest.mark.once
def test_what_guests_of_a_league_may_not_do(tmp_path: Path, league: Path) -> None:
    """A guest cannot play against other bots, by the name of a bot, or at two tables; pages name no file of a bot."""
    with open_lobby(tmp_path, "--league", str(league)) as server:
        path = find_invitation(server)
        page = server.ask("GET", path).text
        offered = list_offered(server, path)
        [other] = {f"{owner}-bot v1" for owner in OWNERS} - set(offered)
        answer = server.send(path, name="Ann", seat1=offered[0])
        refused = {
            "another key": server.send("/league/none", name="Eve", seat1=offered[0]).status,
            "another origin": server.ask("POST", path, "name=Eve", Origin="http://evil.example").status,
            "a bot that is not offered": server.send(path, name="Eve", seat1=other).status,
            "a command": server.send(path, name="Eve", seat1="sh -c id").status,
            "no bot": server.send(path, name="Eve").status,
            "the name of a bot": server.send(path, name="ada-bot", seat1=offered[0]).status,
            "the name of somebody here": server.send(path, name="ann", seat1=offered[0]).status,
            "no name of a person": server.send(path, name="<b>", seat1=offered[0]).status,
            "a second table": server.send(path, answer.cookie, seat1=offered[1]).status,
            "a stranger in the lobby": server.ask("GET", "/new/magpie").status,
        }
        ended = server.send(f"{answer.headers['location']}/leave", answer.cookie).headers["location"]
        after = open_table(server, path, "Ann", offered[1])

    assert refused == {
        **dict.fromkeys(refused, 400),
        "another key": 404,
        "another origin": 403,
        "a stranger in the lobby": 403,
    }
    assert ended == path
    assert after.game["seat"] == 0
    assert str(league) not in page
    assert not any(folder.name in page for folder in (league / "bots").iterdir())


@pytest.mark.once
def test_a_league_that_is_not_open(tmp_path: Path) -> None:
    """By default nobody plays against a league's bots, and the command says which key allows it."""
    make_valid_league(tmp_path / "course")

    told = run_pitboss("play", "--browser", "--league", "course", "--port", "0", cwd=tmp_path)
    alone = run_pitboss("play", "magpie", "--against", "house:first", "--league", "course", cwd=tmp_path)

    assert told.status == 2
    assert "open_to_people = 8 in [league] allows it" in told.err
    assert alone.status == 2
    assert "--league: people play against bots of a league in a lobby" in alone.err


def make_games(*scores: float, bots: Sequence[int] = (1,), name: str = "Ann") -> list[PeopleGame]:
    """Return the games of a person, one a deal; a score is what the person has made above each bot."""
    return [
        PeopleGame(f"{name}.pitboss", deal, 0, bot, name, bot, 10 + score, 10, (score > 0) + (score == 0) / 2)
        for deal, score in enumerate(scores)
        for bot in bots
    ]


def test_results_of_people() -> None:
    """A game is one value, the mean over its bots; the hardest bot and the best person come first; people who have
    said no name are one line.
    """
    games = [*make_games(4, 2, bots=(1, 2)), *make_games(-6, name=""), *make_games(0, bots=(2,), name="Bob")]
    found = count_people(games, {1: "fox@1", 2: "owl@3"}, is_cooperative=False)

    people = [(row.name, row.others, row.games, row.score.mean, row.points.mean) for row in found.people]
    assert found.games == 4
    assert [(row.name, row.others, row.games) for row in found.bots] == [("fox@1", 2, 3), ("owl@3", 2, 3)]
    assert people == [("Ann", 2, 2, 1.0, 3.0), ("Bob", 1, 1, 0.5, 0.0), (NAMELESS_PEOPLE, 1, 1, 0.0, -6.0)]


def test_a_deal_that_is_played_again(tmp_path: Path) -> None:
    """Only the first game of a deal counts: afterwards the person knows the cards."""
    with closing(Book(tmp_path / "league.pitboss")) as book:
        first, again = make_games(1), make_games(9)
        book.add_people_games(first)
        book.add_people_games(again)

        assert book.people_games() == first
