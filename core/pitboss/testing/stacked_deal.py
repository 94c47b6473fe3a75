"""A stacked deal, for a game played by hand: the cards of each seat are given by their faces, however the game deals.

The game is dealt once to see which place of the shuffled cards comes to which zone. Then it is dealt again, shuffled so
that the faces that are asked for lie in those places, and what came to the zones is compared with what was asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar

import msgspec

from pitboss.errors import PositionError
from pitboss.game import AnyState, Game, resolve_options
from pitboss.inference.scripted_random import KnownShuffle, RandomScript, ScriptedRandom
from pitboss.table.cards import Face
from pitboss.table.randomness import Random
from pitboss.table.secrets import Scalar, Secret
from pitboss.table.table import Table
from pitboss.table.zones import Zone
from pitboss.text import join_words, suggest_nearest

S_co = TypeVar("S_co", bound=AnyState, covariant=True)
Requested: TypeAlias = Mapping[str, str | Sequence[Scalar]]  # by the name of a zone or secret: faces or values

STREAMS: Final = 20  # a deal that depends on faces may bring those that are asked for in one of them only
PASSES: Final = 4  # deals in each stream; the first is not stacked


class GameOf(Game[Any, Any, Any], Protocol[S_co]):
    """A game, by the type of its states."""

    def deal(self, seats: int, options: Any, rng: Random) -> S_co:  # noqa: ANN401 - of any game
        """Begin a game."""


def stack_deal(
    game: GameOf[S_co],
    seats: int,
    dealt: Requested,
    *,
    options: Any = None,  # noqa: ANN401 - of any game
    seed: str = "stacked",
) -> S_co:
    """Deal a game so that its zones hold the cards in `dealt`, and its secrets the values; return the state.

    `dealt` gives the faces by the name of the zone (`hand 0`, `stock`): a list, or text with blanks between them. In a
    hand they lie in any order. Of a pile they are the cards on top, as they would be drawn: the first is the top card.
    In any other zone they are the first cards. The other cards of a zone, and all else, are dealt by the seed. In the
    same way the name of a secret gives the values that the deal rolls there. Without `options` these are the defaults.

    Log, events and knowledge are those of an ordinary deal; later shuffles and lots follow from the seed.

    Raises:
        OptionError: the game cannot be played with this number of seats, or with these options.
        PositionError: there is no such zone, face or value, or not so often; or the deal does not bring it there, as
            the cards of the zone are not shuffled, or as the deal depends on the faces of the cards.
    """
    given = None if options is None else msgspec.to_builtins(options)
    resolved = resolve_options(game, seats, overrides=given)
    where, requests = f"{game.name}, {seats} seats", list[_Request]()
    for number in range(STREAMS):
        script = RandomScript()
        for _ in range(PASSES):
            state = game.deal(seats, resolved, ScriptedRandom(f"{seed}/{number}" if number else seed, script))
            table = state.table
            requests = requests or _read_requests(table, dealt, where)
            unmet = [request for request in requests if not request.is_met(table)]
            if not unmet:
                script.load()  # from here on the stream is an ordinary one
                return state
            script.deck = table.layout.deck
            script.load(_stack_shuffles(table, requests), (), _stack_rolls(table, requests))
    raise PositionError(f"{where}: {unmet[0].describe_failure(table)}")


class _Request(NamedTuple):
    """The faces that a zone is to hold, or the values of a secret."""

    place: Zone | Secret
    items: list[Any]

    def cards(self, table: Table) -> list[int]:
        """Return the cards of the zone, of a pile from the top."""
        if isinstance(self.place, Secret):
            return []
        cards = table.zones[self.place]
        return self.place.from_the_top(cards)

    def read_items(self, table: Table) -> list[Any]:
        """Return the faces in the zone of a table, of a pile from the top, or the values of the secret."""
        if isinstance(self.place, Secret):
            return list(table.values(self.place))
        return table.layout.deck.faces_of(self.cards(table))

    def is_met(self, table: Table) -> bool:
        """Return whether a table has the items asked for: a hand in any order, other places from their beginning."""
        found = self.read_items(table)
        if isinstance(self.place, Zone) and self.place.hides_places:
            return not Counter(self.items) - Counter(found)
        return found[: len(self.items)] == self.items

    def describe_failure(self, table: Table) -> str:
        """Return in a sentence why another deal could not bring it there."""
        found, wanted = self.read_items(table), len(self.items)
        if len(found) < wanted:
            return f"{wanted} were asked for in {self.place.name!r}; the deal brings {len(found)} there"
        if not {*self.cards(table)[:wanted]} <= _find_sources(table).keys():
            return f"the cards in {self.place.name!r} are not shuffled in the deal, so that it cannot be stacked"
        return (
            f"{self.place.name!r} is to hold {self.items!r}; a deal that was stacked for it brings {found[:wanted]!r} "
            "there, as it depends on the faces of the cards, or shuffles some of them apart"
        )


def _read_requests(table: Table, dealt: Requested, where: str) -> list[_Request]:
    """Return what is asked for, in the deck's own faces and the secrets' own values.

    Raises:
        PositionError: there is no such zone or secret, or no such face or value, or it is asked for too often.
    """
    deck, requests = table.layout.deck, list[_Request]()
    zones = {zone.name: zone for zone in table.layout.zones}
    secrets = {secret.name: secret for secret in table.layout.secrets}
    for name, items in dealt.items():
        if name not in zones and name not in secrets:
            names = [*zones, *secrets]
            hint = suggest_nearest(name, names)
            raise PositionError(f"{where}: there is no zone {name!r}{hint}; there are {join_words(names, 'and')}")
        known: Sequence[Scalar] = deck.faces if name in zones else table.secrets[secrets[name]].outcomes
        by_text = {str(one): one for one in known}
        read = [by_text.get(str(item), item) for item in (items.split() if isinstance(items, str) else items)]
        if name in secrets and not {*read} <= {*known}:
            raise PositionError(f"{where}: {name!r} cannot be {read!r}; what is rolled there is of {list(known)!r}")
        requests.append(_Request(zones[name] if name in zones else secrets[name], read))
    faces: list[Face] = [face for request in requests if isinstance(request.place, Zone) for face in request.items]
    try:
        deck.find_cards(faces)
    except PositionError as error:
        raise PositionError(f"{where}: {error}") from None
    return requests


def _find_sources(table: Table) -> dict[int, tuple[int, int]]:
    """Return by card the last shuffle in the log that it was in, as its number, and its place there."""
    shuffles = [entry.cards for entry in table.log or () if entry.verb == "shuffle"]
    return {card: (number, place) for number, cards in enumerate(shuffles) for place, card in enumerate(cards)}


def _stack_shuffles(table: Table, requests: Sequence[_Request]) -> list[KnownShuffle]:
    """Return each shuffle in the log with the faces that must lie in the places whose cards came to the zones."""
    sources = _find_sources(table)
    sizes = [len(entry.cards) for entry in table.log or () if entry.verb == "shuffle"]
    faces_by_place: list[dict[int, Face]] = [{} for _ in sizes]
    for request in requests:
        for card, face in zip(request.cards(table), request.items, strict=False):
            if card in sources:
                number, place = sources[card]
                faces_by_place[number][place] = face
    return list(map(KnownShuffle, sizes, faces_by_place))


def _stack_rolls(table: Table, requests: Sequence[_Request]) -> list[Sequence[Scalar]]:
    """Return the values of each roll in the log; of the last one for a secret those that are asked for."""
    rolls = [entry for entry in table.log or () if entry.verb == "roll"]
    last = {entry.secret: number for number, entry in enumerate(rolls)}
    values: list[Sequence[Scalar]] = [entry.values for entry in rolls]
    for request in requests:
        if isinstance(request.place, Secret) and request.place in last:
            number = last[request.place]
            values[number] = [*request.items, *values[number][len(request.items) :]][: len(values[number])]
    return values
