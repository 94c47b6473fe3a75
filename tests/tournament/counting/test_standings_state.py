"""What standings keep of their games, and how they go on from that: as if they had seen all games at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pitboss.outcome import Sides
from pitboss_tournament.counting.counts import VERSION_SD, Counts, CountsState
from pitboss_tournament.counting.findings import Findings
from pitboss_tournament.counting.tally import Tally, TallyState
from pitboss_tournament.plan.plan import BotAbout
from pitboss_tournament.statistics import rankings as rankings_module
from pitboss_tournament.statistics.rankings import RankingCounts, RankingTotals
from pitboss_tournament.statistics.same_cards import convert_games, convert_results, count_matchpoints
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.statistics.time_histogram import write_times
from pitboss_tournament.store.header import Header, make_header
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.random_results import make_random_plan

SEATS = 3
STRENGTHS = (1.0, 0.4, 0.0, -0.3, -0.9)


def draw_games(blocks: int, seed: int, bots: int = len(STRENGTHS), faults: bool = False) -> list[GameResult]:
    """Return the games of a tournament in any order, of which some blocks may not be complete."""
    rng = Random(seed)
    world = SyntheticTournament(strengths=STRENGTHS[:bots], seats=SEATS, card_share=0.4, step=5.0)
    games = [replace(game, game_id=number) for number, game in enumerate(world.games(blocks, rng))]
    rng.shuffle(games)
    return [_add_times(game, rng, faults) for game in games]


def _add_times(game: GameResult, rng: Random, faults: bool) -> GameResult:
    seats = []
    for seat in game.seats:
        us = [rng.randrange(1, 5_000) for _ in range(3)]
        fault = "late" if faults and rng.random() < 0.2 else None
        substituted = {"illegal": 1} if faults and rng.random() < 0.1 else {}
        seats.append(
            replace(seat, decisions=3, think_us=sum(us), think=write_times(us), fault=fault, substituted=substituted)
        )
    return replace(game, seats=tuple(seats), lag=write_times([rng.randrange(1, 300)]))


def pass_through_msgpack(value: object) -> object:
    """Return a value as it comes back from a store."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(value), type=type(value))


# ---- rankings


class KeptParts:
    """The parts of rankings, as checkpoints keep them: again and again, only those that are new or have changed."""

    def __init__(self) -> None:
        self.parts: dict[int, bytes] = {}
        self.totals: RankingTotals | None = None

    def keep(self, rankings: RankingCounts) -> None:
        """Keep what there is now."""
        first = max(0, len(self.parts) - 1)
        self.parts |= dict(enumerate(rankings.pack_parts(first), start=first))
        kept = pass_through_msgpack(rankings.totals())
        assert isinstance(kept, RankingTotals)
        self.totals = kept

    def restore(self, sides: Sides | None) -> RankingCounts:
        """Return the rankings that were kept."""
        rankings = RankingCounts(sides, SEATS)
        assert self.totals is not None
        rankings.restore(self.totals, self.parts.values())
        return rankings


@given(
    blocks=st.integers(0, 60),
    seed=st.integers(0, 1 << 20),
    cuts=st.lists(st.floats(0, 1), min_size=1, max_size=4),
    part=st.integers(1, 90),
    sides=st.sampled_from([None, ((0, 1), (2,))]),
)
def test_rankings_that_are_kept_and_restored(
    blocks: int, seed: int, cuts: list[float], part: int, sides: Sides | None
) -> None:
    """Rankings that are kept and restored, however often, and went on from there, are those of all games, block by
    block.
    """
    games = draw_games(blocks, seed)
    at_once, going_on, kept = RankingCounts(sides, SEATS), RankingCounts(sides, SEATS), KeptParts()
    for game in games:
        at_once.add(game)
    ends = [*(round(cut * len(games)) for cut in sorted(cuts)), len(games)]
    with patch.object(rankings_module, "PART_NUMBERS", part):
        for begin, end in zip([0, *ends], ends, strict=False):
            for game in games[begin:end]:
                going_on.add(game)
            kept.keep(going_on)
            going_on = kept.restore(sides)

    assert at_once.contenders == going_on.contenders
    assert [list(map(list, block)) for block in at_once.blocks()] == [list(map(list, one)) for one in going_on.blocks()]
    assert (at_once.block_count, at_once.totals()) == (going_on.block_count, going_on.totals())


def test_rankings_whose_numbers_have_grown() -> None:
    """Parts that were kept while numbers took one byte go with those of later ones that take two."""
    kept, rankings = KeptParts(), RankingCounts(block_games=2)
    with patch.object(rankings_module, "PART_NUMBERS", 64):
        for bot in range(0, 400, 2):
            world = SyntheticTournament(strengths=(0.0,) * 400, seats=2)
            for game in world._make_block(bot, 0, (bot, bot + 1), Random(bot)):
                rankings.add(game)
            kept.keep(rankings)
    assert {b"B", b"H"} == {part[:1] for part in kept.parts.values()}
    restored = RankingCounts(block_games=2)
    assert kept.totals is not None
    restored.restore(kept.totals, kept.parts.values())
    assert list(rankings.blocks()) == list(restored.blocks())


