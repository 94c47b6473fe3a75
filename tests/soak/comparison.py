"""`pitboss compare` and `pitboss plan`: `python -m tests.soak.comparison` counts wrong verdicts, and games.

First simulated bots of known difference, in which the test looks after every deal, at tables where places tie, seats
are unequal, or the others are far stronger or weaker than the two. Then seats that are very unequal, also where one of
the two always sits just before the other, as in tournaments whose deals have the rotations of one circle. Then the
default bounds: how many deals a verdict takes on average, and how far off the estimate at the stop is. Then
tournaments of as many deals as `plan` says, from pilots: how often their interval is clear of zero, beside the power
asked for. Last the command itself: a bot against its copy, and against one with a known weakness.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from pitboss_tournament.cli.exit_status import NOT_BETTER, UNDECIDED
from pitboss_tournament.config.versions import DEFAULT_BOUNDS
from pitboss_tournament.plan.seating import Seating
from pitboss_tournament.statistics.blocks import place_scores, score_block
from pitboss_tournament.statistics.bounded_test import BoundedVerdict, Bounds, PairedGames
from pitboss_tournament.statistics.pairwise import block_differences, estimate_difference
from pitboss_tournament.statistics.point_scale import measure_scale
from pitboss_tournament.statistics.ratings import POINTS_PER_LOG_UNIT
from pitboss_tournament.statistics.sample_size import plan_sample_size
from tests.soak.promises import PromiseTally, format_row
from tests.soak.running_share import RunningShare, is_kept
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.command_line import COMMAND

Told: TypeAlias = Literal["all", "winner"]

ERROR: Final = 0.05
LOW: Final = 0.0
HIGH: Final = 100.0
BOUNDS: Final = Bounds(low=LOW / POINTS_PER_LOG_UNIT, high=HIGH / POINTS_PER_LOG_UNIT, alpha=ERROR, beta=ERROR)
NARROW: Final = Bounds(
    low=DEFAULT_BOUNDS[0] / POINTS_PER_LOG_UNIT,
    high=DEFAULT_BOUNDS[1] / POINTS_PER_LOG_UNIT,
    alpha=ERROR,
    beta=ERROR,
)
MAX_MEAN_BLOCKS: Final = 444  # until a verdict on bots as far apart as a default bound; a GSPRT takes 350
MAX_BIAS: Final = 5.0  # points by which the estimate at the stop is off on average, there
MAX_BLOCKS: Final = 2_000
POWER: Final = 0.8
MAX_POWER: Final = 0.93  # as `plan` errs on the safe side, most where seats are unequal
PILOT_BLOCKS: Final = 40
LEADS: Final = (-HIGH, LOW, HIGH / 2, HIGH, 2 * HIGH)
WIDTHS: Final = (28, 8, 8, 12, 11, 8, 8)
HEADING: Final = ("table", "lead", "better", "not better", "undecided", "deals", "wrong")


class Company(NamedTuple):
    """A table at which two bots are compared."""

    seats: int
    points: float = 0.0  # how much stronger each of the others is than the middle of the two
    draw_share: float = 0.0
    seats_apart: float = 0.0  # points from the best seat to the worst
    told: Told = "all"
    seating: Seating = "balanced"  # as `compare` plays

    def make_world(self, lead: float) -> SyntheticTournament:
        """Return the table with two bots that are `lead` points apart."""
        points = (lead / 2, -lead / 2, *[self.points] * (self.seats - 2))
        seats = [self.seats_apart * (0.5 - seat / (self.seats - 1)) for seat in range(self.seats)]
        return SyntheticTournament(
            strengths=tuple(value / POINTS_PER_LOG_UNIT for value in points),
            seats=self.seats,
            card_share=0.5,
            draw_share=self.draw_share,
            advantage=tuple(value / POINTS_PER_LOG_UNIT for value in seats),
            told=self.told,
            seating=self.seating,
        )


TABLES: Final = {
    "2 seats": Company(2),
    "2 seats, 80 % ties": Company(2, draw_share=0.8),
    "2 seats, unequal": Company(2, seats_apart=300),
    "4 seats": Company(4),
    "4 seats, 80 % ties": Company(4, draw_share=0.8),
    "4 seats, unequal": Company(4, seats_apart=300),
    "4 seats, only winner told": Company(4, told="winner"),
    "4 seats, company far behind": Company(4, points=-400),
    "4 seats, company far ahead": Company(4, points=400),
}
UNEQUAL: Final = {
    "2 seats, 520 points": Company(2, seats_apart=520),
    "4 seats, 520 points": Company(4, seats_apart=520),
    "4 seats, 520, winner told": Company(4, seats_apart=520, told="winner"),
    "4 seats, 520, one circle": Company(4, seats_apart=520, seating="rotations"),
    "4 seats, both": Company(4, seats_apart=520, told="winner", seating="rotations"),
}
FAR_OTHERS: Final = {
    f"{seats} seats, others {points:+.0f}{', only winner told' if told == 'winner' else ''}": Company(
        seats, points=points, told=told
    )
    for seats, told, points in product((3, 4), get_args(Told), (-600.0, -300.0, -150.0, 150.0, 300.0, 600.0))
}
PLANNED: Final = TABLES | FAR_OTHERS
COPIED: Final = "house:random"  # it draws lots: two copies of a bot that does not would tie in every deal
WEAK: Final = ("house:racko", "house:random")  # the second one is the weaker
REAL: Final = ("-o", "max_rounds=1", "--bounds", str(LOW), str(HIGH), "--games", "2000")


def main(words: Sequence[str] | None = None) -> int:
    """Print everything; return 1 if a promise is broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.comparison", description=__doc__)
    parser.add_argument("--trials", type=int, default=400, help="simulated comparisons of each kind (%(default)s)")
    parser.add_argument("--runs", type=int, default=100, help="of the command, with a copy (%(default)s)")
    parser.add_argument("--only", choices=("verdicts", "unequal", "stops", "planned", "command"))
    given = parser.parse_args(words)
    promises = PromiseTally()
    if given.trials and given.only in (None, "verdicts"):
        is_rare = print_simulated(TABLES, LEADS, given.trials)
        promises.check(is_rare, f"at most {ERROR:.0%} of the verdicts are wrong")
    if given.trials and given.only in (None, "unequal"):
        is_rare = print_simulated(UNEQUAL, (LOW, HIGH), given.trials)
        promises.check(is_rare, f"at most {ERROR:.0%} of the verdicts are wrong, where seats are very unequal")
    if given.trials and given.only in (None, "stops"):
        print_stops(given.trials, promises)
    if given.trials and given.only in (None, "planned"):
        print(f"\ntournaments planned for {POWER:.0%} that show {HIGH:g} points, of {given.trials}")
        shares: dict[float | str, RunningShare] = {}  # by table, or by how far away the others are
        for name, company in PLANNED.items():
            shown = measure_power(company, given.trials)
            print(f"{name:40}{sum(shown) / max(1, len(shown)):.0%}", flush=True)
            share = shares.setdefault(company.points if name in FAR_OTHERS else name, RunningShare())
            for is_shown in shown:
                share.add([is_shown])
        promises.check(
            all(is_kept(share, POWER, MAX_POWER) for share in shares.values()),
            f"{POWER:.0%} to {MAX_POWER:.0%} of them do",
        )
    if given.runs and given.only in (None, "command"):
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


