"""State tracking with a game that mixes hidden cards with others; the installed games are in tests/games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest

from pitboss import Random
from pitboss.bot import Question
from pitboss.inference.event_evidence import gather_evidence
from pitboss.inference.state_tracker import StateTracker
from pitboss.inference.step_budget import StepBudget
from tests.core.passing_game import DECK, Passing, PassingOptions
from tests.core.tracked_games import TrackedDecision, is_tracked_correctly, make_question, to_json_value, track_game

GAME = Passing()
OPTIONS = PassingOptions()


def track_seat(seed: str, seat: int, seats: int = 3) -> Iterator[TrackedDecision]:
    """Yield all decisions of a seat in a game."""
    return track_game(GAME, seats, OPTIONS, seed, seat)


@pytest.mark.parametrize("seats", [3, 4])
def test_a_game_in_which_hidden_cards_are_passed_on(seats: int) -> None:
    """Each decision is followed exactly: turn, legal list in its order, and view."""
    games = [
        [is_tracked_correctly(one) for one in track_seat(f"game {number}", number % seats, seats)]
        for number in range(3)
    ]

    assert all(map(all, games))
    assert min(map(len, games)) > 12


@pytest.mark.parametrize("seats", [3, 4])
def test_the_search_goes_straight_to_what_happened(seats: int) -> None:
    """The search takes a few hundred steps at most, where guessing hands would take thousands."""
    games = [
        track_game(GAME, seats, OPTIONS, f"game {number}", number % seats, time_limit_s=0.06) for number in range(3)
    ]

    assert all(one.tracked is not None for game in games for one in game)


def test_worlds_are_those_of_the_real_table() -> None:
    """A world drawn from the found state puts each card into each hand as often as one drawn from the real state."""
    one = next(islice(track_seat("worlds", 1), 3, None))
    assert one.tracked is not None
    draws = 1500

    lies = []
    for state in (one.state, one.tracked):
        worlds = [state.imagine(1, Random(f"world {number}")).table for number in range(draws)]
        lies.append(
            Counter((card, hand) for table in worlds for hand in table.layout.zones for card in table.zones[hand])
        )

    real, found = lies
    assert real.keys() == found.keys()
    assert (
        max(abs(real[key] - found[key]) / draws for key in real) < 0.09
    )  # some 200 numbers, each within 5 standard deviations


def test_a_void_that_was_shown() -> None:
    """A player who did not follow suit holds none of it in any world of the found state."""
    for one in track_seat("voids", 0):
        assert one.tracked is not None
        worlds = [one.tracked.imagine(0, Random(str(number))).table for number in range(3)]
        for among, cards in one.state.table.card_domains:
            zones = [zone for zone in one.state.table.layout.zones if set(cards) & set(one.state.table.zones[zone])]
            assert all(
                set(world.zones[zone]) <= among for zone in zones if zone.owner not in (None, 0) for world in worlds
            )


def test_a_bot_that_was_started_in_the_middle() -> None:
    """A fresh process is told all events of the game, and follows it from there."""
    for one in track_seat("fresh", 2):
        whole = with_events(one, one.past_events)
        found = StateTracker(GAME).update(whole, seconds=20)

        assert is_tracked_correctly(one._replace(decision=whole, tracked=found))


def test_one_tracker_for_several_games() -> None:
    """One `Following` follows all games of a process, whatever happened in the one before."""
    following = StateTracker(GAME)

    for seed in ("one", "two"):
        assert all(map(is_tracked_correctly, track_game(GAME, 3, OPTIONS, seed, 0, 9, following)))


def test_the_tracked_state_belongs_to_the_bot() -> None:
    """A bot may play on in the state that it was given: what is followed is another one."""
    following = StateTracker(GAME)
    for one in track_game(GAME, 3, OPTIONS, "playing on", 0, tracker=following):
        assert is_tracked_correctly(one)
        state, rng = one.tracked, Random("on")
        while state is not None and state.turn is not None:
            state.play(rng.choice(state.legal()))


def test_a_question_without_news() -> None:
    """A question that comes with no new events is answered from the events of the earlier questions."""
    following = StateTracker(GAME)
    one = next(track_seat("again", 0))
    following.update(one.decision, seconds=20)

    found = following.update(with_events(one, []), seconds=20)

    assert is_tracked_correctly(one._replace(tracked=found))


def test_events_that_cannot_have_happened() -> None:
    """Events that cannot have happened leave no state; a fresh start with all events has one again."""
    following = StateTracker(GAME)
    first, second = islice(track_seat("impossible", 0), 2)
    lie = [{**event, "card": "C10"} if event["verb"] == "move" else event for event in second.decision.events]

    assert following.update(first.decision, seconds=20) is not None
    assert following.update(with_events(second, lie * 2), seconds=1) is None
    assert following.update(with_events(second, second.past_events), seconds=1) is None
    assert StateTracker(GAME).update(with_events(second, second.past_events), seconds=20) is not None


def test_a_bot_without_events() -> None:
    """A bot that does not want events is told so."""
    state = GAME.deal(3, OPTIONS, Random("deaf"))
    deaf = make_question(GAME, state, 3, OPTIONS, first_entry=len(state.table.log or ()))

    with pytest.raises(ValueError, match='want="both"'):
        StateTracker(GAME).update(deaf)


def test_cards_that_will_be_shown() -> None:
    """The evidence names faces that hidden cards need: a card that is played later lay hidden in that hand before."""
    state = GAME.deal(3, OPTIONS, Random("later"))
    table = state.copy().table
    since = len(state.table.log or ())
    rng = Random("later/players")
    for _ in range(8):
        state.play(rng.choice(state.legal()))

    evidence = gather_evidence(table, 0, state.table.events(0, since), Random("picks"), StepBudget(1000))

    shown = {
        face
        for event in to_json_value(state.table.events(0, since))
        if event["verb"] == "move"
        for face in [event["card"]]
    }
    shown |= {
        face
        for event in to_json_value(state.table.events(0, since))
        if event["verb"] == "lay"
        for face in event["cards"]
    }
    assert evidence is not None
    assert evidence.required_faces
    assert set(evidence.required_faces.values()) <= shown
    assert all(not table.known_by[card] & 1 for card in evidence.required_faces)
    assert len(evidence.known_shuffles) == 0
    assert set(evidence.required_faces) <= set(range(len(DECK)))


def with_events(one: TrackedDecision, events: list[object]) -> Question:
    """Return a decision with other events."""
    asked = one.decision
    return Question(**{**{name: getattr(asked, name) for name in asked.__struct_fields__}, "events": events})
