"""`pitboss arena rung`: the rung of a bot, by duplicate deals against opponents of known strength."""

from __future__ import annotations

import typer
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.plugins.rungs import GameRungs
from pitboss_tournament.cli.exit_status import signal_status
from pitboss_tournament.cli.output import print_json, print_lines, print_note
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.setting_words import resolve_players
from pitboss_tournament.cli.tournament_run import open_tournament, play_games
from pitboss_tournament.config.defaults import draw_seed, name_store
from pitboss_tournament.config.settings_plan import resolve_plan
from pitboss_tournament.rungs.rung_estimate import RungBlock
from pitboss_tournament.rungs.rung_match import (
    choose_rung,
    find_rung_sides,
    make_rung_settings,
    name_rung,
    read_rung_blocks,
    seat_rung,
    split_deals,
)
from pitboss_tournament.rungs.rung_report import describe_rung, rung_lines


def rung(bot: str, game: str, deals: int | None, seed: str | None, sandbox: str | None, as_json: bool) -> None:
    """Run `pitboss arena rung`."""
    table = load_registry().rungs.get(load_registry().find_game(game).name)
    if table is None:
        measured = ", ".join(load_registry().rungs) or "none"
        raise ConfigError(f"{game} has no rungs; games with rungs: {measured}")
    measurement = RungMeasurement(table, bot, seed, sandbox)
    for count in split_deals(table.deals if deals is None else deals):
        measurement.play(choose_rung(table, measurement.played), count)
    report = describe_rung(table, measurement.name, measurement.played, measurement.seed, measurement.faults)
    if as_json:
        print_json(report)
    else:
        print_lines(rung_lines(report, table))


class RungMeasurement:
    """Matches of a bot against one rung after another, each in a store that is deleted."""

    def __init__(self, table: GameRungs, bot: str, seed: str | None, sandbox: str | None) -> None:
        self.played: dict[int, list[RungBlock]] = {}
        self.faults = 0
        self.name = bot
        self.seed = seed or draw_seed()
        self._bot, self._table = bot, table
        self._sides = find_rung_sides(table, load_registry())
        self._others = {} if sandbox is None else {"sandbox": sandbox}

    def play(self, number: int, deals: int) -> None:
        """Play deals against a rung, and keep their blocks.

        Raises:
            ConfigError, SeveralErrors: a bot is not found, or cannot be built.
            Exit: a person stopped the match.
        """
        table, done = self._table, sum(map(len, self.played.values()))
        given = make_rung_settings(table, load_registry(), deals, **self._others)
        found, rung_bot = resolve_players([self._bot, name_rung(number)], given)
        self.name = found.name
        players = seat_rung(found, rung_bot, self._sides, table.seats)
        given = replace(given, seed=f"{self.seed}/{done}")
        with name_store(given, [], keeps_store=False) as (given, store):
            print_note(f"{deals} deals against rung {number}, {table.rungs[number - 1].bot}")
            plan = resolve_plan(given, players, load_registry(), store, keeps_store=False)
            with open_tournament(plan) as tournament:
                play_games(tournament, as_events=False, is_quiet=True)
                if tournament.stop_signal is not None:
                    raise typer.Exit(signal_status(tournament.stop_signal))
                header, results = tournament.store.header, list(tournament.store.results(with_times=False))
                own = set(range(table.seats)) if len(self._sides) == 1 else set(self._sides[0])
                self.faults += sum(
                    seat.fault is not None or bool(seat.substituted)
                    for game in results
                    for seat in game.seats
                    if seat.entrant in own
                )
                blocks = read_rung_blocks(results, self._sides, table.seats, header.block_size)
        self.played.setdefault(number, []).extend(blocks)
