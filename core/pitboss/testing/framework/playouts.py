"""Play-outs: many whole games, played fast, in which only what costs next to nothing is checked.

They come where a few games do not: to ties, to rare endings, to phases that few games have. What they do there is kept
(`DecisionKinds`), so that the expensive checks go to the rarest of those decisions.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Sized
from itertools import count, zip_longest
from typing import Any, Final, NamedTuple

from msgspec.structs import astuple

from pitboss.game import AnyState
from pitboss.outcome import Outcome
from pitboss.simulation.random_play import ActionChooser, choose_from_words, play_decisions
from pitboss.table.events import LogEntry
from pitboss.table.randomness import Random
from pitboss.testing.framework.check_runner import describe_crash
from pitboss.testing.framework.checked_setup import CheckedSetup
from pitboss.testing.framework.choosers import NewKindChooser, SteeredChooser, list_stubborn_choosers
from pitboss.testing.framework.deal_numbers import read_deal_number
from pitboss.testing.framework.played_game import GamePlayer, PlayedGame

MAX_KINDS: Final = 5_000  # of decisions, that are counted
MANY_CARDS: Final = 6  # of an event: more count as this number
MANY_EVENTS: Final = 3  # of a decision: of more neither order nor number counts
FEW_CARDS: Final = 3  # in a zone: fewer are a kind of their own
AT_RANDOM: Final = "at random"  # who plays half of the games, in a word
SMALL_CHOICE: Final = 3  # legal actions: of more the order of magnitude counts


class PlayoutBudget(NamedTuple):
    """When the play-outs of a run end: at the first of these."""

    games: int = 400
    decisions: int = 20_000
    is_spent: Callable[[], bool] = lambda: False  # asked before each game


class RareDecision(NamedTuple):
    """A decision of a game before which something rare lay on the table, or its end if no decision follows."""

    game: PlayedGame
    number: int
    met: int  # in how many games that kind of thing was met
    is_looked_at: bool = False  # by the checks that cost least


class DecisionKinds:
    """The kinds of decisions in the play-outs of a run: how many games had each, and which one had it first.

    A kind belongs to a group: what was done in a phase; what an action told, with the names of its facts; about how
    much was legal in a phase; how long a phase went on; the nearly empty zones; or the places at an end.
    """

    def __init__(self) -> None:
        self._counts = Counter[Hashable]()
        self._first: dict[tuple[Hashable, Hashable], tuple[PlayedGame, int]] = {}
        self._met = set[Hashable]()  # in the game that is played

    def begin_game(self) -> None:
        """Count each kind once in the game that begins."""
        self._met.clear()

    def note(self, group: Hashable, what: Hashable, game: PlayedGame, number: int) -> None:
        """Note that something of a kind lies on the table before decision `number`."""
        kind = group, what
        if kind in self._met:
            return
        self._met.add(kind)
        self._counts[kind] += 1
        if kind not in self._first and len(self._first) < MAX_KINDS:
            self._first[kind] = game, number
            game.is_kept = True

    def list_rare(self) -> list[RareDecision]:
        """Return the decisions that had the first of each kind: of the groups in turn, the rarest kinds first."""
        groups: defaultdict[Hashable, list[RareDecision]] = defaultdict(list)
        for kind, (game, number) in sorted(self._first.items(), key=lambda one: self._counts[one[0]]):
            if game.error is None:
                groups[kind[0]].append(RareDecision(game, number, self._counts[kind]))
        in_turn = (one for row in zip_longest(*groups.values()) for one in row if one is not None)
        found: dict[tuple[PlayedGame, int], RareDecision] = {}
        for one in in_turn:
            found.setdefault((one.game, one.number), one)
        return list(found.values())

    def __len__(self) -> int:
        return len(self._counts)


class EndedGame(NamedTuple):
    """How a play-out ended."""

    setup: CheckedSetup
    seed: str
    style: str
    outcome: Outcome


class PlayoutTally:
    """The play-outs of a run: their number, and how they ended."""

    def __init__(self) -> None:
        self.games = 0
        self.decisions = 0
        self.longest: dict[CheckedSetup, int] = {}  # decisions of the longest game that ended
        self.ended: list[EndedGame] = []
        self.kinds = DecisionKinds()

    def add(self, game: PlayedGame) -> None:
        """Count a game."""
        self.games += 1
        self.decisions += len(game)
        if game.setup.decisions is None:
            game.setup.decisions = len(game)
        if game.is_over and game.outcome is not None:
            self.longest[game.setup] = max(len(game), self.longest.get(game.setup, 0))
            if _is_whole(game.outcome, game.setup.seats):
                self.ended.append(EndedGame(game.setup, game.seed, game.style, game.outcome))


def _is_whole(outcome: Outcome, seats: int) -> bool:
    """Return whether an outcome has what it must have: else other checks fail."""
    members = sorted(seat for side in outcome.sides for seat in side)
    return (
        len(outcome.points) == len(outcome.places) == seats
        and members == [*range(seats)]
        and all(map(math.isfinite, outcome.points))
    )


def iterate_styles(
    setup: CheckedSetup, player: GamePlayer | None, begin: int = 0
) -> Iterator[tuple[str, Callable[[str], ActionChooser]]]:
    """Yield for each play-out of a setup who plays it, in a word, and what makes that player from the game's seed.

    Half of the games are random, most others steered. `begin` is where in the order of players the setup begins: where
    setups have few games each, together they have had all players.
    """
    new_kinds = NewKindChooser()
    for number in count(begin + 1):
        if number % 2:
            yield AT_RANDOM, choose_from_words
        elif player is not None and number % 4 == 0:
            yield "by a player", lambda seed: _ask(player, seed, "by a player")
        elif number % 16 == 0:
            yield "by new kinds", lambda seed: _ask(new_kinds, seed, "by new kinds")
        elif number % 16 == 8:
            stubborn = list_stubborn_choosers(setup.met_kinds)
            chooser = stubborn[(begin + number // 16) % len(stubborn)]
            yield "stubbornly", lambda seed, chooser=chooser: _ask(chooser, seed, "stubbornly")  # type: ignore[misc]
        else:
            yield "by a habit", lambda seed: SteeredChooser(Random(f"{seed}/by a habit"))


def _ask(player: GamePlayer, seed: str, style: str) -> ActionChooser:
    rng = Random(f"{seed}/{style}")
    return lambda state, legal: player(state, rng)


def play_out(
    game: PlayedGame, choose: ActionChooser, kinds: DecisionKinds, count_lines: Callable[[], int] = lambda: 0
) -> AnyState | None:
    """Play a game of at most `setup.max_decisions` decisions and note their kinds; return its last state.

    An exception is stored in its `error`; the state is None then. The log is stored where a kind was new. `count_lines`
    returns how many lines of the game's code have ever run: a decision that runs a new one is a kind of its own.
    """
    setup, is_first = game.setup, game.setup.decisions is None
    kinds.begin_game()
    state: AnyState | None = None
    lines = count_lines()

    def choose_and_keep(state: AnyState, legal: Sequence[Any]) -> Any:  # noqa: ANN401 - an action of any game
        action = choose(state, legal)
        game.add(state, action)
        return action

    try:
        state = setup.deal(game.seed)
        log = state.table.log
        phase, since = "", 0
        logged = len(log or ())
        for turn, legal in play_decisions(state, choose_and_keep, setup.max_decisions):
            if game.actions:
                logged = _note_decision(game, state, logged, kinds)
            if (more := count_lines()) != lines:
                lines = more
                kinds.note("lines", more, game, len(game))
            size = len(legal)
            kinds.note("choices", (turn.phase, size if size < SMALL_CHOICE else -size.bit_length()), game, len(game))
            if turn.phase != phase:
                phase, since = turn.phase, len(game)
            kinds.note("stay", (phase, (len(game) - since).bit_length()), game, len(game))
            if _has_twice(legal):
                kinds.note("twice", phase, game, len(game))
            if is_first or turn.phase not in setup.met_kinds:
                setup.collect_actions(turn, legal, len(game))
        if game.actions:
            _note_decision(game, state, logged, kinds)
        if count_lines() != lines:
            kinds.note("lines", count_lines(), game, len(game))
        if state.turn is None:
            game.outcome = state.outcome()
            kinds.note("end", game.outcome.places, game, len(game))
            game.deals = read_deal_number(state)
        if game.is_kept:
            game.log, game.chance = list(log or ()), list(state.table.chance_events or ())
    except Exception as error:  # noqa: BLE001 - the border to a plugin's code
        game.error = f"{describe_crash(error)}, at decision {len(game)}"
        state = None
    game.is_running = False
    return state


def _note_decision(game: PlayedGame, state: AnyState, logged: int, kinds: DecisionKinds) -> int:
    """Note what the last decision was, what it told and what it left on the table; return the length of the log."""
    log = state.table.log or ()
    new = tuple([(entry.event, min(len(entry.cards), MANY_CARDS), *_name_facts(entry)) for entry in log[logged:]])
    number, phase, action = len(game), game.turns[-1].phase, game.actions[-1]
    kind = type(action).__name__
    kinds.note("events", (phase, kind, new if len(new) <= MANY_EVENTS else tuple(sorted(set(new)))), game, number)
    kinds.note((phase, kind), tuple(map(_outline, astuple(action))), game, number)
    for zone, cards in enumerate(state.table.zones):
        if len(cards) < FEW_CARDS:
            kinds.note("zones", (phase, zone, len(cards)), game, number)
    return len(log)


def _name_facts(entry: LogEntry) -> Sequence[str]:
    return tuple(entry.facts) if isinstance(entry.facts, Mapping) else ()


def _has_twice(legal: Sequence[Any]) -> bool:
    """Return whether an action stands twice in a legal list, as far as actions have a hash."""
    try:
        return len(set(legal)) < len(legal)
    except TypeError:
        return False


def _outline(value: object) -> Hashable:
    """Return a value that is short, and of others how long they are."""
    if isinstance(value, str | int | float | None):
        return value
    return len(value) if isinstance(value, Sized) else type(value).__name__
