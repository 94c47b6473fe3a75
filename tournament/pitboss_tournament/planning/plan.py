"""A tournament as it will be played: everything looked up, checked and resolved. Made by `config` from a file, or by the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from pitboss.wire import Clock
from pitboss_tournament.planning.limits import Limits

SandboxMode: TypeAlias = Literal["bubblewrap", "none"]
KeepLogs: TypeAlias = Literal["faults", "all"]


class Entrant(Struct, frozen=True, kw_only=True):
    """A bot that takes part: its name in the tournament, how to start it, and what it may use of the machine."""

    name: str
    command: tuple[str, ...]
    folder: Path | None = None  # where it runs; None: where the runner runs
    limits: Limits = Limits()
    hidden: tuple[Path, ...] = ()  # the tournament's own files, which it may not read


class FaultRules(Struct, frozen=True, kw_only=True):
    """What happens to a bot that does wrong."""

    policy: Literal["forfeit", "substitute"] = "forfeit"
    substitutions: int = 3  # with "substitute": so many neutral actions a game are played for it; then it forfeits
    disqualify_after: int = 10  # forfeited games after which it is out of the tournament


class Plan(Struct, frozen=True, kw_only=True):
    """A tournament: round-robin over all sets of `seats` entrants, each set playing `deals` duplicate deals in all rotations."""

    game: str
    options: Any  # the game's own, resolved
    seats: int
    seed: str
    deals: int
    entrants: tuple[Entrant, ...]
    clock: Clock
    faults: FaultRules = FaultRules()
    sandbox: SandboxMode = "none"
    keep_logs: KeepLogs = "faults"  # of which games
    workers: int = 1  # processes that play
    pinned: bool = True  # each of them, with its bots, to a processor of its own
    games_at_once: int = 1  # over all workers
    store: Path
    warnings: tuple[str, ...] = ()  # for whoever starts it
