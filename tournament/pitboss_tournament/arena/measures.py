"""What the games of an arena show: each round by itself, and over all rounds gain and over-fitting.

A round is measured by the deals that count. Ratings and points are above those of the last anchor, which is the same
bot in each round, so rounds can be compared. What is *over-fitted* is how much better a version is on the practice
deals, which its entrant knows, than on deals that nobody knew: the two are independent, and so the half-width of the
difference follows from both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from math import hypot
from pathlib import Path
from typing import Annotated, Final, TypeVar

from msgspec import Meta, Struct

from pitboss.text import join_words
from pitboss_tournament.arena.arena_folder import Arena
from pitboss_tournament.arena.freezing import BUILD_FILES
from pitboss_tournament.arena.journal import GAME_KINDS, Edited, Frozen, GameKind, Journal, Usage, Validated
from pitboss_tournament.arena.matches import enter_anchors
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.league.version_folder import digest_folder
from pitboss_tournament.plan.names import make_bot_name
from pitboss_tournament.plan.paths import BOT_FILE
from pitboss_tournament.processes.bot_contents import digest_contents
from pitboss_tournament.results.verdict import favour_lines, gift_lines, tell_verdict
from pitboss_tournament.statistics.proven_ranks import RankRange
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.store.store import Store

NOT_ESTIMATED: Final = Estimate(None, None)
N = TypeVar("N", int, float)


class EntrantScore(Struct, frozen=True, kw_only=True):
    """What the games of a round show of an entrant, or of an anchor."""

    name: str
    games: int = 0
    rating: Annotated[Estimate, Meta(description="Rating points above the last anchor.")] = NOT_ESTIMATED
    points: Annotated[Estimate, Meta(description="Points of a game above the last anchor.")] = NOT_ESTIMATED
    ranks: Annotated[
        RankRange | None, Meta(description="The ranks that it may have among the entrants; null: of an anchor.")
    ] = None
    faults: Annotated[dict[str, int], Meta(description="Forfeited games by their fault.")] = {}


class RoundScores(Struct, frozen=True, kw_only=True):
    """What the games of a round show on one kind of deals."""

    round: int
    kind: GameKind
    games: int
    winner: Annotated[str | None, Meta(description="The entrant that is proven better than each other one; or null.")]
    verdict: Annotated[list[str], Meta(description="What is proven, in sentences.")]
    scores: list[EntrantScore]
    gifts: Annotated[list[str], Meta(description="Bots that gain by one another, in sentences.")] = []

    def find(self, name: str) -> EntrantScore | None:
        """Return the score of a bot; None if it did not play."""
        return next((one for one in self.scores if one.name == name), None)


class RoundOfEntrant(Struct, frozen=True, kw_only=True):
    """A round of an entrant: how it edited, what played, and how well."""

    round: int
    edit: Annotated[str, Meta(description="How its command has ended.")]
    seconds: float
    cpu_s: float | None
    usage: Usage | None
    digest: Annotated[str, Meta(description="Of the version that played.")]
    is_new: Annotated[bool, Meta(description="Whether that version is another one than in the round before.")]
    refused: Annotated[str, Meta(description='Why a new version did not play; "" if none was refused.')] = ""
    tampered: Annotated[list[str], Meta(description="The judge's files in its work space that it changed.")] = []
    rating: Estimate = NOT_ESTIMATED
    points: Estimate = NOT_ESTIMATED
    ranks: RankRange | None = None
    overfit: Annotated[
        Estimate, Meta(description="Rating (or points) on practice deals less that on the deals that count.")
    ] = NOT_ESTIMATED
    faults: dict[str, int] = {}


class EntrantReport(Struct, frozen=True, kw_only=True):
    """An entrant over all rounds."""

    name: str
    rounds: list[RoundOfEntrant]
    gain: Annotated[Estimate, Meta(description="Rating (or points) in the last round less that in the first.")]
    seconds: Annotated[float, Meta(description="That its commands took, all rounds together.")]
    cpu_s: Annotated[float | None, Meta(description="Of the processor; null: the machine does not count it.")]
    tokens: Annotated[int | None, Meta(description="As its command says; null: it says nothing.")]
    dollars: Annotated[float | None, Meta(description="As its command says; null: it says nothing.")]
    same_as: Annotated[
        list[str],
        Meta(description="Other entrants that played the same sources in a round, other than the first ones."),
    ] = []


class ArenaReport(Struct, frozen=True, kw_only=True):
    """An arena: what its rounds show."""

    title: str
    game: str
    rounds: Annotated[int, Meta(description="That are over.")]
    planned: int
    measure: Annotated[str, Meta(description='"rating" or "points": what curves, gains and over-fitting count.')]
    anchor: Annotated[str, Meta(description="The bot whose rating is 0.")]
    winner: Annotated[str | None, Meta(description="Of the last round, if one is proven.")]
    verdict: list[str]
    gifts: Annotated[list[str], Meta(description="Bots that gain by one another in a round, in sentences.")] = []
    entrants: Annotated[list[EntrantReport], Meta(description="By their place in the last round.")]
    anchors: Annotated[list[EntrantScore], Meta(description="In the last round.")]


def find_anchor(arena: Arena) -> str:
    """Return the name of the bot whose rating is 0; "" if the arena has no anchor."""
    anchors = enter_anchors(arena)
    return anchors[-1].name if anchors else ""


def read_scores(arena: Arena, number: int, kind: GameKind) -> RoundScores | None:
    """Return what the games of a round show; None if they have not been played.

    Raises:
        StoreError: they cannot be read.
    """
    path = arena.folder.store(number, kind)
    return score_store(path, number, kind, list(arena.file.entrants), find_anchor(arena)) if path.exists() else None


def score_store(path: Path, number: int, kind: GameKind, entrants: Sequence[str], anchor: str) -> RoundScores:
    """Return what the games in a store show. `anchor`: the bot whose rating is 0, "" for the one in the middle."""
    with closing(Store(path)) as store:
        named = [make_bot_name(name) for name in entrants]
        found = StoredFindings(store, anchor=anchor if anchor in store.header.bots else None)
        team_scores = found.team_scores
        verdict = list(tell_verdict(found, team_scores))
        lines = {line.name: line for line in found.standings}
        numbers = {name: position for position, name in enumerate(found.names)}
        zero = numbers.get(anchor)
        if team_scores is not None:
            teams = {team.bots[0]: (place, team) for place, team in enumerate(found.teams)}
            ranks = team_scores.prove_ranks(anytime=found.anytime)
            scores = [
                EntrantScore(name=bots, games=team.blocks * (store.header.block_games or 1), points=team.points)
                for bots, (_, team) in teams.items()
            ]
            placed = [bots for bots in teams if bots in named]
            winner = next(
                (
                    one
                    for one in placed
                    if all(ranks.is_better(teams[one][0], teams[other][0]) for other in placed if other != one)
                ),
                None,
            )
            alone, remarks = len(placed) < 2, list[str]()
        else:
            ranges = found.rank_ranges
            copies = {bot for bot, first in found.first_partners.items() if bot != first}
            scores = [
                EntrantScore(
                    name=name,
                    games=lines[name].games,
                    rating=_rate(found, position, zero),
                    points=_count_points(found, position, zero),
                    ranks=ranges.get(name) if name in named else None,
                    faults=dict(lines[name].faults),
                )
                for name, position in numbers.items()
                if position not in copies
            ]
            winner, remarks = _find_winner(found, [one.name for one in scores if one.ranks == RankRange(1, 1)])
            alone = len([one for one in scores if one.ranks]) < 2
        return RoundScores(
            round=number,
            kind=kind,
            games=store.count_games(),
            winner=None if alone else winner,
            verdict=verdict,
            scores=scores,
            gifts=remarks,
        )


def _find_winner(found: StoredFindings, best: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the bot that is proven best, None of several, and remarks on those that gain by others.

    A bot that is proven best only by its games with a friend has not won.
    """
    remarks = [*gift_lines(found), *favour_lines(found)]
    if len(best) != 1:
        return None, remarks
    givers = [found.names[one.giver] for one in found.gifts.found if found.names[one.gainer] == best[0]]
    if givers and found.leave_out_gifts().rank_ranges.get(best[0]) != RankRange(1, 1):
        friends = join_words(givers, "and")
        return None, [*remarks, f"{best[0]} has not won: without its games with {friends} it is not proven better."]
    return best[0], remarks