def test_rankings_that_lack_a_part() -> None:
    """Rankings that lack a part are refused."""
    rankings = RankingCounts(block_games=SEATS)
    for game in draw_games(20, 1):
        rankings.add(game)
    with pytest.raises(ValueError, match=r"0 numbers of rankings; expected 240"):
        RankingCounts(block_games=SEATS).restore(rankings.totals(), [])


# ---- standings


@given(
    blocks=st.integers(1, 40),
    seed=st.integers(0, 1 << 20),
    cut=st.floats(0, 1),
    early=st.integers(SEATS, len(STRENGTHS)),
    joins_before=st.booleans(),
)
def test_standings_that_go_on(blocks: int, seed: int, cut: float, early: int, joins_before: bool) -> None:
    """Standings that go on from their totals and open blocks are those of all games, also where bots join, before or
    afterwards.
    """
    names = [f"b{number}" for number in range(len(STRENGTHS))]
    old = draw_games(blocks, seed, early, faults=True)
    new = [replace(game, pairing=game.pairing + 1_000) for game in draw_games(blocks, seed + 1, faults=True)]
    half = round(cut * len(old))
    at_once = Tally(names, SEATS, disqualify_after=5)
    at_once.add_all([*old, *new])

    first = Tally(names[:early], SEATS, disqualify_after=5)
    first.add_all(old[:half])
    if joins_before:
        first.make_room(names)
    totals, opened = pass_through_msgpack(first.dump()), first.open_blocks
    assert isinstance(totals, TallyState)
    going_on = Tally(names, SEATS, disqualify_after=5)
    going_on.load(totals, opened)
    going_on.add_all([*old[half:], *new])

    assert at_once.dump() == going_on.dump()
    assert at_once.standings() == going_on.standings()
    assert at_once.list_disqualified() == going_on.list_disqualified()
    assert {(block[0].pairing, block[0].deal) for block in at_once.open_blocks} == {
        (block[0].pairing, block[0].deal) for block in going_on.open_blocks
    }


@given(seed=st.integers(0, 1 << 20), cut=st.floats(0, 1))
def test_bots_that_join_while_games_wait_to_be_counted(seed: int, cut: float) -> None:
    """Times and games of those who were there before are counted all the same."""
    names, games = ["a", "b", "c", "d", "e"], draw_games(8, seed)
    at_once, growing = Tally(names, SEATS, 5), Tally(names, SEATS, 5)
    at_once.add_all(games)
    half = round(cut * len(games))
    growing.add_all(games[:half])
    growing.make_room([*names, "f", "g"])
    growing.add_all(games[half:])

    assert at_once.standings() == [line for line in growing.standings() if line.games]
    assert [growing.count_games(bot) for bot in range(7)] == [*(at_once.count_games(bot) for bot in range(5)), 0, 0]


# ---- standings with ratings


def make_league_header(names: Sequence[str], owner: str = "ann") -> Header:
    """Return the header of a league of these bots; `b1` again is its next version."""
    made = make_header(make_random_plan("ladder", len(names), SEATS, 1, {"overlapping": True}), "1", "0")
    entries = [
        replace(entry, name=name, version=1 + names[:number].count(name), about=BotAbout(owner=owner))
        for number, (entry, name) in enumerate(zip(made.entries, names, strict=True))
    ]
    return replace(made, entries=entries)


NAMES = ("b0", "b1", "b2", "b3", "b1")  # the last is the second version of b1


def dump(counts: Counts) -> tuple[CountsState, list[bytes]]:
    """Return what counts dump, as it comes back from a store."""
    state = pass_through_msgpack(counts.dump())
    assert isinstance(state, CountsState)
    return state, list(counts.rankings.pack_parts())


def list_means(counts: Counts) -> list[float | None]:
    """Return the ratings by bot."""
    return [counts.rate_bots().rating_of(bot).points.mean for bot in range(len(counts.names))]


@given(
    blocks=st.integers(0, 40),
    seed=st.integers(0, 1 << 20),
    cut=st.floats(0, 1),
    early=st.integers(SEATS, len(STRENGTHS)),
    is_scored_by_block=st.booleans(),
)
def test_counts_that_go_on(blocks: int, seed: int, cut: float, early: int, is_scored_by_block: bool) -> None:
    """Counts that are dumped and loaded after any game, where bots join then, are the counts of all games."""
    conversion = partial(convert_games, convert=count_matchpoints, sides=None) if is_scored_by_block else None
    then, header = make_league_header(NAMES[:early]), make_league_header(NAMES)
    old = draw_games(blocks, seed, early, faults=True)
    new = [replace(game, pairing=game.pairing + 1_000) for game in draw_games(blocks, seed + 1, faults=True)]
    half = round(cut * len(old))
    at_once, going_on = (Counts(header, convert_block=conversion) for _ in range(2))
    at_once.add_all([*old, *new])

    first = Counts(then, convert_block=conversion)
    first.add_all(old[:half])
    first.held = {0: 12.5}
    going_on.load(*dump(first))
    assert dump(going_on) == dump_with_room(first, header)
    going_on.add_all([*old[half:], *new])

    assert sort_blocks(replace(at_once.dump(), held={0: 12.5})) == sort_blocks(going_on.dump())
    assert [*map(list, at_once.rankings.blocks())] == [*map(list, going_on.rankings.blocks())]


