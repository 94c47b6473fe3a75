"""Option trials: two games with the same cards and choices, one of which has an option changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from itertools import combinations
from typing import Any, Final, NamedTuple

import msgspec

from pitboss.errors import OptionError
from pitboss.game import AnyGame, AnyState, resolve_options
from pitboss.simulation.game_setup import list_value_choices, option_fields
from pitboss.simulation.random_play import ActionChooser, choose_from_words
from pitboss.table.randomness import Random
from pitboss.testing.framework.checked_setup import enumerate_edge_options
from pitboss.testing.framework.choosers import SteeredChooser

MAX_TRIAL_GAMES: Final = 240  # of one value
MAX_TRIAL_DECISIONS: Final = 6_000  # and decisions of these games
MIN_TRIAL_GAMES: Final = 8  # before two values are said to give the same games
MAX_PAIRS: Final = 24  # of values of an option
LOOKED_AT: Final = 16  # decisions, at one of which the views are compared


class OptionPair(NamedTuple):
    """Two values of an option that are to give different games; None for the first is what the options have anyway."""

    name: str
    one: object
    other: object

    def __str__(self) -> str:
        values = [msgspec.json.encode(value).decode() for value in (self.one, self.other) if value is not None]
        return f"{self.name} = {' and '.join(values)}"


class OptionTrials:
    """The trials of a game's options: of which values two games with the same cards and choices were the same."""

    def __init__(self, game: AnyGame, seats: Sequence[int], unread: Set[str] = frozenset()) -> None:
        """`unread` are names that stand nowhere in the code of the game."""
        self.unread = unread
        self.of_parts = list_part_fields(game.Options)
        self.same: dict[OptionPair, int] = {}  # the games that were played of each
        self.tried = 0  # options
        self._game = game
        self._seats = seats

    def run(self, is_spent: Callable[[], bool] = lambda: False) -> None:
        """Try all options, those first that are named nowhere, until the budget is spent."""
        pairs = _list_pairs(self._game)
        for name in sorted(pairs, key=lambda name: name not in self.unread):
            each, some = pairs[name]
            if name in self.unread and len(some) > 2:
                some = [some[0], some[-1]]  # nothing else is to be expected of the values between
            for pair in each:
                self._try(pair, is_spent)
            known = dict(self.same)
            for pair in some:  # if one of them gives other games, the option is heeded
                if not self._try(pair, is_spent):
                    self.same = known
                    break
            else:
                if is_spent():
                    self.same = known  # others were not tried
            if is_spent():
                return
            self.tried += 1

    def _try(self, pair: OptionPair, is_spent: Callable[[], bool]) -> bool:
        """Return whether games with the two values are the same; not if no table allows them."""
        bases = list(self._list_bases(pair))
        games, decisions = [0] * len(bases), [0] * len(bases)  # by base: short games are played more often
        most = MIN_TRIAL_GAMES if pair.name in self.unread else MAX_TRIAL_GAMES
        while bases and sum(games) < most and sum(decisions) < MAX_TRIAL_DECISIONS and not is_spent():
            at = min(range(len(bases)), key=decisions.__getitem__)
            seats, one, other = bases[at]
            seed = f"option/{pair.name}/{sum(games)}"
            choose = SteeredChooser(Random(seed)) if games[at] % 2 else choose_from_words(seed)
            games[at] += 1
            played = _count_same_decisions(self._game, seats, (one, other), seed, choose, pair.name)
            if played is None:
                return False
            decisions[at] += max(1, played)
        if sum(games) >= MIN_TRIAL_GAMES:
            self.same[pair] = sum(games)
        return bool(bases)

    def _list_bases(self, pair: OptionPair) -> Iterator[tuple[int, Any, Any]]:
        """Yield seats, and options with the two values, for the defaults, each preset and number of seats."""
        own = {} if pair.one is None else {pair.name: pair.one}
        for preset in (None, *self._game.presets):
            for seats in self._seats:
                try:
                    one = resolve_options(self._game, seats, preset, own)
                    other = resolve_options(self._game, seats, preset, {pair.name: pair.other})
                except OptionError:
                    continue
                if one != other:
                    yield seats, one, other


def list_part_fields(struct: type[Any]) -> Set[str]:
    """Return the fields that a struct has from a part of `pitboss.parts`, which reads them."""
    bases = [one for one in struct.__mro__ if one.__module__.partition(".")[0] == "pitboss"]
    return frozenset(name for base in bases for name in getattr(base, "__struct_encode_fields__", ()))


def _list_pairs(game: AnyGame) -> dict[str, tuple[list[OptionPair], list[OptionPair]]]:
    """Return by option the pairs that must all differ, of its few values, and those of which one must: numbers."""
    found: dict[str, tuple[list[OptionPair], list[OptionPair]]] = {}
    for name, value in enumerate_edge_options(game):
        found.setdefault(name, ([], []))[1].append(OptionPair(name, None, value))
    for option in option_fields(game):
        name, values = option.encode_name, list_value_choices(option.type)
        if values:
            each = [OptionPair(name, None, value) for value in values if value != option.default]
            others = combinations([value for value in values if value != option.default], 2)
            each += [OptionPair(name, one, other) for one, other in others]
            few = [pair for pair in found.get(name, ([], []))[1] if pair.other not in values]
            found[name] = each[:MAX_PAIRS], few
    return found


def _count_same_decisions(
    game: AnyGame, seats: int, options: tuple[Any, Any], seed: str, choose: ActionChooser, name: str
) -> int | None:
    """Play a game with two sets of options; return how many decisions it had, or None if the two games differ.

    An error counts as a difference: other checks tell it.
    """
    try:
        one, other = (game.deal(seats, some, Random(seed)) for some in options)
        number = 0
        while _are_same(one, other, number, name):
            if one.turn is None:
                return None if one.outcome() != other.outcome() or _read_log(one) != _read_log(other) else number
            if number == MAX_TRIAL_DECISIONS:
                return number
            action = choose(one, one.legal())
            one.play(action)
            other.play(action)
            number += 1
    except Exception:  # noqa: BLE001 - the border to a plugin's code
        return None
    return None


def _are_same(one: AnyState, other: AnyState, number: int, name: str) -> bool:
    tables = one.table, other.table
    return (
        one.turn == other.turn
        and tables[0].zones == tables[1].zones
        and tables[0].known_by == tables[1].known_by
        and list(one.legal()) == list(other.legal())
        and ((number % LOOKED_AT != 0 and one.turn is not None) or _show(one, name) == _show(other, name))
    )


def _show(state: AnyState, name: str) -> list[object]:
    """Return what each seat is shown, but for what is called as the option."""
    shown = []
    for seat in range(state.table.layout.seats + 1):
        view = msgspec.to_builtins(state.view(seat))
        shown.append({key: value for key, value in view.items() if key != name} if isinstance(view, dict) else view)
    return shown


def _read_log(state: AnyState) -> list[tuple[object, ...]]:
    return [
        (entry.event, entry.cards, entry.seen_by, dict(entry.facts) if isinstance(entry.facts, Mapping) else None)
        for entry in state.table.log or ()
    ]
