"""The levels of the sandbox: which one a run has, what a trial without an answer leads to, and what the store keeps."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from pitboss.errors import ConfigError
from pitboss_tournament.doctor.sandbox_probe import find_stray
from pitboss_tournament.exchange.pooling import open_pooled
from pitboss_tournament.plan.plan import SandboxLevel
from pitboss_tournament.processes.sandbox_probe import (
    check_strangers,
    is_weaker,
    name_level,
    probe_bubblewrap,
    probe_landlock,
    resolve_sandbox,
)
from pitboss_tournament.processes.sandbox_trial import TRIAL_SECONDS, TrialFailure, repeat_trial, run_trial
from pitboss_tournament.processes.start_errors import MachineError
from pitboss_tournament.results.own_settings import list_run_levels, sandbox_text
from pitboss_tournament.store.store import Store, read_last_level
from tests.tournament.command_line import COMMAND, TIMEOUT_S, run_pitboss
from tests.tournament.sandbox_programs import needs_bubblewrap

BUSY: Final = "bwrap: Creating new namespace failed: Resource temporarily unavailable"
FAILED_ONCE: Final = f"""\
#!/bin/sh
[ -e "$0.used" ] || {{ : > "$0.used"; echo '{BUSY}' >&2; exit 1; }}
exec {shutil.which("bwrap")} "$@"
"""
PEEK: Final = """\
import json, os, sys
assert not os.path.exists({secret!r})  # no file of its own: in the sandbox it is not there
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        print('{{"type": "ready"}}', flush=True)
    elif told["type"] == "decide":
        print(json.dumps({{"type": "act", "id": told["id"], "choose": 0}}), flush=True)
"""


@pytest.fixture
def open_path() -> Iterator[Path]:
    """Return a folder for programs, which all users may enter, unlike pytest's own."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def fresh_bubblewrap() -> Iterator[None]:
    """Let bubblewrap be probed anew, in this test and after it."""
    probe_landlock()  # which is remembered: the test may have another PATH
    probe_bubblewrap.cache_clear()
    yield
    probe_bubblewrap.cache_clear()
    probe_bubblewrap()  # so that no other test is charged with it


def install_bwrap(folder: Path, script: str) -> dict[str, str]:
    """Make a bubblewrap of a shell script; return the environment in which it is the one that is found."""
    program = folder / "bwrap"
    program.write_text(script)
    program.chmod(0o755)
    return {"PATH": f"{folder}:{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"}


def test_trial_that_can_be_told_the_third_time() -> None:
    """A trial that fails for a passing reason is made again, with more time; the first clear answer counts."""
    given = list[float]()
    answers = [TrialFailure("busy", is_lasting=False), TrialFailure("late", is_lasting=False), None]

    def trial(seconds: float) -> TrialFailure | None:
        given.append(seconds)
        return answers[len(given) - 1]

    assert repeat_trial("bubblewrap", trial, (0, 0)) is None
    assert given == list(TRIAL_SECONDS)


def test_trial_that_can_never_be_told() -> None:
    """A trial that never gives an answer is an error of the machine in one sentence."""
    with pytest.raises(
        MachineError, match=r"^it is unknown now whether bubblewrap works.*: a trial took longer; start again"
    ):
        repeat_trial("bubblewrap", lambda _: TrialFailure("a trial took longer", is_lasting=False), (0, 0))


def test_lasting_failure_is_not_tried_again() -> None:
    """A lasting failure is reported at once, without the next trial, which would say the same."""
    answers = iter([TrialFailure("no", is_lasting=True)])

    assert repeat_trial("bubblewrap", lambda _: next(answers), (0, 0)) == TrialFailure("no", is_lasting=True)


@pytest.mark.once
@pytest.mark.parametrize(
    ("script", "is_lasting"),
    [
        ("echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1", True),
        ("echo 'bwrap: No permissions to create a new namespace' >&2; exit 1", True),
        ("echo 'bwrap: Unknown option --disable-userns' >&2; exit 1", True),
        (f"echo '{BUSY}' >&2; exit 1", False),
        ("echo 'bwrap: Creating new namespace failed: No space left on device' >&2; exit 1", False),
        ('echo "bwrap: Can\'t fork for pid 1: Cannot allocate memory" >&2; exit 1', False),
        ("echo 'nobody knows this' >&2; exit 1", False),
        ("kill -9 $$", False),
        ("exit 1", False),
    ],
)
def test_what_passes(script: str, is_lasting: bool) -> None:
    """Only a refusal that is known to last says that there is no sandbox."""
    failure = run_trial(("sh", "-c", script), {"PATH": "/usr/bin:/bin"}, (), TIMEOUT_S)

    assert failure is not None
    assert failure.is_lasting == is_lasting


