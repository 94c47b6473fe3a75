"""What is reserved for an upload before a byte of it is read, and what of that comes back."""

from __future__ import annotations

import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
import trio.testing
from starlette.types import Message, Receive

from pitboss_tournament.league.book import UPLOAD_BEGUN
from pitboss_tournament.league.intake import UPLOADS_AT_ONCE
from pitboss_tournament.league.league_folder import LeagueFolder
from pitboss_tournament.league.site.league_app import DRAIN_SECONDS, SLOWEST_UPLOAD, UPLOAD_GRACE_SECONDS
from tests.league.archives import BOT_TOML, make_bot_tar, make_member, make_tar
from tests.league.asgi_requests import AppAnswer, AppUser, open_app
from tests.league.league_process import make_league

A_DAY = 3
OWNERS = ("ada", "bob", "cid", "dan", "eve", "fay")


@pytest.fixture
def tokens(tmp_path: Path) -> dict[str, str]:
    """Make a league of six owners, each of whom may send three bots a day."""
    return make_league(tmp_path / "course", submissions=f"a_day = {A_DAY}", owners=" ".join(OWNERS))


@pytest.fixture
def user(tmp_path: Path, tokens: dict[str, str]) -> Iterator[AppUser]:
    """Open the application of that league."""
    with open_app(tmp_path / "course") as opened:
        yield opened


def count_begun(user: AppUser, owner: str) -> int:
    """Return how many uploads of an owner count."""
    return sum((entry.who, entry.what) == (owner, UPLOAD_BEGUN) for entry in user.book.audit())


async def send_together(user: AppUser, token: str, count: int, archives: list[bytes]) -> list[AppAnswer]:
    """Send archives of one owner at the same moment."""
    answers = list[AppAnswer]()

    async def send(number: int) -> None:
        async def receive() -> Message:
            return {"type": "http.request", "body": archives[number], "more_body": False}

        answers.append(await user.put(f"b{number}", token, receive, len(archives[number])))

    async with trio.open_nursery() as nursery:
        for number in range(count):
            nursery.start_soon(send, number)
    return answers


async def test_many_uploads_of_one_owner_at_once(user: AppUser, tokens: dict[str, str]) -> None:
    """One upload of an owner is taken at a time, and no more than the day's."""
    statuses = Counter[int]()
    for turn in range(A_DAY + 1):
        archives = [make_bot_tar({"n": b"%d, %d" % (turn, number)}) for number in range(40)]
        statuses.update(answer.status for answer in await send_together(user, tokens["ada"], 40, archives))

    assert set(statuses) == {202, 429}
    assert statuses[202] <= A_DAY
    assert len(user.book.submissions()) == statuses[202]
    assert count_begun(user, "ada") == A_DAY


async def break_off() -> Message:
    """Say that the sender has gone."""
    return {"type": "http.disconnect"}


async def send_garbage() -> Message:
    """Send what is no archive."""
    return {"type": "http.request", "body": bytes(range(256)) * 4, "more_body": False}


async def send_without_end() -> Message:
    """Send the next part of a body that does not end."""
    return {"type": "http.request", "body": bytes(1 << 18), "more_body": True}


async def send_folder_for_file() -> Message:
    """Send a bot with a folder in place of its .gitignore."""
    folder = make_member("lib/.gitignore", type=tarfile.DIRTYPE)
    body = make_tar((make_member("bot.toml", len(BOT_TOML)), BOT_TOML), (folder, b""))
    return {"type": "http.request", "body": body, "more_body": False}


@pytest.mark.parametrize(
    ("body", "status"), [(break_off, 400), (send_garbage, 422), (send_without_end, 413), (send_folder_for_file, 422)]
)
async def test_an_upload_that_fails(
    user: AppUser, tokens: dict[str, str], tmp_path: Path, body: Receive, status: int
) -> None:
    """A failed upload counts as one of the owner's day, however it ends; its place is free again, and no files of it
    are left.
    """
    failed = [(await user.put("fox", tokens["ada"], body)).status for _ in range(A_DAY)]
    after = await user.put("fox", tokens["ada"])

    assert (failed, after.status) == ([status] * A_DAY, 429)
    assert "sent 3 submissions within 24 hours" in after.error
    assert [*(tmp_path / "course" / "uploads").iterdir(), *(tmp_path / "course" / "bots").iterdir()] == []


async def test_a_disk_that_fails(user: AppUser, tokens: dict[str, str], tmp_path: Path) -> None:
    """An upload that the disk cannot keep is answered with 507, and counts."""
    (tmp_path / "course" / "uploads").rmdir()

    answers = [await user.put("fox", tokens["ada"]) for _ in range(A_DAY + 1)]

    assert [answer.status for answer in answers] == [507] * A_DAY + [429]
    assert answers[0].error == "the league cannot keep it: No such file or directory; tell its host"


