"""Games whose imagined worlds are untrue, unfair or not worlds of their own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Self

from pitboss import Random, Table
from pitboss.determinization.sampling import sample_world
from pitboss_magpie.magpie import MagpieState, holds_no_joker
from pitboss_magpie.messages import FACES, JOKER, Action, Bury, Drop


class ImaginesTheTruth(MagpieState):
    """The imagined state is a copy: a search player plays with open cards."""

    def imagine(self, seat: int, rng: Random) -> Self:
        """Imagine nothing."""
        world = self.copy()
        world.table.rng = rng
        return world


class ImaginesByLuck(MagpieState):
    """A world is the last of thousands that are sampled for it: a search has no time left."""

    def imagine(self, seat: int, rng: Random) -> Self:
        """Sample thousands."""
        *_, last = (super(ImaginesByLuck, self).imagine(seat, rng) for _ in range(3000))
        return last


class ForgetsOwnHand(MagpieState):
    """A player imagines as a spectator does, and does not know its own hand."""

    def imagine(self, seat: int, rng: Random) -> Self:
        """Imagine with the wrong eyes."""
        return super().imagine(self.seats, rng)


class ImaginesForTheOther(MagpieState):
    """What is imagined is what the player on turn may imagine, whoever asks."""

    def imagine(self, seat: int, rng: Random) -> Self:
        """Imagine with the wrong eyes."""
        return super().imagine(self.turn.seat if self.turn else seat, rng)


class WorldForgetsTakenCards(MagpieState):
    """The other hands are dealt anew with the stock, also the cards that everybody saw being taken."""

    def imagine(self, seat: int, rng: Random) -> Self:
        """Deal all other hands anew."""
        world = super().imagine(seat, rng)
        _redeal_zones(world.table, [self.board.stock, *(hand for hand in self.board.hands if hand.owner != seat)], rng)
        return world


class ShufflesOnlyTheStock(MagpieState):
    """Only the stock is dealt anew; the other hands stay as they truly are."""

    def imagine(self, seat: int, rng: Random) -> Self:
        """Deal the stock anew."""
        world = self.copy()
        world.table.rng = rng
        world.table.chance_events = None
        _redeal_zones(world.table, [self.board.stock], rng)
        return world


class ExchangesTwoCards(MagpieState):
    """A world is the truth with two cards of the stock exchanged."""

    def imagine(self, seat: int, rng: Random) -> Self:
        """Exchange two cards."""
        world = self.copy()
        world.table.rng = rng
        stock = world.table.zones[self.board.stock]
        if len(stock) > 1:
            one = rng.randbelow(len(stock))
            stock[one], stock[one - 1] = stock[one - 1], stock[one]
        return world


class RotatesTheHiddenCards(MagpieState):
    """The hidden cards all move on by the same number of places."""

    def imagine(self, seat: int, rng: Random) -> Self:
        """Rotate."""
        world = self.copy()
        world.table.rng = rng
        zones, known = world.table.zones, world.table.known_by
        places = [
            (z, at) for z, cards in enumerate(zones) for at, card in enumerate(cards) if not known[card] >> seat & 1
        ]
        cards = [zones[z][at] for z, at in places]
        masks = [known[card] for card in cards]
        step = rng.randbelow(len(cards)) if cards else 0
        for (zone, at), card, mask in zip(places, cards[step:] + cards[:step], masks, strict=True):
            zones[zone][at] = card
            known[card] = mask
        return world


class DealsTheSameWorld(MagpieState):
    """The stream that is given is ignored: every world is the same."""

    def imagine(self, seat: int, rng: Random) -> Self:
        """Imagine from a stream of its own."""
        return super().imagine(seat, Random("magpie"))


class ImaginesAtRandom(MagpieState):
    """The stream that is given is ignored: the table's own is used, and goes on."""

    def imagine(self, seat: int, rng: Random) -> Self:
        """Imagine from the real stream."""
        return super().imagine(seat, self.table.rng)


class KeepsTheRealFuture(MagpieState):
    """A world is shuffled as the real game will be."""

    def imagine(self, seat: int, rng: Random) -> Self:
        """Keep the real stream."""
        world = super().imagine(seat, rng)
        world.table.rng = self.table.rng.copy()
        return world


class WorldsShareAFuture(MagpieState):
    """All worlds are shuffled alike later on."""

    def imagine(self, seat: int, rng: Random) -> Self:
        """Give every world the same stream."""
        world = super().imagine(seat, rng)
        world.table.rng = Random("future")
        return world