@pytest.mark.once
def test_trial_that_takes_too_long() -> None:
    """A trial that takes too long gives no answer, and its text has no command line in it."""
    failure = run_trial(("sleep", str(TIMEOUT_S)), {"PATH": "/usr/bin:/bin"}, (), 0.01)

    assert failure == TrialFailure("a trial took longer than 0 s", is_lasting=False)


@pytest.mark.once
@pytest.mark.skipif(os.geteuid() != 0, reason="only root's bots have a user of their own")
def test_users_that_cannot_be_told() -> None:
    """A lack of open files that hides which users there are is an error: root's bots do not run as root for it."""
    code = (
        "import os, resource\n"
        "from pitboss_tournament.processes.other_user import find_unused_users\n"
        "from pitboss_tournament.processes.start_errors import MachineError\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))\n"
        "try:\n    print(find_unused_users())\nexcept MachineError as error:\n    print(error)"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.startswith("the users of this machine are unknown now: /proc/self/"), done.stdout
    assert done.stdout.endswith("Too many open files\n")


@needs_bubblewrap
@pytest.mark.once
def test_sandbox_that_fails_once(open_path: Path, tmp_path: Path) -> None:
    """A sandbox that fails once is used by the run all the same: no bot reads what it must not, and results say the
    level.
    """
    bot, secret = open_path / "peek.py", tmp_path / "secret"
    bot.write_text(PEEK.format(secret=str(secret)))
    secret.touch()
    words = (f"/usr/bin/python3 -S {bot}", "house:first", "--deals", "1", "--seed", "s", "--store", "x.pitboss")

    ran = run_pitboss("match", "magpie", *words, "--explain", cwd=tmp_path, env=install_bwrap(open_path, FAILED_ONCE))

    assert ran.status == 0, ran.err + ran.out  # 3 if it had seen the file
    assert (open_path / "bwrap.used").exists()
    assert "The sandbox of all bots: bubblewrap." in ran.out.splitlines()
    assert run_pitboss("standings", "x.pitboss", "--json", cwd=tmp_path).json_value["sandbox"] == ["bubblewrap"]


@pytest.mark.once
def test_busy_machine(open_path: Path, tmp_path: Path) -> None:
    """Every command that would start a bot or a build ends with an error; nothing is started without a sandbox."""
    folder = tmp_path / "bee"
    folder.mkdir()
    (folder / "bot.toml").write_text('command = ["sh", "bot.sh"]\nbuild = ["touch", "../built"]\n')
    (folder / "bot.sh").write_text("touch ../started\n")
    (tmp_path / "t.toml").write_text('game = "magpie"\nbots = ["bee", "house:first"]\non_broken = "skip"\n')
    played = ("house:first", "house:random", "--deals", "1", "--sandbox", "none", "--store", "x.pitboss")
    assert run_pitboss("match", "magpie", *played, cwd=tmp_path).status == 0
    env = {**os.environ, **install_bwrap(open_path, f"#!/bin/sh\necho '{BUSY}' >&2\nexit 1\n")}
    against = ("bee", "house:first", "--deals", "1", "-s", "on_broken=skip")
    commands = [
        ("run", "t.toml"),
        ("match", "magpie", *against),
        ("check", "bee", "house:first", "--game", "magpie"),
        ("play", "magpie", "--against", "bee"),
        ("compare", "magpie", "bee", "house:first"),
        ("build", "bee"),
        ("ask", "x.pitboss", "0", "1", "--bot", "bee"),
    ]

    started = [
        subprocess.Popen(
            [*COMMAND, *words], cwd=tmp_path, env=env, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        for words in commands
    ]

    told = [one.communicate(timeout=TIMEOUT_S)[1] for one in started]

    for words, one, said in zip(commands, started, told, strict=True):
        assert (words[0], one.returncode) == (words[0], 3 if words[0] == "compare" else 1), said
        assert said.count("unknown now") == 1, said
        assert BUSY in said
    assert not (tmp_path / "built").exists()
    assert not (tmp_path / "started").exists()


@pytest.mark.long
@needs_bubblewrap
@pytest.mark.once
def test_levels_of_runs(tmp_path: Path) -> None:
    """A weaker level has to be named, a stronger one carries on; each run's stands in standings, report and JSON."""
    words = ("match", "magpie", "house:first", "house:random", "--seed", "s", "--store", "x.pitboss")
    first = run_pitboss(*words, "--deals", "1", "--sandbox", "none", "--explain", cwd=tmp_path)
    second = run_pitboss(*words, "--deals", "2", cwd=tmp_path)
    third = run_pitboss(*words, "--deals", "3", "--sandbox", "none", cwd=tmp_path)

    assert (first.status, second.status, third.status) == (0, 0, 0), second.err + third.err
    assert "The sandbox of all bots: none." in first.out
    told = "The sandbox was not the same in all runs: none in run 1, bubblewrap in run 2 and none in run 3."
    assert told in third.out.splitlines()
    found = run_pitboss("standings", "x.pitboss", "--json", cwd=tmp_path).json_value["sandbox"]
    assert found == ["none", "bubblewrap", "none"]
    run_pitboss("report", "x.pitboss", "-o", "x.html", cwd=tmp_path)
    assert "<td>bubblewrap</td>" in (tmp_path / "x.html").read_text()
    assert run_pitboss("integrity", "x.pitboss", cwd=tmp_path).status == 0


@needs_bubblewrap
@pytest.mark.once
@pytest.mark.usefixtures("fresh_bubblewrap")
def test_resume_where_the_level_cannot_be_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Auto is refused, before a build is run; the message has the words that play on at a weaker level."""
    words = ("match", "magpie", "house:first", "house:random", "--seed", "s", "--store", "x.pitboss", "--deals", "1")
    assert run_pitboss(*words, "--sandbox", "bubblewrap", cwd=tmp_path).status == 0
    assert read_last_level(tmp_path / "x.pitboss") == "bubblewrap"
    for program in ("sh", "prlimit", "setpriv"):
        if path := shutil.which(program):
            (tmp_path / program).symlink_to(path)
    monkeypatch.setenv("PATH", str(tmp_path))

    weaker = resolve_sandbox("auto")[0]
    with pytest.raises(ConfigError, match="the last run of this store had its bots at the level bubblewrap") as refused:
        resolve_sandbox("auto", "bubblewrap")

    assert is_weaker(weaker, "bubblewrap")
    assert str(refused.value).endswith(f"To play on at a weaker level, name it: {name_level(weaker)}")
    assert "bwrap is not installed" in str(refused.value)
    assert resolve_sandbox("auto", "none")[0] == weaker
    assert resolve_sandbox("none", "bubblewrap") == ("none", None)
    refused_run = run_pitboss(*words, cwd=tmp_path, env={"PATH": str(tmp_path)})
    assert refused_run.status == 2
    assert f"--sandbox {weaker}" in refused_run.err


@needs_bubblewrap
@pytest.mark.once
def test_pool_of_several_levels(tmp_path: Path) -> None:
    """Several stores as one have the weakest level of their runs."""
    paths = []
    for level in ("bubblewrap", "none"):
        words = ("match", "magpie", "house:first", "house:random", "--deals", "1", "--store", f"{level}.pitboss")
        assert run_pitboss(*words, "--sandbox", level, cwd=tmp_path).status == 0
        paths.append(tmp_path / f"{level}.pitboss")

    with open_pooled(paths) as pooled:
        assert list_run_levels(pooled) == ["none"]
    with closing(Store(paths[0])) as store:
        assert list_run_levels(store) == ["bubblewrap"]


@pytest.mark.parametrize(
    ("levels", "text"),
    [
        ([], None),
        (["landlock", "landlock"], "The sandbox of all bots: landlock."),
        (
            ["none", "none", "bubblewrap"],
            "The sandbox was not the same in all runs: none in run 1 to 2 and bubblewrap in run 3.",
        ),
    ],
)
def test_sentence_on_the_levels(levels: list[str], text: str | None) -> None:
    """The sentence on the levels names the level of each run."""
    assert sandbox_text(levels) == text


def test_pattern_of_strangers() -> None:
    """Bots that a pattern names run without a sandbox only if somebody says so."""
    with pytest.raises(ConfigError, match=r"^the bots of 'submissions/\*' would run without a sandbox: .*sandbox none"):
        check_strangers(["house:first", "submissions/*"], "auto", "none", "there is none")

    levels: list[SandboxLevel] = ["bubblewrap", "landlock"]
    for level in levels:
        check_strangers(["submissions/*"], "auto", level, None)
    check_strangers(["submissions/*"], "none", "none", None)
    check_strangers(["mybot"], "auto", "none", "there is none")


def test_what_an_ordinary_user_is_shown(tmp_path: Path) -> None:
    """An environment in a home folder, which a bot is shown, is no leak; what lies beside it is one."""
    home = tmp_path / "home"
    (home / "ann/pitboss/.venv/bin").mkdir(parents=True)
    shown = [f"{home}/ann/pitboss/.venv"]

    assert find_stray(str(home), shown) is None
    assert find_stray(str(tmp_path / "nothing"), shown) is None
    (home / "ann/diary").touch()
    assert find_stray(str(home), shown) == f"{home}/ann/diary"
    assert find_stray(f"{home}/ann/diary", []) == f"{home}/ann/diary"
    assert find_stray(str(home), []) == f"{home}/ann"
