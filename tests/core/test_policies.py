"""Policies of bots: what may be stated, when, and what is refused; nothing changes where they are not agreed."""

from __future__ import annotations

from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace

from pitboss import Random
from pitboss.errors import MalformedLine, ReplayDiffers, WrongPolicy
from pitboss.plugins.registry import Registry
from pitboss.protocol.connection import RunnerConnection
from pitboss.protocol.messages import Act
from pitboss.protocol.policy import MAX_POLICY_ACTIONS, Policy, resolve_policy
from pitboss.records.policy_corrections import measure_own_draw
from pitboss.records.record import Decision, dumps, loads
from tests.core.sample_messages import CHOOSE, DECIDE, HELLO, PLAY, READY, START
from tests.core.test_record import sample_record

OFFER: Final = replace(HELLO, policy=True)
AGREEMENT: Final = b'{"type":"ready","policy":true}\n'
STATED: Final = b'{"type":"act","id":7,"choose":1,"policy":[[0,0.25],[1,0.75]]}\n'
POKER: Final = Registry().find_game("poker")


def ask_after(hello: Any, ready: bytes) -> RunnerConnection:  # noqa: ANN401 - a message
    """Return the runner's end of a conversation that has come to question 7."""
    runner = RunnerConnection()
    runner.send(hello)
    runner.receive(ready)
    for message in (START, DECIDE):
        runner.send(message)
    return runner


def test_a_policy_that_was_agreed() -> None:
    """A policy comes with the answer after an offer and an agreement, as pairs."""
    act = ask_after(OFFER, AGREEMENT).receive(STATED)

    assert act == Act(id=7, choose=1, policy=[(0, 0.25), (1, 0.75)])


@pytest.mark.parametrize("ready", [b'{"type":"ready"}\n', b'{"type":"ready","policy":false}\n'])
def test_a_policy_without_agreement(ready: bytes) -> None:
    """A key that was not agreed is a fault, as any other unknown one."""
    with pytest.raises(MalformedLine, match="holds 'policy', to which `ready` did not agree"):
        ask_after(OFFER, ready).receive(STATED)


def test_an_agreement_without_offer() -> None:
    """An agreement without an offer is refused, as an older runner would refuse the key."""
    with pytest.raises(MalformedLine, match="agrees to 'policy', which `hello` did not offer"):
        ask_after(HELLO, AGREEMENT)


@pytest.mark.parametrize("message", [HELLO, READY, CHOOSE, PLAY], ids=lambda one: type(one).__name__)
def test_messages_without_policy(message: object) -> None:
    """A message without a policy has the line that it had before there were policies."""
    assert b"policy" not in msgspec.json.encode(message)


def test_a_record_without_policy() -> None:
    """A record without a policy has the line that it had before there were policies."""
    assert b"policy" not in dumps(sample_record())


def test_a_record_keeps_policies() -> None:
    """A record returns the policies that it was given."""
    first, *rest = sample_record().decisions
    record = replace(sample_record(), decisions=[replace(first, policy=[({"do": "draw"}, 0.25)]), *rest])

    assert loads(dumps(record)).decisions[0].policy == [({"do": "draw"}, 0.25)]


LEGAL: Final = [{"do": "draw"}, {"do": "lay", "place": 1}, {"do": "lay", "place": 2}]


def resolve(*stated: tuple[Any, float], chosen: int = 0) -> Policy:
    """Return a policy over LEGAL."""
    return resolve_policy(list(stated), LEGAL, dict[str, Any], LEGAL[chosen])


