"""Where a reference bot chooses otherwise than a bot of a store did, and what the bot's choices cost beside it.

A sample of the bot's games is drawn by their seed. The reference is asked all questions of the bot in them, and each
game goes on as it was played. A choice of the reference and the played one are compared by what the seat could know, as
`pitboss why` compares actions (`pitboss.records.regrets`). The reference is no judge: a cost may be negative.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from pathlib import Path
from time import monotonic, process_time
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from pitboss.action_range import sample_actions
from pitboss.errors import ReplayDiffers
from pitboss.game import AnyGame
from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import Clock
from pitboss.records.regrets import ActionDifference, compare_actions
from pitboss.table.randomness import Random
from pitboss_tournament.config.entrants import resolve_entrant
from pitboss_tournament.plan.plan import Entrant, SandboxLevel
from pitboss_tournament.reask.reask import ReaskedDecision, ReaskRequest, reask_games
from pitboss_tournament.reask.recorded_game import RecordedGame, load_recorded_game
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.statistics.student_t import student_t_quantile
from pitboss_tournament.store.store import Store
from pitboss_tournament.text.terminal_text import action_tag

MAX_ASKED_GAMES: Final = 16  # seats of games whose questions are asked
MAX_QUESTIONS: Final = 120  # of a seat of a game: the first ones
MAX_COMPARED_CHOICES: Final = 120  # choices that are compared with the reference's
EARLY_WORLDS: Final = range(12)
NEW_WORLDS: Final = range(12, 52)  # for the choices that may be shown: luck of the first worlds does not count
MAX_COMPARED_AGAIN: Final = 10  # choices that are compared again
ASKING_SECONDS: Final = 60.0
COMPARING_SECONDS: Final = 12.0  # of processor time, in the early worlds; as many again in the new ones
REFERENCE_SEARCH: Final = "house:search?worlds=48&ms=60000"
UNHURRIED: Final = Clock(start_ms=60_000, decision_ms=600_000, margin_ms=0)  # simulations bound a search, not time


class OtherChoice(NamedTuple):
    """A decision of the bot in which the reference chose otherwise."""

    recorded: RecordedGame
    seat: int
    decision: int  # its number in the game
    phase: str
    legal: Sequence[Any]
    played: Any
    other: Any  # the reference's choice
    difference: ActionDifference | None = None  # by how much the reference's was worth more; None: not compared

    @property
    def kind(self) -> ChoiceKind:
        """The kind of the decision."""
        return ChoiceKind(self.phase, action_tag(self.played), action_tag(self.other))


class ChoiceKind(NamedTuple):
    """The phase of a decision, and the names of both actions, which are equal if only their cards or numbers differ."""

    phase: str
    played: str
    other: str


class KindOfChoices(NamedTuple):
    """All choices of a kind."""

    kind: ChoiceKind
    size: int
    asked: int  # decisions of the phase in which the bot played an action of this name
    compared: int
    cost: Estimate  # of one decision


class ReferenceFindings(NamedTuple):
    """The choices of a reference beside a bot's."""

    games: int  # seats of games that were looked at
    asked: int  # decisions in which something could be chosen
    differing: int
    compared: int
    kinds: list[KindOfChoices]  # those that cost most together first
    choices: list[OtherChoice]  # the costliest first, by new worlds; without costs in the order of a draw


def find_reference(name: str | None, bot: str, game: AnyGame, registry: Registry, base: Path) -> tuple[str, Entrant]:
    """Return a reference bot: the named one, else the house's for the game, or for that bot itself a search.

    Raises:
        ConfigError: there is no such bot.
    """
    house = f"house:{game.name}"
    spec = name or (house if house in registry.bots and not bot.startswith(house) else REFERENCE_SEARCH)
    return spec, resolve_entrant(spec, registry, base, game.name)


def compare_with_reference(
    store: Store, entrant: int, game: AnyGame, reference: Entrant, sandbox: SandboxLevel
) -> ReferenceFindings:
    """Return where a reference chooses otherwise than a bot did.

    Raises:
        ConfigError: the reference asks a language model.
        StoreError: a game cannot be read.
        MachineError: the machine cannot start the reference (in an exception group).
    """
    asked = list(_sample_questions(store, entrant, game, sandbox))
    began = monotonic()
    hidden = replace(reference, hidden=(store.path.absolute(),))
    sessions = reask_games(game, asked, hidden, lambda: monotonic() - began > ASKING_SECONDS)
    questions, others = list[ReaskedDecision](), list[OtherChoice]()
    for (recorded, request), session in zip(asked, sessions, strict=False):
        for one in () if session is None else (*session.earlier, session.asked):
            if one.action is None or one.original_action is None or len(sample_actions(one.legal)) == 1:
                continue
            questions.append(one)
            if one.differs:
                number = one.original.number
                others.append(
                    OtherChoice(recorded, request.seat, number, one.phase, one.legal, one.original_action, one.action)
                )
    shuffle_by_seed(others, f"bundle/{store.header.seed}/choices")
    first = _compare(others[:MAX_COMPARED_CHOICES], game, EARLY_WORLDS)
    again = _compare(sorted(first, key=_order_cost)[:MAX_COMPARED_AGAIN], game, NEW_WORLDS)
    return ReferenceFindings(
        games=sum(session is not None for session in sessions),
        asked=len(questions),
        differing=len(others),
        compared=sum(one.difference is not None for one in first),
        kinds=_list_kinds([*first, *others[MAX_COMPARED_CHOICES:]], questions),
        choices=sorted(again, key=_order_cost),
    )


