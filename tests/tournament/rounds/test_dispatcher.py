"""The desk: what is handed out, in what order, and what becomes of the games of a worker that has died."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import pytest
import trio
import trio.testing

from pitboss_tournament.counting.tally import Tally
from pitboss_tournament.plan.plan import Entrant, Plan
from pitboss_tournament.rounds.game_numbers import GameNumbers
from pitboss_tournament.rounds.round_progress import begin_rounds
from pitboss_tournament.rounds.schedule import ScheduledGame
from pitboss_tournament.running import dispatcher
from pitboss_tournament.running.dispatcher import MAX_DEATHS_PER_GAME, Assignment, Dispatcher
from pitboss_tournament.statistics.scoring import GameResult, SeatResult
from tests.tournament.random_results import draw_result, make_random_plan
from tests.tournament.small_tournaments import make_plan


@pytest.fixture
def made(tmp_path: Path) -> Plan:
    """Return a plan of three entrants: six lanes of twenty games and then of five."""
    return make_plan(tmp_path / "x", *(Entrant(name=name, command=(name,)) for name in "abc"), deals=25)


def make_dispatcher(
    made: Plan, done: Sequence[int] = (), out: int | None = None, limits: Mapping[int, int] | None = None
) -> Dispatcher:
    """Return the desk of a tournament of which some games are done, with an entrant who is out."""
    tally = Tally(made.bots, made.seats, disqualify_after=1)
    if out is not None:
        seat = SeatResult(
            entrant=out, points=0, place=2, win=0, fault="late", substituted={}, decisions=0, think_us=0, think={}
        )
        tally.add(GameResult(0, 0, 0, 0, (seat,)))
    return Dispatcher(begin_rounds(made), tally, GameNumbers(done), limits=limits)


def next_assignment(desk: Dispatcher, is_idle: bool = True) -> Assignment:
    """Return the next sitting, of which there is one."""
    found = trio.run(desk.next_assignment, is_idle)
    assert found is not None
    return found


def all_assignments(desk: Dispatcher) -> list[Assignment]:
    """Hand out all that there is."""
    found = []
    while (one := trio.run(desk.next_assignment, True)) is not None:
        found.append(one)
    return found


def remaining_games(one: Assignment) -> list[int]:
    """Return the games that are left in a sitting."""
    return [slot.game_id for slot in one.remaining]


def test_the_schedule_is_handed_out_in_its_order(made: Plan) -> None:
    """The schedule is handed out in its order, each sitting once, and then nothing more."""
    assert [one.games for one in all_assignments(make_dispatcher(made))] == list(begin_rounds(made).batches())


def test_finished_games_are_not_assigned(made: Plan) -> None:
    """A resumed run plays what is missing; a sitting of which all is done is not handed out."""
    first, second, *_ = begin_rounds(made).batches()
    desk = make_dispatcher(made, done=[slot.game_id for slot in [*first, *second[:-2]]])

    assert remaining_games(next_assignment(desk)) == [slot.game_id for slot in second[-2:]]


def test_a_disqualified_bot_is_not_assigned(made: Plan) -> None:
    """Sittings with a bot that is out are not handed out."""
    found = all_assignments(make_dispatcher(made, out=1))

    assert {one.games[0].entrants for one in found} == {(0, 2), (2, 0)}


def test_a_worker_dies(made: Plan) -> None:
    """The next game of a worker that dies is a suspect, handed out alone and to a worker that is idle; the rest of its
    sitting comes before all others.
    """
    desk = make_dispatcher(made)
    lost = next_assignment(desk)
    began = remaining_games(lost)
    assert lost.finish(began[0])

    assert desk.take_back([lost], have_begun=True) is None
    rest, suspect = next_assignment(desk, is_idle=False), next_assignment(desk)

    assert (remaining_games(rest), rest.is_alone) == (began[2:], False)
    assert (remaining_games(suspect), suspect.is_alone) == ([began[1]], True)
    assert not next_assignment(desk).is_alone


def test_a_worker_dies_before_it_plays(made: Plan) -> None:
    """The games of a worker that dies before it plays are not suspected of that."""
    desk = make_dispatcher(made)
    lost = next_assignment(desk)

    assert desk.take_back([lost], have_begun=False) is None
    again = next_assignment(desk)

    assert (again.games, again.is_alone) == (lost.games, False)


def test_a_game_that_kills_its_workers(made: Plan) -> None:
    """The game beside it is cleared by being played alone; the culprit is named when it has killed too many."""
    desk = make_dispatcher(made)
    innocent, guilty = next_assignment(desk), next_assignment(desk)
    first, other = guilty.remaining[0], innocent.remaining[0]
    assert desk.take_back([innocent, guilty], have_begun=True) is None
    deaths = 1
    found = None
    while found is None:
        alone = next_assignment(desk)
        assert alone.is_alone
        if remaining_games(alone) == [first.game_id]:
            found = desk.take_back([alone], have_begun=True)
            deaths += 1
        else:
            assert remaining_games(alone) == [other.game_id]

    assert (found, deaths) == (first, MAX_DEATHS_PER_GAME)


def test_a_game_that_was_not_next(made: Plan) -> None:
    """A worker may only finish the game that it was to play next."""
    one = next_assignment(make_dispatcher(made))

    assert not one.finish(one.remaining[1].game_id)
    assert one.finish(one.remaining[0].game_id)


def end_all(desk: Dispatcher, assignment: Assignment) -> None:
    """End all games of an assignment."""
    for game in assignment.games:
        assignment.finish(game.game_id)
    desk.end_assignment(assignment)


def seated_entrants(desk: Dispatcher, count: int) -> list[set[int]]:
    """Return who sits at each of the next tables."""
    return [set(next_assignment(desk, is_idle=False).games[0].entrants) for _ in range(count)]


def test_a_bot_at_its_limit_waits_and_the_others_go_on(made: Plan) -> None:
    """Batches of a bot that has its games in play are passed over; they come first when it has ended one."""
    desk = make_dispatcher(made, limits={0: 1})
    first = next_assignment(desk)
    assert set(first.games[0].entrants) == {0, 1}

    assert seated_entrants(desk, 4) == [{1, 2}] * 4
    assert trio.run(desk.next_assignment, False) is None
    end_all(desk, first)

    expected = list(begin_rounds(made).batches())[1]
    assert next_assignment(desk, is_idle=False).games == expected
    assert trio.run(desk.next_assignment, False) is None


def test_two_games_of_a_bot_at_a_time(made: Plan) -> None:
    """The limit on the games of a bot at a time is counted by bot, not by table."""
    desk = make_dispatcher(made, limits={0: 2, 2: 1})

    assert seated_entrants(desk, 3) == [{0, 1}, {0, 1}, {1, 2}]
    assert trio.run(desk.next_assignment, False) is None


def test_games_of_a_bot_that_came_back(made: Plan) -> None:
    """A dead worker's games no longer count as in play; its suspect waits while the bot plays elsewhere."""
    desk = make_dispatcher(made, limits={0: 1})
    lost = next_assignment(desk)
    desk.take_back([lost], have_begun=True)

    rest = next_assignment(desk, is_idle=False)
    other = next_assignment(desk)
    end_all(desk, rest)
    suspect = next_assignment(desk)

    assert set(rest.games[0].entrants) == {0, 1}
    assert (other.is_alone, set(other.games[0].entrants)) == (False, {1, 2})
    assert (suspect.is_alone, suspect.games) == (True, lost.games[:1])


