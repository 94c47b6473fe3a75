"""Two versions of a bot that are compared, and the company in which they play."""

from __future__ import annotations

from msgspec.structs import replace

from pitboss.game import AnyGame
from pitboss.plugins.registry import Registry
from pitboss_tournament.config.entrants import disambiguate_names
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.plan.seating import Sides


def find_house_bot(game: AnyGame, registry: Registry) -> str:
    """Return the name of the first bot that plays only this game, else of one that plays any."""
    own = [bot.name for bot in registry.bots.values() if bot.games == (game.name,)]
    return next(iter(own), "house:random")


def name_versions(old: Entrant, new: Entrant) -> tuple[Entrant, Entrant]:
    """Return the two with distinct names: `mybot-old` and `mybot-new` if both are called so."""
    if old.name != new.name:
        return old, new
    return replace(old, name=f"{old.name}-old"), replace(new, name=f"{new.name}-new")


def seat_versions(
    old: Entrant, new: Entrant, company: Entrant | None, seats: int, sides: Sides | None
) -> list[Entrant]:
    """Return the bots of a table in the order of its seats; `company` has the seats beside the two, under many names.

    The two are on opposite sides. As the others are all the same bot, the mirrored seat design treats both alike.
    """
    own_seats = (0, 1) if sides is None else (sides[0][0], sides[1][0])
    named = disambiguate_names([old, new, *([company] * (seats - 2) if company else [])])
    others = iter(named[2:])
    return [named[own_seats.index(seat)] if seat in own_seats else next(others) for seat in range(seats)]
