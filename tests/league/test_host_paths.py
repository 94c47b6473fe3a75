"""What owners read names files by short paths, never by those of the host."""

from __future__ import annotations

import json
import os
import sys
import sysconfig
from pathlib import Path

import pytest

from pitboss.protocol.faults import Fault
from pitboss.records.record import Incident
from pitboss_tournament.league.host_paths import (
    make_shortener,
    shorten_evidence,
    shorten_incident,
    shorten_log,
)
from pitboss_tournament.league.submission import Evidence
from pitboss_tournament.store.rows import StoredLog
from tests.league.archives import make_bot_tar
from tests.league.league_process import make_league, run_league
from tests.plugins import magpie_installed

DIGEST = "0123456789abcdef" * 4


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return the folder of a league, whose name tries what it can."""
    folder = tmp_path / 'a "course" (1)' / ("long" * 30)
    folder.mkdir(parents=True)
    return folder


def test_files_of_a_bot(root: Path) -> None:
    """A file of a bot is named by its path in its folder, and the folder itself by a dot."""
    shorten = make_shortener(root)
    folder = root / "bots" / DIGEST

    text = f'  File "{folder}/bot.py", line 12\n  File "{folder}/lib/deep.py", line 3\nin {folder}: no'

    assert shorten(text) == '  File "bot.py", line 12\n  File "lib/deep.py", line 3\nin .: no'


def test_what_else_is_on_the_host(root: Path) -> None:
    """The league's folder, Python and installed packages have short names; a name that only begins alike is kept."""
    shorten = make_shortener(root)
    python = sysconfig.get_path("stdlib")

    assert shorten(f"'{root}/league.pitboss'") == "'league.pitboss'"
    assert shorten(f'File "{python}/json/decoder.py", line 1') == 'File "python/json/decoder.py", line 1'
    assert shorten(f"{root}-2/bots") == f"{root}-2/bots"
    assert shorten(f"{Path.home()}/secret") == "~/secret"


def test_paths_as_json_and_by_links(root: Path, tmp_path: Path) -> None:
    """A path is found where JSON escapes it, and by a link that leads to the league."""
    link = tmp_path / "link"
    link.symlink_to(root)
    escaped = f"{root}".replace('"', '\\"')

    assert make_shortener(root)(f'{{"at": "{escaped}/bots/{DIGEST}/x"}}') == '{"at": "x"}'
    assert make_shortener(link)(f"{link}/bots/{DIGEST}/x {root}/bots/{DIGEST}/y") == "x y"


def test_a_text_that_begins_within_a_path(root: Path) -> None:
    """The end of a long standard error may begin in the middle of a path: its beginning is not shown."""
    text = f'{root}/bots/{DIGEST}/bot.py", line 3'[40:]

    assert make_shortener(root)(text) == 'bot.py", line 3'


def test_evidence_and_faults_and_logs(root: Path) -> None:
    """All texts of an owner's evidence are shortened; bytes that are no text stay as they are."""
    shorten = make_shortener(root)
    path = f"{root}/bots/{DIGEST}/bot.py"
    incident = Incident(
        fault=Fault(kind="crashed", seat=0, decision=1, message=path), exchange=[f"< {path}"], last_words=path
    )

    evidence = shorten_evidence(Evidence(is_good=False, seen=path, output=path, exchange=[path]), shorten)
    found = shorten_incident(incident, shorten)

    assert (evidence.seen, evidence.output, evidence.exchange) == ("bot.py", "bot.py", ["bot.py"])
    assert (found.fault.message, found.exchange, found.last_words) == ("bot.py", ["< bot.py"], "bot.py")
    log = shorten_log(StoredLog(0, os.fsencode(path) + b"\xff", b"> {}"), shorten)
    assert log == StoredLog(0, b"bot.py\xff", b"> {}")


@pytest.mark.once
def test_tracebacks_of_a_build_and_of_a_game(tmp_path: Path) -> None:
    """The tracebacks of a build and of a bot name their own files, and nothing that tells where the league is."""
    toml = b'command = ["{python}", "bot.py"]\nbuild = ["{python}", "make.py"]\n'
    fails = b"import json\njson.loads('no')\n"
    tokens = make_league(tmp_path / "course", validation="", rules="")
    file = tmp_path / "course" / "league.toml"
    file.write_text(file.read_text().replace("games = 0", "games = 1"))
    with magpie_installed(), run_league(tmp_path / "course", "--no-play") as league:
        builds = league.put("maker", tokens["ada"], make_bot_tar({"bot.toml": toml, "make.py": fails})).value
        plays = league.put("player", tokens["bob"], make_bot_tar({"bot.py": fails})).value
        built = league.wait(builds["number"], tokens["ada"])["evidence"]["building"]
        played = league.wait(plays["number"], tokens["bob"])["evidence"]["validation"]

    assert 'File "make.py", line 2' in built["output"]
    assert 'File "bot.py", line 2' in played["output"]
    for text in (json.dumps(built), json.dumps(played)):
        assert "python/json/decoder.py" in text
        assert str(tmp_path) not in text
        assert sys.prefix not in text
        assert sys.base_prefix not in text
