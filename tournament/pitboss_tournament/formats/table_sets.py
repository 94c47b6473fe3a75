"""The sets of bots that fit a table, as a sequence that is computed: 100 bots make 3.9 million tables of four."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import combinations, combinations_with_replacement, product
from math import comb
from typing import TypeAlias, overload

from pitboss_tournament.formats.even_order import iter_even_choices, order_evenly

TableEntrants: TypeAlias = tuple[int, ...]  # entrants, ascending


class TableSets(Sequence[TableEntrants]):
    """All sets of a size, in the order of `itertools.combinations`.

    With `heads`, all sets of one of these and of others among `bots`, which hold none of them: first those with the
    first head. No set occurs twice.
    """

    def __init__(self, bots: Iterable[int], seats: int, heads: Sequence[int] = ()) -> None:
        self._bots = sorted(bots)
        self._members = frozenset(self._bots)
        self._heads = tuple(heads)
        self._size = seats - bool(heads)
        self._set_count = comb(len(self._bots), self._size)

    def find(self, table: TableEntrants) -> bool:
        """Return whether a table is one of these."""
        heads = [bot for bot in table if bot in self._heads]
        others = [bot for bot in table if bot not in self._heads]
        return len(heads) == bool(self._heads) and len(others) == self._size and self._members.issuperset(others)

    def count_within(self, bots: Set[int]) -> int:
        """Return how many of these tables have none but some of these bots."""
        heads = sum(head in bots for head in self._heads) if self._heads else 1
        return heads * comb(len(self._members & bots), self._size)

    def tiles(self, width: int, *, is_even: bool = False) -> Iterator[Sequence[int]]:
        """Yield all tables as `tile_tables` does; those of heads always in the order of their numbers."""
        groups = range(-(-len(self._bots) // width))
        for first_head in range(0, max(1, len(self._heads)), width):
            if is_even and not self._heads:
                choices = iter_even_choices(len(groups), self._size, has_repeats=width > 1)
            else:
                choices = combinations_with_replacement(groups, self._size)
            for chosen in choices:
                if tile := self._list_tile(first_head, chosen, width):
                    yield tile

    def tile_of(self, number: int, width: int) -> Sequence[int]:
        """Return the tile that a table is in."""
        head, others = divmod(number, self._set_count)
        places = nth_combination(others, len(self._bots), self._size)
        return self._list_tile(head - head % width, [place // width for place in places], width)

    def _list_tile(self, first_head: int, groups: Sequence[int], width: int) -> Sequence[int]:
        """Return the tables of some heads, each with a bot of each of these groups, which ascend."""
        places = range(len(self._bots))
        members = [
            combinations(places[group * width : (group + 1) * width], groups.count(group))
            for group in dict.fromkeys(groups)
        ]
        sets = [combination_number(sum(parts, ()), len(places)) for parts in product(*members)]
        heads = range(max(1, len(self._heads)))[first_head : first_head + width]
        return [head * self._set_count + number for head in heads for number in sets]

    def __len__(self) -> int:
        return self._set_count * max(1, len(self._heads))

    @overload
    def __getitem__(self, index: int) -> TableEntrants: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[TableEntrants]: ...

    def __getitem__(self, index: int | slice) -> TableEntrants | Sequence[TableEntrants]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        head, number = divmod(range(len(self))[index], self._set_count)
        others = [self._bots[place] for place in nth_combination(number, len(self._bots), self._size)]
        return tuple(sorted([self._heads[head], *others]) if self._heads else others)


def tile_tables(tables: Sequence[TableEntrants], width: int, *, is_even: bool = False) -> Iterator[Sequence[int]]:
    """Yield the numbers of all tables, each once, in *tiles*: tables of the same groups of `width` bots.

    So a tile has many tables and few bots, if all sets of bots are there. With a `width` of 1 each table is a tile.
    `is_even`: in an order in which all bots have played about as often at any moment (`even_order`).
    """
    if isinstance(tables, TableSets):
        yield from tables.tiles(width, is_even=is_even)
        return
    if is_even:
        tiles = list(tile_tables(tables, width))
        bots = [[bot for number in tile for bot in tables[number]] for tile in tiles]
        yield from (tiles[number] for number in order_evenly(bots))
        return
    if width == 1:  # the same bots may have several tables
        yield from ((number,) for number in range(len(tables)))
        return
    of_groups = defaultdict[tuple[int, ...], list[int]](list)
    for number, table in enumerate(tables):
        of_groups[_groups_of(table, width)].append(number)
    yield from of_groups.values()


def find_tile(tables: Sequence[TableEntrants], width: int, number: int) -> Sequence[int]:
    """Return the tile that a table is in."""
    if isinstance(tables, TableSets):
        return tables.tile_of(number, width)
    if width == 1:
        return (number,)
    groups = _groups_of(tables[number], width)
    return [other for other, table in enumerate(tables) if _groups_of(table, width) == groups]


def _groups_of(table: TableEntrants, width: int) -> tuple[int, ...]:
    return tuple([bot // width for bot in table])


def nth_combination(number: int, things: int, size: int) -> tuple[int, ...]:
    """Return the combination with this number in the order of `combinations(range(things), size)`."""
    rest, found = comb(things, size) - 1 - number, []  # counted from the last one, the number is a sum of binomials
    top = things
    for left in range(size, 0, -1):
        low, top = left - 1, top - 1  # the greatest number in here of which `left` can be chosen in `rest` ways at most
        while low < top:
            middle = (low + top + 1) // 2
            if comb(middle, left) <= rest:
                low = middle
            else:
                top = middle - 1
        rest -= comb(top, left)
        found.append(things - 1 - top)
    return tuple(found)


def combination_number(combination: Sequence[int], things: int) -> int:
    """Return the number of a combination, its members ascending, in the order of `combinations(range(things), …)`."""
    size = len(combination)
    after = sum([comb(things - 1 - member, size - place) for place, member in enumerate(combination)])
    return comb(things, size) - 1 - after


def table_number(table: TableEntrants, lexicographic: int = 0) -> int:
    """Return the number of a table among all tables of its size, in colexicographic order: whoever joins changes none.

    The tables of the first `lexicographic` bots are numbered among themselves in the order of `combinations`, as an
    earlier Pitboss did; they have the same numbers together.
    """
    if table[-1] < lexicographic:
        return combination_number(table, lexicographic)
    return sum([comb(member, place) for place, member in enumerate(table, 1)])
