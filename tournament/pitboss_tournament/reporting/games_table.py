"""Several games as one table: a row for each entrant, a column for each game, and what is known over the games.

An entrant is a program with its name and, if it asks a language model, its model: two programs of one name are two
entrants. The game's own bot, another program in each game, is one entrant: it is the zero of the scale of rungs.

Ratings of a game are above those of one bot, the zero, which is the same in all games. Over games the games are the
sample: means have intervals over games, and none where an entrant has played one game.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import hypot
from typing import Annotated, Any, Final, NamedTuple

import msgspec
from msgspec import Meta, Struct

from pitboss.errors import ConfigError, PitbossError
from pitboss.game import resolve_options
from pitboss.plugins.registry import Registry
from pitboss.plugins.rungs import GameRungs
from pitboss.text import format_count, join_words
from pitboss_tournament.config.entrants import resolve_named_bot
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.models.choice import AskOutcome
from pitboss_tournament.results.model_use import ModelUse, list_model_use
from pitboss_tournament.results.standings_rows import BotRow
from pitboss_tournament.results.verdict import tell_verdict
from pitboss_tournament.rounds.stored_headline import list_placed_rows
from pitboss_tournament.statistics.control_variate import SeatLuck
from pitboss_tournament.statistics.running_moments import Estimate, average_means
from pitboss_tournament.store.header import SHOWN_DIGITS, Entry, Header, add_later_options
from pitboss_tournament.store.store import Store

OWN_BOT: Final = "house:GAME"
PROMPT_FILE: Final = "prompt.md"
LONGEST_REMARK: Final = SHOWN_DIGITS  # letters of what tells rows of one name apart
UNPARSED: Final[tuple[AskOutcome, ...]] = ("unparsable", "truncated", "empty")
ANSWERED: Final[tuple[AskOutcome, ...]] = ("chosen", "illegal", *UNPARSED, "refused")
_UNKNOWN: Final = Estimate(None, None)
_ZERO: Final = Estimate(0.0, 0.0)


class StoreRecords(Struct, frozen=True, kw_only=True):
    """The records of a store, and how anybody plays them again."""

    path: str
    games: int
    digest: Annotated[str, Meta(description="SHA-256 of its records in their order, without times.")]
    commands: Annotated[
        list[str], Meta(description="That play its games again without a server: by the rules, and with the bots.")
    ]


class FieldRung(Struct, frozen=True, kw_only=True):
    """A bot of the field whose strength was measured before: a rung of `pitboss arena rung`."""

    entrant: str
    rung: int
    rungs: Annotated[int, Meta(description="How many the game has.")]
    strength: Annotated[
        Estimate | None,
        Meta(description="Above house:GAME; null: it was measured with other options, or in points."),
    ]


class TabledResult(Struct, frozen=True, kw_only=True):
    """What an entrant did in one game."""

    standing: Annotated[BotRow, Meta(description="Its row of the standings; `rank` has the places that it may have.")]
    place: Annotated[
        float | None,
        Meta(description="The middle of these places; that of a disqualified bot is behind all others. Null: none."),
    ]
    rating: Annotated[Estimate, Meta(description="Rating points above the zero of the table.")] = _UNKNOWN
    strength: Annotated[Estimate, Meta(description="Rating points above house:GAME, by the rungs of the field.")] = (
        _UNKNOWN
    )
    lead: Annotated[
        float | None, Meta(description="Points a game better than the mean of the field, on the same cards.")
    ]
    decisions: int
    seconds: Annotated[float | None, Meta(description="Of a decision, with the calls of its model.")]
    model: Annotated[ModelUse | None, Meta(description="Null: it asked none.")]
    illegal: Annotated[float | None, Meta(description="The share of answers that mean an illegal action, 0 to 1.")]
    unparsed: Annotated[
        float | None, Meta(description="The share of answers that mean no action: unparsable, truncated, empty.")
    ]
    points_per_dollar: Annotated[
        float | None, Meta(description="`lead` for the dollars of a game; null: no dollars, or not ahead.")
    ]


class TabledGame(Struct, frozen=True, kw_only=True):
    """A column of the table: the games of some stores."""

    name: Annotated[str, Meta(description="Of the column.")]
    game: str
    seats: int
    games: int
    blocks: Annotated[int, Meta(description="Complete ones.")]
    placed: Annotated[int, Meta(description="How many bots have a place.")]
    is_cooperative: Annotated[bool, Meta(description="All seats play together: there are points, and no places.")]
    lowest_wins: bool
    verdict: Annotated[list[str], Meta(description="What is proven, in sentences.")]
    rungs: list[FieldRung]
    stores: list[StoreRecords]


class TabledEntrant(Struct, frozen=True, kw_only=True):
    """A row of the table."""

    name: Annotated[str, Meta(description="Of the row: the bot's, and what tells it from others of its name.")]
    bot: str
    model: Annotated[str | None, Meta(description="As its server calls it; null: it asks none.")]
    prompt: Annotated[
        str | None, Meta(description=f"A digest of how its model is asked; of an earlier store, of its {PROMPT_FILE}.")
    ]
    digest: Annotated[str | None, Meta(description="The beginning of SHA-256 of the list of its files.")]
    games: Annotated[dict[str, TabledResult], Meta(description="By the name of the column.")]
    missing: Annotated[list[str], Meta(description="The columns in which it has not played.")]
    place: Annotated[Estimate, Meta(description="The mean of `place` over games, with an interval over games.")]
    rating: Annotated[Estimate, Meta(description="The mean rating over games, with an interval over games.")]
    played: Annotated[int, Meta(description="Games of all columns.")]
    usd: Annotated[float | None, Meta(description="Null: it asked no model.")]
    tokens: int | None
    seconds: Annotated[float | None, Meta(description="Of a decision, with the calls of its model.")]
    illegal: float | None
    unparsed: float | None
    rating_per_dollar: Annotated[
        float | None, Meta(description="Mean rating for the dollars of a game; null: no dollars, or not above zero.")
    ]


class GamesTable(Struct, frozen=True, kw_only=True):
    """Entrants as rows, games as columns."""

    zero: Annotated[
        str | None, Meta(description="The entrant whose rating is 0; null: none has played in each game with places.")
    ]
    games: list[TabledGame]
    entrants: Annotated[
        list[TabledEntrant], Meta(description="Those with all games first; the highest mean rating first.")
    ]


class GameInput(NamedTuple):
    """The stores of one column, as one."""

    store: Store
    records: Sequence[StoreRecords]
    luck: SeatLuck | None = None


class _Program(NamedTuple):
    """What makes two bots of several stores one entrant."""

    name: str
    digest: str = ""
    command: tuple[str, ...] = ()
    model: str = ""
    prompt: str = ""
    copy: int = 1  # of several such in one store, as versions with other limits are


class _MeasuredBot(NamedTuple):
    """A bot of a field, and its strength above something else."""

    bot: int
    strength: Estimate = _ZERO


def make_games_table(inputs: Sequence[GameInput], registry: Registry, anchor: str | None = None) -> GamesTable:
    """Return the table of some games; the rating of the entrant `anchor` is 0.

    Raises:
        ConfigError: no entrant is called `anchor`.
        StoreError: games cannot be read.
    """
    columns = [_PlayedGame(given, registry) for given in inputs]
    names = _name_columns([column.header for column in columns], registry)
    programs = list(dict.fromkeys(program for column in columns for program in column.bots))
    labels = _label_programs(programs)
    zero, zeros = _choose_zero(columns, labels, anchor)
    entrants = []
    for program in programs:
        results = {
            name: column.describe(bot, zeros[number])
            for number, (name, column) in enumerate(zip(names, columns, strict=True))
            if (bot := column.bots.get(program)) is not None
        }
        missing = [name for name in names if name not in results]
        entrants.append(_join_games(labels[program], program, results, missing))
    entrants.sort(key=_order)
    games = [
        column.describe_game(name, labels, given.records)
        for name, column, given in zip(names, columns, inputs, strict=True)
    ]
    return GamesTable(zero=zero, games=games, entrants=entrants)


class _PlayedGame:
    """The findings of one game, by bots of its field."""

    def __init__(self, given: GameInput, registry: Registry) -> None:
        self.header = given.store.header
        self.found = StoredFindings(given.store, luck=given.luck)
        rows = list_placed_rows(self.found, given.store, self.found.team_scores)
        self._rows = {row.name: row for row in rows}
        self._uses = {use.bot: use for use in list_model_use(given.store)}
        self._decisions = self.found.tally.dump().decisions
        self.own_bot = _find_own_bot(self.header, registry)
        self.bots = self._list_programs()
        table = registry.rungs.get(self.header.game)
        self._rungs = [] if table is None else list(_find_rungs(self.header, table, registry))
        self._rung_count = 0 if table is None else len(table.rungs)

    @property
    def has_ratings(self) -> bool:
        """Whether at least two bots are rated."""
        return not self.header.is_cooperative and sum(row.blocks > 0 for row in self._rows.values()) > 1

    def _list_programs(self) -> dict[_Program, int]:
        found = dict[_Program, int]()
        for bot, entry in enumerate(self.header.entries):
            program = _Program(OWN_BOT) if bot == self.own_bot else _identify_program(entry)
            while program in found:
                program = program._replace(copy=program.copy + 1)
            found[program] = bot
        return found

    def find_zero(self, program: _Program) -> _MeasuredBot | None:
        """Return the bot from which ratings are counted if `program` is to be the zero, and its own rating then.

        None: it is not in the field, and it is not the game's own bot, which rungs are measured by.
        """
        if (bot := self.bots.get(program)) is not None:
            return _MeasuredBot(bot) if self._rows[self.found.names[bot]].blocks else None
        if program != _Program(OWN_BOT):
            return None
        measured = [_MeasuredBot(bot, strength) for bot, _, strength in self._rungs if strength is not None]
        measured = [one for one in measured if self._rows[self.found.names[one.bot]].blocks]
        return min(measured, key=lambda one: _width(one.strength), default=None)

    def count_rung(self, program: _Program) -> bool:
        """Whether a program is a rung of this game."""
        return self.bots.get(program) in {bot for bot, *_ in self._rungs}

    def describe(self, bot: int, zero: _MeasuredBot | None) -> TabledResult:
        """Return what a bot did."""
        row = self._rows[self.found.names[bot]]
        use, decisions = self._uses.get(row.name), self._decisions[bot]
        thought = (row.think_ms or 0.0) / 1000 * decisions + (use.mean_s * use.calls if use else 0.0)
        lead = None if self.header.is_cooperative else self.found.point_differences.lead(bot)
        if lead is not None and self.found.tally.lowest_wins:
            lead = -lead
        usd = use.usd / row.games if use and row.games else 0.0
        return TabledResult(
            standing=row,
            place=self._place(row),
            rating=_UNKNOWN if zero is None or not row.blocks else self._rate(bot, zero),
            strength=self._measure_strength(bot) if row.blocks else _UNKNOWN,
            lead=lead,
            decisions=decisions,
            seconds=thought / decisions if decisions else None,
            model=use,
            illegal=_share_of(["illegal"], [use]),
            unparsed=_share_of(UNPARSED, [use]),
            points_per_dollar=lead / usd if lead is not None and lead > 0 and usd else None,
        )

    def describe_game(self, name: str, labels: Mapping[_Program, str], records: Sequence[StoreRecords]) -> TabledGame:
        """Return the column without its cells."""
        programs = {bot: program for program, bot in self.bots.items()}
        return TabledGame(
            name=name,
            game=self.header.game,
            seats=self.header.seats,
            games=self.found.tally.games,
            blocks=max((row.blocks for row in self._rows.values()), default=0),
            placed=self._count_placed(),
            is_cooperative=self.header.is_cooperative,
            lowest_wins=self.found.tally.lowest_wins,
            verdict=list(tell_verdict(self.found, self.found.team_scores)),
            rungs=[
                FieldRung(entrant=labels[programs[bot]], rung=number, rungs=self._rung_count, strength=strength)
                for bot, number, strength in self._rungs
            ],
            stores=list(records),
        )

    def _place(self, row: BotRow) -> float | None:
        """Return the middle of the places that a bot may have; those that are disqualified share the last ones."""
        if row.rank is not None:
            return (row.rank.best + row.rank.worst) / 2
        out = sum(one.is_out for one in self._rows.values())
        return self._count_placed() + (1 + out) / 2 if row.is_out else None

    def _count_placed(self) -> int:
        return sum(row.rank is not None for row in self._rows.values())

    def _rate(self, bot: int, zero: _MeasuredBot) -> Estimate:
        difference = _ZERO if bot == zero.bot else self.found.ratings.difference(bot, zero.bot)
        return _add(difference, zero.strength)

    def _measure_strength(self, bot: int) -> Estimate:
        """Return the strength of a bot by the rung that tells it best."""
        if self.header.is_cooperative:
            return _UNKNOWN
        measured = [_MeasuredBot(rung, strength) for rung, _, strength in self._rungs if strength is not None]
        own = next((one.strength for one in measured if one.bot == bot), None)
        found = [self._rate(bot, one) for one in measured if self._rows[self.found.names[one.bot]].blocks]
        return own or min(found, key=lambda one: (one.mean is None, _width(one)), default=_UNKNOWN)


def _identify_program(entry: Entry) -> _Program:
    """Return what tells a bot from others: its files by their digest, and how it is started, wherever its folder is."""
    folder = f"{entry.folder}/" if entry.folder else "\0"
    command = tuple(word.removeprefix(folder) for word in entry.command)
    prompt = entry.own.prompt or entry.contents.get(PROMPT_FILE, "")[:SHOWN_DIGITS] if entry.own.model else ""
    return _Program(entry.name, entry.digest, command, entry.own.model, prompt)


def _find_own_bot(header: Header, registry: Registry) -> int | None:
    """Return the first entry that is the game's own bot; None if none is."""
    name = f"house:{header.game}"
    named = resolve_named_bot(name, registry.bots)
    for bot, entry in enumerate(header.entries):
        is_own = entry.name == name if named is None else entry.command == named.command
        if is_own and not entry.contents:
            return bot
    return None


