"""Bots that travel: what is in an archive, what is not, and the cache of a machine."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path
from time import sleep

import pytest
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.authoring.bot_build import BuildRules
from pitboss_tournament.cluster import travelling_bots
from pitboss_tournament.cluster.machine import CodeVersion, CpuClaims, describe_code, describe_differences
from pitboss_tournament.cluster.travelling_bots import BotArchive, BotCache, localize_bot, pack_bot, unpack_files
from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.plan import Entrant

RULES = BuildRules("none")
BUILT_TOML = 'command = ["build/bot"]\nbuild = ["sh", "build.sh"]\n'


def write_bot(folder: Path, toml: str = 'command = ["{python}", "bot.py"]\n', **files: str) -> Entrant:
    """Write a bot's folder, and return it as an entrant; `_` in a name is a slash."""
    for name, text in {"bot.toml": toml, "bot.py": "pass\n", **files}.items():
        path = folder / name.replace("_", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Entrant(name="alice", command=(sys.executable, "bot.py"), folder=folder)


def pack(entrant: Entrant) -> BotArchive:
    """Return the archive of a bot, which has one."""
    _, archive = pack_bot(entrant)
    assert archive is not None
    return archive


def list_names(archive: BotArchive) -> Sequence[str]:
    """Return the names of the files in an archive."""
    with zipfile.ZipFile(io.BytesIO(archive.content)) as opened:
        return opened.namelist()


def test_what_travels(tmp_path: Path) -> None:
    """The archive of a bot has all that the bot may need, what git ignores too; no hidden file, no cache, no link that
    leads out of the folder.
    """
    ignored = {".gitignore": "model.bin\n", "model.bin": "m", ".secret": "s", "__pycache__/x.pyc": "x", "lib/a.py": ""}
    entrant = write_bot(tmp_path / "alice", build_old="made by hand")
    for name, text in ignored.items():
        path = tmp_path / "alice" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    (tmp_path / "outside").write_text("the organiser's")
    (tmp_path / "alice/stolen").symlink_to(tmp_path / "outside")
    (tmp_path / "alice/again.py").symlink_to("bot.py")

    assert list_names(pack(entrant)) == ["again.py", "bot.py", "bot.toml", "build/old", "lib/a.py", "model.bin"]


def test_what_is_built_there(tmp_path: Path) -> None:
    """The folder of a build step does not travel: each kind of machine builds its own."""
    entrant = write_bot(tmp_path / "alice", BUILT_TOML, **{"build_bot": "of this machine", "build.sh": "true"})

    assert list_names(pack(entrant)) == ["bot.py", "bot.toml", "build.sh"]


def test_a_digest_is_of_the_contents(tmp_path: Path) -> None:
    """The same files have the same one, whenever and wherever they were written; a changed bit has another."""
    first, again = (pack(write_bot(tmp_path / name)) for name in ("one", "two"))
    changed = pack(write_bot(tmp_path / "three", **{"bot.py": "pass \n"}))
    (tmp_path / "two/bot.py").chmod(0o755)
    runnable = pack(write_bot(tmp_path / "two"))

    assert first == again
    assert len({first.digest, changed.digest, runnable.digest}) == 3


def test_a_command_without_the_paths_of_a_machine(tmp_path: Path) -> None:
    """A travelling command has no paths of its machine: the program, the folder and this Python have other places
    there.
    """
    (tmp_path / "alice").mkdir()
    entrant = write_bot(tmp_path / "alice", run_me="#!/bin/sh\n")
    program = str(tmp_path / "alice/run/me")
    Path(program).chmod(0o755)
    entrant = replace(entrant, command=(program, sys.executable, f"--book={tmp_path}/alice/lib", "bot.py"))
    travelling, archive = pack_bot(entrant)
    assert archive is not None
    unpack_files(archive.content, tmp_path / "there")
    there = localize_bot(travelling, tmp_path / "there", {})

    assert str(tmp_path) not in repr(travelling)
    assert there.command == (f"{tmp_path}/there/run/me", sys.executable, f"--book={tmp_path}/there/lib", "bot.py")
    assert os.access(there.command[0], os.X_OK)


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    """The machine that lacks the program of a bot says so."""
    travelling, _ = pack_bot(replace(write_bot(tmp_path), command=("no-such-program", "bot.py")))

    with pytest.raises(ConfigError, match="there is no program 'no-such-program'"):
        localize_bot(travelling, tmp_path, {})


def test_bots_that_cannot_travel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that cannot travel are refused, with what to do."""
    entrant = write_bot(tmp_path / "alice")
    for name in ("plain/bot.py", "plain/b", "plain/c", "far/d"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    plain = Entrant(name="plain", command=("python3", "plain/bot.py"), folder=tmp_path)
    far = Entrant(name="far", command=("python3", str(tmp_path / "plain/b")), folder=tmp_path / "far")
    monkeypatch.setattr(travelling_bots, "MAX_COMMAND_FILES", 2)

    for wrong, text in (
        (replace(entrant, memory=tmp_path), "alice has a memory, which is a folder of this machine"),
        (replace(entrant, limits=Limits(read=("/srv/book",))), "alice may read /srv/book"),
        (plain, "holds more than 2 files"),
        (far, "is not below"),
    ):
        with pytest.raises(ConfigError, match=text):
            pack_bot(wrong)


def test_the_folder_of_a_command_travels(tmp_path: Path) -> None:
    """As in the sandbox, a plain command sees what lies beside the files that it names."""
    for name in ("bots/bot.py", "bots/helper.py", "other/secret"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    entrant = Entrant(name="plain", command=("python3", "bots/bot.py"), folder=tmp_path)

    assert list_names(pack(entrant)) == ["bots/bot.py", "bots/helper.py"]


@pytest.mark.once
def test_the_cache_builds_once(tmp_path: Path) -> None:
    """The cache builds a bot once, also when several processes want it at the same moment: one builds while the others
    wait.
    """
    script = "mkdir -p build; echo built >> ../../built; sleep 0.3; printf '#!/bin/sh' > build/bot; chmod +x build/bot"
    archive = pack(write_bot(tmp_path / "alice", BUILT_TOML, **{"build.sh": script}))
    (tmp_path / "archive").write_bytes(archive.content)
    program = (
        "import sys; from pathlib import Path\n"
        "from pitboss_tournament.cluster.travelling_bots import BotCache\n"
        "from pitboss_tournament.cluster.travelling_bots import BotArchive\n"
        "from pitboss_tournament.authoring.bot_build import BuildRules\n"
        "home, digest = Path(sys.argv[1]), sys.argv[2]\n"
        "archive = BotArchive(digest, (home / 'archive').read_bytes(), True)\n"
        "print(BotCache(home / 'cache', 'kind').add(archive, BuildRules('none')).folder)\n"
    )
    words = (sys.executable, "-c", program, str(tmp_path), archive.digest)
    runs = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    places = {run.communicate()[0].strip() for run in runs}

    [place] = places
    assert (Path(place) / "build/bot").is_file()
    assert (Path(place).parents[1] / "built").read_text() == "built\n"


@pytest.mark.once
def test_a_build_that_fails(tmp_path: Path) -> None:
    """A build that fails leaves nothing in the cache, and the next attempt begins anew."""
    archive = pack(write_bot(tmp_path / "alice", BUILT_TOML, **{"build.sh": "exit 3"}))
    cache = BotCache(tmp_path / "cache", "kind")
    for _ in range(2):
        with pytest.raises(ConfigError):
            cache.add(archive, RULES)

    assert cache.find(archive.digest) is None
    assert [path.suffix for path in (tmp_path / "cache").iterdir()] == [".lock"]


def test_the_cache_is_bounded(tmp_path: Path) -> None:
    """The bots that were used longest ago go first, and never one in use."""
    archives = [pack(write_bot(tmp_path / name, data=name * 1_000)) for name in "abcd"]
    held, cache = (BotCache(tmp_path / "cache", "kind", max_bytes=3_000) for _ in range(2))
    held.add(archives[0], RULES)
    for archive in archives[1:]:
        cache.add(archive, RULES)
        cache.close()
        sleep(0.01)  # the clock of the file system is coarse

    assert [cache.find(archive.digest) is not None for archive in archives] == [True, False, False, True]
    held.close()
    cache.close()


@pytest.mark.parametrize("change", ["edited", "removed", "added"])
def test_files_that_changed_in_the_cache(tmp_path: Path, change: str) -> None:
    """The files of a cache are read-only; a bot whose files changed all the same is thrown away, so that it is sent
    again.
    """
    archive = pack(write_bot(tmp_path / "alice"))
    cache = BotCache(tmp_path / "cache", "kind")
    file = cache.add(archive, RULES).folder / "bot.py"
    sound, modes = cache.find(archive.digest), (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777)
    for path in (file, file.parent):
        path.chmod(0o755)
    if change == "edited":
        file.write_text(file.read_text() + "# other")
    elif change == "removed":
        file.unlink()
    else:
        (file.parent / "random.py").write_text("")

    assert sound is not None
    assert modes == (0o444, 0o555)
    assert cache.find(archive.digest) is None
    assert cache.add(archive, RULES).contents == sound.contents
    assert len(list((tmp_path / "cache").iterdir())) == 2
    cache.close()


def test_builds_of_kinds_lie_apart(tmp_path: Path) -> None:
    """Machines with the same home folder do not run what another kind has built."""
    archive = pack(write_bot(tmp_path / "alice"))
    one, other = (BotCache(tmp_path / "cache", kind) for kind in ("x86", "arm"))
    one.add(archive, RULES)

    assert other.find(archive.digest) is None
    assert other.add(archive, RULES) != one.find(archive.digest)
    one.close()
    other.close()


def test_processors_are_claimed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A processor is claimed once by all processes of a user together; a claim ends with its process or when it is
    given back.
    """
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 5, 7})
    first, second = CpuClaims(), CpuClaims()

    assert [first.claim(), second.claim(), first.claim(), second.claim()] == [7, 5, 3, None]
    first.release(3)
    assert second.claim() == 3
    for claims, cpus in ((first, (7,)), (second, (5, 3))):
        for cpu in cpus:
            claims.release(cpu)


def test_code_that_differs() -> None:
    """Code that differs is a sentence for each package that is another one there, or missing."""
    here = {name: CodeVersion("1.0", "aa") for name in ("same", "other", "newer", "missing")}
    there = {
        **here,
        "other": CodeVersion("1.0", "bb"),
        "newer": CodeVersion("1.1", "cc"),
        "missing": CodeVersion("", ""),
    }

    assert list(describe_differences(here, there)) == [
        "other 1.0 has other files there than here",
        "newer is 1.0 here and 1.1 there",
        "missing is not installed there",
    ]
    assert describe_code("pitboss").digest
    assert describe_code("no_such_package") == CodeVersion("", "")
