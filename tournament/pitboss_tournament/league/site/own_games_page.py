"""The page of an owner's games: a form that chooses among them, a table, and the download of their records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import urlencode

from pitboss_tournament.html.elements import Content, Markup, el
from pitboss_tournament.league.game_archive import RECORDS_AT_ONCE, GamePage
from pitboss_tournament.league.own_games import GameFilter, list_own_bots
from pitboss_tournament.league.site.game_pages import list_fault_kinds, order_by_place, show_seat
from pitboss_tournament.league.site.page_frame import Viewer, data_table
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import Header
from pitboss_tournament.web.replay_page import ORDINALS

OWN_GAMES: Final = "/me/games"
OWN_RECORDS: Final = "/me/games/records"


def own_games_content(
    page: GamePage, asked: GameFilter, viewer: Viewer, before: int | None, withheld: str
) -> Iterator[Content]:
    """Yield the content of the page; `before`: only games below this number are listed.

    `withheld`: why no records are given; "" if they are.
    """
    yield el("h1", "All games" if viewer.is_host else "Your games")
    yield _filter_form(asked, list(list_own_bots(page.header, viewer.may_see)))
    if page.header is None or not page.results:
        said = "No more games of these." if before is not None else "No game is of these."
        if not any(list_own_bots(page.header, viewer.may_see)):
            said = "None of your bots has played yet."
        yield el("div", el("p", said), class_="empty")
    else:
        heads = ("Game", "Result", "The cards", "Who played", "Faults")
        rows = [_list_cells(page, result, page.header, asked, viewer) for result in page.results]
        yield data_table("The latest first; who won stands first, with points.", heads, rows, (0, 1, 2, 3, 4))
    fields = asked.list_fields()
    older = None if page.before is None else {**fields, "before": f"{page.before}"}
    yield el(
        "p",
        None if before is None else el("a", "the newest", href=_address(OWN_GAMES, fields), class_="button"),
        None if older is None else el("a", "older games", href=_address(OWN_GAMES, older), class_="button"),
        class_="buttons",
    )
    yield from _download(page, fields, before, withheld)


def _filter_form(asked: GameFilter, bots: Sequence[str]) -> Markup:
    results = (("", "all"), ("lost", "lost"), ("won", "won"))
    return el(
        "form",
        el("label", "Bot", _choice("bot", asked.bot, [("", "all"), *((bot, bot) for bot in bots)])),
        el("label", "Version", _number_field("version", asked.version, 1)),
        el("label", "Result", _choice("result", asked.result, results)),
        el(
            "label",
            "Against",
            el("input", name="opponent", value=asked.opponent, maxlength=200, placeholder="the name of a bot"),
        ),
        el("label", "On the deal of game", _number_field("deal", asked.deal, 0)),
        el(
            "label",
            el("input", type="checkbox", name="faults", value="yes", checked=asked.faults),
            " only games with a fault of it",
            class_="tick",
        ),
        el("button", "Show", class_="main"),
        method="get",
        action=OWN_GAMES,
        class_="card filters",
    )


def _choice(name: str, chosen: str, options: Sequence[tuple[str, str]]) -> Markup:
    known = [*options] if chosen in dict(options) else [*options, (chosen, chosen)]
    return el(
        "select",
        *(el("option", text, value=value, selected=value == chosen) for value, text in known),
        name=name,
    )


def _number_field(name: str, said: int | None, least: int) -> Markup:
    value = None if said is None else f"{said}"
    return el("input", name=name, type="number", min=least, value=value, inputmode="numeric")


def _list_cells(
    page: GamePage, result: GameResult, header: Header, asked: GameFilter, viewer: Viewer
) -> tuple[Content, ...]:
    number = result.game_id
    of_deal = _address(OWN_GAMES, {**asked.list_fields(), "deal": f"{number}"})
    cards: Content = (
        (el("a", "replay", href=f"/games/{number}/replay"), " · ", el("a", "this deal", href=of_deal))
        if number in page.shown
        else el("span", "the deal is still played", class_="soft")
    )
    return (
        el("a", f"game {number}", href=f"/games/{number}", class_="game"),
        ", ".join(
            ORDINALS[min(seat.place, len(ORDINALS)) - 1].format(seat.place)
            for seat in result.seats
            if viewer.may_see(header.entries[seat.entrant].about.owner)
            and asked.bot in ("", header.entries[seat.entrant].name)
        ),
        cards,
        el("ol", *(show_seat(header, seat) for seat in order_by_place(result)), class_="seats"),
        list_fault_kinds(result),
    )


def _download(page: GamePage, fields: dict[str, str], before: int | None, withheld: str) -> Iterator[Content]:
    if page.header is None:
        return
    yield el("h2", "Records")
    if withheld:
        yield el("p", f"{withheld[0].upper()}{withheld[1:]}.", class_="soft")
        return
    asked = fields if before is None else {**fields, "before": f"{before}"}
    yield el(
        "p",
        el("a", "Download the records of these games", href=_address(OWN_RECORDS, asked), class_="button"),
        class_="buttons",
    )
    yield el(
        "p",
        f"A line of JSON each, of the latest {RECORDS_AT_ONCE:,} games whose deal is over, without what others noted. "
        "At home ",
        el("code", "pitboss import games.jsonl --what records -o games.pitboss"),
        " makes a store of them, for ",
        el("code", "pitboss why"),
        " and ",
        el("code", "pitboss replay"),
        "; ",
        el("code", "pitboss ask games.jsonl"),
        " asks a bot again.",
        class_="soft",
    )
    if "result" in fields:
        yield el(
            "p",
            "These games were chosen by their result: they do not say who is better. Choose all results for ",
            el("code", "pitboss standings"),
            " or ",
            el("code", "pitboss why"),
            ".",
            class_="bad",
        )


def _address(path: str, fields: dict[str, str]) -> str:
    return f"{path}?{urlencode(fields)}" if fields else path
