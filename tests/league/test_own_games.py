"""An owner's games: the page that chooses among them, and their records, in which nothing is another owner's."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.game import resolve_options
from pitboss.records.record import Record
from pitboss_tournament.league.game_archive import collect_own_records
from pitboss_tournament.league.own_games import GameFilter, find_withholding, hides_loadouts
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.rows import RecordedRound
from pitboss_tournament.store.store import Store
from tests.duel_plugin import install_duel, load_duel_registry
from tests.league.archives import GOOD_BOT, make_bot_tar
from tests.league.league_process import HttpAnswer, LeagueProcess, make_league, run_league, wait_until
from tests.league.page_visitor import PageVisitor
from tests.league.played_leagues import LeagueBot, PlayedLeague, make_played_league
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

HOSTILE = "<script>alert(1)</script> & \"'"
BOTS = (
    LeagueBot("ada", "fox"),
    LeagueBot("bob", "owl"),
    LeagueBot(HOSTILE, HOSTILE),
    LeagueBot("ada", "fox", "retired"),
    LeagueBot("ada", "newt"),
    LeagueBot("cy", "toad", "placing"),
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlayedLeague:
    """Return a league in which games were played and forfeited."""
    return make_played_league(tmp_path_factory.mktemp("own") / "course", BOTS, 40, forfeits=True)


@pytest.fixture(scope="module")
def league(played: PlayedLeague) -> Iterator[LeagueProcess]:
    """Run it."""
    with run_league(played.folder, "--no-play") as running:
        yield running


@pytest.fixture
def ada(league: LeagueProcess, played: PlayedLeague) -> PageVisitor:
    """Return a browser in which ada is logged in."""
    visitor = PageVisitor(league)
    visitor.log_in(played.tokens["ada"])
    return visitor


def ask_records(league: LeagueProcess, token: str = "", **asked: object) -> HttpAnswer:
    """Return what is answered to who asks for records."""
    return league.ask("GET", f"/api/games?{urlencode(asked)}", token)


def read_lines(answer: HttpAnswer) -> list[dict[str, object]]:
    """Return the records of an answer."""
    assert answer.status == 200
    return list(map(json.loads, answer.value.splitlines()))


def list_games(page: str) -> list[int]:
    """Return the numbers of the games in a page."""
    return [
        int(number) for number in re.findall(r'class="game">game (\d+)<', page) or re.findall(r">game (\d+)</a>", page)
    ]


def read_header(played: PlayedLeague) -> Header:
    """Return the header of a league's store."""
    with closing(Store(played.store)) as store:
        return store.header


def test_nobody_without_login_or_token(league: LeagueProcess, ada: PageVisitor) -> None:
    """Without a session the pages lead to the login; without a token, or with a wrong one, no record is given."""
    stranger = PageVisitor(league)

    for path in ("/me/games", "/me/games/records"):
        page = stranger.get(path)
        assert (page.status, page.headers["location"]) == (303, "/login")
    assert ask_records(league).status == 401
    assert ask_records(league, "pitboss-1-wrong").status == 401
    assert league.ask("GET", "/api/games", Cookie=ada.cookie).status == 401


def test_the_games_of_an_owner(ada: PageVisitor, played: PlayedLeague) -> None:
    """The page has the games of the owner's bots alone, the latest first, with results, replays and names as text."""
    page = ada.get("/me/games").text
    found = list_games(page)

    header = read_header(played)
    with closing(Store(played.store)) as store:
        own = [
            one.game_id
            for one in store.latest_results()
            if any(header.entries[seat.entrant].about.owner == "ada" for seat in one.seats)
        ]
    assert found == own[: len(found)]
    assert 0 < len(found) <= 50
    assert f'href="/games/{found[0]}/replay"' in page
    assert "<script>alert" not in page


