"""How people have fared against the bots of a league: counted from games of their own, which change no rating.

People play for as long as they like, and look at the results meanwhile: the intervals hold at any time. A game is one
value, the mean over the bots of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Final, TypeAlias

from msgspec import Struct

from pitboss.game import find_sides, resolve_options
from pitboss.outcome import Sides
from pitboss_tournament.league.book import Book, PeopleGame
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.results.numbers import hide_wide
from pitboss_tournament.statistics.running_moments import Estimate, gather_moments

NameOf: TypeAlias = Callable[[PeopleGame], str]

NAMELESS_PEOPLE: Final = "people without a name"


class PeopleRow(Struct, frozen=True):
    """The games of one bot against people, or of one person against bots."""

    name: str
    others: int  # whom it has met
    games: int
    score: Estimate  # of the people: the share of the bots that they came in before, a tie half
    points: Estimate  # a game: of the people, less those of the bots; in a cooperative game those of the team


class PeopleResults(Struct, frozen=True):
    """How people have fared against the bots of a league."""

    is_cooperative: bool
    games: int
    bots: Sequence[PeopleRow]  # the hardest first
    people: Sequence[PeopleRow]  # the best first


def read_people_results(league: League, book: Book) -> PeopleResults:
    """Return how people have fared against the bots of a league."""
    labels = {one.number: one.label for one in book.submissions()}
    return count_people(book.people_games(), labels, is_cooperative=len(find_league_sides(league)) == 1)


def find_league_sides(league: League) -> Sides:
    """Return the seats that win and lose together."""
    options = resolve_options(league.game, league.seats, league.file.preset, league.file.options)
    return find_sides(league.game, league.seats, options)


def count_people(games: Sequence[PeopleGame], labels: Mapping[int, str], *, is_cooperative: bool) -> PeopleResults:
    """Return the results of games; `labels` are the names of the versions, by the numbers of their submissions."""

    def count(name_of: NameOf, other_of: NameOf) -> list[PeopleRow]:
        own: dict[str, list[PeopleGame]] = {}
        for game in games:
            own.setdefault(name_of(game), []).append(game)
        return [_count(name, some, other_of, is_cooperative) for name, some in own.items()]

    def name_bot(game: PeopleGame) -> str:
        return labels.get(game.submission, f"submission {game.submission}")

    def name_person(game: PeopleGame) -> str:
        return game.name or NAMELESS_PEOPLE

    best_first = attrgetter("points.mean" if is_cooperative else "score.mean")
    return PeopleResults(
        is_cooperative,
        len({(one.store, one.deal) for one in games}),
        sorted(count(name_bot, name_person), key=best_first),
        sorted(count(name_person, name_bot), key=best_first, reverse=True),
    )


def _count(
    name: str, games: Iterable[PeopleGame], other_of: Callable[[PeopleGame], str], is_cooperative: bool
) -> PeopleRow:
    of_deals: dict[tuple[str, int], list[PeopleGame]] = {}
    for game in games:
        of_deals.setdefault((game.store, game.deal), []).append(game)

    def estimate(value: Callable[[PeopleGame], float], scale: float | None) -> Estimate:
        means = (sum(map(value, pairs)) / len(pairs) for pairs in of_deals.values())
        return hide_wide(gather_moments(means).estimate(scale, anytime=True), len(of_deals))

    return PeopleRow(
        name,
        len({other_of(one) for pairs in of_deals.values() for one in pairs}),
        len(of_deals),
        estimate(attrgetter("score"), 1.0),
        estimate(lambda one: one.points - (0.0 if is_cooperative else one.bot_points), None),
    )
