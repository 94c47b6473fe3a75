"""The editor of a league: starters, drafts, trials on practice deals, submission; for their owner alone."""

from __future__ import annotations

import http.client
import io
import json
import re
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

import pytest

from pitboss_tournament.league.book import Book
from pitboss_tournament.league.league_folder import LeagueFolder
from pitboss_tournament.league.name_changes import erase_owner
from pitboss_tournament.league.workshop.drafts import MAX_DRAFT_BYTES, MAX_DRAFT_FILES, MAX_DRAFTS, Draft, DraftBook
from pitboss_tournament.league.workshop.trials import TRIALS_KEPT, TrialBook, TrialFindings, TrialGame
from tests.league.archives import BOT_TOML, GOOD_BOT
from tests.league.editor_visitor import EditorVisitor, read_fields
from tests.league.league_process import LeagueProcess, make_league, run_league, wait_until
from tests.league.page_visitor import PageAnswer

pytestmark = pytest.mark.once

HOSTILE = "</textarea><script>alert(1)</script>"
FILES = {"bot.py": GOOD_BOT.decode(), "bot.toml": BOT_TOML.decode()}
TRIALS = "[trials]\ngames = 2\n"
SUBMIT = re.compile(r"/versions/(\d+)")


class EditedCourse:
    """A running league with two owners."""

    def __init__(self, league: LeagueProcess, tokens: dict[str, str]) -> None:
        self.league, self.tokens = league, tokens

    def visit(self, owner: str = "ada") -> EditorVisitor:
        """Return an owner's browser."""
        return EditorVisitor(self.league, self.tokens[owner])


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EditedCourse]:
    """Run a league for the tests of this file."""
    folder = tmp_path_factory.mktemp("editor") / "course"
    tokens = make_league(folder, owners="ada bob cy dee eve fay gus hal ida", validation=TRIALS)
    with run_league(folder, "--no-play") as league:
        yield EditedCourse(league, tokens)


def open_draft(visitor: EditorVisitor, bot: str) -> str:
    """Open a starter; return the address of the draft."""
    answer = visitor.begin(bot)
    assert answer.status == 303, answer.text
    return answer.headers["location"]


