"""Building: `pitboss build`, and the builds that other commands see to; with a build step that counts how often it is
run.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pitboss.errors import ConfigError
from pitboss_tournament.authoring.bot_build import BuildFailed, announce_nothing, build, is_current
from pitboss_tournament.config.bot_file import read_bot_file
from pitboss_tournament.processes.sandbox_probe import probe_bubblewrap
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

BOT = """\
name = "built"
command = ["build/bot"]
build = ["sh", "make.sh"]
"""
MAKE = """\
echo once >> build/runs
cp bot.sh build/bot
chmod +x build/bot
"""
FIRST = """\
#!/bin/sh
while read -r line; do
    case $line in
    '{"type":"hello"'*) echo '{"type":"ready"}' ;;
    '{"type":"decide"'*) id=${line#*'"id":'}; echo "{\\"type\\":\\"act\\",\\"id\\":${id%%,*},\\"choose\\":0}" ;;
    '{"type":"bye"'*) exit ;;
    esac
done
"""
HAS_SANDBOX = not probe_bubblewrap().problem
UNSAFE = "" if HAS_SANDBOX else " without a sandbox"
WHERE = " in the sandbox, without network" if HAS_SANDBOX else ""
FAILED = f"the build command failed with status 3{WHERE}: sh make.sh"
BROKEN = "echo compiling; echo 'bot.sh:3: missing semicolon' >&2; exit 3\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a bot's folder with a build step."""
    made = tmp_path / "bee"
    made.mkdir()
    for name, text in {"bot.toml": BOT, "make.sh": MAKE, "bot.sh": FIRST}.items():
        (made / name).write_text(text)
    return made


def build_count(folder: Path) -> int:
    """Return how often the bot was built."""
    counted = folder / "build" / "runs"
    return len(counted.read_text().splitlines()) if counted.exists() else 0


def test_a_build_is_made_once(folder: Path) -> None:
    """A build is announced and made once; then it is current, and nothing is done."""
    said: list[str] = []

    assert build(folder, said.append)
    assert not build(folder, said.append)

    assert said == [f"building {folder}{UNSAFE}: sh make.sh"]
    assert build_count(folder) == 1


def write_source(folder: Path) -> None:
    """Write a source anew."""
    (folder / "bot.sh").write_text(FIRST + "\n")


def restore_older_source(folder: Path) -> None:
    """Put an older file in a source's place."""
    os.utime(folder / "bot.sh", (1_000_000, 1_000_000))


def add_source(folder: Path) -> None:
    """Add a source in a folder."""
    (folder / "parts").mkdir()
    (folder / "parts" / "one.inc").write_text("")


def change_command(folder: Path) -> None:
    """Change the command."""
    (folder / "bot.toml").write_text(BOT.replace('"make.sh"', '"./make.sh"'))


def remove_program(folder: Path) -> None:
    """Remove what was built."""
    (folder / "build" / "bot").unlink()


def remove_stamp(folder: Path) -> None:
    """Remove what says that the build is current."""
    (folder / "build" / ".pitboss").unlink()


@pytest.mark.parametrize(
    "change", [write_source, restore_older_source, add_source, change_command, remove_program, remove_stamp]
)
def test_a_change(folder: Path, change: Callable[[Path], None]) -> None:
    """After any change of the folder's files, or of what was built, the bot is built again, and then is current."""
    build(folder, announce_nothing)
    change(folder)

    assert build(folder, announce_nothing)
    assert not build(folder, announce_nothing)
    assert build_count(folder) == 2


def test_what_does_not_count(folder: Path) -> None:
    """Files in build/, hidden files and those that Python leaves behind are no sources."""
    build(folder, announce_nothing)
    for name in (".git/HEAD", ".bot.sh.swp", "__pycache__/x.pyc", "build/more"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("")

    assert not build(folder, announce_nothing)


def test_a_source_that_is_written_while_it_is_built(folder: Path) -> None:
    """The build is not taken for current: the program may be made from what was there before."""
    (folder / "make.sh").write_text(f"{MAKE}\necho '# later' >> bot.sh\n")

    build(folder, announce_nothing)

    assert not is_current(folder, read_bot_file(folder)[1])


def test_a_build_that_fails(folder: Path) -> None:
    """The error names the file, the line and the status, and has what the command printed; the next time it is tried
    again.
    """
    (folder / "make.sh").write_text(BROKEN)

    for _ in range(2):
        with pytest.raises(BuildFailed) as caught:
            build(folder, announce_nothing, is_shown=False)

        assert str(caught.value) == f"{folder}/bot.toml:3: {FAILED}"
        assert caught.value.output == "compiling\nbot.sh:3: missing semicolon\n"


def test_a_second_build_that_fails(folder: Path) -> None:
    """The result of an earlier build is not current after a build that failed, though no file has changed: half of it
    may be overwritten.
    """
    (folder / "make.sh").write_text(f"test ! -e .full-disk || exit 1\n{MAKE}")
    build(folder, announce_nothing)
    (folder / ".full-disk").write_text("")

    with pytest.raises(BuildFailed):
        build(folder, announce_nothing, always=True, is_shown=False)

    assert not is_current(folder, read_bot_file(folder)[1])


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ('["sh", "make.sh"]', '["./make.sh"]', "3: the build command './make.sh' cannot be run: permission denied"),
        ('["sh", "make.sh"]', '["true"]', "3: the build command ended well, and there still is no program 'build/bot'"),
        (
            '["sh", "make.sh"]',
            '["sh", "-c", "kill -9 $$"]',
            f"3: the build command failed with signal 9{WHERE}: sh -c 'kill -9 $$'",
        ),
        (
            '["sh", "make.sh"]',
            '["sh"]\nneeds = ["no-such"]',
            "4: the bot needs the program 'no-such', which is not on the PATH",
        ),
    ],
)
def test_other_ways_to_fail(folder: Path, was: str, now: str, said: str) -> None:
    """A failure of a build is reported with its line in bot.toml."""
    (folder / "bot.toml").write_text(BOT.replace(was, now))

    with pytest.raises(ConfigError) as caught:
        build(folder, announce_nothing, is_shown=False)

    assert str(caught.value) == f"{folder}/bot.toml:{said}"


