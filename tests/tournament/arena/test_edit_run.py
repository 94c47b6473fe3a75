"""A program that edits a bot: it ends within its bounds, with all its processes, and sees its work space alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from msgspec.structs import replace

from pitboss_tournament.plan.plan import SandboxLevel
from pitboss_tournament.processes import reaper
from pitboss_tournament.processes.cgroups import find_group_parents
from pitboss_tournament.processes.edit_run import EditBounds, EditRun, end_editors, run_editor
from tests.tournament.sandbox_programs import needs_bubblewrap, needs_landlock

BOUNDS = EditBounds(seconds=60.0, cpu_s=60.0, workspace_mb=20)
LEVELS = [
    pytest.param("bubblewrap", marks=needs_bubblewrap),
    pytest.param("landlock", marks=needs_landlock),
    "none",
]


def edit(folder: Path, code: str, level: SandboxLevel, bounds: EditBounds = BOUNDS) -> tuple[EditRun, str]:
    """Run a script in a work space; return how it has ended, and what it has printed."""
    workspace, script = folder / "work", folder / "script" / "edit.py"
    workspace.mkdir(exist_ok=True)
    script.parent.mkdir(exist_ok=True)
    script.write_text(dedent(code))
    output = folder / "output.txt"
    found = run_editor(
        [sys.executable, str(script)],
        workspace,
        [sys.executable],
        bounds,
        level=level,
        mark=f"test{folder.name}",
        output=output,
    )
    return found, output.read_text()


@pytest.mark.once
@pytest.mark.parametrize("level", LEVELS)
def test_a_program_edits_its_work_space(tmp_path: Path, level: SandboxLevel) -> None:
    """An editor can write to its work space, gets its variables, and has `pitboss` on its path."""
    code = """
        import os, shutil
        open("file", "w").write(os.environ["ROUND"])
        print("here", shutil.which("pitboss") is not None)
    """
    found, said = edit(tmp_path, code, level, replace(BOUNDS, env={"ROUND": "7"}))

    assert (found.end, found.status) == ("ended", 0)
    assert (tmp_path / "work" / "file").read_text() == "7"
    assert said.startswith("here")


@pytest.mark.once
@pytest.mark.parametrize("level", LEVELS[:2])
def test_a_program_sees_nothing_else(tmp_path: Path, level: SandboxLevel) -> None:
    """An editor cannot read or write beside its work space."""
    (tmp_path / "judge").mkdir()
    (tmp_path / "judge" / "secret").write_text("the secret")
    code = f"""
        from pathlib import Path
        for path in ("{tmp_path}/judge/secret", "{tmp_path}/other"):
            try:
                print(Path(path).read_text() if "secret" in path else Path(path).write_text("x"))
            except OSError as error:
                print(type(error).__name__)
    """
    found, said = edit(tmp_path, code, level)

    assert found.end == "ended"
    assert "the secret" not in said
    assert not (tmp_path / "other").exists()


ENDS = {
    "time": ("import time; time.sleep(1000)", replace(BOUNDS, seconds=1.0), "time"),
    "sleeping child": (
        "import subprocess, sys; subprocess.Popen(['sleep', '1000'], start_new_session=True)",
        BOUNDS,
        "ended",
    ),
    "size": (
        "import time\nfor n in range(40): open(f'f{n}', 'wb').write(b'x' * (1 << 20))\ntime.sleep(1000)",
        replace(BOUNDS, workspace_mb=10),
        "size",
    ),
    "size at the end": (
        "for n in range(40): open(f'f{n}', 'wb').write(b'x' * (1 << 20))",
        replace(BOUNDS, workspace_mb=10),
        "size",
    ),
    "many processes": (
        "import os, time\nfor _ in range(600):\n    os.fork() or time.sleep(1000)\ntime.sleep(1000)",
        BOUNDS,
        "processes",
    ),
    "failure": ("raise SystemExit(3)", BOUNDS, "failed"),
    "flood": ("for _ in range(200000): print('x' * 100)", BOUNDS, "ended"),
}


@pytest.mark.once
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("case", ENDS)
def test_it_ends(tmp_path: Path, case: str, level: SandboxLevel) -> None:
    """Whatever it does, it ends as it should, and nothing of it is left."""
    code, bounds, end = ENDS[case]
    if end == "processes" and find_group_parents().unified is None:
        pytest.skip("this machine has no control groups that know their processes")
    found, said = edit(tmp_path, code, level, bounds)

    assert found.end == end
    assert len(said) <= 1 << 20
    assert reaper.find_marked(lambda mark: mark.startswith(f"test{tmp_path.name}-")) == []


@pytest.mark.once
@pytest.mark.parametrize("level", [LEVELS[0]])
def test_its_processor_time_is_bounded(tmp_path: Path, level: SandboxLevel) -> None:
    """A program that computes for ever is ended by its processor time."""
    found, _ = edit(tmp_path, "while True: pass", level, replace(BOUNDS, cpu_s=1.0))

    assert found.end == "processor"


@pytest.mark.once
def test_what_a_killed_run_has_left_is_ended(tmp_path: Path) -> None:
    """Processes with the arena's mark are found and ended; those of another arena are not."""
    own, other = (
        subprocess.Popen(["sleep", "1000"], env={**os.environ, reaper.MARK: f"{mark}{tmp_path.name}-1"})
        for mark in ("own", "other")
    )
    try:
        while not reaper.find_marked(lambda mark: mark.startswith(f"own{tmp_path.name}-")):
            pass
        end_editors(f"own{tmp_path.name}")

        assert own.wait() != 0
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()
