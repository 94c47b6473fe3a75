"""Play-outs: what thousands of cheap games show, and what they lead the expensive checks to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, Final

import pytest
from msgspec import UNSET, Meta, Struct, defstruct
from msgspec.structs import replace

from pitboss import (
    Action,
    Deck,
    Options,
    Outcome,
    Random,
    TableGame,
    Turn,
    Visibility,
    Zone,
    Zones,
    hand_each,
    outcome_by_side,
    pile,
)
from pitboss.game import GameBounds
from pitboss.parts.deals import DealsState
from pitboss.records.record import dumps, loads, replay_states
from pitboss.testing.checks.all_playouts import MIN_GAMES, no_game_is_an_exception, ties_are_not_broken_by_seat
from pitboss.testing.checks.option_effects import every_option_changes_something
from pitboss.testing.framework.check import CheckFailed
from pitboss.testing.framework.check_runner import CheckRunner
from pitboss.testing.framework.choosers import SteeredChooser
from pitboss.testing.framework.failed_game import play_again
from pitboss.testing.framework.failures import FailureCause
from pitboss.testing.framework.game_reach import ReachRecorder
from pitboss.testing.framework.option_trial import MIN_TRIAL_GAMES, OptionTrials
from pitboss.testing.framework.played_game import LONG_GAME_DECISIONS, STILL_DECISIONS, PlayedGame
from pitboss.testing.framework.playouts import AT_RANDOM, DecisionKinds, EndedGame, PlayoutBudget, PlayoutTally
from pitboss.testing.suite import QUICK, ConformanceReport, ConformanceRun, list_setups

BUDGET: Final = PlayoutBudget(games=300, decisions=12_000)


class DuelOptions(Options, frozen=True):
    """What people may choose."""

    deals: Annotated[int, Meta(ge=1, le=4, description="Deals of a match.")] = 2
    doubled: Annotated[bool, Meta(description="The last deal counts twice.")] = False


class DuelPlay(Action, frozen=True):
    """Play the card at a place of the hand."""

    place: Annotated[int, Meta(ge=0, le=2)]


class DuelPass(Action, frozen=True):
    """Play nothing."""


class DuelView(Struct, frozen=True):
    """What a seat may know."""

    hand: list[str]
    deals: int  # as the option of that name


class Duel(DealsState[DuelOptions, DuelPlay | DuelPass]):
    """Each plays a card or passes, and the higher card takes a point: a healthy game, in which two nines are a tie."""

    deck = Deck([str(number) for number in (*range(2, 10), 9)])
    stock: Zone = pile(Visibility.NOBODY)
    hands: Zones = hand_each()
    laid: tuple[int, ...] = ()

    def deal_cards(self) -> None:
        """Deal three cards each."""
        self.table.deal(self.stock, self.hands, 3)
        self.laid = ()
        self.turn = Turn(0, "play")

    def legal(self) -> Sequence[DuelPlay | DuelPass]:
        """Return the plays, and the pass."""
        return [] if self.turn is None else [DuelPlay(0), DuelPlay(1), DuelPlay(2), DuelPass()]

    def apply(self, action: DuelPlay | DuelPass) -> None:
        """Lay the card; after the second one the deal is over."""
        seat = self.require_turn().seat
        worth = int(self.faces(self.hands[seat])[action.place]) if isinstance(action, DuelPlay) else 0
        self.table.tell("laid", seat=seat, worth=worth)
        self.laid = (*self.laid, worth)
        if self.laid == (9, 9):
            self.table.tell("two_nines")
        if len(self.laid) < self.seats:
            self.turn = Turn(seat + 1, "play")
        else:
            self.count()

    def count(self) -> None:
        """Give the point."""
        one, other = self.laid[:2]
        worth = 2 if self.options.doubled and self.deal_no == self.options.deals else 1
        self.end_deal([worth * (one > other), worth * (other > one), *[0] * (self.seats - 2)])

    def is_match_over(self) -> bool:
        """Tell whether all deals are played."""
        return self.deal_no == self.options.deals

    def view(self, seat: int) -> DuelView:
        """Return the seat's hand."""
        return DuelView(self.faces(self.hands[seat]) if seat < self.seats else [], self.options.deals)

    def outcome(self) -> Outcome:
        """More points win."""
        return outcome_by_side(self.totals)


class DuelGame(TableGame[DuelOptions, Duel]):
    """The game."""

    state = Duel
    name = "duel"
    title = "Duel"
    seats = (2, 3)


