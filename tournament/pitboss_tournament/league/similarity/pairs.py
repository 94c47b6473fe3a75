"""Pairs of bots of different owners that are more alike than is usual in a class, with what shows it.

What is alike is no proof: a simple idea has one good program, and a lesson gives the class the same code. So prints
that are in a starter bot, in what the class was given, or in the bots of many owners, do not count; answers count where
the class is divided, rare ones more; and a pair stands out only above what is usual in this class. People judge.

By source that is a bound for all pairs. By answers it is not, for bots of one idea answer alike, each with each, and
some ideas are nearer to each other than others: two bots stand out if both are NEARER times as near to each other as to
the bots of anybody else (as in Lowe 2004, *Distinctive image features from scale-invariant keypoints*). Of 60 points
drawn at random in four dimensions, singly or in groups, less than half a pair is as near by chance, and less in more
dimensions. Two classes that were made to try this have 4.4 and 5.7 dimensions (by the estimate of Facco and others
2017, *Estimating the intrinsic dimension of datasets by a minimal neighborhood information*).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from statistics import quantiles
from typing import Annotated, Any, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from pitboss_tournament.league.similarity.answers import Answers, CountedAnswers, count_answers, weigh_agreement
from pitboss_tournament.league.similarity.source_prints import Prints, ReadSources, SourcePlace

MIN_OWN_PRINTS: Final = 12  # of each bot, beside those of many; fewer are not compared
MIN_QUESTIONS: Final = 20  # in which the class is divided, that both have answered
MIN_PAIRS: Final = 6  # for a background
ALWAYS_OUT: Final = 0.98  # always stands out
MIN_SOURCE: Final = 0.3  # less never stands out
NEARER: Final = 3.0  # times as near to each other as to any other bot; then they answer alike at 2/3 at least
COMMON_SHARE: Final = 0.2  # of the owners, and COMMON_OWNERS of them, have a print in common: a lesson's code
COMMON_OWNERS: Final = 4
FAR_OUT: Final = 3.0  # interquartile ranges above the upper quartile (Tukey 1977, Exploratory Data Analysis)
SAME_REGION: Final = 8  # lines between two prints of a region at most
MAX_REGIONS: Final = 5
MAX_TELLING: Final = 8


class ComparedBot(Struct, frozen=True, kw_only=True):
    """A bot that is compared: its version's label, owner, sources, and answers."""

    label: str
    owner: str
    sources: ReadSources | None  # None: they could not be read
    answers: Answers

    @property
    def prints(self) -> Prints:
        """The prints of its sources, as far as they could be read."""
        return {} if self.sources is None else self.sources.prints


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
        Meta(
            description="Share of equal answers where the class is divided, each weighed by the negative logarithm of "
            "the share of the bots that give it; null: too few were answered."
        ),
    ]
    next: Annotated[
        float | None, Meta(description="The most that `answers` is for either bot with a bot of a third owner.")
    ] = None
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
    starters: Annotated[
        list[str], Meta(description="Bots with hardly any source of their own: pairs of them do not stand out.")
    ]
    slight: Annotated[
        list[str],
        Meta(description="Other bots with too little source to be compared: what else they have is no source."),
    ]
    unread: Annotated[list[str], Meta(description="Bots whose sources could not be read in time.")]
    unasked: Annotated[list[str], Meta(description="Bots that answered too few questions, or ask a language model.")]
    pairs: list[SimilarPair]


def compare_bots(league: str, bots: Sequence[ComparedBot], known: Collection[str], games: int) -> SimilarityReport:
    """Return the pairs of bots of different owners.

    `known`: prints of starter bots and the like, which everybody has. `games`: of which questions were asked.
    """
    common = {*known, *_find_common(bots)}
    prints = {bot.label: {one: at for one, at in bot.prints.items() if one not in common} for bot in bots}
    answers = count_answers({bot.label: bot.answers for bot in bots})
    compared = [
        _compare_pair(one, other, prints, answers) for one, other in combinations(bots, 2) if one.owner != other.owner
    ]
    pairs = [*_add_next(compared)]
    usual = _find_usual([one.source for one in pairs])
    few = [bot for bot in bots if bot.sources is not None and len(prints[bot.label]) < MIN_OWN_PRINTS]
    starters = [bot.label for bot in few if _is_starter(bot)]
    marked = [_mark(pair, usual, starters) for pair in pairs]
    return SimilarityReport(
        league=league,
        bots=len(bots),
        games=games,
        contested=len({question for own in answers.values() for question in own}),
        usual_source=usual,
        starters=starters,
        slight=[bot.label for bot in few if not _is_starter(bot)],
        unread=[bot.label for bot in bots if bot.sources is None],
        unasked=[bot.label for bot in bots if len(answers[bot.label]) < MIN_QUESTIONS],
        pairs=[_show(pair, prints, answers) if pair.stands_out else pair for pair in sorted(marked, key=_order)],
    )


