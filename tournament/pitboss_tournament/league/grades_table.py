"""Grades as a table: the lines of the roster as they were, and what is told of each student in columns beside them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from pitboss_tournament.league.grades import AssignmentGrades, Grade, GradesOutput
from pitboss_tournament.league.roster import ClassRoster, RosterLine
from pitboss_tournament.results.verdict import format_sureness
from pitboss_tournament.text.columns import guard_cell

STUDENT: Final = "Student"
TOTAL: Final = "Total"
POINTS_POSSIBLE: Final = "points possible"
DETAILS: Final[Mapping[str, Callable[[Grade], object]]] = {
    "Group": lambda one: one.owner if one.group else "",
    "Bot": lambda one: one.bot,
    "Version": lambda one: one.version,
    "Tier": lambda one: one.tier,
    "Place": lambda one: one.place,
    "May be": lambda one: (
        "" if one.best is None else f"{one.best} to {one.worst}" if one.best != one.worst else one.best
    ),
    "Beats": lambda one: "; ".join(f"{name} ({format_sureness(sure)} sure)" for name, sure in one.beats.items()),
    "For valid": lambda one: write_points(one.parts.valid) if one.bot else "",
    "For beaten": lambda one: write_points(one.parts.beats) if one.bot else "",
    "For tier": lambda one: write_points(one.parts.tier) if one.bot else "",
    "For place": lambda one: write_points(one.parts.top) if one.bot else "",
    "Late days": lambda one: one.late_days if one.bot else "",
    "Off for late days": lambda one: write_points(one.parts.late) if one.bot else "",
    "Games": lambda one: one.games if one.bot else "",
    "Note": lambda one: one.note,
    "Bot page": lambda one: one.evidence[0] if one.evidence else "",
    "Submission": lambda one: one.evidence[1] if one.evidence else "",
}


def write_grades(output: GradesOutput, roster: ClassRoster | None, *, points_only: bool) -> str:
    """Return the grades as CSV.

    The columns of the roster stay as they are, and so do lines of no student. Points stand under the
    heading of the assignment: that of the roster which is the league's name, also with a number in brackets behind
    it as Canvas has it, else in a column of its own. Of one league each student's details follow, of several the
    total.
    """
    shown = roster or _make_roster(output)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=shown.delimiter, lineterminator="\n")
    headings = shown.headings or [STUDENT]
    columns = [_find_column(one, headings) for one in output.assignments]
    added = [one.league for one, column in zip(output.assignments, columns, strict=True) if column is None]
    has_details = len(output.assignments) == 1 and not points_only
    has_total = len(output.assignments) > 1
    more = [*added, *([TOTAL] if has_total else []), *(DETAILS if has_details else [])]
    writer.writerow([*headings, *more])
    by_student = [{grade.student: grade for grade in one.grades} for one in output.assignments]
    totals = {one.student: one.total for one in output.totals}
    for line in shown.lines:
        cells = [*line.cells, *[""] * (len(headings) - len(line.cells))]
        points = list(_list_points(line, output.assignments, by_student))
        for column, own in zip(columns, points, strict=True):
            if column is not None and (line.name or not cells[column].strip()):
                cells[column] = own or cells[column]
        cells += [own for column, own in zip(columns, points, strict=True) if column is None]
        if has_total:
            cells.append(write_points(totals[line.name]) if line.name else "")
        if has_details:
            grade = by_student[0].get(line.name)
            cells += ["" if grade is None else _write(tell(grade)) for tell in DETAILS.values()]
        writer.writerow(cells)
    return out.getvalue()


def list_other_possibles(output: GradesOutput, roster: ClassRoster) -> Iterator[str]:
    """Yield a sentence for each assignment whose possible points in the roster are not the most of its rubric."""
    for one in output.assignments:
        column = _find_column(one, roster.headings)
        if column is None or one.rubric.most is None:
            continue
        for line in roster.lines:
            said = line.cells[column].strip() if column < len(line.cells) and _is_possible(line) else ""
            if said and said not in (write_points(one.rubric.most), f"{one.rubric.most}", f"{one.rubric.most:.2f}"):
                yield (
                    f"{one.league}: the roster has {said} points possible, which stay, and `most` in [grades] is "
                    f"{write_points(one.rubric.most)}"
                )


def _is_possible(line: RosterLine) -> bool:
    """Whether this is Canvas's line of possible points."""
    return bool(line.cells) and line.cells[0].strip().casefold() == POINTS_POSSIBLE


def write_points(points: float) -> str:
    """Return points without digits that say nothing."""
    return f"{points:.6f}".rstrip("0").rstrip(".")


def _write(value: object) -> str:
    return "" if value is None else guard_cell(f"{value}") if isinstance(value, str) else f"{value}"


def _make_roster(output: GradesOutput) -> ClassRoster:
    students = [RosterLine([one.student], one.student) for one in output.totals]
    return ClassRoster([STUDENT], students, ",")


def _find_column(one: AssignmentGrades, headings: Sequence[str]) -> int | None:
    """Return the column of the roster that is meant for the points of an assignment; None if there is none."""
    wanted = re.compile(rf"{re.escape(one.league)}\s*(\(\d+\))?", re.IGNORECASE)
    return next((at for at, heading in enumerate(headings) if wanted.fullmatch(heading.strip())), None)


def _list_points(
    line: RosterLine, assignments: Sequence[AssignmentGrades], by_student: Sequence[Mapping[str, Grade]]
) -> Iterator[str]:
    """Yield the cell of a line for the points of each assignment; in Canvas's line of possible points, the most."""
    for one, grades in zip(assignments, by_student, strict=True):
        if line.name:
            yield write_points(grades[line.name].points)
        elif _is_possible(line) and one.rubric.most is not None:
            yield write_points(one.rubric.most)
        else:
            yield ""