def print_simulated(tables: Mapping[str, Company], leads: Sequence[float], trials: int) -> bool:
    """Print verdicts, deals and errors for each table and lead; return whether errors are as rare as promised."""
    print(f"\nbounds {LOW:g} and {HIGH:g} points, at most {MAX_BLOCKS} deals, {trials} comparisons each\n")
    print(format_row(HEADING, WIDTHS), flush=True)
    are_kept = []
    for name, company in tables.items():
        for lead in leads:
            world = company.make_world(lead)
            ends = [run_trial(world, BOUNDS, Random(f"{name}/{lead}/{number}")) for number in range(trials)]
            wrong = count_wrong(ends, lead <= LOW, lead >= HIGH)
            are_kept.append(is_kept(wrong, 0.0, ERROR))
            print(
                format_row((name, f"{lead:+g}", *summarize_ends(ends), f"{100 * wrong.share:.1f} %"), WIDTHS),
                flush=True,
            )
    return all(are_kept)


def print_stops(trials: int, promises: PromiseTally) -> None:
    """Print the ends of comparisons at a table of two with the default bounds; check errors, deals and estimates."""
    low, high = DEFAULT_BOUNDS
    print(f"\nbounds {low:g} and {high:g} points, {trials} comparisons each\n")
    print(format_row((*HEADING, "estimate"), (*WIDTHS, 8)), flush=True)
    for lead in DEFAULT_BOUNDS:
        world = Company(2).make_world(lead)
        ends = [run_trial(world, NARROW, Random(f"stops/{lead}/{number}"), 20 * MAX_BLOCKS) for number in range(trials)]
        wrong = count_wrong(ends, lead <= low, lead >= high)
        deals, points = [end.blocks for end in ends], [end.points for end in ends]
        cells = (*summarize_ends(ends), f"{100 * wrong.share:.1f} %", f"{fmean(points):+.1f}")
        print(format_row(("2 seats", f"{lead:+g}", *cells), (*WIDTHS, 8)), flush=True)
        promises.check(is_kept(wrong, 0.0, ERROR), f"at most {ERROR:.0%} of the verdicts are wrong")
        few = fmean(deals) - 2 * stdev(deals) / sqrt(trials) <= MAX_MEAN_BLOCKS
        promises.check(few, f"they take at most {MAX_MEAN_BLOCKS} deals on average")
        near = abs(fmean(points) - lead) - 2 * stdev(points) / sqrt(trials) <= MAX_BIAS
        promises.check(near, f"the mean estimate at the stop is at most {MAX_BIAS:g} points off")


