"""An auction: the calls that players make in turn (bids, passes, doubles), and its result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, NamedTuple, TypeVar

C = TypeVar("C")  # calls


class Auction(NamedTuple, Generic[C]):
    """Calls in turn, beginning with the seat `first`. It does not change: `add_call` returns the next one.

    A call is whatever the game says, such as one of its actions. None is a pass. Where `is_pass_final`, who has passed
    is not asked again.
    """

    seats: int
    first: int = 0
    calls: tuple[C | None, ...] = ()
    is_pass_final: bool = False

    @property
    def caller(self) -> int:
        """The seat that calls next; where passes are final and all have passed, that which passed last."""
        if not self.is_pass_final:
            return (self.first + len(self.calls)) % self.seats
        return self._list_callers()[-1]

    @property
    def bidders(self) -> tuple[int, ...]:
        """The seats that may still call, in the order of their numbers."""
        if not self.is_pass_final:
            return tuple(range(self.seats))
        passed = {seat for seat, call in self.calls_by_seat() if call is None}
        return tuple(seat for seat in range(self.seats) if seat not in passed)

    @property
    def passes(self) -> int:
        """How many passes were made in a row at the end."""
        count = 0
        while count < len(self.calls) and self.calls[-1 - count] is None:
            count += 1
        return count

    @property
    def last_call(self) -> C | None:
        """The last call that is no pass; None if all have passed so far."""
        return next((call for call in reversed(self.calls) if call is not None), None)

    @property
    def last_caller(self) -> int | None:
        """The seat that made the last call that is no pass."""
        made = len(self.calls) - self.passes
        if self.is_pass_final:
            return self._list_callers()[made - 1] if made else None
        return (self.first + made - 1) % self.seats if made else None

    def add_call(self, call: C | None) -> Auction[C]:
        """Return the auction with one more call, which is made by `caller`."""
        return self._replace(calls=(*self.calls, call))

    def calls_by_seat(self) -> Iterator[tuple[int, C | None]]:
        """Yield each call with the seat that made it, in their order."""
        if self.is_pass_final:
            yield from zip(self._list_callers(), self.calls, strict=False)
            return
        for number, call in enumerate(self.calls):
            yield (self.first + number) % self.seats, call

    def call_of(self, seat: int) -> C | None:
        """Return the last call of a seat; None if it was a pass or there is none."""
        made = [call for caller, call in self.calls_by_seat() if caller == seat]
        return made[-1] if made else None

    def _list_callers(self) -> list[int]:
        """Return who made each call, and who calls next, where passes are final."""
        left = [(self.first + place) % self.seats for place in range(self.seats)]  # the next caller first
        callers = []
        for call in self.calls:
            callers.append(left.pop(0))
            if call is not None or not left:
                left.append(callers[-1])
        return [*callers, left[0]]
