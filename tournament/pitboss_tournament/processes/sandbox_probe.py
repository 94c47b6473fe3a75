"""Whether this machine can make the sandbox, shown by trying it, and what to do if it cannot."""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from pitboss.errors import ConfigError
from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.plan import Entrant, SandboxChoice, SandboxMode
from pitboss_tournament.processes.sandbox import build_launch, sandbox_args

VERSION_SECONDS: Final = 20  # for bubblewrap to tell its version


class SandboxProbe(Struct, frozen=True):
    """Whether bubblewrap works here; if not, why, and what to do about it."""

    problem: str | None = None
    remedy: str = ""

    @property
    def sentence(self) -> str:
        """Both as one line; empty if it works."""
        return f"{self.problem}; {self.remedy}" if self.problem else ""


def resolve_sandbox(choice: SandboxChoice) -> tuple[SandboxMode, str | None]:
    """Return the sandbox to use, and a warning if there is none.

    Raises:
        ConfigError: bubblewrap was requested and does not work here.
    """
    if choice == "none":
        return "none", None
    found = probe_bubblewrap()
    if not found.problem:
        return "bubblewrap", None
    if choice == "bubblewrap":
        raise ConfigError(f'sandbox is "bubblewrap", but {found.sentence}')
    return "none", f"bots run without a sandbox, they can read and change what you can: {found.sentence}"


@cache
def probe_bubblewrap() -> SandboxProbe:
    """Try once whether bubblewrap works here, with all that we ask of it."""
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
    said = build_launch(probe, "probe", "bubblewrap").sandbox_error()
    return SandboxProbe(f"bubblewrap does not work ({said})", _remedy_text(said)) if said else SandboxProbe()


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
