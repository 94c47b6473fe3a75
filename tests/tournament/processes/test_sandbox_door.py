"""The sandbox's door: nothing that lies in a bot's folder adds a path of the machine, nor a socket."""

from __future__ import annotations

import os
import shutil
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.visible_paths import SYSTEM_FOLDERS, find_visible_paths
from tests.tournament.command_line import run_pitboss
from tests.tournament.sandbox_programs import make_entrant, needs_bubblewrap, run_for_output

pytestmark = pytest.mark.once

SHEBANGS = (
    "#!/usr/bin/env -S -u {secret} python3 -u",
    "#!/usr/bin/env -S -u {secret} -u x sh",
    "#!/usr/bin/env -S --chdir {home} sh",
    "#!/usr/bin/env {tool}",
    "#!{tool}",
    "#!{secret}",
    "#!/usr/bin/env -S {home}/../home/tool/bin/run",
    "#! /bin/sh {secret}",
    "#!/proc/self/fd/2",
    "#!/proc/self",
    "#!/",
    "#!",
    "#!/usr/bin/env",
    "#!/usr/bin/env python3",
)
PROGRAMS = (
    "./run",
    "run",
    "build/run",
    "{tool}",
    "{secret}",
    "./link",
    "build/link",
    "{home}",
    "",
    "/",
    "sh",
    "python3",
)
WORDS = (
    "link",
    "build/link",
    "dir/file",
    "--weights=dir",
    "-m",
    "dir",
    "x:{secret}",
    "{secret}",
    "../home",
    "/proc/self",
)
TARGETS = ("{tool}", "{secret}", "{home}", "{socket}", "../home/tool/bin/run", "run", "/usr/bin/env")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Somebody's folder: a secret, a tool with its installation, and a socket."""
    home = tmp_path_factory.mktemp("door") / "home"
    (home / "tool" / "bin").mkdir(parents=True)
    (home / "tool" / "lib").mkdir()
    (home / "secret").write_text("a private key")
    (home / "tool" / "bin" / "run").write_text("#!/bin/sh\n")
    (home / "tool" / "bin" / "run").chmod(0o755)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(home / "socket"))
        listener.listen()
        (home / "socket").chmod(0o777)
        yield home


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)
@given(
    program=st.sampled_from(PROGRAMS),
    words=st.lists(st.sampled_from(WORDS), max_size=2),
    shebang=st.sampled_from(SHEBANGS),
    target=st.sampled_from(TARGETS),
    has_bot_file=st.booleans(),
)
def test_what_is_mounted(
    home: Path, program: str, words: list[str], shebang: str, target: str, *, has_bot_file: bool
) -> None:
    """A bot's own file names its command: the bot is shown its folder and programs of the machine, whatever that file
    contains. A command of the organiser may name files too, but no link in the bot's folder leads to others.
    """

    def fill(text: str) -> str:
        return text.format(home=home, secret=home / "secret", tool=home / "tool/bin/run", socket=home / "socket")

    folder = home.parent / "bot"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "build").mkdir(parents=True)
    if has_bot_file:
        (folder / "bot.toml").write_text("")
    for place in (folder, folder / "build"):
        (place / "run").write_text(f"{fill(shebang)}\n")
        (place / "run").chmod(0o755)
        (place / "link").symlink_to(fill(target))
    (folder / "dir").symlink_to(home)
    command = [fill(program), *map(fill, words)]
    named = [Path(os.path.normpath(folder / word)) for word in command] if not has_bot_file else []
    is_named = any(path.is_relative_to(home) for path in named) or any(str(home) in word for word in command)

    for path in find_visible_paths(command, folder).paths:
        real = path.resolve()
        is_machine = any(real.is_relative_to(one) for one in (*SYSTEM_FOLDERS, Path(sys.prefix), Path(sys.base_prefix)))
        assert real.is_relative_to(folder) or is_machine or is_python(real) or (is_named and not has_bot_file), path


def is_python(path: Path) -> bool:
    """Whether a path is the installation of a Python that is found by its name."""
    return any((path / "bin" / name).exists() for name in ("python3", "pyenv")) or path.name.startswith("python")


@needs_bubblewrap
@pytest.mark.parametrize("shebang", SHEBANGS[:3])
def test_a_first_line_shows_no_file(home: Path, tmp_path: Path, shebang: str) -> None:
    """The thief's own first line names a secret; its program runs, and does not see it."""
    (tmp_path / "bot.toml").write_text("")
    secret = home / "secret"
    line = shebang.format(home=home, secret=secret, tool="").replace("--chdir", "-u")
    language = "python3" in line
    script = (
        f"import os\nprint(os.path.lexists({str(secret)!r}))"
        if language
        else f"test -e {secret} && echo True || echo False"
    )
    (tmp_path / "run").write_text(f"{line}\n{script}\n")
    (tmp_path / "run").chmod(0o755)

    assert run_for_output(make_entrant("./run", folder=tmp_path)) == "False"


@needs_bubblewrap
def test_sockets_stay_outside(home: Path, tmp_path: Path) -> None:
    """A socket in a folder that may be read is no door; one that is named itself is."""
    code = f"import socket\ns = socket.socket(socket.AF_UNIX)\nprint(s.connect_ex({str(home / 'socket')!r}) == 0)"
    (tmp_path / "bot.toml").write_text("")

    def ask(*read: str) -> str:
        return run_for_output(
            Entrant(name="bot", command=(sys.executable, "-c", code), folder=tmp_path, limits=Limits(read=read))
        )

    assert ask(str(home)) == "False"
    assert ask(str(home / "socket")) == "True"


@pytest.mark.parametrize("sandbox", ["auto", "none"])
def test_a_command_that_cannot_be_run(tmp_path: Path, sandbox: str) -> None:
    """A command that cannot be run is the fault of its bot, in a sentence; the others play."""
    (tmp_path / "nul").mkdir()
    (tmp_path / "nul" / "bot.toml").write_text('command = ["python3", "a\\u0000b"]\n')
    words = ("match", "racko", "nul", "house:random", "--deals", "1", "-o", "max_rounds=1", "--sandbox", sandbox)
    ran = run_pitboss(*words, "--no-store", cwd=tmp_path)

    assert "never_started: its command ['python3', 'a\\x00b'] cannot be run: embedded null byte" in ran.out
    assert "2 games forfeited (never_started 2)" in ran.out
