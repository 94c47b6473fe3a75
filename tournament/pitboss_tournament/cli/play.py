"""`pitboss play`: people play against bots and each other, in the terminal or in the browser."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import trio
import typer
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.plugins.rule_book import find_rule_book
from pitboss.protocol.messages import Clock
from pitboss.text import format_count
from pitboss_tournament.authoring.game_reference import read_rule_book
from pitboss_tournament.cli.exit_status import signal_status
from pitboss_tournament.cli.first_word import require_game
from pitboss_tournament.cli.output import print_note
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.setting_words import SettingWords, read_settings, resolve_players
from pitboss_tournament.cli.web_extra import import_web
from pitboss_tournament.config import entrants
from pitboss_tournament.config.entrants import check_exists, list_unmet_limits
from pitboss_tournament.config.loadouts import enter_person, split_loadout
from pitboss_tournament.config.settings_plan import resolve_plan
from pitboss_tournament.league.book import open_book
from pitboss_tournament.league.league_folder import read_league
from pitboss_tournament.plan.names import NAME_RULE, BotName
from pitboss_tournament.plan.paths import PYTHON
from pitboss_tournament.plan.plan import Entrant, Plan, SandboxChoice, SandboxLevel
from pitboss_tournament.play.given_position import GivenPosition, begin_at_position, is_place, read_given_position
from pitboss_tournament.play.play_session import PlayRequest, PlaySession
from pitboss_tournament.play.play_terminal import PlayTerminal
from pitboss_tournament.play.store_choice import choose_store, load_unfinished_game
from pitboss_tournament.play.terminal.terminal_host import TerminalHost
from pitboss_tournament.processes.sandbox import check_sandbox
from pitboss_tournament.processes.sandbox_probe import is_weaker, resolve_sandbox

if TYPE_CHECKING:
    from pitboss_tournament.plan.settings import TournamentFile
    from pitboss_tournament.play.journal import JournalHeader
    from pitboss_tournament.play.lobby.lobby import LobbyLeague
from pitboss_tournament.cli.commands.play import ADVISER
from pitboss_tournament.text.event_text import YOU
from pitboss_tournament.text.terminal_text import escape_line

RANDOM = "random"  # the value of --seat that draws it
DAY_MS = 86_400_000  # the time of a person for a decision, if there is a clock for the game
TABLE_SETTINGS = (
    *("preset", "options", "clock", "faults.policy", "faults.substitutions", "limits", "logs", "sandbox"),
    "build_network",
)
RESUMED_SETTINGS = ("limits", "sandbox")  # limits apply to the bot of --hint
ALLOWED_IN_LOBBY = ("hint", "settings", "sandbox", "browser", "host", "port", "people_time", "league", "plain", "quick")
ALLOWED_WITH_RESUME = (
    "resume", "games", "hint", "settings", "plain", "quick", "browser", "host", "port", "people_time", "sandbox"
)  # fmt: skip


def play(
    context: typer.Context,
    game: str | None,
    against: list[str] | None,
    name: list[str] | None,
    seat: str | None,
    games: int | None,
    hint: str | None,
    resume: str | None,
    preset: str | None,
    option: list[str] | None,
    seed: str | None,
    settings: list[str] | None,
    store: Path | None,
    sandbox: str | None,
    browser: bool,
    host: str,
    port: int,
    people_time: str | None,
    league: Path | None,
    plain: bool,
    quick: bool,
) -> None:
    """Run `pitboss play`."""
    position = None if resume is None or not is_place(resume, load_registry()) else resume
    unfinished = None if resume is None or position is not None else Path(resume)
    taken = TABLE_SETTINGS if unfinished is None else RESUMED_SETTINGS
    given_position = None
    said = read_settings(settings, taken, option=option or (), preset=preset, sandbox=sandbox)
    if browser and game is None and resume is None and position is None:
        with _open_league(league) as people_league:
            _open_lobby(context, settings, sandbox, hint, host, port, _parse_people_time(people_time), people_league)
        return
    if league is not None:
        raise ConfigError("--league: people play against bots of a league in a lobby: pitboss play --browser --league")
    if unfinished is not None:
        if game is not None or against:
            raise ConfigError(
                "--resume: the store says what is played and against whom; give neither GAME nor --against"
            )
        _check_resume_options(context)
        kept = load_unfinished_game(unfinished, load_registry())
        plan, wanted_seat = kept.header.plan, None
        given = said.to_file(plan.game)
        plan = replace(plan, sandbox=_resolve_resumed_sandbox(kept.header, given.sandbox))
        for bot in plan.entrants:
            if not bot.is_person:
                check_exists(bot)
        given = replace(given, sandbox=plan.sandbox)
        adviser = kept.header.adviser if hint is None else _resolve_adviser_bot(hint, given)
    else:
        people = name or [YOU]
        if position is not None:
            given_position = read_given_position(position, load_registry())
            game = _check_position_words(given_position, game, said)
        elif game is not None:
            game = require_game("play", game)
        if game is None or len(people) + len(against or ()) < 2:
            raise ConfigError(
                "what is played, and against whom? for example: pitboss play racko --against house:random; "
                "`pitboss play --browser` opens a lobby, where people choose"
            )
        options = {} if given_position is None else {"options": given_position.record.options}
        given = said.to_file(game, deals=1, workers=1, faults={"policy": "substitute"}, **options)
        entrants = _list_entrants(people, against or (), given)
        wanted_seat = _parse_seat(seat, len(entrants))
        if given_position is not None:
            _check_players(given_position, len(entrants))
            wanted_seat, games = given_position.seat if seat is None else wanted_seat, 1
        plan = resolve_plan(replace(given, seats=len(entrants)), entrants, load_registry(), store or Path())
        if given_position is not None:
            plan = replace(plan, given_deals=given_position.deals)
        plan = choose_store(plan, load_registry().find_game(game), store, seed)
        adviser = _resolve_adviser(hint, given, is_alone=len(people) == 1)
    if adviser is not None:
        adviser = replace(adviser, hidden=plan.entrants[-1].hidden)
    for bot in (*plan.entrants, *([adviser] if adviser else [])):
        if not bot.is_person:
            check_sandbox(bot, plan.sandbox)
    request = PlayRequest(wanted_seat, seat == RANDOM, games, adviser)
    for warning in plan.warnings:
        print_note(warning)
    if browser:
        _begin_at(given_position, plan, request)
        _play_at_browsers(plan, request, host, port, _parse_people_time(people_time))
        return
    if sum(entrant.is_person for entrant in plan.entrants) > 1:
        raise ConfigError("several people play in the browser: add --browser")
    for option_name in ("host", "port", "people_time"):
        if _is_given(context, option_name):
            raise ConfigError(f"--{option_name.replace('_', '-')} works only in the browser: add --browser")
    _begin_at(given_position, plan, request)
    _play_at_terminal(plan, request, PlayTerminal(plain, quick))


def _check_position_words(position: GivenPosition, game: str | None, said: SettingWords) -> str:
    """Return the game of a position, after checking that the command line asks for no other one."""
    record = position.record
    if game not in (None, record.game):
        raise ConfigError(f"--resume: a game of {record.game} stands there; leave {game!r} away")
    if said.options or "preset" in said.said:
        raise ConfigError("--resume: the options are those of the game that stands there; leave them away")
    return record.game


def _begin_at(position: GivenPosition | None, plan: Plan, request: PlayRequest) -> None:
    """Begin the game at a position, if there is one."""
    if position is not None:
        begin_at_position(position, plan, request, load_registry())
        if position.why_open:
            print_note(escape_line(f"{position.deals.file}: {position.why_open}"))


def _check_players(position: GivenPosition, count: int) -> None:
    """Check that as many play as in the game of a position."""
    seats = len(position.record.players)
    if count != seats:
        raise ConfigError(f"--resume: {seats} play in the game that stands there, and {count} are named")


def _open_lobby(
    context: typer.Context,
    settings: list[str] | None,
    sandbox: str | None,
    hint: str | None,
    host: str,
    port: int,
    clock: Clock | None,
    league: LobbyLeague | None,
) -> None:
    """Serve a lobby until Ctrl-C."""
    with import_web("play --browser"):
        from pitboss_tournament.play.lobby.lobby import Lobby, LobbyRules  # noqa: PLC0415 - an extra
        from pitboss_tournament.play.lobby.lobby_server import run_lobby  # noqa: PLC0415 - an extra

    for parameter in context.command.params:
        if parameter.name not in ALLOWED_IN_LOBBY and _is_given(context, parameter.name):
            raise ConfigError(
                f"{parameter.opts[0]}: a lobby asks for that at each table; leave it away, or name a GAME"
            )
    said = read_settings(settings, [one for one in TABLE_SETTINGS if one not in ("preset", "options")], sandbox=sandbox)

    def make_settings(game: str, preset: str | None) -> TournamentFile:
        given = said.to_file(game, deals=1, workers=1, faults={"policy": "substitute"})
        return given if preset is None else replace(given, preset=preset)

    def choose_adviser(given: TournamentFile, is_alone: bool) -> Entrant | None:
        return _resolve_adviser(hint, given, is_alone=is_alone)

    def announce(address: str) -> None:
        terminal.say_command(f"For the host: {address}")
        terminal.say("Keep this link secret: it sets up tables. Others come by the invitation of a table.")
        if lobby.tables:
            games = format_count(len(lobby.tables), "unfinished game")
            terminal.say(f"{games} of an earlier lobby: each has a table with a new invitation.")
        for note in notes:
            print_note(escape_line(note))

    terminal = PlayTerminal(is_plain=True)
    lobby = Lobby(load_registry(), LobbyRules(make_settings, choose_adviser, clock), terminal, league)
    notes = lobby.restore_tables(Path())
    signal = trio.run(run_lobby, lobby, host, port, announce)
    if signal is not None:
        raise typer.Exit(signal_status(signal))


@contextmanager
def _open_league(folder: Path | None) -> Iterator[LobbyLeague | None]:
    """Context manager: the league of a lobby; None without one."""
    if folder is None:
        yield None
        return
    with import_web("play --browser"):
        from pitboss_tournament.league.site.people_league import PeopleLeague  # noqa: PLC0415 - an extra
    found = read_league(folder, load_registry())
    with closing(open_book(found.folder.store)) as book:
        league = PeopleLeague(found, book, load_registry())
        if league.warning:
            print_note(league.warning)
        yield league


def _check_resume_options(context: typer.Context) -> None:
    """Raise ConfigError for an option that cannot change an unfinished game."""
    for parameter in context.command.params:
        if parameter.name not in ALLOWED_WITH_RESUME and _is_given(context, parameter.name):
            raise ConfigError(f"--resume: the game goes on as it began; leave {parameter.opts[0]} away")


def _resolve_resumed_sandbox(kept: JournalHeader, choice: SandboxChoice) -> SandboxLevel:
    """Return the level at which a game goes on: that at which it began, or a stronger one that is asked for.

    The person who resumes a game, not its store, decides about bots that run without a sandbox.

    Raises:
        ConfigError: the game began without a sandbox, a bot is not one of Pitboss', and `choice` is not "none"; or
            the level does not work here, or is weaker than that at which the game began.
    """
    level = kept.plan.sandbox
    if choice != "auto" and is_weaker(choice, level):
        raise ConfigError(f"--resume: the game goes on as it began, with --sandbox {level}")
    level = level if choice == "auto" else choice
    if level != "none":
        resolve_sandbox(level)
        return level
    named = load_registry().bots.values()
    ours = [tuple(word.replace(PYTHON, sys.executable) for word in bot.command) for bot in named]
    bots = [*kept.plan.entrants, *([kept.adviser] if kept.adviser else [])]
    for bot in bots:
        is_ours = any(bot.command[: len(command)] == command for command in ours)
        if not (bot.is_person or is_ours or choice == "none"):
            raise ConfigError(
                f"{str(kept.plan.store)!r} has the bot {bot.name!r} run without a sandbox, as you: "
                f"{shlex.join(bot.command)}; if you want that, add --sandbox none"
            )
    return level


def _is_given(context: typer.Context, name: str | None) -> bool:
    """Return whether the command line has an option."""
    source = context.get_parameter_source(name) if name else None
    return source is not None and source.name == "COMMANDLINE"


def _parse_people_time(text: str | None) -> Clock | None:
    """Return the clock of the people: "300" or "300+5", in seconds."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d{1,6})(?:\+(\d{1,6}))?", text, re.ASCII)
    if found is None or int(found[1]) == 0:
        raise ConfigError(f"--people-time is {text!r}; it must be seconds for a game, as 300, or with more, as 300+5")
    game_ms = int(found[1]) * 1000
    return Clock(start_ms=0, decision_ms=DAY_MS, game_ms=game_ms, increment_ms=int(found[2] or 0) * 1000)