class ForgetsTheDouble(Duel):
    """The option is read, and changes nothing."""

    def count(self) -> None:
        """Count each deal once."""
        one, other = self.laid[:2]
        assert self.options.doubled in (False, True)
        self.end_deal([int(one > other), int(other > one), *[0] * (self.seats - 2)])


class ShufflesByTheScore(Duel):
    """The cards of the next deal depend on who has won."""

    def begin_deal(self) -> None:
        """Draw from another stream."""
        self.rng = self.rng.spawn(str(self.totals))


class FirstSeatWinsTies(Duel):
    """Of two seats with equal points the earlier one is better."""

    def outcome(self) -> Outcome:
        """Rank by points, then by seat."""
        best = sorted(range(self.seats), key=lambda seat: (-self.totals[seat], seat))
        return replace(super().outcome(), places=tuple(1 + best.index(seat) for seat in range(self.seats)))


class OneDealTooMany(Duel):
    """A match has one deal more than its option says."""

    def is_match_over(self) -> bool:
        """Count wrongly."""
        return self.deal_no > self.options.deals


class PaysATieOfNines(Duel):
    """Two nines are paid to both, which nothing else is."""

    def count(self) -> None:
        """Pay what only two nines do."""
        if self.laid[:2] == (9, 9):
            self.end_deal([40] * self.seats)
        else:
            one, other = self.laid[:2]
            self.end_deal([1 if one > other else -1, -1 if one > other else 1, *[0] * (self.seats - 2)])


class CrashesOnTwoNines(Duel):
    """Two equal cards of the highest face, and an error."""

    def count(self) -> None:
        """Look for the one winner."""
        [_] = {*self.laid[:2]} - {9} or [None] * (self.laid[:2] != (9, 9))
        super().count()


class GoesOnWhileNobodyPlays(Duel):
    """A deal in which all have passed is played again, for ever."""

    def is_match_over(self) -> bool:
        """Forget who passes."""
        return any(self.laid) and super().is_match_over()


class ShowsARareHand(Duel):
    """After two nines a card of another hand is seen."""

    def view(self, seat: int) -> DuelView:
        """Show what is no business of the seat."""
        seen = super().view(seat)
        others = [hand for other, hand in enumerate(self.hands) if other != seat]
        rare = self.laid == (9, 9)
        return DuelView([*seen.hand, *(self.faces(others[0])[:1] if rare else [])], seen.deals)


class LosesByTooMuch(Duel):
    """Who has won every deal, the last one against a nine or by it, is last."""

    def outcome(self) -> Outcome:
        """Rank such a win the other way round."""
        return outcome_by_side(self.totals, lowest_wins=max(self.totals) == self.options.deals and self.laid[0] == 9)


class OffersTwice(Duel):
    """After a nine a play stands twice in the legal list."""

    def legal(self) -> Sequence[DuelPlay | DuelPass]:
        """List one play again."""
        legal = super().legal()
        return [*legal, *(legal[:1] if self.laid == (9,) else [])]


class CannotJudgeTwoNines(Duel):
    """After two nines there is no estimate, but an error."""

    def evaluate(self) -> Sequence[float]:
        """Divide by nothing."""
        return [total / (self.laid != (9, 9)) for total in self.totals]


class StandsStill(Duel):
    """After two passes they go on passing, until somebody breaks the game off."""

    passes: int = 0

    def legal(self) -> Sequence[DuelPlay | DuelPass]:
        """Leave nothing but the pass."""
        return [DuelPass()] if self.turn and self.passes > 1 else super().legal()

    def apply(self, action: DuelPlay | DuelPass) -> None:
        """Count passes."""
        self.passes += isinstance(action, DuelPass)
        if self.passes > 2 * STILL_DECISIONS:
            raise KeyboardInterrupt
        if self.passes > 1:
            self.turn = Turn(1 - self.require_turn().seat, "play")
        else:
            super().apply(action)


def make_game(state: type[Duel]) -> DuelGame:
    """Return the game with another state."""
    game = DuelGame()
    game.state = state
    return game


def play_out(state: type[Duel], max_decisions: int = 400) -> ConformanceReport:
    """Return the report of the play-outs of a game alone."""
    run = ConformanceRun(make_game(state))
    run.play_out(list_setups(make_game(state), None, None, None, "playouts", max_decisions), BUDGET)
    run.try_options()
    return run.report()


def find_check(report: ConformanceReport, name: str) -> Any:  # noqa: ANN401
    """Return the result of a check."""
    return next(one for one in report.checks if one.name == name)


