"""A trial of a sandbox: it works, does not work, or gives no answer now. A trial without an answer is repeated.

A trial says that a sandbox does not work only if the system has refused it for a lasting reason. Whatever else goes
wrong (a time-out, a failed fork, a text that is not known) may pass: after the last trial it is an error, and never
means that bots run without a sandbox.
"""

from __future__ import annotations

import errno
import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from pitboss_tournament.processes.start_errors import MachineError

TRIAL_SECONDS: Final = (20.0, 40.0, 60.0)  # for each trial, which gives no answer after that
TRIAL_PAUSES_S: Final = (1.0, 3.0)  # between the trials

_LASTING_ERRORS: Final = tuple(
    os.strerror(number)
    for number in (
        *(errno.EPERM, errno.EACCES, errno.ENOSYS, errno.EINVAL, errno.ENOENT, errno.ENOTDIR, errno.ENOEXEC),
        *(errno.ENODEV, errno.EROFS, errno.EOPNOTSUPP, errno.EAFNOSUPPORT, errno.EPROTONOSUPPORT),
    )
)
_LASTING_WORDS: Final = ("nknown option", "No permissions", "does not support", "not supported")


class TrialFailure(Struct, frozen=True):
    """Why a sandbox could not be made. `is_lasting`: the next trial will say the same."""

    text: str
    is_lasting: bool


class SandboxProbe(Struct, frozen=True):
    """Whether a level of the sandbox works here; if not, why, and what to do about it."""

    problem: str | None = None
    remedy: str = ""

    @property
    def sentence(self) -> str:
        """Both as one line; empty if it works."""
        return f"{self.problem}; {self.remedy}" if self.problem else ""


def repeat_trial(
    what: str, trial: Callable[[float], TrialFailure | None], pauses: Sequence[float] = TRIAL_PAUSES_S
) -> TrialFailure | None:
    """Call `trial(seconds)` until it tells whether `what` works here; return why not, None if it works.

    Raises:
        MachineError: the last trial gave no answer.
    """
    failure = trial(TRIAL_SECONDS[0])
    for seconds, pause in zip(TRIAL_SECONDS[1:], pauses, strict=True):
        if failure is None or failure.is_lasting:
            return failure
        time.sleep(pause)
        failure = trial(seconds)
    if failure is None or failure.is_lasting:
        return failure
    raise MachineError(
        f"it is unknown now whether {what} works, and nothing is played without it: {failure.text}; "
        "start again when the machine is less busy",
        "no_sandbox",
    )


def run_trial(argv: Sequence[str], env: Mapping[str, str], files: Sequence[int], seconds: float) -> TrialFailure | None:
    """Run a program that should succeed at once; return why it has not, None if it has."""
    try:
        done = subprocess.run(
            argv,
            cwd="/",
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            pass_fds=files,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return TrialFailure(f"a trial took longer than {seconds:.0f} s", is_lasting=False)
    except OSError as error:
        return describe_failed_trial(error)
    if done.returncode == 0:
        return None
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    return TrialFailure(lines[-1] if lines else f"status {done.returncode}", bool(lines) and _is_lasting(lines[-1]))


def describe_failed_trial(error: OSError) -> TrialFailure:
    """Return the failure of a trial that the system could not start."""
    text = error.strerror or str(error)
    return TrialFailure(f"a process could not be started: {text}", _is_lasting(text))


def _is_lasting(text: str) -> bool:
    """Tell whether a launcher's last words name a reason that does not pass."""
    if os.strerror(errno.ENOSPC) in text or "(ENOSPC)" in text:  # all namespaces are taken, for now or for good
        return _allows_no_namespaces()
    return any(words in text for words in (*_LASTING_ERRORS, *_LASTING_WORDS))


def _allows_no_namespaces() -> bool:
    """Tell whether no process here may make a namespace: as the system says, or as this is a sandbox of one user."""
    try:
        if Path("/proc/sys/user/max_user_namespaces").read_text().strip() == "0":
            return True
        users = Path("/proc/self/uid_map").read_text().split()
    except OSError:
        return False
    return len(users) == 3 and users[2] == "1"  # as bubblewrap makes it, which forbids further ones then
