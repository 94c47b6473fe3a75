"""What a bot in the sandbox is shown: its own, its interpreter, what it may read; and never the tournament's own
files.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pitboss.errors import ConfigError
from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes import bind_mounts, machine_programs
from pitboss_tournament.processes.sandbox import build_launch, check_sandbox
from pitboss_tournament.processes.start_errors import BotStartError, MachineError
from tests.marks import first_rows
from tests.tournament.sandbox_programs import make_entrant, needs_bubblewrap, run_for_output, run_program, start_program

pytestmark = [pytest.mark.once, needs_bubblewrap]

LISTING_PROGRAM = "find . -type f | sort"


def make_folder(place: Path, *names: str) -> Path:
    """Make a folder with these files."""
    place.mkdir(parents=True, exist_ok=True)
    for name in names:
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"print({name!r})")
    return place


def test_own_folder(tmp_path: Path) -> None:
    """A bot's own folder is all there, at its own path, and the bot runs in it, also where only we may look into the
    folder and what is around it.
    """
    folder = make_folder(tmp_path / "bot", "bot.toml", "bot.py", "data/net.bin")
    for place in (folder / "data", folder, tmp_path):
        place.chmod(0o700)

    assert (
        run_for_output(make_entrant("sh", "-c", f"pwd; {LISTING_PROGRAM}", folder=folder))
        == f"{folder}\n./bot.py\n./bot.toml\n./data/net.bin"
    )


def test_store_in_the_own_folder(tmp_path: Path) -> None:
    """The tournament's files are not there, even those that SQLite makes after the bot has been started."""
    folder = make_folder(
        tmp_path / "bot", "bot.toml", "games.pitboss", "games.pitboss-journal", "results/plan.toml", "results/more.txt"
    )
    entrant = make_entrant(
        "sh",
        "-c",
        f"{LISTING_PROGRAM}; read line; {LISTING_PROGRAM}",
        folder=folder,
        hidden=(folder / "games.pitboss", folder / "results" / "plan.toml"),
    )

    with start_program(entrant) as (popen, _, _):
        assert popen.stdin and popen.stdout
        before = [popen.stdout.readline(), popen.stdout.readline()]
        make_folder(folder, "games.pitboss-wal", "games.pitboss-shm")
        popen.stdin.write("\n")
        popen.stdin.close()
        after = popen.stdout.read()

    assert before == ["./bot.toml\n", "./results/more.txt\n"]
    assert after == "./bot.toml\n./results/more.txt\n"


def test_store_that_does_not_exist_yet(tmp_path: Path) -> None:
    """A store that is made after the bot has been started is not there either."""
    folder = make_folder(tmp_path / "bot", "bot.toml")
    entrant = make_entrant(
        "sh", "-c", f"read line; {LISTING_PROGRAM}", folder=folder, hidden=(folder / "games.pitboss",)
    )

    with start_program(entrant) as (popen, _, _):
        make_folder(folder, "games.pitboss")
        seen, _errors = popen.communicate("\n")

    assert seen == "./bot.toml\n"


def test_link_beside_a_hidden_file(tmp_path: Path) -> None:
    """The target of a symbolic link in a bot's folder is not shown, when the folder's entries are shown one by one."""
    secret = make_folder(tmp_path / "other", "secret.txt") / "secret.txt"
    folder = make_folder(tmp_path / "bot", "bot.toml", "games.pitboss")
    (folder / "link.txt").symlink_to(secret)

    look = "ls; cat link.txt 2>/dev/null; true"
    assert (
        run_for_output(make_entrant("sh", "-c", look, folder=folder, hidden=(folder / "games.pitboss",)))
        == "bot.toml\nlink.txt"
    )
    for mode in (0o755, 0o700):
        folder.chmod(mode)
        assert (
            run_for_output(make_entrant("sh", "-c", f"{look} # {mode}", folder=folder))
            == "bot.toml\ngames.pitboss\nlink.txt"
        )


