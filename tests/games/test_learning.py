"""Games as learners see them: stable numbers, what an observation holds, rewards, and many games at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import count
from typing import Any, Final

import numpy as np
import pytest
from msgspec.structs import replace

from pitboss.action_range import lowest_action
from pitboss.errors import OptionError
from pitboss.game import AnyState, Evaluable
from pitboss.learning.batch import GIVEN_UP, GameBatch
from pitboss.learning.batch_fields import ShownRow
from pitboss.learning.batch_rows import BatchRows
from pitboss.learning.learning_game import LearningGame, prepare_game
from pitboss.learning.observation import ENCODING
from pitboss.learning.rewards import Reward, reward_places, reward_points, reward_wins, subtract_opponents
from pitboss.learning.spelling import Spelling
from pitboss.outcome import Outcome, outcome_by_side, solo_sides
from pitboss.plugins.registry import Registry
from pitboss.simulation.chance import OpenDraw, deal_by_draws
from pitboss.simulation.random_play import ActionChooser, choose_from_words
from pitboss.table.randomness import Random

FINGERPRINTS: Final = {
    "bridge": ("2", "5e3add6bb9e06280"),
    "cribbage": ("2", "011e037df3b721d9"),
    "dou-dizhu": ("2", "9aa51e741591ab81"),
    "eights": ("1", "2ec8a63d7a98b81c"),
    "euchre": ("2", "fb7a7a57f7881dd2"),
    "fireworks": ("1", "64bea34f42b49bbb"),
    "gin-rummy": ("2", "0706997b2e1b24ad"),
    "hearts": ("3", "90b45cea3f09ac5d"),
    "lucky-maker": ("1", "78ff79c1f399601e"),
    "oh-hell": ("2", "892dc740d299b532"),
    "poker": ("2", "f46b97518c630e23"),
    "racko": ("1", "bcef74445fa40a43"),
    "ragamaru": ("1", "8fd3092af6563bec"),
    "rummy": ("1", "bc9de6890f488459"),
    "spades": ("2", "1320d7f26546ccca"),
}  # by game: its version, and the fingerprint for its smallest number of seats and its defaults


def read_parts(game: LearningGame, state: AnyState, seat: int) -> dict[str, list[float]]:
    """Return the numbers of an observation by part."""
    row = memoryview(bytearray(4 * game.encoder.size)).cast("f")
    game.observe(state, seat, row)
    return {part.name: [*row[part.start : part.stop]] for part in game.encoder.parts}


def test_fingerprints_change_with_the_version_of_a_game_or_of_the_encoding_alone() -> None:
    """A model that was trained once can be used as long as the game and the encoding have these versions.

    If a game has to change here, its `version` changes too; if all have to, `ENCODING` does.
    """
    assert ENCODING == 2
    made = {name: (game.version, prepare_game(game).fingerprint) for name, game in Registry().games.items()}
    assert {name: made[name] for name in FINGERPRINTS} == FINGERPRINTS


def test_parts_follow_one_another() -> None:
    """The parts cover the observation without a gap, and no two have one name."""
    for name in Registry().games:
        encoder = prepare_game(name).encoder
        assert [part.start for part in encoder.parts] == [0, *[part.stop for part in encoder.parts[:-1]]]
        assert encoder.parts[-1].stop == encoder.size
        assert len({part.name for part in encoder.parts}) == len(encoder.parts)


def test_a_rack_is_seen_by_its_owner() -> None:
    """Slots have the cards that the seat knows, zones their sizes; the phase is seen by the seat on turn alone."""
    game = prepare_game("racko", 2)
    state = game.deal("x")
    turn = state.turn
    assert turn
    own, other = (read_parts(game, state, seat) for seat in (turn.seat, 1 - turn.seat))
    view = state.view(turn.seat)
    deck = len(state.table.layout.deck)
    expected = [number for card in view.rack for number in (1.0, card / deck)]
    assert own["slots of own rack"] == pytest.approx(expected)
    assert other["slots of rack, 1 to the left"] == [0.0] * 20
    assert own["size of rack, 1 to the left"] == pytest.approx([10 / deck])
    assert sum(own["cards of own rack"]) == 10
    assert own["top of discard"] == pytest.approx([1.0, view.discard[-1] / deck])
    assert own["phase"] == [1.0, 0.0, 0.0]
    assert other["phase"] == [0.0, 0.0, 0.0]
    assert own["seat"] == [float(turn.seat == seat) for seat in range(2)]


def test_who_played_which_card_is_seen_from_the_seat() -> None:
    """A card of the trick stands at the distance of its player; seats by number are distances too."""
    game = prepare_game("spades")
    state = game.deal("x")
    while not state.view(0).trick:
        legal = state.legal()
        state.play(legal[len(legal) // 2])
    ((player, face),) = state.view(0).trick
    faces = list(dict.fromkeys(state.table.layout.deck.faces))
    for seat in range(4):
        trick = read_parts(game, state, seat)["view trick"]
        assert [at for at, number in enumerate(trick) if number] == [
            (player - seat) % 4 * len(faces) + faces.index(face)
        ]


def test_letters_of_the_own_decision_are_seen() -> None:
    """The letters that a seat has spelled so far are part of the seat's own observation, and of no other."""
    game = prepare_game("hearts")
    state = game.deal("x")
    spelling = game.find_choice(state)
    assert spelling
    assert state.turn
    spelling.add(spelling.letters[0])
    row = memoryview(bytearray(4 * game.encoder.size)).cast("f")
    at = game.encoder.parts[-1].start
    for seat in range(2):
        game.observe(state, seat, row, spelling)
        assert [place for place, number in enumerate(row[at:]) if number] == (
            sorted(spelling.spelled) if seat == state.turn.seat else []
        )


