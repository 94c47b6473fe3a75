"""How far learners come by the minute of a processor: exploitability, wins and points, written to a table.

    tox -e learning-table [-- --tables kuhn leduc --learners nfsp --minutes 0.25 1 --seed 1]

Each figure is of a training of its own, which takes its minutes of one processor; measuring comes after them. A
figure is appended to `bench/learning_table.tsv` as soon as it is measured. What is there already is left out, so the
command goes on where it was stopped. `bench/learning_figures.py` prints the table of docs/learning.md from that file.

In Kuhn and Leduc poker the figure is how exploitable the strategy is (the mean of what the best responses to it win, in
chips a hand). In other games it is wins in percent against bots of the house, or the points of a game that the
strategy plays at all seats. Deals that are measured are none of those of the training.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib.util import module_from_spec, spec_from_file_location
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import pyspiel
import sb3_contrib
import torch
from open_spiel.python import rl_environment
from open_spiel.python.algorithms.outcome_sampling_mccfr import OutcomeSamplingSolver
from open_spiel.python.pytorch import nfsp
from stable_baselines3.common.vec_env import DummyVecEnv

import pitboss_openspiel  # noqa: F401 - registers our games
import pitboss_tournament
from learning_figures import BASELINES, LEARNERS, MEASURED, PLAYED_BY, TABLES, Figure, LearnedTable, read_figures
from pitboss.learning.learning_game import LearningGame, prepare_game
from pitboss.learning.spelling import Spelling
from pitboss_openspiel.whole_tree import Strategy, WholeTree
from pitboss_pettingzoo import FrozenPolicy, OneSeatEnv
from pitboss_pettingzoo.opponents import find_opponents

TRAIN: Final = Path(pitboss_tournament.__file__).parent / "templates" / "python-learned" / "train.py"
DEALS: Final = 1000  # of the training of OpenSpiel's learners in large games
GAMES: Final = 100  # that are measured, of deals after those


def load_table(table: LearnedTable, deals: int) -> Any:  # noqa: ANN401 - a game of OpenSpiel
    """Return the game in OpenSpiel: with one chance node of `deals` deals, or, where it is short, all draws."""
    if not table.is_own:
        return pyspiel.load_game(table.game)
    words = {
        "players": table.seats,
        "preset": table.preset,
        "options": ";".join(f"{name}:{value}" for name, value in table.options.items()),
        "reward": "wins" if table.figure == "wins" else "points",
        "deals": 0 if table.is_short else deals,
    }
    return pyspiel.load_game(f"pitboss_{table.game.replace('-', '_')}", words)


# ---- the clock and the figures


class TrainingClock:
    """Counts the processor time of a training."""

    def __init__(self, minutes: float) -> None:
        self._seconds = 60 * minutes
        self._began = process_time()

    @property
    def share(self) -> float:
        """How much of the training is done: 1 at its end."""
        return (process_time() - self._began) / self._seconds

    @property
    def is_over(self) -> bool:
        """Whether the time is over."""
        return self.share >= 1


Player: TypeAlias = Callable[[Any], list[int]]  # of a state in which it decides: the letters that it adds


def play_games(
    table: LearnedTable, begin: Callable[[LearningGame, str], Player], opponents: str
) -> tuple[float, float]:
    """Return the mean result of some games, and half of a 95 % interval. `begin` makes the player of a game.

    Against opponents it sits at each seat equally often, and the result is its share of wins in percent; without them
    it sits at all seats, and the result is the points.
    """
    game = load_table(table, DEALS + GAMES)
    learning = game.learning
    others = find_opponents(opponents, learning) if opponents else None
    results = []
    for number in range(GAMES):
        state = game.new_initial_state()
        state.apply_action(DEALS + number)
        own = begin(learning, f"own/{number}")
        other = None if others is None else seat_bots(others, learning, f"others/{number}")
        seat = number % table.seats
        while not state.is_terminal():
            player = own if other is None or state.current_player() == seat else other
            for letter in player(state):
                state.apply_action(letter)
        outcome = state.walk.state.outcome()
        result = outcome.win_shares()[seat] * 100 if others else outcome.signed_points()[seat]
        results.append(float(result))
    return float(np.mean(results)), 1.96 * float(np.std(results)) / GAMES**0.5


def seat_bots(bots: Any, learning: LearningGame, seed: str) -> Player:  # noqa: ANN401 - `GameOpponents`
    """Return bots of the house, or others that see the state, as a player of one game."""
    choose = bots.begin_game(learning, seed)

    def add_letters(state: Any) -> list[int]:  # noqa: ANN401
        rules = state.walk.state
        legal = rules.legal()
        return Spelling(learning.alphabet, legal).spell(choose(rules, legal))

    return add_letters


def follow_strategy(strategy: Strategy, _: LearningGame, seed: str) -> Player:
    """Return a player of one game that draws its letters by a strategy."""
    rng = np.random.default_rng([*seed.encode()])

    def draw_letter(state: Any) -> list[int]:  # noqa: ANN401
        chances = strategy(state)
        shares = np.array([*chances.values()], np.float64)
        return [int(rng.choice([*chances], p=shares / shares.sum()))]

    return draw_letter


@cache
def walk_table(table: str) -> WholeTree:
    """Return the whole tree of a short game."""
    return WholeTree(load_table(TABLES[table], 0))


class FigureWriter:
    """Measures one learner at one table, and writes the figures to the file."""

    def __init__(self, table: str, learner: str, seed: int) -> None:
        self.table, self.learner, self.seed = table, learner, seed
        self._tree = walk_table(table) if TABLES[table].is_short else None

    def __call__(self, strategy: Strategy, minutes: float, steps: int) -> None:
        """Measure a strategy."""
        if self._tree is not None:
            self._write(minutes, "", self._tree.exploit(strategy), 0.0, steps)
            return
        self.measure_player(partial(follow_strategy, strategy), minutes, steps)

    def measure_player(self, begin: Callable[[LearningGame, str], Player], minutes: float, steps: int) -> None:
        """Measure a player by games."""
        table = TABLES[self.table]
        for opponents in table.opponents:
            self._write(minutes, opponents, *play_games(table, begin, opponents), steps)

    def _write(self, minutes: float, opponents: str, value: float, error: float, steps: int) -> None:
        rounded = round(value, 4), round(error, 4)
        figure = Figure(self.table, self.learner, self.seed, minutes, opponents, *rounded, steps)
        is_new = not MEASURED.exists()
        with MEASURED.open("a", encoding="utf-8", newline="") as out:
            writer = csv.writer(out, delimiter="\t", lineterminator="\n")
            writer.writerows([Figure._fields, figure] if is_new else [figure])
        print(*figure, flush=True)


# ---- the learners


def play_uniformly(state: Any) -> Mapping[int, float]:  # noqa: ANN401
    """Choose any of the legal letters."""
    legal = state.legal_actions()
    return dict.fromkeys(legal, 1 / len(legal))


def observe_row(state: Any) -> tuple[Any, Any]:  # noqa: ANN401
    """Return the observation of the player on turn, and the mask of its legal letters, as arrays of one row."""
    mask = np.zeros((1, state.num_distinct_actions()), np.bool_)
    mask[0, state.legal_actions()] = True
    return np.array([state.observation_tensor(state.current_player())], np.float32), mask


def list_chances(shares: Any, state: Any, *, is_best: bool) -> Mapping[int, float]:  # noqa: ANN401
    """Return the probabilities of the legal letters; with `is_best` the likeliest letter alone."""
    legal = state.legal_actions()
    if is_best:
        return {max(legal, key=lambda letter: shares[letter]): 1.0}
    return {letter: float(shares[letter]) for letter in legal}


class Learned(NamedTuple):
    """What a learner has come to."""

    strategy: Strategy
    steps: int


def learn_by_template(table: LearnedTable, clock: TrainingClock, seed: int) -> Learned:
    """`train.py` of `pitboss new bot python-learned`: it plays against itself."""
    spec = spec_from_file_location("train", TRAIN)
    assert spec is not None
    assert spec.loader is not None
    train = sys.modules["train"] = module_from_spec(spec)
    spec.loader.exec_module(train)

    class TimedTrainer(train.Trainer):  # type: ignore[name-defined, misc]
        """Its time is that of the clock, and it writes no files."""

        def share_done(self) -> float:
            """Return how much of the training is done, from 0 to 1."""
            return clock.share

        def show(self) -> None:
            """Print nothing."""

        def find_chances(self, state: Any) -> Mapping[int, float]:  # noqa: ANN401
            """Return the probabilities of the legal letters."""
            rows, masks = observe_row(state)
            [logs] = train.log_probabilities(self.model.policy(rows), masks)
            return list_chances(np.exp(logs), state, is_best=not table.is_short)

    words = [table.game, "--seats", str(table.seats), "--seed", str(seed)]
    words += ["--preset", table.preset] if table.preset else []
    for name, value in table.options.items():
        words += ["-o", f"{name}={value}"]
    trainer = TimedTrainer(train.read_arguments(words))
    trainer.run()
    return Learned(trainer.find_chances, trainer.letters)


class OwnOpponent:
    """The model that is learning, as it is, at the other seats; its letters are drawn."""

    model: Any = None  # until it is there, any legal letter will do

    def __call__(self, row: Any, mask: Any) -> Any:  # noqa: ANN401 - arrays
        """Return a letter."""
        return mask.argmax() if self.model is None else self.model.predict(row, action_masks=mask)[0]


def learn_by_masked_ppo(table: LearnedTable, clock: TrainingClock, seed: int) -> Learned:
    """MaskablePPO of sb3-contrib with its defaults, in 8 games against itself, shaped by the evaluation of the game."""
    game = prepare_game(table.game, table.seats, table.options, table.preset, "points")
    opponent = OwnOpponent()

    def make() -> OneSeatEnv:
        shaping = None if table.is_short else "evaluation"
        return OneSeatEnv(game, opponents=FrozenPolicy(opponent), scale="bounds", shaping=shaping, discount=0.99)

    model = sb3_contrib.MaskablePPO("MlpPolicy", DummyVecEnv([make] * 8), n_steps=256, seed=seed, device="cpu")
    opponent.model = model
    model.learn(sys.maxsize, callback=lambda *_: not clock.is_over)
    model.policy.set_training_mode(False)

    def find_chances(state: Any) -> Mapping[int, float]:  # noqa: ANN401
        rows, masks = observe_row(state)
        with torch.inference_mode():
            shares = model.policy.get_distribution(torch.from_numpy(rows), masks).distribution.probs[0].numpy()
        return list_chances(shares, state, is_best=not table.is_short)

    return Learned(find_chances, model.num_timesteps)


def learn_by_nfsp(table: LearnedTable, clock: TrainingClock, seed: int) -> Learned:
    """NFSP of OpenSpiel in torch, with the constants of its example for Leduc poker."""
    game = load_table(table, DEALS)
    kind = rl_environment.ObservationType.OBSERVATION if table.is_own else None
    chance = rl_environment.ChanceEventSampler(seed)
    env = rl_environment.Environment(game, observation_type=kind, chance_event_sampler=chance)
    size, actions = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
    agents = [
        nfsp.NFSP(
            seat,
            size,
            actions,
            [128],
            reservoir_buffer_capacity=200_000,
            anticipatory_param=0.1,
            replay_buffer_capacity=200_000,
            update_target_network_every=19_200,
            epsilon_decay_duration=20_000_000,
            epsilon_start=0.06,
            epsilon_end=0.001,
            seed=10 * seed + seat,
        )
        for seat in range(table.seats)
    ]

    def find_chances(state: Any) -> Mapping[int, float]:  # noqa: ANN401
        seat = state.current_player()
        told = env.game.get_type().provides_information_state_tensor and not table.is_own
        row = state.information_state_tensor(seat) if told else state.observation_tensor(seat)
        seen: dict[str, Any] = {"info_state": [None] * table.seats, "legal_actions": [None] * table.seats}
        seen["current_player"] = seat
        seen["info_state"][seat], seen["legal_actions"][seat] = row, state.legal_actions()
        step = rl_environment.TimeStep(seen, None, None, rl_environment.StepType.MID)
        with agents[seat].temp_mode_as(nfsp.MODE.AVERAGE_POLICY):
            return list_chances(agents[seat].step(step, is_evaluation=True).probs, state, is_best=False)

    steps = 0
    while not clock.is_over:
        time_step = env.reset()
        while not time_step.last():
            output = agents[time_step.observations["current_player"]].step(time_step)
            time_step = env.step([output.action])
            steps += 1
        for agent in agents:
            agent.step(time_step)
    return Learned(find_chances, steps)


def learn_by_outcome_sampling(table: LearnedTable, clock: TrainingClock, seed: int) -> Learned:
    """Outcome sampling MCCFR of OpenSpiel in Python: its average strategy."""
    np.random.seed(seed)  # it draws by this
    solver = OutcomeSamplingSolver(load_table(table, DEALS))
    steps = 0
    while not clock.is_over:
        solver.iteration()
        steps += 1
    return Learned(solver.average_policy().action_probabilities, steps)


Learner: TypeAlias = Callable[[LearnedTable, TrainingClock, int], Learned]
LEARNING: Final[Mapping[str, Learner]] = {
    "train.py": learn_by_template,
    "maskable-ppo": learn_by_masked_ppo,
    "nfsp": learn_by_nfsp,
    "outcome-sampling": learn_by_outcome_sampling,
}
OF_OPENSPIEL: Final = ("nfsp", "outcome-sampling")  # these can learn its own games


# ---- the program


def measure_baseline(name: str, writer: FigureWriter) -> None:
    """Measure random play, or the bot of the house for the game."""
    if name == "random":
        writer(play_uniformly, 0.0, 0)
        return
    bot = PLAYED_BY.get(writer.table)
    if bot is not None:
        writer.measure_player(partial(begin_bots, bot), 0.0, 0)


def begin_bots(bot: str, learning: LearningGame, seed: str) -> Player:
    """Return a bot of the house as a player of one game."""
    return seat_bots(find_opponents(bot, learning), learning, seed)


def main() -> None:
    """Measure what is not in the file yet."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--tables", nargs="+", choices=TABLES, default=[*TABLES], help="default: all")
    names = [*BASELINES, *LEARNERS]
    reader.add_argument("--learners", nargs="+", choices=names, default=names, help="default: all")
    reader.add_argument("--minutes", type=float, nargs="+", default=[0.25, 1.0], help="default: 0.25 1")
    reader.add_argument("--seed", type=int, default=1)
    given = reader.parse_args()
    torch.set_num_threads(1)
    known = {(one.table, one.learner, one.seed, one.minutes) for one in read_figures()}
    for name in given.tables:
        for baseline in BASELINES:
            if baseline in given.learners and (name, baseline, given.seed, 0.0) not in known:
                measure_baseline(baseline, FigureWriter(name, baseline, given.seed))
    for minutes, name, learner in product(given.minutes, given.tables, LEARNERS):
        is_possible = TABLES[name].is_own or learner in OF_OPENSPIEL
        if is_possible and learner in given.learners and (name, learner, given.seed, minutes) not in known:
            strategy, steps = LEARNING[learner](TABLES[name], TrainingClock(minutes), given.seed)
            FigureWriter(name, learner, given.seed)(strategy, minutes, steps)


if __name__ == "__main__":
    main()
