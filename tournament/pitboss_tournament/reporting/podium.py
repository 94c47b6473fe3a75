"""The podium that a report opens with: the first three places, and behind a fold the places of all."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from pitboss.text import join_words
from pitboss_tournament.html.elements import Markup, el, markup
from pitboss_tournament.html.page_parts import fold, note, table
from pitboss_tournament.results.headline import Headline, Place

PODIUM_PLACES: Final = 3
NAMES_ON_STEP: Final = 6  # of those who share one; of more, all but these are counted


def draw_podium(headline: Headline, yardsticks: Sequence[str] = ()) -> Markup | None:
    """Return the podium, the yardsticks apart, and the places behind a fold; None if nobody has a place."""
    if not headline.places:
        return None
    groups = [list(group) for _, group in groupby(headline.places, key=lambda one: one.place)]
    steps = [_draw_step(group) for group in groups if group[0].place <= PODIUM_PLACES]
    return markup(
        el("ol", *steps, class_="podium", aria_label="Podium"),
        note(f"Yardsticks, which take no place: {join_words(yardsticks, 'and')}.") if yardsticks else None,
        _fold_places(headline.places) if len(headline.places) > 1 else None,
    )


def _draw_step(group: Sequence[Place]) -> Markup:
    named = group if len(group) <= NAMES_ON_STEP else group[: NAMES_ON_STEP - 1]
    more = len(group) - len(named)
    names = [el("li", el("bdi", one.bot, dir="auto")) for one in named]
    return el(
        "li",
        el("ul", *names, el("li", f"and {more} more") if more else None),
        el("p", el("b", str(group[0])), el("span", "tied") if len(group) > 1 else None),
        class_=f"step{group[0].place}",
    )


def _fold_places(places: Sequence[Place]) -> Markup:
    rows = [(el("bdi", one.bot, dir="auto"), str(one), "tied" if one.tied_with else "") for one in places]
    return fold("All places", table("places-table", "Those who share a place are tied.", ("Bot", "Place", ""), rows))
