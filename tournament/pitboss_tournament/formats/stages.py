"""Stages: several formats one after the other, as groups and then finals, seeded by the standings of the stage before.

The bots of a stage are dealt out over its groups by seed, back and forth, so that the first seeds do not meet in a
group. Each group plays the format of the stage by itself; the rounds of all groups are played at the same time. Then
the best `advance` of each group go on, and are seeded: the winners of the groups first, the better score before, then
those placed second, and so on. A group is ranked by its format, or else by mean place score, then by that of the
opponents, then as seeded. A bot that is out does not go on, nor
does a yardstick: the next one does. If too few for a table go on, the tournament is over.

Who joins during the first stage plays in its smallest group: in a static format the games that its tables lack, else as
the format has it. Nobody joins later.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from pitboss.errors import OptionError
from pitboss.plugins.formats import (
    AnyFormat,
    EntrantField,
    FormatOptions,
    PlannedRound,
    PlayedBlock,
    PlayedRound,
    PlayedTable,
    RoundGenerator,
)
from pitboss_tournament.formats.even_order import order_evenly

if TYPE_CHECKING:
    from collections.abc import Generator


class Stage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[[format.stages]]: one stage."""

    name: Annotated[str, Meta(min_length=1, max_length=40, description='What the stage is called, as "finals".')]
    format: Annotated[
        str | dict[str, Any], Meta(description="The format of the stage: its name, or a table with its options.")
    ] = "round-robin"
    groups: Annotated[int, Meta(ge=1, description="How many groups play the stage, each by itself.")] = 1
    deals: Annotated[int, Meta(ge=1, description="As `deals` of the tournament, which is the default.")] | None = None
    advance: (
        Annotated[int, Meta(ge=1, description="How many bots of each group go on; the last stage has none.")] | None
    ) = None


class StagesOptions(FormatOptions, frozen=True, kw_only=True):
    """The options of `stages`."""

    stages: Annotated[
        tuple[Stage, ...], Meta(description="[[format.stages]] for each stage: name, format, groups, deals, advance.")
    ] = ()


class Stages:
    """Formats one after the other; the best of each group go on."""

    name = "stages"
    summary = "Stages one after another, each with its own format: groups, then finals."
    is_static = False
    why_closed = ""  # a round says whether somebody may join
    Options = StagesOptions

    def may_last_grow(self, options: StagesOptions) -> bool:
        """Whether a tournament with more deals in its last stage is the same one, made longer."""
        last = options.stages[-1] if options.stages else None
        return last is not None and last.deals is not None and bool(_choose_format(last)[0].is_static)

    def check(self, field: EntrantField, options: StagesOptions) -> None:
        """Require stages that can be played with as many bots as come into each."""
        if not options.stages:
            raise OptionError("stages is empty; write [[format.stages]] for each stage", "stages")
        names = [stage.name for stage in options.stages]
        if len(set(names)) < len(names):
            raise OptionError(f"stages: two stages have one name; they are called {', '.join(names)}", "stages")
        for number, (stage, entrants) in enumerate(_list_entrants(field, options)):
            _check_stage(field, stage, entrants, is_last=number == len(options.stages) - 1)

    def count_blocks(self, field: EntrantField, options: StagesOptions) -> int:
        """Return the blocks of all stages, if nobody is out."""
        return sum(
            chosen.count_blocks(_make_group_field(field, stage, _imagine_members(field, size)), own)
            for stage, entrants in _list_entrants(field, options)
            for chosen, own in [_choose_format(stage)]
            for size in _count_group_sizes(entrants, stage.groups)
        )

    def rounds(self, field: EntrantField, options: StagesOptions) -> RoundGenerator:
        """Yield the rounds of all stages; return the bots of the last stage, then the others by how far they came.

        Bots with the same place in groups of one stage share a place. If the last stage has no rule that ranks its
        bots, they share the first place, the best score first.
        """
        entrants, behind = list(range(len(field.names))), list[list[int]]()
        owners = field.owners or [""] * len(field.names)
        named = dict(enumerate(zip(field.names, owners, strict=True)))  # with those who join
        for number, stage in enumerate(options.stages):
            course = _StageCourse(field, stage, entrants, named, is_first=number == 0)
            levels, out = yield from course.play()
            if number == len(options.stages) - 1:
                return [*(levels if course.has_ranking else [[bot for level in levels for bot in level]]), *behind]
            entrants, places = _split_levels(levels, stage.groups * (stage.advance or 0), out | field.yardsticks)
            behind = [*places, *behind]
            if len(entrants) < field.seats:
                return [*[[bot] for bot in entrants], *behind]
        return behind


