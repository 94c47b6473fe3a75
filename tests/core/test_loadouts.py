"""Loadouts in the options of a game: what is legal, who is told what, and what a record keeps."""

from __future__ import annotations

import pytest
from msgspec import to_builtins

from duel import Duel, DuelOptions
from pitboss import Random
from pitboss.errors import OptionError, ReplayDiffers
from pitboss.game import resolve_options
from pitboss.loadouts import (
    convert_loadout,
    open_loadouts,
    place_loadouts,
    takes_loadouts,
    tell_loadouts,
)
from pitboss.parts.decks import DeckList
from pitboss.plugins.registry import Registry
from pitboss.records.record import Decision, Record, dumps, loads, verify

GAME = Duel()
AGGRO, WALL = (to_builtins(GAME.sample_loadouts[name]) for name in ("aggro", "wall"))


def record_duel(brought: list[object], seed: str = "record") -> Record:
    """Return the record of a duel in which everybody plays the first legal action."""
    options = place_loadouts(GAME, resolve_options(GAME, 2), brought)
    state, decisions = GAME.deal(2, options, Random(seed)), list[Decision]()
    while state.turn is not None:
        action = state.legal()[0]
        decisions.append(Decision(seat=state.turn.seat, action=to_builtins(action)))
        state.play(action)
    plain = to_builtins(options)
    outcome = state.outcome()
    record = Record(
        game="duel",
        game_version="1",
        options=plain,
        seed=seed,
        players=["a", "b"],
        decisions=decisions,
        outcome=outcome,
    )
    return loads(dumps(record))


def test_a_game_takes_loadouts_or_not() -> None:
    """A game takes loadouts if it declares them; no game of the house does."""
    assert takes_loadouts(GAME)
    assert not any(takes_loadouts(game) for game in Registry().games.values())


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ({"fox": 2}, "it has 2 cards; it must have 10"),
        ({"fox": 3, "hare": 2, "wolf": 2, "ram": 2, "bolt": 1}, "it has 3 cards 'fox'; 1 to 2 are allowed"),
        ({"fax": 2, "hare": 2, "wolf": 2, "ram": 2, "bolt": 2}, "there is no card 'fax' (did you mean 'fox'?)"),
    ],
)
def test_a_deck_that_is_not_legal(cards: dict[str, int], said: str) -> None:
    """A deck with a fault is refused with a sentence for the fault, also where options of a record hold it."""
    with pytest.raises(OptionError) as caught:
        convert_loadout(GAME, {"cards": cards}, DuelOptions(), "the loadout 'x'")
    assert str(caught.value) == f"the loadout 'x' is not legal: {said}"

    with pytest.raises(OptionError, match="the loadout of seat 1 is not legal"):
        resolve_options(GAME, 2, overrides={"loadouts": [AGGRO, {"cards": cards}]})


def test_each_fault_of_a_deck_has_a_sentence() -> None:
    """All faults of a deck are told at once."""
    with pytest.raises(OptionError, match=r"3 cards 'fox'.*no card 'fax'.*it has 4 cards"):
        convert_loadout(GAME, {"cards": {"fox": 3, "fax": 1}}, DuelOptions())


def test_as_many_loadouts_as_seats() -> None:
    """Options with loadouts have one entry for each seat."""
    with pytest.raises(OptionError, match="there are 1 loadouts; 2 play"):
        resolve_options(GAME, 2, overrides={"loadouts": [AGGRO]})


@pytest.mark.parametrize(("sight", "other"), [("hidden", None), ("public", WALL)])
def test_what_a_seat_is_told(sight: str, other: object) -> None:
    """A seat is told its own loadout, and that of the other if the game says that it is public."""
    options = place_loadouts(GAME, resolve_options(GAME, 2, overrides={"sight": sight}), [AGGRO, WALL])

    assert tell_loadouts(GAME, options, 0) == [AGGRO, other]


def test_nothing_is_told_of_nothing() -> None:
    """Where nobody has brought anything the options stay as they are, and nobody is told loadouts."""
    options = resolve_options(GAME, 2)

    assert place_loadouts(GAME, options, [None, None]) is options
    assert tell_loadouts(GAME, options, 0) is None


@pytest.mark.parametrize("brought", [[AGGRO, WALL], [None, WALL], [None, None]])
def test_a_record_with_loadouts_replays(brought: list[object]) -> None:
    """A record keeps what was brought, and replays as it was played."""
    record = record_duel(brought)

    assert verify(record, GAME) == len(record.decisions) > 10
    assert open_loadouts(record.options)["loadouts"] is None


def test_a_record_with_another_loadout_does_not_replay() -> None:
    """A record whose loadout was changed differs when it is replayed."""
    record = record_duel([AGGRO, WALL])
    record.options["loadouts"][0] = WALL

    with pytest.raises(ReplayDiffers):
        verify(record, GAME)


def test_a_record_with_an_illegal_loadout() -> None:
    """A record whose loadout is not legal is refused with a sentence, not with a crash of the game."""
    record = record_duel([AGGRO, WALL])
    record.options["loadouts"][0] = {"cards": {"fox": 99}}

    with pytest.raises(ReplayDiffers, match="cannot be dealt any more: the loadout of seat 0 is not legal"):
        verify(record, GAME)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_deck_of_another_seat_is_not_seen(seat: int) -> None:
    """What a seat sees of the deal is the same whatever decks the others have brought, if decks are hidden."""
    seen = set()
    for other in GAME.sample_loadouts.values():
        decks: list[object] = [to_builtins(other), to_builtins(other)]
        if seat != 2:
            decks[seat] = AGGRO
        options = place_loadouts(GAME, resolve_options(GAME, 2), decks)
        state = GAME.deal(2, options, Random("deal"))
        seen.add(repr((state.view(seat), state.table.events(seat))))

    assert len(seen) == 1


def test_a_deck_is_what_its_player_draws() -> None:
    """The cards of a seat's hand and library are its deck, and its pool has the rest."""
    options = place_loadouts(GAME, resolve_options(GAME, 2), [AGGRO, WALL])
    state = GAME.deal(2, options, Random("cards"))

    for seat, deck in enumerate((AGGRO, WALL)):
        held = [*state.faces(state.libraries[seat]), *state.faces(state.hands[seat])]
        assert DeckList({name: held.count(name) for name in deck["cards"]}) == DeckList(deck["cards"])
        assert (len(held), len(state.faces(state.pools[seat]))) == (10, 18)