def _find_common(bots: Sequence[ComparedBot]) -> Iterator[str]:
    """Yield the prints that the bots of many owners have."""
    owners: dict[str, set[str]] = {}
    for bot in bots:
        for one in bot.prints:
            owners.setdefault(one, set()).add(bot.owner)
    many = max(COMMON_OWNERS, COMMON_SHARE * len({bot.owner for bot in bots}))
    return (one for one, having in owners.items() if len(having) >= many)


def _is_starter(bot: ComparedBot) -> bool:
    """Whether a bot with few prints of its own consists of sources that have prints: what it does is in them."""
    return bot.sources is not None and bool(bot.sources.prints) and not bot.sources.others


def _compare_pair(
    one: ComparedBot, other: ComparedBot, prints: Mapping[str, Prints], answers: Mapping[str, CountedAnswers]
) -> SimilarPair:
    its_prints, other_prints = prints[one.label], prints[other.label]
    its_answers, other_answers = answers[one.label], answers[other.label]
    least = min(len(its_prints), len(other_prints))
    both = its_answers.keys() & other_answers.keys()
    same = [answer for question in both if (answer := its_answers[question]).action == other_answers[question].action]
    return SimilarPair(
        one=one.label,
        one_owner=one.owner,
        other=other.label,
        other_owner=other.owner,
        source=len(its_prints.keys() & other_prints.keys()) / least if least >= MIN_OWN_PRINTS else None,
        answers=weigh_agreement(its_answers, other_answers) if len(both) >= MIN_QUESTIONS else None,
        questions=len(both),
        alone=sum(answer.others == 0 for answer in same),
        stands_out=[],
    )


def _add_next(pairs: Sequence[SimilarPair]) -> Iterator[SimilarPair]:
    """Yield the pairs with what is the most that either bot has in common with a bot of a third owner."""
    near: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for pair in pairs:
        if pair.answers is not None:
            near[pair.one].append((pair.answers, pair.other_owner))
            near[pair.other].append((pair.answers, pair.one_owner))
    for own in near.values():
        own.sort(reverse=True)
    for pair in pairs:
        two = (pair.one_owner, pair.other_owner)
        firsts = (
            next((value for value, owner in near[one] if owner not in two), None) for one in (pair.one, pair.other)
        )
        yield replace(pair, next=max((value for value in firsts if value is not None), default=None))


def _find_usual(values: Sequence[float | None]) -> float | None:
    """Return how alike the sources of pairs usually are at most; None if there are too few to tell."""
    known = [value for value in values if value is not None]
    if len(known) < MIN_PAIRS:
        return None
    lower, _, upper = quantiles(known, n=4, method="inclusive")
    return min(max(upper + FAR_OUT * (upper - lower), MIN_SOURCE), ALWAYS_OUT)


def _mark(pair: SimilarPair, usual: float | None, starters: Collection[str]) -> SimilarPair:
    if pair.one in starters and pair.other in starters:
        return pair
    marks = list[str]()
    if pair.source is not None and pair.source >= (ALWAYS_OUT if usual is None else usual):
        marks.append("source")
    if pair.answers is not None and (pair.answers >= ALWAYS_OUT or _are_nearest(pair.answers, pair.next)):
        marks.append("answers")
    return replace(pair, stands_out=marks)


def _are_nearest(answers: float, next_answers: float | None) -> bool:
    """Whether two bots are much nearer to each other than to other bots, of which the nearest answers so much alike."""
    return next_answers is not None and NEARER * (1 - answers) <= 1 - next_answers


def _order(pair: SimilarPair) -> tuple[int, int, float]:
    """Return the sort key of a pair: those first that stand out by more, then those with answers of their own."""
    alone = pair.alone if "answers" in pair.stands_out else 0
    return -len(pair.stands_out), -alone, -max(pair.source or 0.0, pair.answers or 0.0)


def _show(pair: SimilarPair, prints: Mapping[str, Prints], answers: Mapping[str, CountedAnswers]) -> SimilarPair:
    """Return a pair with its regions of equal prints and its most telling answers."""
    other = answers[pair.other]
    same = [
        TellingAnswer(
            game=question.game,
            decision=question.decision,
            action=answer.action,
            others=answer.others,
            asked=answer.asked,
        )
        for question, answer in answers[pair.one].items()
        if question in other and answer.action == other[question].action
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
