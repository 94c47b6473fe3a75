"""Sections on conduct: thinking times, lengths of games, and faults with their evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log10
from typing import Final

from pitboss.records.record import Incident
from pitboss.text import format_count
from pitboss_tournament.counting.notable_games import count_bot_decisions
from pitboss_tournament.counting.report_findings import ReportFindings
from pitboss_tournament.html.charts import (
    HistogramRow,
    draw_histogram,
    draw_histograms,
    draw_length_bars,
    gather_bars,
    logarithmic_axis,
)
from pitboss_tournament.html.elements import Content, Markup, el
from pitboss_tournament.html.number_format import format_duration
from pitboss_tournament.html.page_parts import Section, explain, figure, fold, note, section, table
from pitboss_tournament.reporting import explanations
from pitboss_tournament.reporting.replay_links import ReplayLinks
from pitboss_tournament.results.fault_evidence import EvidenceLine, ask_command, game_command, quote_bot, tell_judgement
from pitboss_tournament.results.notes import format_kinds
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.statistics.time_histogram import STEPS_PER_DOUBLING, TimeHistogram, quantile
from pitboss_tournament.store.store import Store

QUANTILES: Final = {"p50": 0.5, "p90": 0.9, "p99": 0.99}
STEPS_PER_BAR: Final = 4  # steps of a doubling's eight that make one bar
MAX_DRAWN_BOTS: Final = 100  # whose times are drawn
MAX_INCIDENTS: Final = 5  # of each bot
MAX_OPEN_BOTS: Final = 4  # whose faults are listed; of more, behind a fold


def thinking_section(statistics: ReportFindings) -> Section:
    """Return the section on thinking times and the runner's lag."""
    tally = statistics.tally
    think = {line.name: tally.think(entrant) for entrant, line in statistics.numbered_standings}
    thinkers = [(name, times) for name, times in think.items() if times]
    cells = [(name, *_format_quantiles(times), f"{sum(times.values()):,}") for name, times in think.items()]
    lag = ", ".join(map(" ".join, zip(QUANTILES, _format_quantiles(tally.lag), strict=True)))
    return section(
        "thinking",
        "Thinking time",
        figure(
            "Decisions by thinking time; the upright lines are at p50 and p99, "
            f"each bot's bars are as high as its highest.{_tell_undrawn(len(thinkers))}",
            draw_thinking(thinkers[:MAX_DRAWN_BOTS]),
        )
        if thinkers
        else None,
        fold(
            "The times in numbers",
            table(
                "thinking-table",
                "Thinking time of one decision, right to within 5 %.",
                ("Bot", *QUANTILES, "Decisions"),
                cells,
            ),
        ),
        explain(note(explanations.THINKING), note(explanations.LAG, f" Here: {lag}." if tally.lag else None)),
    )


def draw_thinking(thinkers: Sequence[tuple[str, TimeHistogram]]) -> Markup:
    """Draw the thinking times of bots, one or more, each with one or more times."""
    steps = [step for _, times in thinkers for step in (min(times), max(times))]
    axis = logarithmic_axis([2 ** (step / STEPS_PER_DOUBLING) for step in steps], format_duration)
    rows = [_thinking_row(name, times) for name, times in thinkers]
    return draw_histograms("thinking-times", "Thinking time of each decision, by bot", rows, axis)


def _tell_undrawn(bots: int) -> str:
    return f" The first {MAX_DRAWN_BOTS} of {bots:,} bots; the table has all." if bots > MAX_DRAWN_BOTS else ""


def _format_quantiles(times: TimeHistogram) -> list[str]:
    return [format_duration(quantile(times, share)) for share in QUANTILES.values()]


def _thinking_row(name: str, think: TimeHistogram) -> HistogramRow:
    marks = {mark: quantile(think, QUANTILES[mark]) or 1.0 for mark in ("p50", "p99")}
    return HistogramRow(
        label=name,
        text=" · ".join(f"{mark} {format_duration(us)}" for mark, us in marks.items()),
        bars=gather_bars(
            think,
            bin_of=lambda step: step // STEPS_PER_BAR,
            low_end=lambda number: (number * STEPS_PER_BAR - 0.5) / STEPS_PER_DOUBLING * log10(2),
        ),
        marks={mark: log10(us) for mark, us in marks.items()},
    )


def lengths_section(statistics: ReportFindings) -> Section:
    """Return the section on the lengths of games."""
    if not statistics.lengths:
        return section("lengths", "Length of the games", el("p", "No game has been played yet."))
    shortest, longest = min(statistics.lengths), max(statistics.lengths)
    axis, bars = draw_length_bars([statistics.lengths])
    mean = sum(length * count for length, count in statistics.lengths.items()) / sum(statistics.lengths.values())
    said = f"Shortest {shortest:,}, mean {mean:,.1f}, longest {longest:,} decisions."
    picture = draw_histogram("game-lengths", "Games by the number of decisions that the bots made", said, bars[0], axis)
    return section("lengths", "Length of the games", figure(said, picture), explain(note(explanations.LENGTHS)))


