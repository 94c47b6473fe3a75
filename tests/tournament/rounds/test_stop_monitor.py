"""The referee: a tournament ends as soon as it is decided, and not before."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
from msgspec.structs import replace

from pitboss_tournament.plan.plan import StopRules
from pitboss_tournament.rounds.round_progress import begin_rounds
from pitboss_tournament.rounds.stop_monitor import StopMonitor
from pitboss_tournament.statistics.same_cards import convert_games, count_matchpoints
from tests.synthetic_tournaments import game_result
from tests.tournament.random_results import draw_result, make_random_plan, open_games


def play_until_decided(
    rules: StopRules, spread: float, deals: int = 150, out: frozenset[int] = frozenset()
) -> tuple[str | None, int]:
    """Play a round-robin of three on paper until it is decided; return why, and after how many games."""
    made = replace(make_random_plan("round-robin", 3, 2, deals), stop=rules)
    course, referee, games = begin_rounds(made), StopMonitor(made, rules), 0
    for slot in open_games(course):
        games += 1
        course.add_result(draw_result(slot, spread))
        referee.add_blocks(course, out)
        if referee.verdict:
            break
    return referee.verdict, games


def test_the_ranking_is_settled() -> None:
    """Clear differences settle the ranking long before the schedule ends; the sentence has the ranking."""
    verdict, games = play_until_decided(StopRules(ranking=True), spread=5.0)

    assert verdict == "the ranking is settled at 95 %: b0, b1, b2"
    assert games < 200


def test_partners_are_ranked_as_one() -> None:
    """A table at which no partner changes is settled when one side is proven better: partners never differ."""
    rules = StopRules(ranking=True)
    made = replace(make_random_plan("round-robin", 4, 4, 40), sides=((0, 2), (1, 3)), stop=rules)
    course, referee = begin_rounds(made), StopMonitor(made, rules)
    for slot in open_games(course):
        points = [float(entrant in {0, 2}) for entrant in slot.entrants]
        game = game_result(slot.pairing, slot.deal, slot.rotation, slot.entrants, points)
        course.add_result(replace(game, game_id=slot.game_id))
        referee.add_blocks(course, frozenset())

    assert referee.verdict == "the ranking is settled at 95 %: b0 + b2, b1 + b3"


@pytest.mark.parametrize(
    ("won", "why"),
    [
        (0, "no ranking is right at 95 %: b0, b1, b2: each beats the next, and the last one the first"),
        (2, None),
        (5, "the ranking is settled at 95 %: b0, b1, b2"),
    ],
)
def test_bots_that_beat_each_other_in_a_cycle(won: int, why: str | None) -> None:
    """The ranking is not settled where the first of three bots wins none of five deals against the last, or two."""
    rules = StopRules(ranking=True)
    made = replace(make_random_plan("round-robin", 3, 2, 40), stop=rules)
    course, referee = begin_rounds(made), StopMonitor(made, rules)
    for slot in open_games(course):
        first, second = sorted(slot.entrants)
        is_turned = (first, second) == (0, 2) and slot.deal % 5 < 5 - won
        points = [float((entrant == second) is is_turned) for entrant in slot.entrants]
        game = game_result(slot.pairing, slot.deal, slot.rotation, slot.entrants, points)
        course.add_result(replace(game, game_id=slot.game_id))
        referee.add_blocks(course, frozenset())

    assert referee.verdict == why


def test_equal_bots_are_never_ranked() -> None:
    """Without a difference there is no verdict, however long it goes on."""
    assert play_until_decided(StopRules(ranking=True), spread=0.0) == (None, 900)


def test_who_is_out_is_not_ranked() -> None:
    """A bot that is out is not ranked: two are left to be told apart."""
    assert (
        play_until_decided(StopRules(ranking=True), spread=5.0, out=frozenset({1}))[0]
        == "the ranking is settled at 95 %: b0, b2"
    )


@pytest.mark.parametrize(("bot", "other", "word"), [("b0", "b2", "is better than"), ("b2", "b0", "is worse than")])
def test_two_bots(bot: str, other: str, word: str) -> None:
    """The verdict is about the bot that was asked for, whichever is listed first."""
    verdict, _ = play_until_decided(StopRules(bot=bot, better_than=other), spread=5.0)

    assert verdict is not None
    assert verdict.startswith(f"{bot} {word} {other}, proven at 95 % by ")


def test_two_bots_that_are_close() -> None:
    """With a delta, being as good as each other is a verdict, too; without one it is none."""
    close = StopRules(bot="b0", better_than="b1", delta=0.5)

    assert (play_until_decided(close, 0.0)[0] or "").startswith("b0 is within 0.5 of b1, proven at 95 % by ")
    assert play_until_decided(replace(close, delta=None), 0.0)[0] is None


def test_games_that_end_in_another_order() -> None:
    """Games that end in another order lead to the same verdict, with the same number of blocks: that of the schedule's
    beginning.
    """
    rules = StopRules(bot="b2", better_than="b0")
    made = replace(make_random_plan("round-robin", 3, 2, 45), stop=rules)
    verdicts = set()
    for seed in range(6):
        course, referee = begin_rounds(made), StopMonitor(made, rules)
        slots = open_games(course)
        if seed:
            Random(seed).shuffle(slots)
        for slot in slots:
            course.add_result(draw_result(slot, 0.6))
            referee.add_blocks(course, frozenset())
        verdicts.add(referee.verdict)

    [verdict] = verdicts
    assert verdict is not None


def test_one_bot_wins_quickly_and_loses_slowly() -> None:
    """A bot of two equal ones has won every block that has ended, because those that it loses take longer: nothing is
    proven by them.
    """
    rules = StopRules(bot="b0", better_than="b1")
    made = replace(make_random_plan("round-robin", 2, 2, 400), stop=rules)
    course, referee = begin_rounds(made), StopMonitor(made, rules)
    slots = open_games(course)
    for has_won in (True, False):
        for slot in slots:
            if has_won == (slot.deal % 2 == 0):
                points = [float((entrant == 0) == has_won) for entrant in slot.entrants]
                game = game_result(slot.pairing, slot.deal, slot.rotation, slot.entrants, points)
                course.add_result(replace(game, game_id=slot.game_id))
                referee.add_blocks(course, frozenset())

    assert referee.verdict is None


def test_blocks_are_converted() -> None:
    """The test goes by IMPs or matchpoints: who holds the better cards wins each game, and one bot wins by more."""
    rules = StopRules(bot="b0", better_than="b1")
    made = replace(make_random_plan("round-robin", 2, 2, 40), stop=rules)
    conversion = partial(convert_games, convert=count_matchpoints, sides=None)
    verdicts = []
    for convert_block in (None, conversion):
        course, referee = begin_rounds(made, convert_block=convert_block), StopMonitor(made, rules)
        for slot in open_games(course):
            points = [9.0 + (slot.entrants[0] == 0), 0.0]
            game = game_result(slot.pairing, slot.deal, slot.rotation, slot.entrants, points)
            course.add_result(replace(game, game_id=slot.game_id))
            referee.add_blocks(course, frozenset())
        verdicts.append(referee.verdict)

    assert verdicts[0] is None
    assert (verdicts[1] or "").startswith("b0 is better than b1, proven at 95 % by ")


def test_a_table_of_a_disqualified_bot() -> None:
    """The missing games of a disqualified bot's table are not waited for, and games after a missing one do
    not count.
    """
    rules = StopRules(bot="b0", better_than="b2")
    made = replace(make_random_plan("round-robin", 3, 2, 60), stop=rules)
    course, referee = begin_rounds(made), StopMonitor(made, rules)
    for slot in open_games(course):
        if 1 not in slot.entrants or slot.deal > 2:
            course.add_result(draw_result(slot, 5.0))
    referee.add_blocks(course, frozenset())
    assert referee.verdict is None

    referee.add_blocks(course, frozenset({1}))
    assert (referee.verdict or "").startswith("b0 is better than b2, proven at 95 % by ")
    assert course.take_next_block(frozenset({1})) is not None
    blocks = []
    while (block := course.take_next_block(frozenset({1}))) is not None:
        blocks.append(block)
    assert {frozenset(block.place_scores) for block in blocks} == {frozenset({0, 2})}
