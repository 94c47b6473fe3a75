"""The command line as a person meets it: a process of its own, and plugins that are installed for one test."""

from __future__ import annotations

import importlib
import json
import multiprocessing
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from importlib.metadata import entry_points
from multiprocessing.context import ForkServerProcess
from multiprocessing.reduction import DupFd
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Final, NamedTuple

import pitboss_tournament.cli

COMMAND: Final = (sys.executable, "-m", "pitboss_tournament.cli")
TIMEOUT_S: Final = 600  # only a command that hangs ever takes so long
READ_AT_START: Final = ("PYTHON", "LC_", "LANG", "LD_")  # variables of these names change how Python itself starts
FORKS: Final = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        *(
            f"pitboss_tournament.cli.{one.name}"
            for one in iter_modules(pitboss_tournament.cli.__path__)
            if one.name != "__main__"
        ),
        *(entry.module for entry in entry_points(group="pitboss")),
    ]
)

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
    """Run `pitboss` with these words, its output in pipes: a process of its own, with its own folder and environment.

    The process is forked from a server that has loaded Pitboss, which saves most of the time of a short command. If the
    environment changes what Python reads at its start (PYTHONIOENCODING, LANG, ...), a new Python is started.
    """
    return answer_pitboss("", words, cwd, {**os.environ, **(env or {})})


def answer_pitboss(answers: str, words: Sequence[str], cwd: Path | None, env: Mapping[str, str]) -> CommandResult:
    """Run `pitboss` as `run_pitboss` does, with exactly this environment and these answers in a pipe."""
    if is_read_at_start(env):
        return spawn_python(answers, words, cwd, env)
    (given, given_end), (out_end, out), (err_end, err) = (os.pipe() for _ in range(3))
    try:
        process = fork_pitboss(words, cwd, env, given, out, err)
    finally:
        for end in (given, out, err):
            os.close(end)
    with ThreadPoolExecutor(2) as readers:
        texts = [readers.submit(read_whole, end) for end in (out_end, err_end)]
        write_whole(given_end, answers)
        status = wait_for_command(process, words)
        return CommandResult(status, *(text.result() for text in texts))


def is_read_at_start(env: Mapping[str, str]) -> bool:
    """Return whether an environment differs from that of the tests in what Python reads at its start."""
    return any(
        name.startswith(READ_AT_START) and env.get(name) != os.environ.get(name)
        for name in (*env, *os.environ)
        if name != "PYTHONPATH"
    )


def fork_pitboss(
    words: Sequence[str], cwd: Path | None, env: Mapping[str, str], given: int, out: int, err: int
) -> ForkServerProcess:
    """Begin `pitboss` with these words in a forked process, which has this environment and these descriptors."""
    sys.audit("tests.run_pitboss", words)
    command = CommandStart(tuple(words), cwd or Path.cwd(), dict(env), find_own_path())
    process = FORKS.Process(target=become_command, args=(command, DupFd(given), DupFd(out), DupFd(err)))
    process.start()
    return process


def wait_for_command(process: ForkServerProcess, words: Sequence[str]) -> int:
    """Return the exit status of a forked command.

    Raises:
        subprocess.TimeoutExpired: it hangs.
    """
    process.join(TIMEOUT_S)
    if process.exitcode is None:
        process.kill()
        raise subprocess.TimeoutExpired(words, TIMEOUT_S)
    return process.exitcode


def spawn_pitboss(*words: str, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> CommandResult:
    """Run `pitboss` with these words by a Python of its own, its output in pipes."""
    return spawn_python("", words, cwd, {**os.environ, **(env or {})})


def spawn_python(answers: str, words: Sequence[str], cwd: Path | None, env: Mapping[str, str]) -> CommandResult:
    """Run `pitboss` by a Python of its own, with exactly this environment and these answers in a pipe."""
    done = subprocess.run(
        [*COMMAND, *words],
        input=answers,
        capture_output=True,
        text=True,
        cwd=cwd,
        env=env,
        timeout=TIMEOUT_S,
        check=False,
    )
    return CommandResult(done.returncode, done.stdout, done.stderr)


class CommandStart(NamedTuple):
    """What a forked process needs to become a command."""

    words: tuple[str, ...]
    folder: Path
    env: dict[str, str]
    own_path: list[str]  # where Python looks for modules without PYTHONPATH


@cache
def find_own_path() -> list[str]:
    """Return where a new Python looks for modules without PYTHONPATH."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    program = "import json, sys; print(json.dumps(sys.path))"
    done = subprocess.run([sys.executable, "-P", "-c", program], env=env, capture_output=True, check=True)
    return list(json.loads(done.stdout))


def read_whole(end: int) -> str:
    """Read what a pipe holds until its last writer closes it."""
    with open(end, encoding="utf-8") as stream:
        return stream.read()


def write_whole(end: int, text: str) -> None:
    """Write a text into a pipe, as far as somebody reads it, and close the pipe."""
    with suppress(BrokenPipeError), open(end, "w", encoding="utf-8") as stream:
        stream.write(text)


def become_command(start: CommandStart, given: Any, out: Any, err: Any) -> None:  # noqa: ANN401 - typeshed has no DupFd
    """Turn this process, forked from the server, into `pitboss` with these words."""
    for number, descriptor in enumerate((given, out, err)):
        os.dup2(descriptor.detach(), number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - a descriptor, until the process ends
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
    sys.__stdout__ = sys.stdout  # type: ignore[misc]  # the server's may be a file, and knows how to seek
    os.chdir(start.folder)
    os.environ.clear()
    os.environ.update(start.env)
    added = [part for part in start.env.get("PYTHONPATH", "").split(os.pathsep) if part]
    sys.path[:] = [str(start.folder), *added, *start.own_path]
    importlib.invalidate_caches()
    sys.argv = [pitboss_tournament.cli.__file__, *start.words]
    pitboss_tournament.cli.main()


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
