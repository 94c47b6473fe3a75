"""A tournament as it will be played: everything looked up, checked and resolved.

A bot that was changed is another version: `alice`, `alice@2`. Versions are numbered by their *entries*, in the order in
which they came; results, and the rosters from which the rounds are made, give these numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from pitboss.errors import ConfigError
from pitboss.foreign_input import read_json
from pitboss.outcome import Sides
from pitboss.protocol.faults import FaultVerdict
from pitboss.protocol.messages import Clock
from pitboss.text import join_words, suggest_nearest
from pitboss_tournament.plan.limits import AskedLimits, BotClock, Limits
from pitboss_tournament.plan.models import BotModel, Budget, ModelTable
from pitboss_tournament.plan.names import make_bot_name
from pitboss_tournament.plan.seating import SeatDesign, Seating, find_design

SandboxLevel: TypeAlias = Literal["bubblewrap", "landlock", "none"]
SandboxChoice: TypeAlias = Literal["auto", "bubblewrap", "landlock", "none"]
OnBroken: TypeAlias = Literal["refuse", "skip"]
KeepLogs: TypeAlias = Literal["faults", "all"]
Order: TypeAlias = Literal["tables", "deals"]  # what is played first
Memory: TypeAlias = Literal["none", "folder"]  # what a bot has of earlier games, beside what its process remembers
ProcessSpan: TypeAlias = Literal["batch", "game"]  # how long a bot's process lives, if nothing goes wrong
RankBy: TypeAlias = Literal["places", "points"]  # what the ranks of standings go by
ScoreBy: TypeAlias = Literal["points", "imps", "matchpoints"]  # what results say in place of the points of a game
Opponents: TypeAlias = Literal["names", "pseudonyms"]  # what a bot is told of the others at its table
OutGames: TypeAlias = Literal["keep", "void"]  # what becomes of the games of a bot that is out
Reduce: TypeAlias = Literal["none", "luck"]  # the variance of results, beyond what duplicate deals do

SANDBOX_LEVELS: Final[tuple[SandboxLevel, ...]] = ("bubblewrap", "landlock", "none")  # the strongest first

LOADOUT_SIGN: Final = "+"  # between a bot and its loadout, on the command line and in names
_VERSION_SIGN: Final = "@"  # before the number of a version; no bot is called so


class BotAbout(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a bot.toml says to readers, and the owner who sent it."""

    version: str | None = None
    author: str | None = None
    language: str | None = None
    owner: str = ""  # of a league, who submitted it: bots that have one in common seldom meet
    dealt_as: str = ""  # what the seeds of its deals call it, whatever it is called later; "": by its name
    yardstick: bool = False  # it measures the others, as the organizer says: it takes no place


class Grants(Struct, frozen=True, kw_only=True):
    """What a bot may use of the machine beside what all may."""

    network: bool = False  # the machine's own
    env: tuple[str, ...] = ()  # names of variables of the runner's environment; their values are read at each start

    def __str__(self) -> str:
        """Say it: "the network, the environment variable KEY"; nothing if there is nothing."""
        variables = f"the environment variable{'s' * (len(self.env) > 1)} {join_words(self.env, 'and')}"
        return ", ".join(filter(None, ("the network" if self.network else "", variables if self.env else "")))


class BroughtLoadout(Struct, frozen=True, kw_only=True):
    """A loadout that a bot brings to a game, such as a deck."""

    name: str  # of its file, without the ending, or of a sample of the game
    text: str  # as JSON, its keys sorted

    @property
    def content(self) -> Any:  # noqa: ANN401 - plain data
        """The loadout as plain data."""
        return read_json(self.text, object)

    @property
    def digest(self) -> str:
        """SHA-256 of the loadout, in hexadecimal."""
        return sha256(self.text.encode()).hexdigest()


def pack_loadout(name: str, loadout: object) -> BroughtLoadout:
    """Return a loadout of a game under a name."""
    return BroughtLoadout(name=name, text=msgspec.json.encode(loadout, order="sorted").decode())


def name_with_loadout(bot: str, loadout: str) -> str:
    """Return what a bot that plays with several loadouts is called with one of them: "mybot+aggro"."""
    return make_bot_name(f"{bot}{LOADOUT_SIGN}{loadout}")


def hide_loadout(name: str) -> str:
    """Return the name of a bot without the name of its loadout: "fox" for "fox+aggro" and for "fox"."""
    return name.rpartition(LOADOUT_SIGN)[0] or name


