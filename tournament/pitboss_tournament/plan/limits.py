"""What a bot may use of the machine.

`[limits]` in a tournament file counts for all bots, `[bots.limits]` for one of them; `[limits]` in a bot.toml asks.
"""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import UNSET, Meta, Struct, UnsetType

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


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[limits]: what each bot may use. The defaults are room enough for Java, Node and Go."""

    memory_mb: MemoryMb = 1024
    processes: Processes = 128
    open_files: OpenFiles = 256
    disk_mb: DiskMb = 64
    cpu_s: CpuSeconds = 3600
    read: ReadablePaths = ()


class AskedLimits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):  # noqa: D101 - one line for the schema
    __doc__ = (
        "[limits] in a bot.toml: what the bot asks for. It gets that, or what the tournament allows, "
        "whichever is less; what it does not name, it gets in full."
    )

    memory_mb: MemoryMb | UnsetType = UNSET
    processes: Processes | UnsetType = UNSET
    open_files: OpenFiles | UnsetType = UNSET
    disk_mb: DiskMb | UnsetType = UNSET
    cpu_s: CpuSeconds | UnsetType = UNSET


class BotLimits(AskedLimits, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """[bots.limits]: what is different for one bot; what is not named stays as it is for all."""

    read: ReadablePaths | UnsetType = UNSET
