"""Ember Duel. Two players, each with a deck of ten cards that it has built; who has no life left has lost.

A turn: the player on turn gets one energy more than in the turn before, up to six, and draws a card. It plays cards
that it can pay, units or spells, and ends the turn: each of its units that is ready strikes a guard of the other
player, else that player.

The numbers in docstrings (R4) are those of the rule book, RULES.md.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self, TypeAlias

import msgspec
from msgspec import Meta, Struct

from duel_cards import CARDS, NAMES, Card
from pitboss import (
    Action,
    CardFace,
    Deck,
    Options,
    Outcome,
    Random,
    TableGame,
    TableState,
    Turn,
    Visibility,
    Zone,
    Zones,
    hand_each,
    outcome_by_side,
    pile,
    pile_each,
    spread_each,
)
from pitboss.game import GameBounds, PublicCount, PublicCounts
from pitboss.loadouts import LoadoutSight
from pitboss.parts.decks import DeckList, build_deck, draw_deck, list_deck_faults, restrict_deck, stack_pool
from pitboss.plugins.hookspec import NamedBot, hookimpl, python_bot
from pitboss.rendering.presentation import Presentation

SEATS: Final = 2
DECK_SIZE: Final = 10
COPIES: Final = 2
LIFE: Final = 15
MOST_LIFE: Final = 20
MOST_ENERGY: Final = 6
FIRST_HANDS: Final = (3, 4)  # who begins has one card less
POOL: Final = COPIES * len(NAMES)  # cards of a seat

UnitRow: TypeAlias = tuple["Unit", ...]


class DuelOptions(Options, frozen=True):
    """What people may choose."""

    loadouts: Annotated[
        tuple[DeckList | None, ...] | None,
        Meta(description="By seat: the deck that it brings; null: ten of its cards at random."),
    ] = None
    sight: Annotated[Literal["hidden", "public"], Meta(description="Whether players know the decks of each other.")] = (
        "hidden"
    )
    loadout_pool: Annotated[
        tuple[DeckList, ...] | Literal["open"] | None,
        Meta(
            description="The decks that everybody knows to be about: all of the tournament (open), or some; null: any "
            "deck may be met."
        ),
    ] = None
    life: Annotated[int, Meta(ge=5, le=20, description="With how much life players begin.")] = LIFE


class Play(Action, frozen=True):
    """Play a card from your hand: you pay its cost."""

    card: CardFace


class End(Action, frozen=True):
    """End the turn: your units strike."""


class Unit(Struct, frozen=True):
    """A unit on the table."""

    card: CardFace
    damage: Annotated[int, Meta(le=6, description="How much it has taken; with its health it is gone.")] = 0
    ready: Annotated[bool, Meta(description="Whether it strikes at the end of its player's next turn.")] = False


class DuelView(Struct, frozen=True, kw_only=True):
    """What a seat may know."""

    hand: Annotated[list[CardFace], Meta(description="Your cards; empty for a spectator.")]
    deck: Annotated[list[CardFace], Meta(description="What is still in your deck, sorted; empty for a spectator.")]
    energy: Annotated[int, Meta(le=MOST_ENERGY, description="Of the player on turn, still to be spent.")]
    turn_no: Annotated[int, Meta(le=200, description="From 1; both players' turns count.")]
    life: Annotated[list[Annotated[int, Meta(le=MOST_LIFE)]], Meta(description="By seat.")]
    units: Annotated[list[list[Unit]], Meta(description="By seat, in the order in which they came.")]
    hands: Annotated[list[int], Meta(description="By seat, how many cards are in its hand.")]
    decks: Annotated[list[int], Meta(description="By seat, how many cards are left in its deck.")]
    spent: Annotated[list[list[CardFace]], Meta(description="By seat, its spells and its units that are gone.")]


class DuelState(TableState[DuelOptions, Play | End]):
    """A duel at one moment."""

    deck = Deck(name for _ in range(SEATS) for name in NAMES for _ in range(COPIES))

    box: Zone = pile(Visibility.NOBODY)
    pools: Zones = pile_each(Visibility.NOBODY)
    libraries: Zones = pile_each(Visibility.NOBODY)
    hands: Zones = hand_each()
    fields: Zones = spread_each()
    spents: Zones = spread_each()
    life: tuple[int, ...] = ()
    units: tuple[UnitRow, ...] = ((), ())  # by seat, as they lie in its field
    energy: int = 0
    turn_no: int = 0
    tired: tuple[int, ...] = (0, 0)  # by seat, how often it found its deck empty

    # ---- the deal

    def start(self) -> None:
        """R1, R2: lay out both decks and deal the first hands."""
        self.life = (self.options.life,) * SEATS
        brought = self.options.loadouts or (None,) * SEATS
        table = self.table
        for seat, own in enumerate(brought):
            deck = own or self.draw_declared()
            stack_pool(table, self.box, self.pools[seat], pool_cards(seat), self.rng.spawn(f"deck {seat}"), deck)
            table.deal(self.pools[seat], [self.libraries[seat]], DECK_SIZE, event="bring")
            to = None if self.options.sight == "public" else [seat]
            table.reveal(self.pools[seat], "leave", to=to)
        for seat, count in enumerate(FIRST_HANDS):
            table.deal(self.libraries[seat], [self.hands[seat]], count)
        self.begin_turn(0)

    def draw_declared(self) -> DeckList | None:
        """R1: who brings no deck has one of those that are known to be about; None: any, as none are."""
        pool = self.options.loadout_pool
        return pool[self.table.draw_lot(len(pool))] if isinstance(pool, tuple) else None

    # ---- turns

    def begin_turn(self, seat: int) -> None:
        """R3: energy and a card; R8: a player who finds no card is hurt by one more each time."""
        self.turn_no += 1
        self.energy = min(MOST_ENERGY, (self.turn_no + 1) // 2)
        self.table.tell("turn", seat=seat, number=self.turn_no, energy=self.energy)
        self.turn = Turn(seat, "act")
        self.draw_cards(seat, 1)

    def draw_cards(self, seat: int, count: int) -> None:
        """Draw some cards."""
        for _ in range(count):
            if self.table.zones[self.libraries[seat]]:
                self.table.draw(self.libraries[seat], self.hands[seat])
            else:
                self.tired = change(self.tired, seat, self.tired[seat] + 1)
                self.hurt(seat, self.tired[seat], "tired")

    def legal(self) -> Sequence[Play | End]:
        """R4: the cards that can be paid, in the order of the rule book; then the end of the turn."""
        if self.turn is None:
            return []
        seat = self.turn.seat
        held = {*self.faces(self.hands[seat])}
        return [
            *[PLAYS[name] for name in NAMES if name in held and self.can_play(CARDS[name], seat)],
            END,
        ]

    def can_play(self, card: Card, seat: int) -> bool:
        """R4: a card is paid; R6: a bolt or a storm needs a unit to fall on."""
        return card.cost <= self.energy and bool(self.units[1 - seat] or not (card.bolt or card.storm))

    def apply(self, action: Play | End) -> None:
        """Play a card, or end the turn."""
        seat = self.require_turn().seat
        if isinstance(action, End):
            self.strike(seat)
            if self.turn is not None:
                self.begin_turn(1 - seat)
            return
        card = CARDS[action.card]
        self.energy -= card.cost
        if card.health:
            self.table.play_face(action.card, self.hands[seat], self.fields[seat], "play")
            self.units = change(self.units, seat, (*self.units[seat], Unit(action.card, ready=card.swift)))
        else:
            self.table.play_face(action.card, self.hands[seat], self.spents[seat], "play")
        self.cast(card, seat)

    def cast(self, card: Card, seat: int) -> None:
        """R6: what a card does when it is played."""
        if card.heal:
            self.life = change(self.life, seat, min(MOST_LIFE, self.life[seat] + card.heal))
            self.table.tell("heal", seat=seat, life=self.life[seat])
        if card.bolt:
            self.damage(1 - seat, [self.find_strongest(1 - seat)], card.bolt)
        if card.storm:
            self.damage(1 - seat, range(len(self.units[1 - seat])), card.storm)
        if card.burn:
            self.hurt(1 - seat, card.burn, "burn")
        if card.draw and self.turn is not None:
            self.draw_cards(seat, card.draw)

    def strike(self, seat: int) -> None:
        """R7: each ready unit strikes the first guard, which strikes back, else the other player."""
        for card in [unit.card for unit in self.units[seat] if unit.ready]:
            power = CARDS[card].power
            guards = [at for at, unit in enumerate(self.units[1 - seat]) if CARDS[unit.card].guard]
            if not guards:
                self.hurt(1 - seat, power, "strike")
                if self.turn is None:
                    return
                continue
            guard = self.units[1 - seat][guards[0]]
            own = next(at for at, unit in enumerate(self.units[seat]) if unit.ready and unit.card == card)
            self.units = change(self.units, seat, mark_struck(self.units[seat], own))
            self.damage(1 - seat, [guards[0]], power)
            self.damage(seat, [own], CARDS[guard.card].power)
        self.units = change(self.units, seat, tuple([Unit(unit.card, unit.damage, True) for unit in self.units[seat]]))

    # ---- damage

    def find_strongest(self, seat: int) -> int:
        """R6: the unit with the most power, of equal ones the first."""
        return max(range(len(self.units[seat])), key=lambda at: (CARDS[self.units[seat][at].card].power, -at))

    def damage(self, seat: int, places: Iterable[int], amount: int) -> None:
        """Damage units of a seat; those whose health is used up are gone."""
        hit = {*places}
        units = [
            Unit(unit.card, unit.damage + amount * (at in hit), unit.ready) for at, unit in enumerate(self.units[seat])
        ]
        self.table.tell("damage", seat=seat, units=[at + 1 for at in sorted(hit)], amount=amount)
        gone = [at for at, unit in enumerate(units) if unit.damage >= CARDS[unit.card].health]
        cards = [self.table.zones[self.fields[seat]][at] for at in gone]
        for card in cards:
            self.table.move(card, self.fields[seat], self.spents[seat], "fall")
        self.units = change(self.units, seat, tuple([unit for at, unit in enumerate(units) if at not in gone]))

    def hurt(self, seat: int, amount: int, event: str) -> None:
        """R9: a player without life has lost, and the duel is over."""
        self.life = change(self.life, seat, max(0, self.life[seat] - amount))
        self.table.tell(event, seat=seat, amount=amount, life=self.life[seat])
        if not self.life[seat]:
            self.turn = None

    def outcome(self) -> Outcome:
        """R9: one point for who has life left."""
        return outcome_by_side([1.0 if life else 0.0 for life in self.life])

    def evaluate(self) -> Sequence[float]:
        """Return each player's chance to win, by life, units and cards."""
        if self.turn is None:
            return [1.0 if life else 0.0 for life in self.life]
        worth = [
            self.life[seat]
            + sum(1.5 * CARDS[unit.card].power + CARDS[unit.card].health - unit.damage for unit in self.units[seat])
            + 1.5 * len(self.table.zones[self.hands[seat]])
            for seat in range(SEATS)
        ]
        share = min(0.95, max(0.05, 0.5 + (worth[0] - worth[1]) / 50))
        return [share, 1 - share]

    # ---- worlds

    def imagine(self, seat: int, rng: Random) -> Self:
        """Return a world, in which the others have decks that are known to be about, if there are any."""
        pool = self.options.loadout_pool if isinstance(self.options.loadout_pool, tuple) else ()
        twin, drawn = self, dict[int, int]()
        for other in range(SEATS) if pool and self.options.sight == "hidden" else ():
            if other == seat:
                continue
            zones = (self.libraries[other], self.hands[other], self.fields[other], self.spents[other])
            seen = [str(face) for zone in zones for face in self.table.faces_known_to(zone, seat) if face is not None]
            deck = draw_deck(pool, seen, rng)
            if deck is not None:
                if twin is self:
                    twin = self.copy()
                    twin.table.chance_events = self.table.chance_events
                restrict_deck(twin.table, zones, seat, deck, pool_cards(other))
                drawn[other] = pool.index(deck)
        world = super(DuelState, twin).imagine(seat, rng)
        world.table.card_domains = self.table.card_domains
        world.note_lots(drawn)
        return world

    def note_lots(self, drawn: Mapping[int, int]) -> None:
        """Put the decks that a world has among its chance events, where those of the duel were drawn by lot."""
        events = self.table.chance_events or []
        brought = self.options.loadouts or (None,) * SEATS
        lots = (number for number, event in enumerate(events) if isinstance(event, int))
        for seat, number in zip([seat for seat, own in enumerate(brought) if own is None], lots, strict=False):
            events[number] = drawn.get(seat, events[number])

    # ---- what is shown

    def view(self, seat: int) -> DuelView:
        """Return a seat's hand and deck, and what lies open."""
        zones, deck = self.table.zones, self.deck
        is_player = seat < SEATS
        own = deck.sort_cards(zones[self.hands[seat]]) if is_player else []
        left = deck.sort_cards(zones[self.libraries[seat]]) if is_player else []
        return DuelView(
            hand=[*map(str, deck.faces_of(own))],
            deck=[*map(str, deck.faces_of(left))],
            energy=self.energy,
            turn_no=self.turn_no,
            life=[*self.life],
            units=[[*row] for row in self.units],
            hands=[len(zones[hand]) for hand in self.hands],
            decks=[len(zones[library]) for library in self.libraries],
            spent=[self.faces(spent) for spent in self.spents],
        )

    def public_counts(self) -> PublicCounts:
        """Return the turn and the energy, and of each player its life and its cards."""
        zones = self.table.zones
        return PublicCounts(
            [PublicCount("turn", self.turn_no, "part"), PublicCount("energy", self.energy)],
            [
                [
                    PublicCount("life", self.life[seat]),
                    PublicCount("deck", len(zones[self.libraries[seat]])),
                ]
                for seat in range(SEATS)
            ],
        )

    def render(self, seat: int | None, names: Sequence[str]) -> Iterator[str]:
        """Show both players, and the hand of who looks."""
        yield f"Turn {self.turn_no}, energy {self.energy}"
        for owner, name in enumerate(names):
            zones = self.table.zones
            library, hand = len(zones[self.libraries[owner]]), len(zones[self.hands[owner]])
            yield f"{name}: life {self.life[owner]}, deck {library}, hand {hand}"
            yield f"  units: {', '.join(map(describe_unit, self.units[owner])) or '-'}"
            if seat in (None, owner):
                faces = self.deck.faces_of(self.deck.sort_cards(zones[self.hands[owner]]))
                yield f"  hand:  {', '.join(f'{face} ({CARDS[face].cost})' for face in map(str, faces)) or '-'}"