def fetch(league: LeagueProcess, path: str) -> tuple[int, bytes]:
    """Return status and bytes of a public address."""
    with closing(http.client.HTTPConnection("127.0.0.1", league.port, timeout=60)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read()


def test_what_everybody_may_see(course: EditedCourse) -> None:
    """The starter bots, the rule book and the page of the game need no login; to write needs one."""
    visitor = EditorVisitor(course.league)

    page = visitor.get("/editor")

    assert (page.status, "Python" in page.text) == (200, True)
    assert "Open in the editor" not in page.text
    assert visitor.get("/editor/rules").status == 200
    assert "## " not in visitor.get("/editor/game").text
    assert "<h2>" in visitor.get("/editor/game").text
    assert visitor.get("/editor/1").status == 401
    assert visitor.begin("fox").status == 401


def test_a_starter_is_downloaded(course: EditedCourse) -> None:
    """A starter bot comes as a zip archive with the page of the game, and is a bot of the league as it is."""
    status, data = fetch(course.league, "/editor/starters/python.zip")

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert {"mybot/bot.py", "mybot/bot.toml", "mybot/GAME.md"} <= set(archive.namelist())
    assert status == 200
    assert course.league.put("starter", course.tokens["ada"], data).status == 202
    assert fetch(course.league, "/editor/starters/cobol.zip")[0] == 404
    assert fetch(course.league, "/editor/starters/..%2f..%2fpython.zip")[0] == 404


def test_a_draft_is_kept(course: EditedCourse) -> None:
    """A draft is as its owner has saved it, character by character, after a login from elsewhere too."""
    text = "\n\n  <b>&amp;\t\u00e9\u202e</b>\\ \n" + HOSTILE
    draft = open_draft(course.visit(), "kept")

    saved = course.visit().change(draft, "save", {"bot.py": text, "lib/x.py": "", "bot.toml": ""})

    page = course.visit().get(draft).text
    assert saved.status == 303
    assert HOSTILE not in page
    assert read_fields(page) == {"bot.py": text, "lib/x.py": "", "bot.toml": ""}
    with closing(http.client.HTTPConnection("127.0.0.1", course.league.port)) as connection:
        connection.request("GET", f"{draft}.zip", headers={"cookie": course.visit().cookie})
        with zipfile.ZipFile(io.BytesIO(connection.getresponse().read())) as archive:
            assert archive.read("kept/bot.py").decode() == text


def test_a_draft_of_somebody_else(course: EditedCourse) -> None:
    """A draft, its trials and their replays are for their owner: another owner, a host, and who is not logged in, read
    and change nothing.
    """
    visitor = course.visit("bob")
    draft = open_draft(visitor, "secret")
    visitor.change(draft, "save", {**FILES, "secret.py": "the secret of bob"})
    visitor.change(draft, "try", against="house:random")
    shown = visitor.wait_trial(draft)
    replay = re.search(r"/trials/\d+/games/0/replay", shown)
    assert replay

    assert visitor.get(f"{replay[0]}.json").status == 200
    for other in (course.visit("ada"), EditorVisitor(course.league)):
        for path in (draft, f"{draft}.zip", f"{draft}/trial", replay[0], f"{replay[0]}.json"):
            answer = other.get(path)
            assert answer.status in (401, 404), path
            assert "secret of bob" not in answer.text
        for do in ("save", "submit", "drop", "check"):
            said = {"revision": "0", "bot": "secret", "do": do, "path-0": "bot.py", "text-0": "mine"}
            assert other.send(draft, **said).status in (401, 404), do
    assert read_fields(visitor.get(draft).text)["secret.py"] == "the secret of bob"


def test_forms_of_others(course: EditedCourse) -> None:
    """The form of a draft is taken from a page of the league in the same session, and from nowhere else."""
    visitor = course.visit("cy")
    draft = open_draft(visitor, "forms")
    said = {"revision": "0", "bot": "forms", "do": "save", "path-0": "bot.py", "text-0": "evil"}

    body = urlencode({**said, "form_token": visitor.form_token}).encode()
    assert visitor.post(draft, body, "https://evil.example").status == 403
    assert visitor.post(draft, body, None).status == 403
    assert visitor.post(draft, urlencode({**said, "form_token": course.visit("bob").form_token}).encode()).status == 403
    assert visitor.post(draft, urlencode(said).encode()).status == 403
    assert "evil" not in visitor.get(draft).text
    assert visitor.post(draft, body).status == 303


def test_two_windows(course: EditedCourse) -> None:
    """A draft that was changed in another window is not overwritten; what was written is on the page, to be copied."""
    visitor = course.visit("cy")
    draft = open_draft(visitor, "windows")
    visitor.change(draft, "save", {**FILES, "a.py": "first"})

    late = visitor.change(draft, "save", {**FILES, "a.py": "second"}, revision="0")

    assert late.status == 409
    assert "changed in another window" in late.text
    assert read_fields(late.text)["a.py"] == "second"
    assert read_fields(visitor.get(draft).text)["a.py"] == "first"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"../x": ""}, "no file of a submission may have"),
        ({"/etc/passwd": ""}, "absolute"),
        ({"a\\b": ""}, "no file of a submission may have"),
        ({"C:\\a": ""}, "no file of a submission may have"),
        ({".gitignore": ""}, "hidden file"),
        ({"a/../b": ""}, "no file of a submission may have"),
        ({"./a": ""}, "no name of a file"),
        ({"": ""}, "no name of a file"),
        ({"a/": ""}, "no name of a file"),
        ({f"{number}.py": "" for number in range(MAX_DRAFT_FILES + 1)}, f"{MAX_DRAFT_FILES} files at most"),
        ({"a.py": "x" * MAX_DRAFT_BYTES}, "KiB together at most"),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else "",
)
def test_what_no_draft_may_hold(course: EditedCourse, files: dict[str, str], said: str) -> None:
    """A draft has few files of few bytes with names that stay in its folder; what else comes is refused, with why."""
    visitor = course.visit("dee")
    draft = next(iter(re.findall(r"/editor/\d+", visitor.get("/editor").text)), "") or open_draft(visitor, "bounds")
    before = read_fields(visitor.get(draft).text)

    answer = visitor.change(draft, "save", files)

    assert answer.status == 422
    assert said in answer.text
    assert read_fields(visitor.get(draft).text) == before


def test_a_form_that_is_too_large(course: EditedCourse) -> None:
    """A form beyond all bounds is not read to its end, with JSON or without."""
    visitor = course.visit("dee")
    draft = open_draft(visitor, "large")

    assert visitor.change(draft, "save", {"a.py": "\u20ac" * MAX_DRAFT_BYTES}).status == 413
    assert visitor.change(draft, "save", {f"{number}": "" for number in range(60)}).status == 400


