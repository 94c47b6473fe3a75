"""What a bot's author is told to do about a fault: by the error that its program printed, and by its line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pitboss_tournament.text.fault_advice import FAULT_ADVICE, advise_line, diagnose_fault

NO_NETWORK = "a bot has no network"
ELSEWHERE = "a bot sees its own folder and the system alone"
READ_ONLY = "write to /tmp, or keep it in memory"
PYTHON_TRACE = 'Traceback (most recent call last):\n  File "/home/ann/mybot/bot.py", line 9, in <module>\n    go()\n'


@pytest.mark.parametrize(
    ("said", "cure"),
    [
        (f"{PYTHON_TRACE}urllib.error.URLError: <urlopen error [Errno -2] Name or service not known>", NO_NETWORK),
        (f"{PYTHON_TRACE}socket.gaierror: [Errno -3] Temporary failure in name resolution", NO_NETWORK),
        (f"{PYTHON_TRACE}OSError: [Errno 101] Network is unreachable", NO_NETWORK),
        ("Error: getaddrinfo ENOTFOUND example.org\n    at GetAddrInfoReqWrap.onlookup (node:dns:109:26)", NO_NETWORK),
        ("panic: Get x: dial tcp: lookup example.org: no such host\n\t/home/ann/bot.go:7 +0x1d", NO_NETWORK),
        (f"{PYTHON_TRACE}OSError: [Errno 30] Read-only file system: 'games.log'", READ_ONLY),
        ("Error: EROFS: read-only file system, open 'games.log'\n    at /home/ann/bot.js:3:4", READ_ONLY),
        (f"{PYTHON_TRACE}FileNotFoundError: [Errno 2] No such file or directory: '/home/ann/data.csv'", ELSEWHERE),
        ("bot.rb:3:in `read': No such file or directory @ rb_sysopen - /home/ann/data.csv (Errno::ENOENT)", ELSEWHERE),
        (f"{PYTHON_TRACE}PermissionError: [Errno 13] Permission denied: '/root/data.csv'", "read its own folder"),
        (f"{PYTHON_TRACE}ModuleNotFoundError: No module named 'numpy'", "install it in the bot's folder"),
        (f"{PYTHON_TRACE}KeyError: 'card'", "line 9: KeyError: 'card'"),
        ("Segmentation fault", "start the command by hand"),
    ],
)
def test_an_error_that_comes_of_how_bots_run(said: str, cure: str) -> None:
    """The cure says what a bot may do; it names the line if that is known."""
    advice = diagnose_fault("crashed", said).cure

    assert cure in advice
    assert ("mend /home/ann/mybot/bot.py, line 9: " in advice) == said.startswith(PYTHON_TRACE)


@pytest.mark.parametrize(("line", "named"), [(b'{"policy":[[0,1]]}', True), (b'{"choose":0}', False)])
def test_the_cure_names_policies_to_a_bot_that_stated_one(line: bytes, named: bool) -> None:
    """The cure of an illegal answer explains policies only if the answer stated a policy."""
    assert ("policy" in diagnose_fault("illegal", "", line).cure) == named


@pytest.mark.once
def test_a_syntax_error_of_a_real_interpreter(tmp_path: Path) -> None:
    """The line and the words of a syntax error are the cure."""
    bot = tmp_path / "bot.py"
    bot.write_text("import json\nfor line in sys.stdin\n    print(line)\n")
    ran = subprocess.run([sys.executable, bot], capture_output=True, text=True, check=False)

    assert diagnose_fault("crashed", ran.stderr).cure == f"mend {bot}, line 2: SyntaxError: expected ':'"


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        (b'{"type":"act","id":"1","choose":0}', '`id` is a number, not a string: 1, not "1"'),
        (b'{"type":"act","id":1,"choose":"0"}', '`choose` is a number, not a string: 1, not "1"'),
        (b'{"type":"act","id":1,"choice":0}', FAULT_ADVICE["malformed"]),
    ],
)
def test_a_line_that_is_no_answer(line: bytes, advice: str) -> None:
    """A number that is written as a text is told from other mistakes."""
    assert advise_line(line) == advice