@pytest.mark.parametrize(
    ("outcome", "wins", "places", "points"),
    [
        (outcome_by_side([5, 1, 1]), [2 / 3, -1 / 3, -1 / 3], [1, -0.5, -0.5], [5, 1, 1]),
        (outcome_by_side([5, 1], ((0, 2), (1, 3))), [0.5, -0.5, 0.5, -0.5], [1, -1, 1, -1], [5, 1, 5, 1]),
        (outcome_by_side([5, 1], lowest_wins=True), [-0.5, 0.5], [-1, 1], [-5, -1]),
        (outcome_by_side([7], ((0, 1),)), [0, 0], [0, 0], [7, 7]),
    ],
)
def test_rewards(outcome: Outcome, wins: list[float], places: list[float], points: list[float]) -> None:
    """Wins and places add up to zero between sides; points are those of the game, more being better."""
    assert reward_wins(outcome) == pytest.approx(wins)
    assert reward_places(outcome) == pytest.approx(places)
    assert reward_points(outcome) == points


@pytest.mark.parametrize(("name", "reward"), [("spades", reward_wins), ("fireworks", reward_points)])
def test_the_reward_by_default(name: str, reward: Reward) -> None:
    """The reward by default is the win, or the points in a cooperative game, where nobody wins."""
    assert prepare_game(name).reward is reward


def test_a_deal_is_answered_draw_by_draw() -> None:
    """Kuhn poker has six deals, equally likely: of a shuffle only the cards are drawn that may be dealt."""
    setup = prepare_game("poker", 2, {"hands": 1}, "kuhn").setup
    hands: list[tuple[object, ...]] = []
    open_deals: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while open_deals:
        draws, probability = open_deals.pop()
        reached = deal_by_draws(setup.game, 2, setup.options, draws)
        if isinstance(reached, OpenDraw):
            open_deals += [((*draws, at), probability * share) for at, share in enumerate(reached.probabilities)]
        else:
            hands.append((*[card for seat in range(2) for card in reached.view(seat).cards], probability))
    cards = ("SJ", "SQ", "SK")
    assert sorted(hands) == sorted((one, other, Fraction(1, 6)) for one in cards for other in cards if one != other)


def test_unknown_names_are_refused() -> None:
    """An unknown name is refused with the names that exist."""
    with pytest.raises(OptionError, match="there is no reward 'money'; there are wins, places or points"):
        prepare_game("racko", reward="money")
    with pytest.raises(OptionError, match="racko is played by 2, 3 or 4 players, not by 7"):
        prepare_game("racko", 7)


def test_all_games_are_stepped_together() -> None:
    """Rows are independent games; the rewards of each add up to zero; the same seed brings the same games."""
    game = prepare_game("lucky-maker", 3, {"games": 1})
    batches = [GameBatch(game, 5, "seed") for _ in range(2)]
    rng, ended = np.random.default_rng(1), 0
    for _ in range(150):
        first, second = batches
        assert (first.observations == second.observations).all()
        assert first.masks.any(axis=1).all()
        letters = (rng.random(first.masks.shape) * first.masks).argmax(axis=1)
        steps = [batch.step(letters) for batch in batches]
        assert abs(steps[0].rewards.sum(axis=1)).max() < 1e-6
        assert (steps[0].rewards.any(axis=1) <= steps[0].ended).all()
        ended += int(steps[0].ended.sum())
    assert ended == len(batches[0].finished) > 10