def _list_entrants(people: Sequence[str], against: Sequence[str], given: TournamentFile) -> tuple[Entrant, ...]:
    """Return the people and the bots, under distinct names."""
    game = load_registry().find_game(given.game)
    for name in people:
        try:
            msgspec.convert(split_loadout(name, game)[0], BotName)
        except msgspec.ValidationError:
            raise ConfigError(f"--name is {name!r}; it must be {NAME_RULE}") from None
    return entrants.disambiguate_names(
        [
            *(enter_person(name, game, Path.cwd()) for name in people),
            *resolve_players(against, given),
        ]
    )


def _resolve_adviser_bot(spec: str, given: TournamentFile) -> Entrant:
    """Return the bot that gives advice; say if it asks for more than it gets, which no plan will say."""
    [bot] = resolve_players([spec], given)
    for note in list_unmet_limits([bot]):
        print_note(note)
    return bot


def _resolve_adviser(hint: str | None, given: TournamentFile, *, is_alone: bool) -> Entrant | None:
    """Return the adviser: the bot of --hint, else the default adviser if it plays the game and one person does."""
    if hint is not None:
        return _resolve_adviser_bot(hint, given)
    if not is_alone:
        return None
    known = load_registry().bots.get(ADVISER)
    plays = known is not None and (known.games is None or given.game in known.games)
    return _resolve_adviser_bot(ADVISER, given) if plays else None


