"""Scoring: forfeits come last, and cost their side the points that the last of the others has."""

from __future__ import annotations

from msgspec.structs import replace

from pitboss import Outcome
from pitboss.protocol.faults import Fault
from pitboss.records.record import Decision, Incident, Record
from pitboss_tournament.statistics.scoring import score_game
from pitboss_tournament.statistics.time_histogram import write_times

ALONE = ((0,), (1,), (2,))


def make_record(outcome: Outcome, *forfeited: int) -> Record:
    """Return a record in which some seats have forfeited."""
    return Record(
        game="x",
        game_version="1",
        options={},
        seed="s",
        players=["a", "b", "c", "d"][: len(outcome.points)],
        decisions=[
            Decision(seat=0, action=1, us=30),
            Decision(seat=1, action=1, us=5),
            Decision(seat=0, action=1, forced=True),
        ],
        outcome=outcome,
        incidents=[Incident(fault=Fault(kind="late", seat=seat, decision=1, message="")) for seat in forfeited],
    )


def test_a_game_without_faults_counts_as_it_ended() -> None:
    """Points and places are the game's own; a shared win is shared; thinking time is that of own decisions."""
    results = score_game(make_record(Outcome((9, 4, 9), (1, 3, 1), ALONE)), (7, 5, 6))

    assert [(seat.entrant, seat.points, seat.place, seat.win, seat.fault) for seat in results] == [
        (7, 9, 1, 0.5, None),
        (5, 4, 3, 0, None),
        (6, 9, 1, 0.5, None),
    ]
    assert [(seat.decisions, seat.think_us) for seat in results] == [(1, 30), (1, 5), (0, 0)]


def test_a_forfeiting_leader_is_placed_last() -> None:
    """The bot that led and then crashed gets the last place and the points of the last of the others."""
    results = score_game(make_record(Outcome((9, 4, 6), (1, 3, 2), ALONE), 0), (0, 1, 2))

    assert [(seat.points, seat.place, seat.win) for seat in results] == [(4, 3, 0), (4, 2, 0), (6, 1, 1)]
    assert results[0].fault == "late"


def test_a_forfeiting_last_keeps_its_points() -> None:
    """A bot that forfeits as the last loses no more points."""
    results = score_game(make_record(Outcome((9, 1, 6), (1, 3, 2), ALONE), 1), (0, 1, 2))

    assert [(seat.points, seat.place) for seat in results] == [(9, 1), (1, 3), (6, 2)]


def test_where_few_points_are_good_a_forfeit_costs_points_too() -> None:
    """In a game that the lowest wins, the forfeiting seat gets the points of the worst placed, which are more."""
    results = score_game(make_record(Outcome((2, 8, 5), (1, 3, 2), ALONE), 0), (0, 1, 2))

    assert [(seat.points, seat.place) for seat in results] == [(8, 3), (8, 2), (5, 1)]


def test_a_forfeit_costs_the_whole_side() -> None:
    """Partners are placed together, whoever of them forfeited."""
    results = score_game(make_record(Outcome((90, 65, 90, 65), (1, 2, 1, 2), ((0, 2), (1, 3))), 2), (0, 1, 2, 3))

    assert [seat.place for seat in results] == [2, 1, 2, 1]
    assert [seat.win for seat in results] == [0, 1, 0, 1]
    assert [seat.points for seat in results] == [65, 65, 65, 65]


def test_all_forfeit() -> None:
    """The place is shared by all if nobody is left, and so is the win."""
    results = score_game(make_record(Outcome((3, 2, 1), (1, 2, 3), ALONE), 0, 1, 2), (0, 1, 2))

    assert [(seat.points, seat.place) for seat in results] == [(3, 1), (2, 1), (1, 1)]
    assert sum(seat.win for seat in results) == 1


def test_a_substituted_decision_costs_nothing() -> None:
    """The game counts as it ended; what was substituted is counted by kind."""
    wrong = [("illegal", 1), ("late", 2), ("late", 0), ("late", 2)]
    faults = [Fault(kind=kind, seat=seat, decision=1, message="", verdict="substitute") for kind, seat in wrong]  # type: ignore[arg-type]
    played = replace(
        make_record(Outcome((9, 4, 6), (1, 3, 2), ALONE)), incidents=[Incident(fault=fault) for fault in faults]
    )

    results = score_game(played, (0, 1, 2))
    assert [(seat.points, seat.place, seat.fault) for seat in results] == [(9, 1, None), (4, 3, None), (6, 2, None)]
    assert [seat.substituted for seat in results] == [{"late": 1}, {"illegal": 1}, {"late": 2}]


def test_times_are_counted_by_length() -> None:
    """The times of own decisions only are counted by length: a neutral action took the bot no time."""
    results = score_game(make_record(Outcome((9, 4, 9), (1, 3, 1), ALONE)), (7, 5, 6))

    assert [seat.think for seat in results] == [write_times([30]), write_times([5]), ""]