class Trickle:
    """A body that comes a byte at a time."""

    def __init__(self, pause: float) -> None:
        self.pause = pause
        self.begun: float | None = None

    async def __call__(self) -> Message:
        """Return the next byte, after a while."""
        if self.begun is None:
            self.begun = trio.current_time()
        await trio.sleep(self.pause)
        return {"type": "http.request", "body": b"\0", "more_body": True}


async def test_a_byte_in_five_seconds(
    user: AppUser, tokens: dict[str, str], autojump_clock: trio.testing.MockClock
) -> None:
    """Four such uploads keep nobody out for longer than the grace: they are ended, and told why."""
    answers, took = list[AppAnswer](), list[float]()

    async def send(owner: str) -> None:
        trickle = Trickle(5)
        answers.append(await user.put(owner, tokens[owner], trickle))
        took.append(answers[-1].at - (trickle.begun or 0))

    async with trio.open_nursery() as nursery:
        for owner in OWNERS[:UPLOADS_AT_ONCE]:
            nursery.start_soon(send, owner)
    after = await user.put("fay", tokens["fay"])

    assert [answer.status for answer in answers] == [408] * UPLOADS_AT_ONCE
    assert "the upload was slower than 16 KiB/s" in answers[0].error
    assert max(took) <= UPLOAD_GRACE_SECONDS + DRAIN_SECONDS + 1
    assert after.status == 202


async def test_an_upload_over_a_slow_line(
    user: AppUser, tokens: dict[str, str], autojump_clock: trio.testing.MockClock
) -> None:
    """An upload at the slowest allowed rate is taken, although it takes longer than the grace."""
    content = make_bot_tar({"weights": bytes(range(256)) * 3_000})
    parts = [content[start : start + SLOWEST_UPLOAD] for start in range(0, len(content), SLOWEST_UPLOAD)]
    begun = trio.current_time()
    assert len(parts) > 2 * UPLOAD_GRACE_SECONDS

    async def receive() -> Message:
        await trio.sleep(1)
        return {"type": "http.request", "body": parts.pop(0), "more_body": bool(parts)}

    answer = await user.put("slow", tokens["ada"], receive)

    assert answer.status == 202
    assert answer.at - begun > 2 * UPLOAD_GRACE_SECONDS


class HeldUpload:
    """A body of which nothing comes until the sender breaks off."""

    def __init__(self) -> None:
        self.is_admitted = trio.Event()
        self.ends = trio.Event()

    async def __call__(self) -> Message:
        """Wait, and break off."""
        self.is_admitted.set()
        await self.ends.wait()
        return await break_off()


async def hold_upload(user: AppUser, token: str, nursery: trio.Nursery, name: str) -> HeldUpload:
    """Begin an upload, and return once it is admitted."""
    held = HeldUpload()
    nursery.start_soon(user.put, name, token, held)
    await held.is_admitted.wait()
    return held


async def test_one_place_is_kept_for_others(user: AppUser, tokens: dict[str, str]) -> None:
    """The last place is kept for an owner who has sent nothing lately; nobody gets a place beyond the last."""
    await user.put("first", tokens["dan"])
    async with trio.open_nursery() as nursery:
        held = [await hold_upload(user, tokens["ada"], nursery, "ada")]
        refused = [await user.put("other", tokens["ada"])]
        held += [await hold_upload(user, tokens[owner], nursery, owner) for owner in ("bob", "cid")]
        refused.append(await user.put("second", tokens["dan"]))
        held.append(await hold_upload(user, tokens["eve"], nursery, "eve"))
        refused.append(await user.put("more", tokens["fay"]))
        for one in held:
            one.ends.set()
    freed = await user.put("second", tokens["dan"])

    assert [(one.status, one.error.split(";")[0]) for one in refused] == [
        (429, "another upload of ada is in progress"),
        (429, "many uploads are in progress"),
        (429, "many uploads are in progress"),
    ]
    assert freed.status == 202


async def test_room_that_is_promised(tokens: dict[str, str], tmp_path: Path) -> None:
    """The room that uploads in progress may need is not given away a second time."""
    file = tmp_path / "course" / "league.toml"
    room = LeagueFolder(tmp_path / "course").free_mb()
    largest = min(4_096, room // 8)  # the archive and its files: twice as much for each upload
    text = file.read_text().replace("max_mb = 1\n", f"max_mb = {largest}\n")
    file.write_text(text.replace("free_mb = 0", f"free_mb = {room - 3 * largest}"))
    with open_app(tmp_path / "course") as user:
        async with trio.open_nursery() as nursery:
            held = await hold_upload(user, tokens["ada"], nursery, "first")
            second = await user.put("second", tokens["bob"], break_off)
            held.ends.set()
        begun = count_begun(user, "bob")

    assert (second.status, second.error, begun) == (507, "the league has too little room on its disk; tell its host", 0)
