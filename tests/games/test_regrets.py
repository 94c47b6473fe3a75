"""What decisions cost by what their seat could know: blunders are found, and games that cannot be rated are told."""

from __future__ import annotations

from typing import Any

from pitboss.game import AnyGame, resolve_options
from pitboss.options import convert_value
from pitboss.plugins.registry import Registry
from pitboss.records.record import Decision, Record
from pitboss.records.regrets import compare_actions, rate_seat
from pitboss.table.randomness import Random
from tests.games.test_costly_decisions import rank_actions


def record_play(game: AnyGame, seats: int, blunder: int, **options: object) -> Record:
    """Return the record of a game in which each decision but one is the best by one step ahead, and that one the
    worst.
    """
    state: Any = game.deal(seats, resolve_options(game, seats, overrides=options), Random("regrets"))
    decisions: list[Decision] = []
    while state.turn is not None:
        ranked = rank_actions(state)
        action = ranked[-1 if len(decisions) + 1 == blunder else 0]
        decisions.append(Decision(seat=state.turn.seat, action=action, us=1))
        state.play(action)
    return Record(
        game=game.name,
        game_version=game.version,
        seed="regrets",
        options=dict(options),
        players=[f"player {seat}" for seat in range(seats)],
        decisions=decisions,
        outcome=state.outcome(),
    )


def test_a_blunder_costs_most() -> None:
    """The worst action of all, among the best ones, is the costliest decision of its seat, and another seat has none
    like it; what would have been better is legal and something else.
    """
    game = Registry().find_game("racko")
    record = record_play(game, 2, 5, max_rounds=1, max_turns=8)
    blunder = record.decisions[4]
    found = rate_seat(record, game, blunder.seat, lambda: 0.0)
    other = rate_seat(record, game, 1 - blunder.seat, lambda: 0.0)

    assert found is not None
    assert other is not None
    assert found.regrets[0].number == 5
    assert found.regrets[0].played == blunder.action != found.regrets[0].better
    assert found.regrets[0].points > sum(one.points for one in other.regrets)
    assert found.rated == found.choices > 0


def test_no_time() -> None:
    """A rating that is stopped at once has rated nothing, and says of how many decisions."""
    game = Registry().find_game("racko")
    record = record_play(game, 2, 5, max_rounds=1, max_turns=8)
    found = rate_seat(record, game, 0, lambda: 1.0)

    assert found is not None
    assert (found.regrets, found.rated) == ([], 0)
    assert found.choices > 0


def test_another_action_is_compared_with_the_played_one() -> None:
    """What rates as better than a blunder is worth more in other worlds too, and the played action nothing more."""
    game = Registry().find_game("racko")
    record = record_play(game, 2, 5, max_rounds=1, max_turns=8)
    found = rate_seat(record, game, record.decisions[4].seat, lambda: 0.0)
    assert found is not None
    regret = found.regrets[0]
    same = convert_value(record.decisions[0].action, game.Action, game.name)

    compared = compare_actions(record, game, {5: regret.better, 1: same}, range(100, 120), lambda: 0.0)

    assert compared[5].points > 3 * compared[5].error
    assert compared[1] == (0.0, 0.0)
    assert compare_actions(record, game, {5: regret.better}, range(100, 120), lambda: 1.0) == {}