@pytest.mark.parametrize(("name", "seats"), [(name, None) for name in Registry().games] + [("poker", 10)])
def test_a_row_of_a_batch_is_what_its_game_shows_alone(name: str, seats: int | None) -> None:
    """Observations, masks and seats of a batch are those of its games, played one by one, to the last bit."""
    game, rows = prepare_game(name, seats), 3
    batch, rng, seeds = GameBatch(game, rows, "alone"), Random("alone"), count(1)
    alone = [begin_game(game, seeds) for _ in range(rows)]
    shown = np.zeros(game.encoder.size, np.float32)
    for _ in range(60):
        letters = []
        for row, (state, spelling) in enumerate(alone):
            assert state.turn
            game.observe(state, state.turn.seat, shown.data, spelling)
            assert batch.seats[row] == state.turn.seat
            assert batch.observations[row].tobytes() == shown.tobytes()
            assert batch.masks[row].nonzero()[0].tolist() == spelling.letters
            letters.append(rng.choice(spelling.letters))
        batch.step(letters)
        for row, letter in enumerate(letters):
            state, spelling = alone[row]
            action = spelling.add(letter)
            if action is not None:
                state.play(action)
                following = game.find_choice(state)
                alone[row] = (state, following) if following is not None else begin_game(game, seeds)


def test_a_row_whose_lists_have_another_length_is_that_of_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists of a view with more or fewer values than seats, and fractions, are written as those of a single game."""
    game, changes = prepare_game("bridge"), [{}, {"won": [1, 2]}, {"last_calls": []}, {"games": [1.5, 2, 3, None]}]
    states = [game.deal(f"odd/{number}") for number in range(len(changes))]
    for state, change in zip(states, changes, strict=True):
        monkeypatch.setattr(state, "view", lambda seat, view=state.view, new=change: replace(view(seat), **new))
    turns = [state.require_turn() for state in states]  # type: ignore[attr-defined]
    rows = BatchRows(game.encoder, len(states))
    rows.write([ShownRow(row, state, turn, ()) for row, (state, turn) in enumerate(zip(states, turns, strict=True))])
    alone = np.zeros(game.encoder.size, np.float32)
    for row, state in enumerate(states):
        game.observe(state, turns[row].seat, alone.data)
        assert rows.array[row].tobytes() == alone.tobytes()


def begin_game(game: LearningGame, seeds: Iterator[int]) -> tuple[AnyState, Spelling]:
    """Return the next game of `test_a_row_of_a_batch_is_what_its_game_shows_alone`, and its first choice."""
    while True:
        state = game.deal(f"alone/{next(seeds)}")
        spelling = game.find_choice(state)
        if spelling is not None:
            return state, spelling


def test_one_seat_learns_against_others() -> None:
    """With opponents a row is asked for one seat in each game, and each seat is the learner's about equally often."""
    rng = Random("opponents")
    game = prepare_game("lucky-maker", 3, {"games": 1})
    batch = GameBatch(game, 4, "seed", opponents=lambda _, legal: rng.choice(legal))
    seats = batch.seats.copy()
    for _ in range(300):
        step = batch.step(batch.masks.argmax(axis=1))
        assert (step.ended | (batch.seats == seats)).all()
        seats = batch.seats.copy()
    learners = np.bincount([seat for seat, _ in batch.finished], minlength=3)
    assert learners.min() > learners.sum() / 6


def test_shaped_rewards_add_up_to_the_difference_of_the_ends() -> None:
    """The sum over a game is its reward less the evaluation at its first decision: what is best stays best."""
    game = prepare_game("racko", 2, {"max_rounds": 1})
    batch = GameBatch(game, 1, "seed", shaping=0.01)
    first = game.deal("seed/1")
    game.find_choice(first)
    assert isinstance(first, Evaluable)
    points = first.evaluate()
    total = 0.0
    while not batch.finished:
        total += batch.step(batch.masks.argmax(axis=1)).rewards[0][0]
    assert total == pytest.approx(batch.finished[0][1][0] - 0.01 * (points[0] - points[1]), abs=1e-4)


def test_shaped_rewards_with_a_discount_keep_the_order_of_policies() -> None:
    """The discounted sum over a game is that of its reward less the potential at its first decision."""
    game = prepare_game("racko", 2, {"max_rounds": 1, "max_turns": 8})

    def weigh(state: AnyState) -> list[float]:
        assert isinstance(state, Evaluable)
        return [0.5 * points for points in state.evaluate()]

    batch = GameBatch(game, 1, "seed", choose_from_words("others"), weigh, seat=1, discount=0.9)
    first = GameBatch(game, 1, "seed", choose_from_words("others"), seat=1)
    worth = weigh(first._games[0].walk.state)[1]
    rewards = []
    while not batch.finished:
        rewards.append(float(batch.step(batch.masks.argmax(axis=1)).rewards[0][1]))
    expected = 0.9 ** (len(rewards) - 1) * batch.finished[0][1][1] - worth
    assert sum(0.9**at * reward for at, reward in enumerate(rewards)) == pytest.approx(expected, abs=1e-4)
    with pytest.raises(ValueError, match="without a discount where all seats learn"):
        GameBatch(game, 1, shaping=weigh, discount=0.9)


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_seat_that_is_not_at_the_table(seat: int) -> None:
    """A learner without a seat would wait for its turn without end: its batch is refused."""
    with pytest.raises(ValueError, match=f"seat is {seat}; it can be 0 to 1"):
        GameBatch(prepare_game("racko"), 1, "seed", choose_from_words("others"), seat=seat)


