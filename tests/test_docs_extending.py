"""The page about plugins tells the truth: its module can be installed, and everything that it offers works."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final

import pytest

from tests import ROOT
from tests.tournament.command_line import install_plugin, run_pitboss

pytestmark = pytest.mark.once

PAGE: Final = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
MATCH: Final = (
    *("match", "racko", "house:random", "house:first", "house:racko"),
    *("--seats", "2", "--deals", "2", "-o", "max_rounds=1", "--seed", "x"),
)
FILES: Final = dict(re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", PAGE, re.DOTALL))


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the environment in which the plugin of the page is installed."""
    folder = tmp_path_factory.mktemp("extras")
    found = install_plugin(folder, "extras", FILES["extras.py"])
    (folder / "extras_plugin.py").rename(folder / "extras.py")
    groups = tomllib.loads(FILES["entry_points.txt"])["project"]["entry-points"]
    lines = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in of.items()) for group, of in groups.items()
    ]
    (folder / "pitboss_extras-7.0.dist-info" / "entry_points.txt").write_text("\n".join(lines))
    return found


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, env: dict[str, str]) -> Path:
    """Return the store of a small tournament, played by the engine of the plugin."""
    path = tmp_path_factory.mktemp("half") / "x.pitboss"
    few = [
        "--seats",
        "2",
        "--deals",
        "2",
        "-o",
        "max_rounds=1",
        "--seed",
        "x",
        "--workers",
        "2",
        "-s",
        "games_at_once=2",
    ]
    bots = ["house:random", "house:first", "house:racko"]
    ran = run_pitboss("match", "racko", *bots, *few, "--store", str(path), "--on", "half", env=env)
    assert ran.status == 0, ran.err
    return path


def test_what_it_adds(env: dict[str, str]) -> None:
    """The plugin is listed with all that it offers, and its command with the others."""
    found = {one["plugin"]: one for one in run_pitboss("plugins", "--json", env=env).json_value["plugins"]}
    text = run_pitboss("--help", env=env).out

    assert found["pitboss-extras 7.0"] == {
        "plugin": "pitboss-extras 7.0",
        "games": [],
        "bots": [],
        "packs": [],
        "formats": [],
        "exporters": ["winners"],
        "importers": ["record-lines"],
        "report_sections": ["quick"],
        "engines": ["half"],
        "commands": ["odds"],
        "requires": [],
    }
    assert re.search(r"Of plugins:\n  odds +Of the plugin pitboss-extras 7.0\.\n", text)


@pytest.mark.long
def test_an_exporter(env: dict[str, str], store: Path) -> None:
    """The exporter of the plugin writes one line for each game."""
    lines = run_pitboss("export", str(store), "--what", "winners", env=env).out.splitlines()

    assert len(lines) == 12
    assert all(re.fullmatch(r"\d+( house:\w+)+", line) for line in lines)


def test_an_importer(env: dict[str, str], store: Path, tmp_path: Path) -> None:
    """The importer reads and replays exported records, and writes the same again."""
    records = tmp_path / "records.jsonl"
    records.write_text(run_pitboss("export", str(store), env=env).out)

    assert run_pitboss("import", str(records), "--what", "record-lines", env=env).out == records.read_text()


def test_a_section(env: dict[str, str], store: Path, tmp_path: Path) -> None:
    """The plugin's section stands in the report at its place: behind the thinking times."""
    assert run_pitboss("report", str(store), "--output", str(tmp_path / "x.html"), env=env).status == 0
    page = (tmp_path / "x.html").read_text()

    assert page.index("Thinking time</h2>") < page.index("The quickest</h2>") < page.index("Length of the games</h2>")


@pytest.mark.long
def test_an_engine(env: dict[str, str], store: Path, tmp_path: Path) -> None:
    """Another engine plays the same games; an unknown engine is refused, and the error lists those that exist."""
    assert run_pitboss(*MATCH, "--store", str(tmp_path / "y.pitboss")).status == 0
    wrong = run_pitboss(*MATCH, "--on", "halve", env=env, cwd=tmp_path)

    played, again = (
        run_pitboss("export", str(path), "--no-times", env=env).out for path in (store, tmp_path / "y.pitboss")
    )
    assert played == again
    assert (wrong.status, wrong.err.count("\n")) == (2, 1)
    assert (
        "--on: there is no 'halve' (did you mean 'half'?); there are: dask, dask+unencrypted, half, local and processes"
        in wrong.err
    )


def test_a_command(env: dict[str, str], tmp_path: Path) -> None:
    """A plugin's command runs, and explains itself; a command that cannot be imported is an error of one line that
    names its plugin.
    """
    broken = install_plugin(tmp_path, "broken", "")
    (tmp_path / "pitboss_broken-7.0.dist-info" / "entry_points.txt").write_text(
        "[pitboss.commands]\nodd = nothing:odd\n"
    )
    wrong = run_pitboss("odd", env=broken)

    assert run_pitboss("odds", "100", env=env).out == "64.0%\n"
    assert "Tell how often a bot is placed ahead of another" in run_pitboss("odds", "--help", env=env).out
    assert (wrong.status, wrong.out, wrong.err.count("\n")) == (2, "", 1)
    assert "the command 'odd' of the plugin pitboss-broken 7.0 cannot be loaded: ModuleNotFoundError" in wrong.err
    assert "Traceback" not in wrong.err
