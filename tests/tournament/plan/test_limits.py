"""Limits: their defaults, their bounds, and how one bot's go over those of all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss.errors import ConfigError
from pitboss_tournament.config.entrants import merge_limits
from pitboss_tournament.plan.limits import BotLimits, Limits
from pitboss_tournament.text.validation import InvalidValue, convert_checked


def test_nothing_said(tmp_path: Path) -> None:
    """A bot has the defaults."""
    assert Limits() == merge_limits(convert_checked({}, Limits), convert_checked({}, BotLimits), tmp_path)


def test_one_bot(tmp_path: Path) -> None:
    """A limit of one bot takes precedence over the same limit of all bots; the rest stays."""
    for_all = convert_checked({"memory_mb": 2048, "processes": 10}, Limits)
    for_one = convert_checked({"processes": 20, "cpu_s": 5}, BotLimits)

    assert Limits(memory_mb=2048, processes=20, cpu_s=5) == merge_limits(for_all, for_one, tmp_path)


def test_default_said_of_one_bot(tmp_path: Path) -> None:
    """A bot can be given the default where all others have something else."""
    assert Limits() == merge_limits(Limits(disk_mb=1), convert_checked({"disk_mb": 64}, BotLimits), tmp_path)


def test_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path that a bot may read is relative to the tournament file, or to the home folder, and becomes absolute."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("home/book", "here/net"):
        (tmp_path / name).mkdir(parents=True)

    found = merge_limits(Limits(read=("net",)), BotLimits(), tmp_path / "here")
    other = merge_limits(Limits(read=("net",)), BotLimits(read=("~/book", "/usr")), tmp_path / "here")

    assert (str(tmp_path / "here" / "net"),) == found.read
    assert (str(tmp_path / "home" / "book"), "/usr") == other.read


def test_path_that_does_not_exist(tmp_path: Path) -> None:
    """The error about a path that does not exist names the path as it was written."""
    with pytest.raises(ConfigError, match=r"^read names 'nets', which does not exist$"):
        merge_limits(Limits(read=("nets",)), BotLimits(), tmp_path)


@pytest.mark.parametrize("wanted", [Limits, BotLimits])
@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"memory_mb": 0}, "memory_mb is 0; it must be an integer from 16 to 1048576"),
        ({"processes": "many"}, 'processes is "many"; it must be an integer from 1 to 65536'),
        ({"read": "/srv"}, 'read is "/srv"; it must be a list of paths: ["/srv/openings", "../shared"]'),
        ({"memory": 5}, "there is no key 'memory' (did you mean 'memory_mb'?)"),
    ],
)
def test_wrong_value(wanted: type[Limits | BotLimits], given: dict[str, Any], text: str) -> None:
    """The error about a wrong value says what was written and what is allowed."""
    with pytest.raises(InvalidValue) as caught:
        convert_checked(given, wanted)

    assert str(caught.value).startswith(text)


@pytest.mark.parametrize("wanted", [Limits, BotLimits])
def test_schema(wanted: type[Limits | BotLimits]) -> None:
    """Each field has a description and bounds in the JSON Schema."""
    [schema] = msgspec.json.schema(wanted)["$defs"].values()

    assert set(wanted.__struct_encode_fields__) == schema["properties"].keys()
    for field in schema["properties"].values():
        assert field["description"]
        assert "read" in field["description"] or {"minimum", "maximum"} <= field.keys()