def test_folder_too_large_to_be_shown_in_parts(tmp_path: Path) -> None:
    """If a bot's folder holds the store and hundreds of files, the person is told to give the bot another."""
    folder = make_folder(
        tmp_path, "bot.toml", "games.pitboss", *(f"{number}.txt" for number in range(bind_mounts.MAX_ENTRIES))
    )
    entrant = make_entrant("true", folder=folder, hidden=(folder / "games.pitboss",))

    with pytest.raises(ConfigError, match="give the bot a folder of its own"):
        check_sandbox(entrant, "bubblewrap")
    check_sandbox(entrant, "none")


def test_home_folder_as_a_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who makes the home folder a bot's is told that it is not shown to any bot."""
    monkeypatch.setenv("HOME", str(make_folder(tmp_path / "user", "bot.toml")))

    for folder in (tmp_path / "user", make_folder(tmp_path, "bot.toml")):
        with pytest.raises(ConfigError, match="which other programs use, too"):
            check_sandbox(make_entrant("true", folder=folder), "bubblewrap")
    with pytest.raises(BotStartError, match="which other programs use, too"):
        build_launch(make_entrant("true", folder=tmp_path), "m", "bubblewrap")


def test_command_with_a_script_below(tmp_path: Path) -> None:
    """The folder of the script is shown for a bot that is but a command, not what lies around it."""
    folder = make_folder(tmp_path, "mine/bot.py", "mine/part.py", "other/bot.py", "plan.toml")

    assert (
        run_for_output(make_entrant("sh", "-c", f"{LISTING_PROGRAM} #", "mine/bot.py", folder=folder))
        == "./mine/bot.py\n./mine/part.py"
    )


def test_command_with_a_script_right_there(tmp_path: Path) -> None:
    """If the script lies where the command runs, all that lies there is shown, but for the tournament's files."""
    folder = make_folder(tmp_path, "bot.py", "part.py", "plan.toml", "plan.pitboss")
    entrant = make_entrant(
        "sh",
        "-c",
        f"{LISTING_PROGRAM} #",
        "bot.py",
        folder=folder,
        hidden=(folder / "plan.toml", folder / "plan.pitboss"),
    )

    assert run_for_output(entrant) == "./bot.py\n./part.py"


@pytest.mark.parametrize(
    ("word", "seen"),
    [
        ("nothing.py", ""),
        ("--net=nets/net.bin", "./nets/net.bin"),
        ("lib:nets/net.bin", "./lib/a.jar\n./nets/net.bin"),
        ("lib", "./lib/a.jar"),
        ("package.main", "./package/__init__.py\n./package/main.py"),
        ("package", "./package/__init__.py\n./package/main.py"),
        ("../up/x", "../up/x"),
    ],
)
def test_words_of_a_command(tmp_path: Path, word: str, seen: str) -> None:
    """Files and folders are found in options, in class paths and as modules; and nothing else is shown."""
    make_folder(tmp_path, "up/x", "around")
    folder = make_folder(
        tmp_path / "here", "nets/net.bin", "lib/a.jar", "package/main.py", "package/__init__.py", "plan.toml"
    )

    assert (
        run_for_output(make_entrant("sh", "-c", "find .. -type f | sed s#../here#.# | sort #", word, folder=folder))
        == seen
    )


@pytest.mark.parametrize("word", [".", "/", "/tmp", "..", "/etc/passwd", "~", "/proc/self/environ", "/dev/shm"])
def test_command_that_names_what_is_everybodys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    """A word that means the home folder, or one that everybody shares, shows nothing of it."""
    home = make_folder(tmp_path / "user", "secret")
    monkeypatch.setenv("HOME", str(home))
    entrant = make_entrant(
        "sh", "-c", f"ls -A {home} {tmp_path} 2>&1; test -e /etc/shadow && echo shadow; true #", word, folder=home
    )

    done = run_program(entrant)

    assert "secret" not in done.out
    assert "shadow" not in done.out


