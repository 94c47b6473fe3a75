"""How many deals a tournament needs, as text: a table of the pairs, and sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from pitboss.text import format_count
from pitboss_tournament.results.model_use import CallEstimate
from pitboss_tournament.results.numbers import format_interval
from pitboss_tournament.results.pilot import Pilot, PlannedPair
from pitboss_tournament.statistics.variance_reduction import VarianceReduction
from pitboss_tournament.text.columns import TableLine, TextColumn, fit_table
from pitboss_tournament.text.progress import format_seconds

PILOT: Final = TextColumn[PlannedPair]("pilot", lambda pair: f"{pair.blocks:,}")
PLACES: Final = TextColumn[PlannedPair]("places %", lambda pair: format_interval(pair.places, 100))
PLANNED_DEALS: Final = TextColumn[PlannedPair]("deals", lambda pair: _format_number(pair.deals))
RANGE: Final = TextColumn[PlannedPair]("from … to", lambda pair: _format_range(pair))
SEQUENTIAL: Final = TextColumn[PlannedPair]("sequential", lambda pair: _format_number(pair.sequential_deals))


class TournamentSize(Struct, frozen=True, kw_only=True):
    """What a tournament needs so that each pair of bots shows a difference, as `pitboss plan --json` prints it."""

    game: str
    seats: int
    bots: list[str]
    difference: float  # in rating points; where ranks go by points in points of the game
    power: float  # in percent
    score: float  # in place scores, of the pair where it is least; where ranks go by points as a share of the span
    # where ranks go by points: the most by which those of two bots differed in a block, or those of teams can differ
    span: float | None
    pilot_blocks: int
    pilot_seed: str
    pairs: list[PlannedPair]
    deals: int | None  # for the pair that needs the most
    sequential_deals: int | None
    games: int | None  # games of these deals
    games_per_second: float | None
    seconds: float | None  # that they take
    calls: int | None  # of language models, at the rate of the pilot; None: no model was asked
    usd: float | None  # that they cost
    luck_seconds: float | None  # more, to measure the luck of the draw in them; None: the game cannot tell it
    # games needed with the luck of the draw in them for one without, by points; None: the store does not keep the luck
    luck_saving: VarianceReduction | None = None


def compute_size(
    pilot: Pilot,
    difference: float,
    power: float,
    speed: float | None,
    luck_s: float | None,
    estimate: CallEstimate | None = None,
) -> TournamentSize:
    """Return the size of a tournament of the bots of a pilot.

    `power` is in percent, `speed` in games a second, `luck_s` the seconds that it takes to measure the luck of a game;
    `estimate` is of the calls of language models in the games of the pilot.
    """
    pairs = pilot.plan_pairs(difference, power / 100)
    header = pilot.header
    deals = _greatest([pair.deals for pair in pairs])
    games = None if deals is None else deals * pilot.tables * header.block_size
    expected = estimate.scale(games / pilot.games) if estimate is not None and games is not None else None
    seconds = games / speed if games and speed else None
    if expected is not None and expected.seconds:
        seconds = max(seconds or 0.0, expected.seconds)
    return TournamentSize(
        game=header.game,
        seats=header.seats,
        bots=header.labels,
        difference=difference,
        power=power,
        score=min(pair.score for pair in pairs),
        span=pilot.span,
        pilot_blocks=pilot.blocks,
        pilot_seed=header.seed,
        pairs=pairs,
        deals=deals,
        sequential_deals=_greatest([pair.sequential_deals for pair in pairs]),
        games=games,
        games_per_second=speed,
        seconds=seconds,
        calls=None if expected is None else expected.calls,
        usd=None if expected is None else expected.usd,
        luck_seconds=None if games is None or luck_s is None else games * luck_s,
    )


def size_lines(size: TournamentSize, width: int | None) -> list[TableLine]:
    """Return a table of the pairs, with as many columns as fit."""
    bots = [
        TextColumn[PlannedPair]("bot", lambda pair: pair.bot),
        TextColumn[PlannedPair]("against", lambda pair: pair.other),
    ]
    span = size.span
    points = TextColumn[PlannedPair]("points", lambda pair: format_interval(pair.places, span or 1.0))
    columns = (PILOT, PLACES if span is None else points, PLANNED_DEALS, RANGE, SEQUENTIAL)
    choices = (columns, columns[1:], (PLANNED_DEALS, SEQUENTIAL))
    return fit_table(size.pairs, bots, choices, width)


def size_sentences(size: TournamentSize) -> Iterator[str]:
    """Yield what the tournament needs, in words; see `size_details`."""
    what = f"a difference of {size.difference:g} {'point' if size.difference == 1 else 'points'}"
    if size.deals is None or size.games is None:
        yield f"The pilot is too short, or its bots tie too often, to plan for {what}: play more deals (--deals)."
        return
    time = "" if size.seconds is None else f", about {format_seconds(size.seconds)} here"
    yield (
        f"{format_count(size.deals, 'deal')} ({format_count(size.games, 'game')}{time}) show {what} between any two of "
        "the bots."
    )
    if size.calls is not None and size.usd is not None:
        yield (
            f"At the pilot's rate these games make about {size.calls:,} calls of language models and cost "
            f"{size.usd:,.2f} dollars."
        )
    if size.sequential_deals is not None:
        yield (
            f"With a sequential test ([stop]) {format_count(size.sequential_deals, 'deal')} suffice, and fewer if the "
            "difference is larger."
        )


def size_details(size: TournamentSize) -> Iterator[str]:
    """Yield what the numbers of `size_sentences` assume, and what else is known of the tournament."""
    if size.deals is not None:
        places = "" if size.span is not None else f", which is {_format_scores(size.pairs)} % of places"
        yield (
            f"The deals show the difference{places}, with {size.power:g} % probability: the 95 % interval of the "
            "difference then excludes zero."
        )
    if size.luck_seconds is not None:
        yield (
            "Removing the luck of the draw from points and wins (`--reduce luck`) takes about "
            f"{format_seconds(size.luck_seconds)} more."
        )
    saving = size.luck_saving
    if saving is not None and saving.ratio is not None and saving.low is not None and saving.high is not None:
        yield (
            "Without the luck of the draw, intervals of points as narrow took "
            f"{1 / saving.ratio:.2f} times the games of the pilot (95 %: {1 / saving.high:.2f} to "
            f"{1 / saving.low:.2f}); those of places are not changed."
        )
    if size.sequential_deals is not None:
        yield (
            "The sequential test ([stop] in a tournament file, `sure` in `standings --pairs`) decides within its "
            "number of deals with the same probability."
        )
    yield "The pilot gives the spread of the deals; `from … to` is the 95 % interval of the deals needed."


def _format_scores(pairs: Sequence[PlannedPair]) -> str:
    """Return the least and the greatest difference of place scores, in percent; one number if they do not differ."""
    scores = [pair.score for pair in pairs]
    return " to ".join(dict.fromkeys(f"{100 * end:.1f}" for end in (min(scores), max(scores))))


def _greatest(numbers: Sequence[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return max(known) if known and len(known) == len(numbers) else None


def _format_number(number: int | None) -> str:
    return "?" if number is None else f"{number:,}"


def _format_range(pair: PlannedPair) -> str:
    if pair.needed is None:
        return "?"
    ends = (pair.needed.fixed_low, pair.needed.fixed_high)
    low, high = (None if end is None else -(-end // pair.tables) for end in ends)
    return f"{_format_number(low)} … {_format_number(high)}"
