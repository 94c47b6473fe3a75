"""Secrets of the table: rolled and chosen values, who knows them, worlds, events, pictures and tracked games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import field

import msgspec
import pytest

from pitboss import Deck, Layout, Random, StackedRandom, Table, Turn, Visibility, sample_world
from pitboss.determinization.pooled_knowledge import pool_knowledge
from pitboss.errors import TableError
from pitboss.inference.replay_trial import ReplayTrial
from pitboss.inference.scripted_random import RandomScript
from pitboss.inference.step_budget import StepBudget
from pitboss.rendering.table_text import render_table
from pitboss.table.events import AnyEvent, Choose, Roll, Show
from pitboss.testing import check_game
from tests.core.sealed_bids import Action, BidOptions, BidState, BidView, SealedBid, SealedBids
from tests.core.tracked_games import is_tracked_correctly, track_game


class Cups:
    """A table of two seats with a wheel that all see, a cup each, and a mark that nobody sees."""

    def __init__(self, seed: str = "cups") -> None:
        layout = Layout(Deck(()), 2)
        box = layout.add_pile("box", Visibility.NOBODY)
        self.wheel = layout.add_secret("wheel")
        self.cups = [layout.add_secret(f"cup {seat}", Visibility.OWNER, seat) for seat in range(2)]
        self.mark = layout.add_secret("mark", Visibility.NOBODY)
        self.table = Table(layout, Random(seed), box)


def test_who_sees_a_roll() -> None:
    """The viewers know the values at once; a later roll takes their place; to show tells everybody, or one seat."""
    cups, table = (tiny := Cups()), tiny.table
    table.roll(cups.wheel, ["red", "black"])
    first = table.roll(cups.cups[0], range(1, 7), 3)
    table.roll(cups.mark, [1, 2])

    assert len(first) == 3 and {*first} <= {*range(1, 7)}
    assert table.values_known_to(cups.wheel, 2) == table.values(cups.wheel)
    assert table.values_known_to(cups.cups[0], 0) == first
    assert table.values_known_to(cups.cups[0], 1) == (None, None, None)
    assert [table.values_known_to(cups.mark, seat) for seat in range(3)] == [(None,)] * 3

    table.show(cups.mark, only=1)
    table.show(cups.cups[0])
    assert [table.values_known_to(cups.mark, seat) for seat in range(3)] == [(None,), table.values(cups.mark), (None,)]
    assert table.values_known_to(cups.cups[0], 2) == first

    table.roll(cups.cups[0], range(1, 7), 2)
    assert table.values_known_to(cups.cups[0], 2) == (None, None)


def test_events() -> None:
    """Each seat gets the event of a secret, with values if it sees them."""
    cups, table = (tiny := Cups()), tiny.table
    values = table.roll(cups.cups[0], range(1, 7), 2)
    table.choose(cups.cups[1], 4, range(6), "bid")
    table.show(cups.cups[1], only=0)

    told: list[AnyEvent] = [
        Roll(event="roll", seat=0, secret="cup 0", values=[*values]),
        Choose(event="bid", seat=1, secret="cup 1", values=None),
        Show(event="show", seat=1, secret="cup 1", values=[4]),
    ]
    assert table.events(0) == told
    assert [msgspec.structs.asdict(event)["values"] for event in table.events(1)] == [None, [4], None]
    assert [msgspec.structs.asdict(event)["values"] for event in table.events(2)] == [None, None, None]
    assert [msgspec.structs.asdict(event)["values"] for event in table.events(None)] == [[*values], [4], [4]]
    wire = msgspec.json.encode(table.events(1))
    assert msgspec.json.decode(wire, type=list[AnyEvent]) == table.events(1)


def test_weights() -> None:
    """Outcomes come as often as their weights say; a stacked lot finds its outcome."""
    cups, table = (tiny := Cups()), tiny.table
    drawn = Counter(table.roll(cups.wheel, "abc", 3000, weights=[3, 0, 1]))

    assert {*drawn} == {"a", "c"}
    assert drawn["c"] == pytest.approx(750, abs=100)
    table.rng = StackedRandom("s", lots=[2, 3, 0])
    assert table.roll(cups.wheel, "abc", 3, weights=[3, 0, 1]) == ("a", "c", "a")
    assert (table.chance_events or [])[-3:] == [0, 3, 0]


def test_what_cannot_be() -> None:
    """The errors about secrets name the secret, and what was allowed."""
    cups, table = (tiny := Cups()), tiny.table
    table.roll(cups.cups[0], [5])

    with pytest.raises(TableError, match=r"bid: 9 is chosen for cup 1; it can be \[0, 1, 2\]"):
        table.choose(cups.cups[1], 9, range(3), "bid")
    with pytest.raises(TableError, match=r"roll: 2 outcomes have the weights \(0, 0\); each outcome needs one weight"):
        table.roll(cups.wheel, "ab", weights=[0, 0])
    with pytest.raises(TableError, match=r"restrict: cup 0 is \[5\], not in \[1, 2\]"):
        table.restrict_secret(cups.cups[0], [2, 1])
    with pytest.raises(ValueError, match="who sees 'x' depends on its owner, but nobody owns it"):
        table.layout.add_secret("x", Visibility.OWNER)


def test_worlds() -> None:
    """The values that a seat does not know are drawn again by their weights, from those that are left; known values
    stay.
    """
    cups, table = (tiny := Cups()), tiny.table
    table.roll(cups.wheel, "ab")
    table.roll(cups.cups[0], [1, 2, 3], 1, weights=[2, 1, 1])
    table.choose(cups.cups[1], 2, [1, 2, 3])
    table.rng = Random("stay")
    before = table.secrets
    worlds = [sample_world(table, 1, Random(f"{number}")) for number in range(2000)]

    counts = Counter(world.values(cups.cups[0])[0] for world in worlds)
    assert [counts[value] / 2000 for value in (1, 2, 3)] == pytest.approx([0.5, 0.25, 0.25], abs=0.04)
    assert {world.values(cups.cups[1]) for world in worlds} == {(2,)}
    assert {world.values(cups.wheel) for world in worlds} == {table.values(cups.wheel)}
    assert table.secrets == before

    seen = {sample_world(table, 0, Random(f"{number}")).values(cups.cups[1]) for number in range(100)}
    assert seen == {(1,), (2,), (3,)}
    table.restrict_secret(cups.cups[1], [2, 3])
    table.restrict_secret(cups.cups[1], [1, 2])
    assert {sample_world(table, 0, Random(f"{number}")).values(cups.cups[1]) for number in range(100)} == {(2,)}


def test_facts_about_several_secrets() -> None:
    """Each world satisfies the facts about several secrets, if hardly any draw does too; a new roll makes them void."""
    cups, table = (tiny := Cups()), tiny.table
    table.rng = StackedRandom("x", lots=[3, 0, 0, 0, 0, 0])
    table.roll(cups.cups[0], range(100), 1)
    table.roll(cups.mark, range(100), 5)
    table.constrain_secrets(lambda values: sum(values[0]) > sum(values[1]), [cups.cups[0], cups.mark])  # type: ignore[arg-type]
    table.constrain_secrets(lambda values: values[0][0] % 2 == 0, [cups.mark])  # type: ignore[operator]
    worlds = [sample_world(table, 1, Random(f"{number}")) for number in range(40)]

    pairs = [(world.values(cups.cups[0]), world.values(cups.mark)) for world in worlds]
    assert all(int(one[0] or 0) > sum(int(value or 0) for value in other) for one, other in pairs)
    assert all(int(other[0] or 0) % 2 == 0 for _, other in pairs)
    assert len({*pairs}) > 30
    with pytest.raises(TableError, match="constrain: it does not hold for the values of cup 0"):
        table.constrain_secrets(lambda values: values == [(5,)], [cups.cups[0]])
    table.roll(cups.mark, [100])
    assert table.secret_facts == ()


def test_the_lots_of_a_world() -> None:
    """The chance events of a world lead to its values."""
    cups, table = (tiny := Cups()), tiny.table
    table.draw_lot(7)
    table.roll(cups.cups[0], "abcd", 3, weights=[1, 2, 3, 4])
    table.draw_lot(5)
    world = sample_world(table, 1, Random("world"))

    again = Cups()
    again.table.rng = StackedRandom("x", lots=[lot for lot in world.chance_events or [] if isinstance(lot, int)])
    again.table.draw_lot(7)
    assert again.table.roll(cups.cups[0], "abcd", 3, weights=[1, 2, 3, 4]) == world.values(cups.cups[0])
    assert (world.chance_events or [])[::4] == (table.chance_events or [])[::4]


def test_what_is_cleared() -> None:
    """A cleared value is gone for everybody, and no event tells of it."""
    cups, table = (tiny := Cups()), tiny.table
    table.roll(cups.cups[0], range(6), 2)
    told = len(table.log or ())
    table.clear(cups.cups)

    assert (table.values(cups.cups[0]), len(table.log or ())) == ((), told)
    assert sample_world(table, 1, Random("w")).values(cups.cups[0]) == ()


def test_copies_share_nothing_that_changes() -> None:
    """A roll on a copy leaves the original alone."""
    cups, table = (tiny := Cups()), tiny.table
    table.roll(cups.cups[0], range(100))
    twin = table.copy()
    twin.roll(cups.cups[0], range(100, 200))
    twin.show(cups.cups[0])

    assert table.values(cups.cups[0])[0] in range(100)
    assert table.values_known_to(cups.cups[0], 1) == (None,)


def test_pooled_knowledge() -> None:
    """Redraws keep a value that some seat knows, and draw a value again that nobody knows."""
    cups, table = (tiny := Cups()), tiny.table
    for place in (*cups.cups, cups.mark):
        table.roll(place, range(1000))
    pool_knowledge(table)
    world = sample_world(table, 0, Random("redraw"))

    assert [world.values(cup) for cup in cups.cups] == [table.values(cup) for cup in cups.cups]
    assert world.values(cups.mark) != table.values(cups.mark)


def test_pictures() -> None:
    """The picture shows values with their owners, as far as the onlooker knows them; a place without a value is left
    out.
    """
    cups, table = (tiny := Cups()), tiny.table
    table.rng = StackedRandom("x", lots=[1, 2, 0])
    table.roll(cups.wheel, ["red", "black"])
    table.roll(cups.cups[0], range(1, 7), 2)

    assert list(render_table(table, 0, ["Ann", "Bob"])) == [
        "  box    empty",
        "  wheel  black",
        "  0 Ann",
        "    cup  3 1",
        "  1 Bob  no cards",
    ]
    assert list(render_table(table, 1, ["Ann", "Bob"]))[3] == "    cup  · ·"


@pytest.mark.once
@pytest.mark.long
def test_a_game_of_secrets_keeps_every_promise() -> None:
    """The checks of knowledge, events, worlds and replays cover secrets; the author has written nothing for that."""
    report = check_game(SealedBids(), games=4)
    outcomes = {one.name: one.outcome for one in report.checks}

    assert report.failures == []
    assert (outcomes["other-deals-leak-nothing"], outcomes["choices-are-blind"]) == ("passed", "passed")


class ShowsEveryCup(BidState):
    """The view shows everybody's dice."""

    def view(self, seat: int) -> BidView:
        """Show too much."""
        return msgspec.structs.replace(super().view(seat), dice=[[*self.table.values(cup)] for cup in self.dice])