def dump_with_room(counts: Counts, header: Header) -> tuple[CountsState, list[bytes]]:
    """Return what counts dump when all bots of a header have joined."""
    counts.change_header(header)
    return dump(counts)


def sort_blocks(state: CountsState) -> CountsState:
    """Return a state whose open blocks are in the order of their deals."""
    return replace(state, open_blocks=sorted(state.open_blocks, key=lambda block: (block[0].pairing, block[0].deal)))


@pytest.mark.parametrize("cut", [0, 10, 47, 90])
@pytest.mark.parametrize("joins_before", [True, False])
def test_ratings_that_go_on(cut: int, joins_before: bool) -> None:
    """Ratings that go on from their state are those of all games: a bot that joins is taken in before, or by the new
    header.
    """
    early, header = make_league_header(NAMES[:4]), make_league_header(NAMES)
    old = draw_games(30, 1, bots=4)
    new = [replace(game, pairing=game.pairing + 1_000) for game in draw_games(40, 2)]
    at_once = Counts(header)
    at_once.add_all([*old, *new])

    first = Counts(early)
    first.add_all(old[:cut])
    assert len(first.rate_bots().lines) == 4
    if joins_before:
        first.change_header(header)
    going_on = Counts(header)
    going_on.load(*dump(first))
    going_on.add_all([*old[cut:], *new])

    expected, found = (Findings(counts, anytime=True) for counts in (at_once, going_on))
    assert expected.ratings == found.ratings
    assert expected.standings == found.standings
    assert expected.dump() == found.dump()
    assert expected.cycles == found.cycles


def test_findings_of_a_moment_that_has_passed() -> None:
    """Findings refuse to answer with games that they did not have when they were made."""
    counts = Counts(make_league_header(NAMES))
    games = draw_games(10, 1)
    counts.add_all(games[:20])
    found = Findings(counts)
    assert found.tally.games == 20
    counts.add(games[20])

    with pytest.raises(ValueError, match="these are findings of 20 games"):
        found.standings  # noqa: B018


@pytest.mark.parametrize("cut", [0, 47])
def test_blocks_that_are_scored_as_they_end(cut: int) -> None:
    """Standings are those of games that were scored before, also when they go on from their state."""
    header, games = make_league_header(NAMES), draw_games(40, 2)
    conversion = partial(convert_games, convert=count_matchpoints, sides=None)
    scored = Counts(header)
    scored.add_all(convert_results(games, count_matchpoints, header.block_size, None, by_deal=False))
    first, going_on = (Counts(header, convert_block=conversion) for _ in range(2))
    first.add_all(games[:cut])
    going_on.load(*dump(first))
    going_on.add_all(games[cut:])

    assert Findings(going_on, anytime=True).standings == Findings(scored, anytime=True).standings
    assert list_means(going_on) == pytest.approx(list_means(scored))
    assert not going_on.tally.lowest_wins


def test_a_version_begins_near_the_one_before() -> None:
    """The rating of a version is drawn to that of its predecessor after its first block; in a tournament without owners
    it is not.
    """
    games = [game for game in draw_games(1_000, 3) if not _has_both(game, 1, 4)]
    old = [game for game in games if all(seat.entrant != 4 for seat in game.seats)]
    new = [game for game in games if any(seat.entrant == 4 for seat in game.seats)][:3]
    found = {}
    for owner in ("ann", ""):
        counts = Counts(make_league_header(NAMES[:4], owner))
        counts.add_all(old)
        counts.change_header(make_league_header(NAMES, owner))
        counts.add_all(new)
        means = list_means(counts)
        assert means[1] is not None
        assert means[4] is not None
        found[owner] = abs(means[4] - means[1])

    assert found["ann"] < VERSION_SD
    assert found["ann"] < 0.7 * found[""]


def test_ratings_that_are_held_stay_held() -> None:
    """Ratings that are held are kept and restored with the rest, and do not move with later games."""
    header = make_league_header(NAMES)
    first = Counts(header)
    first.add_all(draw_games(60, 4))
    first.held = {0: 300.0, 3: -250.0}
    going_on = Counts(header)
    going_on.load(*dump(first))
    free = Counts(header)
    free.load(*dump(replace_held(first)))

    assert going_on.held == {0: 300.0, 3: -250.0}
    assert list_means(first) == list_means(going_on) != list_means(free)
    going_on.add_all(replace(game, pairing=game.pairing + 1_000) for game in draw_games(30, 5))
    assert going_on.rate_bots().difference(0, 3).mean == pytest.approx(550.0)


def replace_held(counts: Counts) -> Counts:
    """Return the same counts with no rating held."""
    copy = Counts(make_league_header(NAMES))
    copy.load(*dump(counts))
    copy.held = {}
    return copy


def _has_both(game: GameResult, one: int, other: int) -> bool:
    return {one, other} <= {seat.entrant for seat in game.seats}