@pytest.mark.parametrize(
    "asked",
    [
        {"bot": "fox"},
        {"bot": "FOX", "version": 2},
        {"bot": "newt", "result": "lost"},
        {"result": "won"},
        {"faults": "yes"},
        {"opponent": "owl"},
        {"bot": "fox", "opponent": HOSTILE, "result": "lost"},
    ],
)
def test_filters(ada: PageVisitor, league: LeagueProcess, played: PlayedLeague, asked: dict[str, object]) -> None:
    """A filter shows those games in which one of the owner's bots did all that it says; records are of the same."""
    header, wanted = read_header(played), []
    with closing(Store(played.store)) as store:
        for one in store.latest_results():
            for seat in one.seats:
                entry = header.entries[seat.entrant]
                others = [header.entries[other.entrant].name for other in one.seats if other is not seat]
                if (
                    entry.about.owner == "ada"
                    and str(asked.get("bot", entry.name)).lower() == entry.name
                    and asked.get("version", entry.version) == entry.version
                    and ("faults" not in asked or seat.fault)
                    and ("result" not in asked or (seat.place == 1) == (asked["result"] == "won"))
                    and ("opponent" not in asked or asked["opponent"] in others)
                ):
                    wanted.append(one.game_id)
                    break

    page = ada.get(f"/me/games?{urlencode(asked)}").text
    records = read_lines(ask_records(league, played.tokens["ada"], **asked))

    assert list_games(page) == wanted[:50]
    assert [line["game_id"] for line in records] == wanted[::-1]
    assert wanted or asked.get("version") == 2


def test_games_chosen_by_their_result(ada: PageVisitor) -> None:
    """The page says that games which were chosen by their result do not say who is better."""
    pages = [ada.get(f"/me/games{query}").text for query in ("?result=lost", "?result=won", "?bot=fox", "")]

    assert ["they do not say who is better" in page for page in pages] == [True, True, False, False]


def test_pages_follow_one_another(ada: PageVisitor) -> None:
    """The link to older games keeps the filter, and no game is shown twice or left out."""
    found, address = list[int](), "/me/games?bot=fox"
    while address:
        page = ada.get(address).text
        found += list_games(page)
        older = re.search(r'href="([^"]*before=\d+)"[^>]*>older', page)
        address = older[1].replace("&amp;", "&") if older else ""

    assert found == sorted(set(found), reverse=True)
    assert len(found) > 50


def test_the_games_of_a_deal(ada: PageVisitor, played: PlayedLeague) -> None:
    """The games of a deal are those that were dealt the same cards at the same table; an unknown deal has none."""
    number = list_games(ada.get("/me/games?bot=fox").text)[0]
    with closing(Store(played.store)) as store:
        meant = next(iter(store.results(first=number)))
        same = [o.game_id for o in store.results() if (o.pairing, o.deal) == (meant.pairing, meant.deal)]

    assert list_games(ada.get(f"/me/games?deal={number}").text) == same[::-1]
    assert list_games(ada.get("/me/games?deal=999999").text) == []
    assert list_games(ada.get(f"/me/games?deal={10**18}").text) == []


@pytest.mark.parametrize("query", ["version=x", "result=none", "deal=-1", f"bot={'b' * 201}", "before=x", "version=0"])
def test_a_wrong_filter(ada: PageVisitor, query: str) -> None:
    """A filter that makes no sense is refused in a sentence."""
    page = ada.get(f"/me/games?{query}")

    assert page.status == 400
    assert "This did not work" in page.text


def test_records_tell_nothing_of_others(league: LeagueProcess, played: PlayedLeague) -> None:
    """Records have the notes and the evidence of the owner's bots, and of others neither; a host has all."""
    with closing(Store(played.store)) as store:
        seed = store.header.seed
    answer = ask_records(league, played.tokens["ada"])
    text = answer.value

    assert "a note of fox to itself" in text
    assert "a note of newt to itself" in text
    for other in ("owl", "toad", "script"):
        assert f"a note of {other}" not in text
        assert f"only the owner of {other}" not in text
    assert seed not in text
    assert str(played.folder) not in text
    assert answer.headers["content-disposition"] == 'attachment; filename="course-games.jsonl"'
    assert "a note of owl to itself" in ask_records(league, played.tokens["teacher"]).value
    assert "only the owner of fox" in ask_records(league, played.tokens["ada"], faults="yes").value


def test_records_of_somebody_else(league: LeagueProcess, played: PlayedLeague) -> None:
    """Asking for another owner's bot gives nothing, by page and by token."""
    bob = PageVisitor(league)
    bob.log_in(played.tokens["bob"])

    assert ask_records(league, played.tokens["bob"], bot="fox").value == ""
    assert list_games(bob.get("/me/games?bot=fox").text) == []
    assert bob.get("/me/games/records?bot=fox").text == ""