def test_script_in_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The script alone is shown where it lies in the home folder."""
    home = make_folder(tmp_path / "user", "secret", "bot.py")
    monkeypatch.setenv("HOME", str(home))

    assert run_for_output(make_entrant("sh", "-c", f"{LISTING_PROGRAM} #", "bot.py", folder=home)) == "./bot.py"


def test_what_it_may_read(tmp_path: Path) -> None:
    """The paths that `read` names are shown, where they are; nothing beside them is."""
    folder = make_folder(tmp_path / "bot", "bot.toml")
    books = make_folder(tmp_path, "books/openings.txt", "books/endings.txt", "other/other.txt") / "books"

    limits = Limits(read=(str(books / "openings.txt"),))
    assert (
        run_for_output(make_entrant("sh", "-c", "find .. -type f | sort", folder=folder, limits=limits))
        == "../books/openings.txt\n../bot/bot.toml"
    )
    with pytest.raises(ConfigError, match="which other programs use, too"):
        check_sandbox(make_entrant("true", limits=Limits(read=("/",))), "bubblewrap")


def test_our_own_python() -> None:
    """A bot that the Python of Pitboss runs finds all packages that are installed in it, editable ones too."""
    code = "import msgspec, pitboss_house_bots, sys; print(sys.executable)"

    assert run_for_output(make_entrant(sys.executable, "-c", code)) == sys.executable


LIST_FOLDERS = """
import json, sys
started = []
sys.addaudithook(lambda event, details: started.append(event) if event == "subprocess.Popen" else None)
from pathlib import Path
from pitboss_tournament.processes.visible_paths import find_visible_paths
seen = find_visible_paths([sys.executable], Path("/"))
print(json.dumps([sorted(map(str, seen.paths)), list(seen.module_folders), len(started)]))
"""


def list_folders(script: Path, *options: str, **env: str) -> tuple[list[str], list[str], int]:
    """Return what a Python with these options shows a bot that it runs, and how many programs it started for that."""
    script.write_text(LIST_FOLDERS)
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    words = [sys.executable, *options, str(script)]
    paths, folders, started = json.loads(subprocess.check_output(words, env={**inherited, **env}, cwd="/"))
    return paths, folders, started


def test_our_own_python_as_a_worker_sees_it(tmp_path: Path) -> None:
    """A worker (-P) shows the folders that other processes do; it starts a Python only if the environment adds some."""
    script, more = make_folder(tmp_path / "program") / "list.py", str(make_folder(tmp_path / "more"))
    paths, folders, started = list_folders(script, "-P")

    assert (paths, folders) == list_folders(script)[:2]
    assert (folders, started) == ([], 0)
    assert list_folders(script, "-P", PYTHONPATH=more) == (sorted([*paths, more]), [more], 2)


def test_virtual_environment(tmp_path: Path) -> None:
    """A Python of a virtual environment finds its own packages, and the Python that it was made with."""
    done = os.spawnlp(os.P_WAIT, sys.executable, sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv"))
    assert done == 0
    [packages] = (tmp_path / "venv" / "lib").glob("python3*/site-packages")
    (packages / "treasure.py").write_text("value = 7")
    folder = make_folder(tmp_path / "bot")
    (folder / "bot.py").write_text("import json, treasure\nprint(treasure.value)")

    assert run_for_output(make_entrant(str(tmp_path / "venv" / "bin" / "python"), "bot.py", folder=folder)) == "7"


def test_interpreter_of_a_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter that the first line of a script names is found, by its path or by its name, wherever it is
    installed.
    """
    tool = make_folder(tmp_path / "tool", "lib/answer") / "bin" / "answer"
    tool.parent.mkdir()
    tool.write_text('#!/bin/sh\ncat "$(dirname "$0")/../lib/answer"\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}:{os.environ['PATH']}")
    folder = make_folder(tmp_path / "bot", "bot.toml")
    for name, first in (("by_path", f"#!{tool}"), ("by_name", "#!/usr/bin/env answer")):
        script = folder / name
        script.write_text(f"{first}\n")
        script.chmod(0o755)

        assert run_for_output(make_entrant(str(script), folder=folder)) == "print('lib/answer')"


def install_shim(folder: Path, monkeypatch: pytest.MonkeyPatch, manager_code: str) -> None:
    """Put a shim "tool" on the path whose manager runs `manager_code`."""
    manager, shim = folder / "manager", folder / "shims" / "tool"
    shim.parent.mkdir()
    for path, code in ((manager, manager_code), (shim, f'exec "{manager}" exec "tool" "$@"')):
        path.write_text(f"#!/bin/sh\n{code}\n")
        path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{shim.parent}:{os.environ['PATH']}")


def test_shim_of_a_version_manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind a shim the program is run that its manager names, not the shim."""
    real = tmp_path / "tool-1.0"
    real.write_text("#!/bin/sh\necho the real one\n")
    real.chmod(0o755)
    install_shim(tmp_path, monkeypatch, f'[ "$1 $2" = "which tool" ] && echo {real}')

    assert run_for_output(make_entrant("tool")) == "the real one"


def test_shim_whose_manager_is_slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which the manager does not answer is at fault, not the bot."""
    install_shim(tmp_path, monkeypatch, "exec sleep 60")
    monkeypatch.setattr(machine_programs, "MANAGER_SECONDS", 0.1)

    with pytest.raises(MachineError, match=r"has not told in 0\.1 s which program 'tool' is") as caught:
        run_for_output(make_entrant("tool", "again"))  # a bot's sandbox is planned once
    assert caught.value.cause == "overloaded"


@pytest.mark.parametrize("is_pinned", [True, False])
@first_rows(1)(
    ("program", "words"),
    [
        ("node", ("-e", "new (require('worker_threads').Worker)('process.stdout.write(`ok`)', {eval: true})")),
        ("java", ("Ok.java",)),
    ],
)
def test_large_runtimes(tmp_path: Path, program: str, words: tuple[str, ...], is_pinned: bool) -> None:
    """Node with a thread, and Java with its compiler, live with the default limits, on one processor or on all."""
    if shutil.which(program) is None:
        pytest.skip(f"there is no {program}")
    folder = make_folder(tmp_path, "bot.toml")
    code = (
        'int[][] much = new int[40][]; for (int i = 0; i < 40; i++) much[i] = new int[1 << 20]; System.out.print("ok");'
    )
    (folder / "Ok.java").write_text(f"class Ok {{ public static void main(String[] words) {{ {code} }} }}")
    everywhere = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(everywhere)} if is_pinned else everywhere)

    try:
        assert run_for_output(make_entrant(program, *words, folder=folder)) == "ok"
    finally:
        os.sched_setaffinity(0, everywhere)


