"""Pairs of bots of different owners that are more alike than is usual in a class, with what shows it.

What is alike is no proof: a simple idea has one good program, and a lesson gives the class the same code. So prints
that are in a starter bot, or in the bots of many owners, do not count; answers count where the class is divided; and
a pair stands out only above what is usual for pairs of this class. People judge.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from statistics import quantiles
from typing import Annotated, Any, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from pitboss_tournament.league.similarity.answers import Answers, AskedQuestion, find_contested
from pitboss_tournament.league.similarity.source_prints import Prints, SourcePlace

COMPARED_BY: Final = ("source", "answers")  # of what is compared
MIN_OWN_PRINTS: Final = 12  # of each bot, beside those of many; fewer are not compared
MIN_QUESTIONS: Final = 20  # in which the class is divided, that both have answered
MIN_PAIRS: Final = 6  # for a background
ALWAYS_OUT: Final = 0.98  # always stands out
MIN_SIMILARITY: Final = 0.3  # never stands out
COMMON_SHARE: Final = 0.2  # of the owners, and COMMON_OWNERS of them, have a print in common: a lesson's code
COMMON_OWNERS: Final = 4
FAR_OUT: Final = 3.0  # interquartile ranges above the upper quartile (Tukey 1977, Exploratory Data Analysis)
SAME_REGION: Final = 8  # lines between two prints of a region at most
MAX_REGIONS: Final = 5
MAX_TELLING: Final = 8


class ComparedBot(Struct, frozen=True, kw_only=True):
    """A bot that is compared: its version's label, owner, prints, and answers."""

    label: str
    owner: str
    prints: Prints | None  # None: its sources could not be read
    answers: Answers


class Region(Struct, frozen=True, kw_only=True):
    """Lines of a file of one bot that are in a file of another one, with other names at most."""

    file: str
    first: int
    last: int
    other_file: str
    other_first: int
    other_last: int
    prints: Annotated[int, Meta(description="That both have there.")]


class TellingAnswer(Struct, frozen=True, kw_only=True):
    """A question that both answer alike, and as few others do."""

    game: int
    decision: Annotated[int, Meta(description="As `pitboss replay` counts them.")]
    action: Any
    others: Annotated[int, Meta(description="Other bots that give this answer.")]
    asked: Annotated[int, Meta(description="Bots that were asked.")]


class SimilarPair(Struct, frozen=True, kw_only=True):
    """Two bots of different owners, and how alike they are."""

    one: str
    one_owner: str
    other: str
    other_owner: str
    source: Annotated[
        float | None, Meta(description="Share of the smaller one's prints that the other has; null: too few.")
    ]
    answers: Annotated[
        float | None,
        Meta(description="Share of equal answers where the class is divided; null: too few were answered."),
    ]
    questions: Annotated[int, Meta(description="In which the class is divided, that both have answered.")]
    alone: Annotated[int, Meta(description="Of these, that no other bot answers as these two do.")]
    stands_out: Annotated[list[str], Meta(description='By what the pair stands out: "source", "answers".')]
    regions: list[Region] = []
    telling: list[TellingAnswer] = []


class SimilarityReport(Struct, frozen=True, kw_only=True):
    """What was compared in a league, and the pairs, those that stand out first."""

    league: str
    bots: Annotated[int, Meta(description="That were compared: the versions that play.")]
    games: Annotated[int, Meta(description="Of which questions were asked.")]
    contested: Annotated[int, Meta(description="Questions in which the class is divided.")]
    usual_source: Annotated[float | None, Meta(description="Above which a pair stands out; null: too few pairs.")]
    usual_answers: Annotated[float | None, Meta(description="Above which a pair stands out; null: too few pairs.")]
    starters: Annotated[list[str], Meta(description="Bots with hardly any source of their own.")]
    unread: Annotated[list[str], Meta(description="Bots whose sources could not be read in time.")]
    unasked: Annotated[list[str], Meta(description="Bots that answered too few questions, or ask a language model.")]
    pairs: list[SimilarPair]


def compare_bots(league: str, bots: Sequence[ComparedBot], known: Collection[str], games: int) -> SimilarityReport:
    """Return the pairs of bots of different owners.

    `known`: prints of starter bots and the like, which everybody has. `games`: of which questions were asked.
    """
    common = {*known, *_find_common(bots)}
    prints = {bot.label: {one: at for one, at in (bot.prints or {}).items() if one not in common} for bot in bots}
    contested = find_contested({bot.label: bot.answers for bot in bots})
    given = _count_answers(bots, contested)
    pairs = [
        _compare_pair(one, other, prints[one.label], prints[other.label], contested, given)
        for one, other in combinations(bots, 2)
        if one.owner != other.owner
    ]
    usual = {
        name: _find_usual([value for one in pairs if (value := getattr(one, name)) is not None]) for name in COMPARED_BY
    }
    marked = [_mark(pair, usual) for pair in pairs]
    by_label = {bot.label: bot for bot in bots}
    found = [
        _show(pair, by_label, prints, contested, given) if pair.stands_out else pair
        for pair in sorted(marked, key=_order)
    ]
    return SimilarityReport(
        league=league,
        bots=len(bots),
        games=games,
        contested=len(contested),
        usual_source=usual["source"],
        usual_answers=usual["answers"],
        starters=[bot.label for bot in bots if bot.prints is not None and len(prints[bot.label]) < MIN_OWN_PRINTS],
        unread=[bot.label for bot in bots if bot.prints is None],
        unasked=[bot.label for bot in bots if len(contested & bot.answers.keys()) < MIN_QUESTIONS],
        pairs=found,
    )


