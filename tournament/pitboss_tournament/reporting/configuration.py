"""Section on the configuration: all settings of the store, and the programs that played it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

import msgspec

from pitboss_tournament.html.elements import Content
from pitboss_tournament.html.page_parts import Section, fold, note, section, table
from pitboss_tournament.reporting import explanations
from pitboss_tournament.results.own_settings import describe_own_settings
from pitboss_tournament.store.header import SHOWN_DIGITS, Header
from pitboss_tournament.store.rows import RunStart
from pitboss_tournament.store.store import Store

ABOUT = ("version", "author", "language")  # what bots say of themselves


def configuration_section(store: Store) -> Section:
    """Return the section on the settings of the header, the bots and the runs."""
    return section(
        "setup",
        "What was played",
        note(explanations.SETUP),
        fold(
            "Settings",
            table(
                "setup-table",
                "Settings.",
                ("Setting", "Value"),
                list(_setting_rows(msgspec.to_builtins(store.header.row))),
                words=(1,),
            ),
        ),
        fold("Bots", _bots_table(store.header)),
        fold("Runs", runs) if (runs := _runs_table(store.runs())) else None,
    )


def _bots_table(header: Header) -> Content:
    plain = [msgspec.to_builtins(entry) for entry in header.entries]
    limits = list(plain[0]["limits"])
    about = [one for one in ABOUT if any(one in own["about"] for own in plain)]
    own = describe_own_settings(header)
    have_left = any(entry.left for entry in header.entries)
    words = [
        *(one.capitalize() for one in about),
        "Digest",
        *(["Left"] if have_left else []),
        "Command",
        *(["Its own"] if any(own) else []),
    ]
    rows = [
        (
            label,
            *(said["about"].get(one, "") for one in about),
            entry.digest[:SHOWN_DIGITS] or "none",
            *([f"{entry.left}: {entry.why}" if entry.left else ""] if have_left else []),
            shlex.join(entry.command),
            *([settings] if any(own) else []),
            *(_plain_text(said["limits"][limit]) for limit in limits),
        )
        for label, entry, said, settings in zip(header.labels, header.entries, plain, own, strict=True)
    ]
    return table(
        "bots-table",
        "The bots, how they were started, and what each may use of the machine.",
        ("Bot", *words, *limits),
        rows,
        words=tuple(range(1, len(words) + 1)),
    )


def _runs_table(runs: list[RunStart]) -> Content:
    cells = [
        (run.began, f"{run.played:,}", _plain_text(run.total), run.sandbox, run.pitboss, run.python, run.platform)
        for run in runs
    ]
    head = ("Begun (UTC)", "Games there", "Of", "Sandbox", "Pitboss", "Python", "Platform")
    return (
        table("runs-table", "When it was begun and carried on, and by what.", head, cells, words=(6,))
        if cells
        else None
    )


def _setting_rows(values: dict[str, Any], path: str = "") -> Iterator[tuple[Content, Content]]:
    for key, value in values.items():
        name = f"{path}.{key}" if path else str(key)
        if isinstance(value, dict) and value:
            yield from _setting_rows(value, name)
        else:
            yield name, _plain_text(value)


def _plain_text(value: Any) -> str:  # noqa: ANN401 - plain data
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