PLAYS: Final = {name: Play(name) for name in NAMES}
END: Final = End()


def change(row: tuple[Any, ...], seat: int, value: object) -> tuple[Any, ...]:
    """Return a tuple with another value for a seat."""
    return (*row[:seat], value, *row[seat + 1 :])


def mark_struck(units: UnitRow, at: int) -> UnitRow:
    """Return units of which one has struck."""
    return tuple([Unit(one.card, one.damage, one.ready and place != at) for place, one in enumerate(units)])


def describe_unit(unit: Unit) -> str:
    """Return a unit in words: "wolf 3/1"."""
    card = CARDS[unit.card]
    words = " guard" if card.guard else ""
    return f"{unit.card} {card.power}/{card.health - unit.damage}{words}{'' if unit.ready else ' (new)'}"


@cache
def pool_cards(seat: int) -> tuple[int, ...]:
    """Return the cards of which a seat's deck can be."""
    return tuple(range(seat * POOL, (seat + 1) * POOL))


@cache
def load_samples() -> Mapping[str, DeckList]:
    """Return the decks of the rule book by name: the files beside this one."""
    files = sorted((Path(__file__).parent / "duel_decks").glob("*.toml"))
    return {file.stem: msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), DeckList) for file in files}


PRESENTATION: Final = Presentation(
    goal=(
        "Who has no life left has lost.",
        "Each turn brings a card and one energy more; cards cost energy.",
        "At the end of your turn your units strike a guard, else the other player.",
    ),
    phases={"act": "play a card, or end the turn"},
    actions={"play": "play {card}", "end": "end the turn"},
    events={
        "turn": "turn {number}: {seat!p} has {energy} energy",
        "strike": "{seat!p} is struck: {amount} damage, {life} life",
        "burn": "{seat!p} is burnt: {amount} damage, {life} life",
        "tired": "{seat!p} has no card left to draw: {amount} damage, {life} life",
        "heal": "{seat!p} has {life} life",
        "damage": "units {units} of {seat!p} take {amount} damage",
    },
)