def name_stage_formats(options: Mapping[str, Any]) -> dict[str, str]:
    """Return the name of the format of each stage, by the name of the stage and the options of `stages` in a store."""
    return {stage.name: _choose_format(stage)[0].name for stage in msgspec.convert(options, StagesOptions).stages}


def list_stage_formats(options: Mapping[str, Any]) -> list[AnyFormat]:
    """Return the format of each stage, by the options of `stages` as a store has them."""
    return [_choose_format(stage)[0] for stage in msgspec.convert(options, StagesOptions).stages]


NamedBots: TypeAlias = dict[int, tuple[str, str]]  # names and owners, by bot


class _StageCourse:
    """The course of one stage: its groups, in each of which a format is played."""

    def __init__(
        self, field: EntrantField, stage: Stage, entrants: Sequence[int], named: NamedBots, *, is_first: bool
    ) -> None:
        self._stage = stage
        self._is_first = is_first
        dealt = _deal_groups(entrants, stage.groups)
        self._named = named
        self._groups = [_Group(field, stage, members, named) for members in dealt]

    @property
    def has_ranking(self) -> bool:
        """Whether the rule of the format has ranked the bots; of several groups, which place they have there does."""
        return len(self._groups) > 1 or self._groups[0].has_ranking

    def play(self) -> Generator[PlannedRound, PlayedRound, tuple[list[list[int]], frozenset[int]]]:
        """Play all groups; return the bots by place in their groups, the best score first, and who is out."""
        out = frozenset[int]()
        void = frozenset[int]()
        while active := [group for group in self._groups if group.planned is not None]:
            deals = active[0].planned.deals if active[0].planned else 0
            now = [group for group in active if group.planned is not None and group.planned.deals == deals]
            asked = [(group, table) for group in now for table in group.list_tables()]
            order = list(order_evenly([table for _, table in asked]))
            played = yield PlannedRound(
                [asked[number][1] for number in order],
                deals,
                is_extension=all(group.planned is not None and group.planned.is_extension for group in now),
                stage=self._stage.name,
                why_closed=self._groups[0].why_closed if self._is_first else f"{self._stage.name} has begun",
            )
            out, void = played.disqualified, played.void
            tables = dict(zip(order, played.tables, strict=True))
            joined = self._seat_newcomers(played)
            first = 0
            for number, group in enumerate(self._groups):
                count = len(group.list_tables()) if group in now else 0
                own = [tables[one] for one in range(first, first + count)]
                group.advance(own if group in now else None, played, joined.get(number, ()))
                first += count
        ranked = [group.rank(out, void) for group in self._groups]
        if len(ranked) == 1:
            return [[bot for bot, _ in level] for level in ranked[0]], out
        lines = [[one for level in group for one in level] for group in ranked]
        levels = [[line[place] for line in lines if place < len(line)] for place in range(max(map(len, lines)))]
        return [[bot for bot, _ in sorted(level, key=lambda one: one[1])] for level in levels], out

    def _seat_newcomers(self, played: PlayedRound) -> dict[int, list[int]]:
        """Seat those who join, each in the smallest group; return them by the number of their group."""
        seated: dict[int, list[int]] = {}
        for bot, name, owner in zip(played.joined, played.joined_names, played.joined_owners, strict=True):
            number = next((number for number, one in enumerate(self._groups) if bot in one.members), None)
            if number is None and self._is_first:
                number = min(range(len(self._groups)), key=lambda one: len(self._groups[one].members))
                self._groups[number].members.append(bot)
            if number is not None:
                self._named[bot] = (name, owner)
                seated.setdefault(number, []).append(bot)
        return seated


RankKey: TypeAlias = tuple[bool, float, float, int]


