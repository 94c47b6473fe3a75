"""Whether this machine can start bots at each level of the sandbox, shown by trying it, and what to do if it cannot."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from pitboss.errors import ConfigError
from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.plan import SANDBOX_LEVELS, Entrant, SandboxChoice, SandboxLevel
from pitboss_tournament.processes.landlock import find_own_abi
from pitboss_tournament.processes.sandbox import build_launch, landlock_args, sandbox_args
from pitboss_tournament.processes.sandbox_trial import SandboxProbe, repeat_trial
from pitboss_tournament.processes.seccomp import has_filters
from pitboss_tournament.processes.start_errors import MachineError

VERSION_SECONDS: Final = 20  # for bubblewrap to tell its version


def resolve_sandbox(choice: SandboxChoice, last: SandboxLevel | None = None) -> tuple[SandboxLevel, str | None]:
    """Return the level of the sandbox to use, and a warning if "auto" has not found the strongest one.

    "auto" takes the strongest level that works here, and none that is weaker than `last`, the level of the last run.

    Raises:
        ConfigError: the level that was asked for does not work here, or only weaker ones than `last` do.
        MachineError: it is unknown now whether a level works.
    """
    if choice != "auto":
        found = probe_level(choice)
        if found.problem:
            raise ConfigError(f'sandbox is "{choice}", but {found.sentence}{_offer_landlock(choice)}')
        return choice, None
    missing = list[SandboxProbe]()
    for level in SANDBOX_LEVELS:
        found = probe_level(level)
        if not found.problem:
            break
        missing.append(found)
    if last is not None and is_weaker(level, last):
        raise ConfigError(
            f"the last run of this store had its bots at the level {last} of the sandbox, which does not work here: "
            f"{_join_sentences(missing)}. To play on at a weaker level, name it: {name_level(level)}"
        )
    return level, _warn_of_level(level, missing) if missing else None


def check_strangers(specs: Iterable[str], choice: SandboxChoice, level: SandboxLevel, warning: str | None) -> None:
    """Check that somebody has said so if bots that a pattern of folders names run without a sandbox.

    `level`, `warning`: what `resolve_sandbox(choice)` returned.

    Raises:
        ConfigError: nobody has.
    """
    patterns = [spec for spec in specs if "*" in spec]
    if patterns and choice == "auto" and level == "none":
        raise ConfigError(
            f"the bots of {patterns[0]!r} would run without a sandbox: {warning}. If nobody's bot among them is a "
            f"stranger's, say so: {name_level('none')}"
        )


def name_level(level: SandboxLevel) -> str:
    """Return the words that ask for a level, on the command line and in a file."""
    return f'--sandbox {level}, or in a file sandbox = "{level}"'


def is_weaker(level: SandboxLevel, other: SandboxLevel) -> bool:
    """Whether a level holds bots less than another."""
    return SANDBOX_LEVELS.index(level) > SANDBOX_LEVELS.index(other)


def _join_sentences(found: Iterable[SandboxProbe]) -> str:
    return "; ".join(one.sentence for one in found)


def _warn_of_level(level: SandboxLevel, missing: Sequence[SandboxProbe]) -> str:
    """Return the warning that bots have this level, and why none of the stronger ones."""
    if level == "none":
        return f"bots run without a sandbox, they can read and change what you can: {_join_sentences(missing)}"
    problems = "; ".join(one.problem for one in missing if one.problem)
    return (
        f"bots run at the weaker level {level} of the sandbox, they see that other processes exist: {problems}; "
        "`pitboss doctor` says what to do about it"
    )


def _offer_landlock(choice: SandboxLevel) -> str:
    """Return the end of the sentence that `choice` does not work: that the next level does; empty if it does not."""
    with suppress(MachineError):
        if choice == "bubblewrap" and not probe_landlock().problem:
            return f"; the next level works here: {name_level('landlock')}"
    return ""


def probe_level(level: SandboxLevel) -> SandboxProbe:
    """Try once whether a level works here, with all that bots need.

    Raises:
        MachineError: it is unknown now.
    """
    return _PROBES[level]()


@cache
def probe_bubblewrap() -> SandboxProbe:
    """Try once whether bubblewrap works here, with all that bots need.

    Raises:
        MachineError: it is unknown now.
    """
    if not sys.platform.startswith("linux"):
        return SandboxProbe("bubblewrap needs Linux", "run tournaments with strangers' bots on a Linux machine")
    for program, package in (("bwrap", "bubblewrap"), ("prlimit", "util-linux"), ("setpriv", "util-linux")):
        if shutil.which(program) is None:
            return SandboxProbe(
                f"{program} is not installed", f"install the package {package} (for instance: apt install {package})"
            )
    sandbox_args.cache_clear()  # it may name another bubblewrap
    # if only root may enter the folders of this Python, it takes more than elsewhere
    python = tuple(sorted({sys.prefix, sys.base_prefix} - {"/usr"}))
    probe = Entrant(name="probe", command=("true",), limits=Limits(read=python))
    failure = repeat_trial("bubblewrap", build_launch(probe, "probe", "bubblewrap").try_sandbox)
    if failure is None:
        return SandboxProbe()
    return SandboxProbe(f"bubblewrap does not work ({failure.text})", _remedy_text(failure.text))


@cache
def probe_landlock() -> SandboxProbe:
    """Try once whether Landlock can hold a bot here, with all that bots need.

    Raises:
        MachineError: it is unknown now.
    """
    if not sys.platform.startswith("linux"):
        return SandboxProbe("Landlock needs Linux", "run tournaments with strangers' bots on a Linux machine")
    if shutil.which("prlimit") is None:
        return SandboxProbe(
            "prlimit is not installed", "install the package util-linux (for instance: apt install util-linux)"
        )
    if not find_own_abi():
        return SandboxProbe(
            "the kernel has no Landlock",
            "Linux 5.13 or newer has it, unless `lsm=` on the kernel's command line leaves out landlock",
        )
    if not has_filters():
        return SandboxProbe("the kernel filters no system calls here", "x86_64 and aarch64 Linux with seccomp do")
    landlock_args.cache_clear()  # it may name another program
    probe = Entrant(name="probe", command=("true",), limits=Limits(read=(sys.prefix,)))
    failure = repeat_trial("landlock", build_launch(probe, "probe", "landlock").try_sandbox)
    if failure is None:
        return SandboxProbe()
    return SandboxProbe(f"Landlock does not work ({failure.text})", "see `man landlock`; a container may forbid it")


def bubblewrap_version() -> str | None:
    """Return the version of bubblewrap, None if it is not there."""
    try:
        done = subprocess.run(
            ["bwrap", "--version"], capture_output=True, text=True, timeout=VERSION_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.split()[-1] if done.stdout.split() else None


def _remedy_text(said: str) -> str:
    if "nknown option" in said:
        return f"it is too old ({bubblewrap_version()}): 0.8 or newer is needed"
    if _read_sysctl("kernel/apparmor_restrict_unprivileged_userns") == "1":
        return (
            "AppArmor forbids it: give /usr/bin/bwrap a profile with `userns,` in /etc/apparmor.d, "
            "or: sysctl kernel.apparmor_restrict_unprivileged_userns=0"
        )
    if _read_sysctl("kernel/unprivileged_userns_clone") == "0":
        return "user namespaces are switched off: sysctl kernel.unprivileged_userns_clone=1"
    if _read_sysctl("user/max_user_namespaces") == "0":
        return "user namespaces are switched off: sysctl user.max_user_namespaces=10000"
    if Path("/.dockerenv").exists() or Path("/run/.containerenv").exists():
        return (
            "start this container with --security-opt seccomp=unconfined --security-opt systempaths=unconfined "
            "--cap-add SYS_ADMIN"
        )
    return "see `man bwrap`; the kernel must allow user namespaces"


def _read_sysctl(name: str) -> str | None:
    try:
        return Path("/proc/sys", name).read_text().strip()
    except OSError:
        return None


_PROBES: Final[Mapping[SandboxLevel, Callable[[], SandboxProbe]]] = {
    "bubblewrap": probe_bubblewrap,
    "landlock": probe_landlock,
    "none": SandboxProbe,
}
