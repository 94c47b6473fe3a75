"""`pitboss token`: who may submit to a league: tokens made, listed and revoked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Literal

import typer

from pitboss.errors import ConfigError
from pitboss.text import format_count, join_words
from pitboss_tournament.cli.output import print_data_lines, print_json, print_note, print_table
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.league.book import HOST, Book, NewToken, open_book
from pitboss_tournament.league.invitations import JOIN_PATH, LOGIN_PATH, make_link, open_invitations
from pitboss_tournament.league.league_folder import read_league
from pitboss_tournament.league.roster import ClassRoster, check_owner, read_class
from pitboss_tournament.league.term_book import fold_name
from pitboss_tournament.store.rows import utc_now
from pitboss_tournament.text.columns import format_csv


def new(
    folder: Path,
    owner: str | None,
    role: Literal["owner", "host"],
    days: float | None,
    csv: Path | None,
    link: str | None,
) -> None:
    """Run `pitboss token new`."""
    if link is not None:
        make_link(link, LOGIN_PATH, "")
    if (owner is None) == (csv is None):
        raise ConfigError("give --owner NAME for one token, or --csv FILE for one for each line of a file")
    league = read_league(folder, load_registry())
    roster = None if csv is None else read_class(csv)
    owners = [check_owner(owner)] if owner is not None else roster.owners if roster is not None else []
    now, served = utc_now(), set[str]()
    with closing(open_book(league.folder.store)) as book:
        if csv is not None:
            served = {one.owner for one in book.tokens() if one.role == role and not one.why_invalid(now)}
        made = book.add_tokens([name for name in owners if name not in served], role, days)
        for team, persons in roster.teams.items() if roster is not None else ():
            if [person for person, group in book.members().items() if group == team] != persons:
                book.set_group(team, persons, HOST)
        notes = (
            [] if roster is None else [*_list_own_tokens(folder, book, roster), *_list_namesakes(folder, book, roster)]
        )
    if owner is not None:
        what = "token" if link is None else "link, which has the token in it,"
        typer.echo(made[0].token if link is None else make_link(link, LOGIN_PATH, made[0].token))
        print_note(f"this is the {what} of {owner}; it is shown this once: only its hash is kept")
        return
    if already := len(owners) - len(made):
        print_note(
            f"{format_count(already, 'owner')} of {csv} had a token already and got no other; "
            f"`pitboss token new {folder} --owner NAME` makes one more"
        )
    if roster is not None:
        print_data_lines(_list_token_lines(made, roster, link))
    for note in notes:
        print_note(note)


def _list_token_lines(made: Sequence[NewToken], roster: ClassRoster, link: str | None) -> Iterator[str]:
    """Yield the lines of tokens.csv: the columns of the roster behind the token, a line for each student.

    A roster without headings has no columns to keep.
    """
    own = ("owner", "token", "link")
    kept = [at for at, heading in enumerate(roster.headings) if heading.strip().casefold() not in own]
    yield format_csv([*own[: 2 if link is None else 3], *(roster.headings[at] for at in kept)])
    tokens = {one.owner: one for one in made}
    for line in roster.students:
        if line.owner in tokens:
            new = tokens[line.owner]
            more = [] if link is None else [make_link(link, LOGIN_PATH, new.token)]
            cells = [line.cells[at] if at < len(line.cells) else "" for at in kept]
            yield format_csv([*new, *more, *cells])


def _list_own_tokens(folder: Path, book: Book, roster: ClassRoster) -> Iterator[str]:
    """Yield a sentence for each member of a team whose own token still opens the league."""
    now = utc_now()
    own = {fold_name(one.owner): one.owner for one in book.tokens() if one.role == "owner" and not one.why_invalid(now)}
    for team, persons in roster.teams.items():
        for person in persons:
            if (name := own.get(fold_name(person))) and name != team:
                yield (
                    f"{name} is in {team}, and still has a token alone: pitboss token revoke {folder} --owner {name!r}"
                )


def _list_namesakes(folder: Path, book: Book, roster: ClassRoster) -> Iterator[str]:
    """Yield sentences about students of one name: how they are called, and who is called so without an ID already."""
    if roster.told_apart:
        yield f"students of one name have an ID behind it: {join_words(roster.told_apart, 'and')}"
    owners = set(book.owners())
    for name in dict.fromkeys(one.rpartition(" (")[0] for one in roster.told_apart):
        if name in owners:
            yield f"{name} is an owner already; say which of them: pitboss league rename {folder} {name!r} NAME --owner"


def invite(folder: Path, url: str, uses: int | None, days: float | None) -> None:
    """Run `pitboss token invite`."""
    make_link(url, JOIN_PATH, "")
    league = read_league(folder, load_registry())
    with closing(open_invitations(league.folder.store)) as book:
        words = book.invite(uses, days)
    typer.echo(make_link(url, JOIN_PATH, words))
    print_note("whoever has this link may join; it is shown this once: only its hash is kept")


def invitations(folder: Path, as_json: bool) -> None:
    """Run `pitboss token invitations`."""
    with closing(open_invitations(read_league(folder, load_registry()).folder.store)) as book:
        found = book.invitations()
    now = utc_now()
    if as_json:
        names = ("number", "uses", "used", "made", "ends", "revoked")
        print_json(
            [{**{name: getattr(one, name) for name in names}, "is_valid": not one.why_invalid(now)} for one in found]
        )
        return
    rows = [
        (
            str(one.number),
            f"{one.used}",
            "any number" if one.uses is None else f"{one.uses}",
            one.made,
            one.ends or "never",
            "yes" if not one.why_invalid(now) else "no",
        )
        for one in found
    ]
    print_table(("Number", "Joined", "Of", "Made", "Ends", "Valid"), rows, right=("Number", "Joined", "Of"))


def list_tokens(folder: Path, as_json: bool) -> None:
    """Run `pitboss token list`."""
    with closing(open_book(read_league(folder, load_registry()).folder.store)) as book:
        found = book.tokens()
    now = utc_now()
    if as_json:
        names = ("number", "owner", "role", "made", "ends", "revoked")
        print_json(
            [{**{name: getattr(one, name) for name in names}, "is_valid": not one.why_invalid(now)} for one in found]
        )
        return
    rows = [
        (
            str(one.number),
            one.owner,
            one.role,
            one.made,
            one.ends or "never",
            "yes" if not one.why_invalid(now) else "no",
        )
        for one in found
    ]
    print_table(("Number", "Owner", "Role", "Made", "Ends", "Valid"), rows, right=("Number",))


def revoke(folder: Path, number: int | None, owner: str | None) -> None:
    """Run `pitboss token revoke`."""
    if (owner is None) == (number is None):
        raise ConfigError("give the NUMBER of a token, or --owner NAME for all of an owner")
    with closing(open_invitations(read_league(folder, load_registry()).folder.store)) as book:
        found = book.revoke_tokens(lambda one: one.number == number or one.owner == owner)
        is_invitation = not found and number is not None and book.revoke_invitation(number)
    if is_invitation:
        typer.echo(f"revoked: invitation {number}; who has joined by it keeps a token")
        return
    if not found:
        what = f"token {number}" if owner is None else f"token of {owner!r}"
        raise ConfigError(f"there is no {what} that could be revoked; `pitboss token list {folder}` lists them")
    typer.echo(f"revoked: token {join_words((one.number for one in found), 'and')} of {found[0].owner}")