def test_too_many_drafts(course: EditedCourse) -> None:
    """An owner has a few drafts; one that is thrown away makes room for another."""
    visitor = course.visit("eve")
    drafts = [open_draft(visitor, f"many {number}") for number in range(MAX_DRAFTS)]

    assert (refused := visitor.begin("one more")).status == 422
    assert "throw one of them away" in refused.text
    assert visitor.change(drafts[0], "drop").headers["location"] == "/editor"
    assert visitor.get(drafts[0]).status == 404
    assert open_draft(visitor, "one more") not in drafts


@pytest.mark.parametrize(
    ("bot", "language", "said"),
    [
        ("", "python", "the name of the bot"),
        ("a:b", "python", "a colon"),
        ("<b>", "python", "the name of the bot"),
        ("taken", "python", "belongs to another owner"),
        ("good", "cobol", "a language of the list"),
    ],
)
def test_a_draft_that_is_not_begun(course: EditedCourse, bot: str, language: str, said: str) -> None:
    """A name that no bot may have, or another owner's bot has, and a language that is not there, are refused."""
    course.league.put("taken", course.tokens["bob"])

    answer = course.visit("fay").begin(bot, language)

    assert (answer.status, said in answer.text) == (422, True), answer.text
    assert "<b>" not in answer.text.partition("<main")[2].replace("<b>mybot", "")


def test_files_come_and_go(course: EditedCourse) -> None:
    """A file is added and taken out; the others stay."""
    visitor = course.visit("fay")
    draft = open_draft(visitor, "files")

    visitor.change(draft, "add", FILES, new_path="lib/cards.py")
    assert set(read_fields(visitor.get(draft).text)) == {*FILES, "lib/cards.py"}
    assert visitor.change(draft, "add", new_path="bot.py").status == 422
    assert visitor.change(draft, "add", new_path="../x").status == 422
    visitor.change(draft, "remove", old_path="lib/cards.py")

    assert set(read_fields(visitor.get(draft).text)) == set(FILES)


def test_practice_games(course: EditedCourse) -> None:
    """A draft plays practice games against a bot of the house; each is watched card by card, and no game is in the
    store of the ladder.
    """
    visitor = course.visit("gus")
    draft = open_draft(visitor, "practice")
    noisy = GOOD_BOT.decode().replace("for line", "print('<i>noise', file=sys.stderr, flush=True)\nfor line", 1)
    visitor.change(draft, "save", {**FILES, "bot.py": noisy})

    assert visitor.change(draft, "try", against="house:random").headers["location"] == f"{draft}#trial"
    shown = visitor.wait_trial(draft)

    assert "2 games without a fault" in shown
    assert "&lt;i&gt;noise" in shown
    assert "<i>noise" not in shown
    replays = re.findall(r'href="(/trials/\d+/games/\d/replay)"', shown)
    assert len(replays) == 2
    data = json.loads(visitor.get(f"{replays[0]}.json").text)
    assert data["players"] == ["practice", "random"]
    assert "practice: the editor" in visitor.get(replays[0]).text
    with closing(Book(course.league.folder / "league.pitboss")) as book:
        assert not [one for one in book.submissions() if one.owner == "gus"]
    assert not [path for path in (course.league.folder / "bots").iterdir() if path.name.startswith("0" * 60)]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"bot.py": "raise SystemExit('</pre><script>alert(1)')"}, "SystemExit|ended|crashed"),
        ({"bot.py": "1 +"}, "SyntaxError"),
        ({"bot.toml": "command = ["}, "bot.toml"),
        ({"bot.toml": 'command = ["no-such-program"]'}, "no-such-program"),
        (
            {"bot.toml": 'command = ["/bin/true"]\nbuild = ["{python}", "-c", "print(\'<b>\'); 1/0"]'},
            "ZeroDivisionError",
        ),
    ],
    ids=["ends", "syntax", "toml", "program", "build"],
)
def test_a_draft_with_a_fault(course: EditedCourse, files: dict[str, str], said: str) -> None:
    """What is wrong with a draft is shown to its owner, as text, with what it wrote to standard error and no path of
    the host.
    """
    visitor = course.visit("hal")
    draft = next(iter(re.findall(r"/editor/\d+", visitor.get("/editor").text)), "") or open_draft(visitor, "faulty")
    visitor.change(draft, "save", {**FILES, **files})

    visitor.change(draft, "try", against="house:random")
    shown = visitor.wait_trial(draft)

    assert re.search(said, shown), shown
    assert 'class="outcome failed"' in shown
    assert "<script>" not in shown
    assert "<b>" not in shown
    assert str(course.league.folder) not in shown