def test_folder_that_is_gone(tmp_path: Path) -> None:
    """A bot whose folder has been removed cannot start; the text names the folder."""
    with pytest.raises(BotStartError, match="missing"):
        build_launch(Entrant(name="bot", command=("true",), folder=tmp_path / "missing"), "m", "bubblewrap")


def test_an_environment_behind_a_launcher(tmp_path: Path) -> None:
    """A script of the bot starts the Python of a virtual environment in its folder: that of this machine is shown."""
    folder = tmp_path / "bot"
    os.spawnlp(os.P_WAIT, sys.executable, sys.executable, "-m", "venv", "--without-pip", str(folder / ".venv"))
    (folder / "bot.toml").write_text('command = ["sh", "run.sh"]\n')
    (folder / "run.sh").write_text("exec .venv/bin/python -c 'import sys; print(sys.prefix)'\n")

    assert run_for_output(make_entrant("sh", "run.sh", folder=folder)) == str(folder / ".venv")


def test_an_environment_on_a_python_of_the_bot_shows_nothing(tmp_path: Path) -> None:
    """A Python that the machine does not know by its name is not shown, wherever `pyvenv.cfg` and its links lead."""
    secret, folder = tmp_path / "secret" / "bin", tmp_path / "bot"
    (folder / ".venv" / "bin").mkdir(parents=True)
    secret.mkdir(parents=True)
    (secret / "python").write_text("#!/bin/sh\n")
    (secret / "python").chmod(0o755)
    (folder / ".venv" / "pyvenv.cfg").write_text(f"home = {secret}\n")
    (folder / ".venv" / "bin" / "python").symlink_to(secret / "python")
    (folder / "bot.toml").write_text('command = ["sh", "run.sh"]\n')
    (folder / "run.sh").write_text(f"ls {secret} 2>/dev/null || echo nothing\n")

    assert run_for_output(make_entrant("sh", "run.sh", folder=folder)) == "nothing"
