"""The commands of a league as people type them: made, tokens, submitted, looked at; and every mistake in one line."""

from __future__ import annotations

import http.server
import re
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from pitboss_tournament.config.toml_file import TomlFile
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.league_file import LeagueFile
from tests.league.archives import BOT_TOML, GOOD_BOT
from tests.league.league_process import LeagueProcess, make_league, run_league
from tests.league.zips import make_bot_zip
from tests.marks import first_rows
from tests.mistakes import each_mistake
from tests.tournament.command_line import CommandResult, run_pitboss

pytestmark = pytest.mark.once


def make_bot(folder: Path, files: Mapping[str, bytes] = {}) -> Path:
    """Make the folder of a bot."""
    for name, content in {"bot.toml": BOT_TOML, "bot.py": GOOD_BOT, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def submit(league: LeagueProcess, token: str, *words: str | Path) -> CommandResult:
    """Run `pitboss submit`."""
    return run_pitboss("submit", league.url, *map(str, words), env={"PITBOSS_TOKEN": token})


def test_a_new_league_says_what_it_is(tmp_path: Path) -> None:
    """A new league's file can be read as it is, and holds the defaults; nothing is overwritten."""
    ran = run_pitboss("league", "init", "course", "magpie", cwd=tmp_path)
    again = run_pitboss("league", "init", "course", "magpie", cwd=tmp_path)
    status = run_pitboss("league", "status", "course", cwd=tmp_path)

    assert (ran.status, "pitboss league run course" in ran.out) == (0, True)
    file = TomlFile(tmp_path / "course" / "league.toml")
    assert file.convert(LeagueFile) == LeagueFile(game="magpie")
    plain = (tmp_path / "course" / "league.toml").read_text()
    assert {key for key in file.lines if len(key) == 2} <= {
        (table, key) for table in file.values for key in re.findall(r"^(\w+) = ", plain, re.MULTILINE)
    }
    assert (again.status, again.err) == (
        2,
        "pitboss: 'course' exists and is not an empty folder; give the league a folder of its own\n",
    )
    assert status.out == "course: Magpie, 2 at a table\n0 submissions of 0 owners: -\n"


@first_rows(1)(
    ("line", "said"),
    [
        ('game = "magpei"', "league.toml:1: no game 'magpei' is installed (did you mean 'magpie'?)"),
        ('game = "magpie"\nseats = 99', "league.toml:2: seats is 99; magpie is played by"),
        ('game = "magpie"\n[submissions]\nmax_md = 1', "league.toml:3: there is no key 'max_md' in submissions"),
        ('game = "magpie"\n[submissions]\ncloses = 2027-02-01', "league.toml:3: submissions.closes is"),
        ('game = "magpie"\n[submissions]\ncloses = 2027-02-01T18:00:00', "a date and a time with its zone: 2027-"),
        ('game = "magpie"\n[options]\nturn = 5', "league.toml:3: there is no"),
    ],
)
def test_a_mistake_in_the_file(tmp_path: Path, line: str, said: str) -> None:
    """A mistake in the file is named with its line, before anything happens."""
    make_league(tmp_path / "course")
    (tmp_path / "course" / "league.toml").write_text(f"{line}\n")

    for command in ("status", "run"):
        ran = run_pitboss("league", command, "course", cwd=tmp_path)
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert said in ran.err


def test_tokens_of_a_class(tmp_path: Path) -> None:
    """A file with an owner a line makes a CSV of tokens; they are listed without their secrets, and can be revoked."""
    make_league(tmp_path / "course", owners="")
    (tmp_path / "class.csv").write_text("owner\nAda Lovelace,a comment\n\nJosé\n", encoding="utf-8")

    made = run_pitboss("token", "new", "course", "--csv", "class.csv", "--days", "100", cwd=tmp_path)
    header, *lines = made.out.splitlines()
    revoked = run_pitboss("token", "revoke", "course", "--owner", "José", cwd=tmp_path)
    listed = run_pitboss("token", "list", "course", "--json", cwd=tmp_path)

    assert (made.status, made.err, header) == (0, "", "owner,token")
    assert [line.split(",")[0] for line in lines] == ["Ada Lovelace", "José"]
    assert re.fullmatch(r"revoked: token \d{12} of José\n", revoked.out)
    assert [(one["owner"], one["is_valid"]) for one in listed.json_value] == [("Ada Lovelace", True), ("José", False)]
    assert not any(line.split(",")[1].split("-", 2)[2] in listed.out for line in lines)


def test_a_roster_is_read_again(tmp_path: Path) -> None:
    """Who joined the class gets a token; the others keep theirs."""
    make_league(tmp_path / "course", owners="")
    (tmp_path / "class.csv").write_text("Ada\nBob\n")
    run_pitboss("token", "new", "course", "--csv", "class.csv", cwd=tmp_path)
    (tmp_path / "class.csv").write_text("Ada\nBob\nCy\n")

    made = run_pitboss("token", "new", "course", "--csv", "class.csv", cwd=tmp_path)
    again = run_pitboss("token", "new", "course", "--csv", "class.csv", cwd=tmp_path)

    assert [line.split(",")[0] for line in made.out.splitlines()] == ["owner", "Cy"]
    assert (again.status, again.out) == (0, "owner,token\n")
    assert "3 owners of class.csv had a token already" in again.err


def test_the_status_of_a_league(tmp_path: Path) -> None:
    """The status shows the queue in its order, the files that several owners have sent, and the audit trail."""
    make_league(tmp_path / "course")
    with closing(Book(tmp_path / "course" / "league.pitboss")) as book:
        for owner, bot, digest in (("ada", "fox", "d1"), ("ada", "cat", "d2"), ("bob", "owl", "d1")):
            book.receive(owner, bot, digest, 100, "x.upload")

    said = run_pitboss("league", "status", "course", cwd=tmp_path)
    plain = run_pitboss("league", "status", "course", "--json", cwd=tmp_path).json_value

    assert "3 submissions of 2 owners: 3 received\n" in said.out
    assert "queued: 1 (fox@1), 3 (owl@1), 2 (cat@1)\n" in said.out
    assert "the same files, d1: fox@1 of ada (1), owl@1 of bob (3)\n" in said.out
    assert "league: same files: submissions 1 of ada and 3 of bob, digest d1" in said.out
    assert (plain["waiting"], plain["shared"]) == ([1, 3, 2], [{"digest": "d1", "submissions": [1, 3]}])
    assert [one["what"] for one in plain["audit"]][-2:] == ["submitted", "same files"]


@each_mistake(__file__, "tokens", quick=2)
def test_a_mistake_with_tokens(tmp_path: Path, written: str, said: str) -> None:
    """A mistake with tokens is reported in one line, and no token is made."""
    make_league(tmp_path / "course", owners="")
    (tmp_path / "twice.csv").write_text("ada\nbob\nada\n")

    ran = run_pitboss("token", *written.split(), cwd=tmp_path)

    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"pitboss: {said}")
    assert run_pitboss("token", "list", "course", "--json", cwd=tmp_path).json_value == []


