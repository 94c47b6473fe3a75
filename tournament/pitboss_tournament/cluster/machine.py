"""A machine of a cluster: what it is, what code it has, and whether a tournament may be played there."""

from __future__ import annotations

import os
import platform
import socket
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.metadata import packages_distributions, version
from pathlib import Path
from typing import IO, Final

from msgspec import Struct

from pitboss.errors import ConfigError
from pitboss_tournament.doctor.machine import check_machine
from pitboss_tournament.plan.plan import SandboxLevel
from pitboss_tournament.processes.file_lock import lock_file
from pitboss_tournament.processes.sandbox_probe import resolve_sandbox
from pitboss_tournament.processes.start_errors import MachineError
from pitboss_tournament.store.game_code import digest_package

NO_NODE: Final = "a node of a cluster needs Linux or macOS; from Windows a tournament can be played on such machines"


class CodeVersion(Struct, frozen=True):
    """A Python package as it is installed somewhere."""

    version: str  # of its distribution; "" if there is none
    digest: str  # of its files


class MachineReport(Struct, frozen=True, kw_only=True):
    """What a machine says of itself."""

    name: str
    kind: str  # machines of the same kind take the same time, and can run what was built on another
    problems: tuple[str, ...]  # why a tournament cannot be played there
    code: dict[str, CodeVersion]  # by package


def describe_machine(packages: Iterable[str], sandbox: SandboxLevel) -> MachineReport:
    """Return a report on this machine, and the code of these packages on it."""
    return MachineReport(
        name=socket.gethostname(),
        kind=describe_kind(),
        problems=tuple(_list_problems(sandbox)),
        code={package: describe_code(package) for package in packages},
    )


def describe_kind() -> str:
    """Return the kind of this machine: its system, architecture and processor."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() in ("model name", "CPU part"):
                return f"{platform.system()} {platform.machine()}, {value.strip()}"
    return f"{platform.system()} {platform.machine()}, {platform.processor() or 'a processor'}"


def describe_code(package: str) -> CodeVersion:
    """Return version and digest of an installed package; both "" if it is not installed."""
    digest = digest_package(package)
    if not digest:
        return CodeVersion("", "")
    names = packages_distributions().get(package, ())
    return CodeVersion(version(names[0]) if names else "", digest)


def describe_differences(ours: dict[str, CodeVersion], theirs: dict[str, CodeVersion]) -> Iterator[str]:
    """Yield a sentence for each package that is another one there."""
    for package, here in ours.items():
        there = theirs[package]
        if here == there:
            continue
        if not there.digest:
            yield f"{package} is not installed there"
        elif here.version != there.version:
            yield f"{package} is {here.version or 'of no version'} here and {there.version or 'of no version'} there"
        else:
            yield f"{package} {here.version} has other files there than here".replace("  ", " ")


class CpuClaims:
    """Processors that this process has claimed, so that no two workers of a machine share one; files are the claims."""

    def __init__(self) -> None:
        self._files: dict[int, IO[bytes]] = {}

    def claim(self) -> int | None:
        """Return a processor that no other process of this user has claimed, the last one first; None: no."""
        if not hasattr(os, "sched_getaffinity"):
            return None
        folder = Path(tempfile.gettempdir()) / f"pitboss-processors-{os.getuid()}"
        with suppress(OSError):
            folder.mkdir(mode=0o700, exist_ok=True)
            for cpu in sorted(os.sched_getaffinity(0) - self._files.keys(), reverse=True):
                file = (folder / str(cpu)).open("ab")
                try:
                    lock_file(file.fileno(), waits=False)
                except OSError:
                    file.close()
                    continue
                self._files[cpu] = file
                return cpu
        return None

    def release(self, cpu: int | None) -> None:
        """Give a processor back."""
        if cpu is not None:
            self._files.pop(cpu).close()


def _list_problems(sandbox: SandboxLevel) -> Iterator[str]:
    if os.name != "posix":
        yield NO_NODE
    try:
        resolve_sandbox(sandbox)
    except (ConfigError, MachineError) as error:
        yield str(error)
    for finding in check_machine():
        if finding.state == "problem":
            yield f"{finding.point}: {finding.text}; {finding.cure}"
