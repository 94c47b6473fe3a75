"""The settings of a tournament, each declared once: the tournament file, and the options of commands that play one.

A field has its name, type, default and description here. Further facts are in `said`: why the command
line does not set it, whether a run that is resumed may change it, and whether it belongs to the machine, not to the
tournament. `config.settings_plan` resolves a `TournamentFile` into a plan, whoever has filled it in.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from msgspec import Meta, Struct, field, inspect

from pitboss.protocol.messages import MAX_TABLES
from pitboss_tournament.plan.limits import (
    BotClock,
    BotLimits,
    DecisionMs,
    GameMs,
    IncrementMs,
    Limits,
    MarginMs,
    StartMs,
)
from pitboss_tournament.plan.models import Budget, ModelName, ModelTable
from pitboss_tournament.plan.names import BotName
from pitboss_tournament.plan.plan import (
    Admission,
    FaultRules,
    KeepLogs,
    Memory,
    OnBroken,
    Opponents,
    Order,
    OutTable,
    ProcessSpan,
    RankBy,
    Reduce,
    SandboxChoice,
    ScoreBy,
)
from pitboss_tournament.plan.seating import Seating
from pitboss_tournament.text.schema_text import ALLOWED

SETTING: Final = "setting"  # in `Meta(extra={SETTING: Setting(…)})`


class Setting(Struct, frozen=True, kw_only=True):
    """What there is to say of a field beside its name, type, default and description."""

    no_option: str = ""  # why no `-s KEY=VALUE` sets it
    may_change: bool = False  # when a run is carried on; it changes no game
    is_machine: bool = False  # how it is played on this machine: no part of the tournament

    @property
    def is_of_run(self) -> bool:
        """Whether each run of a tournament may have another value."""
        return self.is_machine or self.may_change


def said(**words: Any) -> dict[str, Setting]:  # noqa: ANN401 - fields of a setting
    """Return the `Meta(extra=…)` of a field, for its further facts."""
    return {SETTING: Setting(**words)}


def find_setting(kind: inspect.Type) -> Setting:
    """Return what is said of a field of this type."""
    if isinstance(kind, inspect.UnionType):
        return next((found for one in kind.types if (found := find_setting(one)) != Setting()), Setting())
    if not isinstance(kind, inspect.Metadata):
        return Setting()
    setting = (kind.extra or {}).get(SETTING)
    return setting if isinstance(setting, Setting) else find_setting(kind.type)


LONGEST_SEED: Final = 200  # characters
MAX_OPEN_GAMES: Final = 1_024

GamesAtOnce = Annotated[int, Meta(ge=1, le=MAX_OPEN_GAMES)]
CloseShare = Annotated[
    float,
    Meta(
        gt=0,
        le=1,
        description="Also stop once two bots provably differ by at most this share of beaten opponents.",
    ),
]
Title = Annotated[
    str,
    Meta(min_length=1, max_length=200, description="The heading of the tournament's pages. Default: the game's name."),
]
TableSeats = Annotated[
    int, Meta(ge=1, description="Players at a table. Default: all bots at one table, or the game's smallest number.")
]
SeedText = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=LONGEST_SEED,
        description="The seed of all deals. Default: a new one, which the store keeps.",
    ),
]


class ClockTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[clock]: the time that a bot has, in milliseconds."""

    start_ms: StartMs = 10_000
    decision_ms: DecisionMs = 1_000
    game_ms: GameMs | None = None
    increment_ms: IncrementMs = 0
    margin_ms: MarginMs = 10


