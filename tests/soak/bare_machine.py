"""A bare Debian: `make` in a fresh clone, as an ordinary user in /home, with what the README names and no more.

    python -m tests.soak.bare_machine [SUITE]

debootstrap makes the smallest system of a suite (bookworm by default) in a temporary folder; `make` has to say what is
missing there before it begins, to succeed once that is installed, and to run again without a network; some tests run.
It takes some minutes and half a gigabyte. The exit status is 1 if something fails, 0 where this cannot be tried: not as
root, without debootstrap, or where its system cannot be made.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests import ROOT

PACKAGES: Final = "git make python3 python3-venv"  # that the README names
TESTS: Final = "tests/core/test_plugins.py tests/test_release.py tests/test_makefile.py"
CERTIFICATES: Final = Path("/etc/ssl/certs/ca-certificates.crt")  # of this machine, whose network is used
COPIED: Final = "etc/certificates-of-the-host.crt"  # beside those that Debian's packages write
MIRROR: Final = os.environ.get("DEBIAN_MIRROR", "")  # debootstrap's own, if this is empty
PASSED_ON: Final = ("http_proxy", "https_proxy", "PIP_INDEX_URL")
LIMIT_S: Final = 1800


class BareMachine:
    """A root folder with a Debian, and a user `ann` in it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, command: str, user: str = "root", is_offline: bool = False) -> subprocess.CompletedProcess[str]:
        """Run a command of the shell there, in the user's home; what it prints is kept."""
        kept = [f"{name}={os.environ[name]}" for name in PASSED_ON if name in os.environ]
        if (self.root / COPIED).exists():
            kept.append(f"PIP_CERT=/{COPIED}")
        env = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", *kept]
        apart = ["unshare", "--mount", "--pid", "--fork", *(["--net"] if is_offline else [])]
        inside = ["chroot", str(self.root), *env, "setpriv", *self._list_rights(user), "sh", "-c"]
        mounts = f'mount -t proc proc {self.root}/proc; mount --rbind /dev {self.root}/dev; exec "$@"'
        words = [*apart, "sh", "-c", mounts, "sh", *inside, f"cd; {command}"]
        return subprocess.run(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT_S, check=False
        )

    def _list_rights(self, user: str) -> list[str]:
        if user == "root":
            return ["env", "HOME=/root"]
        return ["--reuid", "1000", "--regid", "1000", "--clear-groups", "env", "HOME=/home/ann", "USER=ann"]


def main(words: Sequence[str]) -> int:
    """Make the machine and try it; return the exit status."""
    suite = words[0] if words else "bookworm"
    with made_machine(suite) as machine:
        return 0 if machine is None else try_make(machine, suite)


@contextmanager
def made_machine(suite: str) -> Iterator[BareMachine | None]:
    """Context manager: a machine with the smallest system of a suite, and this machine's network.

    None if it cannot be made here; a line says why.
    """
    with TemporaryDirectory(prefix="pitboss-bare-", ignore_cleanup_errors=True) as folder:
        machine = BareMachine(Path(folder, "root"))
        problem = make_root(machine.root, suite)
        if problem is not None:
            print(f"not tried: {problem}")
            yield None
            return
        shutil.copy("/etc/resolv.conf", machine.root / "etc/resolv.conf")
        shutil.copy("/etc/hosts", machine.root / "etc/hosts")
        if CERTIFICATES.exists():
            shutil.copy(CERTIFICATES, machine.root / COPIED)
        yield machine


def make_root(root: Path, suite: str) -> str | None:
    """Make the smallest system of a suite; return what is in the way, None if it is made."""
    if os.geteuid():
        return "debootstrap needs root"
    if shutil.which("debootstrap") is None:
        return "debootstrap is not installed (apt install debootstrap)"
    made = subprocess.run(
        ["debootstrap", "--variant=minbase", suite, str(root), *filter(None, [MIRROR])],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    last = " ".join(made.stdout.splitlines()[-2:])
    return f"debootstrap cannot make {suite} here: {last}" if made.returncode else None


def try_make(machine: BareMachine, suite: str) -> int:
    """Install, step by step, what `make` asks for; return the exit status."""
    prepare(machine)
    steps = (
        (
            "make without a Python",
            "apt-get install -y -q make",
            "cd pitboss && make",
            1,
            "apt install python3 python3-venv",
        ),
        ("make without venv", "apt-get install -y -q python3", "cd pitboss && make", 1, "apt install python3-venv"),
        ("make", f"apt-get install -y -q {PACKAGES}", "cd pitboss && make", 0, "Verdict"),
        ("a match", "true", "pitboss/.venv/bin/pitboss match racko house:racko house:random --deals 2", 0, "Verdict"),
        ("tests of CI", "true", f"cd pitboss && make .venv/dev && .venv/bin/pytest -q {TESTS}", 0, " passed"),
    )
    print("| on a bare Debian | seconds | as it should |\n|---|---|---|", flush=True)
    for name, before, command, status, said in steps:
        if (ran := machine.run(f"export DEBIAN_FRONTEND=noninteractive; {before}")).returncode:
            print(f"{before}: {ran.stdout[-500:]}")
            return 1
        if report(machine, f"{name}, {suite}", command, status, said):
            return 1
    again = "cd pitboss && touch pyproject.toml && make"
    return report(machine, f"make again, offline, {suite}", again, 0, "Verdict", is_offline=True)


def prepare(machine: BareMachine) -> None:
    """Give the machine a user, a clone of the repository in the home of that user, and lists of packages."""
    home = machine.root / "home/ann"
    home.mkdir(parents=True)
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(home / "pitboss")], check=True)
    subprocess.run(["chown", "--recursive", "1000:1000", str(home)], check=True)
    machine.run("echo ann:x:1000:1000::/home/ann:/bin/sh >> /etc/passwd; apt-get update -q")


def report(machine: BareMachine, name: str, command: str, status: int, said: str, is_offline: bool = False) -> int:
    """Run a command as the user, print its row, and return 1 if it did not end or speak as it should."""
    begun = time.perf_counter()
    ran = machine.run(command, "ann", is_offline)
    is_well = bool(ran.returncode) == bool(status) and said in ran.stdout
    print(f"| {name} | {time.perf_counter() - begun:.0f} | {'yes' if is_well else 'NO'} |", flush=True)
    if not is_well:
        print(ran.stdout[-3000:])
    return int(not is_well)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
