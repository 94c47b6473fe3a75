"""Play games by a rule that chooses among the legal actions: at random, or any other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from pitboss.action_range import RANGE_TYPES, draw_action
from pitboss.game import AnyState
from pitboss.open_actions import find_open_choices, find_open_kinds
from pitboss.table.randomness import Random
from pitboss.table.turns import Turn

ActionChooser: TypeAlias = Callable[[AnyState, Sequence[Any]], Any]  # of a state and its legal actions

MAX_DECISIONS: Final = 200_000  # decisions after which a game counts as endless
OPEN_SHARE: Final = 3  # one decision in this number is an open action, where the state proposes any
_WORDS_PER_DRAW: Final = 256


def play_decisions(
    state: AnyState, choose: ActionChooser, limit: int = MAX_DECISIONS
) -> Iterator[tuple[Turn, Sequence[Any]]]:
    """Play a game for at most `limit` decisions; yield turn and legal actions before one is chosen and played.

    Raises:
        ValueError: the game is not over, and nothing is legal.
    """
    for _ in range(limit):
        if (turn := state.turn) is None:
            return
        legal = _list_legal(state)
        yield turn, legal
        state.play(choose(state, legal))


def play_on(state: AnyState, choose: ActionChooser, limit: int = MAX_DECISIONS) -> list[Any]:
    """Play a game for at most `limit` decisions; return the actions."""
    actions: list[Any] = []
    while state.turn is not None and len(actions) < limit:
        action = choose(state, _list_legal(state))
        state.play(action)
        actions.append(action)
    return actions


def _list_legal(state: AnyState) -> Sequence[Any]:
    legal = state.legal()
    if not legal:
        raise ValueError(f"nothing is legal at {state.turn}; `legal` returns an action, or `turn` is None")
    return legal


def choose_from(rng: Random) -> ActionChooser:
    """Return a chooser of random actions that draws from `rng` once a decision, twice where a range is drawn."""
    return lambda state, legal: draw_action(rng.choice(legal), rng.randbelow)


class _WordChooser:
    """Chooses random actions from a stream, of which it draws many words at once, for speed."""

    __slots__ = ("_rng", "_words")

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._words: list[int] = []  # the next one is the last

    def __call__(self, state: AnyState, legal: Sequence[Any]) -> Any:  # noqa: ANN401 - an action of any game
        """Return a random action of a legal list."""
        words = self._words or self._refill()
        entry = legal[words.pop() * len(legal) >> 64]
        if RANGE_TYPES and type(entry) in RANGE_TYPES:
            return draw_action(entry, self._draw)
        return entry

    def _draw(self, limit: int) -> int:
        words = self._words or self._refill()
        return words.pop() * limit >> 64

    def _refill(self) -> list[int]:
        self._words = [*self._rng.draw_words(_WORDS_PER_DRAW)][::-1]
        return self._words


def choose_from_words(seed: str) -> ActionChooser:
    """Return a chooser of random actions from the stream `seed`/choices; a copy or a pickle of it goes on alike."""
    return _WordChooser(Random(f"{seed}/choices"))


def make_random_chooser(action_type: Any, seed: str) -> ActionChooser:  # noqa: ANN401 - `Game.Action`
    """Return a chooser as `choose_from_words`; in a game with open actions it plays those now and then, too."""
    choose = choose_from_words(seed)
    return mix_open_actions(choose, Random(f"{seed}/open actions")) if find_open_kinds(action_type) else choose


def mix_open_actions(choose: ActionChooser, rng: Random) -> ActionChooser:
    """Return a chooser that in some decisions plays an open action, where the state proposes any; else as `choose`."""

    def choose_or_propose(state: AnyState, legal: Sequence[Any]) -> Any:  # noqa: ANN401 - an action of any game
        choices = find_open_choices(state)
        if choices.kinds and rng.randbelow(OPEN_SHARE) == 0 and (proposed := choices.propose(rng)):
            return rng.choice(proposed)
        return choose(state, legal)

    return choose_or_propose
