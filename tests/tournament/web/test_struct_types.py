"""Struct types are built before threads convert to them: otherwise a process may end by a segmentation fault."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.once

THREADS = """
import sys, threading
from typing import Annotated
import msgspec
from pitboss_tournament.web.struct_types import build_struct_types

sys.setswitchinterval(1e-6)
for number in range(200):
    inner = msgspec.defstruct(f"Inner{number}", [("a", Annotated[int, msgspec.Meta(ge=0)], 0)])
    for level in range(6):
        inner = msgspec.defstruct(f"Level{level}", [("a", int, 0), ("b", inner | None, None), ("c", list[str], [])])
    build_struct_types()
    barrier = threading.Barrier(6)

    def convert():
        barrier.wait()
        msgspec.convert({"a": 1, "b": {"b": {"b": {"a": 3}}}}, inner)

    threads = [threading.Thread(target=convert) for _ in range(6)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
print("whole")
"""


@pytest.mark.long
def test_many_threads_convert_to_new_structs() -> None:
    """Many threads can convert to new structs at the same moment."""
    done = subprocess.run([sys.executable, "-c", THREADS], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout.strip()) == (0, "whole"), done.stderr
