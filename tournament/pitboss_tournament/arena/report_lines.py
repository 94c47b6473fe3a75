"""The report of an arena as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pitboss_tournament.arena.arena_audit import AuditFinding
from pitboss_tournament.arena.feedback import NOT_DISTINGUISHED
from pitboss_tournament.arena.measures import ArenaReport, EntrantReport, RoundOfEntrant
from pitboss_tournament.arena.over_games import GamesReport, tell_total_cost
from pitboss_tournament.results.numbers import format_interval
from pitboss_tournament.results.verdict import rank_text
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.text.columns import TableLine, format_table
from pitboss_tournament.text.terminal_text import escape_line


def report_lines(found: ArenaReport) -> list[TableLine]:
    """Return what an arena's rounds show: places of the last round, curves, and what is to be looked at."""
    head = f"{found.title}: {found.game}, {found.rounds} of {found.planned} rounds"
    if not found.rounds:
        return [TableLine(escape_line(head), is_heading=True), TableLine("No round is over yet.")]
    winner = found.winner or NOT_DISTINGUISHED
    rows = [_list_cells(entrant, found.measure) for entrant in found.entrants]
    unit = "rating points" if found.measure == "rating" else "points a game"
    zero = f" above {found.anchor}" if found.anchor and found.measure == "rating" else ""
    lines = [
        TableLine(escape_line(head), is_heading=True),
        TableLine(escape_line(f"Winner of round {found.rounds}: {winner}")),
        TableLine(""),
        *format_table(
            ("Entrant", "Rank", found.measure.capitalize(), "Gain", "Over-fitted", "Versions", "Cost"),
            rows,
            ("Rank", found.measure.capitalize(), "Gain", "Over-fitted", "Versions"),
        ),
        TableLine(""),
        TableLine(escape_line(f"By round, in {unit}{zero}, with intervals of 95 %:")),
        *format_table(
            ("Entrant", *(str(number) for number in range(1, found.rounds + 1))),
            [
                (escape_line(one.name), *(_show(getattr(line, found.measure)) for line in one.rounds))
                for one in found.entrants
            ],
            tuple(str(number) for number in range(1, found.rounds + 1)),
        ),
    ]
    remarks = [*_list_remarks(found)]
    return [*lines, *([TableLine("")] if remarks else []), *(TableLine(escape_line(remark)) for remark in remarks)]


def _list_cells(entrant: EntrantReport, measure: str) -> tuple[str, ...]:
    last = entrant.rounds[-1]
    return (
        escape_line(entrant.name),
        "" if last.ranks is None else rank_text(last.ranks),
        _show(getattr(last, measure)),
        _show(entrant.gain, has_sign=True),
        _show(last.overfit, has_sign=True),
        str(sum(line.is_new for line in entrant.rounds)),
        tell_total_cost(entrant),
    )


def _show(found: Estimate, *, has_sign: bool = False) -> str:
    return format_interval(found, digits=0 if abs(found.mean or 0) >= 10 else 1, has_sign=has_sign)


def _list_remarks(found: ArenaReport) -> Iterator[str]:
    """Yield what the host should look at: gifts, over-fitting, changed files, refused versions, equal sources."""
    yield from found.gifts
    for entrant in found.entrants:
        if twins := entrant.same_as:
            yield f"{entrant.name} has played the same sources as {', '.join(twins)}."
        for line in entrant.rounds:
            yield from _list_round_remarks(entrant.name, line)


def _list_round_remarks(name: str, line: RoundOfEntrant) -> Iterator[str]:
    where = f"Round {line.round}, {name}"
    if is_overfitted(line):
        yield f"{where}: over-fitted to the practice deals by {format_interval(line.overfit, digits=0)}."
    if is_held_back(line):
        yield f"{where}: worse on the practice deals by {format_interval(line.overfit, digits=0)}; it may hide."
    if line.tampered:
        yield f"{where}: changed files of the judge: {', '.join(line.tampered[:5])}."
    if line.refused:
        yield f"{where}: its new version did not play: {line.refused}"
    if line.edit != "ended":
        yield f"{where}: its command {'failed' if line.edit == 'failed' else f'was ended ({line.edit})'}."
    if line.faults:
        kinds = ", ".join(f"{kind} {count}" for kind, count in line.faults.items())
        yield f"{where}: forfeited games ({kinds})."


def is_overfitted(line: RoundOfEntrant) -> bool:
    """Whether it is proven at 95 % that a version is better on the practice deals than on others."""
    mean, width = line.overfit.mean, line.overfit.half_width
    return mean is not None and width is not None and mean > width


def is_held_back(line: RoundOfEntrant) -> bool:
    """Whether it is proven at 95 % that a version is worse on the practice deals than on others."""
    mean, width = line.overfit.mean, line.overfit.half_width
    return mean is not None and width is not None and -mean > width


def game_lines(found: GamesReport) -> list[TableLine]:
    """Return several arenas as one table."""
    header = ("Entrant", "Mean", *found.arenas, "Gain", "Won", "Cost")
    rows = [
        (
            escape_line(row.name),
            _show(row.mean),
            *(_show(row.games[arena]) if arena in row.games else "" for arena in found.arenas),
            _show(row.gain, has_sign=True),
            str(row.wins),
            tell_total_cost(row),
        )
        for row in found.entrants
    ]
    return format_table(tuple(map(escape_line, header)), rows, header[1:-1])


def audit_lines(found: Sequence[AuditFinding]) -> Iterator[str]:
    """Yield what an audit has found, one line for each check."""
    for one in found:
        yield escape_line(f"{'good' if one.is_good else 'BAD '}  {one.what}{f': {one.why}' if one.why else ''}")