class TrialEnd(NamedTuple):
    """How a comparison ended."""

    verdict: BoundedVerdict
    blocks: int
    points: float  # the estimate of the difference


def run_trial(world: SyntheticTournament, bounds: Bounds, rng: Random, most: int = MAX_BLOCKS) -> TrialEnd:
    """Return how a comparison of the first two bots ends."""
    games = PairedGames()
    for block in world.blocks(most, rng):
        games.add(score_block(block), 0, 1)
        if games.run_test(bounds).verdict != "undecided":
            break
    found, estimate = games.run_test(bounds), games.compute_interval(bounds).estimate or 0.0
    return TrialEnd(found.verdict, found.blocks, POINTS_PER_LOG_UNIT * estimate)


def count_wrong(ends: Sequence[TrialEnd], is_low: bool, is_high: bool) -> RunningShare:
    """Return the share of wrong verdicts on a difference that is at most the lower bound, or at least the upper one."""
    wrong = RunningShare()
    for end in ends:
        wrong.add([(end.verdict == "better" and is_low) or (end.verdict == "not better" and is_high)])
    return wrong


def summarize_ends(ends: Sequence[TrialEnd]) -> list[object]:
    """Return the shares of verdicts, and the mean number of deals."""
    found = Counter(end.verdict for end in ends)
    shares = [f"{found[verdict] / len(ends):.0%}" for verdict in ("better", "not better", "undecided")]
    return [*shares, round(fmean(end.blocks for end in ends))]


def measure_power(company: Company, trials: int) -> list[bool]:
    """Return whether tournaments of as many deals as pilots of them say show a difference of HIGH points.

    Pilots that are too short to say it, in which the two always tied, do not count.
    """
    world, shown = company.make_world(HIGH), []
    for number in range(trials):
        pilot = list(world.blocks(PILOT_BLOCKS, Random(f"pilot/{company}/{number}")))
        score = measure_scale(pilot, world.names, None).to_score(HIGH, 0, 1)
        size = plan_sample_size(block_differences(pilot, place_scores)[0, 1], score, POWER)
        if size is None:
            continue
        found = estimate_difference(draw_differences(world, size.fixed, f"play/{company}/{number}"), scale=2.0).estimate
        assert found.mean is not None
        shown.append(found.half_width is not None and found.mean > found.half_width)
    return shown


def draw_differences(world: SyntheticTournament, blocks: int, seed: str) -> list[float]:
    """Return differences in place score of the first two bots over some blocks."""
    return block_differences(world.blocks(blocks, Random(seed)), place_scores)[0, 1]


def run_compare(old: str, new: str, number: int, folder: str) -> int:
    """Run the command, print what it found, and return its exit status."""
    words = ("compare", "racko", old, new, *REAL, "--seed", f"soak/{number}", "--no-store", "--json")
    ran = subprocess.run([*COMMAND, *words], cwd=folder, env=os.environ, capture_output=True, text=True, check=False)
    said = json.loads(ran.stdout)["sentence"] if ran.stdout else ran.stderr
    print(f"status {ran.returncode}: {said}", flush=True)
    return ran.returncode


if __name__ == "__main__":
    sys.exit(main())
