"""Games followed from one seat, as a bot would: what is told is what stands on the wire."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import msgspec

from pitboss import AnyGame, AnyState, Random, Table
from pitboss.bot import Decision
from pitboss.following import Following
from pitboss.outlook import Outlook
from pitboss.testing.course import at_random
from pitboss.wire import Clock, Hello, Start
from pitboss.zones import EMPTY, Kind

SECONDS: Final = 0.25  # as a bot has that may think for one


class Followed(NamedTuple):
    """A decision: the game as it is (until the next one), what the seat is told and was told before, and the state that it has made of it."""

    state: AnyState
    decision: Decision
    found: AnyState | None
    past: list[Any]


def on_wire(value: object) -> Any:  # noqa: ANN401 - plain data
    """Return what a bot reads of a value."""
    return msgspec.json.decode(msgspec.json.encode(value))


def decision(game: AnyGame, state: AnyState, seats: int, options: object, told: int, seed: str = "bot") -> Decision:
    """Return what the seat on turn is asked, with what happened from entry `told` of the log on."""
    turn = state.turn
    assert turn is not None
    return Decision(
        legal=on_wire(state.legal()),
        view=on_wire(state.view(turn.seat)),
        events=on_wire(state.table.events(turn.seat, told)),
        seat=turn.seat,
        phase=turn.phase,
        decision_ms=1000,
        game_ms=None,
        hello=Hello(
            game=game.name,
            options=on_wire(options),
            seats=seats,
            seat=turn.seat,
            seed=seed,
            clock=Clock(start_ms=1000, decision_ms=1000),
        ),
        start=Start(game_id=1, seat=turn.seat, players=[""] * seats, seed=seed),
    )


def followed(
    game: AnyGame,
    seats: int,
    options: object,
    seed: str,
    seat: int = 0,
    most: int = 400,
    following: Following | None = None,
    choose: Callable[[AnyState, Random], object] = at_random,
    seconds: float = SECONDS,
) -> Iterator[Followed]:
    """Play a game and follow it from a seat, for so many decisions of all players."""
    following = following or Following(game)
    state, rng, told = game.deal(seats, options, Random(seed)), Random(f"{seed}/players"), 0
    for _ in range(most):
        if state.turn is None:
            return
        if state.turn.seat == seat:
            asked = decision(game, state, seats, options, told, seed)
            told = len(state.table.log or ())
            yield Followed(state, asked, following.heard(asked, seconds), on_wire(state.table.events(seat)))
        state.play(choose(state, rng))


def looks_right(one: Followed) -> bool:
    """Tell whether a found state looks to its seat as the wire says."""
    found, asked = one.found, one.decision
    return (
        found is not None
        and found.turn == (asked.seat, asked.phase)
        and on_wire(found.legal()) == asked.legal
        and on_wire(found.view(asked.seat)) == asked.view
    )


def knowledge(table: Table, seat: int) -> object:
    """Return what a table knows, place by place (in a hand there are no places): who knows each card; with what the hidden ones were mixed, and what they may be."""
    faces, told = table.layout.deck.faces, _limits(table, seat)
    known, batches = {}, dict[int, tuple[Counter[str], Counter[str]]]()
    for zone in table.layout.zones:
        cards = table.zones[zone]
        masks = [EMPTY if card == EMPTY else table.known[card] for card in cards]
        known[zone.name] = sorted(masks) if zone.kind is Kind.HAND else masks
        for at, card in enumerate(cards):
            if card != EMPTY and not table.known[card] >> seat & 1:
                places, mixed = batches.setdefault(table.batch[card], (Counter(), Counter()))
                places[f"{zone.name} {'' if zone.kind is Kind.HAND else at} {told.get(card)}"] += 1
                mixed[str(faces[card])] += 1
    return (
        known,
        len(table.constraints),
        sorted(map(repr, ((sorted(places.items()), sorted(mixed.items())) for places, mixed in batches.values()))),
    )


def _limits(table: Table, seat: int) -> dict[int, list[str]]:
    """Return for each card in whose place not every card may lie the faces of the hidden ones that may."""
    hidden = Outlook(table, seat).hidden
    backs, faces = table.backs or range(len(table.known)), table.layout.deck.faces
    limits: dict[int, frozenset[int]] = {}
    for among, cards in table.confined:
        for card in cards:
            limits[backs[card]] = limits.get(backs[card], frozenset(hidden)) & among
    return {card: sorted(str(faces[one]) for one in among) for card, among in limits.items()}
