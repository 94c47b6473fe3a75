"""`league.toml`: what a league plays, what may be submitted, and what a submission has to show."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct, field

from pitboss_tournament.league.grades_file import GradesTable
from pitboss_tournament.league.name_book import OwnerAccess
from pitboss_tournament.league.rule_changes import RuleChange
from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.models import Dollars, ModelName, ModelTable, Tokens
from pitboss_tournament.plan.plan import FaultRules, Opponents, SandboxChoice, ScoreBy
from pitboss_tournament.plan.settings import ClockTable
from pitboss_tournament.text.schema_text import ALLOWED

ClosingTime = Annotated[
    datetime,
    Meta(
        tz=True,
        description="When submissions end; by default never.",
        extra={ALLOWED: "a date and a time with its zone: 2027-02-01T18:00:00+01:00"},
    ),
]


ReplayAccess: TypeAlias = Literal["owners", "public"]


class LeagueTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[league]: the rules of the league."""

    name: (
        Annotated[str, Meta(min_length=1, max_length=200, description="What it is called; by default like its folder.")]
        | None
    ) = None
    placing_games: Annotated[
        int, Meta(ge=1, le=100_000, description="Games that a version plays before it has a place.")
    ] = 20
    active_versions: Annotated[
        int,
        Meta(ge=1, le=1_000, description="Versions of a name that play at a time: the newest of those that are valid."),
    ] = 1
    owners_at_a_table: Annotated[
        int, Meta(ge=1, le=1_000, description="Bots of one owner that may sit at a table, as long as there are others.")
    ] = 1
    deals: Annotated[
        int,
        Meta(
            ge=1,
            le=1_000,
            description="Deals that a table plays before its bots get other opponents, each in all seat orders.",
        ),
    ] = 5

    anchors: Annotated[
        list[str],
        Meta(
            description="Bots of the house that play along and take no place: rungs of the game, such as rung:2, other "
            "names from `pitboss bots`, or rung:* for all rungs. By default none."
        ),
    ] = []
    replays: Annotated[
        ReplayAccess,
        Meta(
            description="Who may see finished games card by card: the owners of the bots that played in them (owners), "
            "or everybody (public). The host sees all, and nobody sees those that are being played.",
        ),
    ] = "owners"
    owners: Annotated[
        OwnerAccess,
        Meta(
            description="How owners are called before others: by a pseudonym or a name that they have chosen "
            "(pseudonyms), so too, but with their names for those who are logged in (class), or by their names for "
            "everybody (shown). An owner and the host see both."
        ),
    ] = "pseudonyms"
    open_to_people: Annotated[
        int,
        Meta(
            ge=0,
            le=100,
            description="How many of the best versions people may play against, in a lobby with the league (`pitboss "
            "play --browser --league FOLDER`); 0: none.",
        ),
    ] = 0


