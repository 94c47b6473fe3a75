"""Numbers as people read them: estimates with their intervals, shares, chances, times."""

from __future__ import annotations

from typing import Final

from pitboss_tournament.statistics.running_moments import Estimate

UNKNOWN: Final = "-"
MIN_SHOWN_BLOCKS: Final = 5  # of what an estimate is: with fewer its interval tells nothing, and "±?" is shown


def format_number(value: float, digits: int = 1, *, has_sign: bool = False) -> str:
    """Return a number, with its sign if it `has_sign`: "1,234.5", "+3.2", "-0.5"; zero has none."""
    text = f"{value:{'+' if has_sign else ''},.{digits}f}"
    return text if text.strip("+-0.,") else text.lstrip("+-")


def format_interval(estimate: Estimate, scale: float = 1, digits: int = 1, *, has_sign: bool = False) -> str:
    """Return an estimate: "61.3 ±4.2"; "±?" if the interval is unknown."""
    if estimate.mean is None:
        return UNKNOWN
    width = format_width(estimate.half_width, scale, digits)
    return f"{format_number(estimate.mean * scale, digits, has_sign=has_sign)} {width}"


def hide_wide(estimate: Estimate, blocks: int) -> Estimate:
    """Return an estimate over `blocks` blocks, without its interval if there are too few blocks for one."""
    return estimate if blocks >= MIN_SHOWN_BLOCKS else Estimate(estimate.mean, None)


def format_width(half_width: float | None, scale: float = 1, digits: int = 1) -> str:
    """Return the half-width of an interval: "±4.2"; "±?" if it is unknown."""
    return "±?" if half_width is None else f"±{half_width * scale:,.{digits}f}"


def format_share(estimate: Estimate) -> str:
    """Return a share in percent: "61.3 ±4.2"; "97.0 [89.0, 100.0]" where the interval ends at 0 or 100."""
    ends = estimate.clip(0, 1)
    if estimate.mean is None or ends is None or (0 < ends[0] and ends[1] < 1):
        return format_interval(estimate, 100)
    return f"{estimate.mean * 100:.1f} [{ends[0] * 100:.1f}, {ends[1] * 100:.1f}]"


def format_milliseconds(ms: float | None) -> str:
    """Return milliseconds with up to three significant digits."""
    if ms is None:
        return UNKNOWN
    return f"{ms:,.0f}" if ms >= 100 else f"{ms:.1f}" if ms >= 10 else f"{ms:.2f}"


def format_percent(chance: float | None) -> str:
    """Return a chance in percent, never 0 or 100: nothing is quite certain."""
    if chance is None:
        return UNKNOWN
    return ">99.9" if chance > 0.999 else "<0.1" if chance < 0.001 else f"{100 * chance:.1f}"
