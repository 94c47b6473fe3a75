"""A purse: what calls of models may cost, what they have cost, and what those cost that are open. No I/O."""

from __future__ import annotations

from math import inf
from typing import NamedTuple


class CallCost(NamedTuple):
    """Dollars and tokens."""

    usd: float
    tokens: int


class Purse:
    """A budget. What an open call costs at most is set aside, so that the budget is never exceeded."""

    def __init__(self, whose: str, usd: float | None, tokens: int | None) -> None:
        self._whose = whose
        self._usd = inf if usd is None else usd
        self._tokens = inf if tokens is None else tokens
        self._spent_usd, self._spent_tokens = 0.0, 0
        self._open: list[CallCost] = []

    @property
    def has_open_calls(self) -> bool:
        """Whether calls are open, which may cost less than what is set aside for them."""
        return bool(self._open)

    @property
    def is_bounded(self) -> bool:
        """Whether it can be used up."""
        return min(self._usd, self._tokens) < inf

    def spend(self, cost: CallCost) -> None:
        """Take out what a call has cost."""
        self._spent_usd += cost.usd
        self._spent_tokens += cost.tokens

    def can_pay(self, most: CallCost) -> bool:
        """Tell whether a call that costs so much at most can be paid."""
        usd = self._spent_usd + sum(one.usd for one in self._open) + most.usd
        tokens = self._spent_tokens + sum(one.tokens for one in self._open) + most.tokens
        return usd <= self._usd and tokens <= self._tokens

    def set_aside(self, most: CallCost) -> None:
        """Begin a call that costs so much at most."""
        self._open.append(most)

    def settle(self, most: CallCost, cost: CallCost) -> None:
        """End a call that might have cost the one, and has cost the other."""
        self._open.remove(most)
        self.spend(cost)

    def __str__(self) -> str:
        """Say what was allowed and spent: "the budget of ann (0.5 dollars) is used up: …"."""
        allowed = [f"{self._usd:g} dollars"] * (self._usd < inf) + [f"{self._tokens:,} tokens"] * (self._tokens < inf)
        return (
            f"the budget of {self._whose} ({', '.join(allowed)}) is used up: {self._spent_usd:.4f} dollars, "
            f"{self._spent_tokens:,} tokens are spent, and the rest does not pay for another call"
        )
