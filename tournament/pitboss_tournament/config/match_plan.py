"""The plan of a tournament that the command line describes, as by `pitboss match`, and the store that it is kept in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.game import AnyGame
from pitboss.luck import check_evaluable
from pitboss.plugins import Registry
from pitboss.protocol.messages import Clock
from pitboss_tournament.config import entrants
from pitboss_tournament.config.defaults import draw_seed, find_sides, seed_for_store
from pitboss_tournament.formats.selection import check_plan
from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.paths import STORE_ENDING, make_file_name
from pitboss_tournament.plan.plan import Entrant, FaultRules, FormatChoice, KeepLogs, Plan, Reduce, StopRules
from pitboss_tournament.plan.seating import Seating
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.processes.sandbox import SandboxChoice, check_sandbox, resolve_sandbox
from pitboss_tournament.text.validation import collect_errors

MOST_NAMED_BOTS: Final = 3  # in the name of a store


def make_match_plan(
    game: AnyGame,
    bots: Sequence[Entrant],
    registry: Registry,
    *,
    options: Any,  # noqa: ANN401 - the game's own, resolved
    seats: int,
    deals: int,
    seed: str,
    store: Path,
    keeps_store: bool,
    clock: Clock,
    faults: FaultRules,
    limits: Limits,
    sandbox: SandboxChoice,
    format: FormatChoice | None = None,
    seating: Seating = "rotations",
    stop: StopRules | None = None,
    reduce: Reduce = "none",
    keep_logs: KeepLogs = "faults",
    workers: int | None = None,
    pinned: bool = True,
    games_at_once: int | None = None,
) -> Plan:
    """Return the plan of a tournament between bots with distinct names.

    Raises:
        ConfigError: there are too few bots, they cannot run in the sandbox, the format cannot be played, or the game
            cannot tell the luck that is to be taken out.
    """
    if len(bots) < seats:
        raise ConfigError(f"there are too few bots: {len(bots)}; {seats} play at a table of {game.name}")
    if reduce == "luck":
        check_evaluable(game, seats, options)
    mode, warning = resolve_sandbox(sandbox)
    playing = tuple(entrants.apply_limits(replace(one, hidden=(store.absolute(),)), limits) for one in bots)
    collect_errors(playing, lambda entrant: check_sandbox(entrant, mode))
    workers = workers or available_cpus()
    plan = Plan(
        game=game.name,
        options=options,
        seats=seats,
        seed=seed,
        deals=deals,
        entrants=playing,
        format=format or FormatChoice(),
        seating=seating,
        sides=find_sides(game, seats, options),
        stop=stop,
        reduce=reduce,
        clock=clock,
        faults=faults,
        sandbox=mode,
        keep_logs=keep_logs,
        workers=workers,
        pinned=pinned,
        games_at_once=games_at_once or workers,
        store=store,
        keeps_store=keeps_store,
        warnings=(*([warning] if warning else []), *entrants.list_unmet_limits(playing)),
    )
    check_plan(plan, registry)
    return plan


@contextmanager
def choose_store(
    game: str, bots: Sequence[str], given: Path | None, seed: str | None, keeps_store: bool
) -> Iterator[tuple[Path, str]]:
    """Context manager: yield the path of the store and the seed.

    The path is `given`, or is named by the game and the seed, or, without a seed, by the game, the bots and the time.
    Without a seed it is that of the store, or a new one. A store that is not to be kept lies in a folder of its own,
    which is deleted with the block.

    Raises:
        ConfigError: a store is given that is not to be kept.
    """
    if keeps_store:
        named = f"{game}-{make_file_name(seed)}{STORE_ENDING}" if seed else _name_by_time(game, bots)
        path = given or Path(named)
        yield path, seed or seed_for_store(path)
    elif given is not None:
        raise ConfigError(f"--store {given} keeps the games and --no-store does not; give one of them")
    else:
        with TemporaryDirectory(prefix="pitboss-") as folder:
            yield Path(folder) / f"{game}{STORE_ENDING}", seed or draw_seed()


def _name_by_time(game: str, bots: Sequence[str]) -> str:
    """Return the name of a file that does not exist: `racko-mybot-random-2026-11-22-130159.pitboss`."""
    who = bots if len(bots) <= MOST_NAMED_BOTS else [f"{len(bots)}-bots"]
    name = make_file_name("-".join([game, *who, f"{datetime.now():%Y-%m-%d-%H%M%S}"]))
    names = (f"{name}{'' if number == 1 else f'-{number}'}{STORE_ENDING}" for number in count(1))
    return next(free for free in names if not Path(free).exists())