def test_a_deal_that_is_still_played(league: LeagueProcess, played: PlayedLeague) -> None:
    """While a game of a deal is to be played its cards are in no record, and the page has no replay of it."""
    with closing(Store(played.store)) as store:
        last = next(iter(store.latest_results())).game_id
    ada = PageVisitor(league)
    ada.log_in(played.tokens["ada"])
    with closing(sqlite3.connect(played.store)) as db, db:
        kept = db.execute("select * from games where id = ?", (last,)).fetchone()
        db.execute("delete from games where id = ?", (last,))
    try:
        page = ada.get("/me/games").text
        records = read_lines(ask_records(league, played.tokens["ada"]))
        deal = read_lines(ask_records(league, played.tokens["ada"], deal=last - 1)) if last else []
    finally:
        with closing(sqlite3.connect(played.store)) as db, db:
            db.execute("insert into games values (?, ?, ?, ?)", kept)

    assert "the deal is still played" in page
    assert f'href="/games/{last - 1}/replay"' not in page
    assert last - 1 not in [line["game_id"] for line in records]
    assert deal == []


def test_records_of_an_earlier_league(tmp_path: Path) -> None:
    """A league whose seeds tell other deals gives no records, and says why; it shows the games."""
    played = make_played_league(tmp_path / "course", BOTS[:3], 2)
    with closing(Store.open_to_write(played.store, read_header(played))) as store:
        store.change_header(replace(store.header, seals_deals=False))

    with run_league(played.folder, "--no-play") as league:
        answer = ask_records(league, played.tokens["ada"])
        ada = PageVisitor(league)
        ada.log_in(played.tokens["ada"])
        page = ada.get("/me/games").text

    assert (answer.status, answer.value["error"][:43]) == (409, "this league was begun by an earlier Pitboss")
    assert "are given to nobody" in page
    assert list_games(page)


def test_records_come_in_parts(played: PlayedLeague) -> None:
    """Of many games, or of long ones, the latest are given, and the number from which the earlier ones follow."""
    with closing(Store(played.store)) as store:
        is_wanted = GameFilter(bot="fox").make_test(store.header, "ada".__eq__)
        every, end = collect_own_records(store, None, None, is_wanted, "ada".__eq__, 10_000, 1 << 30)
        found, before = list[tuple[int, Record]](), None
        for most, most_bytes in ((7, 1 << 30), (10_000, 1), (10_000, 5_000), (10_000, 1 << 30)):
            part, before = collect_own_records(store, before, None, is_wanted, "ada".__eq__, most, most_bytes)
            assert 0 < len(part) <= most
            found = [*part, *found]

    assert (end, before) == (None, None)
    assert [number for number, _ in found] == [number for number, _ in every]


def test_the_link_to_earlier_records(tmp_path: Path) -> None:
    """An answer has 1,000 games at most, and its header leads to the others, below the same address."""
    played = make_played_league(tmp_path / "course", BOTS, 240)
    with closing(Store(played.store)) as store:
        every = list(store.game_ids())
    assert len(every) > 1_000
    with run_league(played.folder, "--no-play") as league:
        answer = ask_records(league, played.tokens["teacher"])
        link = re.fullmatch(r'<(\?before=\d+)>; rel="next"', answer.headers["link"])
        assert link
        rest = league.ask("GET", f"/api/games{link[1]}", played.tokens["teacher"])

    assert answer.headers["x-games"] == "1000"
    assert [line["game_id"] for part in (rest, answer) for line in read_lines(part)] == every
    assert "link" not in rest.headers


