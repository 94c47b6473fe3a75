"""`pitboss install` and `uninstall`: the command that each kind of environment needs. `python -m tests.ways_in` runs
these with real programs and environments.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import pytest

from pitboss.errors import ConfigError
from pitboss_tournament.cli import install
from pitboss_tournament.cli.install import (
    PIPX_RECEIPT,
    UV_RECEIPT,
    Environment,
    Installer,
    Wishes,
    find_environment,
    install_words,
    read_requirement,
    uninstall_words,
)
from tests.tournament.command_line import run_pitboss

RECEIPT: Final = """
[tool]
requirements = [
    { name = "pitboss", specifier = "==0.1.0", extras = ["web"] },
    { name = "pitboss-one", editable = "/games/one" },
    { name = "Pitboss_two", directory = "/games/two" },
    { name = "pitboss-three", git = "https://example.org/three?rev=v1" },
]
python = "3.12"
entrypoints = [{ name = "pitboss", install-path = "/bin/pitboss", from = "pitboss" }]

[tool.options]
find-links = ["file:///wheels"]
prerelease = "allow"
index = [{ url = "https://example.org/simple", default = true }]
"""
KEPT: Final = (
    "--python 3.12 --find-links file:///wheels --prerelease allow --default-index https://example.org/simple "
    "pitboss[web]==0.1.0 "
)
WITH_ONE: Final = "--with-editable /games/one "
WITH_THREE: Final = "--with pitboss-three @ git+https://example.org/three@v1"
PYTHON: Final = sys.executable


@pytest.mark.parametrize(
    ("word", "requirement"),
    [
        ("racko", "pitboss-racko"),
        ("pitboss-racko", "pitboss-racko"),
        ("Pitboss_Racko>=0.2", "Pitboss_Racko>=0.2"),
        ("racko==0.1.0", "pitboss-racko==0.1.0"),
        ("pitboss[web]", "pitboss-core[web]"),
        ("git+https://example.org/game", "git+https://example.org/game"),
    ],
)
def test_what_a_word_means(word: str, requirement: str) -> None:
    """A bare name is that of a plugin of Pitboss, so that no package of another kind is installed by mistake."""
    assert read_requirement(word) == requirement


def test_a_path_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path is one that has a slash or the ending of a wheel; it is made absolute, as uv notes it in its receipt."""
    (tmp_path / "mygame").mkdir()
    (tmp_path / "mygame.whl").touch()
    monkeypatch.chdir(tmp_path)

    assert read_requirement("./mygame") == str(tmp_path / "mygame")
    assert read_requirement("mygame.whl") == str(tmp_path / "mygame.whl")
    assert read_requirement("mygame") == "pitboss-mygame"


@pytest.mark.parametrize("word", ["./absent", "-r", "--index-url=x", ""])
def test_a_word_that_names_nothing(word: str) -> None:
    """A path that leads nowhere is refused, and an option of the installer cannot be slipped in."""
    with pytest.raises(ConfigError):
        read_requirement(word)


@pytest.mark.parametrize(
    ("installer", "program", "words"),
    [
        ("pip", (PYTHON, "-m", "pip"), f"{PYTHON} -m pip install --editable /a --requirement /r pitboss-b"),
        ("uv pip", ("uv", "pip"), f"uv pip install --python {PYTHON} --editable /a --requirement /r pitboss-b"),
    ],
)
def test_installing_in_an_environment(installer: Installer, program: tuple[str, ...], words: str) -> None:
    """All that is wished for is one command of pip, or of uv with the Python of this environment."""
    wishes = Wishes(("pitboss-b",), ("/a",), ("/r",))

    assert " ".join(install_words(Environment(installer, Path("/env"), program), wishes)) == words