def _find_rungs(header: Header, table: GameRungs, registry: Registry) -> Iterator[tuple[int, int, Estimate | None]]:
    """Yield the bots of a field that are rungs: the entry, the number of the rung, its strength if that holds here."""
    fits = table.unit == "rating" and table.seats == header.seats and table.preset in _list_presets(header, registry)
    for number, rung in enumerate(table.rungs, 1):
        named = resolve_named_bot(rung.bot, registry.bots)
        for bot, entry in enumerate(header.entries):
            if named is not None and entry.command == named.command and not entry.contents:
                yield bot, number, Estimate(rung.strength, rung.half_width or 0.0) if fits else None


def _list_presets(header: Header, registry: Registry) -> list[str | None]:
    """Return the presets of a game that have the options of a header; None stands for its defaults."""
    game = registry.games.get(header.game)
    if game is None:
        return []
    options = add_later_options(header, header.options)
    found = list[str | None]()
    for preset in (None, *game.presets):
        try:
            resolved: Any = resolve_options(game, header.seats, preset)
        except PitbossError:  # it is for another number of players
            continue
        if msgspec.json.decode(msgspec.json.encode(resolved)) == options:
            found.append(preset)
    return found


def _name_columns(headers: Sequence[Header], registry: Registry) -> list[str]:
    """Return the name of each column: the game's title, with what differs from how it is played by default.

    That is the preset; of columns that would have one name the number of seats, too, and else a number.
    """
    titles, remarks = list[str](), list[list[str]]()
    for header in headers:
        game = registry.games.get(header.game)
        presets = _list_presets(header, registry)
        titles.append(header.game if game is None else game.title)
        remarks.append([] if game is None or None in presets else [(presets or ["own options"])[0] or ""])
    names = list(map(_add_remarks, titles, remarks))
    for number, header in enumerate(headers):
        namesakes = {other.seats for name, other in zip(names, headers, strict=True) if name == names[number]}
        if len(namesakes) > 1:
            remarks[number].append(format_count(header.seats, "seat"))
    names = list(map(_add_remarks, titles, remarks))
    for number, name in enumerate(names):
        if (before := names[:number].count(name)) or names.count(name) > 1:
            remarks[number].append(f"{before + 1}")
    return list(map(_add_remarks, titles, remarks))


