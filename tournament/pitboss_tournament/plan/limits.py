"""What a bot may use of the machine: `[limits]` in a tournament file for all bots, `[bots.limits]` for one of them, `[limits]` in a bot.toml as a request."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import asdict, replace

from pitboss.errors import ConfigError
from pitboss.text import join_words
from pitboss_tournament.plan.paths import normalize_path
from pitboss_tournament.text.schema_text import ALLOWED

MEBIBYTE: Final = 1 << 20

MemoryMb = Annotated[
    int, Meta(ge=16, le=1 << 20, description="Memory of the bot and of all processes that it starts, together, in MiB.")
]
Processes = Annotated[int, Meta(ge=1, le=65_536, description="Processes and threads that the bot may have at a time.")]
OpenFiles = Annotated[int, Meta(ge=16, le=1 << 20, description="Files that each of its processes may have open.")]
DiskMb = Annotated[
    int, Meta(ge=1, le=1 << 20, description="Size of the bot's own /tmp, and of the largest file, in MiB.")
]
CpuSeconds = Annotated[
    int,
    Meta(ge=1, le=31_536_000, description="Seconds of computing that each of its processes gets, all games together."),
]
ReadablePaths = Annotated[
    tuple[str, ...],
    Meta(
        description="More files and folders that the bot may read, beside its own folder and the system's; relative to this file.",
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


class BotLimits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """[bots.limits]: what is different for one bot; what is not named stays as it is for all."""

    memory_mb: MemoryMb | UnsetType = UNSET
    processes: Processes | UnsetType = UNSET
    open_files: OpenFiles | UnsetType = UNSET
    disk_mb: DiskMb | UnsetType = UNSET
    cpu_s: CpuSeconds | UnsetType = UNSET
    read: ReadablePaths | UnsetType = UNSET


class AskedLimits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """[limits] in a bot.toml: what the bot asks for. It gets that, or what the tournament allows, whichever is less; what it does not name, it gets in full."""

    memory_mb: MemoryMb | UnsetType = UNSET
    processes: Processes | UnsetType = UNSET
    open_files: OpenFiles | UnsetType = UNSET
    disk_mb: DiskMb | UnsetType = UNSET
    cpu_s: CpuSeconds | UnsetType = UNSET


def merge_limits(for_all: Limits, for_one: BotLimits, base: Path) -> Limits:
    """Return the limits of one bot, its paths absolute; relative ones are relative to `base`, and `~` is the home folder.

    Raises:
        ConfigError: a path that it may read does not exist.
    """
    changes = {name: value for name, value in asdict(for_one).items() if value is not UNSET}
    limits = replace(for_all, **changes)
    return replace(limits, read=tuple(_resolve_existing(path, base) for path in limits.read))


def grant_limits(allowed: Limits, asked: AskedLimits) -> Limits:
    """Return what a bot gets: what it asks for, up to what is allowed; what it does not ask for, in full."""
    return replace(
        allowed, **{name: min(value, getattr(allowed, name)) for name, value in _asked_numbers(asked).items()}
    )


def refused_text(bot: str, allowed: Limits, asked: AskedLimits) -> list[str]:
    """Return as a sentence what a bot asks for and does not get; none if it gets all."""
    short = [
        f"{name} = {value} ({getattr(allowed, name)} is allowed)"
        for name, value in _asked_numbers(asked).items()
        if value > getattr(allowed, name)
    ]
    return [f"the bot {bot!r} asks for more than it gets: {join_words(short, 'and')}"] if short else []


def _asked_numbers(asked: AskedLimits) -> dict[str, int]:
    return {name: value for name, value in asdict(asked).items() if value is not UNSET}


def _resolve_existing(text: str, base: Path) -> str:
    path = normalize_path(base / Path(text).expanduser())
    if not path.exists():
        raise ConfigError(f"read names {text!r}, which does not exist")
    return str(path)