def test_a_healthy_game() -> None:
    """Thousands of decisions fail no check and are counted apart from those of the games in depth."""
    report = play_out(Duel)

    assert report.causes == []
    assert (report.games, report.playouts) == (0, BUDGET.games)
    assert report.playout_decisions > BUDGET.games
    for name in ("next-deal-is-the-same-however-one-plays", "every-option-changes-something", "games-end"):
        assert (find_check(report, name).outcome, find_check(report, name).is_note) == ("passed", False), name


@pytest.mark.parametrize(
    ("state", "check", "words"),
    [
        (ShufflesByTheScore, "next-deal-is-the-same-however-one-plays", "deal 2 is shuffled"),
        (FirstSeatWinsTies, "ties-are-not-broken-by-seat", "always the first of them"),
        (OneDealTooMany, "matches-have-their-deals", "the match has 3 deals"),
        (CrashesOnTwoNines, "games-are-played-without-error", "ValueError"),
        (GoesOnWhileNobodyPlays, "games-end", "after 400 decisions the game is not over"),
    ],
)
def test_a_fault_that_few_games_meet(state: type[Duel], check: str, words: str) -> None:
    """A fault in a rare place is found by the play-outs, and the text says what was seen."""
    result = find_check(play_out(state), check)

    assert result.outcome == "failed"
    assert words in result.detail


@pytest.mark.parametrize(
    ("state", "check", "words"),
    [
        (ForgetsTheDouble, "every-option-changes-something", "doubled = true: "),
        (PaysATieOfNines, "no-game-is-an-exception", "the points add up to 0"),
        (LosesByTooMuch, "no-game-is-an-exception", "by points more is better"),
    ],
)
def test_what_is_only_odd(state: type[Duel], check: str, words: str) -> None:
    """What may be meant is a note, with the game to look at."""
    result = find_check(play_out(state), check)

    assert (result.outcome, result.is_note) == ("passed", True)
    assert words in result.detail


def test_an_option_that_the_code_never_reads() -> None:
    """An option whose name stands nowhere in the code of the game is a failure, if it changes nothing either."""
    trials = OptionTrials(make_game(ForgetsTheDouble), [2], {"doubled"})
    trials.run()
    run = ConformanceRun(make_game(ForgetsTheDouble))
    run.try_options([2])

    assert {pair.name: games for pair, games in trials.same.items()} == {"doubled": MIN_TRIAL_GAMES}
    assert trials.tried == 2
    with pytest.raises(CheckFailed, match=r"^the code of the game never reads doubled: doubled = true: "):
        every_option_changes_something.function(trials)


def test_options_that_the_code_never_reads_come_first() -> None:
    """What is likely to be dead is tried before the time is up."""
    trials = OptionTrials(make_game(ForgetsTheDouble), [2], {"doubled"})
    trials.run(lambda: trials.tried == 0 and bool(trials.same))

    assert {pair.name for pair in trials.same} == {"doubled"}
    assert trials.tried == 0


@pytest.mark.parametrize(
    ("ties", "outcome", "is_note"), [(4, "passed", False), (5, "passed", True), (12, "failed", False)]
)
def test_how_many_ties_tell(ties: int, outcome: str, is_note: bool) -> None:
    """Few ties that all went to one seat are a note, many are a failure."""
    [setup] = list_setups(DuelGame(), [2], [], {"deals": 1}, "ties")
    tally = PlayoutTally()
    tally.ended += [EndedGame(setup, "ties", AT_RANDOM, Outcome((1.0, 1.0), (1, 2), ((0,), (1,))))] * ties
    runner = CheckRunner([ties_are_not_broken_by_seat])
    runner.run(ties_are_not_broken_by_seat, tally)

    assert [(one.outcome, one.is_note) for one in runner.results] == [(outcome, is_note)]


