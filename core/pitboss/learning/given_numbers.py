"""Numbers that an engine gives: its moves have numbers of its own, and it says what a seat may know as numbers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from math import inf, prod
from typing import Any, ClassVar

from pitboss.errors import EngineFailed
from pitboss.foreign.engine_game import EngineGame
from pitboss.game import AnyGame, AnyState, find_limit, find_view_bounds
from pitboss.learning.action_fields import UnboundedAction
from pitboss.learning.alphabet import Alphabet
from pitboss.learning.observation import ObservationEncoder, ObservationPart


class GivenAlphabet(Alphabet):
    """The moves of an engine: each is one letter, the number that it has for the engine."""

    def __init__(self, moves: int) -> None:
        """Give the numbers below `moves` to as many letters."""
        self.letters = [f"move {number}" for number in range(moves)]
        self.digest = blake2b(f"{moves} moves of an engine".encode(), digest_size=8).hexdigest()

    @property
    def has_single_letters(self) -> bool:
        """True: a decision is one choice."""
        return True

    def spell_legal(self, legal: Iterable[Any]) -> list[tuple[tuple[int, ...], Any]]:
        """Return the words of a legal list, which is a `MoveList` of an engine's state: its numbers.

        Raises:
            EngineFailed: a number is not below what the engine says.
        """
        numbers: Sequence[int] = getattr(legal, "numbers")  # noqa: B009
        if numbers and not 0 <= min(numbers) <= max(numbers) < len(self.letters):
            raise EngineFailed(f"moves have the numbers {[*numbers]}; the engine says that all are below {len(self)}")
        return [((number,), action) for number, action in zip(numbers, legal, strict=True)]


class GivenEncoder(ObservationEncoder):
    """Writes the numbers that an engine gives of what a seat knows, as they are; zeros where it shows the seat none."""

    greatest: ClassVar[float] = inf

    def __init__(self, shape: Sequence[int]) -> None:
        """Make an encoder for observations of a shape."""
        self.parts = [ObservationPart("observation", 0, tuple(shape))]
        self.size = prod(shape)
        self.fields, self.unwritten, self.in_zones = [], [], []

    def write(self, state: AnyState, seat: int, row: memoryview[float], spelled: Sequence[int] = ()) -> None:
        """Write what a seat knows into a row, which is a memoryview of `size` float32 numbers."""
        numbers: Sequence[float] = getattr(state, "observe")(seat)  # noqa: B009 - an engine's state
        row[:] = memoryview(array("f", numbers or [0.0] * self.size))


def make_numbers(
    game: AnyGame, seats: int, options: object, sample: AnyState, phases: Sequence[str]
) -> tuple[Alphabet, ObservationEncoder]:
    """Return the alphabet and the encoder of a game with resolved options; `sample` is a state of it at the deal.

    Raises:
        UnboundedAction: the actions of the game cannot be numbered, or its engine gives no numbers.
    """
    if (why := find_limit(game, seats, options, "numbers")) is not None:
        raise UnboundedAction(f"the actions of {game.name} have no numbers: {why}")
    if isinstance(game, EngineGame):
        facts = game.find_facts(seats, options)
        assert facts.moves is not None and facts.observation is not None  # or `numbers` would be a limit
        return GivenAlphabet(facts.moves), GivenEncoder(facts.observation)
    layout = sample.table.layout
    alphabet = Alphabet(game.Action, layout.deck, seats)
    bounds = find_view_bounds(game, seats, options)
    return alphabet, ObservationEncoder(layout, sample.view(0), len(alphabet), phases, bounds)