class OrdersBidsByTheOthers(BidState):
    """The legal list depends on what the seat before has bid."""

    def legal(self) -> Sequence[object]:  # type: ignore[override]
        """Look at the bid before."""
        legal = super().legal()
        before = self.table.values(self.bids[0])
        return legal[::-1] if before == (1,) else legal


class KnowsTheDice(BidState):
    """Everybody comes to know the dice, and no event has told it."""

    def start_round(self) -> None:
        """Let all look."""
        super().start_round()
        self.table.secrets = tuple(held._replace(known_by=-1) for held in self.table.secrets)


@pytest.mark.once
@pytest.mark.parametrize(
    "state",
    [KnowsTheDice, *(pytest.param(state, marks=pytest.mark.long) for state in (ShowsEveryCup, OrdersBidsByTheOthers))],
)
def test_leaks_are_found(state: type[BidState]) -> None:
    """A game that shows a secret fails."""
    assert check_game(SealedBids(state), games=3).failures


class TellsTheBid(BidState):
    """All are told of a bid while others still choose theirs."""

    def apply(self, action: Action) -> None:
        """Tell."""
        if isinstance(action, SealedBid) and self.require_turn().seat == 0:
            self.table.tell("heard", amount=action.amount)
        super().apply(action)


class LimitsBids(BidState):
    """A bid limits what those may bid who choose at the same time."""

    def legal(self) -> Sequence[Action]:
        """Look at the first bid."""
        legal = super().legal()
        return legal if self.table.values(self.bids[0]) != (1,) or self.require_turn().phase != "bid" else legal[:1]


