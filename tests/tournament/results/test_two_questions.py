"""Better against this field, and better head to head: two questions, and what says so where the answers differ."""

from __future__ import annotations

import pytest

from pitboss_tournament.counting.counts import Counts
from pitboss_tournament.counting.findings import Findings
from pitboss_tournament.reporting.page import render_report
from pitboss_tournament.results.reversals import MAX_REVERSALS, find_reversals, reversal_lines
from pitboss_tournament.results.verdict import tell_verdict
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.store import Store
from tests.bully_tournament import BULLY, DEALS, NAMES, SOLID, play_games
from tests.tournament.command_line import run_pitboss
from tests.tournament.parsed_page import ParsedPage
from tests.tournament.random_results import make_random_plan
from tests.tournament.report_stores import write_results

FIELD = "Verdict against this field, by places, more than 99.99 % sure: bully is better than solid;"
BOTH = (
    "Two questions, two answers: bully is better than solid against this field, by places; solid is better than bully "
    f"head to head, by places, in their {DEALS} blocks (95 % sure of this pair alone)."
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Return a store with the games of the bully's tournament."""
    return write_results(tmp_path_factory.mktemp("bully") / "bully.pitboss", list(play_games()), NAMES)


@pytest.mark.long
def test_three_commands_do_not_contradict_each_other(store: Store) -> None:
    """Each of the three commands says which question it answers, and states the other answer where both are proven."""
    file = str(store.path)
    standings = run_pitboss("standings", file).out
    pairs = run_pitboss("standings", file, "--pairs").out
    compared = run_pitboss("compare", "bully", "solid", "--from", file)
    other_pair = run_pitboss("compare", "weak1", "solid", "--from", file)

    assert FIELD in standings
    assert BOTH in standings
    assert BOTH in pairs
    assert "This table shows which bot is better head to head" in pairs
    assert compared.status == 0
    judged, used, by_points, against_field = compared.out.splitlines()
    assert by_points.startswith("Against this field, by points: solid over bully -0.")
    assert judged.startswith("Head to head, by places: solid is better than bully, proven at 95 % by ")
    assert used.startswith("The verdict counts the first ")
    assert used.endswith(f" of {DEALS} deals with both bots at one table, up to the first proof.")
    assert against_field == BOTH
    assert "Two questions" not in other_pair.out


def test_the_report_states_both_answers(store: Store) -> None:
    """The report states both answers behind its verdict, in the same words."""
    text = ParsedPage(render_report(store)).text

    assert FIELD in text
    assert BOTH in text
    assert "a bot that is better against this field is worse head to head" in text


def test_what_has_no_reversal_says_nothing_of_one() -> None:
    """A reversal is told neither before enough is proven, nor of bots that beat others as much as they are better."""
    header = make_header(make_random_plan("round-robin", len(NAMES), 2, DEALS), "1", "1")
    few, alike = Counts(header), Counts(header)
    few.add_all(play_games(3))
    for game in play_games():
        if {seat.entrant for seat in game.seats} != {BULLY, SOLID}:
            alike.add(game)

    assert list(reversal_lines(Findings(few))) == []
    assert list(reversal_lines(Findings(alike))) == []


@pytest.mark.parametrize("anytime", [False, True])
def test_verdict_and_reversal_belong_together(anytime: bool) -> None:
    """A pair is a reversal only if the verdict on the field says the contrary; of some pairs none is told."""
    header = make_header(make_random_plan("round-robin", len(NAMES), 2, DEALS), "1", "1")
    counts = Counts(header)
    counts.add_all(play_games())
    rated = Findings(counts, anytime=anytime)
    found = list(find_reversals(rated.rank_confidence, rated.meetings))

    assert [(one.in_field, one.in_pair, one.blocks) for one in found] == [(BULLY, SOLID, DEALS)]
    assert rated.rank_confidence.is_better(BULLY, SOLID)
    assert list(reversal_lines(rated, {frozenset((0, 2))})) == []
    told = list(tell_verdict(rated, None))
    assert sum(line.startswith("Two questions") for line in told) == 1 <= MAX_REVERSALS