@pytest.mark.parametrize(("style", "is_note"), [(AT_RANDOM, False), ("by a habit", True)])
def test_games_at_random_tell_what_is_rare(style: str, is_note: bool) -> None:
    """An exception that only players who steer come to often is one; tables of which one fact holds are counted as
    one.
    """
    setups = list_setups(DuelGame(), None, [], None, "rare") * (MIN_GAMES // 3)
    tally = PlayoutTally()
    for setup in setups:
        places, together = (1,) * setup.seats, (tuple(range(setup.seats)),)
        usual, other = (Outcome((points, *[0.0] * (setup.seats - 1)), places, together) for points in (1.0, 2.0))
        tally.ended += [EndedGame(setup, "rare", AT_RANDOM, usual), EndedGame(setup, "rare", style, other)]
    tally.ended += [EndedGame(one.setup, "rare", AT_RANDOM, one.outcome) for one in tally.ended[::2]]
    runner = CheckRunner([no_game_is_an_exception])
    runner.run(no_game_is_an_exception, tally)

    assert [one.is_note for one in runner.results] == [is_note]


class DuelWithBounds(DuelGame):
    """It says how many deals a match has at most, whatever its options say."""

    deals = 2

    def bounds(self, seats: int, options: DuelOptions) -> GameBounds:
        """Say it."""
        return GameBounds(decisions=None, least=-100, most=100, deals=self.deals)


@pytest.mark.parametrize(("deals", "outcome"), [(2, "passed"), (1, "failed")])
def test_bounds_say_how_many_deals_there_are(deals: int, outcome: str) -> None:
    """What `bounds` says of the deals goes before an option of that name."""
    game = DuelWithBounds()
    game.deals = deals
    run = ConformanceRun(game)
    run.play_out(list_setups(game, [2], [], {"deals": 2}, "bounds"), BUDGET)

    assert find_check(run.report(), "matches-have-their-deals").outcome == outcome


def test_names_that_the_code_reads() -> None:
    """An option is read if its name stands anywhere in the code beside its declaration."""
    unknown = "".join(reversed("elttil"))  # which stands nowhere as it is
    reach = ReachRecorder(DuelGame())

    assert reach.list_unread(DuelOptions) == frozenset()
    assert reach.list_unread(defstruct("Unread", [(unknown, bool, False)])) == {unknown}


def test_rare_decisions_are_checked_in_depth() -> None:
    """The expensive checks go to what few play-outs have met: here to a leak after two nines."""
    game = make_game(ShowsARareHand)
    run = ConformanceRun(game, games=1, depth=QUICK._replace(rare=0))
    setups = list_setups(game, [3], [], {"deals": 1}, "rare")
    run.play_out(setups, BUDGET)
    rare = [one for one in run.rare if one.game.setup.seats == 3]
    run.play(setups)
    before = {failure.name for failure in run.report().failures}
    run.check_rare(len(rare))
    after = {failure.name for failure in run.report().failures}

    assert "view-leaks-nothing" in after - before


@pytest.mark.parametrize(
    ("state", "check"), [(OffersTwice, "legal-is-distinct"), (CannotJudgeTwoNines, "prospects-are-points")]
)
def test_the_first_decision_of_each_kind_is_looked_at(state: type[Duel], check: str) -> None:
    """A look, which costs little, sees what lies in the state itself."""
    run = ConformanceRun(make_game(state))
    run.play_out(list_setups(make_game(state), [3], [], {"deals": 1}, "looks"), BUDGET)
    kinds = len(run.rare)
    run.check_rare(kinds)

    assert [one.is_looked_at for one in run.rare] == [True] * kinds
    assert check in {failure.name for failure in run.report().failures}
    run.check_rare()
    assert run.rare == []


def test_groups_of_kinds_take_turns() -> None:
    """Many rare kinds of one group leave room for those of another; in a group the rarest comes first."""
    [setup] = list_setups(DuelGame(), [2], [], None, "groups")
    kinds = DecisionKinds()
    for number in range(6):
        game = PlayedGame(setup, str(number), AT_RANDOM)
        kinds.begin_game()
        kinds.note("bids", number, game, number)
        kinds.note("events", "usual" if number < 4 else "seldom", game, 10 + number)

    assert [one.number for one in kinds.list_rare()] == [0, 14, 1, 10, 2, 3, 4, 5]


def test_short_games_are_played_more_often() -> None:
    """All tables have about as many decisions: six a game for three players, four for two."""
    run = ConformanceRun(DuelGame())
    run.play_out(list_setups(DuelGame(), None, [], None, "short"), BUDGET)
    games = Counter(game.setup.seats for game in run.tally.ended)

    assert abs(6 * games[3] - 4 * games[2]) <= 6


def test_a_game_in_which_no_card_moves() -> None:
    """A game that stands still, and is broken off, has no end, however long others are."""
    game = make_game(StandsStill)
    run = ConformanceRun(game)
    run.play_out(list_setups(make_game(Duel), [2], [], None, "still"), PlayoutBudget(games=1))
    with pytest.raises(KeyboardInterrupt):
        run.play_out(list_setups(game, [2], [], None, "still"), BUDGET)
    run.note_break()

    assert "no card had moved in the last" in find_check(run.report(), "games-end").detail


def test_a_long_game_is_named_while_it_is_played() -> None:
    """Who looks on is told of a game that has become very long; broken off there, it counts as endless."""
    shown: list[PlayedGame] = []

    def show_long(game: PlayedGame) -> None:
        shown.append(game)
        assert len(game) % LONG_GAME_DECISIONS == 0
        if len(shown) == 2:
            raise KeyboardInterrupt

    class NeverOver(Duel):
        """A match without end."""

        def is_match_over(self) -> bool:
            """Play on."""
            return False

    game = make_game(NeverOver)
    run = ConformanceRun(game, show_long_game=show_long)
    with pytest.raises(KeyboardInterrupt):
        run.play_out(list_setups(game, [2], [], None, "long"), BUDGET)
    run.note_break()

    assert len(shown) == 2
    assert f"after {2 * LONG_GAME_DECISIONS:,} decisions" in find_check(run.report(), "games-end").detail


@pytest.mark.parametrize(
    ("state", "check"),
    [(CrashesOnTwoNines, "games-are-played-without-error"), (GoesOnWhileNobodyPlays, "games-end")],
)
def test_a_game_that_has_no_end_is_kept(state: type[Duel], check: str) -> None:
    """The record of a game that its rules broke off replays up to there and says why; checked again, it fails again."""
    game = make_game(state)
    run = ConformanceRun(game)
    run.play_out(list_setups(game, [2], [], None, "kept", 100), BUDGET)
    [cause] = run.report().causes

    record = loads(dumps(run.failed_games[cause.first.cause].make_record(cause.first.detail)))
    states = [state.turn for state in replay_states(record, game)]
    again = ConformanceRun(game)
    again.check_again(*play_again(record, game))

    assert cause.first.name == check
    assert record.broken is not UNSET and record.broken.why
    assert len(states) == len(record.decisions) + 1
    assert states[-1] is not None
    assert check in {failure.name for failure in again.report().failures}


def test_a_decision_at_which_a_check_failed_is_kept() -> None:
    """The decision has what was seen as its note, and is checked again."""
    game = make_game(ShowsARareHand)
    run = ConformanceRun(game)
    run.play_out(list_setups(game, [3], [], {"deals": 1}, "rare"), BUDGET)
    run.check_rare(len(run.rare))
    cause = next(one for one in run.report().causes if one.first.name == "view-leaks-nothing")
    failed = run.failed_games[cause.first.cause]

    record = failed.make_record(cause.first.detail)
    played, points = play_again(record, game)

    assert points == {failed.number}
    assert played.outcome == record.outcome
    assert [decision.note for decision in record.decisions if decision.note] == [f"check-game: {cause.first.detail}"]


def test_every_number_of_seats_is_checked_first() -> None:
    """A run that is broken off after a few games has checked each number of seats in depth."""
    shown: list[int] = []

    def show_game(game: PlayedGame, causes: Sequence[FailureCause]) -> None:
        shown.append(game.setup.seats)
        if len(shown) == 2:
            raise KeyboardInterrupt

    run = ConformanceRun(DuelGame(), depth=QUICK, show_game=show_game)
    with pytest.raises(KeyboardInterrupt):
        run.play(list_setups(DuelGame(), None, None, None, "seats"))

    assert sorted(shown) == [2, 3]


def test_a_player_with_a_habit() -> None:
    """Some of these players do what is seldom done, again and again: games of two passes are not rare among them."""
    state = DuelGame().deal(2, DuelOptions(), Random("habit"))
    habits = []
    for number in range(40):
        chooser = SteeredChooser(Random(f"habit {number}"))
        habits.append(sum(isinstance(chooser(state, state.legal()), DuelPass) for _ in range(20)))

    assert max(habits) > 15
    assert min(habits) < 5


def test_seats_with_different_habits() -> None:
    """In some games one seat passes nearly always, and another one hardly ever."""
    states = [DuelGame().deal(2, DuelOptions(), Random("habit")) for _ in range(2)]
    states[1].play(DuelPlay(0))
    passes = []
    for number in range(60):
        chooser = SteeredChooser(Random(f"habit {number}"))
        passes.append([sum(isinstance(chooser(state, state.legal()), DuelPass) for _ in range(20)) for state in states])

    assert max(abs(one - other) for one, other in passes) > 10


def test_the_same_play_outs_again() -> None:
    """The chance of play-outs comes from the seed of the run."""
    one, other = play_out(Duel), play_out(Duel)

    assert one == other