def _add_remarks(title: str, remarks: Sequence[str]) -> str:
    return f"{title} ({', '.join(remarks)})" if remarks else title


def _label_programs(programs: Sequence[_Program]) -> dict[_Program, str]:
    """Return the names of rows: a name that several have is followed by what differs: model, digest, or a number."""
    by_name = defaultdict[str, list[_Program]](list)
    for program in programs:
        by_name[program.name].append(program)
    labels = dict[_Program, str]()
    for name, own in by_name.items():
        remarks: list[list[str]] = [[] for _ in own]
        for key in ("model", "prompt", "digest"):
            values = [getattr(one, key)[:LONGEST_REMARK] or f"no {key}" for one in own]
            if len(set(values)) > 1 and any(remarks.count(parts) > 1 for parts in remarks):
                remarks = [[*parts, value] for parts, value in zip(remarks, values, strict=True)]
        for number, (one, parts) in enumerate(zip(own, remarks, strict=True), 1):
            others = [f"{number} of {len(own)}"] if remarks.count(parts) > 1 else []
            labels[one] = _add_remarks(name, [*parts, *others])
    return labels


def _choose_zero(
    columns: Sequence[_PlayedGame], labels: Mapping[_Program, str], anchor: str | None
) -> tuple[str | None, list[_MeasuredBot | None]]:
    """Return the label of the entrant from which ratings are counted, and by column the bot that stands for it.

    Without `anchor` it is the game's own bot, else a bot without a model that is a rung in as many games as any, else
    any: the first that is in each game with places.

    Raises:
        ConfigError: no entrant is called `anchor`.
    """
    rated = [column for column in columns if column.has_ratings]
    if anchor is None:
        known = [_Program(OWN_BOT), *labels] if rated else []
        whole = [one for one in known if all(column.find_zero(one) for column in rated)]
        chosen = min(
            whole,
            key=lambda one: (one.name != OWN_BOT, bool(one.model), -sum(column.count_rung(one) for column in rated)),
            default=None,
        )
    else:
        chosen = next((one for one, label in labels.items() if anchor in (label, one.name)), None)
        if chosen is None:
            entrants = join_words([*labels.values()], "and")
            raise ConfigError(f"--anchor: no entrant is called {anchor!r}; there are {entrants}")
    if chosen is None:
        return None, [None] * len(columns)
    zeros = [column.find_zero(chosen) if column.has_ratings else None for column in columns]
    return labels.get(chosen, chosen.name), zeros


