"""The bases of games: zones declared as fields, what a copy copies, what is refused, games without positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

import pytest
from msgspec import Struct

from pitboss import (
    Deck,
    IllegalAction,
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
    piles,
    rack_each,
    spread,
    spread_each,
    spreads,
)
from pitboss.game import has_positions, resolve_options
from pitboss.schema import game_schema
from pitboss.simulation.random_play import choose_from, play_on
from pitboss.testing import check_game
from pitboss_magpie.magpie import Magpie, MagpieState


class CountingState(MagpieState):
    """A state with fields of several kinds."""

    tally: list[int] = field(default_factory=list)
    by_name: dict[str, list[int]] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)
    bare: list = field(default_factory=list)  # type: ignore[type-arg]  # as games have it that no type checker has seen
    shared: tuple[int, ...] = ()
    left_open: list[int] | None = None


def test_a_copy_has_its_own_lists_dicts_and_sets() -> None:
    """A field that is declared as a list, a dict or a set is copied, or is None where it may be left out; other fields
    are shared.
    """
    game = Magpie(CountingState)
    state = game.deal(3, resolve_options(game, 3), Random("x"))
    assert isinstance(state, CountingState)

    twin = state.copy()
    twin.tally.append(2)
    twin.by_name["a"] = [3]
    twin.seen.add(4)
    twin.bare.append(5)

    assert (state.tally, state.by_name, state.seen, state.bare) == ([], {}, set(), [])
    assert twin.left_open is None and twin.shared is state.shared and twin.table is not state.table


class Flip(Struct, frozen=True, tag_field="do", tag="flip", forbid_unknown_fields=True):
    """Turn a card of your hand up, by its face."""

    card: int


class FlipView(Struct, frozen=True):
    """What a seat may know."""

    hand: list[int]
    shown: list[list[int]]


class FlipState(TableState[Options, Flip]):
    """Everybody turns up two cards, one after the other; the sum counts."""

    stock: Zone = pile(Visibility.NOBODY)
    middle: Zone = spread()
    hands: Zones = hand_each()
    racks: Zones = rack_each((5, 10))
    shown: Zones = spread_each()
    out: Zones = pile_each(Visibility.OWNER)
    rows: Zones = spreads(2)
    heaps: Zones = piles(1, Visibility.NOBODY)

    @classmethod
    def make_deck(cls, seats: int, options: Options) -> Deck:
        """Return three cards for each seat."""
        return DECKS[seats]

    def start(self) -> None:
        """Deal two each."""
        self.table.shuffle(self.stock)
        self.table.deal(self.stock, self.hands, 2)
        self.turn = Turn(0, "flip")

    def legal(self) -> Sequence[Flip]:
        """Return a card of the hand each."""
        return [Flip(int(face)) for face in self.table.faces(self.hands[self.turn.seat])] if self.turn else []

    def apply(self, action: Flip) -> None:
        """Show the card."""
        seat = self.require_turn().seat
        self.table.move(action.card, self.hands[seat], self.shown[seat])
        following = (seat + 1) % self.seats
        self.turn = Turn(following, "flip") if self.table.zones[self.hands[following]] else None

    def view(self, seat: int) -> FlipView:
        """Return the own hand, and what lies open."""
        hand = self.table.zones[self.hands[seat]] if seat < self.seats else []
        return FlipView(sorted(hand), [list(self.table.zones[zone]) for zone in self.shown])

    def outcome(self) -> Outcome:
        """Return the sums."""
        return outcome_by_side([sum(self.table.zones[zone]) for zone in self.shown])


DECKS = {seats: Deck(range(3 * seats)) for seats in (2, 3)}


class FlipGame(TableGame[Options, FlipState]):
    """The game, with as little as a game can have."""

    state = FlipState
    name = "flip"
    title = "Flip"
    seats = (2, 3)
    Action = Flip
    View = FlipView


def deal_flip(seats: int = 2) -> FlipState:
    """Return a game that was just dealt."""
    return FlipGame().deal(seats, Options(), Random("flip"))


def test_zones_are_declared_as_fields() -> None:
    """The zones are those declared as fields, in their order, named as the fields, those of the seats by seat; states
    of one deck share a layout.
    """
    state = deal_flip()

    names = [zone.name for zone in state.table.layout.zones]
    assert names[:6] == ["stock", "middle", "hand 0", "hand 1", "rack 0", "rack 1"]
    assert names[6:] == ["shown 0", "shown 1", "out 0", "out 1", "row 0", "row 1", "heap 0"]
    assert [zone.owner for zone in state.out] == [0, 1]
    assert [zone.visibility for zone in (state.stock, state.middle, *state.out[:1])] == [
        Visibility.NOBODY,
        Visibility.EVERYBODY,
        Visibility.OWNER,
    ]
    assert state.racks[1].labels == (5, 10)
    assert state.table.layout is deal_flip().table.layout is not deal_flip(3).table.layout
    assert (state.seats, deal_flip(3).seats) == (2, 3)


def test_a_state_without_zones() -> None:
    """A state without zones is an error that says so, before the first card."""

    class Bare(TableState[Options, Flip]):
        deck = Deck(())

    with pytest.raises(TypeError, match="Bare declares no zone"):
        Bare.create(2, Options(), Random("x"))


def test_what_is_not_legal_is_refused() -> None:
    """The base compares with the legal list, so that `apply` gets nothing else."""
    state = deal_flip()
    other = Flip(state.table.zones[state.hands[1]][0])

    with pytest.raises(IllegalAction, match=r"Flip\(card=\d\) was played at Turn\(seat=0, phase='flip'\); legal: "):
        state.play(other)
    assert state.table.zones[state.shown[1]] == []


@pytest.mark.long
@pytest.mark.once
def test_a_game_without_positions() -> None:
    """A game without positions keeps every promise; the promises about positions do not apply, and its
    schema has none.
    """
    report = check_game(FlipGame(), games=2)

    assert report.failures == []
    assert {one.name for one in report.checks if one.detail == "the game has no positions"} == {
        "empty-position-is-dealt",
        "wrong-types-are-refused",
        "position-changes-nothing",
        "position-survives-json",
        "setup-gives-the-position-back",
        "position-of-a-setup-is-the-same",
        "setup-deals-nothing-anew",
        "setup-plays-on",
        "impossible-positions-are-refused",
        "ended-games-come-back",
    }
    assert has_positions(Magpie()) and not has_positions(FlipGame())
    assert [*game_schema(FlipGame())["properties"]] == ["options", "action", "view"]


class ForgetfulState(FlipState):
    """A state in whose copies a field is shared that is changed in place."""

    counts: Sequence[int] = field(default_factory=lambda: [0, 0, 0])

    def apply(self, action: Flip) -> None:
        """Count, in the list of the copy too."""
        self.counts[self.require_turn().seat] += 1  # type: ignore[index]
        super().apply(action)


@pytest.mark.once
def test_a_shared_field_is_found_without_positions() -> None:
    """The suite looks at the fields of a state where no position shows them."""

    class Forgetful(FlipGame):
        state = ForgetfulState

    assert "copy-goes-its-own-way" in {one.name for one in check_game(Forgetful(), games=2).failures}


class Stuck(FlipState):
    """A game that stops in the middle."""

    def legal(self) -> Sequence[Flip]:
        """Return nothing once a card is shown."""
        return [] if any(self.table.zones[zone] for zone in self.shown) else super().legal()


def test_a_turn_without_a_legal_action() -> None:
    """The error of random play about a turn without a legal action names the turn."""
    state = Stuck.create(2, Options(), Random("stuck"))
    state.start()

    with pytest.raises(ValueError, match=r"nothing is legal at Turn\(seat=1, phase='flip'\)"):
        play_on(state, choose_from(Random("choices")))
