"""`arena.toml`: what an arena plays, who takes part, and what an entrant may use while it edits."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct, field

from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.names import BotName
from pitboss_tournament.plan.plan import SandboxChoice
from pitboss_tournament.plan.settings import ClockTable, TableSeats, VariableName
from pitboss_tournament.text.schema_text import ALLOWED

See: TypeAlias = Literal["results", "records", "code"]

Minutes = Annotated[float, Meta(gt=0, le=10_080)]
Words = Annotated[
    list[str],
    Meta(min_length=1, extra={ALLOWED: 'a command as a list of words: ["{python}", "agents/improve.py"]'}),
]
MAX_ENTRANTS: Final = 100


class EntrantTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[entrants.NAME]: a program that edits a bot, and what it may use. What is not said is as in [edit]."""

    edit: Annotated[
        Words,
        Meta(
            description="The command that edits the bot. It runs in the entrant's work space; a file that it names is "
            "looked for from the folder of arena.toml; {python} is the Python of Pitboss."
        ),
    ]
    language: Annotated[str, Meta(description="The language of the starter bot, of `pitboss new bot --list`.")] = (
        "python"
    )
    start: Annotated[str, Meta(description="The folder of a bot to start with, in place of a starter bot.")] | None = (
        None
    )
    minutes: Annotated[Minutes, Meta(description="Minutes that the command may run in a round.")] | None = None
    cpu_minutes: (
        Annotated[Minutes, Meta(description="Minutes of processor time that it may use in a round.")] | None
    ) = None
    network: Annotated[bool, Meta(description="Whether it may use the network of this machine.")] | None = None
    read: (
        Annotated[tuple[str, ...], Meta(description="More files and folders that it may read, from this file.")] | None
    ) = None
    env: (
        Annotated[
            tuple[VariableName, ...],
            Meta(description="Variables of the environment that it gets, such as the key of a model."),
        ]
        | None
    ) = None


class EditTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[edit]: what each entrant may use while it edits."""

    minutes: Annotated[Minutes, Meta(description="Minutes that the command may run in a round.")] = 10.0
    cpu_minutes: Annotated[Minutes, Meta(description="Minutes of processor time that it may use in a round.")] = 10.0
    memory_mb: Annotated[int, Meta(ge=64, le=1 << 20, description="Memory of all its processes, in MiB.")] = 4096
    workspace_mb: Annotated[int, Meta(ge=1, le=1 << 20, description="Size of its work space, in MiB.")] = 200
    network: Annotated[bool, Meta(description="Whether it may use the network of this machine.")] = False
    read: Annotated[tuple[str, ...], Meta(description="More files and folders that it may read, from this file.")] = ()
    env: Annotated[
        tuple[VariableName, ...],
        Meta(description="Variables of the environment that it gets, such as the key of a model."),
    ] = ()


class JudgeTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[judge]: what is played in a round, and what a version has to show before."""

    deals: Annotated[int, Meta(ge=1, le=1_000_000, description="Deals of a table that count, each in all orders.")] = 50
    practice: Annotated[
        int,
        Meta(ge=1, le=1_000_000, description="Deals of a table whose games entrants see, in each round the same."),
    ] = 20
    anchors: (
        Annotated[
            list[str],
            Meta(
                description="Bots that play in each round and take no place, by which rounds are compared; the last "
                "one has the rating 0. Default: house:random and the house bot of the game."
            ),
        ]
        | None
    ) = None
    check: Annotated[bool, Meta(description="All checks of `pitboss check` must pass.")] = True
    trial_games: Annotated[
        int, Meta(ge=1, le=1_000, description="Games with random players that a version may not forfeit.")
    ] = 2
    trial_seconds: Annotated[
        float, Meta(gt=0, le=86_400, description="Seconds of these games after which a bot without a fault is valid.")
    ] = 60.0
    bot_mb: Annotated[int, Meta(ge=1, le=4_096, description="Size of a bot's sources, in MiB.")] = 20
    bot_files: Annotated[int, Meta(ge=1, le=100_000, description="Files of a bot's sources.")] = 500
    why: Annotated[
        bool,
        Meta(
            description="Whether an entrant gets the bundle of `pitboss why --bundle` on its practice games, with its "
            "decisions beside those of the house bot. The bundle takes up to 90 seconds."
        ),
    ] = True
    shown_games: Annotated[
        int, Meta(ge=0, le=100, description="Practice games, the worst ones, that an entrant gets as text.")
    ] = 6


class ArenaFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An arena of Pitboss: one game, and the programs that write bots for it. Paths are relative to the file."""

    game: Annotated[str, Meta(description="A name from `pitboss games`.")]
    preset: Annotated[str, Meta(description="A named set of options of the game.")] | None = None
    options: Annotated[dict[str, Any], Meta(description="Options of the game; they change the preset.")] = {}
    seats: TableSeats | None = None
    title: Annotated[str, Meta(min_length=1, max_length=200, description="The heading of its pages.")] | None = None
    rounds: Annotated[int, Meta(ge=1, le=1_000, description="Rounds of editing and play.")] = 10
    see: Annotated[
        See,
        Meta(
            description="What an entrant sees of others: results and its own practice games (results), all practice "
            "games (records), or these and the sources of the other bots (code)."
        ),
    ] = "results"
    sandbox: Annotated[
        SandboxChoice,
        Meta(description="The level of the sandbox of entrants, builds and bots; auto: the strongest that works here."),
    ] = "auto"
    clock: ClockTable = field(default_factory=ClockTable)
    limits: Limits = field(default_factory=Limits)
    edit: EditTable = field(default_factory=EditTable)
    judge: JudgeTable = field(default_factory=JudgeTable)
    entrants: Annotated[
        dict[BotName, EntrantTable],
        Meta(max_length=MAX_ENTRANTS, description="[entrants.NAME] for each program that writes a bot."),
    ]


NEW_ARENA: Final = """\
# An arena of Pitboss: see docs/arena.md. `pitboss arena run FOLDER` plays it, and carries on after a stop.
game = {game}
{preset}rounds = {rounds}                  # of editing and play
see = "results"              # what an entrant sees of others: results, records or code
sandbox = "auto"             # of entrants, builds and bots; auto: the strongest that works here

[edit]                       # what each entrant may use while it edits, in a round
minutes = 10
cpu_minutes = 10
memory_mb = 4096
workspace_mb = 200
network = false
# read = ["../tools"]        # more files and folders that it may read
# env = ["API_KEY"]          # variables of the environment that it gets

[judge]
deals = 50                   # of a table, that count; each in all seat orders
practice = 20                # of a table, whose games the entrants see
# anchors = ["house:random"] # bots that play along and take no place; default: house:random and the game's house bot
check = true                 # all checks of `pitboss check` must pass
why = true                   # an entrant gets the bundle of `pitboss why --bundle` on its practice games
shown_games = 6              # practice games that an entrant gets as text, the worst ones

{entrants}"""
NEW_ENTRANTS: Final = """\
# An entrant is a name and a command that edits the bot in its work space: a coding agent, a script, an editor.
# [entrants.alice]
# edit = ["{python}", "agents/alice.py"]
# language = "python"        # of the starter bot
# network = true             # for this one; also minutes, cpu_minutes, read and env
"""
