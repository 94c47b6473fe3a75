"""`pitboss replay`: a recorded game, decision by decision."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss_tournament.cli.results import StoreFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pitboss.record import Record
    from pitboss_tournament.store import Store

GameId = Annotated[int | None, typer.Argument(metavar="GAME-ID", help="The number of a game.", show_default=False, min=0)]
KEYS = "Enter: next, b: back, a number: that decision, q: stop"


def replay(
    file: StoreFile,
    game_id: GameId = None,
    seat: Annotated[int | None, typer.Option(help="Show only what this seat knew; by default every card.", min=0)] = None,
    check: Annotated[bool, typer.Option("--check", help="Only replay and compare: one game, or all.")] = False,
) -> None:
    """Step through a recorded game in the terminal, or, in a pipe, print it all.

    With --check it is replayed and compared with what was recorded; without a GAME-ID all games of the store are.
    """
    from pitboss.errors import ConfigError
    from pitboss_tournament.store import Store

    store = Store(file)
    if check:
        _check(store, game_id)
        return
    if game_id is None:
        raise ConfigError("which game? say its number, or --check for all")
    record = store.record(game_id)
    if seat is not None and seat >= len(record.players):
        raise ConfigError(f"seat {seat} is not at the table; the seats are 0 to {len(record.players) - 1}")
    if sys.stdout.isatty() and sys.stdin.isatty():
        _step(record, game_id, seat)
    else:
        for page in _pages(record, game_id, seat):
            typer.echo(page)


def _check(store: Store, game_id: int | None) -> None:
    from pitboss.record import compared
    from pitboss_tournament.cli.installed import registry

    games = store.records() if game_id is None else [(game_id, store.record(game_id))]
    checked = decisions = 0
    for _, record in games:
        decisions += compared(record, registry().game(record.game))
        checked += 1
    typer.echo(f"{checked:,} games with {decisions:,} decisions replay as they were recorded")


def _step(record: Record, game_id: int, seat: int | None) -> None:
    """Show page after page as the person asks for them."""
    pages = list(_pages(record, game_id, seat))
    at = 0
    while True:
        typer.echo(pages[at])
        asked = typer.prompt(f"[{at}/{len(pages) - 1}] {KEYS}", default="", show_default=False).strip()
        if asked == "q" or (not asked and at == len(pages) - 1):
            return
        at = int(asked) if asked.isdecimal() else at + (-1 if asked == "b" else 1)
        at = min(max(at, 0), len(pages) - 1)


def _pages(record: Record, game_id: int, seat: int | None) -> Iterator[str]:
    """Yield the table before the first decision, and after each one what was decided and the table; at last the end."""
    from pitboss.record import replayed
    from pitboss_tournament.cli.installed import registry
    from pitboss_tournament.showing import action_text, table_lines

    names = record.players
    title = f"Game {game_id}: {record.game}, seed {record.seed!r}, {', '.join(f'{at} {name}' for at, name in enumerate(names))}"
    faults = {(fault.seat, fault.decision): fault for fault in record.faults}
    for at in range(len(names)):
        if early := faults.pop((at, 0), None):
            title += f"\nseat {at} ({names[at]}) never played. {early.kind}: {early.message}"
    asked = [0] * len(names)
    for number, state in enumerate(replayed(record, registry().game(record.game))):
        if number:
            decision = record.decisions[number - 1]
            asked[decision.seat] += not decision.forced
            title = f"\n{number}. seat {decision.seat} ({names[decision.seat]}): {action_text(decision.action)}"
            title += "  (neutral, after a fault)" if decision.forced else f"  [{decision.us / 1000:.1f} ms]"
            if fault := faults.pop((decision.seat, asked[decision.seat] + decision.forced), None):
                title += f"\n   {fault.kind}: {fault.message}"
            title += f"\n   note: {decision.note}" if decision.note else ""
        yield "\n".join([title, *table_lines(state.table, seat, names)])
    yield "\n" + _ending(record)


def _ending(record: Record) -> str:
    outcome, forfeited = record.outcome, record.forfeited
    lines = ["The game is over."]
    for seat in sorted(range(len(record.players)), key=outcome.places.__getitem__):
        counts = " (forfeited: it counts as last)" if seat in forfeited else ""
        lines.append(f"  {outcome.places[seat]}. seat {seat} ({record.players[seat]}): {outcome.points[seat]:g} points{counts}")
    for fault in record.faults:
        lines.append(f"  seat {fault.seat} ({record.players[fault.seat]}) forfeited, {fault.kind}: {fault.message}")
        words = record.last_words.get(fault.seat, "").strip()
        if words:
            lines.append(f"  the end of what seat {fault.seat} wrote to standard error:")
            lines += [f"    {line}" for line in words.splitlines()]
    return "\n".join(lines)
