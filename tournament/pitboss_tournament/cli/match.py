"""`pitboss match`: a tournament from the command line."""

from __future__ import annotations

from pathlib import Path

from pitboss_tournament.cli.entrants import resolve_bots
from pitboss_tournament.cli.key_value_args import parse_format, parse_limits, resolve_options
from pitboss_tournament.cli.parameters import (
    BotSpecs,
    Deals,
    DecisionMs,
    DisqualifyAfter,
    FormatName,
    FormatOption,
    GameMs,
    GameName,
    GamesAtOnce,
    IncrementMs,
    Json,
    KeepLogs,
    Limit,
    MarginMs,
    NoPin,
    OptionWords,
    Policy,
    Preset,
    Sandbox,
    SeatDesign,
    Seats,
    Seed,
    StartMs,
    StorePath,
    Substitutions,
    Workers,
)
from pitboss_tournament.cli.registry import load_registry


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
    """Play a tournament between some BOTs, without a file: by default all sets of bots that fit a table, each deal in
    all rotations.

    The same command with the same seed carries on where it was stopped.
    """
    from msgspec.structs import replace

    from pitboss.errors import ConfigError
    from pitboss.protocol.messages import Clock
    from pitboss_tournament.cli.tournament_output import play_tournament
    from pitboss_tournament.config import entrants
    from pitboss_tournament.config.seeds import draw_seed
    from pitboss_tournament.config.sides import find_sides
    from pitboss_tournament.config.tournament_file import default_seats
    from pitboss_tournament.formats.selection import check_plan
    from pitboss_tournament.plan.paths import make_file_name
    from pitboss_tournament.plan.plan import FaultRules, Plan
    from pitboss_tournament.processes.cpu import available_cpus
    from pitboss_tournament.processes.sandbox import check_sandbox, resolve_sandbox
    from pitboss_tournament.text.validation import collect_errors

    rules = load_registry().find_game(game)
    found = entrants.disambiguate_names(resolve_bots(bots, Path(), game))
    seats = seats or default_seats(rules, len(found))
    options = resolve_options(rules, seats, preset, option or ())
    if len(found) < seats:
        raise ConfigError(f"there are too few bots: {len(found)}; {seats} play at a table of {game}")
    allowed = parse_limits(limit or (), Path.cwd())
    seed = seed or draw_seed()
    kept = store or Path(f"{game}-{make_file_name(seed)}.pitboss")
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
