"""The store of a match: its name tells the game, and either the seed or who plays."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pitboss.errors import ConfigError
from pitboss_tournament.config.defaults import name_store
from pitboss_tournament.plan.settings import TournamentFile


@pytest.mark.parametrize(
    ("bots", "seed", "name"),
    [
        (("mybot", "house:racko"), "friday/12", r"racko-friday_12\.pitboss"),
        (("mybot", "house:racko"), None, r"racko-mybot-house_racko-\d{4}-\d\d-\d\d-\d{6}\.pitboss"),
        (("a", "b", "c", "d"), None, r"racko-4-bots-\d{4}-\d\d-\d\d-\d{6}\.pitboss"),
    ],
)
def test_the_name_of_a_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bots: tuple[str, ...], seed: str | None, name: str
) -> None:
    """With a seed the name is always the same; without one it is new each time."""
    monkeypatch.chdir(tmp_path)
    found: list[Path] = []
    for _ in range(2):
        with name_store(TournamentFile(game="racko", seed=seed), bots, keeps_store=True) as (seeded, path):
            chosen = seeded.seed or ""
            assert re.fullmatch(name, path.name.replace("-2.", ".") if found and seed is None else path.name)
            assert chosen == seed or (seed is None and len(chosen) == 16)
            path.touch()
            found.append(path)

    assert (found[0] == found[1]) is (seed is not None)


def test_a_store_that_is_not_kept() -> None:
    """The folder of a store that is not kept is gone after the block; a path for such a store is refused."""
    with name_store(TournamentFile(game="racko", seed="s"), ("a", "b"), keeps_store=False) as (seeded, path):
        assert (path.parent.is_dir(), seeded.seed) == (True, "s")

    assert not path.parent.exists()
    with (
        pytest.raises(ConfigError, match="give one of them"),
        name_store(TournamentFile(game="racko", store="x"), ("a", "b"), keeps_store=False),
    ):
        pass