def _join_games(
    label: str, program: _Program, results: Mapping[str, TabledResult], missing: list[str]
) -> TabledEntrant:
    """Return a row of the table."""
    own = list(results.values())
    uses = [result.model for result in own if result.model is not None]
    decisions = sum(result.decisions for result in own)
    seconds = sum((result.seconds or 0.0) * result.decisions for result in own)
    rating, played = average_means(result.rating for result in own), sum(result.standing.games for result in own)
    usd = sum(use.usd for use in uses)
    has_value = rating.mean is not None and rating.mean > 0 and usd > 0
    return TabledEntrant(
        name=label,
        bot=program.name,
        model=program.model or None,
        prompt=program.prompt or None,
        digest=program.digest[:SHOWN_DIGITS] or None,
        games=dict(results),
        missing=missing,
        place=average_means(Estimate(result.place, None) for result in own),
        rating=rating,
        played=played,
        usd=usd if uses else None,
        tokens=sum(use.tokens_in + use.tokens_out for use in uses) if uses else None,
        seconds=seconds / decisions if decisions else None,
        illegal=_share_of(["illegal"], uses),
        unparsed=_share_of(UNPARSED, uses),
        rating_per_dollar=(rating.mean or 0.0) * played / usd if has_value else None,
    )


def _order(entrant: TabledEntrant) -> tuple[bool, bool, float, bool, float, str]:
    rating, place = entrant.rating.mean, entrant.place.mean
    return bool(entrant.missing), rating is None, -(rating or 0.0), place is None, place or 0.0, entrant.name


def _share_of(outcomes: Sequence[AskOutcome], uses: Iterable[ModelUse | None]) -> float | None:
    """Return the share of some outcomes of all answers; None if there were no answers."""
    counted = [use.outcomes for use in uses if use is not None]
    answers = sum(one[outcome] for one in counted for outcome in ANSWERED)
    return sum(one[outcome] for one in counted for outcome in outcomes) / answers if answers else None


def _add(one: Estimate, other: Estimate) -> Estimate:
    """Return the sum of two independent estimates; what is not known of one is not known of it."""
    if one.mean is None or other.mean is None:
        return _UNKNOWN
    known = one.half_width is not None and other.half_width is not None
    return Estimate(one.mean + other.mean, hypot(one.half_width or 0, other.half_width or 0) if known else None)


def _width(estimate: Estimate) -> float:
    return float("inf") if estimate.half_width is None else estimate.half_width