def _find_common(bots: Sequence[ComparedBot]) -> Iterator[str]:
    """Yield the prints that the bots of many owners have."""
    owners: dict[str, set[str]] = {}
    for bot in bots:
        for one in bot.prints or ():
            owners.setdefault(one, set()).add(bot.owner)
    many = max(COMMON_OWNERS, COMMON_SHARE * len({bot.owner for bot in bots}))
    return (one for one, having in owners.items() if len(having) >= many)


def _count_answers(
    bots: Sequence[ComparedBot], contested: Collection[AskedQuestion]
) -> Mapping[AskedQuestion, list[Any]]:
    return {question: [bot.answers[question] for bot in bots if question in bot.answers] for question in contested}


def _compare_pair(
    one: ComparedBot,
    other: ComparedBot,
    one_prints: Prints,
    other_prints: Prints,
    contested: Collection[AskedQuestion],
    given: Mapping[AskedQuestion, list[Any]],
) -> SimilarPair:
    least = min(len(one_prints), len(other_prints))
    both = [question for question in contested if question in one.answers and question in other.answers]
    same = [question for question in both if one.answers[question] == other.answers[question]]
    return SimilarPair(
        one=one.label,
        one_owner=one.owner,
        other=other.label,
        other_owner=other.owner,
        source=len(one_prints.keys() & other_prints.keys()) / least if least >= MIN_OWN_PRINTS else None,
        answers=len(same) / len(both) if len(both) >= MIN_QUESTIONS else None,
        questions=len(both),
        alone=sum(given[question].count(one.answers[question]) == 2 for question in same),
        stands_out=[],
    )


def _find_usual(values: Sequence[float]) -> float | None:
    """Return what is usual for pairs at most; None if there are too few to tell."""
    if len(values) < MIN_PAIRS:
        return None
    lower, _, upper = quantiles(values, n=4, method="inclusive")
    return min(max(upper + FAR_OUT * (upper - lower), MIN_SIMILARITY), ALWAYS_OUT)


def _mark(pair: SimilarPair, usual: Mapping[str, float | None]) -> SimilarPair:
    values = ((name, getattr(pair, name), usual[name]) for name in COMPARED_BY)
    marks = [
        name
        for name, value, bound in values
        if value is not None and value >= min(ALWAYS_OUT, ALWAYS_OUT if bound is None else bound)
    ]
    return replace(pair, stands_out=marks)


def _order(pair: SimilarPair) -> tuple[int, float]:
    return -len(pair.stands_out), -max(pair.source or 0.0, pair.answers or 0.0)


def _show(
    pair: SimilarPair,
    bots: Mapping[str, ComparedBot],
    prints: Mapping[str, Prints],
    contested: Collection[AskedQuestion],
    given: Mapping[AskedQuestion, list[Any]],
) -> SimilarPair:
    """Return a pair with its regions of equal prints and its most telling answers."""
    one, other = bots[pair.one], bots[pair.other]
    same = [
        TellingAnswer(
            game=question.game,
            decision=question.decision,
            action=one.answers[question],
            others=given[question].count(one.answers[question]) - 2,
            asked=len(given[question]),
        )
        for question in contested
        if question in one.answers and one.answers[question] == other.answers.get(question)
    ]
    telling = sorted(same, key=lambda answer: (answer.others / answer.asked, answer.game, answer.decision))
    regions = sorted(_find_regions(prints[pair.one], prints[pair.other]), key=lambda region: -region.prints)
    return replace(pair, regions=regions[:MAX_REGIONS], telling=telling[:MAX_TELLING])


def _find_regions(one: Prints, other: Prints) -> Iterator[Region]:
    """Yield the lines in which two bots have the same prints, by the place of the first bot."""
    places = sorted((at, other[name]) for name, at in one.items() if name in other)
    group: list[tuple[SourcePlace, SourcePlace]] = []
    for pair in [*places, None]:
        if group and (pair is None or not _continues(group[-1], pair)):
            yield Region(
                file=group[0][0].file,
                first=group[0][0].line,
                last=group[-1][0].line,
                other_file=group[0][1].file,
                other_first=min(at.line for _, at in group),
                other_last=max(at.line for _, at in group),
                prints=len(group),
            )
            group = []
        if pair is not None:
            group.append(pair)


def _continues(before: tuple[SourcePlace, SourcePlace], after: tuple[SourcePlace, SourcePlace]) -> bool:
    return all(
        was.file == now.file and abs(now.line - was.line) <= SAME_REGION for was, now in zip(before, after, strict=True)
    )