async def test_an_idle_worker_waits_for_a_bot_at_its_limit(made: Plan) -> None:
    """An idle worker waits for batches that it may play later, and gets the first that it may play."""
    desk = make_dispatcher(made, limits={0: 1, 2: 1})
    first, second = [await desk.next_assignment(is_idle=True) for _ in range(2)]
    found: list[Assignment | None] = []

    async def wait() -> None:
        found.append(await desk.next_assignment(is_idle=True))

    assert first is not None
    assert second is not None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait)
        await trio.testing.wait_all_tasks_blocked()
        assert found == []
        end_all(desk, first)

    [again] = found
    assert again is not None
    assert set(again.games[0].entrants) == {0, 1}


def test_only_so_many_batches_wait(made: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only so many batches wait: the schedule is not read to its end in search of a game of others, as it may have
    millions of games.
    """
    monkeypatch.setattr(dispatcher, "MAX_WAITING", 2)
    desk = make_dispatcher(made, limits={0: 1})
    first = next_assignment(desk)

    assert trio.run(desk.next_assignment, False) is None
    end_all(desk, first)
    assert seated_entrants(desk, 1) == [{0, 1}]


async def play_randomly(desk: Dispatcher, paper: PaperTournament, tables: int) -> None:
    """Be a worker with so many tables, until there is nothing more to play: end batches in any order, die at times."""
    while (first := await desk.next_assignment(is_idle=True)) is not None:
        held = [paper.begin(first)]
        while held:
            while len(held) < tables and not any(one.is_alone for one in held):
                if (more := await desk.next_assignment(is_idle=False)) is None:
                    break
                held.append(paper.begin(more))
            await trio.sleep(paper.rng.random())
            if paper.rng.random() < 0.1 and not any(one.is_alone for one in held):
                for one in held:
                    paper.in_play.subtract(one.games[0].entrants)
                desk.take_back(held, have_begun=True)
                break
            ended = held.pop(paper.rng.randrange(len(held)))
            paper.end(ended)
            end_all(desk, ended)


class PaperTournament:
    """A tournament without processes: what is in play, and what has been played."""

    def __init__(self, plan: Plan, limits: Mapping[int, int], seed: str) -> None:
        self.rng = Random(seed)
        self.in_play = Counter[int]()
        self.games: list[int] = []  # in the order in which they were played
        self.played = GameNumbers()
        self.progress = begin_rounds(plan)
        self._limits = limits

    def begin(self, assignment: Assignment) -> Assignment:
        """Count a batch as in play, with no bot in more games than it may."""
        self.in_play.update(assignment.games[0].entrants)
        assert all(self.in_play[bot] <= limit for bot, limit in self._limits.items())
        return assignment

    def end(self, assignment: Assignment) -> None:
        """Play the games of a batch."""
        self.in_play.subtract(assignment.games[0].entrants)
        for game in assignment.games:
            self.progress.add_result(draw_result(game))
            self.games.append(game.game_id)
            self.played.add(game.game_id)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(("name", "games"), [("round-robin", 120), ("swiss", 160)])
async def test_any_order_of_events(autojump_clock: trio.testing.MockClock, name: str, games: int, seed: int) -> None:
    """Every game is played once, with limits, several workers, dynamic formats and dying workers, and nobody waits for
    ever: the clock is virtual.
    """
    options = {"rounds": 4} if name == "swiss" else {}
    plan, limits = make_random_plan(name, 4, 2, 10, options), {0: 1, 2: 2}
    paper = PaperTournament(plan, limits, str(seed))
    desk = Dispatcher(paper.progress, Tally(plan.bots, 2, 10), paper.played, limits=limits)

    with trio.fail_after(10_000):
        async with trio.open_nursery() as workers:
            for _ in range(3):
                workers.start_soon(play_randomly, desk, paper, 2)

    assert sorted(paper.games) == list(range(games))


def play_by_kinds(desk: Dispatcher, kinds: Sequence[str]) -> list[tuple[str, ScheduledGame]]:
    """Let kinds of machine play in turn until none of them finds a game; return what each has played."""
    played, has_played = list[tuple[str, ScheduledGame]](), True
    while has_played:
        has_played = False
        for kind in kinds:
            if one := trio.run(desk.next_assignment, False, kind):
                has_played = True
                played += [(kind, game) for game in one.games]
    return played


def test_a_block_stays_on_one_kind_of_machine(made: Plan) -> None:
    """Games of deals that one kind has begun wait for it; nothing is left out, and both kinds play."""
    desk = make_dispatcher(made)
    for kind in ("fast", "slow"):
        desk.add_place(kind, 1)
    played = play_by_kinds(desk, ["fast", "slow"])

    assert sorted(game.game_id for _, game in played) == list(range(150))
    assert {kind for kind, _ in played} == {"fast", "slow"}
    assert len({(kind, game.pairing, game.deal) for kind, game in played}) == 75


def test_the_last_machine_of_a_kind_is_gone(made: Plan) -> None:
    """A block that one kind of machine has begun waits for that kind, and is played on another when the last of its
    machines is gone.
    """
    desk = make_dispatcher(made)
    for kind in ("fast", "slow"):
        desk.add_place(kind, 1)
    begun = trio.run(desk.next_assignment, True, "slow")
    assert begun is not None
    desk.take_back([begun], have_begun=False)
    without = play_by_kinds(desk, ["fast"])
    desk.remove_place("slow", 1)
    rest = play_by_kinds(desk, ["fast"])

    assert len(without) + len(rest) == 150
    assert {game.deal for _, game in rest if game.pairing == begun.games[0].pairing} == {
        game.deal for game in begun.games
    }
    assert len(rest) == 2 * len(begun.games)
