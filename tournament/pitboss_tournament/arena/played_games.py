"""The games of a round as they lie in their store: how many, and a digest of them."""

from __future__ import annotations

import hashlib
from contextlib import closing
from pathlib import Path

from pitboss.records.record import dumps
from pitboss_tournament.exchange.export import strip_times
from pitboss_tournament.store.store import Store


def digest_records(store: Path) -> tuple[int, str]:
    """Return the number of games in a store, and SHA-256 of their records, without their times, in their order.

    Raises:
        StoreError: they cannot be read.
    """
    digest, games = hashlib.sha256(), 0
    with closing(Store(store)) as opened:
        for _, record in opened.records():
            digest.update(dumps(strip_times(record)) + b"\n")
            games += 1
    return games, digest.hexdigest()
