"""The cost of a fault and the limit of a question, as arithmetic without bots. Every table of faults is complete."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.protocol.faults import ClockName, Fault, FaultKind, FaultVerdict
from pitboss.protocol.messages import Clock, TimeLeft
from pitboss.records.record import Decision, Incident
from pitboss_tournament.match import fault_policy
from pitboss_tournament.match.bot_seat import BankClock
from pitboss_tournament.match.fault_policy import FaultPolicy, ends_process
from pitboss_tournament.plan.plan import FaultRules
from pitboss_tournament.play import narration
from pitboss_tournament.results import fault_evidence
from pitboss_tournament.text import fault_advice

SUBSTITUTE_TWICE = FaultRules(policy="substitute", substitutions=2)
GAME_CLOCK = Clock(start_ms=1000, decision_ms=100, game_ms=1000, increment_ms=10)


def make_incident(decision: int, verdict: FaultVerdict = "substitute", us: int = 0) -> Incident:
    """Return a fault at a question."""
    return Incident(fault=Fault(kind="late", seat=0, decision=decision, message="", verdict=verdict), us=us)


@pytest.mark.parametrize(
    ("table", "keys"),
    [
        pytest.param(fault_advice.FAULT_ADVICE, FaultKind, id="advice"),
        pytest.param(narration._FAULT_CLAUSES, FaultKind, id="told to a person"),
        pytest.param(narration._VERDICT_CLAUSES, FaultVerdict, id="verdict told to a person"),
        pytest.param(fault_evidence.VERDICT_WORDS, FaultVerdict, id="verdict in a log"),
        pytest.param(fault_evidence._VERDICT_MEANINGS, FaultVerdict, id="verdict in the evidence"),
        pytest.param(fault_evidence._CLOCKS, ClockName, id="clock in the evidence"),
    ],
)
def test_tables_of_faults_are_complete(table: Collection[str], keys: object) -> None:
    """A new kind of fault, verdict or clock needs its words everywhere."""
    assert set(table) == set(get_args(keys))


def test_protocol_faults_are_fault_kinds() -> None:
    """Each error of the conversation is a fault of its own."""
    kinds = list(fault_policy.PROTOCOL_FAULTS.values())

    assert set(kinds) < set(get_args(FaultKind))
    assert len(set(kinds)) == len(kinds)


def test_the_policy_forfeit_forgives_nothing() -> None:
    """The first fault of any kind forfeits."""
    assert {FaultPolicy(FaultRules()).judge(kind, 1) for kind in get_args(FaultKind)} == {"forfeit"}


def test_the_policy_substitute_forgives_so_many_faults() -> None:
    """The count is that of one game."""
    policy = FaultPolicy(SUBSTITUTE_TWICE)

    assert [policy.judge("late", 3) for _ in range(3)] == ["substitute", "substitute", "forfeit"]
    policy.restore(())
    assert policy.judge("crashed", 1) == "substitute"


def test_substitutions_before_a_break_count() -> None:
    """The count of substitutions goes on in a game that is carried on; a forfeit is no substitution."""
    policy = FaultPolicy(SUBSTITUTE_TWICE)
    policy.restore([make_incident(2), make_incident(4, "forfeit")])

    assert [policy.judge("late", 5) for _ in range(2)] == ["substitute", "forfeit"]


@pytest.mark.parametrize(("kind", "question"), [("late", 0), ("never_started", 3)])
def test_without_a_process_or_a_question_nothing_can_be_substituted(kind: FaultKind, question: int) -> None:
    """A bot that does not begin to play forfeits."""
    assert FaultPolicy(SUBSTITUTE_TWICE).judge(kind, question) == "forfeit"


@pytest.mark.parametrize(
    ("kind", "verdict", "ends"),
    [("illegal", "substitute", False), ("illegal", "forfeit", True), ("late", "substitute", True)],
)
def test_only_a_wrong_choice_leaves_the_process_alone(
    kind: Literal["illegal", "late"], verdict: FaultVerdict, ends: bool
) -> None:
    """Only a wrong choice leaves the process alone: all other faults end it, and it begins anew."""
    assert ends_process(kind, verdict) is ends


def test_without_a_game_clock_each_decision_has_its_time() -> None:
    """A clock without a game bank charges nothing: each decision has its time."""
    bank = BankClock(Clock(start_ms=1000, decision_ms=100))
    bank.charge(90_000)

    assert bank.next_limit() == (100_000, "decision", TimeLeft(100))


def test_the_bank_limits_the_last_decisions() -> None:
    """Once the bank holds less than a decision may take, the game clock sets the limit."""
    bank = BankClock(GAME_CLOCK)
    assert bank.next_limit() == (100_000, "decision", TimeLeft(100, 1000))

    bank.charge(950_500)
    assert bank.next_limit() == (59_500, "game", TimeLeft(100, 59))
    bank.charge(80_000)
    assert bank.next_limit() == (10_000, "game", TimeLeft(100, 10))
    bank.restore((), ())
    assert bank.next_limit().clock == "decision"


@given(st.lists(st.tuples(st.integers(0, 400_000), st.booleans()), max_size=10))
def test_a_restored_bank_is_that_of_the_game(questions: list[tuple[int, bool]]) -> None:
    """Decisions and incidents of a game that was broken off leave the time that they left then."""
    bank, restored = BankClock(GAME_CLOCK), BankClock(GAME_CLOCK)
    for us, _ in questions:
        bank.charge(us)
    decisions = [
        Decision(seat=0, action=None, forced=True) if is_fault else Decision(seat=0, action=None, us=us)
        for us, is_fault in questions
    ]
    restored.restore(
        decisions, [make_incident(number, us=us) for number, (us, is_fault) in enumerate(questions, 1) if is_fault]
    )

    assert restored.next_limit() == bank.next_limit()
