"""What a bot may use: its time, and of the machine.

`[clock]` and `[limits]` in a tournament file count for all bots, `[bots.clock]` and `[bots.limits]` for one of them;
`[limits]` in a bot.toml asks.
"""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import UNSET, Meta, Struct, UnsetType, to_builtins
from msgspec.structs import replace

from pitboss.protocol.messages import Clock
from pitboss_tournament.text.schema_text import ALLOWED

MEBIBYTE: Final = 1 << 20

MemoryMb = Annotated[
    int, Meta(ge=16, le=1 << 20, description="Memory of the bot and of all processes that it starts, together, in MiB.")
]
Processes = Annotated[int, Meta(ge=1, le=65_536, description="Processes and threads that the bot may have at a time.")]
OpenFiles = Annotated[int, Meta(ge=16, le=1 << 20, description="Files that each of its processes may have open.")]
DiskMb = Annotated[
    int,
    Meta(
        ge=1,
        le=1 << 20,
        description="Size of the bot's own /tmp, of its memory folder, and of the largest file, in MiB.",
    ),
]
CpuSeconds = Annotated[
    int,
    Meta(ge=1, le=31_536_000, description="Seconds that the bot may compute in a game, all its processes together."),
]
ReadablePaths = Annotated[
    tuple[str, ...],
    Meta(
        description="More files and folders that the bot may read, beside its own folder and the system's; "
        "relative to this file.",
        extra={ALLOWED: 'a list of paths: ["/srv/openings", "../shared"]'},
    ),
]

DAY_MS: Final = 86_400_000

Milliseconds = Annotated[int, Meta(ge=1, le=DAY_MS)]
StartMs = Annotated[Milliseconds, Meta(description="Milliseconds from the start of the process to its `ready`.")]
DecisionMs = Annotated[Milliseconds, Meta(description="Milliseconds for each decision.")]
GameMs = Annotated[
    Milliseconds,
    Meta(description="Milliseconds for all decisions of a bot in a game, beside decision_ms. Default: no limit."),
]
IncrementMs = Annotated[
    int, Meta(ge=0, le=DAY_MS, description="Milliseconds added to what is left of game_ms after each decision.")
]
MarginMs = Annotated[
    int, Meta(ge=0, le=DAY_MS, description="Milliseconds by which a bot may exceed a limit without a fault.")
]


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[limits]: what each bot may use. The defaults are room enough for Java, Node and Go."""

    memory_mb: MemoryMb = 1024
    processes: Processes = 128
    open_files: OpenFiles = 256
    disk_mb: DiskMb = 64
    cpu_s: CpuSeconds = 3600
    read: ReadablePaths = ()


class AskedLimits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):  # noqa: D101
    __doc__ = (
        "[limits] in a bot.toml: what the bot asks for. The bot gets what it asks for or what the tournament allows, "
        "whichever is less. A limit that the file does not name is granted in full."
    )

    memory_mb: MemoryMb | UnsetType = UNSET
    processes: Processes | UnsetType = UNSET
    open_files: OpenFiles | UnsetType = UNSET
    disk_mb: DiskMb | UnsetType = UNSET
    cpu_s: CpuSeconds | UnsetType = UNSET


class BotLimits(AskedLimits, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """[bots.limits]: limits of one bot; each limit that is not named is that of [limits]."""

    read: ReadablePaths | UnsetType = UNSET


class BotClock(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """[bots.clock]: the clock of one bot; each time that is not named is that of [clock]."""

    start_ms: StartMs | UnsetType = UNSET
    decision_ms: DecisionMs | UnsetType = UNSET
    game_ms: GameMs | UnsetType = UNSET
    increment_ms: IncrementMs | UnsetType = UNSET
    margin_ms: MarginMs | UnsetType = UNSET

    def apply_to(self, for_all: Clock) -> Clock:
        """Return the clock of the bot in a tournament with this clock."""
        return replace(for_all, **to_builtins(self))

    def __str__(self) -> str:
        """Say what is different: "decision_ms 5000, game_ms 60000"; nothing if nothing is."""
        return ", ".join(f"{name} {value}" for name, value in to_builtins(self).items())
