"""The language models of a run: whoever has none pays nothing for them, not even their import.

A run may take the calls from a store without a schedule, where they are found by the cards and the players of their
games: a merged store has given games other numbers, and versions of bots other names, than the tournament that is
played again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import trio
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.models.calls import CallBook, CallPlace, CallRow, ModelAnswer, ModelCall, OwnChoice, Spending
from pitboss_tournament.models.memory import RememberedEnd
from pitboss_tournament.plan.plan import Plan, find_base_name
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.store import Store

if TYPE_CHECKING:
    from pitboss_tournament.models.broker import ModelBroker, ReplayRecord


class RunModels:
    """Answers the calls of all bots of a run by a broker, if a bot of its plan has a model."""

    def __init__(self, plan: Plan, store: Store, book: CallBook, replays: ReplayRecord | None) -> None:
        """Carry games on that the store has calls of; the book takes each call.

        With `replays` no model is asked: that record has all calls of its games.

        Raises:
            ConfigError: a library that is needed for models is not installed.
        """
        self._show_note: Callable[[str], None] | None = None
        self._make = partial(_make_broker, store=store, book=book, replays=replays)
        self._broker: ModelBroker | None = None
        self.change_bots(plan)

    def change_bots(self, plan: Plan) -> None:
        """Let the bots of a plan ask their models.

        Raises:
            ConfigError: a library that is needed for models is not installed, or a key is not set.
        """
        if self._broker is not None:
            self._broker.change_bots(plan)
        elif plan.models and any(bot.model is not None for bot in plan.entrants):
            self._broker = self._make(plan)
            if self._show_note is not None:
                self._broker.show_note = self._show_note

    def list_spent_owners(self) -> list[str]:
        """Return the owners whose budgets pay for no more calls."""
        return [] if self._broker is None else self._broker.list_spent_owners()

    @property
    def spent(self) -> Mapping[str, Spending]:
        """What the calls have cost so far, by bot; empty if none has a model."""
        return {} if self._broker is None else self._broker.spent

    @property
    def used_up(self) -> str:
        """Which budget is used up; "" if none is."""
        return "" if self._broker is None else self._broker.funds.used_up_text

    def show_notes(self, show_note: Callable[[str], None]) -> None:
        """Have `show_note` called when a server begins to fail."""
        self._show_note = show_note
        if self._broker is not None:
            self._broker.show_note = show_note

    async def answer(self, call: ModelCall, send: Callable[[ModelAnswer], None]) -> None:
        """Send the answer to a call; never return if a budget of the tournament or of its bot is used up."""
        assert self._broker is not None
        send(await self._broker.answer(call))

    def end_game(self, result: GameResult, players: Sequence[str]) -> None:
        """Let models remember how a game ended; `players` by seat."""
        if self._broker is not None:
            places, points = [one.place for one in result.seats], [one.points for one in result.seats]
            ends = {player: RememberedEnd(seat, places, points) for seat, player in enumerate(players)}
            self._broker.end_game(result.game_id, ends)

    def note_own_choice(self, own: OwnChoice) -> None:
        """Keep that a bot has taken a decision by itself."""
        if self._broker is not None:
            self._broker.note_own_choice(own)

    async def wait_until_used_up(self) -> None:
        """Return when a budget is used up: if none is, never."""
        if self._broker is None:
            await trio.sleep_forever()
        else:
            await self._broker.funds.used_up.wait()

    async def close(self) -> None:
        """Close the connections."""
        if self._broker is not None:
            await self._broker.close()


def _make_broker(plan: Plan, store: Store, book: CallBook, replays: ReplayRecord | None) -> ModelBroker:
    try:
        from pitboss_tournament.models.broker import ModelBroker  # noqa: PLC0415 - it needs an extra
    except ModuleNotFoundError as error:
        what = f"bots that ask language models need {error.name}, which is not installed"
        raise ConfigError(f"{what}: pitboss install 'pitboss[models]'") from None
    return ModelBroker(
        plan,
        store.calls.read_broken_off(),
        book,
        store.calls.sum_spending(),
        replays=replays,
        answered=store.calls.read_reusable(name for name, table in plan.models.items() if table.reuse),
        find_notes=store.calls.find_notes,
        earlier=store.calls.read_latest(bot.name for bot in plan.entrants if bot.model is not None),
    )


class DealtGame(NamedTuple):
    """The seed of a game's cards, and who plays, by seat."""

    seed: str
    players: Sequence[str]


class NumberedCalls:
    """The calls of a store whose games have the numbers that they have now."""

    def __init__(self, store: Store) -> None:
        """Read which games a store has."""
        self._calls = store.calls
        self._games = frozenset(store.game_ids())

    def find_call(self, place: CallPlace, digest: str) -> CallRow | None:
        """Return the call that was made there with a request of this digest; None if there is none."""
        return self._calls.find_call(place, digest)

    def lacks_game(self, game_id: int) -> bool:
        """Tell whether the store has no such game."""
        return game_id not in self._games


class ReplayedCalls:
    """Calls by the places of the games that are played now."""

    def __init__(self, store: Store, find_game: Callable[[int], DealtGame]) -> None:
        """Read which games a store has; `find_game`: the game of a number now."""
        self._store = store
        self._find_game = find_game
        self._numbers = defaultdict[DealtGame, list[int]](list)
        for number, record in store.records():
            self._numbers[_strip_versions(record.seed, record.players)].append(number)

    def find_call(self, place: CallPlace, digest: str) -> CallRow | None:
        """Return the call that was made there with a request of this digest; None if there is none."""
        game = self._find_game(place.game_id)
        for number in self._numbers.get(_strip_versions(game.seed, game.players), ()):
            if (row := self._store.calls.find_call(place._replace(game_id=number), digest)) is not None:
                return replace(row, place=place, bot=game.players[place.seat])
        return None

    def lacks_game(self, game_id: int) -> bool:
        """Tell whether the store has no game of these cards and players."""
        game = self._find_game(game_id)
        return _strip_versions(game.seed, game.players) not in self._numbers


def find_replays(store: Store, find_game: Callable[[int], DealtGame]) -> ReplayRecord:
    """Return the calls of a store by the places of the games that are played now."""
    return NumberedCalls(store) if store.header.has_schedule else ReplayedCalls(store, find_game)


def _strip_versions(seed: str, players: Sequence[str]) -> DealtGame:
    return DealtGame(seed, tuple(map(find_base_name, players)))
