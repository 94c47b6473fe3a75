"""Tournaments of three fake models and two bots of the house, from file to replay without a server."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from pitboss_tournament.store.store import Store
from tests.tournament.command_line import CommandResult, run_pitboss
from tests.tournament.model_tournaments import serve_models

MODELS: Final = ("random", "heuristic", "429")
FILE: Final = """
game = "{game}"
{setting}
seats = 2
deals = 1
seed = "models"
format = {{ name = "gauntlet", challengers = ["m-random", "m-heuristic", "m-429"] }}
sandbox = "none"

[budget]
usd = {usd}
"""
BOT: Final = '[[bots]]\nbot = "mind"\nname = "m-{0}"\nmodel = "{0}"\n'
MODEL: Final = '[models.{0}]\nurl = "{1}"\nmodel = "{0}"\nprice_in = 1.0\nprice_out = 2.0\nkey_env = "{2}"\n'
HOUSE: Final = '[[bots]]\nbot = "house:random"\n[[bots]]\nbot = "house:first"\n'
KEY_ENV: Final = "PITBOSS_TEST_MODEL_KEY"
KEY: Final = "sk-acceptance-0123456789"


def run(folder: Path, *words: str) -> CommandResult:
    """Run a command, which must succeed."""
    ran = run_pitboss(*words, cwd=folder, env={KEY_ENV: KEY})
    assert ran.status == 0, f"{words}\n{ran.out}{ran.err}"
    return ran


def read_results(folder: Path) -> list[tuple[object, ...]]:
    """Return all games of the store, without times."""
    records = Store(folder / "t.pitboss").records()
    return [
        (number, [(one.seat, one.action) for one in record.decisions], record.outcome) for number, record in records
    ]


@pytest.mark.once
@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "setting"),
    [("racko", "options = { max_rounds = 1 }"), ("rummy", ""), ("poker", 'preset = "kuhn"')],
)
def test_a_tournament_of_models(tmp_path: Path, game: str, setting: str) -> None:
    """A tournament of models ends at its budget, is carried on with another, and gives the same when it is played again
    from the record; the report tells what was spent, which is not more than the budget; the key is in no file.
    """
    run(tmp_path, "new", "bot", "llm", "mind")
    file = tmp_path / "t.toml"

    def write(usd: float, url: str) -> None:
        models = "".join(MODEL.format(name, url, KEY_ENV) for name in MODELS)
        bots = "".join(map(BOT.format, MODELS)) + HOUSE
        file.write_text(FILE.format(game=game, setting=setting, usd=usd) + models + bots, encoding="utf-8")

    with serve_models(key=KEY) as served:
        write(0.2, served.url)
        broken_off = run(tmp_path, "run", "t.toml")
        first: dict[str, Any] = run(tmp_path, "standings", "t.pitboss", "--json").json_value
        write(1000.0, served.url)
        run(tmp_path, "run", "t.toml")
    whole: dict[str, Any] = run(tmp_path, "standings", "t.pitboss", "--json").json_value
    games = read_results(tmp_path)
    run(tmp_path, "report", "t.pitboss", "--output", "report.html")
    (tmp_path / "t.pitboss").rename(tmp_path / "recorded.pitboss")
    run(tmp_path, "run", "t.toml", "--replay-models", "recorded.pitboss")

    assert "The budget of the tournament (0.2 dollars) is used up" in broken_off.out
    assert 0.1 < sum(use["usd"] for use in first["models"]) <= 0.2
    assert first["played"] < whole["played"] == len(games)
    assert {use["bot"]: use["outcomes"]["chosen"] for use in whole["models"]} == {
        use["bot"]: use["calls"] for use in whole["models"]
    }
    assert read_results(tmp_path) == games
    assert "Language models" in (tmp_path / "report.html").read_text(encoding="utf-8")
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes()