class Entrant(Struct, frozen=True, kw_only=True):
    """A bot that takes part: its name in the tournament, how to start it, and what is its own: limits, clock."""

    name: str
    command: tuple[str, ...]
    folder: Path | None = None  # where it runs; None: where the runner runs
    limits: Limits = Limits()
    asked: AskedLimits = AskedLimits()  # by its bot.toml; `limits` has the granted ones
    clock: BotClock = BotClock()  # what of the tournament's clock is different for it
    process: ProcessSpan = "batch"
    model: BotModel | None = None  # the language model that it asks
    memory: Path | None = None  # a folder that lasts from game to game
    games_at_once: int | None = None  # games with it that are in play at a time; None: as many as there are tables
    grants: Grants = Grants()
    about: BotAbout = BotAbout()
    presets: tuple[str, ...] | None = None  # that it plays, as it says itself; None: all
    seats: tuple[int, ...] | None = None  # numbers of players that it plays with, as it says itself; None: all
    hidden: tuple[Path, ...] = ()  # the tournament's own files, which it may not read
    contents: tuple[tuple[str, str], ...] = ()  # files that are to play, with digests; none: not checked
    loadout: BroughtLoadout | None = None  # None: the game takes none, or it is not chosen yet

    @property
    def is_person(self) -> bool:
        """Whether the entrant is a person, without a program."""
        return not self.command

    @property
    def loadout_content(self) -> Any:  # noqa: ANN401 - plain data
        """The loadout as plain data; None if there is none."""
        return None if self.loadout is None else self.loadout.content


class FaultRules(Struct, frozen=True, kw_only=True):
    """Penalties for faults: forfeit at once, or after `substitutions` neutral actions in a game; disqualification."""

    policy: Annotated[
        FaultVerdict,
        Meta(
            description="What a fault costs: the game (forfeit), or the decision, for which the neutral action is "
            "played and counted (substitute)."
        ),
    ] = "forfeit"
    substitutions: Annotated[
        int,
        Meta(
            ge=1,
            description='With policy "substitute": how many faults of a bot are substituted in a game before the next '
            "one forfeits it.",
        ),
    ] = 3
    disqualify_after: Annotated[
        int, Meta(ge=1, description="Forfeited games after which a bot is out of the tournament.")
    ] = 10
    disqualify_percent: Annotated[
        float,
        Meta(
            ge=0,
            le=100,
            description="A bot is out only while its forfeited games are this share of its games, or more; 0: always.",
        ),
    ] = 0

    def is_out(self, forfeited: int, games: int) -> bool:
        """Whether a bot that has forfeited some of its games is out."""
        return forfeited >= self.disqualify_after and 100 * forfeited >= self.disqualify_percent * games


class OutTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[[out]]: a bot that is out of the tournament, by the organizer's decision."""

    bot: Annotated[
        str, Meta(min_length=1, description="The name of the bot in the tournament; all its versions are out.")
    ]
    reason: Annotated[str, Meta(min_length=1, max_length=200, description="Why, for standings and report.")]
    games: Annotated[
        OutGames,
        Meta(
            description="What becomes of its finished games: they count (keep), or no game with the bot counts for "
            "anybody (void). Its other games are not played."
        ),
    ] = "keep"


class Admission(Struct, frozen=True, kw_only=True):
    """What a bot that is new in a tournament has to show before it plays in it."""

    games: Annotated[
        int,
        Meta(
            ge=1,
            le=1_000,
            description="Games that each new bot plays first, against random players. A bot that forfeits one is left "
            "out, and standings and report say why.",
        ),
    ]
    seconds: Annotated[
        float, Meta(gt=0, le=86_400, description="Seconds of play without a fault after which a bot is admitted.")
    ] = 60


class FormatChoice(Struct, frozen=True, kw_only=True):
    """Who meets whom: a format by its name, and all its options as plain data."""

    name: str = "round-robin"
    options: dict[str, Any] = {}
    may_grow: bool = True  # a tournament with more deals is the same one, made longer; only of static formats
    may_last_grow: bool = False  # so is one with more `deals` of its last stage; of a format that has several


class StopBounds(Struct, frozen=True, kw_only=True):
    """Bounds of the difference of two bots, between which a verdict does not matter.

    In rating points; in a cooperative game in points of the game, which the teams of the two have made.
    """

    low: float  # it ends when the difference is proven to be above this one
    high: float  # or below this one
    alpha: float  # probability of the first verdict at most, if it is wrong
    beta: float  # of the second