def test_a_draft_is_submitted(course: EditedCourse) -> None:
    """A draft is submitted as an upload would be: the same files are the same version."""
    visitor = course.visit("ida")
    draft = open_draft(visitor, "submitted")
    visitor.change(draft, "save", FILES)

    first, again = visitor.change(draft, "submit"), visitor.change(draft, "submit")

    number = SUBMIT.fullmatch(first.headers["location"])
    assert number
    assert again.headers["location"] == first.headers["location"]
    assert course.league.wait(int(number[1]), course.tokens["ida"])["state"] == "placing"
    assert "submitted@1 (yours)" in visitor.get(draft).text
    visitor.change(draft, "try", against=f"version:{number[1]}")
    assert "2 games without a fault" in visitor.wait_trial(draft)


def test_an_opponent_that_is_not_offered(course: EditedCourse) -> None:
    """Nobody is tried against but those whom the league offers: no command, no path, no bot of another owner."""
    visitor = course.visit("ida")
    draft = open_draft(visitor, "opponents")
    number = course.league.put("another", course.tokens["bob"]).value["number"]
    course.league.wait(number, course.tokens["bob"])

    for word in ("", "sh -c id", "../bots", f"version:{number}", "version:x", "house:none", "/bin/sh"):
        assert visitor.change(draft, "try", against=word).status == 422, word
    assert "No trial" not in visitor.get(f"{draft}/trial").text
    assert "Nothing has been tried yet" in visitor.get(f"{draft}/trial").text


def test_the_words_of_a_script(course: EditedCourse) -> None:
    """A script is answered in JSON, errors too."""
    visitor = course.visit("ida")
    draft = open_draft(visitor, "script")
    said = {"form_token": visitor.form_token, "bot": "script", "do": "save", "path-0": "bot.py"}

    def send(**fields: str) -> PageAnswer:
        return visitor.post(draft, urlencode({**said, **fields}).encode(), accept="application/json")

    assert json.loads(send(revision="0", **{"text-0": "1"}).text) == {"revision": 1, "go": draft}
    moved = send(revision="0", **{"text-0": "2"})
    assert (moved.status, "another window" in json.loads(moved.text)["error"]) == (409, True)


def test_trials_within_bounds(tmp_path: Path) -> None:
    """An owner has few trials at a time and on a day; the refusal says when the next one may begin."""
    tokens = make_league(tmp_path / "course", validation="[trials]\na_day = 2\ngames = 1\n")
    with run_league(tmp_path / "course", "--no-play") as league:
        visitor, other = EditorVisitor(league, tokens["ada"]), EditorVisitor(league, tokens["bob"])
        draft, others = open_draft(visitor, "bounded"), open_draft(other, "other")
        visitor.change(draft, "save", FILES)

        first = visitor.change(draft, "try", against="house:random")
        second = visitor.change(draft, "try", against="house:random")
        assert (first.status, second.status) == (303, 429)
        assert "not over yet" in second.text
        visitor.wait_trial(draft)
        assert visitor.change(draft, "try", against="house:random").status == 303
        visitor.wait_trial(draft)
        third = visitor.change(draft, "check")
        assert (third.status, "2 trials within 24 hours" in third.text) == (429, True)
        assert other.change(others, "try", against="house:random").status == 303
        other.wait_trial(others)


def test_no_trials(tmp_path: Path) -> None:
    """A league without trials takes drafts, and says that it does not try them."""
    tokens = make_league(tmp_path / "course", validation="[trials]\na_day = 0\n")
    with run_league(tmp_path / "course", "--no-play") as league:
        visitor = EditorVisitor(league, tokens["ada"])
        draft = open_draft(visitor, "untried")

        assert "does not try drafts" in visitor.change(draft, "check").text
        assert visitor.change(draft, "submit").status == 303


@pytest.mark.long
def test_the_checks(course: EditedCourse) -> None:
    """The checks of a draft are those of `pitboss check`: each failed one has its cure."""
    visitor = course.visit("fay")
    draft = open_draft(visitor, "checked")
    visitor.change(draft, "save", {**FILES, "bot.py": "1 +"})

    visitor.change(draft, "check")
    shown = visitor.wait_trial(draft)

    assert re.search(r"\d+ checks: .* failed", shown)
    assert "What to do: " in shown
    assert "SyntaxError" in shown


