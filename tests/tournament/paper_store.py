"""A tournament on paper: rosters, rounds and drawn results, without a store or a game that is played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pitboss_tournament.plan.plan import Entrant, Plan
from pitboss_tournament.rounds.round_progress import Rounds, begin_rounds
from pitboss_tournament.rounds.round_replay import find_next_round
from pitboss_tournament.rounds.schedule import ScheduledGame
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.field_changes import FieldChanges, merge_header
from pitboss_tournament.store.header import Header, make_header
from tests.tournament.random_results import RoundsInMemory, draw_result, make_random_plan, open_games

NAMES = ("ann", "bea", "cid", "dan", "eve", "fay", "gus")


class PaperStore:
    """The header and the results of a tournament on paper, and the games that were played."""

    def __init__(self) -> None:
        self.header: Header
        self.rounds = RoundsInMemory()
        self.games: dict[int, ScheduledGame] = {}

    def count_games(self) -> int:
        """Return the number of games."""
        return len(self.games)

    def results(self, with_times: bool = True) -> Iterator[GameResult]:
        """Yield the result of each game, by number."""
        for number in sorted(self.games):
            yield draw_result(self.games[number], 0.3)

    def take_up(self, plan: Plan, *, has_versions: bool = False) -> list[str]:
        """Begin a run; return who joined and left."""
        now = make_header(plan, "1", "0")
        if not self.games:
            self.header = now
            return []
        self.header, notes = merge_header(self, now, FieldChanges(has_versions, find_next_round))
        return notes

    def follow(self) -> Rounds:
        """Return the rounds after the games that were played."""
        progress = begin_rounds(self.header)
        for result in self.results():
            if progress.advance_to(result.game_id, frozenset):
                assert progress.scheduled_game(result.game_id) == self.games[result.game_id]
                progress.add_result(result)
        return progress

    def play(self, most: int = 10**9) -> Rounds:
        """Play at most so many games, in the order of the schedule."""
        progress = self.follow()
        while most > 0 and not progress.is_over:
            for slot in open_games(progress):
                if most > 0 and slot.game_id not in self.games:
                    assert slot not in self.games.values()
                    self.games[slot.game_id] = slot
                    progress.add_result(draw_result(slot, 0.3))
                    most -= 1
            if most > 0:
                progress.advance_round(frozenset())
        return progress

    def play_round(self) -> None:
        """Play the games that are left of the open round, or the next round if there are none."""
        progress = self.follow()
        if all(slot.game_id in self.games for slot in open_games(progress)):
            progress.advance_round(frozenset())
        self.games |= {slot.game_id: slot for slot in open_games(progress)}

    def deals_of(self, *names: str) -> list[int]:
        """Return the deals that a table has played in all its orders."""
        bots = {self.header.bots.index(name) for name in names}
        played = [slot.deal for slot in self.games.values() if set(slot.entrants) == bots]
        return sorted({deal for deal in played if played.count(deal) == self.header.block_size})


def make_field_plan(names: Sequence[str], deals: int = 2, name: str = "round-robin", **options: object) -> Plan:
    """Return a tournament of bots of these names for tables of two."""
    made = make_random_plan(name, len(names), 2, deals, options)
    return replace(made, entrants=tuple(Entrant(name=bot, command=("true",)) for bot in names))


def change_bot(plan: Plan, name: str) -> Plan:
    """Return a plan in which a bot is another program."""
    return replace(
        plan,
        entrants=tuple(
            replace(bot, command=(f"{bot.command[0]}+",)) if bot.name == name else bot for bot in plan.entrants
        ),
    )
