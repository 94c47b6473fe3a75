"""How well ratings fit, in sentences."""

from __future__ import annotations

from typing import Final

from pitboss.text import format_count, join_words
from pitboss_tournament.statistics.proven_ranks import RankedNames
from pitboss_tournament.statistics.rankings import Side
from pitboss_tournament.statistics.rating_fit import RatingFit, SideFit

MAX_MISFITS: Final = 3  # that are named


def fit_text(fit: RatingFit | None) -> str | None:
    """Return how well the ratings fit; None if they must fit."""
    if fit is None:
        return None
    return (
        f"Fit of the ratings: the bot rated higher was placed ahead {_percent(fit.played)} of the time, predicted "
        f"{_percent(fit.predicted)} ({format_count(fit.pairs, 'pair')} of places, ties aside)."
    )


def misfits_text(fit: RatingFit | None, names: RankedNames) -> str | None:
    """Return between which bots the ratings do not fit; None if they fit everywhere, or must fit."""
    if fit is None or not fit.misfits:
        return None
    told = [_misfit_text(misfit, names) for misfit in fit.misfits[:MAX_MISFITS]]
    more = len(fit.misfits) - len(told)
    others = f"; and {format_count(more, 'more pair')}" if more else ""
    return f"The ratings do not fit these bots, so look at them in pairs: {'; '.join(told)}{others}."


def _misfit_text(fit: SideFit, names: RankedNames) -> str:
    better, worse = (_name_side(side, names) for side in (fit.better, fit.worse))
    return f"{better} was ahead of {worse} {_percent(fit.played)} of the time, predicted {_percent(fit.predicted)}"


def _name_side(side: Side, names: RankedNames) -> str:
    return join_words([names[entrant] for entrant in side])


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
