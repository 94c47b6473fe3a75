"""The small coding agent of the examples: a fake model server drives it for two rounds of an arena."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pitboss_tournament.arena.measures import report_arena
from tests import ROOT
from tests.tournament.arena.arenas import IDLE, make_arena, open_arena
from tests.tournament.command_line import COMMAND, run_pitboss

GOOD = {"old": 'return table.luck.randrange(len(question["legal"]))', "new": 'return len(question["legal"]) - 1'}
BROKEN = {"old": "import json", "new": "import jsoon"}


@pytest.mark.once
def test_a_model_writes_a_bot(tmp_path: Path) -> None:
    """A change that works is played, one that breaks the bot is taken back by the agent; its tokens are counted."""
    script = tmp_path / "answers.txt"
    script.write_text(f"{json.dumps(GOOD)}\n{json.dumps(BROKEN)}\n")
    served = subprocess.Popen(
        [*COMMAND, "models", "fake", "--script", str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert served.stdout
    assert served.stderr
    try:
        url = re.search(r"http://\S+", served.stdout.readline())
        assert url is not None
        root = make_arena(tmp_path, {"model": IDLE, "idle": IDLE}, rounds=2)
        shutil.copy(ROOT / "examples/arena/model/edit.py", tmp_path / "agents/model/edit.py")
        file = root / "arena.toml"
        grants = 'network = true\nenv = ["MODEL_URL", "MODEL_NAME"]\n'
        file.write_text(file.read_text().replace('[entrants."idle"]', f'{grants}\n[entrants."idle"]', 1))

        done = run_pitboss("arena", "run", str(root), env={"MODEL_URL": url[0].rstrip("."), "MODEL_NAME": "scripted"})
    finally:
        served.terminate()
        served.communicate()

    assert done.status == 0, done.err
    arena, journal = open_arena(root)
    found = next(one for one in report_arena(arena, journal).entrants if one.name == "model")
    said = arena.folder.round(1) / "edit-model.txt"
    assert [line.is_new for line in found.rounds] == [True, False], said.read_text()
    assert not any(line.refused for line in found.rounds)
    assert found.tokens
    notes = (arena.folder.workspace("model") / "NOTES.md").read_text()
    assert re.search(r"Round 1: .* became", notes)
    assert re.search(r"Round 2: .*taken back", notes)
