"""The figures of a study as tables: a row for each variant, the same in the terminal and on the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from pitboss.text import format_count
from pitboss_tournament.html.number_format import DASH, typeset_interval, typeset_number, typeset_share
from pitboss_tournament.simulation.simulation import MeanInterval
from pitboss_tournament.statistics.part_effects import PartEffects
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.study.skill import SkillFigures
from pitboss_tournament.study.study import GameStudy, VariantStudy

LENGTH_NOTE: Final = (
    "Decisions of a game that is played at random; by search: of a game between bots that search. Choices: the "
    "mean number of legal actions. Forced: decisions with one legal action. Tree: the product of the numbers of "
    "legal actions of a game is about 10 to this power."
)
HIDDEN_NOTE: Final = (
    "Cards that the player on turn does not know, on average over the decisions of random games, and secrets "
    "(dice, bids) that another player knows. What others know can be inferred from what they do; what nobody "
    "knows is luck to come."
)
SEATS_NOTE: Final = (
    "Each bot had each seat with the same cards equally often, so that what differs is the seat. An even share of "
    "the wins is {even} %."
)
RANDOM_SEATS_NOTE: Final = "All seats are played at random. "
LEADS_NOTE: Final = (
    "A side leads that is alone in front by {judge}. Changes: how often the lead goes to another side, a game. "
    "Decided: after which share of the decisions the winner leads without a break. Halfway: the share of the wins "
    "of who leads after half of the decisions."
)
SKILL_NOTE: Final = (
    "Bots, seats, luck: shares of the variance of place scores. Luck is what neither explains: the cards, and "
    "whom a bot met. They hold for these bots; bots that are farther apart have a larger share. Twice the time: "
    "its worth in rating points, on average; a bot that is 100 points above another is placed ahead of it in "
    "about 64 of 100 games."
)
PARTS_NOTE: Final = (
    "Worth: how many points of the share of wins one more copy adds against one opponent{relative}, in the hands of "
    "these bots. Proven: all parts together, with 95 %. Visible: the smallest worth that as many games prove 80 times "
    "of 100. The model adds parts up: that two are better together it does not see."
)
LADDER_NOTE: Final = "Rating points above the shortest time, with 95 % intervals."


class StudyTable(NamedTuple):
    """A table of a study; the first column names its rows."""

    name: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str


def study_tables(found: GameStudy) -> Iterator[StudyTable]:
    """Yield the tables."""
    variants = found.variants
    yield StudyTable(
        "length",
        "Length and choices",
        ("Variant", "Decisions", "95 of 100 at most", "By search", "Choices", "Forced, %", "Tree, 10^"),
        [_length_row(one) for one in variants],
        LENGTH_NOTE,
    )
    yield StudyTable(
        "hidden",
        "What is hidden from the player on turn",
        ("Variant", "Cards", "Others know", "Nobody knows", "Secrets"),
        [_hidden_row(one) for one in variants],
        HIDDEN_NOTE,
    )
    yield _seats_table(variants)
    known = [(one.label, one.skill) for one in variants if one.skill is not None]
    if known:
        yield from _skill_tables(known)
    yield from (_parts_table(one.label, one.parts) for one in variants if one.parts is not None)


def _parts_table(label: str, parts: PartEffects) -> StudyTable:
    """Return the table of what parts of loadouts are worth in a variant."""
    return StudyTable(
        "parts",
        f"Which part wins: {label}, {format_count(parts.blocks, 'block')}",
        ("Part", "Worth, points of %", "Proven", "Chance if no part matters, %", "Visible", "Loadouts"),
        [
            (
                one.name,
                typeset_interval(one.effect, scale=100, has_sign=True),
                "yes" if one.is_proven else "no",
                DASH if one.error is None else typeset_number(100 * one.error),
                DASH if one.visible is None else typeset_number(100 * one.visible),
                str(one.loadouts),
            )
            for one in parts.parts
        ],
        PARTS_NOTE.format(relative=" in place of a copy of an average part" if parts.is_relative else ""),
    )


def _length_row(one: VariantStudy) -> tuple[str, ...]:
    random, skill = one.random, one.skill
    return (
        one.label,
        typeset_number(random.decisions.mean),
        f"{random.decisions.p95:,}",
        DASH if skill is None else typeset_number(skill.decisions.mean),
        typeset_number(random.choices),
        typeset_number(100 * random.forced),
        typeset_number(random.log10_paths, 0),
    )


def _hidden_row(one: VariantStudy) -> tuple[str, ...]:
    hidden = one.hidden
    return (
        one.label,
        str(hidden.deck),
        typeset_number(hidden.known_to_others),
        typeset_number(hidden.known_to_nobody),
        typeset_number(hidden.secrets_of_others),
    )


def _seats_table(variants: Sequence[VariantStudy]) -> StudyTable:
    rows = []
    for one in variants:
        for seat, balance in enumerate(one.random.balance):
            worth = one.skill.seats[seat] if one.skill else None
            points = to_estimate(balance.points) if worth is None else worth.points
            wins = to_estimate(balance.wins) if worth is None else worth.wins
            rows.append((one.label if seat == 0 else "", str(seat), typeset_interval(points), typeset_share(wins)))
    even = " or ".join(dict.fromkeys(typeset_number(100 / one.seats) for one in variants))
    random = RANDOM_SEATS_NOTE if any(one.skill is None for one in variants) else ""
    return StudyTable(
        "seats",
        "What the seats are worth",
        ("Variant", "Seat", "Points", "Wins, %"),
        rows,
        random or SEATS_NOTE.format(even=even),
    )


def _skill_tables(known: Sequence[tuple[str, SkillFigures]]) -> Iterator[StudyTable]:
    leads = [(label, skill.leads) for label, skill in known if skill.leads is not None]
    if leads:
        judges = {"evaluate": "the game's own estimate of the result", "points": "the points so far"}
        yield StudyTable(
            "leads",
            "Who is in the lead, in games of search",
            ("Variant", "Games", "Changes", "Decided after, %", "Halfway, %"),
            [
                (
                    label,
                    f"{one.games:,}",
                    format_mean(one.changes),
                    format_mean(one.decided, 100),
                    format_mean(one.halfway, 100),
                )
                for label, one in leads
            ],
            LEADS_NOTE.format(judge=judges[leads[0][1].judged_by]),
        )
    yield StudyTable(
        "skill",
        "What the results depend on",
        ("Variant", "Games", "Bots, %", "Seats, %", "Luck, %", "Twice the time"),
        [_skill_row(label, skill) for label, skill in known],
        SKILL_NOTE,
    )
    yield StudyTable(
        "ladder",
        f"The skill ladder: {known[0][1].bot} with more time for a decision",
        ("Variant", *(f"{rung.ms} ms" for rung in known[0][1].ladder)),
        [(label, *(format_rung(rung.rating) for rung in skill.ladder)) for label, skill in known],
        LADDER_NOTE,
    )


def _skill_row(label: str, skill: SkillFigures) -> tuple[str, ...]:
    bots, seats = skill.shares.bots, skill.shares.seats
    known = bots.mean is not None and seats.mean is not None
    luck = typeset_number(100 * max(0.0, 1 - (bots.mean or 0.0) - (seats.mean or 0.0)), 0) if known else DASH
    shares = (typeset_interval(one, scale=100, digits=0) for one in (bots, seats))
    return (label, f"{skill.games:,}", *shares, luck, format_rung(skill.doubling))


def format_rung(rating: Estimate) -> str:
    """Write a difference in rating points: "+35 ± 20"; the first rung is just "0"."""
    return "0" if rating == Estimate(0.0, 0.0) else typeset_interval(rating, digits=0, has_sign=True)


def format_mean(mean: MeanInterval, scale: float = 1.0) -> str:
    """Write a mean of games: "2.1 ± 0.3"."""
    return typeset_interval(to_estimate(mean), scale=scale)


def to_estimate(mean: MeanInterval) -> Estimate:
    """Return a mean with the half-width of its interval, the longer half where it is not symmetric."""
    if mean.low is None or mean.high is None:
        return Estimate(mean.mean, None)
    return Estimate(mean.mean, max(mean.high - mean.mean, mean.mean - mean.low))