def test_the_command(folder: Path) -> None:
    """`pitboss build` builds always; of a tournament file it builds all bots; what cannot be built fails it, the others
    are built all the same.
    """
    second = folder.parent / "wasp"
    shutil.copytree(folder, second)
    (second / "make.sh").write_text(BROKEN)
    (folder.parent / "two.toml").write_text(
        'game = "magpie"\n[[bots]]\nbot = "wasp"\n[[bots]]\nbot = "bee"\n[[bots]]\nbot = "house:first"\n'
    )

    alone = run_pitboss("build", "bee", cwd=folder.parent)
    both = run_pitboss("build", "two.toml", cwd=folder.parent)

    assert (alone.status, alone.out) == (0, "bee is built\n")
    assert (both.status, both.out) == (1, "bee is built\n")
    assert both.err.splitlines() == [
        f"pitboss: building wasp{UNSAFE}: sh make.sh",
        "compiling",
        "bot.sh:3: missing semicolon",
        f"pitboss: wasp/bot.toml:3: {FAILED}",
        f"pitboss: building bee{UNSAFE}: sh make.sh",
    ]
    assert build_count(folder) == 2


def test_what_cannot_be_built(folder: Path) -> None:
    """A bot without a build step is no fault; what is no folder and no tournament file is."""
    (folder / "bot.toml").write_text('command = ["sh", "bot.sh"]\n')

    assert run_pitboss("build", "bee", cwd=folder.parent).out == "bee has no build step\n"
    refused = run_pitboss("build", "house:first", cwd=folder.parent)
    assert (refused.status, refused.err) == (
        2,
        "pitboss: there is no folder 'house:first', and it is no tournament file (….toml): nothing else can be built\n",
    )


@pytest.mark.long
def test_before_a_tournament(folder: Path) -> None:
    """`pitboss match` and `pitboss run` build what is not current, say so, and play; they do not play if a build
    fails.
    """
    short = ("-o", "turns=3")
    (folder.parent / "one.toml").write_text(
        'game = "magpie"\ndeals = 1\noptions = { turns = 3 }\n[[bots]]\nbot = "bee"\n[[bots]]\nbot = "house:first"\n'
    )

    match = run_pitboss("match", "magpie", "bee", "house:first", "--deals", "1", *short, cwd=folder.parent)
    run = run_pitboss("run", "one.toml", cwd=folder.parent)
    (folder / "make.sh").write_text(BROKEN)
    failed = run_pitboss("run", "one.toml", cwd=folder.parent)

    assert (match.status, match.error_lines[0]) == (0, f"pitboss: building bee{UNSAFE}: sh make.sh")
    assert (run.status, [line for line in run.error_lines if "building" in line], build_count(folder)) == (0, [], 1)
    assert failed.status == 2
    assert failed.error_lines[-1] == f"pitboss: bee/bot.toml:3: {FAILED}"


def test_several_builds_that_fail(folder: Path) -> None:
    """Several builds are all tried, and each failure is told on a line of its own."""
    (folder / "make.sh").write_text(BROKEN)
    shutil.copytree(folder, folder.parent / "wasp")

    ran = run_pitboss("match", "magpie", "bee", "wasp", "house:first", cwd=folder.parent)

    assert ran.status == 2
    assert ran.error_lines[-2:] == [f"pitboss: {bot}/bot.toml:3: {FAILED}" for bot in ("bee", "wasp")]


def test_when_it_is_checked(folder: Path) -> None:
    """`pitboss check` builds too; a failed build is a failed check, with what the compiler said."""
    only = ("check", "bee", "--only", "names-a-program", "--json")

    built = run_pitboss(*only, cwd=folder.parent)
    (folder / "make.sh").write_text(BROKEN)
    failed = run_pitboss(*only, cwd=folder.parent)

    assert (built.status, build_count(folder)) == (0, 1)
    [result] = [one for one in failed.json_value["checks"] if one["outcome"] == "failed"]
    assert (result["name"], result["stderr"]) == ("can-be-built", "compiling\nbot.sh:3: missing semicolon\n")
    assert result["seen"].endswith(f"bot.toml:3: {FAILED}")