def _rate(found: StoredFindings, bot: int, zero: int | None) -> Estimate:
    """Return a rating above that of the bot `zero`, or, without one, above the bot in the middle."""
    if zero is None:
        return found.ratings.rating_of(bot).points
    return Estimate(0.0, 0.0) if bot == zero else found.ratings.difference(bot, zero)


def _count_points(found: StoredFindings, bot: int, zero: int | None) -> Estimate:
    if zero is None or bot == zero:
        return NOT_ESTIMATED if zero is None else Estimate(0.0, 0.0)
    compared = found.point_differences.compare(bot, zero, anytime=found.anytime)
    return NOT_ESTIMATED if compared is None else compared.estimate


def subtract(one: Estimate, other: Estimate) -> Estimate:
    """Return the difference of two independent estimates; what is not known of one is not known of it."""
    if one.mean is None or other.mean is None:
        return NOT_ESTIMATED
    known = one.half_width is not None and other.half_width is not None
    return Estimate(one.mean - other.mean, hypot(one.half_width or 0, other.half_width or 0) if known else None)


def report_arena(arena: Arena, journal: Journal) -> ArenaReport:
    """Return what an arena's rounds show, those that are over.

    Raises:
        StoreError: games cannot be read.
    """
    over = journal.ended_rounds
    scores = {
        (number, kind): found
        for number in range(1, over + 1)
        for kind in GAME_KINDS
        if (found := read_scores(arena, number, kind)) is not None
    }
    last = scores.get((over, "judged"))
    measure = "points" if last is not None and all(one.rating.mean is None for one in last.scores) else "rating"
    reports = [_report_entrant(arena, journal, name, over, scores, measure) for name in arena.file.entrants]
    places = [] if last is None else [one.name for one in _sort_scores(last.scores, measure)]
    anchors = [] if last is None else [one for one in last.scores if one.name not in arena.file.entrants]
    return ArenaReport(
        title=arena.title,
        game=arena.game.name,
        rounds=over,
        planned=arena.file.rounds,
        measure=measure,
        anchor=find_anchor(arena),
        winner=None if last is None else last.winner,
        verdict=[] if last is None else last.verdict,
        gifts=[
            f"Round {number}: {line}"
            for (number, kind), found in scores.items()
            if kind == "judged"
            for line in found.gifts
        ],
        entrants=sorted(reports, key=lambda one: places.index(one.name) if one.name in places else len(places)),
        anchors=anchors,
    )


