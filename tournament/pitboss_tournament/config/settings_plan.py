"""The plan of a tournament: its settings resolved and checked, whether a file or a command line has given them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Protocol

from msgspec.structs import asdict, replace

from pitboss.errors import ConfigError, OptionError
from pitboss.game import AnyGame, find_difference_scale, has_chance, is_played_for_points, resolve_options
from pitboss.loadouts import LOADOUTS, fill_pool, takes_loadouts
from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import Clock
from pitboss.records.luck import check_evaluable
from pitboss.text import format_count, join_words, suggest_nearest
from pitboss_tournament.config.defaults import (
    choose_opponents,
    choose_seating,
    default_seats,
    draw_seed,
    find_team_span,
    read_kept_header,
    shared_sides,
)
from pitboss_tournament.config.entrants import check_bot_setup, list_unmet_limits
from pitboss_tournament.config.given_deals import read_given_deals
from pitboss_tournament.config.loadouts import complete_loadout
from pitboss_tournament.formats.selection import check_plan, choose_format, find_format
from pitboss_tournament.plan.names import describe_letters, find_confusable
from pitboss_tournament.plan.plan import (
    Entrant,
    FaultRules,
    FormatChoice,
    GivenDeals,
    OutTable,
    Plan,
    RankBy,
    StopRules,
    require_bot,
)
from pitboss_tournament.plan.seating import count_block_games
from pitboss_tournament.plan.settings import MAX_OPEN_GAMES, StopTable, TournamentFile
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.processes.sandbox import check_sandbox
from pitboss_tournament.processes.sandbox_probe import resolve_sandbox
from pitboss_tournament.store.store import read_last_level
from pitboss_tournament.text.validation import KeyPath, collect_errors, convert_checked


class SettingsSource(Protocol):
    """Where settings come from: a `TomlFile`, or the command line."""

    def locate_errors(self, *place: str | int) -> AbstractContextManager[None]:
        """Context manager: add the place of the setting to each ConfigError raised inside."""

    def error_at(self, place: KeyPath, text: str) -> ConfigError:
        """Return an error that says where the setting stands."""


class CommandLine:
    """The command line, on which nothing has to be located: the errors name the settings."""

    @contextmanager
    def locate_errors(self, *place: str | int) -> Iterator[None]:
        """Leave errors as they are."""
        yield

    def error_at(self, place: KeyPath, text: str) -> ConfigError:
        """Return an error."""
        return ConfigError(text)


def resolve_plan(
    settings: TournamentFile,
    bots: Sequence[Entrant],
    registry: Registry,
    store: Path,
    *,
    source: SettingsSource | None = None,
    hidden: Sequence[Path] = (),
    keeps_store: bool = True,
    base: Path = Path(),
) -> Plan:
    """Return the plan of a tournament between bots that have their limits, and distinct names, in this store.

    `hidden`: the tournament's files, which no bot may read. `base`: the folder to which a file of deals is relative.

    Raises:
        ConfigError: a setting is wrong; the error is located by `source`.
        SeveralErrors: several bots cannot run in the sandbox.
    """
    source = source or CommandLine()
    with source.locate_errors("game"):
        game = registry.find_game(settings.game)
    names = [bot.name for bot in bots]
    seats = _resolve_seats(source, settings, game, len(bots))
    with source.locate_errors("sandbox"):
        sandbox, warning = resolve_sandbox(settings.sandbox, read_last_level(store))
    deals_file = base / settings.deals if isinstance(settings.deals, str) else None
    hidden = [*hidden, *([] if deals_file is None else [deals_file.absolute()])]
    playing = tuple(replace(bot, hidden=tuple(hidden)) for bot in bots)

    def check_each(check: Callable[[Entrant], None]) -> None:
        def check_bot(number: int) -> None:
            with source.locate_errors("bots", number):
                check(playing[number])

        collect_errors(range(len(playing)), check_bot)

    check_each(lambda bot: None if bot.is_person else check_sandbox(bot, sandbox))
    workers = settings.workers or available_cpus()
    options = _resolve_options(source, settings, game, seats)
    _check_brought(source, game, options)
    check_each(lambda bot: check_bot_setup(bot, game, seats, options, settings.preset))
    playing = tuple(complete_loadout(bot, game) for bot in playing)
    options = fill_pool(game, options, [bot.loadout_content for bot in playing])
    check_each(lambda bot: _check_model(bot, settings))
    playing = tuple(_limit_to_calls(bot, settings) for bot in playing)
    if settings.reduce == "luck":
        with source.locate_errors("reduce"):
            check_evaluable(game, seats, options)
    with source.locate_errors("score"):
        check_score(settings, game, options)
    kept = read_kept_header(store)
    _check_out(source, settings, [*names, *([] if kept is None else [entry.name for entry in kept.entries])])
    with source.locate_errors("anchor"):
        anchor = require_bot("anchor", settings.anchor, names)
    with source.locate_errors("stop"):
        stop = None if settings.stop is None else _complete_stop_rules(settings.stop, names)
    sides = shared_sides(game, seats, options)
    is_cooperative = sides is not None and len(sides) == 1
    given, deals, repeated = _read_deals(source, settings, deals_file, game, seats, options)
    same_deals = settings.same_deals
    if same_deals is None:
        same_deals = is_cooperative or given is not None if kept is None else kept.same_deals
    if is_cooperative and stop is not None:
        with source.locate_errors("stop"):
            stop = replace(stop, span=find_team_span(game, seats, options, has_same_deals=same_deals))
    plan = Plan(
        game=game.name,
        options=options,
        seats=seats,
        seed=settings.seed or (draw_seed() if kept is None else kept.seed),
        deals=deals,
        given_deals=given,
        entrants=playing,
        format=_choose_format(source, settings, registry),
        seating=choose_seating(settings.seating, seats, kept),
        fixed_circles=kept is not None and kept.fixed_circles,
        escapes_names=kept is None or kept.escapes_names,
        even_order=kept is None or kept.even_order,
        same_deals=same_deals,
        order=settings.order,
        sides=sides,
        stop=stop,
        anchor=anchor,
        rank=_choose_rank(settings, game, options, is_cooperative=is_cooperative),
        score=settings.score,
        out=tuple(settings.out),
        unfit={one.bot: tell_out(one) for one in settings.out},
        title=settings.title,
        reduce=settings.reduce,
        clock=Clock(**asdict(settings.clock)),
        faults=FaultRules(**asdict(settings.faults)),
        sandbox=sandbox,
        ponder=settings.ponder,
        tables_per_bot=settings.tables_per_bot,
        opponents=choose_opponents(settings.opponents, kept),
        admission=settings.admission,
        keep_logs=settings.logs.keep,
        models=settings.models,
        budget=settings.budget,
        engine=settings.on or "processes",
        build_network=settings.build_network,
        verify=settings.verify or 0.0,
        workers=workers,
        pinned=settings.pinned,
        games_at_once=settings.games_at_once or max(workers, _count_open_calls(playing, settings)),
        store=store,
        keeps_store=keeps_store,
        warnings=(
            *filter(None, [warning, repeated, _tell_no_chance(game, seats, options, deals)]),
            *_tell_confusable_names(names),
            *list_unmet_limits(playing),
        ),
    )
    _check_format(source, plan, registry)
    return plan


def _read_deals(
    source: SettingsSource,
    settings: TournamentFile,
    path: Path | None,
    game: AnyGame,
    seats: int,
    options: Any,  # noqa: ANN401 - the game's own
) -> tuple[GivenDeals | None, int, str]:
    """Return the deals that a file gives, if there is one, the number of deals, and a warning on repeated ones.

    Raises:
        ConfigError: they cannot be read, or tables are to have other deals.
    """
    if path is None:
        assert isinstance(settings.deals, int)
        return None, settings.deals, ""
    with source.locate_errors("deals"):
        given, left_out = read_given_deals(path, game, seats, options)
    if settings.same_deals is False:
        raise source.error_at(("same_deals",), "same_deals is false, and all tables play the deals of a file")
    warning = f"{path.name}: left out {format_count(left_out, 'deal')} with the cards of an earlier one"
    return given, len(given.seeds), warning if left_out else ""


def _check_out(source: SettingsSource, settings: TournamentFile, names: Sequence[str]) -> None:
    """Check that [[out]] names bots of the tournament, each once.

    Raises:
        ConfigError: it does not.
    """
    for number, one in enumerate(settings.out):
        if one.bot not in names:
            hint = suggest_nearest(one.bot, names)
            text = f"out names {one.bot!r}{hint}; the bots are {', '.join(dict.fromkeys(names))}"
            raise source.error_at(("out", number, "bot"), text)
        if one.bot in [other.bot for other in settings.out[:number]]:
            raise source.error_at(("out", number, "bot"), f"out names {one.bot!r} twice")


def tell_out(one: OutTable) -> str:
    """Return why a bot is out, and what becomes of its games."""
    return f"out: {one.reason}{'; its games are void' if one.games == 'void' else ''}"


def _choose_rank(settings: TournamentFile, game: AnyGame, options: object, *, is_cooperative: bool) -> RankBy:
    """Return what ranks go by: what is asked for, else what the game counts; where all play together only points."""
    if is_cooperative or settings.score != "points":
        return "points"
    return settings.rank or ("points" if is_played_for_points(game, options) else "places")


def _tell_confusable_names(names: Sequence[str]) -> Iterator[str]:
    """Yield a warning for each two bots whose names readers may take for one another."""
    for one, other in find_confusable(names):
        both = f"{describe_letters(one)} and {describe_letters(other)}"
        yield f"two bots have names that look alike: {both}; rename one of them"


def _check_model(bot: Entrant, settings: TournamentFile) -> None:
    """Check that [models] has the language model that a bot asks.

    Raises:
        ConfigError: it has not.
    """
    if bot.model is not None and bot.model.name not in settings.models:
        there = f"there are {join_words(sorted(settings.models), 'and')}" if settings.models else "there is none"
        raise ConfigError(
            f"the bot {bot.name!r} asks the language model {bot.model.name!r}; [models.{bot.model.name}] in a "
            f"tournament file says where it is, and {there}"
        )


def _limit_to_calls(bot: Entrant, settings: TournamentFile) -> Entrant:
    """Return a bot in as many games at a time as its model takes calls: in more it would wait, at tables of others.

    One whose model has a memory is in one game at a time, so that each game learns from the one before.
    """
    if bot.model is None or bot.games_at_once is not None:
        return bot
    at_once = 1 if bot.model.memory is not None else settings.models[bot.model.name].max_at_once
    return replace(bot, games_at_once=at_once)


def _count_open_calls(bots: Sequence[Entrant], settings: TournamentFile) -> int:
    """Return how many calls of the models that these bots ask may be open at a time."""
    used = {bot.model.name for bot in bots if bot.model is not None}
    return min(MAX_OPEN_GAMES, sum(settings.models[name].max_at_once for name in used))


def check_score(settings: TournamentFile, game: AnyGame, options: object) -> None:
    """Check that points can be converted as the settings say.

    Raises:
        ConfigError: they cannot.
    """
    if settings.score == "points":
        return
    if settings.reduce == "luck":
        raise ConfigError(f"score is {settings.score!r} and reduce is 'luck', which takes the luck out of points alone")
    if settings.score == "imps":
        try:
            find_difference_scale(game, options)
        except OptionError as error:
            raise ConfigError(f"score is 'imps': {error}") from None


def _tell_no_chance(game: AnyGame, seats: int, options: Any, deals: int) -> str:  # noqa: ANN401 - the game's own
    """Return a warning if all deals of a game are the same; "" if they are not, or there is one only."""
    if deals < 2 or has_chance(game, seats, options):
        return ""
    return (
        f"{game.name} leaves nothing to chance with these options: its {deals} deals are the same, and bots that do "
        "not choose at random play them all alike."
    )


def _resolve_seats(source: SettingsSource, settings: TournamentFile, game: AnyGame, bots: int) -> int:
    seats = settings.seats if settings.seats is not None else default_seats(game, bots)
    if seats not in game.seats:
        raise source.error_at(("seats",), f"seats is {seats}; {game.name} is played by {join_words(game.seats)}")
    if bots < seats:
        have = f"there are only {bots}" if bots > 1 else f"there is {'only one' if bots else 'none'}"
        place = ("bots",) if settings.seats is None else ("seats",)
        again = "; a bot may be named twice, and plays as two" if bots and isinstance(source, CommandLine) else ""
        raise source.error_at(place, f"{seats} seats need at least {seats} bots, and {have}{again}")
    return seats


def _resolve_options(
    source: SettingsSource,
    settings: TournamentFile,
    game: AnyGame,
    seats: int,
) -> Any:  # noqa: ANN401 - the game's own
    with source.locate_errors():
        convert_checked(settings.options, game.Options, at=("options",))
    try:
        return resolve_options(game, seats, settings.preset, settings.options)
    except OptionError as error:
        raise source.error_at(_find_blamed_key(error, settings), str(error)) from None


def _check_brought(source: SettingsSource, game: AnyGame, options: Any) -> None:  # noqa: ANN401 - the game's own
    """Check that the options give no loadouts, which every bot would be told: each bot brings its own."""
    if takes_loadouts(game) and options.loadouts is not None:
        text = "the options give loadouts; bots bring them: [[bots]] has loadout, on the command line it is BOT+LOADOUT"
        raise source.error_at(("options", LOADOUTS), text)


def _choose_format(source: SettingsSource, settings: TournamentFile, registry: Registry) -> FormatChoice:
    table = {"name": settings.format} if isinstance(settings.format, str) else dict(settings.format)
    name = table.pop("name", None)
    if not isinstance(name, str):
        raise source.error_at(("format",), 'format has no name; it must be the name of a format: name = "swiss"')
    with source.locate_errors("format", "name"):
        find_format(name, registry)
    with source.locate_errors("format"):
        return choose_format(name, table, registry)


def _check_format(source: SettingsSource, plan: Plan, registry: Registry) -> None:
    with source.locate_errors("seating"):
        count_block_games(plan.seating, plan.seats, plan.sides)
    try:
        check_plan(plan, registry)
    except OptionError as error:
        raise source.error_at(("format", *error.options[:1]), str(error)) from None


def _complete_stop_rules(wish: StopTable, names: Sequence[str]) -> StopRules:
    """Return the rules for bots of these names; of two bots, the other one is compared with `better_than`."""
    for key, name in (("better_than", wish.better_than), ("bot", wish.bot)):
        require_bot(f"stop.{key}", name, names)
    others = [name for name in names if name != wish.better_than]
    bot = others[0] if wish.bot is None and wish.better_than is not None and len(others) == 1 else wish.bot
    if (bot is None) != (wish.better_than is None):
        missing = "bot" if bot is None else "better_than"
        raise ConfigError(
            f"stop.{missing} is missing: [stop] ends the tournament once stop.bot is proven better than "
            f"stop.better_than; name one of the bots {', '.join(names)}"
        )
    if bot is None and not wish.ranking:
        raise ConfigError("stop is empty; give better_than with bot, or ranking = true")
    if bot is not None and bot == wish.better_than:
        raise ConfigError(f"stop.bot and stop.better_than are both {bot!r}; they must be two bots")
    return StopRules(bot=bot, better_than=wish.better_than, delta=wish.delta, ranking=wish.ranking)


def _find_blamed_key(error: OptionError, settings: TournamentFile) -> KeyPath:
    """Return the key to blame for an error of the game: the preset, if it is unknown, or the first option given."""
    given = [name for name in error.options if name in settings.options]
    if given and "preset" not in error.options:
        return ("options", given[0])
    return ("options",) if settings.preset is None else ("preset",)
