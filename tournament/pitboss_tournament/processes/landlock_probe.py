"""Whether this machine can start bots at the level `landlock`, shown by trying it, and what to do if it cannot."""

from __future__ import annotations

import shutil
import sys
from functools import cache

from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.landlock import find_own_abi
from pitboss_tournament.processes.sandbox import build_launch, landlock_args
from pitboss_tournament.processes.sandbox_trial import SandboxProbe, repeat_trial
from pitboss_tournament.processes.seccomp import has_filters


@cache
def probe_landlock() -> SandboxProbe:
    """Try once whether Landlock can hold a bot here, with all that we ask of it.

    Raises:
        MachineError: it cannot be told now.
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
