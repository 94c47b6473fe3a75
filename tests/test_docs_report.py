"""docs/report.md: its table of several games, played with fake models as the page says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Final

import pytest

from tests import ROOT
from tests.tournament.command_line import run_pitboss
from tests.tournament.model_tournaments import serve_models

PAGE: Final = (ROOT / "docs/report.md").read_text(encoding="utf-8")
FILES: Final = dict(re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", PAGE, re.DOTALL))
TABLE: Final = re.findall(r"^\| .+ \|$", PAGE.partition("<!-- table -->")[2].partition("\n\n| part")[0], re.MULTILINE)
GAMES: Final = dict(re.findall(r"^\| `(\w+)\.toml` \| `\w+` \| `(\w+)` \|$", PAGE, re.MULTILINE))
KEY_ENV: Final = "PITBOSS_TEST_MODEL_KEY"
KEY: Final = "sk-public-table-0123456789"


def list_cells(line: str) -> list[str]:
    """Return the cells of a line of a table in Markdown."""
    return [cell.strip() for cell in line.strip("|").split(" | ")]


def make_file(game: str, preset: str, url: str) -> str:
    """Return the tournament file of the page for a game, with fake models that want a key."""
    toml = FILES["poker.toml"].replace('"poker"', f'"{game}"').replace('"kuhn"', f'"{preset}"')
    toml = toml.replace("house:poker", f"house:{game}").replace("http://127.0.0.1:8765/v1", url)
    keyed = re.sub(r"^(url = .+)$", rf'\1\nkey_env = "{KEY_ENV}"', toml, flags=re.MULTILINE)
    return f'sandbox = "none"\n{keyed}'


@pytest.mark.once
@pytest.mark.long
def test_the_table_of_several_games(tmp_path: Path) -> None:
    """The commands of the page make the table that it shows, with the entrants, models and games of the page; the
    records play again without a server; the key is in no file.
    """
    commands = [shlex.split(command)[1:] for command in re.findall(r"^\$ (.+)$", PAGE, re.MULTILINE)]
    reports, makers = ([one for one in commands if one[0] == word] for word in ("report", "new"))

    def run(*words: str) -> str:
        ran = run_pitboss(*words, cwd=tmp_path, env={KEY_ENV: KEY})
        assert ran.status == 0, f"{words}\n{ran.out}{ran.err}"
        return ran.out

    for words in makers:
        run(*words)
    (tmp_path / "ben/prompt.md").write_text(FILES["ben/prompt.md"], encoding="utf-8")
    with serve_models(key=KEY) as served:
        for game, preset in {"poker": "kuhn", **GAMES}.items():
            (tmp_path / f"{game}.toml").write_text(make_file(game, preset, served.url), encoding="utf-8")
            run("run", f"{game}.toml")
    page, markdown, as_json = (run(*words) for words in reports)

    assert page == "The report is in table.html.\n"
    shown = [line for line in markdown.splitlines() if line.startswith("| ")]
    assert list_cells(shown[0]) == list_cells(TABLE[0])
    assert {tuple(list_cells(line)[:2]) for line in shown[2:]} == {tuple(list_cells(line)[:2]) for line in TABLE[2:]}
    assert '"path": "poker.pitboss"' in as_json
    assert "replays as it was recorded" in run("integrity", "racko.pitboss", "--replay")
    (tmp_path / "poker.pitboss").rename(tmp_path / "recorded.pitboss")
    run("run", "poker.toml", "--replay-models", "recorded.pitboss")
    again, first = (run("report", f"{name}.pitboss", "--json") for name in ("poker", "recorded"))
    assert re.findall(r'"digest": "(\w{64})"', again) == re.findall(r'"digest": "(\w{64})"', first) != []
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes()


def test_the_table_of_the_page_is_filled() -> None:
    """Each row of the example has a cell for each column, and none is empty but where a bot asks no model."""
    head, _, *rows = map(list_cells, TABLE)

    assert len(rows) == 6
    assert [len(row) for row in rows] == [len(head)] * 6
    assert [row[0] for row in rows if not row[1]] == ["house:GAME", "house:random"]
