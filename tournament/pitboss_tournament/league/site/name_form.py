"""The part of an owner's page that says how others call the owner, with the form for a name of choice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pitboss_tournament.html.elements import Content, el
from pitboss_tournament.league.name_book import OwnerAccess, OwnerNames
from pitboss_tournament.league.site.page_frame import LeagueFrame
from pitboss_tournament.plan.names import MAX_CHARACTERS

NAME_FORM_PATH: Final = "/me/name"
WHO_SEES: Final[dict[OwnerAccess, str]] = {
    "pseudonyms": "Your own name is shown to you and the host alone.",
    "class": "Whoever is logged in sees your own name, too.",
    "shown": "In this league names are shown to everybody; a name of your choice takes the place of yours.",
}


def name_section(frame: LeagueFrame, names: OwnerNames, access: OwnerAccess) -> Iterator[Content]:
    """Yield how an owner is called before others, and the form."""
    yield el("h2", "Your name before others")
    yield el("p", "Others see ", el("strong", names.find_public(access)), ". ", WHO_SEES[access])
    field = el("input", name="display", value=names.display, maxlength=MAX_CHARACTERS, autocomplete="off")
    drawn = "your own name" if access == "shown" else names.pseudonym
    yield frame.form(
        NAME_FORM_PATH,
        el("label", f"Another name (empty: {drawn})", field),
        el("button", "Call me so"),
    )
