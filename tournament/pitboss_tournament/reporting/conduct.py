"""The sections about how the games went: thinking times, lengths, and what went wrong, with the evidence."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping
from math import floor, log10

from pitboss.record import Incident
from pitboss_tournament.reporting import sentences
from pitboss_tournament.reporting.charts import Bar, Bars, histogram, histograms
from pitboss_tournament.reporting.elements import Content, Markup, el
from pitboss_tournament.reporting.gathering import Gathered
from pitboss_tournament.reporting.notable import decisions
from pitboss_tournament.reporting.numbers import counted, duration
from pitboss_tournament.reporting.parts import figure, note, section, table
from pitboss_tournament.reporting.scales import linear, logarithmic, round_step
from pitboss_tournament.results.scoring import GameResult
from pitboss_tournament.results.store import Store
from pitboss_tournament.results.times import STEPS, Times, quantile
from pitboss_tournament.showing.evidence import MARGIN, evidence
from pitboss_tournament.showing.scoreboard import by_kind

SHARES = {"p50": 0.5, "p90": 0.9, "p99": 0.99}
GROUPED = 4  # steps of a doubling's eight that make one bar
MOST_BARS = 40
WIDE = 20  # so many times the shortest game: then lengths are shown by magnitude
MAGNITUDES = 10  # bars from one power of ten to the next
MOST_EVIDENCE = 5  # of each bot


def thinking(found: Gathered) -> Markup:
    """Show how long the bots thought, and how late the runner was."""
    rows = [_thought(line.name, found.think[entrant]) for entrant, line in found.standings() if found.think[entrant]]
    scale = logarithmic([us for entrant, _ in found.standings() for us in _ends(found.think[entrant])], duration)
    said = "; ".join(f"{row.label}: {row.said}" for row in rows)
    picture = histograms("thinking-times", "Thinking time of each decision, by bot", said, rows, scale)
    cells = [
        (
            line.name,
            *(duration(quantile(found.think[entrant], share)) for share in SHARES.values()),
            f"{sum(found.think[entrant].values()):,}",
        )
        for entrant, line in found.standings()
    ]
    lag = [f"{name} {duration(quantile(found.tally.lag, share))}" for name, share in SHARES.items()]
    return section(
        "thinking",
        "Thinking time",
        el("p", sentences.THINKING),
        figure(
            "Decisions by thinking time; the upright lines are at p50 and p99, each bot's bars are as high as its highest.",
            picture,
        )
        if rows
        else None,
        table("thinking-table", "Thinking time of one decision, right to within 5 %.", ("Bot", *SHARES, "Decisions"), cells),
        note(sentences.LAG, f" Here: {', '.join(lag)}." if found.tally.lag else None),
    )


def _thought(name: str, think: Times) -> Bars:
    bars: Counter[int] = Counter()
    for step, count in think.items():
        bars[step // GROUPED] += count
    marks = {mark: quantile(think, SHARES[mark]) or 1.0 for mark in ("p50", "p99")}
    return Bars(
        label=name,
        said=" · ".join(f"{mark} {duration(us)}" for mark, us in marks.items()),
        bars=[
            Bar(_log(number * GROUPED - 0.5), _log((number + 1) * GROUPED - 0.5), count) for number, count in sorted(bars.items())
        ],
        marks={mark: log10(us) for mark, us in marks.items()},
    )


def _log(step: float) -> float:
    """Return where a step of a count of times lies: the logarithm of its microseconds."""
    return step / STEPS * log10(2)


def _ends(think: Times) -> Iterator[float]:
    if think:
        yield from (2 ** (step / STEPS) for step in (min(think), max(think)))


def lengths(found: Gathered) -> Markup:
    """Show how long the games were."""
    if not found.lengths:
        return section("lengths", "Length of the games", el("p", "No game has been played yet."))
    shortest, longest = min(found.lengths), max(found.lengths)
    if longest > WIDE * shortest:
        bars, scale = _by_magnitude(found.lengths), logarithmic([shortest, longest], lambda length: f"{length:,}")
    else:
        bars, scale = _by_length(found.lengths), linear([shortest - 0.5, longest + 0.5], least_step=1)
    mean = sum(length * count for length, count in found.lengths.items()) / sum(found.lengths.values())
    said = f"Shortest {shortest:,}, mean {mean:,.1f}, longest {longest:,} decisions."
    picture = histogram("game-lengths", "Games by the number of decisions that the bots made", said, bars, scale)
    return section("lengths", "Length of the games", el("p", sentences.LENGTHS), figure(said, picture))


def _by_magnitude(lengths: Mapping[int, int]) -> list[Bar]:
    bars: Counter[int] = Counter()
    for length, count in lengths.items():
        bars[floor(MAGNITUDES * log10(max(length, 1)))] += count
    return [Bar(number / MAGNITUDES, (number + 1) / MAGNITUDES, count) for number, count in sorted(bars.items())]


def _by_length(lengths: Mapping[int, int]) -> list[Bar]:
    width = max(1, int(round_step(max(1.0, (max(lengths) - min(lengths) + 1) / MOST_BARS))))
    bars: Counter[int] = Counter()
    for length, count in lengths.items():
        bars[length // width] += count
    return [Bar(number * width - 0.5, (number + 1) * width - 0.5, count) for number, count in sorted(bars.items())]


def faults(found: Gathered, store: Store) -> Markup:
    """Show what the bots did wrong, with the evidence, and which games were void."""
    wrong = [(entrant, line) for entrant, line in found.standings() if line.faults or line.substituted]
    cells = [
        (line.name, by_kind(line.faults) or "0", by_kind(line.substituted) or "0", "yes" if line.is_out else "no")
        for _, line in wrong
    ]
    if not wrong:
        return section("faults", "Faults", el("p", "No bot did anything wrong."), _voids(store))
    return section(
        "faults",
        "Faults",
        el("p", sentences.FAULTS),
        table(
            "faults-table",
            "Faults by bot and kind.",
            ("Bot", "Games forfeited", "Decisions substituted", "Out"),
            cells,
            words=(1, 2),
        ),
        [_of_bot(line.name, found.trouble[entrant], store) for entrant, line in wrong],
        _voids(store),
    )


def _of_bot(name: str, first: Mapping[str, tuple[int, int]], store: Store) -> list[Markup]:
    places = sorted((game, seat, kind) for kind, (game, seat) in first.items())[:MOST_EVIDENCE]
    return [el("h3", name), *(_incident(game, seat, kind, store) for game, seat, kind in places)]


def _incident(game: int, seat: int, kind: str, store: Store) -> Markup:
    incident = next(one for one in store.record(game).incidents if (one.fault.seat, one.fault.kind) == (seat, kind))
    return el(
        "details",
        el("summary", _headline(game, incident)),
        el("pre", *map(_line, evidence(incident, (), None))),
        el("p", "To see the game: ", _command("replay", store, game)),
        el("p", "What was said: ", _command("log", store, game, "--seat", str(seat))),
    )


def _line(line: str) -> Markup:
    """Return a line of evidence; what a bot said stays behind its margin however narrow the page is."""
    if line.startswith(MARGIN.rstrip()):
        return el("span", line.removeprefix(MARGIN.rstrip()).removeprefix(" "), class_="quoted")
    return el("span", line.strip())


def _headline(game: int, incident: Incident) -> str:
    fault = incident.fault
    return f"{fault.kind} in game {game}, seat {fault.seat}, question {fault.decision}: {fault.message}"


def _voids(store: Store) -> Content:
    causes = store.void_causes()
    if not causes:
        return None
    messages: dict[str, str] = {}
    for void in store.voids():
        messages.setdefault(void.cause, void.message)
    cells = [
        (cause, f"{count:,}", messages[cause]) for cause, count in sorted(causes.items(), key=lambda item: (-item[1], item[0]))
    ]
    return [
        el("h3", "Void games"),
        el("p", sentences.VOIDS),
        table("voids-table", "Void games by cause.", ("Cause", "Games", "The first time"), cells, words=(2,)),
    ]


def notable(found: Gathered, store: Store) -> Markup:
    """Show which games are worth a look."""
    cells = [
        (name, f"{game.game_id}", _ended(found, game), _command("replay", store, game.game_id))
        for name, game in found.notable.games()
    ]
    return section(
        "notable",
        "Notable games",
        el("p", sentences.NOTABLE),
        table(
            "notable-table",
            "Points, the best placed first, and the decisions that the bots made.",
            ("Which", "Game", "How it ended", "To see it"),
            cells,
            words=(2, 3),
        ),
    )


def _ended(found: Gathered, game: GameResult) -> str:
    seats = sorted(game.seats, key=lambda seat: seat.place)
    scores = ", ".join(
        f"{found.header.bots[seat.entrant]} {seat.points:g}{f' ({seat.fault})' if seat.fault else ''}" for seat in seats
    )
    return f"{scores}; {counted(decisions(game), 'decision')}"


def _command(verb: str, store: Store, game: int, *words: str) -> Markup:
    return el("code", shlex.join(["pitboss", verb, str(store.path), str(game), *words]))