class FaultsTable(FaultRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[faults]: what happens to a bot that breaks the rules of the wire."""


class StopTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[stop]: when the tournament ends before its schedule does, as soon as that is proven at 95 %."""

    better_than: (
        Annotated[
            str,
            Meta(description="A bot to compare with: stop once `bot` is proven better or worse than this bot."),
        ]
        | None
    ) = None
    bot: Annotated[str, Meta(description="The bot to compare. Default, with two bots: the other one.")] | None = None
    delta: CloseShare | None = None
    ranking: Annotated[
        bool, Meta(description="Stop once each bot is proven better than the next bot of the ranking.")
    ] = False


class AdmissionTable(Admission, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[admission]: what a bot that is new in the tournament has to show before it plays in it."""


class LogsTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[logs]: what the bots and the runner said to each other, and what the bots wrote to standard error."""

    keep: Annotated[
        KeepLogs,
        Meta(
            description="Which logs to keep: only of games with a fault (faults), or of all games (all).",
        ),
    ] = "faults"


VariableName = Annotated[
    str,
    Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", extra={ALLOWED: 'the name of an environment variable, as "API_KEY"'}),
]


class BotTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[[bots]]: one bot that takes part."""

    bot: Annotated[
        str,
        Meta(min_length=1, description="A folder with a bot.toml, a command in quotes, or a name from `pitboss bots`."),
    ]
    name: (
        Annotated[BotName, Meta(description="The bot's name in the tournament. Default: the name in its bot.toml.")]
        | None
    ) = None
    loadout: (
        Annotated[
            str,
            Meta(
                min_length=1,
                description="What the bot brings to a game with loadouts, such as a deck: a file, TOML or JSON, in the "
                "bot's folder or beside this file; or the name of a sample of the game. With a * several: each makes "
                "an entrant of its own. Default: what its bot.toml says.",
            ),
        ]
        | None
    ) = None
    limits: BotLimits = field(default_factory=BotLimits)
    clock: BotClock = field(default_factory=BotClock)
    process: Annotated[
        ProcessSpan,
        Meta(
            description="How long the bot's process lives: for a row of games in one seat (batch), or for one game, so "
            "that the bot remembers nothing of earlier games (game)."
        ),
    ] = "batch"
    memory: Annotated[
        Memory,
        Meta(
            description="Whether the bot has a folder that lasts from game to game, named by PITBOSS_MEMORY in its "
            "environment. Such a bot may meet a deal that it has seen before; docs/fairness.md."
        ),
    ] = "none"
    yardstick: Annotated[
        bool,
        Meta(
            description="Whether the bot is a yardstick: it plays and is rated, and takes no place, wins nothing and "
            "goes on to no later stage."
        ),
    ] = False
    network: Annotated[
        bool,
        Meta(
            description="Whether the sandbox lets the bot use the machine's own network. The bot can then reach what "
            "this machine reaches, and servers on this machine, such as `pitboss serve`."
        ),
    ] = False
    env: Annotated[
        tuple[VariableName, ...],
        Meta(
            description="Variables of the runner's environment to pass to the bot, such as the key of a service. "
            "Pitboss does not store their values, but it does store what the bot prints."
        ),
    ] = ()
    model: (
        Annotated[
            ModelName,
            Meta(description="NAME of the [models.NAME] that the bot asks. Default: the NAME in its bot.toml."),
        ]
        | None
    ) = None
    games_at_once: (
        Annotated[
            GamesAtOnce,
            Meta(
                description="Maximum number of this bot's games in play at a time, over all workers. Default: the "
                "tournament's games_at_once."
            ),
        ]
        | None
    ) = None


Bots = Annotated[
    list[str | BotTable],
    Meta(
        description="The bots that take part: [[bots]] for each, or a list of folders, names and commands; a folder "
        "may be a pattern, such as submissions/*.",
        extra={ALLOWED: 'a list of folders, ["submissions/*"], or of tables: write [[bots]] for each bot'},
    ),
]


class TournamentFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tournament file of Pitboss: one game, and the bots that play it. Paths are relative to the file."""

    game: Annotated[
        str,
        Meta(
            description="A name from `pitboss games`.", extra=said(no_option="the game is the first word of a command")
        ),
    ]
    title: Annotated[Title, Meta(extra=said(may_change=True))] | None = None
    bots: Annotated[
        Bots,
        Meta(
            extra=said(no_option="the bots are the words behind the game; a file may have [[bots]] with their own keys")
        ),
    ] = []
    out: Annotated[
        list[OutTable],
        Meta(
            description="[[out]] for each bot that is out by the organizer's decision. It may be added while a "
            "tournament runs.",
            extra=said(no_option="only a file has it", may_change=True),
        ),
    ] = []
    on_broken: Annotated[
        OnBroken,
        Meta(
            description="What to do if a bot cannot be built or started: play nothing (refuse), or name the bot and "
            "leave it out (skip).",
            extra=said(is_machine=True),
        ),
    ] = "refuse"
    admission: Annotated[AdmissionTable, Meta(extra=said(is_machine=True))] | None = None
    seats: TableSeats | None = None
    preset: Annotated[str, Meta(description="A named set of options of the game.")] | None = None
    options: Annotated[
        dict[str, Any],
        Meta(
            description="Options of the game, which override those of the preset; `pitboss games NAME` lists them.",
        ),
    ] = {}
    format: Annotated[
        str | dict[str, Any],
        Meta(
            description="Who meets whom: a name from `pitboss formats`, or a table with the name and the format's "
            "options.",
            extra={ALLOWED: 'the name of a format, or a table with a name: [format] name = "swiss"'},
        ),
    ] = "round-robin"
    seating: (
        Annotated[
            Seating,
            Meta(
                description="The seat orders in which to play each deal: the rotations of the bots around the table, "
                "with other neighbours in each deal (balanced) or the same in all deals (rotations), also in the "
                "reverse direction (mirrored), or all orders (all). Partners stay together; with `partners` each bot "
                "partners every other bot equally often. Default: balanced; rotations at tables of two; a store with "
                "games keeps its seating."
            ),
        ]
        | None
    ) = None
    stop: Annotated[StopTable, Meta(extra=said(may_change=True))] | None = None
    rank: (
        Annotated[
            RankBy,
            Meta(
                description="Rank standings, report and pages by the places in each game, or by points. Pairings, "
                "`stop` and `compare` always use places. Default: points in games that are played for chips or points, "
                "such as poker and bridge, with imps and matchpoints, and in cooperative games; places in other games.",
                extra=said(may_change=True),
            ),
        ]
        | None
    ) = None
    score: Annotated[
        ScoreBy,
        Meta(
            description="How results score a game: by its points, or against the other tables that held the same "
            "cards, in IMPs (imps) or as the percentage of tables beaten, ties half (matchpoints). Ranks, ratings, "
            "wins and `stop` use this score; formats use the result of the game itself.",
            extra=said(may_change=True),
        ),
    ] = "points"
    anchor: (
        Annotated[
            str,
            Meta(
                description="The name of the bot whose rating is 0. Default: the median bot.",
                extra=said(may_change=True),
            ),
        ]
        | None
    ) = None
    reduce: Annotated[
        Reduce,
        Meta(
            description="What to remove from points and wins when results are shown: the luck of the draw (luck), or "
            "nothing (none).",
            extra=said(may_change=True),
        ),
    ] = "none"
    seed: SeedText | None = None
    deals: Annotated[
        Annotated[int, Meta(ge=1, le=1_000_000_000)] | Annotated[str, Meta(min_length=1)],
        Meta(
            description="Duplicate deals for each table: their number, or a file that gives them (boards.pbn, "
            "hands.phh, notation as .txt, cards as .json).",
            extra={ALLOWED: "an integer from 1 to 1000000000, or the name of a file with deals"},
        ),
    ] = 100
    same_deals: (
        Annotated[
            bool,
            Meta(
                description="Deal the same cards to all tables of a round; otherwise each table's cards depend on the "
                "names of its bots. Default: true where all seats play together, so that teams are compared deal by "
                "deal; false in any other game."
            ),
        ]
        | None
    ) = None
    order: (
        Annotated[
            Order,
            Meta(
                description="What to play first: many deals of one table before the next table, which starts fewer "
                "processes (tables), or each deal at all tables, so a tournament stopped early has games of every bot "
                "(deals). Default: tables; deals once a bot has joined or left a format that schedules all games in "
                "advance.",
                extra=said(may_change=True),
            ),
        ]
        | None
    ) = None
    games_at_once: (
        Annotated[
            GamesAtOnce,
            Meta(
                description="Games to play at a time. Default: one for each worker; with language models, the number "
                "of calls that may be open at a time.",
                extra=said(is_machine=True),
            ),
        ]
        | None
    ) = None
    on: (
        Annotated[
            str,
            Meta(
                min_length=1,
                description="Where to play the games: local:4 (a cluster of processes of this machine), "
                "dask://HOST:PORT (the machines of a Dask scheduler) or an engine of a plugin. Default: processes of "
                "this machine.",
                extra=said(is_machine=True),
            ),
        ]
        | None
    ) = None
    verify: (
        Annotated[
            float,
            Meta(
                ge=0,
                le=100,
                description="Percentage of other machines' games to replay on this machine. A machine whose games "
                "replay differently is reported, and all its games are voided and replayed. Default: 0.",
                extra=said(is_machine=True),
            ),
        ]
        | None
    ) = None
    workers: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=256,
                description="Worker processes. Default: one for each processor.",
                extra=said(is_machine=True),
            ),
        ]
        | None
    ) = None
    pinned: Annotated[
        bool,
        Meta(
            description="Keep each worker and its bots on a processor of its own.",
            extra=said(is_machine=True),
        ),
    ] = True
    sandbox: Annotated[
        SandboxChoice,
        Meta(
            description="The level of the sandbox. bubblewrap, landlock: use this level, or refuse to run; none: only "
            "limits; auto: the strongest level that works here, at least as strong as in the store's last run."
        ),
    ] = "auto"
    build_network: Annotated[
        bool,
        Meta(
            description="Let the build steps of bots use the network; otherwise the sandbox gives them none.",
            extra=said(is_machine=True),
        ),
    ] = False
    ponder: Annotated[
        bool,
        Meta(description="Let bots compute on their opponents' time; otherwise a bot is frozen until it is asked."),
    ] = False
    tables_per_bot: Annotated[
        int,
        Meta(
            ge=1,
            le=MAX_TABLES,
            description="At how many tables at once to ask one process of a bot, if the bot takes `tables`. Other bots "
            "have a process for each game that is in play beside it.",
        ),
    ] = 1
    opponents: (
        Annotated[
            Opponents,
            Meta(
                description="What to call the other players in messages to a bot: by their names, or by pseudonyms "
                "that change with each game, so that no bot recognises another. Default: names; a store with games "
                "keeps its setting."
            ),
        ]
        | None
    ) = None
    store: (
        Annotated[
            str,
            Meta(
                min_length=1,
                description="The file to store the games in. Default: the tournament file's name with .pitboss.",
                extra=said(is_machine=True),
            ),
        ]
        | None
    ) = None
    clock: ClockTable = field(default_factory=ClockTable)
    faults: FaultsTable = field(default_factory=FaultsTable)
    models: Annotated[
        dict[str, ModelTable],
        Meta(
            description="[models.NAME] for each language model that bots may ask.",
            extra=said(is_machine=True),
        ),
    ] = {}
    budget: Annotated[Budget, Meta(extra=said(is_machine=True))] = field(default_factory=Budget)
    limits: Limits = field(default_factory=Limits)
    logs: Annotated[LogsTable, Meta(extra=said(is_machine=True))] = field(default_factory=LogsTable)


def describe_settings() -> dict[str, Setting]:
    """Return what is said of each field of a tournament file."""
    found = inspect.type_info(TournamentFile)
    assert isinstance(found, inspect.StructType)
    return {field.name: find_setting(field.type) for field in found.fields}