def _parse_seat(wanted: str | None, seats: int) -> int | None:
    """Return the number given as --seat; None for a drawn seat or none."""
    if wanted in (None, RANDOM):
        return None
    if wanted is not None and wanted.isdecimal() and int(wanted) < seats:
        return int(wanted)
    raise ConfigError(f"--seat is {wanted!r}; it must be a number from 0 to {seats - 1}, or {RANDOM}")


def _play_at_terminal(plan: Plan, request: PlayRequest, terminal: PlayTerminal) -> None:
    """Run the session; print at the end how to resume it."""
    if request.games is None and not terminal.is_interactive:
        request = request._replace(games=1)
    host = TerminalHost(terminal, request, partial(read_rule_book, load_registry(), plan.game))
    session = PlaySession(plan, load_registry(), terminal, host, request)
    try:
        with terminal.restore_on_exit():
            trio.run(session.run)
    finally:
        session.say_how_to_resume()
    if session.stop_signal is not None:
        raise typer.Exit(signal_status(session.stop_signal))


def _play_at_browsers(plan: Plan, request: PlayRequest, address: str, port: int, clock: Clock | None) -> None:
    """Run the session, and a server for its pages; print at the end how to resume it."""
    with import_web("play --browser"):
        from pitboss_tournament.play.browser.browser_host import BrowserHost, PlayLink  # noqa: PLC0415 - an extra
        from pitboss_tournament.play.browser.play_server import run_play  # noqa: PLC0415 - an extra

    def announce(link: PlayLink, address: str) -> None:
        terminal.say_command(f"For {link.name}: {address}")

    terminal = PlayTerminal(is_plain=True)
    host = BrowserHost(load_registry().find_game(plan.game), plan, terminal, clock)
    session = PlaySession(plan, load_registry(), terminal, host, request)
    trio.run(run_play, session, host, partial(find_rule_book, load_registry()), address, port, announce)
    if session.stop_signal is not None:
        raise typer.Exit(signal_status(session.stop_signal))
