"""The command line as a person meets it: a process of its own, and plugins that are installed for one test."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

COMMAND: Final = (sys.executable, "-m", "pitboss_tournament.cli")
TIMEOUT_S: Final = 600  # only a command that hangs ever takes so long

OTHER_GAME_PLUGIN: Final = """
    from pitboss.plugins.hookspec import hookimpl
    from pitboss_magpie.magpie import Magpie

    class Other(Magpie):
        name = "other"
        title = "The other one"

        def deal(self, seats, options, rng):
            {deal}

    @hookimpl
    def pitboss_games():
        return [Other()]
"""

OTHER_VIEW_PLUGIN: Final = """
    import os, signal, sys
    from pathlib import Path
    from pitboss.plugins.hookspec import hookimpl
    from pitboss_magpie.magpie import Magpie, MagpieState

    class OtherState(MagpieState):
        def view(self, seat):
            {view}

    class Other(Magpie):
        name = "other"
        title = "The other one"

    @hookimpl
    def pitboss_games():
        return [Other(OtherState)]
"""


class CommandResult(NamedTuple):
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def error_lines(self) -> list[str]:
        """What it said on standard error beside how far it has come (every few seconds, and so on a slow machine
        only).
        """
        return [line for line in self.err.splitlines() if not re.match(r"[\d,]+ of [\d,]+ games", line)]

    @property
    def json_value(self) -> Any:  # noqa: ANN401 - what each test expects
        """Standard output, read as JSON."""
        return json.loads(self.out)


def run_pitboss(*words: str, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> CommandResult:
    """Run `pitboss` with these words, its output in pipes."""
    done = subprocess.run(
        [*COMMAND, *words],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, **(env or {})},
        timeout=TIMEOUT_S,
        check=False,
    )
    return CommandResult(done.returncode, done.stdout, done.stderr)


def install_plugin(folder: Path, name: str, code: str) -> dict[str, str]:
    """Install a plugin in a folder; return the environment in which it is found, beside all that is installed
    anyway.
    """
    (folder / f"{name}_plugin.py").write_text(textwrap.dedent(code))
    info = folder / f"pitboss_{name}-7.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: pitboss-{name}\nVersion: 7.0\n")
    (info / "entry_points.txt").write_text(f"[pitboss]\n{name} = {name}_plugin\n")
    return {"PYTHONPATH": os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])}


def complete_words(words: Sequence[str], env: Mapping[str, str] | None = None, cwd: Path | None = None) -> list[str]:
    """Return what the shell would offer for the last of the words."""
    asked = {
        "_PITBOSS_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(["pitboss", *words]),
        "COMP_CWORD": str(len(words)),
    }
    return run_pitboss(cwd=cwd, env={**asked, **(env or {})}).out.split()
