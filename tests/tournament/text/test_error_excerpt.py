"""What is shown of a bot's standard error: where its error happened, and what it was."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pitboss_tournament.text.fault_advice import excerpt_lines

FAILING = """\
import json

def pick(legal):
    return legal[99]

def parse(text):
    return json.loads(text)

class Wrong(Exception):
    pass

try:
    pick([])
except IndexError:
    pass
"""


def test_both_ends_of_a_trace() -> None:
    """The excerpt of a long text has the first and the last lines, blank ones left out."""
    tcl = 'key "x" not known\n    while executing\n\n"dict get"\n    (file "bot.tcl" line 1)\n'

    assert excerpt_lines(tcl, 1, 1) == ['key "x" not known', "…", '    (file "bot.tcl" line 1)']
    assert excerpt_lines("a\nb\n\nc\n", 1, 1) == ["a", "b", "c"]
    assert excerpt_lines("\n \n", 1, 1) == []


@pytest.mark.once
@pytest.mark.parametrize(
    ("last", "line", "error"),
    [
        ("pick([])", 4, ["IndexError: list index out of range"]),
        ("parse('{')", 7, ["json.decoder.JSONDecodeError: "]),
        ("raise Wrong('one\\ntwo\\nthree')", 16, ["Wrong: one", "two"]),
        ("try:\n    pick([])\nexcept IndexError:\n    parse('')", 7, ["json.decoder."]),
        ("a b", 16, ["SyntaxError: invalid syntax"]),
    ],
)
def test_where_a_program_in_python_failed(tmp_path: Path, last: str, line: int, error: list[str]) -> None:
    """File, line and code of the last frame of its own, not of a library, and the error; whatever stood before."""
    script = tmp_path / "bot.py"
    script.write_text(FAILING + last + "\n")
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)

    for said in (ran.stderr, "thinking\n" * 99 + ran.stderr):
        where, code, *what = excerpt_lines(said, 2, 2)
        assert where.startswith(f'  File "{script}", line {line}')
        assert code.strip() == script.read_text().splitlines()[line - 1].strip()
        assert [shown.startswith(wanted) for shown, wanted in zip(what, error, strict=True)] == [True] * len(error)


@pytest.mark.once
def test_the_end_of_a_long_trace(tmp_path: Path) -> None:
    """The beginning of the trace need not be there, as only the end of standard error is kept."""
    script = tmp_path / "bot.py"
    script.write_text("def dig(depth):\n    dig(depth + 1)\n\ndig(0)\n")
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)

    where, code, what = excerpt_lines(ran.stderr[-400:], 2, 2)
    assert where == f'  File "{script}", line 2, in dig'
    assert code == "    dig(depth + 1)"
    assert what.startswith("RecursionError: ")
