"""The verdict in words: who is better than whom, which bots do not differ, and how many more games would show it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import msgspec
import pytest
from msgspec.structs import replace

from pitboss_tournament.counting.counts import Counts
from pitboss_tournament.counting.findings import Findings, KeptFindings
from pitboss_tournament.results.verdict import (
    detail_verdict,
    favour_lines,
    format_rough_count,
    format_sureness,
    tell_verdict,
    unproven_line,
    verdict_lines,
)
from pitboss_tournament.statistics.scoring import GameResult, SeatResult
from pitboss_tournament.statistics.sequential_test import count_blocks_to_proof
from pitboss_tournament.store.header import Header
from tests.tournament.restored_findings import restore_findings
from tests.tournament.statistics.ranked_blocks import rank_direct_results

NAMES = ("ann", "bea", "cid", "dan", "eve", "fay", "gus")
FIELD = "Verdict against this field, by places"


def words(bots: int, blocks: Sequence[tuple[Sequence[int], int]], games: int = 100) -> list[str]:
    """Return the verdict on bots after blocks: the order in which some bots ended, and how often."""
    return list(verdict_lines(rank_direct_results(bots, blocks), NAMES[:bots], games))


def unproven(bots: int, blocks: Sequence[tuple[Sequence[int], int]]) -> str | None:
    """Return the sentence on the bots that share ranks after these blocks."""
    return unproven_line(rank_direct_results(bots, blocks), NAMES[:bots])


def test_two_bots() -> None:
    """The verdict on two bots says which is better and how sure that is; before it is proven, it says how many more
    games would prove it.
    """
    assert words(2, [((0, 1), 30)]) == [
        "Verdict head to head, by places, more than 99.99 % sure: ann is better than bea."
    ]
    undecided, outlook = words(2, [((0, 1), 20), ((1, 0), 10)], games=60)
    assert undecided == "Verdict head to head, by places: no difference between ann and bea is proven yet."
    blocks = count_blocks_to_proof({1.0: 20, -1.0: 10})  # of two games each
    games = format_rough_count(2 * (blocks or 0))
    assert outlook == f"About {games} more games would probably show which bot is better."


def test_two_equal_bots() -> None:
    """The verdict on two equal bots makes no number of games up."""
    assert words(2, [((0, 1), 10), ((1, 0), 10)]) == [
        "Verdict head to head, by places: no difference between ann and bea is proven yet.",
        "Some bots are nearly equal so far: no realistic number of games would show which bot is better.",
    ]


def test_bots_that_beat_each_other_in_a_cycle() -> None:
    """The verdict on bots that beat each other in a cycle foretells no number of games, of the bots beside them
    neither: more games do not settle all ranks.
    """
    cycle = [((0, 1), 30), ((1, 2), 30), ((2, 0), 30)]
    never = "No number of games would settle all ranks: some bots beat each other in a cycle, so no order is right."

    assert words(3, cycle) == [f"{FIELD}: no difference between the 3 bots is proven yet.", never]
    assert words(4, [*cycle, ((0, 3), 8), ((1, 3), 8), ((2, 3), 8)])[-1] == never


def test_a_settled_ranking() -> None:
    """The verdict on a settled ranking is one sentence, and asks for no more games."""
    assert words(4, [((0, 1, 2, 3), 60)]) == [
        f"{FIELD}, more than 99.99 % sure: each of ann, bea, cid and dan is better than the next."
    ]


def test_bots_that_share_ranks() -> None:
    """The verdict says which bots are better than which, without what follows from that, and lists the shared ranks."""
    blocks = [((0, 1, 2, 3), 30), ((0, 2, 1, 3), 28)]
    lines = words(4, blocks)

    assert lines[0].endswith("sure: ann is better than bea and cid; bea and cid are better than dan.")
    assert lines[1].startswith("About ") and lines[1].endswith(" more games would probably settle all ranks.")
    assert unproven(4, blocks) == "No difference is proven between bea and cid."


def test_no_sole_leader() -> None:
    """The verdict without a sole leader says how many games would tell which is best, and how many more would settle
    all ranks.
    """
    apart = [((one, two), 40) for one in (0, 1) for two in (2, 3)]
    blocks = [((0, 1), 20), ((1, 0), 12), ((2, 3), 20), ((3, 2), 18), *apart]
    lines = words(4, blocks)

    assert lines[0].endswith("sure: ann and bea are better than cid and dan.")
    assert unproven(4, blocks) == "No difference is proven between ann and bea, nor between cid and dan."
    told = re.fullmatch(
        r"About ([\d,]+) more games would probably show .*, and about ([\d,]+) more games would .* settle .*", lines[1]
    )
    assert told
    of_best, of_all = (int(number.replace(",", "")) for number in told.groups())
    assert 100 < of_best < of_all / 10


def test_many_bots() -> None:
    """The verdict on many bots tells the first, the last, and how many differences are proven, where it would take long
    to say which is better than which.
    """
    blocks = [((one, two), 60) for one in range(7) for two in range(one + 2, 7)]
    blocks += [(pair, 1) for pair in pairwise(range(7))]
    lines = words(7, blocks)

    assert lines[0].endswith("sure: the best is ann or bea; the last is fay or gus; 15 of 21 differences are proven.")
    assert lines[1].startswith("About ")
    assert (unproven(7, blocks) or "").endswith("eve and fay, nor between fay and gus.")


def test_too_few_games() -> None:
    """The verdict after too few games claims nothing, and plans nothing; a bot without company is said to be alone."""
    assert words(3, [((0, 1, 2), 2)]) == [
        f"{FIELD}: no difference between the 3 bots is proven yet.",
        "An estimate of the games needed appears after 5 blocks per bot.",
    ]
    assert words(0, []) == ["Verdict: there are too few games for a verdict."]
    assert words(1, []) == ["Verdict: ann is the only bot; there is no other bot to compare it with."]
    alone = list(verdict_lines(rank_direct_results(1, []), NAMES, 10))
    assert alone == [
        "Verdict: ann is the only bot with complete blocks that is not out; there is none to compare it with."
    ]
    teams = list(verdict_lines(rank_direct_results(1, []), ["ann + bea"], 10, "team"))
    assert teams == ["Verdict: ann + bea is the only team; there is no other team to compare it with."]


def test_a_class_of_thirty() -> None:
    """No sentence names each pair: it says who may be first and last, and how many differences are proven."""
    names = [f"bot{number:02}" for number in range(30)]
    blocks = [((one, two), 60) for one in range(30) for two in range(one + 1, 30)]
    settled = list(verdict_lines(rank_direct_results(30, blocks), names, 100))
    part = [((one, two), 60) for one in range(30) for two in range(one + 10, 30)]
    open_ranks = list(verdict_lines(rank_direct_results(30, part), names, 100))

    assert settled == [
        f"{FIELD}, more than 99.99 % sure: the best is bot00; the last is bot29; 435 of 435 differences are proven."
    ]
    assert open_ranks[0] == (
        f"{FIELD}, more than 99.99 % sure: the best is one of 10 bots; the last is one of 10 bots; "
        "210 of 435 differences are proven."
    )
    assert unproven_line(rank_direct_results(30, part), names) is None


@pytest.mark.parametrize(
    ("sureness", "written"),
    [(0.95, "95 %"), (0.9899, "98 %"), (0.9989, "99.8 %"), (0.99989, "99.98 %"), (1.0, "more than 99.99 %")],
)
def test_nothing_is_certain(sureness: float, written: str) -> None:
    """A sureness is rounded down, and never 100 %."""
    assert written == format_sureness(sureness)


@pytest.mark.parametrize(
    ("number", "written"), [(0.2, "1"), (7.4, "7"), (43.2, "43"), (1234.5, "1,200"), (96_100, "96,000")]
)
def test_plans_are_rough(number: float, written: str) -> None:
    """A planned number of games has two significant digits."""
    assert written == format_rough_count(number)


def forfeit(number: int, pairing: int, entrants: tuple[int, int], *, loser: int | None) -> GameResult:
    """Return a game of two bots that one of them forfeited, or the first one won."""
    won = [entrant != loser for entrant in entrants] if loser is not None else [True, False]
    seats = tuple(
        SeatResult(
            entrant,
            float(is_won),
            1 if is_won else 2,
            float(is_won),
            None if entrant != loser else "late",
            {},
            1,
            1,
            "",
        )
        for entrant, is_won in zip(entrants, won, strict=True)
    )
    return GameResult(number, pairing, number // 2, number % 2, seats)


def rate(header: Header, games: Sequence[GameResult], bots: Sequence[str] = ("a", "b")) -> Findings:
    """Return the standings after some games."""
    counts = Counts(replace(header, entries=[replace(header.entries[0], name=bot) for bot in bots]))
    counts.add_all(games)
    return Findings(counts)


def test_all_games_forfeited(header: Header) -> None:
    """Forfeits in all games are a verdict of their own, whichever bots forfeited: no more games of this kind would tell
    anything.
    """
    ours = [forfeit(number, 0, (0, 1), loser=1) for number in range(8)]
    both = [forfeit(number, 0, (0, 1), loser=number % 2) for number in range(8)]

    assert list(tell_verdict(rate(header, ours), None)) == [
        "Verdict: all 8 games were forfeited (b 8); that tells nothing about how the bots play."
    ]
    assert list(tell_verdict(rate(header, both), None)) == [
        "Verdict: all 8 games were forfeited (a 4, b 4); that tells nothing about how the bots play."
    ]
    played = [*ours, forfeit(8, 0, (0, 1), loser=None), forfeit(9, 0, (0, 1), loser=None)]
    assert "forfeited" not in " ".join(tell_verdict(rate(header, played), None))


def test_what_a_bracket_can_tell(header: Header) -> None:
    """A knockout is said to prove little; no other format is."""
    games = [forfeit(0, 0, (0, 1), loser=None)]
    knockout = replace(header, format=replace(header.format, name="knockout"))

    assert list(detail_verdict(rate(knockout, games), None))[-1].startswith("A knockout finds a winner, and few proofs")
    assert "knockout" not in " ".join(detail_verdict(rate(header, games), None))


def favour_games(*, with_third: bool) -> list[GameResult]:
    """Return games in which the first bot forfeits to the second one, and plays against a third, or forfeits there."""
    lost = [forfeit(number, 0, (0, 1), loser=0) for number in range(20)]
    loser = 0 if with_third else None
    return [*lost, *(forfeit(100 + number, 1, (0, 2), loser=loser) for number in range(20))]


def test_forfeits_that_all_favour_one_opponent(header: Header) -> None:
    """Forfeits that all favour one opponent are remarked upon; not where the bot forfeits to others as well, nor where
    it met no other bot.
    """
    games = favour_games(with_third=False)
    assert list(favour_lines(rate(header, games, "abc"))) == [
        "All 20 games that a forfeited were with b, which gained by them. It met others too, and forfeited no game "
        "without it. Look at these games."
    ]
    assert list(favour_lines(rate(header, favour_games(with_third=True), "abc"))) == []
    assert list(favour_lines(rate(header, games[:20], "abc"))) == []


def test_favours_are_kept_with_the_standings(header: Header) -> None:
    """Standings that a store keeps tell the same as the games."""
    rated = rate(header, favour_games(with_third=False), "abc")
    dumped = msgspec.msgpack.decode(msgspec.msgpack.encode(rated.dump()), type=KeptFindings)
    kept = restore_findings(rated.header, dumped)

    assert list(favour_lines(kept)) == list(favour_lines(rated)) != []
    assert kept.tally.forfeited_games == 20
