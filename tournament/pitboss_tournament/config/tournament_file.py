"""The tournament file: TOML, decoded into structs and resolved into a plan. Errors name file, line and key."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, field
from msgspec.structs import replace

from pitboss.errors import ConfigError, OptionError
from pitboss.game import AnyGame, resolve_options
from pitboss.luck import check_evaluable
from pitboss.plugins import Registry
from pitboss.protocol.messages import Clock
from pitboss.text import join_words
from pitboss_tournament.config import entrants
from pitboss_tournament.config.bot_file import BotName
from pitboss_tournament.config.defaults import LONGEST_SEED, default_seats, find_sides, seed_for_store
from pitboss_tournament.config.limits import merge_limits
from pitboss_tournament.config.toml_file import TomlFile
from pitboss_tournament.formats.selection import check_plan, choose_format, find_format
from pitboss_tournament.plan.limits import BotLimits, Limits
from pitboss_tournament.plan.paths import STORE_ENDING
from pitboss_tournament.plan.plan import (
    Entrant,
    FaultRules,
    FormatChoice,
    Plan,
    Reduce,
    SandboxMode,
    StopRules,
    require_bot,
)
from pitboss_tournament.plan.seating import Seating, count_block_games
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.processes.sandbox import SandboxChoice, check_sandbox, resolve_sandbox
from pitboss_tournament.text.schema_text import ALLOWED
from pitboss_tournament.text.validation import KeyPath, collect_errors, convert_value

DAY_MS: Final = 86_400_000

Milliseconds = Annotated[int, Meta(ge=1, le=DAY_MS)]
CloseShare = Annotated[
    float,
    Meta(
        gt=0,
        le=1,
        description="Proof that two bots differ by no more than this share of beaten opponents is a verdict, too.",
    ),
]
Title = Annotated[
    str, Meta(min_length=1, max_length=200, description="What its pages are headed with; by default the game's name.")
]
TableSeats = Annotated[
    int, Meta(ge=1, description="Players at a table; by default all bots at one, or the game's smallest number.")
]
SeedText = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=LONGEST_SEED,
        description="All deals follow from it; by default a new one, which the store keeps.",
    ),
]


class ClockTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[clock]: the time that a bot has, in milliseconds."""

    start_ms: Annotated[Milliseconds, Meta(description="From the start of the process to its `ready`.")] = 10_000
    decision_ms: Annotated[Milliseconds, Meta(description="For each decision.")] = 1_000
    game_ms: (
        Annotated[Milliseconds, Meta(description="For all decisions of a game together; by default no limit.")] | None
    ) = None
    increment_ms: Annotated[
        int, Meta(ge=0, le=DAY_MS, description="Added to what is left of game_ms after each decision.")
    ] = 0
    margin_ms: Annotated[
        int, Meta(ge=0, le=DAY_MS, description="Overstepping a limit by no more than this is forgiven.")
    ] = 10


