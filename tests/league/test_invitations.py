"""Invitations: a class joins by one link; a link logs in by one button; neither by a program that only looks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pitboss_tournament.league.invitations import InvitationBook, NotInvited, OwnerNameTaken
from pitboss_tournament.league.tokens import parse_token
from tests.league.editor_visitor import EditorVisitor
from tests.league.league_process import LeagueProcess, make_league, run_league
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LeagueProcess]:
    """Run a league for all tests of this file that only read."""
    folder = tmp_path_factory.mktemp("invitations") / "course"
    make_league(folder)
    with run_league(folder, "--no-play") as running:
        yield running


def invite(league: LeagueProcess, *words: str) -> str:
    """Make an invitation by the command; return its words."""
    made = run_pitboss("token", "invite", str(league.folder), league.url, *words)
    assert made.status == 0, made.err
    found = re.fullmatch(rf"{league.url}/join#(pitboss-\d+-\S+)\n", made.out)
    assert found, made.out
    return found[1]


def test_a_class_joins_by_one_link(league: LeagueProcess) -> None:
    """Whoever has the link of a class chooses a name, is logged in at once, and gets a token that opens the league
    later.
    """
    words = invite(league)
    visitor = EditorVisitor(league)

    welcome = visitor.join(words, " Grace  Hopper ")

    assert welcome.status == 200
    assert "Welcome, Grace Hopper" in welcome.text
    assert "Mine: Grace Hopper" in visitor.get("/me").text
    token = re.search(r'id="kept-token" value="(pitboss-[^"]+)"', welcome.text)
    assert token
    assert f'value="{league.url}/login#{token[1]}"' in welcome.text
    assert EditorVisitor(league, token[1]).get("/me").status == 200
    assert league.put("hopper", token[1]).status == 202


def test_a_look_at_a_link_changes_nothing(league: LeagueProcess) -> None:
    """A program that follows a link, as mail scanners do, joins nobody, logs nobody in, and gets no cookie."""
    words = invite(league)
    visitor = EditorVisitor(league)

    for path in ("/join", "/login", f"/join?{words}", f"/login?token={words}"):
        page = visitor.get(path)
        assert (page.status, "set-cookie" in page.headers) == (200, False)
        assert words not in page.text
    assert visitor.get("/me").status == 303


def test_a_page_of_another_site_joins_nobody(league: LeagueProcess) -> None:
    """The form of another site is refused, though it has the invitation."""
    words = invite(league)

    for origin in ("https://evil.example", None, "null"):
        answer = EditorVisitor(league).post("/join", f"invitation={words}&owner=eve".encode(), origin)
        assert answer.status == 403, origin


@pytest.mark.parametrize(
    ("name", "status", "said"),
    [
        ("ada", 409, "taken"),
        ("Ada", 409, "taken"),
        ("\u0430da", 409, "taken"),
        ("host", 409, "taken"),
        ("League", 409, "taken"),
        ("", 422, "no name of an owner"),
        ("<script>", 422, "no name of an owner"),
        ("x" * 41, 422, "no name of an owner"),
        ("=cmd()", 422, "no name of an owner"),
    ],
)
def test_names_that_nobody_gets(league: LeagueProcess, name: str, status: int, said: str) -> None:
    """The name of another owner, one that looks like that, and what no owner may be called are refused with the reason,
    and the invitation stays good.
    """
    words = invite(league, "--uses", "1")
    visitor = EditorVisitor(league)

    answer = visitor.join(words, name)

    assert answer.status == status
    assert said in answer.text
    assert "<script>" not in answer.text
    assert visitor.join(words, f"good {status}{len(name)}{ord((name or ' ')[0])}").status == 200


def test_an_invitation_for_some(tmp_path: Path) -> None:
    """An invitation is for as many as it says; a name that was refused does not count."""
    make_league(tmp_path / "course")
    with closing(InvitationBook(tmp_path / "course" / "league.pitboss")) as book:
        words = parse_token(book.invite(2, None))
        assert words
        book.join(words.number, words.secret, "cy")
        with pytest.raises(OwnerNameTaken):
            book.join(words.number, words.secret, "ada")
        book.join(words.number, words.secret, "dee")

        with pytest.raises(NotInvited, match="for 2, and all have joined"):
            book.join(words.number, words.secret, "eve")

        assert book.owners() == ["ada", "bob", "cy", "dee"]
        assert [one.what for one in book.audit() if one.who in ("cy", "dee")] == ["joined", "token made"] * 2


def test_an_invitation_that_ended(tmp_path: Path) -> None:
    """An invitation that has expired, was revoked, or has another secret lets nobody in."""
    make_league(tmp_path / "course")
    with closing(InvitationBook(tmp_path / "course" / "league.pitboss")) as book:
        old, other = parse_token(book.invite(None, 1e-9)), parse_token(book.invite(None, 1.0))
        assert old
        assert other
        with pytest.raises(NotInvited, match="ended"):
            book.join(old.number, old.secret, "cy")
        with pytest.raises(NotInvited, match="no invitation of this league"):
            book.join(other.number, old.secret, "cy")

        revoked = run_pitboss("token", "revoke", str(tmp_path / "course"), str(other.number))

        assert revoked.out == f"revoked: invitation {other.number}; who has joined by it keeps a token\n"
        with pytest.raises(NotInvited, match="revoked"):
            book.join(other.number, other.secret, "cy")
        assert book.owners() == ["ada", "bob"]
        assert not book.revoke_invitation(other.number)


def test_invitations_are_listed(league: LeagueProcess) -> None:
    """The host sees how many have joined by each invitation, and never its secret."""
    words = invite(league, "--uses", "3", "--days", "2")
    EditorVisitor(league).join(words, "listed")

    [found] = [
        one
        for one in run_pitboss("token", "invitations", str(league.folder), "--json").json_value
        if f"pitboss-{one['number']}-" in words
    ]

    assert (found["uses"], found["used"], found["is_valid"], found["revoked"]) == (3, 1, True, None)
    parsed = parse_token(words)
    assert parsed
    store = (league.folder / "league.pitboss").read_bytes() + (league.folder / "league.pitboss-wal").read_bytes()
    assert parsed.secret.encode() not in store
    assert parsed.secret not in (league.folder / "run.log").read_text()


def test_a_login_by_link(league: LeagueProcess, tmp_path: Path) -> None:
    """`pitboss token new --link` prints a link for each owner, whose words the login page takes."""
    (tmp_path / "class.csv").write_text("lin\nmay\n")

    made = run_pitboss("token", "new", str(league.folder), "--csv", str(tmp_path / "class.csv"), "--link", league.url)

    head, *rows = made.out.splitlines()
    assert head == "owner,token,link"
    for row in rows:
        owner, token, link = row.split(",")
        assert link == f"{league.url}/login#{token}"
        assert f"Mine: {owner}" in EditorVisitor(league, token).get("/me").text
    one = run_pitboss("token", "new", str(league.folder), "--owner", "nell", "--link", league.url)
    assert one.out.startswith(f"{league.url}/login#pitboss-")


@pytest.mark.parametrize("address", ["league", "ftp://x.example", "http://", "http://x:y", "https://x.example/?a=1"])
def test_an_address_of_no_league(tmp_path: Path, address: str) -> None:
    """An address at which no league can be is refused before a token is made."""
    make_league(tmp_path / "course")

    for words in (
        ("invite", str(tmp_path / "course"), address),
        ("new", str(tmp_path / "course"), "--owner", "cy", "--link", address),
    ):
        ran = run_pitboss("token", *words)
        assert (ran.status, ran.out) == (2, "")
        assert "is no address of a league" in ran.err
    assert len(json.loads(run_pitboss("token", "list", str(tmp_path / "course"), "--json").out)) == 2


def test_names_before_others(tmp_path: Path) -> None:
    """Nobody joins under the pseudonym or the chosen name of somebody else, nor as a member of a team."""
    make_league(tmp_path / "course")
    with closing(InvitationBook(tmp_path / "course" / "league.pitboss")) as book:
        words = parse_token(book.invite(None, None))
        assert words
        names = book.choose_display_name("ada", "The Fox")
        book.set_group("bob", ["Grace Hopper"], "host")

        for taken in ("the fox", names.pseudonym, names.pseudonym.upper(), "grace hopper"):
            with pytest.raises(OwnerNameTaken):
                book.join(words.number, words.secret, taken)