def _sort_scores(scores: Sequence[EntrantScore], measure: str) -> list[EntrantScore]:
    def place(one: EntrantScore) -> tuple[bool, float, str]:
        mean = getattr(one, measure).mean
        return mean is None, -(mean or 0.0), one.name

    return sorted(scores, key=place)


def digest_code(arena: Arena, version: str) -> str:
    """Return a digest of a version's sources without `bot.toml`, in which each bot has its own name; "" of none."""
    contents = digest_folder(arena.folder.versions / f"{version}.{BUILD_FILES}") if version else {}
    return digest_contents({name: digest for name, digest in contents.items() if name != BOT_FILE})


def _report_entrant(
    arena: Arena,
    journal: Journal,
    name: str,
    over: int,
    scores: Mapping[tuple[int, GameKind], RoundScores],
    measure: str,
) -> EntrantReport:
    rounds = list[RoundOfEntrant]()
    before = journal.choose_versions(0, [name]).get(name, "")
    first = before
    twins = dict[str, None]()
    for number in range(1, over + 1):
        edited = journal.find_edited(number, name)
        played = journal.find_played(number, "judged")
        digest = "" if played is None else played.bots.get(name, "")
        judged, practice = (
            None if (found := scores.get((number, kind))) is None else found.find(name)
            for kind in ("judged", "practice")
        )
        judged, practice = judged or EntrantScore(name=name), practice or EntrantScore(name=name)
        if played is not None and digest and (code := digest_code(arena, digest)) != digest_code(arena, first):
            twins |= {
                other: None for other, own in played.bots.items() if other != name and digest_code(arena, own) == code
            }
        rounds.append(
            RoundOfEntrant(
                round=number,
                edit="not started" if edited is None else edited.run.end,
                seconds=0.0 if edited is None else edited.run.seconds,
                cpu_s=None if edited is None else edited.run.cpu_s,
                usage=None if edited is None else edited.usage,
                tampered=[] if edited is None else edited.tampered,
                digest=digest,
                is_new=digest != before,
                refused=tell_refusal(journal, number, name),
                rating=judged.rating,
                points=judged.points,
                ranks=judged.ranks,
                overfit=subtract(getattr(practice, measure), getattr(judged, measure)),
                faults=judged.faults,
            )
        )
        before = digest
    edits = [one for one in journal.list_entries(Edited) if one.entrant == name and one.round <= over]
    usages = [one.usage for one in edits if one.usage is not None]
    seconds = [one.run.cpu_s for one in edits]
    known = [getattr(one, measure) for one in rounds]
    return EntrantReport(
        name=name,
        rounds=rounds,
        gain=subtract(known[-1], known[0]) if len(known) > 1 else NOT_ESTIMATED,
        seconds=sum(one.run.seconds for one in edits),
        cpu_s=None if None in seconds else sum(filter(None, seconds)),
        tokens=_add_known([one.tokens for one in usages]),
        dollars=_add_known([one.dollars for one in usages]),
        same_as=list(twins),
    )


def _add_known(values: Sequence[N | None]) -> N | None:
    """Return the sum of the values that are known; None if none is."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def tell_refusal(journal: Journal, number: int, name: str) -> str:
    """Return why a version that an entrant made in a round does not play; "" if it plays, or is an old one."""
    frozen = journal.find_frozen(number, name)
    if frozen is None:
        return ""
    if not frozen.digest:
        return frozen.why
    validated = journal.find_validated(name, frozen.digest)
    return "" if validated is None or validated.evidence.is_good else validated.evidence.seen


def list_refused_checks(journal: Journal, number: int, name: str) -> Validated | None:
    """Return what the version that an entrant made in a round has shown, if it was looked at in that round."""
    frozen: Frozen | None = journal.find_frozen(number, name)
    return None if frozen is None else journal.find_validated(name, frozen.digest)
