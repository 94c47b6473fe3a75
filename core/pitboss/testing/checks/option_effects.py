"""Options: each changes something."""

from __future__ import annotations

from pitboss.testing.framework.check import CheckFailed, CheckNote, NotApplicable, check
from pitboss.testing.framework.option_trial import OptionPair, OptionTrials
from pitboss.text import join_words


@check("option", advice="Heed the option, or take it out; if it is for something rare, all is well.")
def every_option_changes_something(trials: OptionTrials) -> None:
    """With the same cards and choices each option changes something: what is legal, dealt, told, shown or scored."""
    unread = sorted({pair.name for pair in trials.same} & trials.unread)
    if unread:
        raise CheckFailed(f"the code of the game never reads {join_words(unread, 'and')}: {_describe(trials, unread)}")
    if own := sorted({pair.name for pair in trials.same} - trials.of_parts):  # a part heeds the options that it gives
        raise CheckNote(_describe(trials, own))
    if not trials.tried:
        raise NotApplicable("the game has no options with bounds or few values, or there was no time to try them")


def _describe(trials: OptionTrials, names: list[str]) -> str:
    """Return which values gave the same games: "stick = false: 240 games as without it"."""
    return "; ".join(
        f"{pair}: {games} games with the same cards and choices were the same {_than_what(pair)}"
        for pair, games in trials.same.items()
        if pair.name in names
    )


def _than_what(pair: OptionPair) -> str:
    return "as without it" if pair.one is None else "with both"