class _Group:
    """A group of a stage: its members in the order of their seeds, whom its format knows by their places there."""

    def __init__(self, field: EntrantField, stage: Stage, members: Sequence[int], named: NamedBots) -> None:
        self.members = list(members)
        self._named = named
        self._joining: list[int] = []  # newcomers, whom the format of the group does not know yet
        self.planned: PlannedRound | None = None  # what is to be played now, by places
        self._field = field
        self._stage = stage
        self._format, self._options = _choose_format(stage)
        self._tables: list[PlayedTable] = []  # by entrants
        self._places: list[list[int]] | None = None  # as the format ranks them
        self._generator = self._format.rounds(self._make_field(), self._options)
        self._asked = set[frozenset[int]]()  # tables of a static format
        self._open(None)

    @property
    def why_closed(self) -> str:
        """Why nobody can join, "" if somebody can."""
        return "" if self._format.is_static else getattr(self._format, "why_closed", "it was not made for that")

    @property
    def has_ranking(self) -> bool:
        """Whether the rule of the format has ranked the members."""
        return self._places is not None and not getattr(self._format, "ranks_by_proof", False)

    def list_tables(self) -> list[tuple[int, ...]]:
        """Return the tables that are to be played now, by entrants."""
        return [] if self.planned is None else [self._name_table(table) for table in self.planned.tables]

    def advance(self, tables: Sequence[PlayedTable] | None, played: PlayedRound, joined: Sequence[int]) -> None:
        """Take the results of the round; None: this group played none. `joined`: who joins this group."""
        self._tables += tables or ()
        self._joining += joined
        if self._format.is_static and (tables is not None or joined):
            self._ask_again(played)
        elif tables is not None:
            self._open(self._localize(tables, played))

    def rank(self, out: frozenset[int], void: frozenset[int]) -> list[list[tuple[int, RankKey]]]:
        """Return the members by place, each with the key that orders members of several groups.

        Games with a bot that is `void` do not count, unless the format ranks.
        """
        from pitboss_tournament.statistics.head_to_head import HeadToHead  # noqa: PLC0415 - a list needs none

        results = HeadToHead(1 + max(self.members, default=0))
        for table in self._tables:
            if void.isdisjoint(table.entrants):
                results.add_all(table.blocks)
        keys = {
            bot: (bot in out, -results.mean_score(bot), -results.opposition_score(bot), seed)
            for seed, bot in enumerate(self.members)
        }
        if self._places is None:
            ordered = [[bot] for bot in sorted(self.members, key=keys.__getitem__)]
        else:
            ordered = [[self.members[place] for place in group] for group in self._places]
            listed = {bot for group in ordered for bot in group}
            ordered += [[bot] for bot in self.members if bot not in listed]
        return [[(bot, keys[bot]) for bot in group] for group in ordered]

    def _ask_again(self, played: PlayedRound) -> None:
        """Plan the tables that a static format has now that others have joined, and that were not planned before."""
        self.planned = None
        if not self._joining:
            return
        self._joining = []
        self._generator = self._format.rounds(self._make_field(), self._options)
        if (planned := self._open(None)) is not None:
            left = [table for table in planned.tables if played.disqualified.isdisjoint(self._name_table(table))]
            self.planned = replace(planned, tables=left) if left else None

    def _open(self, played: PlayedRound | None) -> PlannedRound | None:
        """Ask the format for the next round of this group; return it, None if it has no more."""
        try:
            planned = next(self._generator) if played is None else self._generator.send(played)
        except StopIteration as end:
            self.planned = None
            if end.value is not None:
                self._places = [[one] if isinstance(one, int) else list(one) for one in end.value]
            return None
        if planned.is_overlapping:
            raise OptionError(f"stages: the rounds of {self._format.name} overlap, and so it is no stage", "stages")
        if self._format.is_static:
            new = [table for table in planned.tables if frozenset(self._name_table(table)) not in self._asked]
            self._asked.update(frozenset(self._name_table(table)) for table in new)
            self.planned = replace(planned, tables=new) if new else None
        else:
            self.planned = planned
        return self.planned

    def _make_field(self) -> EntrantField:
        return _make_group_field(self._field, self._stage, [self._named[bot] for bot in self.members])

    def _name_table(self, table: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(self.members[place] for place in table))

    def _localize(self, tables: Sequence[PlayedTable], played: PlayedRound) -> PlayedRound:
        """Return the results of a round as the format of the group knows them: by places."""
        joined, self._joining = self._joining, []
        places = {bot: place for place, bot in enumerate(self.members)}
        return PlayedRound(
            tuple(_rename_table(table, places) for table in tables),
            frozenset(places[bot] for bot in played.disqualified if bot in places),
            tuple(places[bot] for bot in joined),
            tuple(self._named[bot][0] for bot in joined),
            frozenset(places[bot] for bot in played.left if bot in places),
            tuple(self._named[bot][1] for bot in joined),
            void=frozenset(places[bot] for bot in played.void if bot in places),
        )


