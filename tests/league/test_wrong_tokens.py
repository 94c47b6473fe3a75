"""Wrong tokens: they cost time those who send them, and nobody else."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlencode

import pytest
import trio
import trio.testing
from starlette.types import Message

from pitboss_tournament.league.sessions import (
    FREE_FAILURES,
    FREE_FAILURES_IN_ALL,
    LIMIT_SECONDS,
    MAX_SLOWED,
    SLOWED_SECONDS,
)
from pitboss_tournament.league.tokens import LOWEST_NUMBER, draw_secret, hash_secret
from tests.league.asgi_requests import ADDRESS, AppAnswer, AppUser, open_app
from tests.league.league_process import make_league

FAR = "198.51.100.7"
Door: TypeAlias = Callable[[AppUser, str, str], Awaitable[AppAnswer]]


@pytest.fixture
def tokens(tmp_path: Path) -> dict[str, str]:
    """Make a league of two owners."""
    return make_league(tmp_path / "course")


@pytest.fixture
def user(tmp_path: Path, tokens: dict[str, str]) -> Iterator[AppUser]:
    """Open the application of that league."""
    with open_app(tmp_path / "course") as opened:
        yield opened


def make_wrong(token: str) -> str:
    """Return a token of the same number with another secret."""
    return token[:-5] + "wrong"


async def log_in(user: AppUser, token: str, address: str = ADDRESS) -> AppAnswer:
    """Log in as a browser does."""
    body = urlencode({"token": token}).encode()

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return await user.ask("POST", "/login", "", receive, {"origin": "http://localhost"}, address)


async def see_own(user: AppUser, token: str, address: str = ADDRESS) -> AppAnswer:
    """Ask for a submission that is not there, with a token: 404 if it opens, 401 if not."""
    return await user.ask("GET", "/api/submissions/1", token, address=address)


async def test_a_right_token_after_many_wrong_ones(
    user: AppUser, tokens: dict[str, str], autojump_clock: trio.testing.MockClock
) -> None:
    """A right token opens at once, by the page and by the API, whoever has tried wrong ones from wherever."""
    async with trio.open_nursery() as nursery:
        for number in range(FREE_FAILURES_IN_ALL + 20):
            nursery.start_soon(log_in, user, f"pitboss-{number + 10}-{draw_secret()}", f"203.0.113.{number % 250}")
    for _ in range(FREE_FAILURES + 1):
        await log_in(user, make_wrong(tokens["ada"]))

    begun = trio.current_time()
    entered, asked = await log_in(user, tokens["ada"]), await see_own(user, tokens["ada"])

    assert (entered.status, asked.status) == (303, 404)
    assert asked.at == begun


@pytest.mark.parametrize("door", [log_in, see_own])
@pytest.mark.parametrize("said", ["wrong secret", "no token"])
async def test_wrong_tokens_from_one_address(
    user: AppUser, tokens: dict[str, str], autojump_clock: trio.testing.MockClock, door: Door, said: str
) -> None:
    """A few wrong tokens from one address are answered at once, further ones later; another address does not wait, nor
    does this one after a while.
    """
    wrong = make_wrong(tokens["ada"]) if said == "wrong secret" else "no token"
    seconds = list[float]()

    async def try_token(address: str) -> None:
        begun = trio.current_time()
        answer = await door(user, wrong, address)
        assert answer.status == 401
        seconds.append(answer.at - begun)

    for _ in range(FREE_FAILURES + 2):
        await try_token(ADDRESS)
    await try_token(FAR)
    await trio.sleep(LIMIT_SECONDS + 1)
    await try_token(ADDRESS)

    assert seconds == pytest.approx([0.0] * FREE_FAILURES + [SLOWED_SECONDS] * 2 + [0.0, 0.0])


async def test_a_flood_of_wrong_tokens(
    user: AppUser, tokens: dict[str, str], autojump_clock: trio.testing.MockClock
) -> None:
    """No more than some answers wait at a time; the others are told to come again."""
    statuses = Counter[int]()

    async def send() -> None:
        answer = await see_own(user, "no token")  # no thread looks it up, while which the clock would jump
        statuses[answer.status] += 1
        assert answer.headers.get("retry-after", "60") == "60"

    async with trio.open_nursery() as nursery:
        for _ in range(FREE_FAILURES + MAX_SLOWED + 7):
            nursery.start_soon(send)

    assert statuses == {401: FREE_FAILURES + MAX_SLOWED, 429: 7}


async def test_numbers_of_tokens(user: AppUser, tmp_path: Path) -> None:
    """The numbers of new tokens are random; a token whose number was counted opens as before."""
    numbers = [int(one.token.split("-")[1]) for one in user.book.add_tokens(["cid"] * 20)]
    secret = draw_secret()
    with closing(sqlite3.connect(tmp_path / "course" / "league.pitboss", isolation_level=None)) as db:
        row = ("ada", "owner", hash_secret(secret), "2026-01-01T00:00:00+00:00")
        db.execute("insert into league_tokens (number, owner, role, hash, made) values (1, ?, ?, ?, ?)", row)

    assert min(numbers) >= LOWEST_NUMBER
    assert len({two - one for one, two in zip(numbers, sorted(numbers), strict=True)}) > 1
    assert (await see_own(user, f"pitboss-1-{secret}")).status == 404


@pytest.mark.parametrize(("address", "warns"), [("127.0.0.1", False), ("::1", False), (FAR, True)])
async def test_a_login_without_tls(user: AppUser, address: str, warns: bool) -> None:
    """Who asks from another machine, with no proxy between, is told that the token could be read."""
    answer = await user.ask("GET", "/login", address=address)

    assert (answer.status, b"came without TLS" in answer.body) == (200, warns)
