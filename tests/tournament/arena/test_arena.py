"""An arena from its beginning to its end: rounds, feedback, refusals, the report and the audit."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from pitboss.errors import ConfigError
from pitboss_tournament.arena.arena_folder import hold_arena
from pitboss_tournament.arena.feedback import MAX_BYTES
from pitboss_tournament.arena.measures import EntrantReport, read_scores, report_arena
from pitboss_tournament.processes import reaper
from pitboss_tournament.store.store import Store
from tests import ROOT
from tests.tournament.arena.arenas import IDLE, change_choice, make_arena, open_arena
from tests.tournament.command_line import COMMAND, TIMEOUT_S, run_pitboss

pytestmark = pytest.mark.once

ANCHOR = {"anchors": '["house:random"]'}
NOTES = """
    import json
    from pathlib import Path
    number = len(list(Path("feedback").glob("?.json"))) if Path("feedback").exists() else 0
    Path("NOTES.md").write_text(Path("NOTES.md").read_text() + f"round {number + 1}\\n")
    Path("cost.json").write_text(json.dumps({"tokens": 100, "dollars": 0.25}))
    Path("GAME.md").write_text("forged")
    for file in Path("feedback").glob("*.json"):
        file.write_text("{}")
"""
BROKEN = """
    from pathlib import Path
    Path("bot/bot.py").write_text("raise SystemExit('I am broken')")
