"""Where a program crashed, from what real interpreters print, and from traces as compilers' runtimes print them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pitboss_tournament.text.fault_advice import find_crash_site
from tests.marks import first_rows

pytestmark = pytest.mark.once

PROGRAMS = {
    "bot.py": (sys.executable, "import json\n\ndef f():\n    json.loads('{')\n\nf()\n", 4, "JSONDecodeError"),
    "bot.js": ("node", "function f() {\n  null.card;\n}\nf();\n", 2, "TypeError: Cannot read"),
    "syntax.js": ("node", "let a = 1;\nlet = = 2;\n", 2, "SyntaxError"),
    "bot.rb": ("ruby", "def f\n  nil.card\nend\nf\n", 2, "undefined method"),
    "bot.lua": ("lua5.4", "local x\nprint(x.card)\n", 2, "attempt to index"),
    "bot.php": ("php", "<?php\n$x = 1;\nthrow new Exception('no card');\n", 3, "no card"),
    "bot.pl": ("perl", "use strict;\nmy $x;\ndie 'no card';\n", 3, "no card"),
    "bot.sh": ("sh", "set -eu\n:\necho $card\n", 3, "card"),
    "Bot.java": (
        "java",
        'class Bot {\n  public static void main(String[] a) {\n    Integer.parseInt("card");\n  }\n}\n',
        3,
        "NumberFormatException",
    ),
}
TRACES = [
    (
        "thread 'main' panicked at src/main.rs:7:5:\nno card\nnote: run with `RUST_BACKTRACE=1`\n",
        "main.rs",
        7,
        "no card",
    ),
    (
        "panic: no card\n\ngoroutine 1 [running]:\nmain.main()\n\t/home/me/bot/main.go:9 +0x1d\nexit status 2\n",
        "main.go",
        9,
        "panic: no card",
    ),
    (
        "Unhandled exception. System.Exception: no card\n   at Bot.Main() in /home/me/bot/Bot.cs:line 12\n",
        "Bot.cs",
        12,
        "no card",
    ),
]


@first_rows(3)("name", PROGRAMS)
def test_a_program_that_crashes(name: str, tmp_path: Path) -> None:
    """The file and the line of a crash are the program's own, not those of a library, and come with the error."""
    interpreter, code, line, error = PROGRAMS[name]
    if not shutil.which(interpreter):
        pytest.skip(f"{interpreter} is not installed")
    (tmp_path / name).write_text(code)
    done = subprocess.run([interpreter, name], cwd=tmp_path, capture_output=True, text=True, check=False)

    site = find_crash_site(done.stderr or done.stdout)  # PHP prints errors to standard output

    assert site, done.stderr
    assert (Path(site.file).name, site.line) == (name, line)
    assert error in site.error


@pytest.mark.parametrize(("said", "file", "line", "error"), TRACES)
def test_a_trace(said: str, file: str, line: int, error: str) -> None:
    """The traces of compiled languages are read alike."""
    site = find_crash_site(said)

    assert site
    assert (Path(site.file).name, site.line) == (file, line)
    assert error in site.error


def test_no_trace() -> None:
    """The usual output of a bot is no crash."""
    assert find_crash_site("rack [1, 2] card 3 fits\nI took 12:30 for this\n") is None
