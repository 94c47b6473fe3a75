"""Grades: the points of each student by the teacher's rubric, with what they rest on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from statistics import median
from typing import Annotated, Final, NamedTuple
from urllib.parse import quote

from msgspec import Meta, Struct

from pitboss.plugins.rungs import RUNG_PREFIX
from pitboss.text import format_count, join_words
from pitboss_tournament.league.anchors import ALL_RUNGS
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.class_standings import ClassLine, ClassStandings, StoreMoment, read_arrivals
from pitboss_tournament.league.deadlines import Deadlines
from pitboss_tournament.league.grades_file import GradesTable, PlaceEnd
from pitboss_tournament.league.submission import WAITING
from pitboss_tournament.league.term_book import fold_members, fold_name

NOTHING_SENT: Final = "nothing was submitted"
FEW_GAMES: Final = 0.25  # of the median of the versions that have a place: with fewer, a tier says little


class GradeParts(Struct, frozen=True, kw_only=True):
    """What points are made of."""

    valid: float = 0.0
    beats: float = 0.0
    tier: float = 0.0
    top: float = 0.0
    late: Annotated[float, Meta(description="What late days take off.")] = 0.0


class Grade(Struct, frozen=True, kw_only=True):
    """The grade of a student, and what it rests on."""

    student: str
    owner: Annotated[str, Meta(description="Who submitted: the student, or the group; empty: nobody did.")] = ""
    group: Annotated[list[str], Meta(description="Who is in the group; empty: it is none.")] = []
    points: float = 0.0
    parts: GradeParts = GradeParts()
    bot: str = ""
    version: int | None = None
    submission: int | None = None
    digest: Annotated[str, Meta(description="SHA-256 of the version's files.")] = ""
    sent: Annotated[str, Meta(description="When its upload began, in UTC.")] = ""
    late_days: int = 0
    extended: Annotated[
        str, Meta(description="When the owner's submissions ended, if that was later than for all.")
    ] = ""
    games: int = 0
    rating: float | None = None
    half_width: Annotated[float | None, Meta(description="Of the rating's comparison interval of 95 %.")] = None
    place: int | None = None
    best: Annotated[int | None, Meta(description="The best place that it may have, among all that have one.")] = None
    worst: int | None = None
    tier: int | None = None
    beats: Annotated[
        dict[str, float],
        Meta(description="Anchors that it is proven to beat, with the sureness; all anchors tested together."),
    ] = {}
    note: Annotated[str, Meta(description="Why there are no points, or fewer.")] = ""
    evidence: Annotated[list[str], Meta(description="Addresses of the bot and of the version.")] = []


class AssignmentGrades(Struct, frozen=True, kw_only=True):
    """The grades of a league."""

    league: str
    game: str
    is_final: Annotated[
        bool, Meta(description="Whether they rest on frozen standings; if not, games still change them.")
    ]
    why_not_final: str = ""
    is_repeated: Annotated[
        bool | None,
        Meta(description="Whether the games in the store give the frozen standings again; null: nothing is frozen."),
    ] = None
    closes: str | None
    moment: StoreMoment
    places: int
    rubric: GradesTable
    changed_rubric: Annotated[
        list[str], Meta(description="Keys of the rubric that have changed since the standings were frozen.")
    ] = []
    has_other_groups: Annotated[
        bool,
        Meta(description="Whether groups are others than the frozen ones, by which final grades go."),
    ] = False
    grades: list[Grade]
    not_listed: Annotated[list[str], Meta(description="Owners with a version that counts, and not in the roster.")] = []


class Total(Struct, frozen=True, kw_only=True):
    """The points of a student in all assignments."""

    student: str
    points: Annotated[dict[str, float], Meta(description="By assignment.")]
    total: float


class GradesOutput(Struct, frozen=True, kw_only=True):
    """The grades of a class in one league or in several, which are assignments."""

    assignments: list[AssignmentGrades]
    totals: list[Total]


class StudentOwner(NamedTuple):
    """A student, and who submits for them."""

    student: str
    owner: str


class Grader:
    """Gives the students of a class their points."""

    def __init__(
        self,
        rubric: GradesTable,
        standings: ClassStandings,
        book: Book,
        deadlines: Deadlines,
        members: Mapping[str, str],
        address: str,
    ) -> None:
        """`members`: the group of each person that is in one.

        `address`: of the league's pages, for links; "" makes these begin with /.
        """
        self._rubric = rubric
        self._standings = standings
        self._deadlines = deadlines
        self._address = address.rstrip("/")
        self._book = book
        self._members = members
        self._submissions = {one.number: one for one in book.submissions()}
        self._lines = {self._submissions[line.submission].owner: line for line in standings.lines}
        self._owners = {fold_name(name): name for name in book.owners()}
        self._arrivals = read_arrivals(book)
        games = [line.games for line in standings.lines if line.place is not None]
        self._few = max(rubric.games, FEW_GAMES * median(games)) if games else 0

    def find_owner(self, student: str, team: str = "") -> str:
        """Return who submits for a student: the group that the league knows, the team of the roster, or the student."""
        group = fold_members(self._members).get(fold_name(student))
        return group or self._owners.get(fold_name(team or student), "")

    def grade_all(self, students: Iterable[StudentOwner]) -> list[Grade]:
        """Return the grade of each student."""
        return [self._grade(one) for one in students]

    def list_others(self, students: Iterable[StudentOwner]) -> list[str]:
        """Return the owners with a version that counts who are no student, and whom no student has."""
        names = [*students]
        known = {one.owner for one in names} | {self._find_own(one.student) for one in names}
        return sorted(self._lines.keys() - known)

    def list_students(self) -> list[StudentOwner]:
        """Return all owners and the members of groups, each once, where there is no roster."""
        groups, grouped = set(self._members.values()), fold_members(self._members)
        alone = [
            StudentOwner(name, name)
            for name in self._book.owners()
            if name not in groups and fold_name(name) not in grouped
        ]
        hosts = {token.owner for token in self._book.tokens() if token.role == "host"}
        people = [StudentOwner(person, owner) for person, owner in self._members.items()]
        return sorted(one for one in [*alone, *people] if one.owner not in hosts)

    def _grade(self, one: StudentOwner) -> Grade:
        line = self._lines.get(one.owner)
        group = [person for person, owner in self._members.items() if owner == one.owner]
        end = self._deadlines.find_end(one.owner)
        is_extended = end is not None and self._deadlines.closes is not None and end > self._deadlines.closes
        extended = self._deadlines.show(end) if end is not None and is_extended else ""
        if line is None:
            note = "; ".join(filter(None, (self._explain_none(one.owner), self._explain_own(one))))
            return Grade(student=one.student, owner=one.owner, group=group, extended=extended, note=note)
        sent = self._submissions[line.submission]
        parts = compute_parts(self._rubric, line, self._standings.places)
        sure = {name: sureness for name, sureness in line.beats.items() if 100 * sureness >= self._rubric.sure}
        return Grade(
            student=one.student,
            owner=one.owner,
            group=group,
            points=add_parts(self._rubric, parts),
            parts=parts,
            bot=sent.bot,
            version=sent.version,
            submission=sent.number,
            digest=sent.digest,
            sent=line.sent,
            late_days=line.late_days,
            extended=extended,
            games=line.games,
            rating=line.rating,
            half_width=line.half_width,
            place=line.place,
            best=line.best,
            worst=line.worst,
            tier=line.tier,
            beats=sure,
            note="; ".join(filter(None, (self._explain_line(line), self._explain_own(one)))),
            evidence=[
                f"{self._address}/bots/{quote(sent.bot, safe='')}",
                f"{self._address}/versions/{sent.number}",
            ],
        )

    def _find_own(self, student: str) -> str:
        """Return the owner who is called like a student; "" if there is none."""
        return self._owners.get(fold_name(student), "")

    def _explain_own(self, one: StudentOwner) -> str:
        """Return which bots of a student's own do not count, because the student is in a group."""
        own = self._find_own(one.student)
        bots = {sent.bot for sent in self._submissions.values() if sent.owner == own != one.owner}
        return f"{join_words(sorted(bots), 'and')} of {own} alone: the group counts" if bots else ""

    def _explain_line(self, line: ClassLine) -> str:
        if line.is_out:
            return "it is out: it forfeited too many games"
        if line.place is None:
            return f"no place: it has {line.games} games, and {self._standings.placing_games} are needed"
        return f"few games: {line.games}" if line.games < self._few else ""

    def _explain_none(self, owner: str) -> str:
        own = [one for one in self._submissions.values() if one.owner == owner]
        if not owner or not own:
            return NOTHING_SENT
        last = max(own, key=lambda one: one.number)
        if last.state in WAITING:
            return f"{last.label} waits for the validator"
        if last.state == "refused":
            seen = [evidence.seen for evidence in self._book.evidence(last.number).values() if not evidence.is_good]
            return f"{last.label} was refused" + (f": {seen[-1]}" if seen else "")
        end, sent = self._deadlines.find_last(owner), datetime.fromisoformat(self._arrivals.sent[last.number])
        if last.number not in self._arrivals.barred and end is not None and sent > end:
            late = -((end - sent) // timedelta(days=1))
            return f"{last.label} does not count: it came too late, by {format_count(late, 'day')}"
        return f"{last.label} does not count: it was taken out"


def compute_parts(rubric: GradesTable, line: ClassLine, places: int) -> GradeParts:
    """Return what the points of a version are made of."""
    beaten = [name for name, sureness in line.beats.items() if 100 * sureness >= rubric.sure]
    tiers = rubric.tiers
    return GradeParts(
        valid=rubric.valid,
        beats=sum(find_anchor_points(rubric.beats, name) for name in beaten),
        tier=tiers[line.tier - 1] if line.tier is not None and line.tier <= len(tiers) else 0.0,
        top=_find_top_points(rubric, line, places),
        late=rubric.late_points * line.late_days,
    )


def add_parts(rubric: GradesTable, parts: GradeParts) -> float:
    """Return the points: no more than `most`, and after that less what late days take off; never below 0."""
    whole = parts.valid + parts.beats + parts.tier + parts.top
    bounded = whole if rubric.most is None else min(whole, rubric.most)
    return round(max(0.0, bounded - parts.late), 6)


def find_anchor_points(points: Mapping[str, float], name: str) -> float:
    """Return the points for an anchor that is beaten."""
    of_rungs = points.get(ALL_RUNGS, 0.0) if name.startswith(RUNG_PREFIX) else 0.0
    return points.get(name, of_rungs)


def _find_top_points(rubric: GradesTable, line: ClassLine, places: int) -> float:
    place = choose_place(line, rubric.place)
    if place is None:
        return 0.0
    return next((one.points for one in rubric.top if 100 * place <= one.percent * places), 0.0)


def choose_place(line: ClassLine, end: PlaceEnd) -> float | None:
    """Return the place that counts of those that a version may have; None: it has none."""
    if line.best is None or line.worst is None:
        return None
    return {"best": line.best, "worst": line.worst, "middle": (line.best + line.worst) / 2}[end]


def add_totals(assignments: Sequence[AssignmentGrades]) -> list[Total]:
    """Return the points of each student in all assignments; of a league without the student, 0."""
    students = dict.fromkeys(grade.student for one in assignments for grade in one.grades)
    points = {one.league: {grade.student: grade.points for grade in one.grades} for one in assignments}
    return [
        Total(
            student=student,
            points={league: own.get(student, 0.0) for league, own in points.items()},
            total=round(sum(own.get(student, 0.0) for own in points.values()), 6),
        )
        for student in students
    ]
