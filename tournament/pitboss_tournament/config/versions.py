"""Two versions of a bot that are compared: how, and in which company they play."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pitboss.errors import ConfigError, OptionError
from pitboss.game import AnyGame, resolve_options
from pitboss.outcome import Sides
from pitboss.plugins.registry import Registry
from pitboss.text import join_words
from pitboss_tournament.config.defaults import (
    choose_seating,
    default_seats,
    find_team_span,
    read_kept_header,
    shared_sides,
)
from pitboss_tournament.config.entrants import disambiguate_names
from pitboss_tournament.config.settings_plan import resolve_plan
from pitboss_tournament.plan.plan import Entrant, Plan, StopBounds, StopRules
from pitboss_tournament.plan.seating import count_block_games
from pitboss_tournament.plan.settings import TournamentFile

DEFAULT_BOUNDS: Final = (0.0, 25.0)  # in rating points
TEAM_HIGH: Final = 1.0  # the upper bound for teams, by default, in points of the game
NEVER: Final = 1_000_000_000  # forfeited games after which a bot is out: they count as lost, and the test goes on


class ComparisonSettings(Struct, frozen=True, kw_only=True):
    """How two bots are compared."""

    settings: TournamentFile
    bounds: StopBounds
    most_games: int  # rounded up to whole deals
    among: str | None = None  # the bot that has the other seats; None: the game's house bot
    fails_on_faults: bool = False


def check_bounds(bounds: StopBounds) -> None:
    """Check that the bounds of a comparison leave something between them.

    Raises:
        ConfigError: they do not.
    """
    if not bounds.low < bounds.high:
        raise ConfigError(f"--bounds {bounds.low:g} {bounds.high:g}: the first bound must be less than the second")


def find_company(comparison: ComparisonSettings, registry: Registry) -> list[str]:
    """Return the bot that has the other seats, as a person calls it; none at a table of two.

    Raises:
        ConfigError: there is no such game, or not the seats for what is asked.
    """
    given, rules = comparison.settings, registry.find_game(comparison.settings.game)
    seats = given.seats or default_seats(rules, 2)
    if seats < 2:
        raise ConfigError(f"--seats is {seats}; two bots are compared, so it is at least 2")
    if seats in rules.seats and _is_cooperative(rules, seats, given):
        if comparison.among is not None:
            raise ConfigError(
                f"--among {comparison.among}: in {rules.name} all seats of a table are one of the two bots"
            )
        return []
    if seats > 2 and not (comparison.among is None and seats in rules.seats and _has_two_sides(rules, seats, given)):
        return [comparison.among or find_house_bot(rules, registry)]
    if seats == 2 and comparison.among is not None:
        raise ConfigError(
            f"--among {comparison.among}: at a table of 2 no seat is left beside the two bots; --seats adds some"
        )
    return []


def check_table(comparison: ComparisonSettings, registry: Registry) -> None:
    """Check that the game has such a table: its seats and its options.

    Raises:
        ConfigError: there is no such game, or it is not played so.
    """
    find_company(comparison, registry)
    given, rules = comparison.settings, registry.find_game(comparison.settings.game)
    seats = given.seats or default_seats(rules, 2)
    if seats not in rules.seats:
        raise ConfigError(f"seats is {seats}; {rules.name} is played by {join_words(rules.seats)}")
    sides = _find_sides(rules, seats, given)
    count_block_games(given.seating or "balanced", seats, sides)


def plan_comparison(
    comparison: ComparisonSettings,
    bots: Sequence[Entrant],
    registry: Registry,
    store: Path,
    *,
    hidden: Sequence[Path] = (),
    keeps_store: bool = True,
) -> Plan:
    """Return the plan of a comparison between old and new, with distinct names, in the company of the third, if any.

    `hidden`: more files that no bot may read, beside the store.

    Raises:
        ConfigError, SeveralErrors: as `resolve_plan`.
    """
    given = comparison.settings
    rules = registry.find_game(given.game)
    seats = given.seats or default_seats(rules, 2)
    old, new, *others = bots
    sides = _find_sides(rules, seats, given)
    if sides is not None and len(sides) == 1:
        made, players = _plan_teams(comparison, old, new, seats)
    else:
        made, players = _plan_opponents(comparison, old, new, next(iter(others), None), seats, sides, store)
    secret = [store.absolute(), *hidden]
    plan = resolve_plan(made, players, registry, store, hidden=secret, keeps_store=keeps_store)
    if not plan.is_cooperative:
        own = sides is not None and not others
        stop = StopRules(bot=new.name, better_than=old.name, bounds=comparison.bounds, has_own_partners=own)
        return replace(plan, stop=stop)
    span = find_team_span(rules, seats, plan.options, has_same_deals=True)
    first, second = plan.bots[seats], plan.bots[0]
    bounds = choose_team_bounds(comparison.bounds)
    return replace(plan, stop=StopRules(bot=first, better_than=second, bounds=bounds, span=span))


def choose_team_bounds(bounds: StopBounds) -> StopBounds:
    """Return the bounds for teams of a cooperative game: in place of those by default, in rating points, 0 and 1."""
    return replace(bounds, high=TEAM_HIGH) if (bounds.low, bounds.high) == DEFAULT_BOUNDS else bounds


def _plan_teams(
    comparison: ComparisonSettings, old: Entrant, new: Entrant, seats: int
) -> tuple[TournamentFile, list[Entrant]]:
    """Return the settings for a team of each of the two on the same deals, and who plays."""
    given = comparison.settings
    made = replace(
        given,
        seats=seats,
        seating="rotations",
        format="teams",
        same_deals=True,
        order="deals",
        deals=-(-comparison.most_games // (2 * seats)),
        faults=replace(given.faults, disqualify_after=NEVER),
    )
    return made, [*disambiguate_names([*[old] * seats, *[new] * seats])]


def _plan_opponents(
    comparison: ComparisonSettings,
    old: Entrant,
    new: Entrant,
    other: Entrant | None,
    seats: int,
    sides: Sides | None,
    store: Path,
) -> tuple[TournamentFile, list[Entrant]]:
    """Return the settings for tables of both, beside copies of another bot or of their own, and who plays."""
    given = comparison.settings
    seating = choose_seating(given.seating, seats, read_kept_header(store))
    complete = replace(
        given,
        seats=seats,
        seating=seating,
        deals=-(-comparison.most_games // count_block_games(seating, seats, sides)),
        faults=replace(given.faults, disqualify_after=NEVER),
    )
    return complete, seat_versions(old, new, other, seats, sides)


def _find_sides(rules: AnyGame, seats: int, given: TournamentFile) -> Sides | None:
    return shared_sides(rules, seats, resolve_options(rules, seats, given.preset, given.options))


def _is_cooperative(rules: AnyGame, seats: int, given: TournamentFile) -> bool:
    sides = _find_sides(rules, seats, given)
    return sides is not None and len(sides) == 1


def _has_two_sides(rules: AnyGame, seats: int, given: TournamentFile) -> bool:
    sides = _find_sides(rules, seats, given)
    return sides is not None and len(sides) == 2


def find_house_bot(game: AnyGame, registry: Registry) -> str:
    """Return the name of the first bot that plays only this game, else of one that plays any."""
    own = [bot.name for bot in registry.bots.values() if bot.games == (game.name,)]
    return next(iter(own), "house:random")


def seat_sides(bots: Sequence[Entrant], sides: Sides) -> tuple[Entrant, ...]:
    """Return who sits where, with names of their own, if each side has copies of one of the bots, in their order."""
    side_of = {seat: bot for side, bot in zip(sides, bots, strict=True) for seat in side}
    return disambiguate_names(side_of[seat] for seat in sorted(side_of))


def name_players(bots: Sequence[Entrant], given: TournamentFile, registry: Registry) -> tuple[Entrant, ...]:
    """Return the bots of a match with names of their own; one bot for each side of a game has all seats of its side."""
    rules = registry.find_game(given.game)
    seats = given.seats or default_seats(rules, len(bots))
    if len(bots) < seats and seats in rules.seats:
        with suppress(ConfigError, OptionError):  # the plan refuses such options, and says where they are
            sides = _find_sides(rules, seats, given)
            if sides is not None and len(sides) == len(bots) > 1:
                return seat_sides(bots, sides)
    return disambiguate_names(bots)


def name_versions(old: Entrant, new: Entrant) -> tuple[Entrant, Entrant]:
    """Return the two bots with distinct names: `mybot-old` and `mybot-new` if both are called `mybot`."""
    if old.name != new.name:
        return old, new
    return replace(old, name=f"{old.name}-old"), replace(new, name=f"{new.name}-new")


def seat_versions(
    old: Entrant, new: Entrant, company: Entrant | None, seats: int, sides: Sides | None
) -> list[Entrant]:
    """Return the bots of a table in the order of its seats; `company` has the seats beside the two, under many names.

    The two are on opposite sides. As the others are all the same bot, the balanced seat design treats both alike.
    Without `company` each of two sides has copies of its own bot.
    """
    if sides is not None and company is None:
        return list(seat_sides([old, new], sides))
    own_seats = (0, 1) if sides is None else (sides[0][0], sides[1][0])
    named = disambiguate_names([old, new, *([company] * (seats - 2) if company else [])])
    others = iter(named[2:])
    return [named[own_seats.index(seat)] if seat in own_seats else next(others) for seat in range(seats)]