class StopRules(Struct, frozen=True, kw_only=True):
    """Early-stopping rules. Differences are measured in place score: the share of opponents that a bot beats.

    In a cooperative game they are differences of the points of teams, as a share of the `span`.
    """

    bot: str | None = None  # it ends when this bot is proven better than `better_than`, or worse, or close to it
    better_than: str | None = None
    delta: float | None = None  # of place score: differences up to it are close
    bounds: StopBounds | None = None  # for `bot` and `better_than`, in place of `delta`
    ranking: bool = False  # it ends when each bot is proven better than the next one, or close to it
    span: float | None = None  # of a cooperative game: the most by which the points of two teams can differ
    has_own_partners: bool = False  # `bot` and `better_than` have copies of themselves as their partners


def require_bot(key: str, name: str | None, bots: Sequence[str]) -> str | None:
    """Return the bot that a setting names, of several versions the latest unless it names one; None if it names none.

    Raises:
        ConfigError: no bot has this name.
    """
    if name is None:
        return None
    found = find_version(name, bots)
    if found is None:
        labels = label_bots(bots)
        raise ConfigError(f"{key} is {name!r}{suggest_nearest(name, labels)}; the bots are {', '.join(labels)}")
    return bots[found]


class GivenDeals(Struct, frozen=True, kw_only=True):
    """The deals of a tournament that a file gives."""

    file: str  # its name, without folders
    digest: str  # SHA-256 of its contents, in hexadecimal
    seeds: tuple[str, ...]  # of each deal, in the order of the file; each names its cards

    def __str__(self) -> str:
        """Say it: "16 of boards.pbn (SHA-256 0123456789ab)"."""
        return f"{len(self.seeds)} of {self.file} (SHA-256 {self.digest[:12]})"


class ResolvedSettings(Struct, frozen=True, kw_only=True):
    """The settings on which the games of a tournament depend, and their statistics; the bots and the machine aside."""

    game: str
    options: Any  # the game's own, resolved
    seats: int
    seed: str
    deals: int
    format: FormatChoice = FormatChoice()
    seating: Seating = "rotations"
    fixed_circles: bool = True  # of the seating "partners"; stores of an earlier Pitboss, which had them, lack this
    escapes_names: bool = (
        False  # in seeds of deals, so that "a+b" and "c" differ from "a" and "b+c"; earlier stores lack it
    )
    even_order: bool = False  # of the tables of a static format (`formats/even_order`); earlier stores lack it
    seals_deals: bool = False  # the seed of a deal is a digest: it tells its cards, and nothing of other deals
    same_deals: bool = False  # at all tables of a round
    given_deals: GivenDeals | None = None  # that each table plays first; None: all deals are drawn by the seed
    order: Order | None = None  # None: by tables until the bots change, then by deals
    sides: Sides | None = None  # the seats that win and lose together; None: each for itself
    stop: StopRules | None = None
    anchor: str | None = None  # the bot whose rating is 0; None: the bot in the middle
    rank: RankBy = "places"
    score: ScoreBy = "points"
    out: tuple[OutTable, ...] = ()  # bots that the organizer has taken out; earlier stores lack it
    title: str | None = None  # of its pages; None: the game's name
    reduce: Reduce = "none"
    clock: Clock
    faults: FaultRules = FaultRules()
    sandbox: SandboxLevel = "none"
    ponder: bool = False  # bots may compute while they are not asked
    tables_per_bot: int = 1  # at which a process of a bot may be asked at once; stores of an earlier Pitboss lack this
    opponents: Opponents = "names"  # stores of an earlier Pitboss lack this

    def find_out(self, bot: str) -> OutTable | None:
        """Return why a bot is out by the organizer's decision; None if it is not."""
        return next((one for one in self.out if one.bot == find_base_name(bot)), None)

    def find_void(self, bots: Sequence[str]) -> frozenset[int]:
        """Return the numbers of those bots whose games do not count."""
        found = ((number, self.find_out(bot)) for number, bot in enumerate(bots)) if self.out else ()
        return frozenset(number for number, out in found if out is not None and out.games == "void")

    @property
    def is_cooperative(self) -> bool:
        """Whether all seats are one side, so that nobody is placed before anybody."""
        return self.sides is not None and len(self.sides) == 1

    @property
    def seat_design(self) -> SeatDesign:
        """The seat orders in which each deal is played."""
        return find_design(self.seating, self.seats, self.sides, self.fixed_circles)