"""
GONE = """
    import shutil
    shutil.rmtree("bot")
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play an arena of two rounds, whose entrants do well, nothing, or harm."""
    agents = {
        "idle": IDLE,
        "last": change_choice('    return len(question["legal"]) - 1'),
        "notes": NOTES,
        "twin": change_choice('    return len(question["legal"]) - 1'),
        "broken": BROKEN,
        "gone": GONE,
    }
    root = make_arena(tmp_path_factory.mktemp("arena"), agents, rounds=2)
    done = run_pitboss("arena", "run", str(root))
    assert done.status == 0, done.err
    return root


def test_all_rounds_are_over(played: Path) -> None:
    """The journal tells each step, and the secret at the end; the report has a curve for each entrant."""
    arena, journal = open_arena(played)

    assert journal.ended_rounds == 2
    assert journal.revealed == arena.folder.secret.read_text().strip()
    found = report_arena(arena, journal)
    assert (found.rounds, found.measure, found.anchor) == (2, "rating", "house:random")
    assert {one.name for one in found.entrants} == {"idle", "last", "notes", "twin", "broken", "gone"}
    assert all(len(one.rounds) == 2 for one in found.entrants)
    assert [line.is_new for line in _entrant(played, "last").rounds] == [True, False]
    assert (played / "report.html").read_text().startswith("<!DOCTYPE html>")


def _entrant(root: Path, name: str) -> EntrantReport:
    return next(one for one in report_arena(*open_arena(root)).entrants if one.name == name)


def test_twins_are_named(played: Path) -> None:
    """Equal sources are told, whatever name `bot.toml` has; those of the starter bot, which all began with, are not."""
    assert {name: _entrant(played, name).same_as for name in ("last", "twin", "idle")} == {
        "last": ["twin"],
        "twin": ["last"],
        "idle": [],
    }


def test_an_entrant_has_its_notes_and_its_cost(played: Path) -> None:
    """What an entrant writes lasts from round to round; what it says of its cost is in the report."""
    notes = played / "workspaces" / "notes" / "NOTES.md"

    assert notes.read_text().splitlines()[-2:] == ["round 1", "round 2"]
    found = _entrant(played, "notes")
    assert (found.tokens, found.dollars) == (200, 0.5)


def test_forged_files_come_back(played: Path) -> None:
    """An entrant that changes what the judge gave is named, and the files are put back."""
    first, second = _entrant(played, "notes").rounds

    assert first.tampered == ["GAME.md"]
    assert second.tampered == ["GAME.md", "feedback/1.json"]
    workspace = played / "workspaces" / "notes"
    assert "forged" not in (workspace / "GAME.md").read_text()
    assert json.loads((workspace / "feedback" / "1.json").read_text())["you"] == "notes"


@pytest.mark.parametrize("name", ["broken", "gone"])
def test_a_version_that_does_not_play_is_replaced(played: Path, name: str) -> None:
    """The last valid version plays, the entrant is told why, and nobody wins by it."""
    found = _entrant(played, name)
    feedback = json.loads((played / "workspaces" / name / "feedback" / "1.json").read_text())

    assert [line.is_new for line in found.rounds] == [False, False]
    assert all(line.refused for line in found.rounds)
    assert not any(line.faults for line in found.rounds)
    assert feedback["refused"]
    if name == "broken":
        assert "I am broken" in json.dumps(feedback["evidence"])


def test_feedback_is_bounded(played: Path) -> None:
    """Feedback has results, and the worst practice games as text; none of the games that count."""
    arena, journal = open_arena(played)
    judged = journal.find_played(1, "judged")
    assert judged is not None
    for name in arena.file.entrants:
        workspace = arena.folder.workspace(name)
        for file in (workspace / "feedback").glob("*.json"):
            assert len(file.read_bytes()) <= MAX_BYTES + 1
        games = list((workspace / "feedback" / "1" / "games").glob("*.txt"))
        assert games
        assert all(judged.seed not in game.read_text() for game in games)
        assert all(name in game.read_text() for game in games)


def test_bots_do_not_hear_who_sits_with_them(played: Path) -> None:
    """Twins cannot tell by a name that they meet."""
    arena, _ = open_arena(played)
    with closing(Store(arena.folder.store(1, "judged"))) as store:
        assert store.header.opponents == "pseudonyms"


def test_the_secret_is_nowhere_in_a_work_space(played: Path) -> None:
    """No file of a work space has the secret, or a seed of deals that count before they were played."""
    arena, _ = open_arena(played)
    secret = arena.folder.secret.read_bytes().strip()

    for path in (played / "workspaces").rglob("*"):
        if path.is_file() and not path.is_symlink():
            assert secret not in path.read_bytes()


def test_the_audit_proves_it(played: Path) -> None:
    """All is as the journal says; the games of a round are the same again."""
    done = run_pitboss("arena", "audit", str(played), "--again", "1", "--json")

    found = json.loads(done.out)
    assert done.status == 0, [one for one in found if not one["is_good"]]
    assert [one["what"] for one in found if "again" in one["what"]] == [
        "round 1, practice deals: played again",
        "round 1, judged deals: played again",
    ]


def test_reports(played: Path, tmp_path: Path) -> None:
    """As lines, as JSON and as a page; of several arenas one table."""
    done = run_pitboss("arena", "report", str(played), "--output", str(tmp_path / "page.html"))
    both = run_pitboss("arena", "report", str(played), str(played), "--json")

    assert done.status == 0
    assert "Over-fitted" in done.out
    assert "its new version did not play" in done.out
    assert "Learning curves" in (tmp_path / "page.html").read_text()
    rows = json.loads(both.out)["entrants"]
    assert {row["name"] for row in rows} == {"idle", "last", "notes", "twin", "broken", "gone"}


def test_a_run_of_an_arena_that_is_over(played: Path) -> None:
    """Nothing is played again."""
    before = (played / "judge" / "journal.jsonl").read_bytes()

    done = run_pitboss("arena", "run", str(played))

    assert done.status == 0
    assert "All 2 rounds" in done.out
    assert (played / "judge" / "journal.jsonl").read_bytes() == before


def test_other_rules_are_refused(tmp_path: Path) -> None:
    """An arena that has begun keeps its rules and its entrants."""
    root = make_arena(tmp_path, {"idle": IDLE}, rounds=2)
    assert run_pitboss("arena", "round", str(root)).status == 0
    file = root / "arena.toml"
    text = file.read_text()

    file.write_text(text.replace("deals = 3", "deals = 4"))
    assert "not what they were" in run_pitboss("arena", "round", str(root)).err
    assert run_pitboss("arena", "audit", str(root)).status == 1
    file.write_text(text.replace('[entrants."idle"]', "[entrants.other]"))
    assert "has begun with the entrants idle" in run_pitboss("arena", "round", str(root)).err


def test_an_audit_sees_a_changed_game(tmp_path: Path) -> None:
    """Games that are not those that were noted, and versions with other files, are named."""
    root = make_arena(tmp_path, {"idle": IDLE})
    assert run_pitboss("arena", "run", str(root)).status == 0
    arena, _ = open_arena(root)
    store = arena.folder.store(1, "judged")
    store.write_bytes(arena.folder.store(1, "practice").read_bytes())
    version = next(iter(arena.folder.versions.glob("*.sources")))
    version.chmod(0o755)
    (version / "bot.py").chmod(0o644)
    (version / "bot.py").write_text("print('another bot')")

    done = run_pitboss("arena", "audit", str(root))

    assert done.status == 1
    assert "does not hold the games that were noted" in done.out
    assert "has other files" in done.out


def test_a_program_beside_the_judge_is_refused(tmp_path: Path) -> None:
    """A program whose folder has the arena in it would see everything: nothing is run."""
    root = make_arena(tmp_path, {"idle": IDLE})
    (root / "edit.py").write_text(IDLE)
    file = root / "arena.toml"
    file.write_text(file.read_text().replace(str(tmp_path / "agents" / "idle" / "edit.py"), "edit.py"))

    done = run_pitboss("arena", "run", str(root))

    assert done.status != 0
    assert "put its program into a folder of its own" in done.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("init", "full", "--game", "poker"), "is not an empty folder"),
        (("init", "new", "--game", "pokr"), "pokr"),
        (("run", "nowhere"), "holds no arena.toml"),
        (("audit", "full"), "holds no arena.toml"),
    ],
)
def test_errors_are_sentences(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    """What cannot be done is told, with a status that is not 0."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("")

    done = run_pitboss("arena", *words, cwd=tmp_path)

    assert done.status != 0
    assert said in done.err
    assert "Traceback" not in done.err