def faults_section(statistics: ReportFindings, store: Store) -> Section:
    """Return the section on faults with their evidence, and on void games."""
    faulty = [(entrant, line) for entrant, line in statistics.numbered_standings if line.faults or line.substituted]
    if not faulty:
        return section("faults", "Faults", el("p", "No bot did anything wrong."), _void_games(store))
    cells = [
        (
            line.name,
            format_kinds(line.faults) or "0",
            format_kinds(line.substituted) or "0",
            "yes" if line.is_out else "no",
        )
        for _, line in faulty
    ]
    evidence = [_bot_incidents(line.name, statistics.tally.first_faults[entrant], store) for entrant, line in faulty]
    return section(
        "faults",
        "Faults",
        table(
            "faults-table",
            "Faults by bot and kind.",
            ("Bot", "Games forfeited", "Decisions substituted", "Out"),
            cells,
            words=(1, 2),
        ),
        explain(note(explanations.FAULT_EXPLANATION)),
        evidence if len(faulty) <= MAX_OPEN_BOTS else fold("The first faults of each bot", evidence),
        _void_games(store),
    )


def list_incidents(first: Mapping[str, tuple[int, int]], store: Store) -> Iterator[tuple[int, Incident]]:
    """Yield the first faults of a bot, one of each kind, each with its game; those of `Tally.first_faults`.

    A fault whose record is missing in a damaged store is left out.
    """
    for game, seat, kind in sorted((game, seat, kind) for kind, (game, seat) in first.items())[:MAX_INCIDENTS]:
        for incident in store.record(game).incidents:
            if (incident.fault.seat, incident.fault.kind) == (seat, kind):
                yield game, incident
                break


def show_evidence(incident: Incident) -> Markup:
    """Return the evidence of a fault: what was said before it, and the last words of the bot."""
    return el("pre", *map(_show_line, (*tell_judgement(incident), *quote_bot(incident))))


def _bot_incidents(name: str, first: Mapping[str, tuple[int, int]], store: Store) -> list[Markup]:
    return [el("h3", name), *(_incident_details(game, one, store) for game, one in list_incidents(first, store))]


def _incident_details(game: int, incident: Incident, store: Store) -> Markup:
    seat = incident.fault.seat
    asked = el("p", "To ask it again: ", el("code", ask_command(store.path, game, seat)))
    return fold(
        f"{incident.fault.kind} in game {game}, seat {seat}, question {incident.fault.decision}: "
        f"{incident.fault.message}",
        show_evidence(incident),
        el("p", "To see the game: ", _command_line("replay", store, game)),
        el("p", "What was said: ", _command_line("log", store, game, "--seat", str(seat))),
        *([asked] if incident.fault.decision else ()),
    )


def _show_line(line: EvidenceLine) -> Markup:
    """Return a line of evidence; quotes of a bot stay behind their margin however narrow the page is."""
    return el("span", line.text.rstrip(), class_="quoted" if line.is_quoted else None)


def _void_games(store: Store) -> Content:
    voids = store.voids()
    if not voids:
        return None
    causes = Counter(void.cause for void in voids)
    messages = {void.cause: void.message for void in reversed(voids)}  # the first one of each cause
    cells = [
        (cause, f"{count:,}", messages[cause])
        for cause, count in sorted(causes.items(), key=lambda item: (-item[1], item[0]))
    ]
    return [
        el("h3", "Void games"),
        table("voids-table", "Void games by cause.", ("Cause", "Games", "The first time"), cells, words=(2,)),
        note(explanations.VOIDS),
    ]


def notable_section(statistics: ReportFindings, store: Store, replays: ReplayLinks | None = None) -> Section:
    """Return the section on notable games; with `replays` their names lead to their pages."""
    cells = [
        (
            _link_game(name, game, replays),
            f"{game.game_id}",
            _outcome_text(statistics, game),
            _command_line("replay", store, game.game_id),
        )
        for name, game in statistics.notable.games()
    ]
    return section(
        "notable",
        "Notable games",
        table(
            "notable-table",
            "Points, the best placed first, and the decisions that the bots made.",
            ("Which", "Game", "How it ended", "To see it"),
            cells,
            words=(2, 3),
        ),
        explain(note(explanations.NOTABLE)),
    )


def _link_game(name: str, game: GameResult, replays: ReplayLinks | None) -> Content:
    return name if replays is None else replays.link(game.game_id, name)


def _outcome_text(statistics: ReportFindings, game: GameResult) -> str:
    seats = sorted(game.seats, key=lambda seat: seat.place)
    scores = ", ".join(
        f"{statistics.header.labels[seat.entrant]} {seat.points:g}{f' ({seat.fault})' if seat.fault else ''}"
        for seat in seats
    )
    return f"{scores}; {format_count(count_bot_decisions(game), 'decision')}"


def _command_line(verb: str, store: Store, game: int, *words: str) -> Markup:
    return el("code", game_command(verb, store.path, game, *words))