def test_cards_that_all_tables_of_a_round_get(tmp_path: Path) -> None:
    """Where all tables of a round are dealt the same cards, they are shown once no table of it is still to play."""
    played = make_played_league(tmp_path / "course", BOTS[:3], 3)
    with closing(Store.open_to_write(played.store, read_header(played))) as store:
        store.change_header(replace(store.header, same_deals=True))
        games = store.count_games()
        tables = tuple((0, 1) for _ in range(games // store.header.block_size))
        store.rounds.add([RecordedRound(1, 0, 1, tables, (), ())])

    def count_shown() -> int:
        with closing(Store(played.store)) as store:
            found, _ = collect_own_records(store, None, None, lambda _: True, bool, 10_000, 1 << 30)
            return len(found)

    assert count_shown() == games
    with closing(sqlite3.connect(played.store)) as db, db:
        db.execute("delete from games where id = ?", (games - 1,))
    assert count_shown() == 0
    with closing(Store.open_to_write(played.store, read_header(played))) as store:
        store.rounds.add([RecordedRound(2, games, 1, tables, ((0, len(tables) - 1),), ())])
    assert count_shown() == 0
    with closing(Store.open_to_write(played.store, read_header(played))) as store:
        store.rounds.add([RecordedRound(3, 2 * games, 1, tables, (), ())])
    assert count_shown() == games - store.header.block_size


@pytest.mark.parametrize(("preset", "is_hidden"), [(None, True), ("open-decks", False)])
def test_records_with_decks(played: PlayedLeague, preset: str | None, is_hidden: bool) -> None:
    """Where a seat's deck is not told to others, no record is given, which has the decks of all."""
    duel = load_duel_registry().find_game("duel")
    options = msgspec.to_builtins(resolve_options(duel, 2, preset))
    header = replace(read_header(played), game="duel", options=options)

    assert hides_loadouts(duel, options) == is_hidden
    assert ("what each seat brought" in find_withholding(header, duel)) == is_hidden


def test_a_league_with_decks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where decks are hidden, an owner sees a replay as the own bot did, no record is given, and the page says so."""
    for name, value in install_duel(tmp_path / "site").items():
        monkeypatch.setenv(name, value)
    duel = load_duel_registry().find_game("duel")
    tokens = make_league(tmp_path / "course", rules="placing_games = 2\ndeals = 1", game=duel)
    with run_league(tmp_path / "course") as league:
        for name, owner in (("fox", "ada"), ("owl", "bob")):
            archive = make_bot_tar({"bot.py": GOOD_BOT, "mark.txt": name.encode()})
            league.wait(league.put(name, tokens[owner], archive).value["number"], tokens[owner])
        wait_until(league, lambda: len(list_games(PageVisitor(league).get("/games").text)) >= 4)
        ada = PageVisitor(league)
        ada.log_in(tokens["ada"])
        answer, page = ask_records(league, tokens["ada"]), ada.get("/me/games").text
        replay = json.loads(ada.get("/games/0/replay.json").text)

    assert (answer.status, answer.value["error"][:44]) == (409, "a record has what each seat brought to the g")
    assert "A record has what each seat brought to the game" in page
    assert replay["sequence"]["viewer"] == replay["players"].index("fox")


def test_records_at_home(tmp_path: Path) -> None:
    """What an owner downloads of a league that played is a store at home: `why`, `replay` and `ask` run on it.

    The records are those that the league has, but for what others noted.
    """
    tokens = make_league(tmp_path / "course", rules="placing_games = 4\ndeals = 1")
    with run_league(tmp_path / "course") as league:
        for name, owner in (("fox", "ada"), ("owl", "bob")):
            archive = make_bot_tar({"bot.py": GOOD_BOT, "mark.txt": name.encode()})
            league.wait(league.put(name, tokens[owner], archive).value["number"], tokens[owner])
        wait_until(league, lambda: len(read_lines(ask_records(league, tokens["ada"], bot="fox"))) >= 4)
        answer = ask_records(league, tokens["ada"], bot="fox")
    file, made = tmp_path / "games.jsonl", tmp_path / "games.pitboss"
    file.write_text(answer.value)

    assert run_pitboss("import", str(file), "--what", "records", "-o", str(made)) == (0, "", "")
    why = run_pitboss("why", str(made), "fox@1")
    assert why.status == 0, why.err
    assert "Which decisions?" in why.out
    assert run_pitboss("replay", str(made), "0", "--brief").status == 0
    game, decision = read_lines(answer)[0]["game_id"], 1
    asked = run_pitboss("ask", str(file), f"{game}", f"{decision}", "--bot", "house:random")
    assert asked.status == 0, asked.err
    kept = run_pitboss("export", str(tmp_path / "course" / "league.pitboss")).out.splitlines()
    assert set(answer.value.splitlines()) <= set(kept)
