"""Worlds of a game with decks: which decks the other player may have."""

from __future__ import annotations

from collections import Counter

from msgspec import to_builtins
from msgspec.structs import replace

from duel import Duel, DuelState
from pitboss import Random
from pitboss.game import resolve_options
from pitboss.loadouts import place_loadouts
from pitboss.parts.decks import DeckList, draw_deck

GAME = Duel()
SAMPLES = GAME.sample_loadouts
POOL = [to_builtins(deck) for deck in SAMPLES.values()]


def deal(own: str, other: str, **options: object) -> DuelState:
    """Return a duel in which two sample decks meet."""
    decks = [to_builtins(SAMPLES[name]) for name in (own, other)]
    placed = place_loadouts(GAME, resolve_options(GAME, 2, overrides=options), decks)
    return GAME.deal(2, placed, Random("worlds"))


def read_deck(state: DuelState, seat: int) -> DeckList:
    """Return the cards of a seat that are not in its pool."""
    zones = (state.libraries, state.hands, state.fields, state.spents)
    return DeckList(dict(Counter(face for zone in zones for face in state.faces(zone[seat]))))


def name_deck(deck: DeckList) -> str:
    """Return the name of a sample deck; "" if a deck is none."""
    return next((name for name, sample in SAMPLES.items() if sample.cards == deck.cards), "")


def list_worlds(state: DuelState, seat: int, count: int = 200) -> list[DuelState]:
    """Return some worlds of a seat."""
    return [state.imagine(seat, Random(f"world {number}")) for number in range(count)]


def test_an_unknown_deck_may_be_any() -> None:
    """Without declared decks the worlds of a seat have many decks of the other, all legal, and its own deck."""
    worlds = list_worlds(deal("aggro", "wall"), 0)

    assert len({repr(sorted(read_deck(world, 1).cards.items())) for world in worlds}) > 190
    assert all(not [*GAME.check_loadout(read_deck(world, 1), world.options)] for world in worlds)
    assert {repr(sorted(read_deck(world, 0).cards.items())) for world in worlds} == {
        repr(sorted(SAMPLES["aggro"].cards.items()))
    }


def test_a_public_deck_is_the_same_in_all_worlds() -> None:
    """Where decks are public, each world has the deck that the other has brought."""
    worlds = list_worlds(deal("aggro", "wall", sight="public"), 0, 50)

    assert all(read_deck(world, 1).cards == SAMPLES["wall"].cards for world in worlds)


def test_declared_decks_are_the_prior() -> None:
    """With declared decks each world has one of them, each about as often as the others."""
    worlds = list_worlds(deal("aggro", "wall", loadout_pool=POOL), 0, 500)
    met = Counter(name_deck(read_deck(world, 1)) for world in worlds)

    assert set(met) == set(SAMPLES)
    assert all(60 <= count <= 140 for count in met.values())


def test_a_card_that_was_seen_excludes_decks() -> None:
    """Once a card of the other was played, all worlds have decks with this card."""
    state = deal("aggro", "wall", loadout_pool=POOL)
    table, other = state.table, 1
    [turtle, *_] = [card for card in table.zones[state.libraries[other]] if state.deck.faces[card] == "turtle"]
    table.move(turtle, state.libraries[other], state.hands[other])
    table.play_face("turtle", state.hands[other], state.spents[other])

    decks = [read_deck(world, other) for world in list_worlds(state, 0)]

    assert {name_deck(deck) for deck in decks} == {"control", "wall"}


def test_a_deck_beyond_the_declared_ones() -> None:
    """If no declared deck fits what was seen, worlds have any deck, and do not fail."""
    state = deal("aggro", "wall")
    state.options = replace(state.options, loadout_pool=(SAMPLES["aggro"],))
    table, other = state.table, 1
    [turtle, *_] = [card for card in table.zones[state.libraries[other]] if state.deck.faces[card] == "turtle"]
    table.move(turtle, state.libraries[other], state.hands[other])
    table.play_face("turtle", state.hands[other], state.spents[other])

    assert len({repr(read_deck(world, other)) for world in list_worlds(state, 0, 50)}) > 40


def test_worlds_are_played_on() -> None:
    """A world from declared decks can be played to its end, and sampled from again."""
    for number in range(5):
        world = deal("aggro", "wall", loadout_pool=POOL).imagine(0, Random(f"w{number}"))
        rng = Random(f"play {number}")
        while world.turn is not None:
            legal = world.legal()
            world.play(legal[rng.randbelow(len(legal))])
            if world.turn is not None:
                world.imagine(world.turn.seat, rng)

        assert sorted(world.outcome().points) == [0, 1]


def test_how_likely_decks_are() -> None:
    """A deck that has a seen card twice is twice as likely as one that has it once; one without it is impossible."""
    two, one, none = (DeckList({"fox": count, "bear": 4 - count}) for count in (2, 1, 0))
    drawn = Counter(repr(draw_deck([two, one, none], ["fox"], Random(f"draw {number}"))) for number in range(600))

    assert set(drawn) == {repr(two), repr(one)}
    assert 360 <= drawn[repr(two)] <= 440
    assert draw_deck([two, one], ["fox", "fox", "fox"], Random("x")) is None
