"""`pitboss match`: a tournament from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from pitboss_tournament.cli import completion
from pitboss_tournament.cli.parameters import GameName, Json, NoPin, OptionWords, Preset, Workers

BotSpecs = Annotated[
    list[str],
    typer.Argument(
        metavar="BOT...",
        help="A folder with a bot.toml, a command in quotes, or a name from `pitboss bots`.",
        autocompletion=completion.complete_bots,
        show_default=False,
    ),
]
Deals = Annotated[int, typer.Option(help="Duplicate deals for each table.", min=1)]
Seed = Annotated[str | None, typer.Option(help="All deals follow from it; by default a new one, which is printed.")]
StorePath = Annotated[
    Path | None, typer.Option("--store", help="Where the games are kept; by default a file named by game and seed.")
]
DecisionMs = Annotated[int, typer.Option(help="Time for each decision, in milliseconds.", min=1)]
StartMs = Annotated[int, typer.Option(help="Time for a bot to start, in milliseconds.", min=1)]
GameMs = Annotated[int | None, typer.Option(help="Time for all decisions of a game together, in milliseconds.", min=1)]
IncrementMs = Annotated[int, typer.Option(help="Added to what is left of --game-ms after each decision.", min=0)]
MarginMs = Annotated[int, typer.Option(help="Overstepping a limit by no more than this is forgiven.", min=0)]
FormatName = Annotated[
    str,
    typer.Option(
        "--format", help="Who meets whom; `pitboss formats` lists them.", autocompletion=completion.complete_formats
    ),
]
FormatOption = Annotated[
    list[str] | None,
    typer.Option(
        "--format-option", metavar="NAME=VALUE", help="An option of the format, as rounds=5. May be given again."
    ),
]
Seats = Annotated[
    int | None, typer.Option(help="Players at a table; by default all bots at one, if the game allows that.", min=1)
]
SeatDesign = Annotated[
    Literal["rotations", "mirrored", "all"],
    typer.Option(
        "--seating", help="In which orders each deal is played: rotations, these and their mirror images, or all."
    ),
]
GamesAtOnce = Annotated[int | None, typer.Option(help="Games played at a time; by default one for each worker.", min=1)]
Policy = Annotated[
    Literal["forfeit", "substitute"],
    typer.Option(
        help="A bot that does wrong forfeits the game; or the neutral action is played in its place, and counted."
    ),
]
Substitutions = Annotated[int, typer.Option(help="After so many of them in one game the bot forfeits it.", min=1)]
DisqualifyAfter = Annotated[int, typer.Option(help="Forfeited games after which a bot is out.", min=1)]
Sandbox = Annotated[
    Literal["auto", "bubblewrap", "none"],
    typer.Option(help="How bots are kept apart from the machine; auto: by bubblewrap if it works here."),
]
KeepLogs = Annotated[
    Literal["faults", "all"], typer.Option(help="Of which games the bots' standard error and all messages are kept.")
]
Limit = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        metavar="NAME=VALUE",
        help="What each bot may use, as memory_mb=512; the names are those of [limits] in a tournament file. May be given again.",
    ),
]


def match(
    game: GameName,
    bots: BotSpecs,
    seats: Seats = None,
    deals: Deals = 10,
    format: FormatName = "round-robin",
    format_option: FormatOption = None,
    seating: SeatDesign = "rotations",
    seed: Seed = None,
    preset: Preset = None,
    option: OptionWords = None,
    store: StorePath = None,
    decision_ms: DecisionMs = 1_000,
    start_ms: StartMs = 10_000,
    game_ms: GameMs = None,
    increment_ms: IncrementMs = 0,
    margin_ms: MarginMs = 10,
    games_at_once: GamesAtOnce = None,
    workers: Workers = None,
    no_pin: NoPin = False,
    policy: Policy = "forfeit",
    substitutions: Substitutions = 3,
    disqualify_after: DisqualifyAfter = 10,
    sandbox: Sandbox = "auto",
    limit: Limit = None,
    keep_logs: KeepLogs = "faults",
    as_json: Json = False,
) -> None:
    """Play a tournament between some BOTs, without a file: by default all sets of bots that fit a table, each deal in all rotations.

    The same command with the same seed carries on where it was stopped.
    """
    from msgspec.structs import replace

    from pitboss.errors import ConfigError
    from pitboss.protocol.messages import Clock
    from pitboss_tournament.cli.build import build_changed
    from pitboss_tournament.cli.key_value_args import parse_format, parse_limits, resolve_options
    from pitboss_tournament.cli.registry import load_registry
    from pitboss_tournament.cli.run import play_tournament
    from pitboss_tournament.config import entrants
    from pitboss_tournament.config.seeds import draw_seed
    from pitboss_tournament.config.tournament_file import default_seats
    from pitboss_tournament.formats.choice import check_plan
    from pitboss_tournament.plan.plan import FaultRules, Plan
    from pitboss_tournament.plan.seating import find_sides
    from pitboss_tournament.processes.cpu import available_cpus
    from pitboss_tournament.processes.sandbox import check_sandbox, resolve_sandbox
    from pitboss_tournament.text.error_collection import collect_errors

    rules = load_registry().find_game(game)
    build_changed(bots, Path())
    found = entrants.disambiguate_names(
        collect_errors(bots, lambda bot: entrants.resolve_entrant(bot, load_registry(), Path.cwd(), game))
    )
    seats = seats or default_seats(rules, len(found))
    options = resolve_options(rules, seats, preset, option or ())
    if len(found) < seats:
        raise ConfigError(f"there are too few bots: {len(found)}; {seats} play at a table of {game}")
    allowed = parse_limits(limit or (), Path.cwd())
    seed = seed or draw_seed()
    kept = store or Path(f"{game}-{_as_file_name(seed)}.pitboss")
    mode, warning = resolve_sandbox(sandbox)
    limited = [entrants.apply_limits(replace(entrant, hidden=(kept.absolute(),)), allowed) for entrant in found]
    playing = tuple(entrant for entrant, _ in limited)
    collect_errors(playing, lambda entrant: check_sandbox(entrant, mode))
    workers = workers or available_cpus()
    plan = Plan(
        game=game,
        options=options,
        seats=seats,
        seed=seed,
        deals=deals,
        entrants=playing,
        format=parse_format(format, format_option or (), load_registry()),
        seating=seating,
        sides=find_sides(rules, seats, options),
        clock=Clock(
            start_ms=start_ms, decision_ms=decision_ms, game_ms=game_ms, increment_ms=increment_ms, margin_ms=margin_ms
        ),
        faults=FaultRules(policy=policy, substitutions=substitutions, disqualify_after=disqualify_after),
        sandbox=mode,
        keep_logs=keep_logs,
        workers=workers,
        pinned=not no_pin,
        games_at_once=games_at_once or workers,
        store=kept,
        warnings=(*([warning] if warning else []), *(note for _, notes in limited for note in notes)),
    )
    check_plan(plan, load_registry())
    play_tournament(plan, as_json)


def _as_file_name(seed: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in seed)
