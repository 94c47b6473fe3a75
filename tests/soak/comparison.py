"""`pitboss compare` and `pitboss plan`: `python -m tests.soak.comparison` counts wrong verdicts, and games.

First simulated bots of known difference, in which the test looks after every deal, then the command itself: a bot
against its copy, and against one with a known weakness. At a table of more than two the others are all as strong as the
middle of the two; "company far behind" and "ahead" show what the bounds mean where they are not. Last, tournaments of
as many deals as `plan` says, from pilots: how often their interval is clear of zero, beside the power asked for.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from random import Random
from statistics import fmean
from typing import Final

from pitboss_tournament.cli.exit_status import NOT_BETTER, UNDECIDED
from pitboss_tournament.statistics.blocks import place_scores, score_block
from pitboss_tournament.statistics.bounded_test import BoundedVerdict, Bounds, run_bounded_test
from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.pairwise import block_differences, estimate_difference
from pitboss_tournament.statistics.point_scale import PointScale
from pitboss_tournament.statistics.ratings import POINTS_PER_LOG_UNIT
from pitboss_tournament.statistics.sample_size import plan_sample_size
from tests.soak.promises import PromiseTally, format_row
from tests.soak.running_share import RunningShare, is_kept
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.command_line import COMMAND

ERROR: Final = 0.05
LOW: Final = 0.0
HIGH: Final = 100.0
MOST_BLOCKS: Final = 2_000
POWER: Final = 0.8
MOST_POWER: Final = 0.92  # as `plan` errs on the safe side, most where differences are not all or nothing
PILOT_BLOCKS: Final = 40
LEADS: Final = (-100.0, 0.0, 50.0, 100.0, 200.0)
WIDTHS: Final = (28, 8, 8, 12, 11, 8, 8)
HEADING: Final = ("table", "lead", "better", "not better", "undecided", "deals", "wrong")
WORLDS: Final[dict[str, tuple[int, float, float]]] = {  # seats, points of the company, size of a tie
    "2 seats": (2, 0.0, 0.0),
    "2 seats, many ties": (2, 0.0, 15.0),
    "4 seats": (4, 0.0, 0.0),
    "4 seats, company far behind": (4, -400.0, 0.0),
    "4 seats, company far ahead": (4, 400.0, 0.0),
}
COPIED: Final = "house:random"  # it draws lots: two copies of a bot that does not would tie in every deal
WEAK: Final = ("house:racko", "house:random")  # the second one is the weaker
REAL: Final = ("--game", "racko", "-o", "max_rounds=1", "--bounds", str(LOW), str(HIGH), "--games", "2000")


def main(words: Sequence[str] | None = None) -> int:
    """Print everything; return 1 if a promise is broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.comparison", description=__doc__)
    parser.add_argument("--trials", type=int, default=400, help="simulated comparisons of each kind (%(default)s)")
    parser.add_argument("--runs", type=int, default=100, help="of the command, with a copy (%(default)s)")
    given = parser.parse_args(words)
    promises = PromiseTally()
    if given.trials:
        are_kept = print_simulated(given.trials)
        promises.check(are_kept, f"at most {ERROR:.0%} of the verdicts are wrong")
        shares = [measure_power(seats, given.trials) for seats in (2, 4)]
        said = " and ".join(f"{share.share:.0%}" for share in shares)
        promises.check(
            all(is_kept(share, POWER, MOST_POWER) for share in shares),
            f"tournaments planned for {POWER:.0%} show the difference in {said} (tables of 2, of 4)",
        )
    if given.runs:
        with tempfile.TemporaryDirectory(prefix="pitboss-comparison-") as folder:
            ends = [run_compare(COPIED, COPIED, number, folder) for number in range(given.runs)]
            wrong = sum(end not in (NOT_BETTER, UNDECIDED) for end in ends)
            promises.check(
                wrong <= max(1, given.runs // 20),
                f"a copy was called better, or there was an error, in {wrong} of {given.runs} runs",
            )
            weaker, stronger = (run_compare(*pair, 0, folder) for pair in (WEAK, WEAK[::-1]))
            promises.check(
                (weaker, stronger) == (NOT_BETTER, 0), f"statuses of {WEAK[1]} and {WEAK[0]}: {weaker}, {stronger}"
            )
    return promises.exit_status()


def print_simulated(trials: int) -> bool:
    """Print verdicts, deals and errors for each table and lead; return whether errors are as rare as promised."""
    print(f"bounds {LOW:g} and {HIGH:g} points, at most {MOST_BLOCKS} deals, {trials} comparisons each\n")
    print(format_row(HEADING, WIDTHS), flush=True)
    are_kept = []
    for name in WORLDS:
        for lead in LEADS:
            ends = [run_trial(name, lead, Random(f"{name}/{lead}/{number}")) for number in range(trials)]
            found = Counter(verdict for verdict, _ in ends)
            wrong = RunningShare()
            for verdict, _ in ends:
                wrong.add([(verdict == "better" and lead <= LOW) or (verdict == "not better" and lead >= HIGH)])
            is_promised = lead <= LOW or WORLDS[name][1:] == (0.0, 0.0)  # elsewhere a lead is less than it says
            are_kept.append(is_kept(wrong, 0.0, ERROR) or not is_promised)
            shares = [f"{found[verdict] / trials:.0%}" for verdict in ("better", "not better", "undecided")]
            deals = fmean(blocks for _, blocks in ends)
            print(
                format_row((name, f"{lead:+g}", *shares, round(deals), f"{100 * wrong.share:.1f} %"), WIDTHS),
                flush=True,
            )
    return all(are_kept)


def run_trial(name: str, lead: float, rng: Random) -> tuple[BoundedVerdict, int]:
    """Return the verdict of a simulated comparison, and after how many deals."""
    seats, company, step = WORLDS[name]
    points = (lead / 2, -lead / 2, *[company] * (seats - 2))
    strengths = tuple(value / POINTS_PER_LOG_UNIT for value in points)
    world = SyntheticTournament(strengths=strengths, seats=seats, card_share=0.5, step=step)
    scale = PointScale(seats)
    bounds = Bounds(low=scale.to_score(LOW), high=scale.to_score(HIGH), alpha=ERROR, beta=ERROR)
    meetings, blocks = HeadToHead(seats), 0
    for blocks, block in enumerate(world.blocks(MOST_BLOCKS, rng), 1):
        meetings.add(score_block(block))
        verdict = run_bounded_test(meetings.count_differences(0, 1), bounds).verdict
        if verdict != "undecided":
            return verdict, blocks
    return "undecided", blocks


def measure_power(seats: int, trials: int) -> RunningShare:
    """Return how often a tournament of as many deals as a pilot of it says shows a difference of HIGH points."""
    lead = HIGH / POINTS_PER_LOG_UNIT
    strengths = (lead / 2, -lead / 2, *[0.0] * (seats - 2))
    world = SyntheticTournament(strengths=strengths, seats=seats, card_share=0.5)
    score = PointScale(seats).to_score(HIGH)
    share = RunningShare()
    for number in range(trials):
        pilot = draw_differences(world, PILOT_BLOCKS, f"pilot/{seats}/{number}")
        size = plan_sample_size(pilot, score, POWER)
        assert size is not None
        found = estimate_difference(draw_differences(world, size.fixed, f"play/{seats}/{number}"), scale=2.0).estimate
        assert found.mean is not None
        share.add([found.half_width is not None and found.mean > found.half_width])
    return share


def draw_differences(world: SyntheticTournament, blocks: int, seed: str) -> list[float]:
    """Return differences in place score of the first two bots over some blocks."""
    return block_differences(world.blocks(blocks, Random(seed)), place_scores)[0, 1]


def run_compare(old: str, new: str, number: int, folder: str) -> int:
    """Run the command, print what it found, and return its exit status."""
    words = ("compare", old, new, *REAL, "--seed", f"soak/{number}", "--no-store", "--json")
    ran = subprocess.run([*COMMAND, *words], cwd=folder, env=os.environ, capture_output=True, text=True, check=False)
    said = json.loads(ran.stdout)["sentence"] if ran.stdout else ran.stderr
    print(f"status {ran.returncode}: {said}", flush=True)
    return ran.returncode


if __name__ == "__main__":
    sys.exit(main())