def test_actions_and_indexes() -> None:
    """An action or its index names an action of a policy; the order is that of the legal list, and actions without a
    probability are left out.
    """
    assert resolve((LEGAL[2], 0.5), (1, 0), (0, 0.5)) == [(LEGAL[0], 0.5), (LEGAL[2], 0.5)]


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ([(3, 1.0)], "its policy names action 3; there were 3 legal actions, 0..2"),
        ([(-1, 1.0)], "its policy names action -1; there were 3"),
        ([({"do": "fold"}, 1.0)], 'its policy names {"do":"fold"}, which is not legal'),
        ([("draw", 1.0)], 'its policy names "draw", which is not legal'),
        ([(True, 1.0)], "its policy names true, which is not legal"),
        ([(0, 0.5), (LEGAL[0], 0.5)], 'its policy names {"do":"draw"} twice'),
        ([(0, 0.5), (1, 0.4)], "the probabilities of its policy sum to 0.9; they have to sum to 1"),
        ([(0, 0.9), (1, 0.9)], "the probabilities of its policy sum to 1.8"),
        ([(1, 1.0)], 'it chose {"do":"draw"}, to which its policy gives no probability above 0'),
        ([(0, 0.0), (1, 1.0)], 'it chose {"do":"draw"}, to which its policy gives no probability above 0'),
    ],
)
def test_a_wrong_policy(stated: list[tuple[Any, float]], said: str) -> None:
    """The sentence about a wrong policy says what is wrong with it."""
    with pytest.raises(WrongPolicy) as wrong:
        resolve(*stated)

    assert str(wrong.value).startswith(said)


@pytest.mark.parametrize(
    "policy",
    ["[]", "[[0,-0.1],[1,1.1]]", "[[0,NaN]]", '[[0,"1"]]', "[[0]]", "{}", f"[{'[0,0],' * MAX_POLICY_ACTIONS}[1,1]]"],
    ids=lambda text: text[:20],
)
def test_what_is_no_policy(policy: str) -> None:
    """A line whose policy is empty, too long, or has no probabilities is no message."""
    with pytest.raises(MalformedLine):
        ask_after(OFFER, AGREEMENT).receive(f'{{"type":"act","id":7,"choose":1,"policy":{policy}}}\n'.encode())


def test_digits_that_are_rounded() -> None:
    """Three thirds with three digits are a policy."""
    assert len(resolve((0, 0.333), (1, 0.333), (2, 0.333))) == 3


def deal_leduc() -> Any:  # noqa: ANN401 - a state
    """Return a game of Leduc poker after a bet."""
    state = POKER.deal(2, POKER.presets["leduc"].resolve(2), Random("policies"))
    state.play(state.legal()[1])
    return state


@pytest.mark.parametrize("chances", [(0.5, 0.3, 0.2), (0.9, 0.01, 0.09), (0.333, 0.333, 0.333)])
def test_the_luck_of_a_draw_has_the_mean_0(chances: tuple[float, float]) -> None:
    """The luck of a draw cancels over the policy for each seat, and it is not always 0."""
    state = deal_leduc()
    actions = [msgspec.to_builtins(action) for action in state.legal()]
    policy = list(zip(actions, chances, strict=True))

    luck = [
        measure_own_draw(state, Decision(seat=1, action=action, policy=policy), POKER, "here") for action in actions
    ]

    for of_seat in zip(*(one or () for one in luck), strict=True):
        assert sum(chance * one for chance, one in zip(chances, of_seat, strict=True)) == pytest.approx(0, abs=1e-12)
    assert luck[0] != luck[1]


@pytest.mark.parametrize("policy", [None, [({"do": "call"}, 1.0)]])
def test_a_decision_without_a_draw(policy: Policy | None) -> None:
    """A decision without a draw has no luck."""
    assert measure_own_draw(deal_leduc(), Decision(seat=1, action={"do": "call"}, policy=policy), POKER, "") is None


@pytest.mark.parametrize(
    ("names", "said"),
    [(("call", "fly"), "'fly'"), (("fold", "fold"), "does not name the action"), (("call", "check"), "not legal")],
)
def test_a_policy_that_does_not_replay(names: tuple[str, str], said: str) -> None:
    """A record with a forged policy is refused, with the place."""
    decision = Decision(seat=1, action={"do": "call"}, policy=[({"do": name}, 0.5) for name in names])
    with pytest.raises(ReplayDiffers, match=f"^decision 1: .*{said}"):
        measure_own_draw(deal_leduc(), decision, POKER, "decision 1")
