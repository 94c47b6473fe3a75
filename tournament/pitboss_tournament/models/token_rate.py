"""How a server counts tokens, learned from what it has reported: so an estimate of the next call is no less. No I/O.

Each bot has rates of its own: what one asks is no reason to set more aside for the calls of another. The first call of
a bot is estimated by the lowest rates of the others.
"""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from pitboss_tournament.models.chat import ChatReply, ChatRequest, estimate_tokens


class TokenRate(NamedTuple):
    """The most that a server has counted so far."""

    ratio: float = 1.0  # for a token of our estimate of a request
    excess: int = 0  # tokens of an answer beyond its `max_output`


class TokenRates:
    """The rates of the bots that ask one server."""

    def __init__(self) -> None:
        self._rates: dict[str, TokenRate] = {}

    def is_known(self, bot: str) -> bool:
        """Tell whether the server has counted the tokens of a call of this bot."""
        return bot in self._rates

    def learn(self, bot: str, request: ChatRequest, reply: ChatReply) -> None:
        """Learn from the answer to a bot, with the tokens that were counted for its request and the answer."""
        before = self._rates.get(bot, TokenRate())
        self._rates[bot] = TokenRate(
            max(before.ratio, reply.tokens_in / max(1, estimate_tokens(request))),
            max(before.excess, reply.tokens_out - request.max_output),
        )

    def estimate_most(self, bot: str, request: ChatRequest) -> tuple[int, int]:
        """Return how many tokens a request and its answer have at most, if the server counts on as it has so far."""
        others = self._rates.values()
        lowest = TokenRate(
            min((rate.ratio for rate in others), default=1.0), min((rate.excess for rate in others), default=0)
        )
        rate = self._rates.get(bot, lowest)
        return ceil(estimate_tokens(request) * rate.ratio), request.max_output + rate.excess
