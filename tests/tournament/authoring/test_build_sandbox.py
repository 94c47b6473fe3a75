"""A build in the sandbox: what it can change, see and reach."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.errors import ConfigError
from pitboss_tournament.authoring.bot_build import BuildRules, announce_nothing, build, read_tournament_builds
from pitboss_tournament.plan.plan import SandboxLevel
from tests.tournament.command_line import run_pitboss
from tests.tournament.sandbox_programs import needs_bubblewrap, needs_landlock

pytestmark = [pytest.mark.once, needs_bubblewrap]
LEVELS = ["bubblewrap", pytest.param("landlock", marks=needs_landlock)]

BOT = 'command = ["build/bot"]\nbuild = ["{python}", "-S", "-I", "make.py", PORT, SECRET]\n'
MAKE = """
import os, pathlib, socket, sys
port, secret = int(sys.argv[1]), sys.argv[2]
found = []
def attempt(name, action):
    try:
        if action():
            found.append(name)
    except OSError:
        pass
here = pathlib.Path.cwd()
attempt("network", lambda: socket.create_connection(("127.0.0.1", port), 5))
attempt("secret", lambda: open(secret).read())
attempt("home", lambda: os.listdir(os.path.expanduser("~nobody-else")) or os.listdir("/root") or os.listdir("/home"))
attempt("passwords", lambda: open("/etc/shadow").read())
attempt("kernel", lambda: os.open("/proc/sys/kernel/hostname", os.O_WRONLY) > 0)
attempt("runner", lambda: os.kill(int(os.environ.get("RUNNER", "4194303")), 0) is None)
attempt("environment", lambda: "PITBOSS_TEST_SECRET" in os.environ)
attempt("beside", lambda: (here.parent / "beside").write_text("!") and None)  # perhaps into the sandbox's own /tmp
attempt("system", lambda: open("/usr/new", "w"))
(pathlib.Path.home() / "cache").write_text("a cache")
(here / "source.txt").write_text("made")
(here / "build" / "bot").write_text(" ".join(found))
(here / "build" / "bot").chmod(0o755)
"""


@pytest.fixture
def server() -> Iterator[socket.socket]:
    """Return a server on this machine."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening


@pytest.fixture
def folder(tmp_path: Path, server: socket.socket) -> Path:
    """Return a bot that tries at its build what it should not."""
    (tmp_path / "secret").write_text("!")
    made = tmp_path / "bee"
    made.mkdir()
    port, secret = f'"{server.getsockname()[1]}"', f'"{tmp_path}/secret"'
    (made / "bot.toml").write_text(BOT.replace("PORT", port).replace("SECRET", secret))
    (made / "make.py").write_text(MAKE)
    return made


@pytest.mark.parametrize("level", LEVELS)
def test_build_in_the_sandbox(folder: Path, monkeypatch: pytest.MonkeyPatch, level: SandboxLevel) -> None:
    """A build in the sandbox writes into its folder and a home folder that does not last; it sees and reaches nothing
    else.
    """
    monkeypatch.setenv("PITBOSS_TEST_SECRET", "token")

    assert build(folder, announce_nothing, BuildRules(level))

    assert (folder / "build" / "bot").read_text() == ""
    assert (folder / "source.txt").read_text() == "made"
    assert sorted(path.name for path in folder.parent.iterdir()) == ["bee", "secret"]


@pytest.mark.parametrize("level", LEVELS)
def test_build_with_network(folder: Path, level: SandboxLevel) -> None:
    """A build that may use the network gets nothing else in addition."""
    assert build(folder, announce_nothing, BuildRules(level, has_network=True))

    assert (folder / "build" / "bot").read_text() == "network"


def test_build_without_a_sandbox(folder: Path) -> None:
    """A build without a sandbox runs as the person would run it, and the announcement says so."""
    said: list[str] = []

    assert build(folder, said.append, BuildRules("none"))

    assert (folder.parent / "beside").exists()
    assert said[0].startswith(f"building {folder} without a sandbox: ")


def test_tournament_file(folder: Path) -> None:
    """A tournament file allows the network and decides about the sandbox; an option of the command takes precedence."""
    file = folder.parent / "one.toml"
    file.write_text('game = "magpie"\nbuild_network = true\n[[bots]]\nbot = "bee"\n')

    allowed = run_pitboss("build", "one.toml", cwd=folder.parent)
    assert (allowed.status, (folder / "build" / "bot").read_text()) == (0, "network")

    file.write_text('game = "magpie"\n[[bots]]\nbot = "bee"\n')
    refused = run_pitboss("build", "one.toml", cwd=folder.parent)
    assert (refused.status, (folder / "build" / "bot").read_text()) == (0, "")

    asked = run_pitboss("build", "--network", "one.toml", cwd=folder.parent)
    assert (asked.status, (folder / "build" / "bot").read_text()) == (0, "network")


def test_seed_beside_the_sources(folder: Path) -> None:
    """Tournament file and store cannot be read by a build, even in the bot's own folder: they hold the seed."""
    (folder / "bot.toml").write_text('command = ["build/bot"]\nbuild = ["sh", "-c", "cat t.* > build/bot; true"]\n')
    (folder / "t.toml").write_text('game = "magpie"\nseed = "secret"\n[[bots]]\nbot = "."\n')
    (folder / "t.pitboss").write_text("secret")
    _, rules = read_tournament_builds(folder / "t.toml")

    assert build(folder, announce_nothing, rules)

    assert (folder / "build" / "bot").read_text() == ""
    assert "secret" in (folder / "t.toml").read_text()


@pytest.mark.parametrize("link", ["build", "build/.pitboss"])
def test_link_out_of_the_folder(folder: Path, link: str) -> None:
    """A bot cannot make the runner write elsewhere, neither before its build nor by it."""
    other = folder.parent / "other"
    other.mkdir()
    (other / ".pitboss").write_text("mine")
    target = other if link == "build" else other / ".pitboss"
    (folder / link).parent.mkdir(exist_ok=True)
    (folder / link).symlink_to(target)

    with pytest.raises(ConfigError, match="is a symbolic link"):
        build(folder, announce_nothing)

    (folder / link).unlink()
    (folder / "bot.toml").write_text(
        f'command = ["sh"]\nbuild = ["sh", "-c", "rm -rf {link}; ln -s {target} {link}"]\n'
    )
    with pytest.raises(ConfigError, match="is a symbolic link"):
        build(folder, announce_nothing)
    assert (other / ".pitboss").read_text() == "mine"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root builds for others")
def test_folder_of_another_user(folder: Path) -> None:
    """Root builds as the user to whom the folder belongs."""
    user = 1234
    for path in (folder, *folder.iterdir()):
        os.chown(path, user, user)

    assert build(folder, announce_nothing)

    assert (folder / "build" / "bot").stat().st_uid == user
    assert (folder / "build" / "bot").read_text() == ""