class AsksInTurn(BidState):
    """Who is asked next depends on the bid."""

    def apply(self, action: Action) -> None:
        """Leave a seat out."""
        skips = isinstance(action, SealedBid) and action.amount == 1 and self.require_turn().seat == 0
        super().apply(action)
        if skips and self.seats == 3:
            self.turn = Turn(2, "bid")


@pytest.mark.long
@pytest.mark.once
@pytest.mark.parametrize(
    "state", [AsksInTurn, *(pytest.param(state, marks=pytest.mark.long) for state in (TellsTheBid, LimitsBids))]
)
def test_choices_that_are_not_blind_are_found(state: type[BidState]) -> None:
    """The suite finds a game that shows a choice to those who choose at the same time."""
    report = check_game(SealedBids(state), seats=[3], games=4)

    assert "choices-are-blind" in {one.name for one in report.failures}


class KeepsBidsBeside(BidState):
    """Bids are hidden by hand in the view, and kept in a field beside the table."""

    mine: list[int] = field(default_factory=list)

    def apply(self, action: Action) -> None:
        """Note the bid."""
        if isinstance(action, SealedBid):
            self.mine = [*self.mine, action.amount]
        super().apply(action)


@pytest.mark.long
@pytest.mark.once
def test_worlds_that_hold_what_is_hidden_are_found() -> None:
    """A field beside the table that every world copies tells a search what others have chosen."""
    report = check_game(SealedBids(KeepsBidsBeside), seats=[3], games=2)

    assert "worlds-do-not-hold-choices" in {one.name for one in report.failures}


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_tracked_game(seat: int) -> None:
    """A bot rebuilds the game from what it has seen: values that were shown later are those of the roll before."""
    for number in range(4):
        for one in track_game(SealedBids(), 3, BidOptions(rounds=3), f"track {number}", seat):
            assert is_tracked_correctly(one)
            assert isinstance(one.state, BidState) and isinstance(one.tracked, BidState)
            for real, found in zip(one.state.table.secrets, one.tracked.table.secrets, strict=True):
                assert real.known_by == found.known_by
                assert found.values == real.values or not real.known_by >> seat & 1


def test_what_was_shown_to_another_first() -> None:
    """A value that was shown to another seat, and later to all, must be there before."""
    events: list[AnyEvent] = [
        Show(event="peek", seat=1, secret="cup 1", values=None),
        Show(event="show", seat=1, secret="cup 1", values=[4]),
        Roll(event="roll", seat=0, secret="cup 0", values=None),
        Show(event="show", seat=0, secret="cup 0", values=[6]),
    ]
    trial = ReplayTrial(0, events, RandomScript(), StepBudget(1))

    assert trial.required_secrets(0) == {"cup 1": [4]}
    assert trial.required_secrets(3) == {"cup 0": [6]}
