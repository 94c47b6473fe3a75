"""`pitboss play`: a person plays against bots in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss_tournament.cli import completion, parameters
from pitboss_tournament.cli.key_value_args import parse_limits, parse_options
from pitboss_tournament.cli.output import print_note
from pitboss_tournament.cli.registry import load_registry, resolve_bots

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitboss_tournament.person.play_session import PlayRequest
    from pitboss_tournament.plan.limits import Limits
    from pitboss_tournament.plan.plan import Entrant, Plan
    from pitboss_tournament.processes.sandbox import SandboxChoice

ADVISER = "house:search"  # the default adviser, where it is installed
RANDOM = "random"  # the value of --seat that draws it
ALLOWED_WITH_RESUME = ("resume", "games", "hint", "limit", "plain")  # --limit applies to the bot of --hint

Against = Annotated[
    list[str] | None,
    typer.Option(
        metavar="BOT",
        help="A bot to play against: a folder with a bot.toml, a command in quotes, or a name from `pitboss bots`. "
        "Give it once for each.",
        autocompletion=completion.complete_bots,
    ),
]
Hint = Annotated[
    str | None,
    typer.Option(
        metavar="BOT",
        help=f"Whom to ask with ?: any bot; by default {ADVISER}.",
        autocompletion=completion.complete_bots,
    ),
]


def play(
    context: typer.Context,
    game: parameters.OptionalGameName = None,
    against: Against = None,
    name: Annotated[str, typer.Option(help="Your name, in the record and to the bots.")] = "You",
    seat: Annotated[
        str | None,
        typer.Option(
            metavar="N|random",
            help="Your seat in the first game, by default 0; you move on by one with each game. "
            "Or it is drawn for each.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            help="Games in a row; by default you are asked after each, or, where nobody can be asked, one.", min=1
        ),
    ] = None,
    seed: Annotated[str | None, typer.Option(help="All deals follow from it; by default a new one.")] = None,
    preset: parameters.Preset = None,
    option: parameters.OptionWords = None,
    hint: Hint = None,
    store: Annotated[
        Path | None, typer.Option(help="Where the games are kept; by default a file named by the game and who plays.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="STORE", help="Carry on with the game of this store that was broken off.")
    ] = None,
    plain: Annotated[
        bool,
        typer.Option("--plain", help="Nothing but lines of text: no colours, no line editor, as for a screen reader."),
    ] = False,
    decision_ms: parameters.DecisionMs = 1_000,
    start_ms: parameters.StartMs = 10_000,
    game_ms: parameters.GameMs = None,
    increment_ms: parameters.IncrementMs = 0,
    margin_ms: parameters.MarginMs = 10,
    policy: parameters.Policy = "substitute",
    substitutions: parameters.Substitutions = 3,
    sandbox: parameters.Sandbox = "auto",
    limit: parameters.Limit = None,
    keep_logs: parameters.KeepLogs = "faults",
) -> None:
    """Play GAME against bots. The clocks are for them; you take your time.

    Type the number of an action, or words of it; h lists what else there is. The game is on the disk after each
    decision: stop when you like (q, Ctrl-C), and the same command carries on. Finished games are kept in a store like
    any others: `pitboss replay`, `pitboss standings`, `pitboss export` read it.
    """
    from msgspec.structs import replace

    from pitboss.errors import ConfigError
    from pitboss.game import resolve_options
    from pitboss.protocol.messages import Clock
    from pitboss_tournament.config.defaults import draw_seed, find_sides
    from pitboss_tournament.config.entrants import check_exists
    from pitboss_tournament.person.play_session import PlayRequest
    from pitboss_tournament.person.store_choice import choose_store, load_unfinished_game
    from pitboss_tournament.plan.plan import FaultRules, Plan
    from pitboss_tournament.processes.sandbox import check_sandbox, resolve_sandbox

    allowed = parse_limits(limit or ())
    clock = Clock(
        start_ms=start_ms, decision_ms=decision_ms, game_ms=game_ms, increment_ms=increment_ms, margin_ms=margin_ms
    )
    if resume is not None:
        if game is not None or against:
            raise ConfigError(
                "--resume: the store says what is played and against whom; give neither GAME nor --against"
            )
        _check_resume_options(context)
        kept = load_unfinished_game(resume, load_registry())
        plan, wanted_seat = kept.header.plan, None
        for bot in plan.entrants[1:]:
            check_exists(bot)
        adviser = kept.header.adviser if hint is None else _resolve_bot(hint, plan.game, allowed, plan.sandbox)
    else:
        if game is None or not against:
            raise ConfigError(
                "what is played, and against whom? for example: pitboss play racko --against house:random"
            )
        rules = load_registry().find_game(game)
        entrants = _list_entrants(name, against, game, allowed, sandbox)
        options = resolve_options(rules, len(entrants), preset, parse_options(rules, option or ()))
        wanted_seat = _parse_seat(seat, len(entrants))
        mode, warning = resolve_sandbox(sandbox)
        plan = Plan(
            game=game,
            options=options,
            seats=len(entrants),
            seed=draw_seed(),
            deals=1,
            entrants=entrants,
            sides=find_sides(rules, len(entrants), options),
            clock=clock,
            faults=FaultRules(policy=policy, substitutions=substitutions),
            sandbox=mode,
            keep_logs=keep_logs,
            store=Path(),
            warnings=(warning,) if warning else (),
        )
        plan = choose_store(plan, rules.version, store, seed)
        adviser = _resolve_adviser(hint, game, allowed, sandbox)
    if adviser is not None:
        adviser = replace(adviser, hidden=plan.entrants[-1].hidden)
    for bot in (*plan.entrants[1:], *([adviser] if adviser else [])):
        check_sandbox(bot, plan.sandbox)
    _run_session(plan, PlayRequest(wanted_seat, seat == RANDOM, games, adviser), plain)


def _check_resume_options(context: typer.Context) -> None:
    """Raise ConfigError for an option that cannot change an unfinished game."""
    from pitboss.errors import ConfigError

    for parameter in context.command.params:
        source = parameter.name and context.get_parameter_source(parameter.name)
        if source and source.name == "COMMANDLINE" and parameter.name not in ALLOWED_WITH_RESUME:
            raise ConfigError(f"--resume: the game goes on as it began; leave {parameter.opts[0]} away")


def _list_entrants(
    name: str, against: Sequence[str], game: str, allowed: Limits, sandbox: SandboxChoice
) -> tuple[Entrant, ...]:
    """Return the person and the bots, under distinct names."""
    import msgspec

    from pitboss.errors import ConfigError
    from pitboss_tournament.config import entrants
    from pitboss_tournament.config.bot_file import NAME_RULE, BotName
    from pitboss_tournament.plan.plan import Entrant

    try:
        msgspec.convert(name, BotName)
    except msgspec.ValidationError:
        raise ConfigError(f"--name is {name!r}; it must be {NAME_RULE}") from None
    return entrants.disambiguate_names(
        [Entrant(name=name, command=()), *(_resolve_bot(spec, game, allowed, sandbox) for spec in against)]
    )


def _resolve_bot(spec: str, game: str, allowed: Limits, sandbox: SandboxChoice) -> Entrant:
    """Return a bot with its limits, built if it is not current."""
    from pitboss_tournament.config.entrants import apply_limits, list_unmet_limits

    bot = apply_limits(resolve_bots([spec], Path(), game, sandbox)[0], allowed)
    for note in list_unmet_limits([bot]):
        print_note(note)
    return bot


def _resolve_adviser(hint: str | None, game: str, allowed: Limits, sandbox: SandboxChoice) -> Entrant | None:
    """Return the adviser: the bot of --hint, else the default adviser if it plays the game."""
    if hint is not None:
        return _resolve_bot(hint, game, allowed, sandbox)
    known = load_registry().bots.get(ADVISER)
    plays = known is not None and (known.games is None or game in known.games)
    return _resolve_bot(ADVISER, game, allowed, sandbox) if plays else None


def _parse_seat(wanted: str | None, seats: int) -> int | None:
    """Return the number given as --seat; None for a drawn seat or none."""
    from pitboss.errors import ConfigError

    if wanted in (None, RANDOM):
        return None
    if wanted is not None and wanted.isdecimal() and int(wanted) < seats:
        return int(wanted)
    raise ConfigError(f"--seat is {wanted!r}; it must be a number from 0 to {seats - 1}, or {RANDOM}")


def _run_session(plan: Plan, request: PlayRequest, plain: bool) -> None:
    """Run the session; print at the end how to resume it."""
    import trio

    from pitboss_tournament.cli.exit_status import signal_status
    from pitboss_tournament.person.play_session import PlaySession
    from pitboss_tournament.person.terminal import PlayTerminal

    for warning in plan.warnings:
        print_note(warning)
    terminal = PlayTerminal(plain)
    if request.games is None and not terminal.is_interactive:
        request = request._replace(games=1)
    session = PlaySession(plan, load_registry(), terminal, request)
    try:
        with terminal.restore_on_exit():
            trio.run(session.run)
    finally:
        session.say_how_to_resume()
    if session.stop_signal is not None:
        raise typer.Exit(signal_status(session.stop_signal))
