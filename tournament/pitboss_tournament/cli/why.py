"""`pitboss why`: why a bot lost."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import typer

from pitboss.errors import ConfigError
from pitboss.options import convert_value
from pitboss.plugins.registry import load_namesake
from pitboss.records.luck import check_evaluable
from pitboss_tournament.cli.output import (
    print_data_lines,
    print_json,
    print_lines,
    print_note,
    print_table_lines,
    terminal_width,
)
from pitboss_tournament.cli.setting_words import read_settings
from pitboss_tournament.cli.why_of_league import find_league_bundle
from pitboss_tournament.counting.stored_findings import StoredFindings, collect_report
from pitboss_tournament.plan.plan import require_bot
from pitboss_tournament.processes.sandbox_probe import resolve_sandbox
from pitboss_tournament.reask.feedback_bundle import FeedbackBundle, bundle_lines, encode_bundle, make_bundle
from pitboss_tournament.reporting.plain_summary import collect_first_faults
from pitboss_tournament.results.fault_evidence import find_check_command
from pitboss_tournament.results.loss_report import LossReport, find_loss_reasons
from pitboss_tournament.results.numbers import format_milliseconds
from pitboss_tournament.showing.pair_table import pair_lines
from pitboss_tournament.showing.standings_table import board_lines, fault_lines
from pitboss_tournament.store.store import Store
from pitboss_tournament.text.terminal_text import action_text

if TYPE_CHECKING:
    from pitboss.game import AnyGame
    from pitboss_tournament.store.header import Header

OPPONENTS_TOLD: Final = 10
NO_FAIR_GAME: Final = "It has played no game without a forfeit yet."
SLOW_SHARE: Final = 0.5  # of the limit; a bot with slower decisions will be late sooner or later


def why(
    file: str,
    bot: str,
    bundle: bool,
    reference: str | None,
    token: str | None,
    sandbox: str | None,
    as_json: bool,
) -> None:
    """Run `pitboss why`."""
    is_league = file.startswith(("http://", "https://"))
    for option, said in (("--reference", reference), ("--sandbox", sandbox)):
        if said is not None and is_league:
            raise ConfigError(f"{option} is not for a league, which asks its own reference; leave it out")
        if said is not None and not bundle:
            raise ConfigError(f"{option} is for --bundle, in which another bot is asked; add --bundle")
    if is_league:
        print_bundle(find_league_bundle(file, bot, token), as_json)
        return
    if bundle:
        _print_bundle(Path(file), bot, reference, sandbox, as_json)
        return
    store = Store(Path(file))
    header = store.header
    name = require_bot("BOT", bot, header.bots)
    assert name is not None
    entrant, game = header.bots.index(name), load_namesake(header.game)
    summary = StoredFindings(store)
    found = find_loss_reasons(summary, collect_report(store).notable, entrant, _usable(game, header))
    if as_json:
        print_json(found)
    else:
        _print_report(found, summary, entrant, shlex.quote(file))


def _print_bundle(file: Path, bot: str, reference: str | None, sandbox: str | None, as_json: bool) -> None:
    level, warning = resolve_sandbox(read_settings(None, ("sandbox",), sandbox=sandbox).to_file("").sandbox)
    if warning and reference is not None:
        print_note(warning)
    print_bundle(make_bundle(file, bot, reference, level), as_json)


def print_bundle(found: FeedbackBundle, as_json: bool) -> None:
    """Print a bundle as text, or as JSON."""
    if as_json:
        print_data_lines([encode_bundle(found).decode()])
    else:
        print_lines(bundle_lines(found))


def _usable(game: AnyGame | None, header: Header) -> AnyGame | None:
    """Return the game if it evaluates states, in the version that was played; else None."""
    if game is None or game.version != header.game_version:
        return None
    try:
        check_evaluable(game, header.seats, convert_value(header.options, game.Options, game.name))
    except ConfigError:
        return None
    return game


def _print_report(found: LossReport, summary: StoredFindings, entrant: int, store: str) -> None:
    width, row = terminal_width(), found.bot
    print_table_lines(board_lines([row], width))
    print_lines(["", "Did it commit a fault?"])
    if row.faults or row.substituted:
        standing = next(line for line in summary.standings if line.name == row.name)
        first = collect_first_faults(summary).get(row.name)
        check = find_check_command(summary.store.header, row.name)
        print_lines(fault_lines(standing, first, summary.store.path, width, check))
    else:
        print_lines(["No: it forfeited no game."])
    print_lines(["", "Was it slow?", _tell_times(found)])
    print_lines(["", "To whom did it lose?", *found.verdict])
    if found.pairs:
        print_table_lines(pair_lines(found.pairs[:OPPONENTS_TOLD], width))
    print_lines(["", "Which games?"])
    _print_with_commands(_list_games(found, store))
    print_lines(["", "Which decisions?"])
    _print_with_commands(_list_decisions(found, summary, store))


class CommandHint(NamedTuple):
    """A command that shows more. It is not folded, so that it can be copied."""

    command: str


def _print_with_commands(lines: Iterable[str | CommandHint]) -> None:
    for line in lines:
        if isinstance(line, CommandHint):
            typer.echo(f"  {line.command}")
        else:
            print_lines([line])


def _tell_times(found: LossReport) -> str:
    """Return in how many games the bot was late; if in none, how its slowest decisions compare with the limit."""
    slowest, limit = found.bot.think_p99_ms, found.decision_ms
    if limit is None:
        return "No clock ran for it: it is a person, or its games were imported."
    if late := found.bot.faults.get("late", 0):
        return f"Yes: it forfeited {late:,} {'game' if late == 1 else 'games'} because it was late."
    if slowest is None:
        return "It made no decision."
    taken = format_milliseconds(slowest)
    share = f"99 of 100 decisions took no longer than {taken} ms; the limit of one is {limit:,.10g} ms."
    return f"Yes: {share}" if slowest > SLOW_SHARE * limit else f"No: {share}"


def _list_games(found: LossReport, store: str) -> Iterator[str | CommandHint]:
    if not found.worst_games:
        yield NO_FAIR_GAME
    for game in found.worst_games:
        yield f"game {game.game_id}: {game.margin:+.4g} points from the mean of the table"
        yield CommandHint(f"pitboss replay {store} {game.game_id} --seat {game.seat}")


def _list_decisions(found: LossReport, summary: StoredFindings, store: str) -> Iterator[str | CommandHint]:
    if not found.is_evaluated:
        yield (
            f"Their costs are unknown: {summary.store.header.game} is not installed here in the version that was "
            "played, or does not evaluate states."
        )
    elif not found.worst_games:
        yield NO_FAIR_GAME
    elif not found.rated:
        yield "Their costs are unknown: no decision of these games could be rated."
    elif not found.costly_decisions:
        yield "No decision cost more than chance may explain."
    for one in found.costly_decisions:
        played, better = _action_words(one.action), _action_words(one.better)
        yield f"game {one.game_id}, decision {one.decision}, {played}: {better} was worth {one.cost:.4g} points more"
        yield CommandHint(f"pitboss ask {store} {one.game_id} {one.decision} --bot house:search --seat {one.seat}")
    if found.rated < found.choices:
        yield f"Of {found.choices:,} decisions in these games {found.rated:,} were rated, as the time was short."


def _action_words(action: object) -> str:
    """Return a recorded action as notation has it."""
    return action_text(action)
