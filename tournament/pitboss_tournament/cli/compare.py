"""`pitboss compare`: whether a change of a bot has made it better, as an exit status."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pitboss_tournament.cli import completion, parameters
from pitboss_tournament.cli.exit_status import NOT_BETTER, UNDECIDED
from pitboss_tournament.cli.number_args import any_number, whole_number
from pitboss_tournament.cli.output import print_json, print_table_lines, terminal_width
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.settings import SettingWords, resolve_players, takes_settings
from pitboss_tournament.cli.standings import print_faults, print_lines
from pitboss_tournament.cli.tournament_run import check_end, open_tournament, play_games

if TYPE_CHECKING:
    from pitboss_tournament.playing.tournament import Tournament
    from pitboss_tournament.showing.version_comparison import ComparisonReport

NEVER: Final = 1_000_000_000  # forfeited games after which a bot is out: they count as lost, and the test goes on
_BOT_HELP: Final = "A folder with a bot.toml, a command in quotes, or a name from `pitboss bots`."


@takes_settings(
    *("seats", "preset", "options", "seed", "store", "clock", "faults", "limits", "logs"),
    *("games_at_once", "workers", "pinned", "sandbox", "build_network", "ponder"),
    leave_out=("disqualify_after",),
)
def compare(
    old: Annotated[
        str,
        typer.Argument(
            metavar="OLD",
            help=f"The bot as it was. {_BOT_HELP}",
            autocompletion=completion.complete_bots,
            show_default=False,
        ),
    ],
    new: Annotated[
        str,
        typer.Argument(
            metavar="NEW",
            help="The bot as it is now, in the same way.",
            autocompletion=completion.complete_bots,
            show_default=False,
        ),
    ],
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            "-g",
            metavar="GAME",
            help="The name of a game from `pitboss games`; needed unless --from is given.",
            autocompletion=completion.complete_games,
            show_default=False,
        ),
    ] = None,
    *,
    stored: Annotated[
        list[Path] | None,
        typer.Option(
            "--from",
            metavar="STORE",
            help="Play nothing: judge by the games of a store, or of several; OLD and NEW are names in it, as alice@1.",
        ),
    ] = None,
    bounds: Annotated[
        tuple[float, float],
        typer.Option(
            metavar="LOW HIGH",
            help="In rating points: `better` is proven above LOW, `not better` below HIGH. -25 0 asks whether NEW is "
            "no worse.",
        ),
    ] = (0.0, 25.0),
    alpha: Annotated[
        float, typer.Option(help="Probability of a wrong `better`, at most.", parser=any_number(0.0001, 0.5))
    ] = 0.05,
    beta: Annotated[
        float, typer.Option(help="Probability of a wrong `not better`, at most.", parser=any_number(0.0001, 0.5))
    ] = 0.05,
    games: Annotated[
        int,
        typer.Option(
            "--games", "-n", help="The most games to play, rounded up to whole deals.", parser=whole_number(1)
        ),
    ] = 10_000,
    among: Annotated[
        str | None,
        typer.Option(
            metavar="BOT",
            help="The bot that has the other seats of a larger table; by default the game's house bot.",
            autocompletion=completion.complete_bots,
        ),
    ] = None,
    settings: SettingWords,
    no_store: parameters.NoStore = False,
    fail_on_faults: parameters.FailOnFaults = False,
    as_json: parameters.Json = False,
) -> None:
    """Tell whether NEW is better than OLD: they play each deal from every seat until a sequential test is sure.

    The test looks at the difference of their place scores (the share of the others that a bot is placed before) after
    each deal. It has two bounds, as SPRT has in computer chess, but assumes nothing about how results are distributed.
    Forfeited games count as lost. The same command with the same --seed or the same --store carries on, also with more
    --games.

    The exit status is 0 if NEW is better, 1 if it is not, 2 if that is undecided at the limit of games. It is 3 if
    there is no verdict: after any error, and if a bot never played. After Ctrl-C it is 130, after SIGTERM 143.

    With --json: one object with verdict ("better", "not better", "undecided"), sentence, old, new, game, seats, seed,
    bounds (low, high, alpha, beta), deals, games, most_games, points (estimate, and low and high: below and above them
    with probability alpha and beta; null: infinite), proof_better, proof_not_better (0 to 1), faults (forfeited games
    by kind, by bot) and store.

    With --from nothing is played: the test looks at the stored deals in which both were at one table, in their order.
    """
    from msgspec.structs import replace

    from pitboss.errors import ConfigError
    from pitboss.game import resolve_options
    from pitboss_tournament.config.defaults import default_seats, find_sides
    from pitboss_tournament.config.settings_plan import resolve_plan
    from pitboss_tournament.config.store_name import name_store
    from pitboss_tournament.config.versions import find_house_bot, name_versions, seat_versions
    from pitboss_tournament.exchange.pooling import open_pooled
    from pitboss_tournament.plan.plan import StopBounds, StopRules
    from pitboss_tournament.plan.seating import count_block_games
    from pitboss_tournament.showing.version_comparison import describe_comparison, judge_stored

    low, high = bounds
    if not low < high:
        raise ConfigError(f"--bounds {low:g} {high:g}: the first bound must be less than the second")
    errors = StopBounds(low=low, high=high, alpha=alpha, beta=beta)
    if stored:
        with open_pooled(stored) as pooled:
            _print_verdict(judge_stored(pooled, old, new, errors), as_json)
        return
    if game is None:
        raise ConfigError("which game is to be played? --game names it; --from STORE judges by games that were played")
    registry = load_registry()
    rules = registry.find_game(game)
    given = settings.to_file(game, seating="mirrored")
    seats = given.seats or default_seats(rules, 2)
    if seats < 2:
        raise ConfigError(f"--seats is {seats}; two bots are compared, so it is at least 2")
    if among is not None and seats == 2:
        raise ConfigError(f"--among {among}: at a table of 2 no seat is left beside the two bots; --seats adds some")
    company = [] if seats == 2 else [among or find_house_bot(rules, registry)]
    before, after, *others = resolve_players([old, new, *company], given)
    before, after = name_versions(before, after)
    sides = find_sides(rules, seats, resolve_options(rules, seats, given.preset, given.options))
    stop = StopRules(
        bot=after.name,
        better_than=before.name,
        bounds=errors,
    )
    with name_store(given, [before.name, after.name], not no_store) as (seeded, store):
        complete = replace(
            seeded,
            seats=seats,
            deals=-(-games // count_block_games("mirrored", seats, sides)),
            faults=replace(seeded.faults, disqualify_after=NEVER),
        )
        players = seat_versions(before, after, next(iter(others), None), seats, sides)
        hidden = [store.absolute()]
        plan = resolve_plan(complete, players, registry, store, hidden=hidden, keeps_store=not no_store)
        plan = replace(plan, stop=stop)
        with open_tournament(plan) as tournament:
            _play_comparison(tournament, as_json)
            check_end(tournament, fail_on_faults)
            _print_verdict(describe_comparison(tournament), as_json)


def _play_comparison(tournament: Tournament, as_json: bool) -> None:
    """Play until there is a verdict; print what is played, the standings and the faults, without --json."""
    from pitboss_tournament.results.columns import list_bot_rows, number_rows
    from pitboss_tournament.results.summary import TournamentSummary
    from pitboss_tournament.showing.standings_table import board_lines
    from pitboss_tournament.showing.version_comparison import announce_comparison

    if not as_json:
        print_lines([announce_comparison(tournament)])
    play_games(tournament, as_events=False, is_quiet=as_json)
    if not as_json:
        summary = TournamentSummary(tournament.store)
        print_table_lines(board_lines(number_rows(list_bot_rows(summary)), terminal_width()))
        print_faults(summary, tournament.plan.keeps_store)
        if tournament.plan.keeps_store:
            again = "; the same command with this --store carries on" if tournament.was_stopped else ""
            print_lines([f"The games are kept in {tournament.plan.store}{again}."])


def _print_verdict(found: ComparisonReport, as_json: bool) -> None:
    """Print the verdict as a sentence or as JSON.

    Raises:
        Exit: it is another than "better".
    """
    if as_json:
        print_json(found)
    else:
        print_lines([found.sentence])
    if found.verdict != "better":
        raise typer.Exit(NOT_BETTER if found.verdict == "not better" else UNDECIDED)
