"""`pitboss league grades`, `extend` and `group`: a class, its deadlines and its points."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import msgspec
import typer

from pitboss.errors import ConfigError
from pitboss.text import format_count, join_words
from pitboss_tournament.cli.league import open_league
from pitboss_tournament.cli.output import print_json, print_note
from pitboss_tournament.league.book import HOST, Book
from pitboss_tournament.league.class_standings import ClassStandings, repeat_standings
from pitboss_tournament.league.deadlines import parse_time
from pitboss_tournament.league.grades import AssignmentGrades, Grader, GradesOutput, StudentOwner, add_totals
from pitboss_tournament.league.grades_file import GradesTable
from pitboss_tournament.league.grades_table import list_other_possibles, write_grades
from pitboss_tournament.league.league_folder import LEAGUE_FILE, League, find_leagues
from pitboss_tournament.league.roster import ClassRoster, check_owner, read_class
from pitboss_tournament.league.term_book import fold_name
from pitboss_tournament.league.term_keeper import (
    TermState,
    count_unplayed,
    draw_up_now,
    open_games,
    read_deadlines,
    read_term,
)
from pitboss_tournament.text.terminal_text import escape_line

FROZEN_GROUPS: Final = "final grades go by the groups of then: `pitboss league group FOLDER --again` takes those of now"


def grades(folders: list[Path], roster: Path | None, points_only: bool, address: str, as_json: bool) -> None:
    """Run `pitboss league grades`."""
    students = None if roster is None else read_class(roster)
    found = [_grade_league(folder, students, address) for folder in find_leagues(folders)]
    names = [one.league for one in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ConfigError(f"two leagues are called {twice[0]!r}; give one another `name` in its league.toml")
    output = GradesOutput(assignments=found, totals=add_totals(found))
    for one in found:
        for line in _tell_state(one):
            print_note(line)
    if students is not None:
        if students.told_apart:
            print_note(f"students of one name have an ID behind it: {join_words(students.told_apart, 'and')}")
        for line in list_other_possibles(output, students):
            print_note(line)
    if as_json:
        print_json(output)
    else:
        typer.echo(write_grades(output, students, points_only=points_only), nl=False)


def _grade_league(folder: Path, roster: ClassRoster | None, address: str) -> AssignmentGrades:
    with open_league(folder) as (league, book):
        state = read_term(league, book, datetime.now(UTC))
        standings, missing, is_repeated = _find_standings(league, book, state)
        rubric, now = league.file.grades, book.members()
        graded = None if missing else book.graded_members()
        grader = Grader(rubric, standings, book, state.deadlines, now if graded is None else graded, address)
        kept = None if missing else book.find_snapshot("rubric", dict[str, Any])
        students = (
            grader.list_students()
            if roster is None
            else [StudentOwner(line.name, grader.find_owner(line.name, line.team)) for line in roster.students]
        )
        closes = league.file.submissions.closes
        return AssignmentGrades(
            league=league.name,
            game=league.game.name,
            is_final=not missing,
            why_not_final=missing,
            is_repeated=is_repeated,
            closes=None if closes is None else closes.isoformat(),
            moment=standings.moment,
            places=standings.places,
            rubric=rubric,
            changed_rubric=list_changes(kept or {}, rubric),
            has_other_groups=graded is not None and graded != now,
            grades=grader.grade_all(students),
            not_listed=grader.list_others(students),
        )


def list_changes(kept: Mapping[str, Any], rubric: GradesTable) -> list[str]:
    """Return the keys of a rubric that was kept which have other values now."""
    now = msgspec.to_builtins(rubric)
    return [name for name, value in kept.items() if now.get(name) != value]


def _find_standings(league: League, book: Book, state: TermState) -> tuple[ClassStandings, str, bool | None]:
    """Return the frozen standings, or those of now; what is missing until they are final; whether games repeat them."""
    kept = book.find_snapshot("standings", ClassStandings)
    last = state.deadlines.find_last_of_all()
    if kept is not None and last is not None and datetime.fromisoformat(kept.until) >= last:
        with open_games(league) as store:
            return kept, "", repeat_standings(store, kept, book.submissions()) == kept
    now = draw_up_now(league, book, state)
    missing = state.missing
    if not missing:
        unplayed = count_unplayed(league, book, now)
        wanted = f"{league.file.grades.games} games, and {format_count(unplayed, 'version')} that count have fewer"
        missing = f"the standings are frozen after {wanted}" if unplayed else "the league freezes them once it runs"
    return now, missing, None


def _tell_state(one: AssignmentGrades) -> Iterator[str]:
    moment = one.moment
    when = f"{format_count(moment.games, 'game')} at {moment.at}"
    kind = "final" if one.is_final else f"not final ({one.why_not_final})"
    yield (
        f"{one.league}: grades are {kind}; by {when}; SHA-256 of the rules {moment.rules[:12] or '-'}, of the seed "
        f"{moment.seed[:12] or '-'}"
    )
    if one.is_repeated is False:
        yield (
            f"{one.league}: the games in the store do not give the frozen standings again: games were judged again, "
            "or this Pitboss computes otherwise; the grades are those of the frozen standings"
        )
    if one.changed_rubric:
        keys = join_words([f"`{key}`" for key in one.changed_rubric], "and")
        yield f"{one.league}: [grades] has changed since the freeze ({keys}): the points follow the rubric of today"
    if one.has_other_groups:
        yield f"{one.league}: groups have changed since the freeze; {FROZEN_GROUPS}"
    if one.not_listed:
        cure = "; who is called otherwise there: pitboss league group FOLDER OWNER STUDENT"
        yield f"{one.league}: not in the roster: {join_words(one.not_listed, 'and')}{cure}"


def extend(folder: Path, student: str, until: str, as_json: bool) -> None:
    """Run `pitboss league extend`."""
    with open_league(folder) as (league, book):
        closes, deadlines = league.file.submissions.closes, read_deadlines(league, book)
        if closes is None:
            raise ConfigError(f"the submissions to {folder} do not end: [submissions] of {LEAGUE_FILE} has no `closes`")
        owner, end = book.find_owner(student), parse_time(until, deadlines.zone)
        if end < closes:
            raise ConfigError(f"{deadlines.show(end)} is before the end for all, {deadlines.show(closes)}")
        book.extend(owner, end.astimezone(UTC), HOST)
        last = read_deadlines(league, book).find_last(owner)
    assert last is not None
    if as_json:
        print_json({"owner": owner, "until": deadlines.show(end), "last": deadlines.show(last)})
        return
    late = f"; late ones are taken until {deadlines.show(last)}" if league.file.grades.late_days else ""
    typer.echo(escape_line(f"The submissions of {owner} end at {deadlines.show(end)}{late}."))


def group(folder: Path, owner: str | None, persons: list[str] | None, nobody: bool, again: bool, as_json: bool) -> None:
    """Run `pitboss league group`."""
    with open_league(folder) as (_, book):
        if owner is not None:
            if bool(persons) == nobody:
                raise ConfigError(f"say who is in {owner}, or --nobody")
            known = {fold_name(name) for name in (*book.owners(), *book.members())}
            book.set_group(check_owner(owner), [check_owner(person) for person in persons or []], HOST)
            for note in _list_member_notes(book, owner, persons or [], known):
                print_note(note)
            if owner not in book.owners():
                print_note(f"{owner} has no token yet: pitboss token new {folder} --owner {owner!r}")
        members, graded = book.members(), book.graded_members()
        if again and graded is None:
            raise ConfigError("grades are not final yet, and follow each change of a group; leave out --again")
        if again:
            book.grade_members(HOST)
        elif graded is not None and graded != members:
            print_note(f"groups have changed since the freeze; {FROZEN_GROUPS}")
    groups: dict[str, list[str]] = {}
    for person, of in members.items():
        groups.setdefault(of, []).append(person)
    if as_json:
        print_json(groups)
        return
    for name, people in groups.items():
        typer.echo(escape_line(f"{name}: {join_words(people, 'and')}"))
    if not groups:
        typer.echo("There are no groups.")


def _list_member_notes(book: Book, group: str, persons: Collection[str], known: Collection[str]) -> Iterator[str]:
    """Yield a sentence for each member whose own bots count no more; `known`: folded names that were known before."""
    own = {fold_name(name): name for name in book.owners()}
    for person in persons:
        name = own.get(fold_name(person), group)
        if name != group and (bots := sorted({one.bot for one in book.submissions() if one.owner == name})):
            counts = "it counts no more" if len(bots) == 1 else "they count no more"
            yield f"{name} has {format_count(len(bots), 'bot')} alone, {join_words(bots, 'and')}: {counts}"
    if unknown := [person for person in persons if fold_name(person) not in known]:
        are = "is" if len(unknown) == 1 else "are"
        names = join_words(unknown, "and")
        yield f"{names} {are} neither an owner nor in a group so far; the roster needs the same name"