def test_an_interrupt_ends_the_edits(tmp_path: Path) -> None:
    """Ctrl-C in the edit phase ends the entrants' programs at once; the next run edits again from the beginning."""
    waits = "import time; from pathlib import Path; Path('here').write_text(''); time.sleep(1000)"
    root = make_arena(tmp_path, {"waits": waits})
    arena, _ = open_arena(root)
    run = subprocess.Popen([*COMMAND, "arena", "run", str(root)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        while not (arena.folder.workspace("waits") / "here").exists() and run.poll() is None:
            sleep(0.05)
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=TIMEOUT_S)
    finally:
        run.kill()

    assert run.returncode == 130, said
    assert b"Traceback" not in said
    assert reaper.find_marked(lambda mark: mark.startswith(f"{arena.folder.mark}-")) == []
    (tmp_path / "agents/waits/edit.py").write_text("from pathlib import Path; print(Path('here').exists())")
    assert run_pitboss("arena", "run", str(root)).status == 0
    assert (arena.folder.round(1) / "edit-waits.txt").read_text() == "False\n"


def test_an_entrant_has_the_packages_of_pitboss(tmp_path: Path) -> None:
    """{python} is the Python of Pitboss with its packages, also where it is that of an environment."""
    root = make_arena(tmp_path, {"imports": "import pitboss_tournament, sys; print(sys.prefix)"})

    assert run_pitboss("arena", "round", str(root)).status == 0
    arena, _ = open_arena(root)
    assert (arena.folder.round(1) / "edit-imports.txt").read_text().strip() == sys.prefix


def test_an_arena_without_entrants_is_refused(tmp_path: Path) -> None:
    """The file that `init` makes lacks entrants, and says how to add them."""
    assert run_pitboss("arena", "init", "a", "--game", "poker", cwd=tmp_path).status == 0
    assert "[entrants.alice]" in (tmp_path / "a" / "arena.toml").read_text()

    done = run_pitboss("arena", "run", "a", cwd=tmp_path)

    assert done.status != 0
    assert "entrants" in done.err


def test_two_processes_do_not_play_one_arena(tmp_path: Path) -> None:
    """The second one is refused."""
    root = make_arena(tmp_path, {"idle": IDLE})
    arena, _ = open_arena(root)
    with hold_arena(arena.folder), pytest.raises(ConfigError, match="another process plays"), hold_arena(arena.folder):
        pass


@pytest.mark.parametrize(
    ("game", "more", "judge", "games"),
    [
        pytest.param("spades", "[options]\ntarget = 100", {"anchors": "[]"}, 4, id="two sides"),
        pytest.param("spades", "[options]\ntarget = 100", ANCHOR, 12, id="three pairs", marks=pytest.mark.long),
        pytest.param("fireworks", "seats = 2", ANCHOR, 6, id="all together", marks=pytest.mark.long),
        pytest.param("hearts", "[options]\ndeals = 1", ANCHOR, 3, id="more seats than bots", marks=pytest.mark.long),
    ],
)
def test_who_meets_whom(tmp_path: Path, game: str, more: str, judge: dict[str, Any], games: int) -> None:
    """Partners are copies of one bot, and all bots of partners meet; seats that are left are the last anchor's."""
    root = make_arena(tmp_path, {"idle": IDLE, "other": IDLE}, game=game, more=more, deals=1, practice=1, **judge)

    done = run_pitboss("arena", "run", str(root))

    assert done.status == 0, done.err
    arena, journal = open_arena(root)
    played = journal.find_played(1, "judged")
    assert played is not None
    assert played.games == games
    scores = read_scores(arena, 1, "judged")
    assert scores is not None
    assert {one.name for one in scores.scores} >= {"idle", "other"}
    with closing(Store(arena.folder.store(1, "judged"))) as store:
        assert len({*store.seeds()}) == 1  # all tables have the deal
    assert run_pitboss("arena", "audit", str(root), "--again", "1").status == 0


@pytest.mark.long
def test_the_loop_of_the_page(tmp_path: Path) -> None:
    """The person's work of docs/arena.md, played back: five versions, each valid, each with one idea more."""
    words = ("--game", "gin-rummy", "--rounds", "5", "--entrants", str(ROOT / "examples/arena/entrants.toml"))
    assert run_pitboss("arena", "init", "gin", *words, cwd=tmp_path).status == 0
    file = tmp_path / "gin" / "arena.toml"
    text = file.read_text()
    for old, new in (
        ("deals = 50", "deals = 1"),
        ("practice = 20", "practice = 1\nanchors = []"),
        ("check = true", "check = false"),
        ("[edit]", "[options]\ndeals = 1\n\n[edit]"),
    ):
        assert old in text
        text = text.replace(old, new, 1)
    file.write_text(text)

    done = run_pitboss("arena", "run", "gin", cwd=tmp_path)

    assert done.status == 0, done.err
    found = _entrant(tmp_path / "gin", "coder")
    assert [line.is_new for line in found.rounds] == [True] * 5
    assert not any(line.refused or line.faults for line in found.rounds)
    notes = (tmp_path / "gin/workspaces/coder/NOTES.md").read_text().splitlines()[-5:]
    assert [line.partition(": ")[0] for line in notes] == [f"Round {number}" for number in range(1, 6)]
    page = (ROOT / "docs/arena.md").read_text()
    script = (ROOT / "examples/arena/coder/edit.py").read_text()
    assert all(f'"{idea}"' in script for idea in re.findall(r"`(\w+)`: ", page))
