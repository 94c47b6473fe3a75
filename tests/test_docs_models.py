"""The page about language models: its files and commands, against fake models; its tables name every key."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any, Final

import pytest

from pitboss_tournament.models.choice import ASK_OUTCOMES
from pitboss_tournament.models.fake_server import FAKE_MODELS
from pitboss_tournament.plan.models import BotModel, Budget, ModelTable
from tests import ROOT
from tests.tournament.command_line import run_pitboss
from tests.tournament.model_tournaments import serve_models

PAGE: Final = (ROOT / "docs/models.md").read_text(encoding="utf-8")


@pytest.mark.once
@pytest.mark.long
def test_the_commands_of_the_page(tmp_path: Path) -> None:
    """The commands of the page end with status 0; a replay of the tournament from the record, without a server, gives
    the same results.
    """
    [listing] = re.findall(r"<!-- file: models.toml -->\n```toml\n(.*?)```", PAGE, re.DOTALL)
    with serve_models() as served:
        toml = listing.replace("http://127.0.0.1:8765/v1", served.url)
        (tmp_path / "models.toml").write_text(f'sandbox = "none"\n{toml}', encoding="utf-8")
        *commands, move, replayed = re.findall(r"^\$ (.+)$", PAGE, re.MULTILINE)
        said = [run_command(command, tmp_path) for command in commands]

    shown = re.findall(r"^(?:\w+ asked '|\d+ deals \(|At the pilot's rate).*$", PAGE, re.MULTILINE)
    assert len(shown) == 4
    assert {strip_times(line) for line in shown} <= {strip_times(line) for line in "".join(said).splitlines()}
    assert "system:" in said[4]
    played = run_pitboss("standings", "models.pitboss", "--json", cwd=tmp_path).json_value
    _, old, new = shlex.split(move)
    (tmp_path / old).rename(tmp_path / new)
    run_command(replayed, tmp_path)
    again = run_pitboss("standings", "models.pitboss", "--json", cwd=tmp_path).json_value
    assert [{**one, "usd": pytest.approx(one["usd"])} for one in again["models"]] == played["models"]
    assert list_results(again) == list_results(played)


def strip_times(line: str) -> str:
    """Return a line without what depends on the machine: how long games and calls take."""
    return re.sub(r"about [^)]* here|[\d.,]+ s a call", "…", line)


def run_command(command: str, folder: Path) -> str:
    """Run a command of Pitboss; return what it said."""
    ran = run_pitboss(*shlex.split(command)[1:], cwd=folder)
    assert ran.status == 0, f"{command}\n{ran.out}{ran.err}"
    return ran.out


def list_results(summary: dict[str, Any]) -> list[tuple[object, ...]]:
    """Return what the standings say, without times."""
    return [(line["name"], line["rating"], line["points"], line["faults"]) for line in summary["standings"]]


def list_words(heading: str) -> set[str]:
    """Return the words in backquotes in the first column of a table."""
    rows = PAGE.partition(f"| {heading} |")[2].partition("\n\n")[0].splitlines()[2:]
    return {word for row in rows for word in re.findall(r"`([^`]+)`", row.split("|")[1])}


def test_the_tables_of_the_page_name_every_key() -> None:
    """The tables of the page name every key, every outcome and every fake model."""
    assert list_words("key of `[models.NAME]`") == set(ModelTable.__struct_fields__)
    assert list_words("key of `[budget]`") == set(Budget.__struct_fields__)
    assert list_words("key of `[model]` in `bot.toml`") == set(BotModel.__struct_fields__)
    assert list_words("outcome") == set(ASK_OUTCOMES)
    assert list_words("model") == set(FAKE_MODELS)