class LeagueFaults(FaultRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[faults]: what happens to a version that breaks the rules of the wire."""

    disqualify_after: Annotated[int, Meta(ge=1, description="Forfeited games after which a version plays no more.")] = (
        10
    )
    disqualify_percent: Annotated[
        float,
        Meta(
            ge=0,
            le=100,
            description="A version is out only while its forfeited games are this share of its games, or more.",
        ),
    ] = 5


class SubmissionsTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[submissions]: the limits of the bots that people submit."""

    max_mb: Annotated[
        int, Meta(ge=1, le=4_096, description="Size of a submission's files together, and of its archive, in MiB.")
    ] = 20
    max_files: Annotated[int, Meta(ge=1, le=100_000, description="Files and folders of a submission.")] = 500
    a_day: Annotated[int, Meta(ge=1, le=100_000, description="Submissions of an owner within 24 hours.")] = 20
    closes: ClosingTime | None = None
    free_mb: Annotated[
        int,
        Meta(
            ge=0,
            le=1 << 30,
            description="With less room than this on the disk, in MiB, nothing is taken and no build goes on.",
        ),
    ] = 1_024


LogAccess: TypeAlias = Literal["faults", "all", "none"]


class LeagueLogs(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[logs]: what owners see of the wire and of standard error in the games of their bots."""

    shown: Annotated[
        LogAccess,
        Meta(
            description="Of which games owners see the logs of their bots: those with a fault (faults), all games "
            "(all), or none (none). With none, logs of games with a fault are kept for the host."
        ),
    ] = "faults"
    mb: Annotated[
        int,
        Meta(
            ge=1,
            le=1 << 20,
            description="MiB that the logs of a bot have on the disk, all its versions together; the oldest are "
            "dropped first.",
        ),
    ] = 100


class FeedbackTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[feedback]: what the league finds out for owners about the decisions of their bots."""

    a_day: Annotated[
        int,
        Meta(
            ge=0,
            le=1_000,
            description="How often within 24 hours an owner may have the games of a version looked into; 0: never.",
        ),
    ] = 5


class ValidationTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[validation]: what a submission has to show before it plays."""

    check: Annotated[bool, Meta(description="All checks of `pitboss check` must pass.")] = True
    games: Annotated[
        int, Meta(ge=0, le=1_000, description="Games that it plays first, with random players, and may not forfeit.")
    ] = 2
    seconds: Annotated[
        float, Meta(gt=0, le=86_400, description="Seconds of these games after which a bot without a fault is valid.")
    ] = 120
    build_seconds: Annotated[float, Meta(gt=0, le=86_400, description="The longest that a build may take.")] = 300
    build_mb: Annotated[int, Meta(ge=1, le=1 << 20, description="Size of a bot's folder once it is built, in MiB.")] = (
        1_024
    )
    check_seconds: Annotated[float, Meta(gt=0, le=86_400, description="The longest that all checks may take.")] = 600


class TrialsTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[trials]: practice of bots that are written on the league's pages, on deals of its own."""

    a_day: Annotated[
        int, Meta(ge=0, le=100_000, description="Trials of an owner within 24 hours, checks and games; 0: none.")
    ] = 60
    at_once: Annotated[int, Meta(ge=1, le=100, description="Trials of an owner that wait or run at a time.")] = 1
    games: Annotated[int, Meta(ge=1, le=100, description="Practice games of a trial.")] = 3
    seconds: Annotated[
        float, Meta(gt=0, le=3_600, description="Seconds of these games, after which no more are played.")
    ] = 120
    ladder_bots: Annotated[
        int,
        Meta(
            ge=0,
            le=1_000,
            description="How many of the best versions of the ladder all owners may practise against, seeing all cards "
            "afterwards; 0: only against their own ones, and the bots of the house.",
        ),
    ] = 0


class OwnerBudget(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[budget]: what calls of language models may cost, for all bots of an owner together, in the whole league.

    Where neither is given, no bot may ask a model.
    """

    owner_usd: Annotated[Dollars, Meta(description="Dollars for each owner.")] | None = None
    owner_tokens: Annotated[Tokens, Meta(description="Tokens for each owner.")] | None = None

    @property
    def is_granted(self) -> bool:
        """Whether an owner has a budget."""
        return self.owner_usd is not None or self.owner_tokens is not None


class HookTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[hook]: a program of the host that is called when a version becomes valid, is refused or is retired."""

    command: Annotated[
        list[Annotated[str, Meta(min_length=1)]],
        Meta(
            max_length=50,
            description="The program and its arguments, without a shell; it runs in the league's folder. None: [].",
        ),
    ] = []
    seconds: Annotated[float, Meta(gt=0, le=600, description="The longest that a call may take.")] = 30


class LeagueFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A league of Pitboss: one game, and the rules for those who submit bots."""

    game: Annotated[str, Meta(description="A name from `pitboss games`.")]
    preset: Annotated[str, Meta(description="A named set of options of the game.")] | None = None
    options: Annotated[
        dict[str, Any],
        Meta(description="The game's options, as `pitboss games NAME` lists them; they change the preset."),
    ] = {}
    seats: (
        Annotated[int, Meta(ge=1, description="Players at a table; by default the game's smallest number.")] | None
    ) = None
    score: Annotated[
        ScoreBy,
        Meta(
            description="What the ladder goes by: the points of each game (points), or how they compare with those of "
            "the others who held the same cards (imps, matchpoints). Whom a bot meets goes by the game itself."
        ),
    ] = "points"
    sandbox: Annotated[
        SandboxChoice,
        Meta(
            description="The level of the sandbox for bots and builds: bubblewrap or landlock, or the league does not "
            "run; none, only limits; auto, the strongest that works here, but none weaker than in the last run."
        ),
    ] = "bubblewrap"
    opponents: (
        Annotated[
            Opponents,
            Meta(
                description="What a bot is told of the others at its table: pseudonyms that are new in each game, so "
                "that friends do not know each other (pseudonyms), or their names (names). Default: pseudonyms; a "
                "league that has games keeps what its bots were told."
            ),
        ]
        | None
    ) = None
    clock: ClockTable = field(default_factory=ClockTable)
    limits: Limits = field(default_factory=Limits)
    faults: LeagueFaults = field(default_factory=LeagueFaults)
    league: LeagueTable = field(default_factory=LeagueTable)
    submissions: SubmissionsTable = field(default_factory=SubmissionsTable)
    validation: ValidationTable = field(default_factory=ValidationTable)
    trials: TrialsTable = field(default_factory=TrialsTable)
    logs: LeagueLogs = field(default_factory=LeagueLogs)
    feedback: FeedbackTable = field(default_factory=FeedbackTable)
    grades: GradesTable = field(default_factory=GradesTable)
    models: Annotated[
        dict[ModelName, ModelTable],
        Meta(
            description="[models.NAME] for each language model that bots may ask, if [budget] grants owners a budget."
        ),
    ] = {}
    budget: OwnerBudget = field(default_factory=OwnerBudget)
    hook: HookTable = field(default_factory=HookTable)
    changes: Annotated[
        list[RuleChange],
        Meta(description="[[changes]] for rules that change at a time; the pages tell them before."),
    ] = []