def _sample_questions(
    store: Store, entrant: int, game: AnyGame, sandbox: SandboxLevel
) -> Iterator[tuple[RecordedGame, ReaskRequest]]:
    """Yield the last question to ask in each seat of the bot in a sample of its games."""
    own = [
        (result.game_id, seat)
        for result in store.results(with_times=False)
        for seat, one in enumerate(result.seats)
        if one.entrant == entrant
    ]
    shuffle_by_seed(own, f"bundle/{store.header.seed}/games")
    found = 0
    for game_id, seat in own:
        recorded = load_recorded_game(store.path, game_id)
        record = recorded.record
        choices = [
            number
            for number in recorded.decisions_asked(seat)[:MAX_QUESTIONS]
            if not record.decisions[number - 1].forced
        ]
        if (record.game, record.game_version) != (game.name, game.version) or not choices:
            continue
        bots = tuple(replace(bot, clock=UNHURRIED) for bot in recorded.bots)
        yield replace(recorded, bots=bots), ReaskRequest(seat=seat, decision=choices[-1], sandbox=sandbox)
        found += 1
        if found == MAX_ASKED_GAMES:
            return


def _compare(choices: Sequence[OtherChoice], game: AnyGame, worlds: range) -> list[OtherChoice]:
    """Return the choices, in the same order, with their differences in these worlds, as far as there is time."""
    began = process_time()

    def measure_used() -> float:
        return (process_time() - began) / COMPARING_SECONDS

    found: dict[tuple[int, int], ActionDifference] = {}
    by_game: dict[int, dict[int, Any]] = {}
    records = {one.recorded.game_id: one.recorded.record for one in choices}
    for one in choices:
        by_game.setdefault(one.recorded.game_id, {})[one.decision] = one.other
    for game_id, others in by_game.items():
        try:
            differences = compare_actions(records[game_id], game, others, worlds, measure_used)
        except ReplayDiffers:  # by the rules as they are now; `pitboss integrity --replay` says so
            continue
        found |= {(game_id, number): difference for number, difference in differences.items()}
    return [one._replace(difference=found.get((one.recorded.game_id, one.decision))) for one in choices]


def _order_cost(choice: OtherChoice) -> float:
    """Return what sorts the surely costly first and those without a cost last."""
    return 1e300 if choice.difference is None else choice.difference.error - choice.difference.points


def _list_kinds(choices: Iterable[OtherChoice], questions: Iterable[ReaskedDecision]) -> list[KindOfChoices]:
    asked: dict[tuple[str, str], int] = {}
    for question in questions:
        key = question.phase, action_tag(question.original_action)
        asked[key] = asked.get(key, 0) + 1
    by_kind: dict[ChoiceKind, list[OtherChoice]] = {}
    for choice in choices:
        by_kind.setdefault(choice.kind, []).append(choice)
    kinds = [
        KindOfChoices(
            kind,
            len(same),
            asked[kind.phase, kind.played],
            sum(one.difference is not None for one in same),
            _estimate_cost(same),
        )
        for kind, same in by_kind.items()
    ]
    return sorted(kinds, key=lambda one: (-(one.cost.mean or 0.0) * one.size, -one.size, one.kind))


def _estimate_cost(choices: Sequence[OtherChoice]) -> Estimate:
    costs: dict[int, list[float]] = {}
    for one in choices:
        if one.difference is not None:
            costs.setdefault(one.recorded.game_id, []).append(one.difference.points)
    return estimate_grouped_mean(list(costs.values()))


def estimate_grouped_mean(groups: Sequence[Sequence[float]]) -> Estimate:
    """Return the mean of values in groups that are independent of each other, as the decisions of one game are not.

    The interval is that of a ratio of sums over groups, with Student's t; it is unknown of one group.
    """
    count = sum(map(len, groups))
    if not count:
        return Estimate(None, None)
    mean = sum(map(sum, groups)) / count
    if len(groups) < 2:
        return Estimate(mean, None)
    spread = sum((sum(values) - len(values) * mean) ** 2 for values in groups)
    error = sqrt(len(groups) / (len(groups) - 1) * spread) / count
    return Estimate(mean, student_t_quantile(len(groups) - 1) * error)


def shuffle_by_seed(items: list[Any], seed: str) -> None:
    """Bring items into an order that depends on the seed alone."""
    order = [*range(len(items))]
    Random(seed).shuffle(order)
    items[:] = [items[at] for at in order]
