"""What the comparisons have in common: names of cards and actions, and a deal that is played in both programs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from pitboss import AnyState, Random


def choose_named(theirs: Any, name: str) -> None:  # noqa: ANN401 - a state of OpenSpiel
    """Apply the action of this name."""
    names = number_actions(theirs)
    assert name in names, (name, names)
    theirs.apply_action(names[name])


def number_actions(theirs: Any) -> dict[str, int]:  # noqa: ANN401
    """Return the legal actions by their names."""
    player, legal = theirs.current_player(), theirs.legal_actions()
    numbers = {theirs.action_to_string(player, one): one for one in legal}
    assert len(numbers) == len(legal), (legal, numbers)
    return numbers


def play_in_both(
    ours: AnyState,
    theirs: Any,  # noqa: ANN401
    rng: Random,
    name_action: Callable[[Any], str],
    explain: Callable[[Collection[str], Collection[str]], bool] = lambda ours, theirs: False,
    choose: Callable[[Random, Sequence[str]], str] = Random.choice,
) -> int:
    """Play a deal in both, by actions that are legal in both; return the number of decisions compared.

    Where the legal actions are not the same, `explain` is asked whether a rule says so.
    """
    compared = 0
    while ours.turn is not None:
        assert ours.turn.seat == theirs.current_player(), (ours.turn, str(theirs))
        numbers = number_actions(theirs)
        legal: Mapping[str, Any] = {name_action(action): action for action in ours.legal()}
        if legal.keys() != numbers.keys():
            assert explain(legal.keys(), numbers.keys()), (legal, numbers, str(theirs))
        name = choose(rng, sorted(numbers.keys() & legal.keys()))
        theirs.apply_action(numbers[name])
        ours.play(legal[name])
        compared += 1
    assert theirs.is_terminal(), str(theirs)
    return compared
