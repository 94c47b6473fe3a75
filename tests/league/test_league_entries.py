"""What a league enters: bots, or why it cannot, and what the ladder goes by."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Final

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
from pitboss_tournament.league.league_field import SPENT, draw_up_field, enter_files
from pitboss_tournament.league.league_folder import read_league
from pitboss_tournament.league.validator import build_version
from pitboss_tournament.store.store import Store
from tests.league.archives import BOT_TOML, GOOD_BOT, make_bot_tar
from tests.league.league_process import make_league, run_league, wait_until
from tests.league.sealed_leagues import make_valid_league, write_games
from tests.league.test_league_play import RULES as QUICK
from tests.league.test_league_play import list_playing, submit, wait_for_games
from tests.tournament.model_tournaments import serve_models

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


MODEL_BOT_TOML: Final = b"""\
command = ["{python}", "-m", "pitboss_house_bots", "model"]
[model]
name = "main"
max_output = 50
"""
MODELS: Final = """
[budget]
owner_tokens = {tokens}
[models.main]
url = "{url}"
model = "random"
"""
NO_MODEL: Final = (
    "it asks a language model ([model] in bot.toml), and this league grants none: submit a bot without [model], or let "
    "this one play in a tournament with [models] in its file, by `pitboss run`"
)


@pytest.mark.parametrize(
    ("granted", "own", "said"),
    [
        ("", 'name = "main"', NO_MODEL),
        ('[models.main]\nurl = "http://x"\nmodel = "m"\n', 'name = "main"', NO_MODEL),
        ("[budget]\nowner_usd = 1.0\n", 'name = "main"', NO_MODEL),
        (
            MODELS.format(tokens=10, url="http://x"),
            'name = "other"',
            "it asks the language model 'other' (name in [model] of bot.toml); this league grants main",
        ),
        (
            MODELS.format(tokens=10, url="http://x"),
            'name = "main"\nbudget_usd = 1.0',
            "[model] of bot.toml has a budget of the bot; in a league each owner has one: take budget_usd and "
            "budget_tokens out",
        ),
        (
            MODELS.format(tokens=10, url="http://x"),
            'name = "main"\nextra = { top_p = 0.5 }',
            "[model] of bot.toml has extra fields of requests, which may cost more than a budget knows: take extra out",
        ),
    ],
)
def test_a_language_model_that_a_league_does_not_grant(tmp_path: Path, granted: str, own: str, said: str) -> None:
    """A bot may ask a language model that the league's file names, if the file grants owners a budget."""
    make_league(tmp_path / "course", sandbox="none")
    with (tmp_path / "course" / "league.toml").open("a") as file:
        file.write(granted)
    league = read_league(tmp_path / "course", Registry())
    bot = league.folder.bots / "digest"
    bot.mkdir()
    (bot / "bot.toml").write_bytes(BOT_TOML + f"[model]\n{own}\n".encode())
    (bot / "bot.py").write_bytes(GOOD_BOT)

    with pytest.raises(ConfigError) as refused:
        enter_files(league, "digest", "ada", "mybot")

    assert str(refused.value) == said


@pytest.mark.long
def test_files_that_another_owner_has_sent(tmp_path: Path) -> None:
    """What a build says does not tell an owner that somebody has sent the same files before."""
    folder = tmp_path / "course"
    make_valid_league(folder)
    league = read_league(folder, Registry())
    with closing(Book(folder / "league.pitboss")) as book:
        [one, *_] = book.submissions()

    assert build_version(league, one).seen == "it has no build step"


def test_a_league_grants_owners_a_budget_for_models(tmp_path: Path) -> None:
    """A bot asks its model in the games of a league until its owner's budget is used up; then its version plays no
    more, with the reason, and the others play on. The budget is not exceeded, not even by a second bot.
    """
    folder = tmp_path / "course"
    tokens = make_league(folder, owners="ada bob cyd", rules=QUICK)
    with serve_models() as served, (folder / "league.toml").open("a") as file:
        file.write(MODELS.format(tokens=3_000, url=served.url))
        file.flush()
        with run_league(folder, "--workers", "2") as league:
            submit(league, "owl", tokens["bob"])
            submit(league, "hen", tokens["cyd"])
            wait_for_games(league, 2)
            for name in ("mind", "second"):
                files = {"bot.toml": MODEL_BOT_TOML, "prompt.md": b"{legal}", "mark.txt": name.encode()}
                assert league.put(name, tokens["ada"], make_bot_tar(files)).status == 202
                said = f"{name}@1 of ada plays no more: {SPENT}"
                wait_until(league, lambda said=said: said in (folder / "run.log").read_text())  # type: ignore[misc]
            wait_for_games(league, 5)
    with closing(Store(folder / "league.pitboss")) as store:
        spent = store.calls.sum_spending()
        assert 1_000 < sum(one.tokens for one in spent.values()) <= 3_000
        assert [(one.name, one.own.model, one.why) for one in store.header.entries if one.own.model] == [
            ("mind", "random", SPENT)
        ]
        assert list_playing(folder) == {"owl", "hen"}


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
