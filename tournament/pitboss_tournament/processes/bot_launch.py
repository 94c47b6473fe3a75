"""How a bot is started: its command in its sandbox, and the files that are handed to it through pipes."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pitboss_tournament.processes import reaper
from pitboss_tournament.processes.landlock import find_excess
from pitboss_tournament.processes.sandbox_trial import TRIAL_SECONDS, TrialFailure, describe_failed_trial, run_trial
from pitboss_tournament.processes.seccomp import join_new_keyring

NEW_GROUP: Final[int] = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)  # Windows: Ctrl-C does not reach a bot


class BotLaunch(Struct, frozen=True):
    """Command, environment and working directory of a bot, which starts it."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    folder: Path | None
    command_words: int  # at the end of `argv`: the bot's own command
    layers: int  # sandboxes around it, one in the other
    join: tuple[str, ...] = ()  # words in front of `argv`: they put its processes into its control group
    filter: bytes = b""  # the system calls that it is refused
    files: Mapping[str, bytes] = MappingProxyType({})  # made in the sandbox, by path
    options_place: int = 0  # in `argv`, of the words for the filter and the files
    inherited: tuple[int, ...] = ()  # descriptors of this process that it keeps
    temporary: Path | None = None  # level `landlock`: its temporary folder, which the launcher makes,
    disk_mb: int = 0  # and which may hold so much

    def start(self, stderr: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
        """Start the bot in a session of its own, with unbuffered pipes.

        Raises:
            OSError: it cannot be started.
        """
        pipe = subprocess.PIPE
        with self.isolate() as (words, files):
            return subprocess.Popen(
                (*self.join, *words),
                bufsize=0,
                stdin=pipe,
                stdout=pipe,
                stderr=stderr,
                cwd=self.folder,
                env=self.env,
                pass_fds=(*files, *self.inherited),
                start_new_session=reaper.IS_POSIX,
                creationflags=NEW_GROUP,
            )

    def pass_on(self, variable: str, descriptor: int) -> BotLaunch:
        """Return the same launch with a descriptor of this process, whose number is in a variable."""
        return replace(self, env={**self.env, variable: str(descriptor)}, inherited=(*self.inherited, descriptor))

    def bot_status(self, code: int) -> int:
        """Return the bot's exit status from that of `Popen`, negative for a signal."""
        return 128 - code if self.layers and code > 128 and code - 128 in signal.valid_signals() else code

    def is_exec_failure(self, code: int) -> bool:
        """Tell whether a status means that sandbox and limits were set up but the program could not be executed."""
        return code in (126, 127) and len(self.join) + len(self.argv) > self.command_words

    def try_sandbox(self, seconds: float = TRIAL_SECONDS[0]) -> TrialFailure | None:
        """Run `true` in the same sandbox now; return why it cannot be made, None if it can.

        A bot cannot fake this result, unlike its own standard error.
        """
        if not self.is_sandboxed:
            return None
        try:
            with self.isolate() as (words, files):
                return run_trial((*words[: -self.command_words], "true"), self.env, files, seconds)
        except OSError as error:  # of a pipe or a keyring
            return describe_failed_trial(error)
        finally:
            self.remove_temporary()

    @property
    def is_sandboxed(self) -> bool:
        """Whether it is started in a sandbox, at any level but `none`."""
        return self.layers > 0 or self.temporary is not None

    def temporary_excess(self) -> str | None:
        """Return in what its temporary folder exceeds its bounds; None if it does not, or is not looked at."""
        return find_excess(self.temporary, self.disk_mb) if self.temporary else None

    def remove_temporary(self) -> None:
        """Remove its temporary folder, if it has one; all its processes are to have been ended."""
        if self.temporary:
            reaper.remove_temporary(str(self.temporary))

    @contextmanager
    def isolate(self) -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
        """Context manager: the words of the command, and the open files that it reads.

        What is started meanwhile in a sandbox has a session keyring of its own.
        """
        if not self.layers:
            yield self.argv, ()
            return
        try:
            join_new_keyring()
        except OSError:
            if not self.filter:  # which refuses the bot all keyrings
                raise
        words, outlets = list[str](), list[int]()
        with ExitStack() as stack:
            for path, content in self.files.items():
                outlets.append(stack.enter_context(_fill_pipe(content)))
                words += ["--perms", "0444", "--file", str(outlets[-1]), path]
            if self.filter:
                outlets.append(stack.enter_context(_fill_pipe(self.filter)))
                words += ["--seccomp", str(outlets[-1])]
            yield (*self.argv[: self.options_place], *words, *self.argv[self.options_place :]), tuple(outlets)


@contextmanager
def _fill_pipe(content: bytes) -> Iterator[int]:
    """Yield the end to read from of a pipe in which this content waits; it has to fit into a pipe (64 KiB on Linux)."""
    outlet, inlet = os.pipe()
    try:
        os.write(inlet, content)
        os.close(inlet)
        yield outlet
    finally:
        os.close(outlet)
