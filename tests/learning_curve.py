"""The learning curves of docs/learning.md as a picture, from the `curve.csv` of training runs.

    python -m tests.learning_curve [FOLDER] > docs/static/learning.svg

FOLDER has a file NAME.csv for each curve (default: tests/curves, the runs of the page). Upright is the share of wins
against random play, from left to right the time of one processor, evaluations included.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Final, NamedTuple

CURVES: Final = Path(__file__).with_name("curves")
WIDTH, HEIGHT = 720, 380
LEFT, RIGHT, TOP, BOTTOM = 56, 150, 24, 52
LEAST_PERCENT: Final = 30  # where the upright scale begins
GOAL_PERCENT: Final = 95
FONT: Final = 'font-family="sans-serif" font-size="14"'
STYLES: Final = (("#0b5fb0", "none"), ("#c14b00", "7 4"), ("#00795a", "none"), ("#a8408a", "2 4"), ("#8a6d00", "7 4"))


class Curve(NamedTuple):
    """A training run: minutes of one processor, and percent of wins then."""

    name: str
    points: list[tuple[float, float]]


def read_curves(folder: Path) -> list[Curve]:
    """Return the curves of a folder by name."""
    return [Curve(file.stem, _read_points(file)) for file in sorted(folder.glob("*.csv"))]


def _read_points(file: Path) -> list[tuple[float, float]]:
    with file.open(encoding="utf-8") as lines:
        return [(float(row["processor_s"]) / 60, 100 * float(row["wins"])) for row in csv.DictReader(lines)]


def draw_curves(curves: list[Curve]) -> str:
    """Return the picture."""
    longest = max(minutes for curve in curves for minutes, _ in curve.points)
    across, up = (WIDTH - LEFT - RIGHT) / longest, (HEIGHT - TOP - BOTTOM) / (100 - LEAST_PERCENT)

    def place(minutes: float, percent: float) -> tuple[float, float]:
        return LEFT + minutes * across, HEIGHT - BOTTOM - (max(percent, LEAST_PERCENT) - LEAST_PERCENT) * up

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" {FONT}>',
        "<title>Wins against random play while a network learns</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
    ]
    for percent in range(LEAST_PERCENT, 101, 10):
        _, y = place(0, percent)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#d8dce1"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 5:.1f}" text-anchor="end" fill="#444">{percent} %</text>')
    _, goal = place(0, GOAL_PERCENT)
    parts.append(f'<path d="M{LEFT} {goal:.1f}H{WIDTH - RIGHT}" stroke="#7a828e" stroke-dasharray="4 3"/>')
    step = next(one for one in (0.5, 1, 2, 5, 10, 20, 60, 600) if longest / one <= 10)
    for number in range(int(longest / step) + 1):
        x, minutes = place(number * step, 0)[0], f"{number * step:g}"
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle" fill="#444">{minutes}</text>')
    parts.append(
        f'<text x="{LEFT}" y="{HEIGHT - 10}" fill="#444">minutes of one processor; dashed: {GOAL_PERCENT} %</text>'
    )
    for number, (curve, (colour, dashes)) in enumerate(zip(curves, STYLES, strict=False)):
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in curve.points))
        parts.append(
            f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2.5" stroke-dasharray="{dashes}"/>'
        )
        y = TOP + 22 * number + 8
        x = WIDTH - RIGHT + 16
        parts.append(f'<path d="M{x} {y}h24" stroke="{colour}" stroke-width="2.5" stroke-dasharray="{dashes}"/>')
        parts.append(f'<text x="{x + 32}" y="{y + 5}" fill="#222">{curve.name}</text>')
    return "\n".join([*parts, "</svg>\n"])


def main() -> None:
    """Write the picture to standard output."""
    sys.stdout.write(draw_curves(read_curves(Path(sys.argv[1]) if sys.argv[1:] else CURVES)))


if __name__ == "__main__":
    main()