@pytest.mark.long
def test_a_kill_in_a_trial(tmp_path: Path) -> None:
    """A trial that a killed league has broken off begins again; one that was broken off twice says that the machine has
    lost it.
    """
    folder = tmp_path / "course"
    tokens = make_league(folder, validation="[trials]\ngames = 1\n")
    sleeper = GOOD_BOT.decode().replace("import sys", "import sys, time\ntime.sleep(20)", 1)

    def is_playing(tries: int) -> bool:
        with closing(TrialBook(folder / "league.pitboss")) as book:
            return any((one.state, one.tries) == ("playing", tries) for one in book.list_open())

    with run_league(folder, "--no-play") as league:
        visitor = EditorVisitor(league, tokens["ada"])
        draft = open_draft(visitor, "killed")
        visitor.change(draft, "save", {**FILES, "bot.py": sleeper})
        visitor.change(draft, "try", against="house:random")
        wait_until(league, lambda: is_playing(1))
        league.kill()
    with run_league(folder, "--no-play") as league:
        wait_until(league, lambda: is_playing(2))
        league.kill()
    with run_league(folder, "--no-play") as league:
        shown = EditorVisitor(league, tokens["ada"]).wait_trial(draft)
        assert not list((folder / "bots").iterdir())

    assert "machine broke it off; try again" in shown


def test_trials_that_are_forgotten(tmp_path: Path) -> None:
    """Of an owner's trials the last ones keep what they have shown; the earlier ones only count."""
    make_league(tmp_path / "course")
    with closing(TrialBook(tmp_path / "course" / "league.pitboss")) as book:
        draft = Draft(number=1, owner="ada", bot="fox", files=FILES, revision=0, changed="")
        game = TrialGame(number=0, seat=0, points=[1, 2], places=[2, 1], decisions=1, us=1)
        for _ in range(TRIALS_KEPT + 3):
            trial = book.begin(draft, "games", "house:random", 100, 1)
            book.add_game(trial.number, game, b"record")
            book.note_findings(trial.number, "done", TrialFindings(seen="good", is_good=True))

        kept = [number for number in range(1, TRIALS_KEPT + 4) if book.list_games(number)]
        assert len(kept) == TRIALS_KEPT
        assert max(kept) == trial.number
        assert book.trial(1).found == TrialFindings()
        assert all(not book.trial(number).files for number in range(1, trial.number + 1))


def test_drafts_of_an_owner_who_is_erased(tmp_path: Path) -> None:
    """With an owner the drafts and trials go, and the store has their words no more; those of others stay."""
    folder = tmp_path / "course"
    make_league(folder, owners="ada grace-hopper")
    game = TrialGame(number=0, seat=0, points=[1, 2], places=[2, 1], decisions=1, us=1)
    with (
        closing(DraftBook(folder / "league.pitboss")) as drafts,
        closing(TrialBook(folder / "league.pitboss")) as trials,
    ):
        for owner in ("ada", "grace-hopper"):
            draft = drafts.add_draft(owner, f"bot of {owner}", {"bot.py": f"the secret of {owner}"})
            trial = trials.begin(draft, "games", "house:random", 9, 9)
            trials.add_game(trial.number, game, f"record of {owner}".encode())

    erase_owner(LeagueFolder(folder), "grace-hopper", removes_files=False)

    store = b"".join(path.read_bytes() for path in folder.glob("league.pitboss*"))
    assert b"grace-hopper" not in store
    assert b"record of ada" in store
    with closing(DraftBook(folder / "league.pitboss")) as drafts:
        assert [one.files for one in drafts.list_drafts("ada")] == [{"bot.py": "the secret of ada"}]


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """With too little room on the disk no draft is kept and no trial begins; what was written is on the page."""
    tokens = make_league(tmp_path / "course", validation=TRIALS)
    with run_league(tmp_path / "course", "--no-play") as league:
        draft = open_draft(EditorVisitor(league, tokens["ada"]), "full")
    rules = (tmp_path / "course" / "league.toml").read_text()
    (tmp_path / "course" / "league.toml").write_text(rules.replace("free_mb = 0", "free_mb = 1073741824"))
    with run_league(tmp_path / "course", "--no-play") as league:
        visitor = EditorVisitor(league, tokens["ada"])

        refused = visitor.change(draft, "check", {"bot.py": "what I wrote"})

        assert (refused.status, "too little room" in refused.text) == (507, True)
        assert read_fields(refused.text) == {"bot.py": "what I wrote"}
        assert visitor.begin("another").status == 422
        assert "Nothing has been tried yet" in visitor.get(f"{draft}/trial").text
