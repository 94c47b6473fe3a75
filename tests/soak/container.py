"""The image and the league of docker/, without Docker: in a bare Debian root, with what a default container may do.

    python -m tests.soak.container [SUITE]

debootstrap makes a Debian (trixie by default, whose Python is the image's). The RUN lines of docker/Dockerfile are run
there in their order, and then commands of docs/ci.md and of docker/compose.yaml as the image's user: without
capabilities, without a way to new privileges, and without the system calls that Docker's default profile refuses. The
exit status is 1 if something fails, 0 where this cannot be tried.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import yaml

from tests import ROOT
from tests.soak.bare_machine import BareMachine, made_machine

PYTHON: Final = "/usr/local/python"  # an environment in the place of the image's Python
LIMITS: Final = Path(__file__).with_name("container_limits.py")
USER: Final = 1000  # of the Dockerfile
SERVE_SECONDS: Final = 60


def main(words: Sequence[str]) -> int:
    """Make the image's file system and try it; return the exit status."""
    with made_machine(words[0] if words else "trixie") as machine:
        return 0 if machine is None else try_image(machine)


def try_image(machine: BareMachine) -> int:
    """Build as the Dockerfile says, then run the commands; return the exit status."""
    install = "apt-get update -q && apt-get install -y -q python3-venv && python3 -m venv"
    print("| in the place of a container | seconds | as it should |\n|---|---|---|", flush=True)
    copy_sources(machine.root / "src")
    shutil.copy(LIMITS, machine.root / "container_limits.py")
    steps = [f"export DEBIAN_FRONTEND=noninteractive; {install} {PYTHON}", *list_run_lines()]
    commands = [
        "pitboss doctor --json > doctor.json; grep -q landlock doctor.json",
        "pitboss match racko house:racko house:random --deals 2 -s sandbox=landlock",
        "pitboss league init league racko",
        "sed -i s/bubblewrap/landlock/ league/league.toml",
        "pitboss token new league --owner ada",
        f"{serve_command()} & pid=$!; {PYTHON}/bin/python3 -c {shlex.quote(ASK)}; kill $pid; wait $pid; test $? = 143",
        "pitboss league status league",
    ]
    for step in steps:
        if report(machine, step, f"PATH={PYTHON}/bin:$PATH; {step}"):
            return 1
    inside = f"cd /data; PATH={PYTHON}/bin:$PATH {PYTHON}/bin/python3 /container_limits.py {USER} sh -c"
    return max(report(machine, command, f"{inside} {shlex.quote(command)}") for command in commands)


ASK: Final = f"""
import time, urllib.request
for _ in range({SERVE_SECONDS * 10}):
    try:
        page = urllib.request.urlopen("http://localhost:8000/").read()
        break
    except OSError:
        time.sleep(0.1)
assert b"<html" in page
"""


def serve_command() -> str:
    """Return the command of the league's container, with the default of each variable."""
    compose = yaml.safe_load((ROOT / "docker" / "compose.yaml").read_text(encoding="utf-8"))
    words = [re.sub(r"\$\{\w+:-(.*?)\}", r"\1", word) for word in compose["services"]["league"]["command"]]
    return shlex.join(["pitboss", *words])


def list_run_lines() -> Iterator[str]:
    """Yield the commands of the Dockerfile's RUN lines, of both stages; there is one file system here."""
    text = (ROOT / "docker" / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    for line in text.splitlines():
        if line.startswith("RUN "):
            yield re.sub(r"--mount=\S+ ", "", line.removeprefix("RUN "))


def copy_sources(target: Path) -> None:
    """Copy what .dockerignore lets into the build, of the files that git knows."""
    patterns = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    wanted = [pattern.removeprefix("!") for pattern in patterns if pattern.startswith("!")]
    listed = subprocess.run(
        ["git", "ls-files", "-z", *wanted], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in filter(None, listed.split("\0")):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target / name)


def report(machine: BareMachine, name: str, command: str) -> int:
    """Run a command as root of the root folder, print its row, and return 1 if it failed."""
    begun = time.perf_counter()
    ran = machine.run(command)
    print(f"| `{name[:80]}` | {time.perf_counter() - begun:.0f} | {'NO' if ran.returncode else 'yes'} |", flush=True)
    if ran.returncode:
        print(ran.stdout[-3000:])
    return int(ran.returncode != 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