@pytest.mark.long
def test_a_bot_is_submitted_and_checked(tmp_path: Path) -> None:
    """A good bot passes all checks and its games; what .gitignore names and hidden files stay at home. A bad one gets
    its failures with cures, and the exit status says which it was.
    """
    folder = tmp_path / "course"
    tokens = make_league(folder, validation="check_seconds = 900")
    file = folder / "league.toml"
    file.write_text(file.read_text().replace("check = false", "check = true").replace("games = 0", "games = 1"))
    good = make_bot(
        tmp_path / "good",
        {".gitignore": b"*.log\n", "noise.log": b"1", ".env": b"secret", "build/x": b"1", "lib/a.py": b"1"},
    )
    bad = make_bot(tmp_path / "bad", {"bot.py": b"import sys\nprint('\\x1b[31moh no', file=sys.stderr)\nsys.exit(3)\n"})
    with run_league(folder) as league:
        played, refused = submit(league, tokens["ada"], good), submit(league, tokens["bob"], bad)
    status = run_pitboss("league", "status", str(folder))

    assert (played.status, played.err) == (0, "")
    steps = ["received", "building", "checking", "validation", "placing"]
    assert [line.split()[0] for line in played.out.splitlines()] == steps
    [digest] = re.findall(r"digest (\w+)", played.out)
    [kept] = (folder / "bots").glob(f"{digest}*")
    assert sorted(str(path.relative_to(kept)) for path in kept.rglob("*") if path.is_file()) == [
        "bot.py",
        "bot.toml",
        "lib/a.py",
    ]
    assert (refused.status, refused.err) == (1, "")
    assert "FAILED  stays-up" in refused.out
    assert "stderr| " in refused.out
    assert "cure: " in refused.out
    assert "\x1b[31m" not in refused.out
    assert "2 submissions of 2 owners: 1 placing, 1 refused" in status.out


