"""Numbers as pages write them: those of the terminal, typeset; and chances and times in words of a page."""

from __future__ import annotations

from math import floor, log10

from pitboss_tournament.results import numbers
from pitboss_tournament.statistics.running_moments import Estimate

DASH = "–"


def typeset_signed(value: float, digits: int = 1) -> str:
    """Write a number with its sign: "+3.2", "−0.5", "0.0"."""
    return typeset(numbers.format_number(value, digits, has_sign=True))


def typeset_interval(estimate: Estimate, *, scale: float = 1, digits: int = 1, has_sign: bool = False) -> str:
    """Write an estimate: "61.3 ± 4.2"; "± ?" where the interval is not known."""
    return typeset(numbers.format_interval(estimate, scale, digits, has_sign=has_sign))


def typeset_share(estimate: Estimate) -> str:
    """Write a share in percent: "61.3 ± 4.2"; "97.0 [89.0, 100.0]" where the interval ends at 0 or 100."""
    return typeset(numbers.format_share(estimate))


def typeset_number(value: float, digits: int = 1) -> str:
    """Write a number with a minus sign that can be seen."""
    return typeset(numbers.format_number(value, digits))


def typeset(text: str) -> str:
    """Return a number or an interval of the terminal as a page has it: "−0.5 ± 4.2", "–" for what is not known."""
    return DASH if text == numbers.UNKNOWN else text.replace("-", "−").replace("±", "± ")


def format_chance(share: float | None) -> str:
    """Write a chance; one that is almost nothing or all is not rounded to it: nothing is quite certain."""
    if share is None:
        return DASH
    if share < 0.01:
        return "< 1 %"
    if share > 0.99:
        return "> 99 %"
    return f"{share * 100:.0f} %"


def format_duration(us: float | None) -> str:
    """Write a time, with two digits that tell something: "21 µs", "1.3 ms", "4 s"."""
    if us is None:
        return DASH
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if us >= size * 0.9995:
            return f"{_format_two_digits(us / size)} {unit}"
    return f"{us:.0f} µs"


def _format_two_digits(value: float) -> str:
    digits = max(0, 1 - floor(log10(value)))
    return f"{value:,.{digits}f}".rstrip("0").rstrip(".") if digits else f"{value:,.0f}"