def test_letters_of_one_decision_are_discounted_too() -> None:
    """A letter that chooses no action yet brings what the discount takes of the potential."""
    game = prepare_game("rummy", 2)
    batch = GameBatch(game, 1, "seed", choose_from_words("others"), lambda state: [2.0, 2.0], discount=0.75)
    met = set()
    for _ in range(200):
        row = batch.observations[0, : game.encoder.spelled_at].copy()
        reward = float(batch.step(batch.masks.argmax(axis=1)).rewards[0][batch.seats[0]])
        if (batch.observations[0, : game.encoder.spelled_at] == row).all():
            met.add(reward)
    assert met == {-0.5}


def test_the_learner_sits_at_a_given_seat() -> None:
    """In each game, also where others would have been drawn."""
    batch = GameBatch(prepare_game("lucky-maker", 3, {"games": 1}), 6, "seed", choose_from_words("others"), seat=2)
    while len(batch.finished) < 10:
        assert batch.seats.tolist() == [2] * 6
        batch.step(batch.masks.argmax(axis=1))
    assert {seat for seat, _ in batch.finished} == {2}


def test_a_game_that_is_given_up() -> None:
    """The next one begins in its row; it has no result, and its potential is gone."""
    game = prepare_game("racko", 2, preset="short")
    batch = GameBatch(game, 2, "seed", choose_from_words("others"), shaping=1.0, seat=0)
    before, dealt = batch.observations.copy(), batch._games[0].worth
    assert dealt is not None
    step = batch.step([GIVEN_UP, int(batch.masks[1].argmax())])
    assert step.ended.tolist() == [True, False]
    assert step.rewards[0, 0] == -dealt[0]
    assert batch.finished == []
    assert [*batch.last_walks] == [0]
    assert (batch.observations[0] != before[0]).any()
    batch.step(batch.masks.argmax(axis=1))
    assert batch.last_walks == {}


class CountingOpponents:
    """Opponents who take the action of the number of their decision in the game, and have to see its events."""

    wants_events = True

    def begin_game(self, game: LearningGame, seed: str) -> ActionChooser:
        """Return what chooses in one game."""
        return CountingChooser()


class CountingChooser:
    """Counts its decisions in a game; the log has to have more events each time."""

    def __init__(self) -> None:
        self.told: list[int] = []

    def __call__(self, state: AnyState, legal: Sequence[Any]) -> Any:  # noqa: ANN401 - an action of any game
        """Return an action."""
        assert state.table.log
        assert len(state.table.log) > max(self.told, default=0)
        self.told.append(len(state.table.log))
        return lowest_action(legal[len(self.told) % len(legal)])


def test_opponents_that_follow_each_game() -> None:
    """Each game has a chooser of its own, which sees the log, in copies too."""
    game = prepare_game("lucky-maker", 3, {"games": 1})
    batch = GameBatch(game, 4, "seed", CountingOpponents())
    for _ in range(3):
        batch.step(batch.masks.argmax(axis=1))
    choosers = [one.opponents for one in batch._games]
    assert len({id(one) for one in choosers}) == 4
    twin = batch.clone()
    letters = batch.masks.argmax(axis=1)
    while len(batch.finished) < 6:
        step, other = batch.step(letters), twin.step(letters)
        letters = batch.masks.argmax(axis=1)
        assert step.rewards.tolist() == other.rewards.tolist()
        assert (batch.observations == twin.observations).all()


def test_leads_are_over_opponents() -> None:
    """A lead is over opponents, not partners; where all are one side, the reward is the points themselves."""
    assert subtract_opponents([6.0, 3.0, 0.0], solo_sides(3)) == [4.5, 0.0, -4.5]
    assert subtract_opponents([4.0, 1.0, 2.0, 3.0], ((0, 2), (1, 3))) == [2.0, -2.0, 0.0, 0.0]
    assert subtract_opponents([7.0, 7.0], ((0, 1),)) == [7.0, 7.0]
