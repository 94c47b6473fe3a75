"""The frame of a league's pages: head, navigation, the parts that pages have in common.

A page is whole without its script, which fetches it again when something has changed, sorts tables and packs uploads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple
from urllib.parse import quote

from starlette.responses import Response

from pitboss_tournament.html.elements import Content, Markup, el
from pitboss_tournament.league.submission import SubmissionState
from pitboss_tournament.web.responses import link_styles

NAVIGATION: Final = (
    ("/", "Ladder"),
    ("/games", "Games"),
    ("/queue", "Queue"),
    ("/rules", "Rules"),
    ("/editor", "Write"),
    ("/submit", "Submit"),
)
DIGEST_SHOWN: Final = 12
STATE_MEANINGS: Final[dict[SubmissionState, str]] = {
    "received": "it waits for the validator",
    "building": "it is being built",
    "checking": "it is being checked",
    "validation": "it plays with random players",
    "placing": "it finds its place",
    "playing": "it plays",
    "refused": "it does not play",
    "retired": "a newer version plays",
}


class Viewer(NamedTuple):
    """Who looks at a page: nobody that is known, an owner, or a host."""

    owner: str = ""
    is_host: bool = False
    form_token: str = ""
    sees_owners: bool = False  # whether the names of all owners are shown to this one

    def may_see(self, owner: str) -> bool:
        """Whether what belongs to an owner is shown to this one."""
        return self.is_host or (self.owner != "" and self.owner == owner)

    def name_owner(self, owner: str, public: str) -> str:
        """Return what an owner is called before this one; `public` is the name before everybody."""
        if not (self.sees_owners or self.may_see(owner)):
            return public
        return owner if public in ("", owner) else f"{owner} ({public})"


class LeagueFrame(NamedTuple):
    """What all pages of a league show for one viewer."""

    league: str
    viewer: Viewer
    stamp: str  # of the ladder that is shown

    def render(
        self, title: str, here: str, *content: Content, status: int = 200, is_live: bool = True, script: str = "league"
    ) -> Response:
        """Return a page; `here` is the address in the navigation that it belongs to."""
        main = el("main", *content, id="main", data_stamp=self.stamp, data_live="yes" if is_live else None)
        page = el(
            "html",
            el(
                "head",
                el("meta", charset="utf-8"),
                el("meta", name="viewport", content="width=device-width, initial-scale=1"),
                el("meta", name="color-scheme", content="light dark"),
                el("title", f"{title} · {self.league}"),
                el("link", rel="icon", href="data:,"),
                link_styles("tokens", "league", "scroll"),
                el("script", Markup(""), type="module", src=f"/static/{script}.js"),
            ),
            el("body", self._head(here), main, el("footer", self._foot()), data_form_token=self.viewer.form_token),
            lang="en",
        )
        headers = {"cache-control": "no-store"}
        return Response(f"<!doctype html>\n{page}", status, media_type="text/html", headers=headers)

    def _head(self, here: str) -> Markup:
        links = [
            el("li", el("a", text, href=address, aria_current="page" if address == here else None))
            for address, text in NAVIGATION
        ]
        return el(
            "header",
            el("a", el("span", "♠", class_="suit", aria_hidden="true"), self.league, href="/", class_="league"),
            el("nav", el("ul", *links), aria_label="Pages"),
            self._who(here),
            class_="top",
        )

    def _who(self, here: str) -> Markup:
        if not self.viewer.owner:
            current = "page" if here == "/login" else None
            return el("div", el("a", "Log in", href="/login", aria_current=current), class_="who")
        current = "page" if here == "/me" else None
        return el(
            "div",
            el("a", "Mine: ", self.viewer.owner, href="/me", aria_current=current),
            self.form("/logout", el("button", "Log out", class_="plain")),
            class_="who",
        )

    def _foot(self) -> Content:
        parts = ("Made by Pitboss. ", el("a", "The ladder as JSON", href="/api/ladder"), ".")
        return el("p", *parts, el("span", class_="connection", role="status"))

    def form(self, action: str, *content: Content) -> Markup:
        """Return a form that this server takes from this viewer."""
        hidden = el("input", type="hidden", name="form_token", value=self.viewer.form_token)
        return el("form", hidden, *content, method="post", action=action)


def bot_address(bot: str) -> str:
    """Return the address of a bot's page."""
    return f"/bots/{quote(bot, safe='')}"


def link_bot(bot: str, version: int | None = None) -> Markup:
    """Return a link to a bot, or one to it with the number of a version behind its name."""
    sign = None if version is None else el("span", f"@{version}", class_="version")
    return el("a", bot, sign, href=bot_address(bot), class_="bot")


def link_version(number: int, label: str) -> Markup:
    """Return a link to a version by the number of its submission."""
    return el("a", label, href=f"/versions/{number}", class_="bot")


def show_state(state: SubmissionState) -> Markup:
    """Return a state as a badge."""
    return el("span", state, class_=f"state {state}", title=STATE_MEANINGS[state])


def show_time(at: str) -> Markup:
    """Return a time in UTC, which the script writes in the time of whoever looks."""
    return el("time", at.replace("T", " ")[:16], datetime=at)


def show_deadline(at: str) -> Markup:
    """Return a time with its zone, which `at` must have; the script writes both by the clock of whoever looks."""
    shown = datetime.fromisoformat(at).isoformat(timespec="minutes")
    zone = shown[len("2027-02-08T18:00") :]
    text = f"{shown.replace('T', ' ').removesuffix(zone)} UTC{'' if zone == '+00:00' else zone}"
    return el("time", text, datetime=at, data_zone="yes")


def data_table(
    caption: str, heads: Sequence[Content], rows: Iterable[Sequence[Content]], words: Sequence[int] = (0,)
) -> Markup:
    """Return a table in a box that scrolls sideways; its first column names the rows, those in `words` are text."""

    def kind(column: int) -> str | None:
        return "words" if column in words else None

    head = el("tr", *(el("th", one, scope="col", class_=kind(number)) for number, one in enumerate(heads)))
    body = [
        el(
            "tr",
            el("th", first, scope="row", class_=kind(0)),
            *(el("td", one, class_=kind(number)) for number, one in enumerate(rest, 1)),
        )
        for first, *rest in rows
    ]
    table = el("table", el("caption", el("span", caption)), el("thead", head), el("tbody", *body))
    return el("div", table, class_="scroll", tabindex=0, role="region", aria_label=caption)


def facts(*pairs: tuple[Content, Content]) -> Markup:
    """Return facts, each with its name above it."""
    return el("dl", *(el("div", el("dt", name), el("dd", value)) for name, value in pairs), class_="facts")
