"""The language models of a run: whoever has none pays nothing for them, not even their import."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import trio

from pitboss.errors import ConfigError
from pitboss_tournament.models.calls import CallRow, ModelAnswer, ModelCall, OwnChoice, Spending
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.store.store import Store

if TYPE_CHECKING:
    from pitboss_tournament.models.broker import CallRecord, ModelBroker


class RunModels:
    """Answers the calls of all bots of a run by a broker, if a bot of its plan has a model."""

    def __init__(self, plan: Plan, store: Store, keep: Callable[[CallRow], None], replays: CallRecord | None) -> None:
        """Carry games on that the store has calls of; `keep` takes each call that has ended.

        With `replays` no model is asked: that record has all calls.

        Raises:
            ConfigError: a library that is needed for models is not installed.
        """
        asks_models = bool(plan.models) and any(bot.model is not None for bot in plan.entrants)
        self._broker = _make_broker(plan, store, keep, replays) if asks_models else None

    @property
    def spent(self) -> Mapping[str, Spending]:
        """What the calls have cost so far, by bot; empty if none has a model."""
        return {} if self._broker is None else self._broker.spent

    @property
    def used_up(self) -> str:
        """Which budget is used up; "" if none is."""
        return "" if self._broker is None else self._broker.used_up_text

    def show_notes(self, show_note: Callable[[str], None]) -> None:
        """Have `show_note` called when a server begins to fail."""
        if self._broker is not None:
            self._broker.show_note = show_note

    async def answer(self, call: ModelCall, send: Callable[[ModelAnswer], None]) -> None:
        """Send the answer to a call; never return if a budget of the tournament or of its bot is used up."""
        assert self._broker is not None
        send(await self._broker.answer(call))

    def note_own_choice(self, own: OwnChoice) -> None:
        """Keep that a bot has taken a decision by itself."""
        if self._broker is not None:
            self._broker.note_own_choice(own)

    async def wait_until_used_up(self) -> None:
        """Return when a budget is used up: if none is, never."""
        if self._broker is None:
            await trio.sleep_forever()
        else:
            await self._broker.used_up.wait()

    async def close(self) -> None:
        """Close the connections."""
        if self._broker is not None:
            await self._broker.close()


def _make_broker(plan: Plan, store: Store, keep: Callable[[CallRow], None], replays: CallRecord | None) -> ModelBroker:
    try:
        from pitboss_tournament.models.broker import ModelBroker  # noqa: PLC0415 - it needs an extra
    except ModuleNotFoundError as error:
        what = f"bots that ask language models need {error.name}, which is not installed"
        raise ConfigError(f"{what}: pip install 'pitboss[models]'") from None
    return ModelBroker(
        plan,
        store.calls.read_broken_off(),
        keep,
        store.calls.sum_spending(),
        replays=replays,
        answered=store.calls.read_reusable(name for name, table in plan.models.items() if table.reuse),
    )