class LosesACard(MagpieState):
    """Dealing anew goes wrong by one: a card lies in two places, another nowhere."""

    def imagine(self, seat: int, rng: Random) -> Self:
        """Deal one card twice."""
        world = super().imagine(seat, rng)
        stock, hand = world.table.zones[self.board.stock], world.table.zones[self.board.hands[(seat + 1) % self.seats]]
        if stock and seat < self.seats:
            hand[0] = stock[0]
        return world


class MovesKnowledge(MagpieState):
    """Who knows a card goes with the card, not with the place where it lies."""

    def imagine(self, seat: int, rng: Random) -> Self:
        """Keep the masks by card."""
        world = super().imagine(seat, rng)
        world.table.known_by = self.table.known_by[:]
        return world


class TurnsTheStockOver(MagpieState):
    """Imagining takes the cards of the stock out and puts them back the other way round."""

    def imagine(self, seat: int, rng: Random) -> Self:
        """Disturb the real table."""
        world = super().imagine(seat, rng)
        self.table.zones[self.board.stock].reverse()
        return world


class SharesTheDiscards(MagpieState):
    """A world shares the list of its discards with the real table."""

    def imagine(self, seat: int, rng: Random) -> Self:
        """Share a list."""
        world = super().imagine(seat, rng)
        world.table.zones[self.board.discard] = self.table.zones[self.board.discard]
        return world


class ForgetsWhoHoldsNoJoker(MagpieState):
    """That who drops another card on a joker holds none is a rule, but it is not stated as a constraint."""

    def constrain_no_joker(self, seat: int, dropped: int) -> None:
        """Say nothing."""


class ForgetsWhatCannotBeBuried(MagpieState):
    """That the card just taken may not be buried is a rule, but it is not stated as a constraint."""

    preset = "graves"

    def constrain_not_taken(self, card: int) -> None:
        """Say nothing."""


class ForgetsWhoIsAsked(MagpieState):
    """A player is asked to boast in worlds in which it has no pair."""

    def imagine(self, seat: int, rng: Random) -> Self:
        """Imagine without the constraint of the phase."""
        return self.with_table(sample_world(self.table, seat, rng))


class StatesTooMuch(MagpieState):
    """A constraint is stated that need not be true: that who drops a joker holds no other."""

    players = 2

    def apply_action(self, seat: int, action: Action) -> None:
        """State it after every joker."""
        super().apply_action(seat, action)
        if action == Drop(JOKER):
            self.table.constrain(holds_no_joker, self.table.zones[self.board.hands[seat]])


def shows_no_joker(cards: Iterable[int | None]) -> bool:
    """Tell whether none of the cards that one sees is a joker."""
    return holds_no_joker(card for card in cards if card is not None)


class TakesTheUnknownForGranted(MagpieState):
    """A constraint holds as soon as it holds of the cards that one sees, so that the worlds are not held to it."""

    def constrain_no_joker(self, seat: int, dropped: int) -> None:
        """State it carelessly."""
        if FACES[dropped] != JOKER:
            self.table.constrain(shows_no_joker, [*self.table.zones[self.board.hands[seat]], dropped])


class OpensTheGrave(MagpieState):
    """A buried card is marked as known to everybody, though nobody was shown it."""

    preset = "graves"

    def apply_action(self, seat: int, action: Action) -> None:
        """Tell everybody."""
        super().apply_action(seat, action)
        if isinstance(action, Bury):
            for card in self.table.zones[self.board.grave]:
                self.table.known_by[card] = self.table.layout.everybody


def _redeal_zones(table: Table, zones: list[int], rng: Random) -> None:
    cards = sorted(card for zone in zones for card in table.zones[zone])
    rng.shuffle(cards)
    for zone in zones:
        table.zones[zone] = [cards.pop() for _ in table.zones[zone]]
        for card in table.zones[zone]:
            table.known_by[card] = table.layout.zones[zone].viewers


MUTANTS: Final = (
    ImaginesTheTruth,
    ForgetsOwnHand,
    ImaginesByLuck,
    ImaginesForTheOther,
    WorldForgetsTakenCards,
    ShufflesOnlyTheStock,
    ExchangesTwoCards,
    RotatesTheHiddenCards,
    DealsTheSameWorld,
    ImaginesAtRandom,
    KeepsTheRealFuture,
    WorldsShareAFuture,
    LosesACard,
    MovesKnowledge,
    TurnsTheStockOver,
    SharesTheDiscards,
    ForgetsWhoHoldsNoJoker,
    ForgetsWhatCannotBeBuried,
    ForgetsWhoIsAsked,
    StatesTooMuch,
    TakesTheUnknownForGranted,
    OpensTheGrave,
)