def test_installing_in_a_tool_of_uv(tmp_path: Path) -> None:
    """The command repeats what the receipt has: `uv tool install` would drop it."""
    (tmp_path / UV_RECEIPT).write_text(RECEIPT)
    environment = Environment("uv tool", tmp_path, ("uv",))

    words = " ".join(install_words(environment, Wishes(("pitboss-b",), ("/a",), ("/r",))))

    two = "--with Pitboss_two @ file:///games/two "
    added = " --with pitboss-b --with-editable /a --with-requirements /r"
    assert words == f"uv tool install {KEPT}{WITH_ONE}{two}{WITH_THREE}{added}"
    assert " ".join(uninstall_words(environment, ["pitboss-two"])) == f"uv tool install {KEPT}{WITH_ONE}{WITH_THREE}"
    with pytest.raises(ConfigError, match="'pitboss-racko' was not added to this tool of uv: added was pitboss-one, "):
        uninstall_words(environment, ["pitboss-racko"])


def test_installing_in_an_environment_of_pipx() -> None:
    """Plugins are injected into the environment by its name; pipx takes all of a command as editable, or nothing."""
    environment = Environment("pipx", Path("/home/one/.local/share/pipx/venvs/pitboss"), ("pipx",))

    assert install_words(environment, Wishes(("pitboss-b",))) == ["pipx", "inject", "pitboss", "pitboss-b"]
    assert install_words(environment, Wishes((), ("/a",))) == ["pipx", "inject", "pitboss", "--editable", "/a"]
    assert uninstall_words(environment, ["pitboss-b"]) == ["pipx", "uninject", "pitboss", "pitboss-b"]
    of_all = Environment("pipx", Path("/opt/pipx/venvs/pitboss"), ("pipx",))
    assert uninstall_words(of_all, ["pitboss-b"]) == ["pipx", "uninject", "--global", "pitboss", "pitboss-b"]
    with pytest.raises(ConfigError, match="use two commands"):
        install_words(environment, Wishes(("pitboss-b",), ("/a",)))


@pytest.mark.parametrize(
    ("files", "programs", "found"),
    [
        ((UV_RECEIPT,), ("uv",), "uv tool"),
        ((PIPX_RECEIPT,), ("pipx", "uv"), "pipx"),
        ((), ("uv",), "uv pip"),
        ((UV_RECEIPT,), (), "uv tool has made this environment (.*), but 'uv' is not on the PATH"),
        ((PIPX_RECEIPT,), ("uv",), "pipx has made this environment (.*), but 'pipx' is not on the PATH"),
        ((), (), "has no program that installs: neither pip in it nor uv on the PATH; .* -m ensurepip` installs pip"),
    ],
)
def test_which_program_made_the_environment(
    files: tuple[str, ...],
    programs: tuple[str, ...],
    found: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The maker of an environment without pip is told by its receipt; what is missing is named in a sentence."""
    for file in files:
        (tmp_path / file).touch()
    for program in programs:
        (tmp_path / program).write_text("#!/bin/sh\n")
        (tmp_path / program).chmod(0o755)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(install, "find_spec", lambda name: None)

    if found in ("uv tool", "pipx", "uv pip"):
        assert find_environment().installer == found
    else:
        with pytest.raises(ConfigError, match=found):
            find_environment()


def test_a_python_that_the_system_manages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python of a distribution, marked by PEP 668, is left alone; the sentence names what to do."""
    (tmp_path / "EXTERNALLY-MANAGED").touch()
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path))

    with pytest.raises(ConfigError, match=r"are managed by the system, .*`uv tool install`"):
        find_environment()


@pytest.mark.once
def test_what_cannot_be_begun() -> None:
    """A command without plugins, and one that would uninstall Pitboss itself, are refused before anything is run."""
    nothing, itself = run_pitboss("install"), run_pitboss("uninstall", "pitboss")

    assert (nothing.status, nothing.out, "pitboss install racko" in nothing.err) == (2, "", True)
    assert (itself.status, itself.out, "is Pitboss itself" in itself.err) == (2, "", True)
