"""What bots asked their language models: how often, with what outcome, and what it cost."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from msgspec import Meta, Struct

from pitboss_tournament.models.choice import ASK_OUTCOMES, AskOutcome
from pitboss_tournament.plan.plan import label_bots, require_bot
from pitboss_tournament.store.store import Store


class ModelUse(Struct, frozen=True, kw_only=True):
    """The use that a bot made of its language model."""

    bot: str
    model: Annotated[str, Meta(description="As its server calls it.")]
    prompt: Annotated[
        str, Meta(description="A digest of how it is asked: prompt.md and [model]. Empty: before that was kept.")
    ]
    calls: int
    outcomes: Annotated[dict[AskOutcome, int], Meta(description="How many calls came to what.")]
    tokens_in: int
    tokens_out: int
    usd: float
    mean_s: Annotated[float, Meta(description="Mean seconds of a call.")]

    def __str__(self) -> str:
        """Say it: "ann asked 'gpt' 12 times with prompt 01ab (chosen 12): 3,400 tokens, $0.0021, 1.2 s a call"."""
        said = ", ".join(f"{outcome} {number:,}" for outcome, number in self.outcomes.items() if number)
        tokens = self.tokens_in + self.tokens_out
        prompt = f" with prompt {self.prompt}" if self.prompt else ""
        return (
            f"{self.bot} asked {self.model!r} {self.calls:,} times{prompt} ({said}): {tokens:,} tokens, "
            f"${self.usd:,.4f}, {self.mean_s:.1f} s a call."
        )


class CallEstimate(NamedTuple):
    """What the calls of language models in the games of a pilot come to."""

    calls: int
    usd: float
    seconds: float  # that they take; 0: what the games take

    def scale(self, share: float) -> CallEstimate:
        """Return the estimate for `share` times the games."""
        return CallEstimate(round(self.calls * share), self.usd * share, self.seconds * share)


class StatedCalls(NamedTuple):
    """An assumption: each decision of these bots is a call, which costs and takes so much."""

    bots: tuple[str, ...]
    usd: float
    seconds: float
    at_once: int


def estimate_calls(store: Store, stated: StatedCalls | None = None) -> CallEstimate | None:
    """Return what calls come to in the games of a store: those that were made, or those of an assumption.

    None if there are none.

    Raises:
        ConfigError: the assumption is of a bot that does not play.
    """
    if stated is None:
        uses = list_model_use(store)
        return CallEstimate(sum(use.calls for use in uses), sum(use.usd for use in uses), 0.0) if uses else None
    labels = label_bots(store.header.bots)
    for bot in stated.bots:
        require_bot("--calls-of", bot, labels)
    calls = sum(
        seat.decisions
        for result in store.results(with_times=False)
        for seat in result.seats
        if labels[seat.entrant] in stated.bots
    )
    return CallEstimate(calls, calls * stated.usd, calls * stated.seconds / stated.at_once)


def list_model_use(store: Store) -> list[ModelUse]:
    """Return the use that each bot made of its language model, in the order of entry; empty if none has one."""
    spent, outcomes = store.calls.sum_spending(), store.calls.count_outcomes()
    labels = dict(zip(store.header.bots, label_bots(store.header.bots), strict=True))
    own = dict(zip(store.header.bots, (entry.own for entry in store.header.entries), strict=True))
    return [
        ModelUse(
            bot=labels[name],
            model=own[name].model,
            prompt=own[name].prompt,
            calls=(of_bot := spent[name]).calls,
            outcomes=outcomes.get(name, dict.fromkeys(ASK_OUTCOMES, 0)),
            tokens_in=of_bot.tokens_in,
            tokens_out=of_bot.tokens_out,
            usd=of_bot.usd,
            mean_s=of_bot.seconds / of_bot.calls,
        )
        for name in store.header.bots
        if name in spent
    ]
