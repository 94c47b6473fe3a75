"""The scoreboard: the standings as lines of text for people, with what the bots did wrong, how long they thought, and how late the runner was."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from pitboss.record import Incident
from pitboss_tournament.results.standings import Estimate, Standing, Tally, quantile_ms
from pitboss_tournament.showing.words import fitted, harmless

GAP: Final = "  "
SHORTEST_NAME: Final = 8

INTERVALS: Final = "± is a 95 % interval over blocks; a block is one deal in all its rotations."
TIMES: Final = "p50, p99: half of a bot's decisions, and 99 of 100, took no longer."
FAULTS: Final = "faults: games forfeited, +decisions for which the neutral action was substituted."


class Line(NamedTuple):
    """A line of the board."""

    text: str
    is_heading: bool = False


class Column(NamedTuple):
    """A column of numbers, and where they come from."""

    heading: str
    cell: Callable[[Standing], str]


def with_interval(estimate: Estimate, scale: float = 1) -> str:
    """Write an estimate: "61.3 ±4.2"; "±?" where the interval is not known."""
    if estimate.mean is None:
        return "-"
    width = "?" if estimate.half_width is None else f"{estimate.half_width * scale:.1f}"
    return f"{estimate.mean * scale:.1f} ±{width}"


def milliseconds(ms: float | None) -> str:
    """Write a time with as many digits as tell something."""
    if ms is None:
        return "-"
    return f"{ms:,.0f}" if ms >= 100 else f"{ms:.1f}" if ms >= 10 else f"{ms:.2f}"


def _wrong(line: Standing) -> str:
    """Write how many games were forfeited, and +n for decisions that were substituted."""
    forfeited, substituted = sum(line.faults.values()), sum(line.substituted.values())
    parts = [f"{forfeited:,}"] if forfeited or substituted else ["-"]
    if substituted:
        parts.append(f"+{substituted:,}")
    if line.is_out:
        parts.append("out")
    return " ".join(parts)


BLOCKS: Final = Column("blocks", lambda line: f"{line.blocks:,}")
GAMES: Final = Column("games", lambda line: f"{line.games:,}")
RESULTS: Final = (
    Column("points", lambda line: with_interval(line.points)),
    Column("wins %", lambda line: with_interval(line.wins, 100)),
)
CONDUCT: Final = (
    Column("p50 ms", lambda line: milliseconds(line.think_p50_ms)),
    Column("p99 ms", lambda line: milliseconds(line.think_p99_ms)),
    Column("faults", _wrong),
)


def board(standings: Sequence[Standing], width: int | None = None) -> list[Line]:
    """Return the standings as a table; where it is too wide, as two, one below the other."""
    whole = _table(standings, (GAMES, BLOCKS, *RESULTS, *CONDUCT))
    if width is None or _fit(whole, width):
        return whole
    without_blocks = _table(standings, (GAMES, *RESULTS, *CONDUCT))
    if _fit(without_blocks, width):
        return without_blocks
    upper = _fitting(standings, ((GAMES, BLOCKS, *RESULTS), (GAMES, *RESULTS), RESULTS), width)
    return [*upper, Line(""), *_fitting(standings, (CONDUCT,), width)]


def _fitting(standings: Sequence[Standing], choices: Sequence[Sequence[Column]], width: int) -> list[Line]:
    """Return the first choice of columns that fits, or the last one with the names cut."""
    for columns in choices:
        lines = _table(standings, columns)
        if _fit(lines, width):
            return lines
    excess = max(len(line.text) for line in lines) - width
    longest = max(len(line.name) for line in standings) - excess
    return _table(standings, columns, max(longest, SHORTEST_NAME))


def _fit(lines: Sequence[Line], width: int) -> bool:
    return max(len(line.text) for line in lines) <= width


def _table(standings: Sequence[Standing], columns: Sequence[Column], longest_name: int | None = None) -> list[Line]:
    rows = [["", "bot", *(column.heading for column in columns)]]
    for place, line in enumerate(standings, 1):
        rows.append([str(place), _name(line.name, longest_name), *(column.cell(line) for column in columns)])
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    return [Line(_row(row, widths), is_heading=at == 0) for at, row in enumerate(rows)]


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    place, name, *numbers = (
        cell.ljust(wide) if at == 1 else cell.rjust(wide) for at, (cell, wide) in enumerate(zip(cells, widths, strict=True))
    )
    return GAP.join([f"{place} {name}", *numbers])


def _name(name: str, longest: int | None) -> str:
    name = harmless(name)
    return name if longest is None or len(name) <= longest else f"{name[: longest - 1]}…"


def fault_lines(line: Standing, first: tuple[int, Incident] | None, store: Path) -> Iterator[str]:
    """Yield what one bot did wrong: how often, and the first time, with its game, and how to look at it."""
    parts = []
    if line.faults:
        parts.append(f"{_counted(sum(line.faults.values()), 'game')} forfeited ({by_kind(line.faults)})")
    if line.substituted:
        parts.append(f"{_counted(sum(line.substituted.values()), 'decision')} substituted ({by_kind(line.substituted)})")
    yield f"{line.name}: {', '.join(parts)}{'; it is out of the tournament' if line.is_out else ''}"
    if first is not None:
        game, fault = first[0], first[1].fault
        name = shlex.quote(str(store))
        yield f"  first in game {game}, decision {fault.decision}, {fault.kind}: {fault.message}"
        yield f"  to see it: pitboss replay {name} {game}"
        yield f"  what was said: pitboss log {name} {game} --seat {fault.seat}"


def notes(tally: Tally, voids: Mapping[str, int]) -> Iterator[str]:
    """Yield what is below the board: what its numbers mean, how late the runner was, and the games that were void."""
    yield INTERVALS
    yield TIMES
    if any(tally.substituted):
        yield FAULTS
    if tally.lag:
        half, most = (milliseconds(quantile_ms(tally.lag, share)) for share in (0.5, 0.99))
        yield f"The runner's lag in reading answers: p50 {half} ms, p99 {most} ms; billed to nobody."
    if voids:
        yield f"Void by no bot's fault, and played again: {_counted(sum(voids.values()), 'game')} ({by_kind(voids)})."


def by_kind(counts: Mapping[str, int]) -> str:
    """Write counts, the greatest first: "late 3, crashed 1"."""
    return ", ".join(f"{kind} {count:,}" for kind, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def folded(lines: Sequence[str] | Iterator[str], width: int | None) -> Iterator[Line]:
    """Yield lines of text, harmless and in the width."""
    for line in lines:
        yield from (Line(part) for part in fitted(line.replace("\n", " "), width))


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
