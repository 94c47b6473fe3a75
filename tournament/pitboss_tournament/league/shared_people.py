"""Leagues of one class: the same owners, tokens and groups, while they are served under one address.

Whoever is made an owner in one of them is one in all, by the same token, and a token that is revoked in one is revoked
in all. What each league has of its own (bots, deadlines, extensions, displayed names) is not shared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final

import trio

from pitboss.errors import ConfigError
from pitboss_tournament.league.book import HOST, Book, open_book

SHARE_SECONDS: Final = 2.0  # between looks for owners and tokens that are new in one league


def share_people(books: Sequence[Book]) -> list[str]:
    """Give leagues the same owners, tokens and groups; return what could not be shared, in sentences."""
    complaints = dict[str, None]()
    tokens = [token for book in books for token in book.tokens()]
    for book in books:
        for token in tokens:
            try:
                book.adopt_token(token)
            except ConfigError as error:
                complaints[f"{token.owner} cannot be an owner in {book.path.parent.name}: {error}"] = None
    groups: dict[str, list[str]] = {}
    for book in books:
        own: dict[str, list[str]] = {}
        for person, owner in book.members().items():
            own.setdefault(owner, []).append(person)
        groups = {**own, **groups}
    for book in books:
        known = set(book.members().values())
        for owner, persons in groups.items():
            if owner not in known:
                try:
                    book.set_group(owner, persons, HOST)
                except ConfigError as error:
                    complaints[f"the group {owner} cannot be one in {book.path.parent.name}: {error}"] = None
    return [*complaints]


async def keep_sharing(stores: Sequence[Path], show: Callable[[str], None]) -> None:
    """Share people for ever; `show` gets each complaint once.

    Raises:
        StoreError: a book cannot be read or written.
    """
    seen, told = list[int](), set[str]()
    with ExitStack() as stack:
        books = [stack.enter_context(closing(open_book(store))) for store in stores]

        def share_if_changed() -> list[str]:
            nonlocal seen
            if [book.change_count() for book in books] == seen:
                return []
            found = share_people(books)
            seen = [book.change_count() for book in books]
            return found

        while True:
            for complaint in await trio.to_thread.run_sync(share_if_changed):
                if complaint not in told:
                    show(complaint)
                    told.add(complaint)
            await trio.sleep(SHARE_SECONDS)
