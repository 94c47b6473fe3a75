"""What the person is told of a game: who did what, from the person's own seat, and nothing that is hidden."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pitboss import Deck, Layout, Random, Visibility
from pitboss.game import resolve_options
from pitboss.plugins.registry import Registry
from pitboss.protocol.faults import Fault
from pitboss.records.record import Incident
from pitboss.table.events import AnyEvent, Deal, Lay, Move, Reveal, Shuffle, Swap, Tell, TurnOver
from pitboss.table.zones import Zone
from pitboss_tournament.play.narration import Narrator

GAMES = Registry().games
NAMES = ("ann", "bob", "cleo")


def list_zones() -> Sequence[Zone]:
    """Return two piles, a meld on the table, and a hand and a rack for each of three players."""
    layout = Layout(Deck(range(1, 51)), 3)
    for pile in ("stock", "discard", "meld 1"):
        layout.add_pile(pile, Visibility.EVERYBODY)
    layout.add_hands("hand")
    layout.add_racks("rack", (5, 10))
    return layout.zones


ZONES = list_zones()


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (Move(event="draw", seat=0, card=17, source="stock", target="hand 0"), "You: draw, 17 from stock to hand."),
        (
            Move(event="draw", seat=1, card=None, source="stock", target="hand 1"),
            "bob: draw, a card from stock to hand.",
        ),
        (Move(event="flip", seat=None, card=3, source="stock", target="discard"), "Flip, 3 from stock to discard."),
        (
            Move(event="give", seat=2, card=None, source="hand 0", target="hand 2"),
            "cleo: give, a card from your hand to hand.",
        ),
        (
            Move(event="give", seat=2, card=3, source="hand 1", target="hand 2"),
            "cleo: give, 3 from bob's hand to hand.",
        ),
        (
            Swap(event="take", seat=1, slot=5, card=9, discarded=None, source="discard", target="discard"),
            "bob: take, 9 from discard into slot 5, a card out to discard.",
        ),
        (
            Lay(event="lay", seat=1, cards=[5, None, 7, None], source="hand 1", target="discard"),
            "bob: lay, 5 7 2 cards from hand to discard.",
        ),
        (
            TurnOver(event="turn_over", source="discard", target="stock", cards=[1]),
            "Turn over, 1 card from discard to stock.",
        ),
        (
            TurnOver(event="take", source="discard", target="hand 1", cards=[1, 2]),
            "bob: take, 2 cards from discard to hand.",
        ),
        (Shuffle(event="shuffle", zone="stock", size=40), "Shuffle, stock, 40 cards."),
        (Reveal(event="rack", seat=0, zone="rack 0", cards=[1, 2]), "You: rack is 1 2."),
        (Reveal(event="show", seat=1, zone="hand 1", cards=[]), "bob: show, hand is empty."),
        (Tell(event="pass", facts={"seat": 2}), "cleo: pass."),
        (Tell(event="take", facts={"seat": 0, "count": 10}), "You: take, count 10."),
        (
            Tell(event="trick", facts={"winner": None, "next_lead": 1, "rules": []}),
            "Trick, winner none, next lead 1, rules none.",
        ),
        (
            Deal(
                event="deal",
                source="stock",
                cards={"rack 0": [1, 2, 3, 4, 5], "rack 1": [None] * 5, "rack 2": [None] * 5},
            ),
            "Deal, 5 to each rack.",
        ),
        (
            Deal(event="deal", source="stock", cards={"rack 0": [1, 2], "rack 1": [None], "discard": [7]}),
            "Deal, 1 2 to your rack, 1 to bob's rack, 7 to discard.",
        ),
    ],
)
def test_an_event(event: AnyEvent, sentence: str) -> None:
    """Each kind of event is a sentence: the person is "You", a zone is told by its owner unless that is who acts."""
    assert list(Narrator(0, NAMES).narrate([event], ZONES)) == [sentence]


def test_one_after_the_other() -> None:
    """The events of one player are one sentence; repeated events are counted."""
    draw = Move(event="draw", seat=1, card=None, source="stock", target="hand 1")
    told = Narrator(0, NAMES).narrate([Tell(event="take", facts={"seat": 1, "count": 3}), draw, draw, draw], ZONES)

    assert list(told) == ["bob: take, count 3; draw, a card from stock to hand (3 times)."]


def test_a_number_in_a_name_is_no_owner() -> None:
    """Only the zone that belongs to a seat is its own: "meld 1" is the first meld on the table, whoever sits in
    seat 1.
    """
    lay = Lay(event="meld", seat=2, cards=["S3"], source="hand 2", target="meld 1")

    assert list(Narrator(0, NAMES).narrate([lay], ZONES)) == ["cleo: meld, S3 from hand to meld 1."]


@pytest.mark.parametrize(
    ("verdict", "means"),
    [
        ("substitute", "the neutral action is played in its place this time"),
        ("forfeit", "it has forfeited the game, and the neutral action is played for it to the end"),
    ],
)
def test_a_fault(verdict: str, means: str) -> None:
    """A fault is described by what went wrong and what that means, without its own words, which may name
    hidden cards.
    """
    fault = Fault(kind="illegal", seat=1, decision=3, message="legal were 17", verdict=verdict)  # type: ignore[arg-type]

    assert Narrator(0, NAMES).describe_fault(Incident(fault=fault)) == f"Fault: bob chose what is not legal; {means}."


@pytest.mark.parametrize("name", GAMES)
def test_nothing_hidden_is_told(name: str) -> None:
    """In every game what is told of an event holds no card that the event hides: it is told of what the seat saw, and
    of nothing else.
    """
    game = GAMES[name]
    seats = min(game.seats)
    state = game.deal(seats, resolve_options(game, seats), Random("s"))
    for _ in range(60):
        if state.turn is not None:
            state.play(state.legal()[0])
    faces = {str(face) for face in state.table.layout.deck.faces if not str(face).isdecimal()}

    for event in state.table.events(0):
        [told] = Narrator(0, NAMES[:seats] if seats <= 3 else [str(seat) for seat in range(seats)]).narrate(
            [event], state.table.layout.zones
        )
        words = set(told.replace(",", " ").replace(".", " ").replace(";", " ").split())
        assert words & faces <= set(_narrate(event))


def _narrate(event: AnyEvent) -> Sequence[str]:
    match event:
        case Deal():
            return [str(card) for cards in event.cards.values() for card in cards]
        case Move():
            return [str(event.card)]
        case Swap():
            return [str(event.card), str(event.discarded)]
        case Lay() | TurnOver() | Reveal():
            return [str(card) for card in event.cards]
        case Tell():
            return [str(fact) for fact in event.facts.values()]
        case _:
            return []