def _rename_table(table: PlayedTable, places: Mapping[int, int]) -> PlayedTable:
    return PlayedTable(
        tuple(sorted(places[bot] for bot in table.entrants)),
        tuple(
            PlayedBlock(
                {places[bot]: score for bot, score in block.place_scores.items()},
                {places[bot]: points for bot, points in block.points.items()},
                tuple(tuple((places[bot], place) for bot, place in game) for game in block.places),
            )
            for block in table.blocks
        ),
    )


def _split_levels(
    levels: Sequence[Sequence[int]], wanted: int, out: frozenset[int]
) -> tuple[list[int], list[list[int]]]:
    """Return which bots go on, as seeded, and the others by place: of one level of the groups they share it.

    In place of a bot that is out the best of the next level goes on.
    """
    going = [bot for level in levels for bot in level if bot not in out][:wanted]
    stay = [[bot for bot in level if bot not in going and bot not in out] for level in levels]
    return going, [*filter(None, [*stay, sorted(bot for level in levels for bot in level if bot in out)])]


def _list_entrants(field: EntrantField, options: StagesOptions) -> Iterator[tuple[Stage, int]]:
    """Yield the stages, each with how many bots come into it if nobody is out."""
    entrants = len(field.names)
    for stage in options.stages:
        yield stage, entrants
        entrants = sum(min(size, stage.advance or 0) for size in _count_group_sizes(entrants, stage.groups))


def _check_stage(field: EntrantField, stage: Stage, entrants: int, *, is_last: bool) -> None:
    sizes = _count_group_sizes(entrants, stage.groups)
    if min(sizes) < field.seats:
        raise OptionError(
            f"stages: {stage.name} has {entrants} bots in groups of {min(sizes)}, and a table has {field.seats} seats; "
            "choose fewer groups, or let more bots advance",
            "stages",
        )
    if is_last == (stage.advance is not None):
        what = "is the last stage, from which nobody advances" if is_last else "has no advance: how many go on"
        raise OptionError(f"stages: {stage.name} {what}", "stages")
    if stage.advance is not None and stage.advance > min(sizes):
        raise OptionError(
            f"stages: advance of {stage.name} is {stage.advance}; a group has {min(sizes)} bots", "stages"
        )
    chosen, own = _choose_format(stage)
    for size in {*sizes}:
        chosen.check(_make_group_field(field, stage, _imagine_members(field, size)), own)


def _choose_format(stage: Stage) -> tuple[AnyFormat, Any]:
    """Return the format of a stage, and its options.

    Raises:
        OptionError: there is no such format, it has no end, or an option is wrong.
    """
    table = {"name": stage.format} if isinstance(stage.format, str) else dict(stage.format)
    name = table.pop("name", None)
    if not isinstance(name, str):
        raise OptionError(f'stages: the format of {stage.name} has no name; as in {{ name = "swiss" }}', "stages")
    from pitboss_tournament.formats.selection import find_format  # noqa: PLC0415 - few tournaments have stages

    chosen = find_format(name)
    if isinstance(chosen, Stages) or hasattr(chosen, "resume_rounds"):
        raise OptionError(f"stages: the format of {stage.name} is {name}, which has no end of its own", "stages")
    try:
        return chosen, msgspec.convert(table, chosen.Options)
    except msgspec.ValidationError as error:
        raise OptionError(f"stages: the format of {stage.name}, {name}: {error}", "stages") from None


def _make_group_field(field: EntrantField, stage: Stage, members: Sequence[tuple[str, str]]) -> EntrantField:
    """Return the entrants of a group, by their names and owners."""
    names, owners = (tuple(one[part] for one in members) for part in (0, 1))
    return replace(field, names=names, deals=stage.deals or field.deals, owners=owners)


def _imagine_members(field: EntrantField, size: int) -> list[tuple[str, str]]:
    """Return names and owners for a group of this size, before it is known who will be in it."""
    return [(name, "") for name in field.names[:size]]


def _count_group_sizes(entrants: int, groups: int) -> list[int]:
    return [len(range(group, entrants, groups)) for group in range(groups)]


def _deal_groups(entrants: Sequence[int], groups: int) -> list[list[int]]:
    """Return the members of each group: dealt out by seed, back and forth."""
    found: list[list[int]] = [[] for _ in range(groups)]
    for number, bot in enumerate(entrants):
        lap, place = divmod(number, groups)
        found[place if lap % 2 == 0 else groups - 1 - place].append(bot)
    return found