class FaultsTable(FaultRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[faults]: what happens to a bot that breaks the rules of the wire."""


class StopTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[stop]: when the tournament ends before its schedule does, as soon as that is proven at 95 %."""

    better_than: (
        Annotated[str, Meta(description="The name of a bot: it ends when `bot` is better, or worse, than this one.")]
        | None
    ) = None
    bot: (
        Annotated[str, Meta(description="The bot that is compared; where there are two, it is the other one.")] | None
    ) = None
    delta: CloseShare | None = None
    ranking: Annotated[
        bool, Meta(description="It ends when each bot is proven better than the next one of the ranking.")
    ] = False


class LogsTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[logs]: what the bots and the runner said to each other, and what the bots wrote to standard error."""

    keep: Annotated[Literal["faults", "all"], Meta(description="Of the games with a fault only, or of all.")] = "faults"


class BotTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[[bots]]: one bot that takes part."""

    bot: Annotated[
        str,
        Meta(min_length=1, description="A folder with a bot.toml, a command in quotes, or a name from `pitboss bots`."),
    ]
    name: Annotated[BotName, Meta(description="Its name in the tournament; by default the bot's own.")] | None = None
    limits: BotLimits = field(default_factory=BotLimits)


Bots = Annotated[
    list[BotTable],
    Meta(description="The bots that take part.", extra={ALLOWED: "a list of tables: write [[bots]] for each bot"}),
]


class TournamentFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tournament file of Pitboss: one game, and the bots that play it. Paths are relative to the file."""

    game: Annotated[str, Meta(description="A name from `pitboss games`.")]
    title: Title | None = None
    bots: Bots = []
    seats: TableSeats | None = None
    preset: Annotated[str, Meta(description="A named set of options of the game.")] | None = None
    options: Annotated[
        dict[str, Any],
        Meta(description="The game's options, as `pitboss games NAME` lists them; they change the preset."),
    ] = {}
    format: Annotated[
        str | dict[str, Any],
        Meta(
            description="Who meets whom: a name from `pitboss formats`, or a table with the name and the format's "
            "options.",
            extra={ALLOWED: 'the name of a format, or a table with a name: [format] name = "swiss"'},
        ),
    ] = "round-robin"
    seating: Annotated[
        Seating,
        Meta(
            description="In which orders each deal is played: everybody moves on by one seat (rotations), and the "
            "same the other way round (mirrored), or all orders. Partners stay partners."
        ),
    ] = "rotations"
    stop: StopTable | None = None
    anchor: (
        Annotated[
            str, Meta(description="The name of the bot whose rating is 0; by default the bot in the middle of all.")
        ]
        | None
    ) = None
    reduce: Annotated[
        Reduce,
        Meta(
            description="What is taken out of points and wins when results are shown: the luck of the draw, or nothing."
        ),
    ] = "none"
    seed: SeedText | None = None
    deals: Annotated[int, Meta(ge=1, le=1_000_000_000, description="Duplicate deals for each table.")] = 100
    games_at_once: (
        Annotated[int, Meta(ge=1, le=1_024, description="Games played at a time; by default one for each worker.")]
        | None
    ) = None
    workers: (
        Annotated[int, Meta(ge=1, le=256, description="Processes that play; by default one for each processor.")] | None
    ) = None
    pinned: Annotated[bool, Meta(description="Keep each worker and its bots on a processor of its own.")] = True
    sandbox: Annotated[
        SandboxChoice,
        Meta(
            description="How bots are kept apart from the machine: by bubblewrap if it works here (auto), by it or "
            "not at all (bubblewrap), or only by resource limits (none)."
        ),
    ] = "auto"
    build_network: Annotated[
        bool, Meta(description="The build steps of bots may use the network; else they have none in the sandbox.")
    ] = False
    ponder: Annotated[
        bool, Meta(description="Bots may compute while they are not asked, on the others' time; else they are frozen.")
    ] = False
    store: (
        Annotated[
            str, Meta(min_length=1, description="Where the games are kept; by default the file's name with .pitboss.")
        ]
        | None
    ) = None
    clock: ClockTable = field(default_factory=ClockTable)
    faults: FaultsTable = field(default_factory=FaultsTable)
    limits: Limits = field(default_factory=Limits)
    logs: LogsTable = field(default_factory=LogsTable)


def load_plan(path: Path, registry: Registry, workers: int | None = None) -> Plan:
    """Read a tournament file; `workers` overrides its own.

    Raises:
        TomlFileError: something in it is wrong; the text names the file, the line, the key and what was allowed.
        SeveralErrors: several bots are wrong.
        ConfigError: the file cannot be read.
    """
    source = TomlFile(path)
    file = source.convert(TournamentFile)
    with source.locate_errors("game"):
        game = registry.find_game(file.game)
    bots = collect_errors(range(len(file.bots)), lambda number: _resolve_entrant(source, number, registry, file))
    _check_names(source, file, bots)
    seats = _resolve_seats(source, file, game)
    with source.locate_errors("sandbox"):
        sandbox, warning = resolve_sandbox(file.sandbox)
    collect_errors(range(len(bots)), lambda number: _check_sandboxed(source, number, bots[number], sandbox))
    workers = workers or file.workers or available_cpus()
    store = _resolve_store(source, file)
    options = _resolve_options(source, file, game, seats)
    plan = Plan(
        game=game.name,
        options=options,
        seats=seats,
        seed=file.seed or seed_for_store(store),
        deals=file.deals,
        entrants=tuple(replace(bot, hidden=(store, path)) for bot in bots),
        format=_choose_format(source, file, registry),
        seating=file.seating,
        sides=find_sides(game, seats, options),
        stop=_resolve_stop(source, file, bots),
        anchor=_resolve_anchor(source, file, bots),
        title=file.title,
        reduce=_check_reduce(source, file, game, seats, options),
        clock=Clock(**msgspec.structs.asdict(file.clock)),
        faults=FaultRules(**msgspec.structs.asdict(file.faults)),
        sandbox=sandbox,
        ponder=file.ponder,
        keep_logs=file.logs.keep,
        workers=workers,
        pinned=file.pinned,
        games_at_once=file.games_at_once or workers,
        store=store,
        warnings=(*([warning] if warning else []), *entrants.list_unmet_limits(bots)),
    )
    _check_format(source, file, plan, registry)
    return plan


def _resolve_entrant(source: TomlFile, number: int, registry: Registry, file: TournamentFile) -> Entrant:
    table = file.bots[number]
    with source.locate_errors("bots", number, "bot"):
        entrant = entrants.resolve_entrant(table.bot, registry, source.path.parent, file.game)
    with source.locate_errors(*(("limits",) if table.limits.read is UNSET else ("bots", number, "limits"))):
        limits = merge_limits(file.limits, table.limits, source.path.parent)
    return entrants.apply_limits(replace(entrant, name=table.name or entrant.name), limits)


def _check_names(source: TomlFile, file: TournamentFile, bots: Sequence[Entrant]) -> None:
    first: dict[str, int] = {}

    def check_name(number: int) -> None:
        name = bots[number].name
        other = first.setdefault(name, number)
        if other != number:
            line = source.lines["bots", other]
            text = f"two bots are called {name!r}, here and in line {line}; give one of them another name"
            raise source.error_at(("bots", number, "name"), text)

    collect_errors(range(len(bots)), check_name)


def _check_sandboxed(source: TomlFile, number: int, bot: Entrant, sandbox: SandboxMode) -> None:
    with source.locate_errors("bots", number):
        check_sandbox(bot, sandbox)


def _resolve_seats(source: TomlFile, file: TournamentFile, game: AnyGame) -> int:
    bots = len(file.bots)
    seats = file.seats if file.seats is not None else default_seats(game, bots)
    if seats not in game.seats:
        raise source.error_at(("seats",), f"seats is {seats}; {game.name} is played by {join_words(game.seats)}")
    if bots < seats:
        have = f"there are only {bots}" if bots > 1 else f"there is {'only one' if bots else 'none'}"
        place = ("bots",) if file.seats is None else ("seats",)
        raise source.error_at(
            place, f"{seats} seats need at least {seats} bots, and {have}; write [[bots]] for each bot"
        )
    return seats


def _resolve_options(source: TomlFile, file: TournamentFile, game: AnyGame, seats: int) -> Any:  # noqa: ANN401
    with source.locate_errors():
        convert_value(file.options, game.Options, at=("options",))
    try:
        return resolve_options(game, seats, file.preset, file.options)
    except OptionError as error:
        raise source.error_at(_find_blamed_key(str(error), file, game), str(error)) from None


def _choose_format(source: TomlFile, file: TournamentFile, registry: Registry) -> FormatChoice:
    table = {"name": file.format} if isinstance(file.format, str) else dict(file.format)
    name = table.pop("name", None)
    if not isinstance(name, str):
        raise source.error_at(("format",), 'format has no name; it must be the name of a format: name = "swiss"')
    with source.locate_errors("format", "name"):
        find_format(name, registry)
    with source.locate_errors("format"):
        return choose_format(name, table, registry)


def _check_format(source: TomlFile, file: TournamentFile, plan: Plan, registry: Registry) -> None:
    with source.locate_errors("seating"):
        count_block_games(plan.seating, plan.seats, plan.sides)
    try:
        check_plan(plan, registry)
    except OptionError as error:
        mentioned = [word for word in re.findall(r"\w+", str(error)) if ("format", word) in source.lines]
        raise source.error_at(("format", *mentioned[:1]), str(error)) from None


def _resolve_stop(source: TomlFile, file: TournamentFile, bots: Sequence[Entrant]) -> StopRules | None:
    if file.stop is None:
        return None
    with source.locate_errors("stop"):
        return _complete_stop_rules(file.stop, [bot.name for bot in bots])


def _resolve_anchor(source: TomlFile, file: TournamentFile, bots: Sequence[Entrant]) -> str | None:
    with source.locate_errors("anchor"):
        return require_bot("anchor", file.anchor, [bot.name for bot in bots])


def _check_reduce(source: TomlFile, file: TournamentFile, game: AnyGame, seats: int, options: object) -> Reduce:
    if file.reduce == "luck":
        with source.locate_errors("reduce"):
            check_evaluable(game, seats, options)
    return file.reduce


def _complete_stop_rules(wish: StopTable, names: Sequence[str]) -> StopRules:
    """Return the rules for bots of these names; of two bots, the other one is compared with `better_than`."""
    for key, name in (("better_than", wish.better_than), ("bot", wish.bot)):
        require_bot(f"stop.{key}", name, names)
    others = [name for name in names if name != wish.better_than]
    bot = others[0] if wish.bot is None and wish.better_than is not None and len(others) == 1 else wish.bot
    if (bot is None) != (wish.better_than is None):
        missing = "bot" if bot is None else "better_than"
        raise ConfigError(
            f"stop.{missing} is missing: a tournament ends when one bot is better than another; "
            f"the bots are {', '.join(names)}"
        )
    if bot is None and not wish.ranking:
        raise ConfigError("stop asks for nothing; it has better_than with bot, or ranking = true")
    if bot is not None and bot == wish.better_than:
        raise ConfigError(f"stop.bot and stop.better_than are both {bot!r}; they must be two bots")
    return StopRules(bot=bot, better_than=wish.better_than, delta=wish.delta, ranking=wish.ranking)


def _find_blamed_key(text: str, file: TournamentFile, game: AnyGame) -> KeyPath:
    """Return the key to blame for an OptionError: an unknown preset, else the first given option that it mentions."""
    if file.preset is not None and file.preset not in game.presets:
        return ("preset",)
    words = re.findall(r"\w+", text)
    mentioned = [word for word in words if word in file.options]
    if mentioned:
        return ("options", mentioned[0])
    return ("preset",) if file.preset is not None else ("options",)


def _resolve_store(source: TomlFile, file: TournamentFile) -> Path:
    folder = source.path.parent
    if file.store is not None and "\0" in file.store:
        raise source.error_at(("store",), "store has the character \\u0000, which no file name may have")
    store = folder / (file.store or source.path.stem + STORE_ENDING)
    if not store.parent.is_dir():
        raise source.error_at(("store",), f"store is {file.store!r}; there is no folder {str(store.parent)!r}")
    if store.is_dir() or store.resolve() == source.path.resolve():
        what = "a folder" if store.is_dir() else "this file"
        raise source.error_at(
            ("store",), f"store would be {str(store)!r}, which is {what}; it must be a file of its own"
        )
    return store
