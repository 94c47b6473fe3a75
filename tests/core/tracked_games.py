"""Games followed from one seat, as a bot would: what is told is what stands on the wire."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import msgspec

from pitboss import AnyGame, AnyState, Random, Table
from pitboss.bot import Question
from pitboss.inference.state_tracker import StateTracker
from pitboss.moments import Moment, MomentTracker
from pitboss.protocol.messages import Clock, Hello, Start
from pitboss.table.zones import EMPTY, ZoneKind
from pitboss.testing.framework.played_game import choose_at_random

TIME_LIMIT_S: Final = 0.25  # as a bot has that may think for one


class TrackedDecision(NamedTuple):
    """A decision: the real state (until the next one), the question with those before it, and the tracked state."""

    state: AnyState
    decision: Question
    tracked: AnyState | None
    past_events: list[Any]


def to_json_value(value: object) -> Any:  # noqa: ANN401 - plain data
    """Return what a bot reads of a value."""
    return msgspec.json.decode(msgspec.json.encode(value))


def make_question(
    game: AnyGame,
    state: AnyState,
    seats: int,
    options: object,
    first_entry: int,
    seed: str = "bot",
    moment: Moment | None = None,
) -> Question:
    """Return what the seat on turn is asked at a moment, with what happened from entry `first_entry` of the log on."""
    together, shown, log_end = (moment.seats, moment.state, moment.log_end) if moment else ((), state, None)
    turn = state.turn
    assert turn is not None
    return Question(
        legal=to_json_value(state.legal()),
        view=to_json_value(shown.view(turn.seat)),
        events=to_json_value(state.table.events(turn.seat, first_entry, log_end)),
        seat=turn.seat,
        phase=turn.phase,
        decision_ms=1000,
        game_ms=None,
        hello=Hello(
            game=game.name,
            options=to_json_value(options),
            seats=seats,
            seat=turn.seat,
            seed=seed,
            clock=Clock(start_ms=1000, decision_ms=1000),
        ),
        start=Start(game_id=1, seat=turn.seat, players=[""] * seats, seed=seed),
        together=together,
    )


def track_game(
    game: AnyGame,
    seats: int,
    options: object,
    seed: str,
    seat: int = 0,
    max_decisions: int = 400,
    tracker: StateTracker | None = None,
    choose: Callable[[AnyState, Random], object] = choose_at_random,
    time_limit_s: float = TIME_LIMIT_S,
) -> Iterator[TrackedDecision]:
    """Play a game and follow it from a seat, for so many decisions of all players."""
    tracker = tracker or StateTracker(game)
    state, rng, told = game.deal(seats, options, Random(seed)), Random(f"{seed}/players"), 0
    moments = MomentTracker(state)
    for _ in range(max_decisions):
        if state.turn is None:
            return
        moment = moments.follow(state)
        if state.turn.seat == seat:
            asked = make_question(game, state, seats, options, told, seed, moment)
            told = moment.log_end
            yield TrackedDecision(
                state, asked, tracker.update(asked, time_limit_s), to_json_value(state.table.events(seat))
            )
        state.play(choose(state, rng))


def is_tracked_correctly(one: TrackedDecision) -> bool:
    """Tell whether a found state looks to its seat as the wire says."""
    found, asked = one.tracked, one.decision
    return (
        found is not None
        and found.turn == (asked.seat, asked.phase)
        and to_json_value(found.legal()) == asked.legal
        and (bool(asked.together) or to_json_value(found.view(asked.seat)) == asked.view)
    )


def describe_knowledge(table: Table, seat: int) -> object:
    """Return, by place (hands: by card), who knows each card, the shuffle groups, and what hidden cards may be."""
    faces, told = table.layout.deck.faces, _card_domains(table, seat)
    known, batches = {}, dict[int, tuple[Counter[str], Counter[str]]]()
    for zone in table.layout.zones:
        cards = table.zones[zone]
        masks = [EMPTY if card == EMPTY else table.known_by[card] for card in cards]
        known[zone.name] = sorted(masks) if zone.kind is ZoneKind.HAND else masks
        for at, card in enumerate(cards):
            if card != EMPTY and not table.known_by[card] >> seat & 1:
                places, mixed = batches.setdefault(table.shuffle_group_of[card], (Counter(), Counter()))
                places[f"{zone.name} {'' if zone.kind is ZoneKind.HAND else at} {told.get(card)}"] += 1
                mixed[str(faces[card])] += 1
    return (
        known,
        len(table.constraints),
        sorted(map(repr, ((sorted(places.items()), sorted(mixed.items())) for places, mixed in batches.values()))),
    )


def _card_domains(table: Table, seat: int) -> dict[int, list[str]]:
    """Return for each card in whose place not every card may lie the faces of the hidden ones that may.

    What a card can be that was mixed unseen with others follows from more than its place, and is left out.
    """
    hidden = [card for card, known_by in enumerate(table.known_by) if not known_by >> seat & 1]
    backs, faces = table.stands_for or range(len(table.known_by)), table.layout.deck.faces
    limits: dict[int, frozenset[int]] = {}
    for among, cards in table.card_domains:
        for card in [number for number in cards if number < len(backs)]:
            limits[backs[card]] = limits.get(backs[card], frozenset(hidden)) & among
    return {card: sorted(str(faces[one]) for one in among) for card, among in limits.items()}