class TableRules(Struct, frozen=True, kw_only=True):
    """What a worker has to know of a tournament to play its games; entrants and seeds come with each batch."""

    game: str
    options: Any
    seats: int
    clock: Clock
    faults: FaultRules
    sandbox: SandboxLevel
    ponder: bool
    tables_per_bot: int = 1
    opponents: Opponents
    keep_logs: KeepLogs
    reduce: Reduce = "none"


class Plan(ResolvedSettings, frozen=True, kw_only=True):
    """A tournament: tables of `seats` entrants, each with `deals` duplicate deals in all orders of the seat design."""

    entrants: tuple[Entrant, ...]  # by entry, also those that have left
    admission: Admission | None = None
    unfit: dict[str, str] = {}  # why bots among the entrants are not admitted, by name
    rosters: tuple[Roster, ...] = ()  # none: all take part from the beginning
    lexicographic: int = 0  # bots whose tables are numbered in the order of an earlier Pitboss
    keep_logs: KeepLogs = "faults"  # of which games
    models: dict[str, ModelTable] = {}  # that bots may ask
    budget: Budget = Budget()  # for all that they are asked
    engine: str = "processes"  # what plays, by its name
    build_network: bool = False  # builds may use the network
    verify: float = 0.0  # percent of the games of other machines that are played again here
    workers: int = 1  # processes that play
    pinned: bool = True  # each of them, with its bots, to a processor of its own
    games_at_once: int = 1  # over all workers
    store: Path
    keeps_store: bool = True  # False: it is deleted after the run
    warnings: tuple[str, ...] = ()  # for whoever starts it

    @property
    def bots(self) -> list[str]:
        """Names of the entrants, as records have them."""
        return [entrant.name for entrant in self.entrants]

    @property
    def dealt_names(self) -> list[str]:
        """Names of the entrants, as seeds have them."""
        return [entrant.about.dealt_as or entrant.name for entrant in self.entrants]

    @property
    def labels(self) -> list[str]:
        """Names of the entrants, as people read them."""
        return label_bots(self.bots)

    @property
    def owners(self) -> list[str]:
        """The owners of the entrants; "" for an entrant without one."""
        return [entrant.about.owner for entrant in self.entrants]

    def is_yardstick(self, bot: int) -> bool:
        """Whether an entrant only measures the others."""
        return self.entrants[bot].about.yardstick

    @property
    def absent(self) -> frozenset[int]:
        """The entrants that have left."""
        everybody = range(len(self.entrants))
        return frozenset(everybody).difference(self.rosters[-1].entries if self.rosters else everybody)

    @property
    def table_rules(self) -> TableRules:
        """What a worker is told."""
        return TableRules(**{name: getattr(self, name) for name in TableRules.__struct_fields__})


class Roster(Struct, frozen=True, kw_only=True):
    """The entries that take part from a round on, in the order in which they are listed."""

    first_round: int  # in a static format the stage, from 1
    entries: tuple[int, ...]
    deals: int  # of each table, in a static format


def name_version(name: str, version: int) -> str:
    """Return the name of a version of a bot, as records and the seeds of games have it."""
    return name if version == 1 else f"{name}{_VERSION_SIGN}{version}"


def find_base_name(bot: str) -> str:
    """Return the name that the versions of a bot have in common."""
    return bot.partition(_VERSION_SIGN)[0]


def label_bots(bots: Sequence[str]) -> list[str]:
    """Return the names of versions as people read them: the first is `alice@1` if there are others."""
    several = {find_base_name(bot) for bot in bots if _VERSION_SIGN in bot}
    return [name_first(bot) if bot in several else bot for bot in bots]


def name_first(bot: str) -> str:
    """Return the name of a version with its number, also that of the first, `alice@1`."""
    return bot if _VERSION_SIGN in bot else f"{bot}{_VERSION_SIGN}1"


def find_version(name: str, bots: Sequence[str]) -> int | None:
    """Return the number of the version that a person means, the latest unless one is named; None: there is none."""
    for names in (label_bots(bots), [name_first(bot) for bot in bots]):
        if name in names:
            return names.index(name)
    return max((number for number, bot in enumerate(bots) if find_base_name(bot) == name), default=None)
