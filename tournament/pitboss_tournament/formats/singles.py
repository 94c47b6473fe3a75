"""What formats ask that rank bots one by one: a game in which each seat plays for itself."""

from __future__ import annotations

from pitboss.errors import OptionError
from pitboss.formats import EntrantField


def require_single_seats(name: str, field: EntrantField) -> None:
    """See that seats do not win and lose together: partners would always be level.

    Raises:
        OptionError: they do.
    """
    if field.sides is not None:
        sides = " and ".join("+".join(str(seat) for seat in side) for side in field.sides)
        raise OptionError(
            f"format is {name!r}, in which each seat plays for itself; here seats {sides} play together: use round-robin or gauntlet"
        )