class Duel(TableGame[DuelOptions, DuelState]):
    """The game: one object without state."""

    state = DuelState
    name = "duel"
    title = "Ember Duel"
    seats = (SEATS,)
    phases = ("act",)
    presets: Mapping[str, DuelOptions] = {
        "open-decks": DuelOptions(sight="public"),
        "known-field": DuelOptions(loadout_pool="open"),
    }
    presentation = PRESENTATION
    Loadout = DeckList

    @property
    def sample_loadouts(self) -> Mapping[str, DeckList]:
        """The five decks of the rule book."""
        return load_samples()

    def loadout_sight(self, options: DuelOptions) -> LoadoutSight:
        """Return what the option says."""
        return options.sight

    def check_loadout(self, loadout: DeckList, options: DuelOptions) -> Iterable[str]:
        """R1: ten cards, none more than twice."""
        return list_deck_faults(loadout, NAMES, DECK_SIZE, COPIES)

    def count_parts(self, loadout: DeckList) -> Mapping[str, int]:
        """Return how often a deck has each card."""
        return loadout.cards

    def draw_loadout(self, options: DuelOptions, rng: Random) -> DeckList:
        """Return ten cards at random."""
        return build_deck(NAMES, DECK_SIZE, COPIES, rng)

    def bounds(self, seats: int, options: DuelOptions) -> GameBounds | None:
        """Return the bounds: one point for the winner."""
        return GameBounds(None, 0, 1, total=1)

    def describe_face(self, face: str) -> str:
        """Return a card's cost, strength and text."""
        card = CARDS[face]
        strength = f", {card.power}/{card.health}" if card.health else ""
        return f"{card.text} Costs {card.cost}{strength}."


@hookimpl
def pitboss_games() -> Iterable[Duel]:
    """Return the one game of this plugin."""
    return [Duel()]


@hookimpl
def pitboss_bots() -> Iterable[NamedBot]:
    """Return its two bots."""
    aggressive, controlling = "Strikes and burns as early as it can.", "Removes units, guards, and wins late."
    return [
        python_bot("duel:aggressive", aggressive, "duel_bots", "aggressive", games=("duel",)),
        python_bot("duel:controlling", controlling, "duel_bots", "controlling", games=("duel",)),
    ]
