"""What the machine refuses is a sentence, whichever part of the command it hits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.marks import first_rows
from tests.tournament.command_line import COMMAND

pytestmark = pytest.mark.once

MATCH = ("match", "magpie", "house:first", "house:first", "--deals", "1", "-o", "turns=1")

ERROR = "MemoryError: " + "x" * 4000
FILLS_MEMORY = """
import resource
from pitboss_tournament.cli.memory_shortage import keep_reserve, report_lack

error, held, size = MemoryError("x" * 4000), [], 1 << 16
keep_reserve()
with open("/proc/self/statm") as file:
    resource.setrlimit(resource.RLIMIT_AS, (int(file.read().split()[0]) * resource.getpagesize(),) * 2)
while size:
    try:
        held.append(bytes(size))
    except MemoryError:
        size //= 2
try:
    report_lack(error)
finally:
    del held
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems limit memory otherwise")
def test_a_lack_of_memory_is_reported_when_all_is_used() -> None:
    """The sentence itself is built of memory kept back."""
    ran = subprocess.run([sys.executable, "-c", FILLS_MEMORY], capture_output=True, text=True, check=False)

    assert ran.stderr == f"pitboss: there is too little memory for this command (see `ulimit -a`): {ERROR}\n"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems limit memory otherwise")
@pytest.mark.parametrize("kilobytes", [20_000, 30_000, 40_000, 42_000, 44_000, 60_000])
@first_rows(1)("words", [("games",), MATCH], ids=["games", "match"])
def test_too_little_memory(tmp_path: Path, words: tuple[str, ...], kilobytes: int) -> None:
    """A command without memory, where Python itself starts, ends with one sentence and no traceback, if it cannot do
    its work.
    """
    limited = ["sh", "-c", f'ulimit -v {kilobytes}; exec "$@"', "sh", *COMMAND, *words]
    ran = subprocess.run(limited, capture_output=True, text=True, check=False, cwd=tmp_path)

    if "Fatal Python error" in ran.stderr:
        pytest.skip("Python itself does not start")
    assert "Traceback" not in ran.stderr
    *progress, last = [line for line in ran.stderr.splitlines() if not line.endswith(" a second")] or [""]
    assert not progress
    assert ran.returncode == 0 or last.startswith("pitboss: ")
