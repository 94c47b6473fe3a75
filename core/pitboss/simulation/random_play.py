"""Play games by a rule that chooses among the legal actions: at random, or any other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from pitboss.action_range import RANGE_TYPES, draw_action
from pitboss.game import AnyState
from pitboss.table.randomness import Random
from pitboss.table.turns import Turn

ActionChooser: TypeAlias = Callable[[AnyState, Sequence[Any]], Any]  # of a state and its legal actions

MAX_DECISIONS: Final = 200_000  # decisions after which a game counts as endless
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