@pytest.mark.long
def test_a_bot_that_forfeits_its_validation_game(tmp_path: Path) -> None:
    """The owner of a bot that forfeits gets the fault, the last lines of the wire, and the bot's standard error."""
    tokens = make_league(tmp_path / "course", validation="")
    file = tmp_path / "course" / "league.toml"
    file.write_text(file.read_text().replace("games = 0", "games = 1"))
    code = GOOD_BOT.replace(
        b"        number", b"        print('my last words', file=sys.stderr)\n        sys.exit(7)\n        number"
    )
    with run_league(tmp_path / "course") as league:
        ran = submit(league, tokens["ada"], make_bot(tmp_path / "quits", {"bot.py": code}))

    assert ran.status == 1
    assert re.search(r"^validation  FAILED: crashed: .*status 7", ran.out, re.MULTILINE)
    assert "    my last words\n" in ran.out
    assert re.search(r'^    > \{"type":"decide"', ran.out, re.MULTILINE)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LeagueProcess, Mapping[str, str]]]:
    """Serve a league to whose limits one soon comes."""
    folder = tmp_path_factory.mktemp("served") / "course"
    tokens = make_league(folder, submissions="a_day = 2", owners="ada bob cid dan eve")
    with run_league(folder) as league:
        yield league, tokens


@pytest.mark.long
def test_no_wait_and_json(served: tuple[LeagueProcess, Mapping[str, str]], tmp_path: Path) -> None:
    """`--no-wait` ends with what was received; the same files, sent again, are what they were."""
    league, tokens = served
    bot = make_bot(tmp_path / "bot")

    first = submit(league, tokens["ada"], bot, "--no-wait", "--json", "--name", "ada's")
    again = submit(league, tokens["ada"], bot, "--json", "--name", "ada's")

    assert (first.status, again.status) == (0, 0)
    assert (first.json_value["state"], first.json_value["is_new"], first.json_value["name"]) == (
        "received",
        True,
        "ada's",
    )
    assert (again.json_value["state"], again.json_value["is_new"]) == ("placing", False)
    assert again.json_value["digest"] == first.json_value["digest"]


@pytest.mark.long
def test_an_archive_is_submitted(served: tuple[LeagueProcess, Mapping[str, str]], tmp_path: Path) -> None:
    """`pitboss submit` sends an archive as it is, under its own name unless another one is given."""
    league, tokens = served
    (tmp_path / "wren.zip").write_bytes(make_bot_zip({"bot.py": b"1"}))

    words = ("submit", league.url, "wren.zip", "--token", tokens["eve"], "--no-wait")
    ran = run_pitboss(*words, "--json", cwd=tmp_path)
    named = run_pitboss(*words, "--name", "tit", cwd=tmp_path)

    assert (ran.json_value["name"], ran.status) == ("wren", 0)
    assert "tit@1" in named.out


def test_too_many_a_day(served: tuple[LeagueProcess, Mapping[str, str]], tmp_path: Path) -> None:
    """The third submission of a day is refused: 429, with how long to wait, for people and for programs."""
    league, tokens = served
    for number in range(2):
        bot = make_bot(tmp_path / "bot", {"n": b"%d" % number})
        assert submit(league, tokens["bob"], bot, "--no-wait", "--name", "bobs").status == 0

    ran = submit(league, tokens["bob"], make_bot(tmp_path / "bot", {"n": b"3"}), "--name", "bobs")
    answer = league.put("bobs", tokens["bob"])

    assert (ran.status, ran.out) == (2, "")
    assert re.fullmatch(
        r"pitboss: refused \(429\): bob has sent 2 submissions within 24 hours; the next one may come in \d+ s\n",
        ran.err,
    )
    assert answer.status == 429
    assert 80_000 < int(answer.headers["retry-after"]) <= 86_401


@pytest.mark.long
def test_a_repository(served: tuple[LeagueProcess, Mapping[str, str]], tmp_path: Path) -> None:
    """A revision of a git repository is sent, or a folder in it."""
    league, tokens = served
    repository = tmp_path / "many-bots"
    make_bot(repository / "first", {"bot.toml": BOT_TOML + b'name = "gitty"\n'})
    git = ("git", "-C", str(repository), "-c", "user.name=a", "-c", "user.email=a@b")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "one"), ("tag", "one")):
        subprocess.run([*git, *words], check=True)
    (repository / "first" / "bot.py").write_bytes(b"broken")
    subprocess.run([*git, "commit", "-q", "-a", "-m", "two"], check=True)

    sent = submit(league, tokens["cid"], "first", "--git", repository, "--rev", "one", "--json")
    missing = submit(league, tokens["cid"], "--git", repository, "--rev", "none")
    outside = submit(league, tokens["cid"], "../..", "--git", repository)

    assert (sent.status, sent.json_value["name"]) == (0, "gitty")
    code = league.folder / "bots" / sent.json_value["digest"] / "bot.py"
    assert code.read_bytes() == GOOD_BOT
    assert (missing.status, missing.err.startswith("pitboss: git cannot get it: ")) == (2, True)
    assert (outside.status, "there is no folder '../..' in" in outside.err) == (2, True)


