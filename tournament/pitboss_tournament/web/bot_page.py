"""The page of a bot of a tournament: its place, rating over time, whom it beats, its games, times and faults."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import quote

from pitboss.text import format_count
from pitboss_tournament.counting.notable_games import ExtremeGames
from pitboss_tournament.counting.report_findings import ReportFindings
from pitboss_tournament.html.elements import Content, Markup, el
from pitboss_tournament.html.number_format import typeset, typeset_signed
from pitboss_tournament.html.page_parts import figure, table
from pitboss_tournament.reporting.history import bot_history
from pitboss_tournament.reporting.pairs import bot_pairs_table
from pitboss_tournament.reporting.times_and_faults import draw_thinking, list_incidents, show_evidence
from pitboss_tournament.results.columns import NAME, choose_columns
from pitboss_tournament.results.standings_rows import list_bot_rows
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.store import Store


def bot_page_address(tournament: str, bot: str) -> str:
    """Return the address of the page of a bot."""
    return f"/t/{quote(tournament, safe='')}/bot/{quote(bot, safe='')}"


def bot_page_content(tournament: str, statistics: ReportFindings, store: Store, entrant: int) -> Iterator[Content]:
    """Yield the content of the page of a bot. It tells no seed, no path and no command."""
    name = statistics.names[entrant]
    yield el("h1", _isolate(name))
    yield _facts(statistics, entrant)
    yield el(
        "div",
        _panel("Rating over time", bot_history(statistics, entrant), "There are too few games yet."),
        _panel("Whom it beats", _meetings(tournament, statistics, entrant), "It has played no complete block yet."),
        _panel("Best games", _game_table(tournament, statistics, store, entrant, True), "It has played no game yet."),
        _panel("Worst games", _game_table(tournament, statistics, store, entrant, False), "It has played no game yet."),
        _panel("Thinking time", _thinking(statistics, entrant), "It has made no decision yet."),
        _panel("Faults", _faults(tournament, statistics, store, entrant), "It did nothing wrong."),
        class_="panels",
    )
    games = format_count(statistics.tally.games, "game")
    yield el("p", f"After {games} of the tournament. Load the page again for the newest.", class_="soft")


def _facts(statistics: ReportFindings, entrant: int) -> Markup:
    """Return the line of the standings that a bot has, cell by cell."""
    rows = list_bot_rows(statistics)
    own = next(row for row in rows if row.name == statistics.names[entrant])
    parts = [
        el("div", el("dt", column.heading, title=column.meaning), el("dd", typeset(column.text(own))))
        for column in choose_columns(rows)
        if column is not NAME
    ]
    return el("dl", *parts, class_="facts")


def _panel(title: str, content: Content, otherwise: str) -> Markup:
    return el("section", el("h2", title), el("p", otherwise, class_="soft") if content is None else content)


def _meetings(tournament: str, statistics: ReportFindings, entrant: int) -> Content:
    def name_bot(other: int) -> Markup:
        name = statistics.names[other]
        return el("a", _isolate(name), href=bot_page_address(tournament, name))

    return bot_pairs_table(statistics, entrant, name_bot)


def _thinking(statistics: ReportFindings, entrant: int) -> Content:
    times = statistics.tally.think(entrant)
    if not times:
        return None
    caption = "Its decisions by thinking time; the upright lines are at p50 and p99."
    return figure(caption, draw_thinking([(statistics.names[entrant], times)]))


def _faults(tournament: str, statistics: ReportFindings, store: Store, entrant: int) -> Content:
    """Return the first fault of each kind, with the evidence."""
    found = list(list_incidents(statistics.tally.first_faults.get(entrant, {}), store))
    if not found:
        return None
    return [
        el(
            "details",
            el("summary", f"{incident.fault.kind}: {incident.fault.message}"),
            el("p", "First in ", _link_game(tournament, game), f", at its question {incident.fault.decision}."),
            show_evidence(incident),
        )
        for game, incident in found
    ]


def _game_table(tournament: str, statistics: ReportFindings, store: Store, entrant: int, wants_best: bool) -> Content:
    extremes = statistics.notable.extremes.get(entrant, ExtremeGames())
    is_highest = wants_best != statistics.tally.lowest_wins
    ranked = extremes.highest if is_highest else extremes.lowest
    margins = {game: -value if is_highest else value for value, game in ranked}
    games = list(_find_games(store, list(margins)))
    if not games:
        return None
    kind = "most" if is_highest else "fewest"
    luck = ", less the luck of the draw" if statistics.luck_removal is not None else ""
    return table(
        "best-games" if wants_best else "worst-games",
        f"The {kind} points above the mean of its table{luck}; games without a forfeit.",
        ("Game", "Above the mean", "How it ended"),
        [
            (
                _link_game(tournament, game.game_id),
                typeset_signed(margins[game.game_id]),
                _tell_points(game, statistics.names),
            )
            for game in games
        ],
        words=(2,),
    )


def _find_games(store: Store, numbers: Sequence[int]) -> Iterator[GameResult]:
    """Yield the results of games; one that the store has lost meanwhile is left out."""
    for number in numbers:
        found = next(store.latest_results(number + 1), None)
        if found is not None and found.game_id == number:
            yield found


def _tell_points(game: GameResult, names: Sequence[str]) -> Iterator[Content]:
    for number, seat in enumerate(sorted(game.seats, key=lambda seat: seat.place)):
        yield ", " if number else None
        yield _isolate(names[seat.entrant])
        yield f" {seat.points:g}"


def _isolate(name: str) -> Markup:
    """Return a name that does not turn what stands beside it around, though it is written from right to left."""
    return el("bdi", name, dir="auto")


def _link_game(tournament: str, game: int) -> Markup:
    return el("a", f"game {game}", href=f"/t/{quote(tournament, safe='')}/games/{game}")
