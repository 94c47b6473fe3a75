"""The funds of a run: the budgets of the tournament, of each bot, and of each bot in a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import trio

from pitboss_tournament.models.calls import CallPlace, ModelCall, Spending
from pitboss_tournament.models.chat import ChatRequest
from pitboss_tournament.models.model_server import ModelServer
from pitboss_tournament.models.purse import CallCost, Purse
from pitboss_tournament.plan.models import Budget
from pitboss_tournament.plan.plan import Entrant


class PurseEmpty(Exception):
    """The purse of an owner, or of a bot in a game, cannot pay a call: the others play on."""


class Funds:
    """What calls may still cost."""

    def __init__(self, budget: Budget, spent: Mapping[str, Spending]) -> None:
        """`spent`: by bot, in earlier runs."""
        self.used_up = trio.Event()  # set when a budget of the tournament or of a bot is
        self.used_up_text = ""
        self._budget = budget
        self._settled = trio.Event()  # a try has ended
        self._first_tries: dict[str, CallCost] = {}  # by server: what a bot's first try, which is open, costs at most
        self._whole = Purse("the tournament", budget.usd, budget.tokens)
        self._spent = dict(spent)
        self._purses: dict[str, Purse] = {}  # by bot
        self._owners: dict[str, str] = {}  # by bot
        self._owner_purses: dict[str, Purse] = {}
        self._refused_owners = set[str]()  # whose purses could not pay a call
        self._game_purses: dict[tuple[str, int], tuple[CallPlace, Purse]] = {}
        for spending in spent.values():
            self._whole.spend(CallCost(spending.usd, spending.tokens))

    def add_bots(self, bots: Iterable[Entrant]) -> None:
        """Give purses to the bots, and to their owners, that have none yet; also those that ask no more have spent."""
        for bot in bots:
            if bot.name in self._owners:
                if bot.model is not None and bot.name not in self._purses:
                    self._purses[bot.name] = self._make_purse(bot)
                continue
            owner = self._owners[bot.name] = bot.about.owner
            if owner not in self._owner_purses:
                whose = f"all bots of {owner}" if owner else "all bots without an owner"
                self._owner_purses[owner] = Purse(whose, self._budget.owner_usd, self._budget.owner_tokens)
            if (spending := self._spent.get(bot.name)) is not None:
                self._owner_purses[owner].spend(CallCost(spending.usd, spending.tokens))
            if bot.model is not None:
                self._purses[bot.name] = self._make_purse(bot)

    def list_spent_owners(self, least: CallCost) -> list[str]:
        """Return the owners whose purses could not pay a call, or cannot pay one of this cost when no call is open."""
        return [
            owner
            for owner, purse in self._owner_purses.items()
            if owner in self._refused_owners or (not purse.has_open_calls and not purse.can_pay(least))
        ]

    def list_purses(self, bot: str) -> tuple[Purse, Purse, Purse]:
        """Return the purses of the tournament, of a bot, and of its owner."""
        return self._whole, self._purses[bot], self._owner_purses[self._owners[bot]]

    def take_game_purse(self, call: ModelCall) -> Purse:
        """Return the purse of a bot in a game, a new one if the game has restarted. To be taken once for each call."""
        key, place = (call.bot, call.place.game_id), call.place
        last, purse = self._game_purses.get(key, (place, None))
        if purse is None or place <= last:
            whose = f"{call.bot} in game {place.game_id}"
            purse = Purse(whose, self._budget.game_usd, self._budget.game_tokens)
        self._game_purses[key] = place, purse
        return purse

    async def set_aside(self, server: ModelServer, bot: str, request: ChatRequest, purses: Iterable[Purse]) -> CallCost:
        """Wait until all purses can pay a try, set aside what it costs at most, and return that.

        Never return if the purse of the tournament or of the bot cannot. While a server has not counted the tokens of
        any call of a bot, it makes one try of such a bot at a time: what more it counts than was estimated is known
        before the next one.

        Raises:
            PurseEmpty: another one cannot.
        """
        purses = list(purses)
        is_bounded = any(purse.is_bounded for purse in purses)
        while True:
            most = server.price_most(bot, request)
            is_first = is_bounded and not server.rates.is_known(bot)
            short = next((purse for purse in purses if not purse.can_pay(most)), None)
            if short is None and not (is_first and server.name in self._first_tries):
                break
            if short is not None and not short.has_open_calls:
                if short is not self._whole and short is not self._purses[bot]:
                    if short is self._owner_purses[self._owners[bot]]:
                        self._refused_owners.add(self._owners[bot])
                    raise PurseEmpty(str(short))
                self.used_up_text = self.used_up_text or str(short)
                self.used_up.set()
                await trio.sleep_forever()
            await self._settled.wait()
        if is_first:
            self._first_tries[server.name] = most
        for purse in purses:
            purse.set_aside(most)
        return most

    def settle(self, server: ModelServer, purses: Iterable[Purse], most: CallCost, cost: CallCost) -> None:
        """End a try that might have cost `most`, and has cost `cost`."""
        for purse in purses:
            purse.settle(most, cost)
        if self._first_tries.get(server.name) is most:  # not one that costs as much
            del self._first_tries[server.name]
        self._settled.set()
        self._settled = trio.Event()

    def _make_purse(self, bot: Entrant) -> Purse:
        assert bot.model is not None
        own, all_bots = bot.model, self._budget
        usd = min(filter(None, (own.budget_usd, all_bots.bot_usd)), default=None)
        tokens = min(filter(None, (own.budget_tokens, all_bots.bot_tokens)), default=None)
        purse = Purse(bot.name, usd, tokens)
        if (spending := self._spent.get(bot.name)) is not None:
            purse.spend(CallCost(spending.usd, spending.tokens))
        return purse