def test_mistakes_of_a_sender(served: tuple[LeagueProcess, Mapping[str, str]], tmp_path: Path) -> None:
    """Each mistake of a sender is one line that says what to do, and no traceback."""
    league, tokens = served
    bot = make_bot(tmp_path / "bot")
    linked = make_bot(tmp_path / "linked")
    (linked / "link").symlink_to("/etc/passwd")
    huge = make_bot(tmp_path / "huge", {"huge": bytes(range(256)) * 8_192})
    cases: list[tuple[CommandResult, int, str]] = [
        (run_pitboss("submit", league.url, str(bot), env={"PITBOSS_TOKEN": ""}), 2, "refused (401)|a token is needed"),
        (submit(league, "pitboss-1-" + "a" * 43, bot), 2, r"refused \(401\): this token is not one of this league"),
        (submit(league, "né", bot), 2, "the token has characters that no token has"),
        (submit(league, tokens["dan"], tmp_path), 2, "holds no bot.toml"),
        (submit(league, tokens["dan"], linked), 2, "is a link that leads out of the folder"),
        (submit(league, tokens["dan"], bot, "--rev", "x"), 2, "--rev is a revision of --git"),
        (submit(league, tokens["dan"], bot, "--name", "a/b"), 2, r"refused \((404|422)\)"),
        (submit(league, tokens["dan"], huge, "--name", "huge"), 2, r"refused \(422\): its files are larger than 1 MiB"),
        (run_pitboss("submit", "ftp://x", str(bot), "--token", "x"), 2, "'ftp://x' is no address of a league"),
        (
            run_pitboss("submit", "http://127.0.0.1:1", str(bot), "--token", "x"),
            1,
            "does not answer: connection refused",
        ),
    ]
    for ran, status, said in cases:
        assert (ran.status, ran.out) == (status, ""), ran
        assert re.search(said, ran.err), ran.err
        assert (ran.err.startswith("pitboss: "), ran.err.count("\n")) == (True, 1), ran.err


@contextmanager
def serve_something_else() -> Iterator[str]:
    """Serve a folder, which is no league."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_what_is_no_league(tmp_path: Path) -> None:
    """Another server's page is not taken for an answer."""
    with serve_something_else() as url:
        ran = run_pitboss("submit", url, str(make_bot(tmp_path / "bot")), "--token", "x")

    assert ran.status == 2
    assert re.match(r"pitboss: refused \(501\): .{,310}\n$", ran.err)


@pytest.mark.long
def test_a_league_that_is_closed_or_full(tmp_path: Path) -> None:
    """A league that is closed, or that has too little room on the disk, takes nothing; a second server is refused."""
    bot = make_bot(tmp_path / "bot")
    closed, full = tmp_path / "closed", tmp_path / "full"
    tokens = make_league(closed, submissions="closes = 2020-01-01T00:00:00+01:00")
    with run_league(closed) as league:
        late = submit(league, tokens["ada"], bot)
        second = run_pitboss("league", "run", str(closed), "--port", "0")
    tokens = make_league(full)
    (full / "league.toml").write_text((full / "league.toml").read_text().replace("free_mb = 0", "free_mb = 999999999"))
    with run_league(full) as league:
        crowded = submit(league, tokens["ada"], bot)

    assert (late.status, late.err) == (2, "pitboss: refused (403): submissions ended at 2020-01-01T00:00:00+01:00\n")
    assert (second.status, "this league is running already" in second.err) == (2, True)
    assert (crowded.status, "refused (507): the league has too little room on its disk" in crowded.err) == (2, True)


@pytest.mark.long
def test_a_build_that_does_not_end(tmp_path: Path) -> None:
    """A build that does not end cannot hang the league: its time runs out, and the next bot is validated. Files that it
    writes until it is dead do not keep its folder from being removed.
    """
    tokens = make_league(tmp_path / "course", validation="build_mb = 2")
    fill = b"head -c 3m /dev/zero > build/x; while :; do i=$((i + 1)); : > build/$i; done"
    toml = b'command = ["{python}", "bot.py"]\nbuild = ["sh", "-c", "%s"]\n' % fill
    with run_league(tmp_path / "course") as league:
        ran = submit(league, tokens["ada"], make_bot(tmp_path / "fills", {"bot.toml": toml}))
        after = submit(league, tokens["bob"], make_bot(tmp_path / "next"))

    assert ran.status == 1
    assert "building    FAILED: the build wrote more than 2 MiB" in ran.out
    assert after.status == 0
    assert len(list((tmp_path / "course/bots").iterdir())) == 1
