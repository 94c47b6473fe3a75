"""The pages of finished games: lists, a game, its logs for whoever may read them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final
from urllib.parse import urlencode

from pitboss_tournament.html.elements import Content, Markup, el
from pitboss_tournament.html.number_format import DASH, typeset
from pitboss_tournament.html.page_parts import quote_text
from pitboss_tournament.league.game_archive import ArchivedGame, GamePage
from pitboss_tournament.league.league_file import LogAccess, ReplayAccess
from pitboss_tournament.league.site.page_frame import Viewer, data_table, link_bot
from pitboss_tournament.results.notes import format_kinds
from pitboss_tournament.statistics.scoring import GameResult, SeatResult
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.rows import StoredLog

NO_BREAK_SPACE: Final = Markup("&nbsp;")


def games_content(page: GamePage, bot: str, version: int | None, is_newest: bool) -> Iterator[Content]:
    """Yield the content of the list of games: all, or those of a bot or version."""
    whose = f" of {bot}{'' if version is None else f'@{version}'}" if bot else ""
    yield el("h1", f"Games{whose}")
    if bot:
        yield el("p", el("a", "games of all bots", href="/games"))
    if page.header is None or not page.results:
        yield el("div", el("p", "No game has been played yet." if is_newest else "No more games."), class_="empty")
        return
    header = page.header
    rows = [
        (
            el("a", f"game {result.game_id}", href=f"/games/{result.game_id}", class_="game"),
            el("ol", *(show_seat(header, seat) for seat in order_by_place(result)), class_="seats"),
            list_fault_kinds(result),
        )
        for result in page.results
    ]
    yield data_table(
        "The latest first; who won stands first, with points.", ("Game", "Who played", "Faults"), rows, (0, 1, 2)
    )
    asked = {**({"bot": bot} if bot else {}), **({} if version is None else {"version": version})}
    buttons = [
        None if is_newest else el("a", "the newest", href=f"/games?{urlencode(asked)}", class_="button"),
        None
        if page.before is None
        else el("a", "older games", href=f"/games?{urlencode({**asked, 'before': page.before})}", class_="button"),
    ]
    yield el("p", *buttons, class_="buttons")


def game_content(game: ArchivedGame, viewer: Viewer, access: ReplayAccess, logs: LogAccess) -> Iterator[Content]:
    """Yield the content of the page of a game."""
    header, result = game.header, game.result
    yield el("h1", f"Game {result.game_id}")
    rows = [
        (
            _link_entry(header, seat.entrant),
            f"{number + 1}",
            f"{seat.place}",
            typeset(f"{seat.points:g}"),
            f"{seat.decisions:,}",
            seat.fault or format_kinds(seat.substituted) or DASH,
        )
        for number, seat in enumerate(result.seats)
    ]
    yield data_table("By seat.", ("Bot", "Seat", "Place", "Points", "Decisions", "Fault"), rows, (0, 5))
    yield el("p", *_replay_link(game, viewer, access), class_="buttons")
    yield from _own_logs(game, viewer, logs)


def may_see_replay(game: ArchivedGame, viewer: Viewer, access: ReplayAccess) -> bool:
    """Whether the rules of the league show a game card by card to somebody, once its deal is over."""
    return access == "public" or any(map(viewer.may_see, game.owners))


def find_own_seats(game: ArchivedGame, viewer: Viewer) -> list[int]:
    """Return the seats of which somebody may read notes and logs."""
    return [seat for seat, owner in enumerate(game.owners) if viewer.may_see(owner)]


def _replay_link(game: ArchivedGame, viewer: Viewer, access: ReplayAccess) -> tuple[Content, ...]:
    if not may_see_replay(game, viewer, access):
        return (el("span", "Its cards are shown to the owners of the bots that played.", class_="soft"),)
    if not game.is_block_over:
        return (el("span", "The same deal is still being played: its cards are shown afterwards.", class_="soft"),)
    address = f"/games/{game.result.game_id}/replay"
    return (el("a", "Watch it card by card", href=address, class_="button main"),)


def _own_logs(game: ArchivedGame, viewer: Viewer, access: LogAccess) -> Iterator[Content]:
    own = find_own_seats(game, viewer)
    if not own:
        return
    yield el("h2", "What only its owner sees" if not viewer.is_host else "What its owner sees")
    if not game.is_block_over:
        yield el("p", "The same deal is still being played: logs, which tell its cards, are shown afterwards.")
        return
    is_shown = viewer.is_host or access != "none"
    yield from _own_incidents(game, own, is_shown)
    if not is_shown:
        yield el("p", "This league shows no logs.", class_="soft")
        return
    logs = [log for log in game.logs if log.seat in own]
    for log in logs:
        yield from _show_log(game, log)
    if not logs:
        why = "the oldest are dropped" if access == "all" else "logs are of games with a fault"
        yield el("p", f"No log of this game is kept: {why}.", class_="soft")


def _own_incidents(game: ArchivedGame, own: Collection[int], is_shown: bool) -> Iterator[Content]:
    for incident in game.incidents:
        fault = incident.fault
        if fault.seat in own:
            name = game.header.labels[game.result.seats[fault.seat].entrant]
            yield el("p", el("strong", f"{name}, {fault.kind}: "), fault.message, class_="bad")
            if is_shown and incident.exchange:
                yield quote_text("\n".join(incident.exchange))
            if is_shown and incident.last_words.strip():
                yield quote_text(incident.last_words)


def _show_log(game: ArchivedGame, log: StoredLog) -> Iterator[Content]:
    name = game.header.labels[game.result.seats[log.seat].entrant]
    for title, text in (("standard error", log.errors), ("the wire", log.wire)):
        if text:
            words = text.decode("utf-8", "replace")
            yield el("details", el("summary", f"{name}, seat {log.seat + 1}: {title}"), quote_text(words))


def order_by_place(result: GameResult) -> list[SeatResult]:
    """Return the seats of a game, the first place first."""
    return sorted(result.seats, key=lambda seat: seat.place)


def show_seat(header: Header, seat: SeatResult) -> Markup:
    """Return who sat in a seat, with points, as an item of a list."""
    won = "won" if seat.place == 1 else None
    return el(
        "li",
        _link_entry(header, seat.entrant),
        NO_BREAK_SPACE,
        el("span", typeset(f"{seat.points:g}"), class_="points"),
        class_=won,
    )


def _link_entry(header: Header, entrant: int) -> Markup:
    entry = header.entries[entrant]
    is_anchor = not entry.about.owner  # one version, as on the ladder
    return link_bot(entry.name, None if is_anchor else entry.version)


def list_fault_kinds(result: GameResult) -> Content:
    """Return the kinds of faults of all bots in a game."""
    kinds = [seat.fault or format_kinds(seat.substituted) for seat in result.seats]
    return el("span", ", ".join(filter(None, kinds)), class_="bad") if any(kinds) else DASH
