"""The report of the checks of one bot, as `pitboss check --json` prints it; of several bots a list of them."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from pitboss.testing.framework.check import CheckOutcome, CheckResult


class BotReport(Struct, frozen=True, kw_only=True):
    """What `pitboss check` found out about a bot."""

    bot: Annotated[str, Meta(description="The bot's name.")]
    command: Annotated[list[str], Meta(description="How it was started; empty if that could not be found out.")]
    games: Annotated[list[str], Meta(description="The games that it was asked to play.")]
    sandbox: Annotated[str, Meta(description='Its level: "bubblewrap", "landlock" or "none".')]
    seed: Annotated[str, Meta(description="All deals and all choices of its opponents follow from it.")]
    whole_games: Annotated[int, Meta(description="How many games it played to their end.")]
    decisions: Annotated[int, Meta(description="How many decisions it made in these and in games cut short.")]
    checks: list[CheckResult]
    error: Annotated[
        str | UnsetType, Meta(description="Why the bot, one of several, could not be checked: then `checks` is empty.")
    ] = UNSET

    @property
    def is_good(self) -> bool:
        """Whether the bot was checked, and no check failed."""
        return self.error is UNSET and not self.results_with("failed")

    def results_with(self, outcome: CheckOutcome) -> list[CheckResult]:
        """Return the results with this outcome."""
        return [result for result in self.checks if result.outcome == outcome]


CheckOutput: TypeAlias = BotReport | list[BotReport]
