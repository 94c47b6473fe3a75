"""`pitboss replay`: a recorded game, decision by decision."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss_tournament.cli.output import print_game_heading, terminal_width
from pitboss_tournament.cli.parameters import StoreFile
from pitboss_tournament.cli.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pitboss.record import Record
    from pitboss_tournament.showing.replay_pages import ReplayPage
    from pitboss_tournament.store.store import Store

GameId = Annotated[
    int | None, typer.Argument(metavar="GAME-ID", help="The number of a game.", show_default=False, min=0)
]


def replay(
    file: StoreFile,
    game_id: GameId = None,
    seat: Annotated[
        int | None, typer.Option(help="Show only what this seat knew; by default every card.", min=0)
    ] = None,
    legal: Annotated[
        bool, typer.Option("--legal", help="List what was legal, numbered as for `choose`, not only how much.")
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="Only replay and compare: one game, or all.")] = False,
) -> None:
    """Step through a recorded game in the terminal, or, in a pipe, print it all.

    The top card of a pile stands last, a dot is a card that the seat did not know, and > marks who is to play. Where a
    bot did wrong there is the verdict with its evidence: the clock, what was legal, the last lines exchanged, the last
    words. What else was said in the game, `pitboss log` shows.

    With --check it is replayed and compared with what was recorded; without a GAME-ID all games of the store are.
    """
    from pitboss.errors import ConfigError
    from pitboss_tournament.plan.seating import check_seat_number
    from pitboss_tournament.showing.replay_pages import ReplayPages
    from pitboss_tournament.store.store import Store
    from pitboss_tournament.text.terminal_text import wrap_text

    store = Store(file)
    if check:
        _check_replays(store, game_id)
        return
    if game_id is None:
        raise ConfigError("which game? say its number, or --check for all")
    record = store.record(game_id)
    check_seat_number(seat, len(record.players))
    width = terminal_width()
    pages = ReplayPages(record, load_registry().find_game(record.game), seat, width=width, with_legal=legal)
    print_game_heading(game_id, record)
    typer.echo("\n".join(wrap_text(f"to ask a bot again: {_ask_command(file, game_id, record)}", width)))
    if sys.stdout.isatty() and sys.stdin.isatty():
        _step_through(list(pages))
    else:
        for page in pages:
            typer.echo(f"\n{page.text}" if page.decision else page.text)


def _ask_command(file: Path, game_id: int, record: Record) -> str:
    """Return the command that re-asks a bot, about the first fault if there is one."""
    from shlex import quote

    first = next((fault for fault in record.faults if fault.decision), None)
    number = "N"
    if first is not None:
        own = [place for place, one in enumerate(record.decisions, 1) if one.seat == first.seat]
        number = str(own[first.decision - 1])
    return f"pitboss ask --record {quote(str(file))} --game {game_id} --decision {number}"


def _check_replays(store: Store, game_id: int | None) -> None:
    from pitboss.record import verify

    games = store.records() if game_id is None else [(game_id, store.record(game_id))]
    checked = decisions = 0
    for _, record in games:
        decisions += verify(record, load_registry().find_game(record.game))
        checked += 1
    typer.echo(f"{checked:,} games with {decisions:,} decisions replay as they were recorded")


def _step_through(pages: Sequence[ReplayPage]) -> None:
    """Show the pages that the person asks for."""
    at: int | None = 0
    while at is not None:
        typer.echo(pages[at].text)
        at = _ask_page(pages, at)
        typer.echo()


def _ask_page(pages: Sequence[ReplayPage], at: int) -> int | None:
    """Prompt until the answer is valid; return the page number, None to quit."""
    last = pages[-1].decision
    keys = f"Enter: next, b: back, 0-{last}: go there, q: quit"
    while True:
        try:
            answer = input(f"[{pages[at].decision}/{last}] {keys}: ").strip().lower()
        except EOFError:
            return None
        if answer == "q" or (not answer and at == len(pages) - 1):
            return None
        if answer in ("", "b"):
            return max(at + (-1 if answer else 1), 0)
        if answer.isdecimal() and int(answer) <= last:
            return next(number for number, page in enumerate(pages) if page.decision >= int(answer))
        typer.echo(f"not understood: {answer!r}")
