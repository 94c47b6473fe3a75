"""Train a network to play a game of Pitboss, by PPO with masks; it is written to model.npz for bot.py.

    python train.py GAME                              some minutes against itself, at the smallest table
    python train.py racko --preset short --letters 3000000 --minutes 60
    python train.py poker --preset leduc --play sampled
    python train.py --resume                          go on with model.npz, at its table

`{python}` of bot.toml is the Python that runs Pitboss; this program needs it too. It prints a line every now and then:
how the network does against random play. The lines are also written to curve.csv.

`Network` has the layers and their gradients in numpy, `TorchNetwork` the same layers in torch (--backend torch), which
is slower for these, and finds the gradients of any others by itself. Put yours there, and their outputs into
`Network.__call__`, by which bot.py plays; or write a training program of your own, which needs no more of Pitboss than
`prepare_game` and `GameBatch` (docs/learning.md).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from time import monotonic, process_time
from typing import TYPE_CHECKING, Any, TypeAlias

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # of numpy and torch: small matrices need only one
    os.environ.setdefault(threads, "1")

try:
    import numpy as np

    from pitboss.errors import PitbossError
    from pitboss.game import AnyState, Evaluable
    from pitboss.learning.batch import GameBatch
    from pitboss.learning.learning_game import LearningGame, prepare_game
    from pitboss.learning.rewards import REWARDS, subtract_opponents
    from pitboss.learning.spelling import Spelling
    from pitboss.outcome import Outcome
    from pitboss.simulation.random_play import ActionChooser, choose_from_words
except ModuleNotFoundError as missing:
    sys.exit(f"train.py needs {missing.name}, which {sys.executable} has not. Use the Python that runs Pitboss")

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]
    Position: TypeAlias = tuple[AnyState, int, np.random.Generator | None]  # with the seat, and `Model.make_rng`

HERE = Path(__file__).resolve().parent
MODEL = HERE / "model.npz"
CURVE = HERE / "curve.csv"

# PPO (Schulman et al. 2017), with the constants that most programs have
ROLLOUT_STEPS = 64  # letters of each game between two updates
EPOCHS = 4  # how often a rollout is learned from
MINIBATCH = 256
CLIP = 0.2  # how far the ratio of new to old probability may go
SHAPED_TRACE, PLAIN_TRACE = 0.2, 0.95  # lambda of the advantages: an evaluation tells at once what a letter was worth
DISCOUNT = 0.99  # of what comes after a letter: without it nothing speaks against going round in circles
LEAST_SHARE = 0.1  # of the rate and the entropy that the training begins with: both fall along a line up to the end
MAX_GRADIENT = 0.5
ADAM_EPSILON = 1e-5
NOTED_LETTERS, LEAST_LOG = 3, np.log(0.005)  # in the note of a decision: at most 3 letters, none less likely than 0.005
UNIT_SHARE = 0.1  # of the newest rollout, in the unit of rewards


# ---- the networks


class Network:
    """Hidden layers of tanh and a layer of outputs, with Adam (Kingma and Ba 2015), in numpy alone."""

    def __init__(self, weights: Sequence[Array]) -> None:
        """Make the layers: the weights have a matrix (inputs by outputs) and a row of constants for each."""
        self.weights = list(weights)
        self._moments = [np.zeros_like(one) for one in weights]
        self._squares = [np.zeros_like(one) for one in weights]
        self._updates = 0

    def __call__(self, rows: Array) -> Array:
        """Return the outputs for rows of inputs."""
        return self._run(rows)[-1]

    def learn(self, rows: Array, find_gradient: Callable[[Array], Array], rate: float) -> None:
        """Take a step of Adam down the gradient of a loss; `find_gradient` has it at the outputs."""
        *layers, outputs = self._run(rows)
        gradients: list[Array] = []
        slope = find_gradient(outputs)
        for at in reversed(range(len(layers))):
            gradients[:0] = layers[at].T @ slope, slope.sum(axis=0)
            if at > 0:
                slope = (slope @ self.weights[2 * at].T) * (1 - layers[at] ** 2)
        norm = float(sum(np.vdot(one, one) for one in gradients)) ** 0.5
        scale = np.float32(min(1.0, MAX_GRADIENT / (norm + 1e-6)))
        self._updates += 1
        step, spread = np.float32(rate / (1 - 0.9**self._updates)), np.float32((1 - 0.999**self._updates) ** 0.5)
        for weight, gradient, moment, square in zip(self.weights, gradients, self._moments, self._squares, strict=True):
            gradient *= scale
            moment += np.float32(0.1) * (gradient - moment)
            square += np.float32(0.001) * (gradient * gradient - square)
            weight -= step * moment / (np.sqrt(square) / spread + np.float32(ADAM_EPSILON))

    def _run(self, rows: Array) -> list[Array]:
        """Return the inputs of each layer, and the outputs of the last one."""
        layers = [rows]
        for at in range(0, len(self.weights), 2):
            outputs = layers[-1] @ self.weights[at] + self.weights[at + 1]
            layers.append(outputs if at == len(self.weights) - 2 else np.tanh(outputs))
        return layers


class TorchNetwork:
    """The same layers, and the same steps, in torch, which finds the gradients of other layers by itself."""

    def __init__(self, weights: Sequence[Array]) -> None:
        """Make the layers from weights as `Network` has them."""
        import torch  # here, as a bot that plays does not need it

        layers: list[torch.nn.Module] = []
        for matrix, constants in zip(weights[::2], weights[1::2], strict=True):
            layer = torch.nn.Linear(*matrix.shape)
            layer.load_state_dict({"weight": torch.tensor(matrix.T), "bias": torch.tensor(constants)})
            layers += [layer, torch.nn.Tanh()]
        self._torch = torch
        self._layers = torch.nn.Sequential(*layers[:-1])
        self._adam = torch.optim.Adam(self._layers.parameters(), eps=ADAM_EPSILON)

    @property
    def weights(self) -> list[Array]:
        """The weights as `Network` has them: it plays what is learned here."""
        return [one.detach().numpy().T for one in self._layers.parameters()]

    def __call__(self, rows: Array) -> Array:
        """Return the outputs for rows of inputs."""
        with self._torch.inference_mode():
            outputs: Array = self._layers(self._torch.from_numpy(rows)).numpy()
        return outputs

    def learn(self, rows: Array, find_gradient: Callable[[Array], Array], rate: float) -> None:
        """Take a step of Adam down the gradient of a loss; `find_gradient` has it at the outputs."""
        outputs = self._layers(self._torch.from_numpy(rows))
        self._adam.zero_grad()
        outputs.backward(self._torch.from_numpy(find_gradient(outputs.detach().numpy())))
        self._torch.nn.utils.clip_grad_norm_(self._layers.parameters(), MAX_GRADIENT)
        self._adam.param_groups[0]["lr"] = rate
        self._adam.step()


BACKENDS: dict[str, type[Network | TorchNetwork]] = {"numpy": Network, "torch": TorchNetwork}


def make_weights(sizes: Sequence[int], rng: np.random.Generator) -> list[Array]:
    """Return the weights of an untrained network with layers of these sizes; its outputs are all but zero."""
    weights = []
    for at, (before, after) in enumerate(pairwise(sizes), 2):
        gain = 1.0 if at < len(sizes) else 0.01
        weights.append((rng.standard_normal((before, after)) * gain / before**0.5).astype(np.float32))
        weights.append(np.zeros(after, np.float32))
    return weights


def log_probabilities(logits: Array, masks: Array) -> Array:
    """Return the logarithms of the probabilities of all letters; those of illegal ones are very low."""
    logits = np.where(masks, logits, np.float32(-1e9))
    logits = logits - logits.max(axis=1, keepdims=True)
    logs: Array = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    return logs


def draw_letters(logs: Array, rng: np.random.Generator) -> Array:
    """Draw a letter for each row (by Gumbel's trick)."""
    noise: Array = -np.log(-np.log(rng.random(logs.shape, np.float32) + 1e-9) + 1e-9)
    letters: Array = np.argmax(logs + noise, axis=1)
    return letters


@dataclass
class Model:
    """A trained network, and what it was trained for."""

    policy: Network | TorchNetwork  # its outputs are the logits of all letters
    critic: Network | TorchNetwork  # its output is what is still to be won from here, in units
    about: dict[str, Any]  # game, version, seats, options, fingerprint, play, reward, seed, letters

    def save(self, path: Path) -> None:
        """Write the model, as a whole or not at all."""
        part = path.with_suffix(".part.npz")
        weights = {
            f"{name}_{number}": one
            for name, network in (("policy", self.policy), ("critic", self.critic))
            for number, one in enumerate(network.weights)
        }
        np.savez(part, about=np.array(json.dumps(self.about)), **weights)  # type: ignore[arg-type]
        part.replace(path)

    @classmethod
    def load(cls, path: Path, make: type[Network | TorchNetwork] = Network) -> Model:
        """Read a model; `make` makes its networks.

        Raises:
            ValueError: the file is no model.
        """
        try:
            with np.load(path) as file:
                policy, critic = (
                    make([file[one] for one in file.files if one.startswith(name)]) for name in ("policy", "critic")
                )
                return cls(policy, critic, json.loads(str(file["about"])))
        except Exception as error:  # noqa: BLE001 - numpy raises many
            raise ValueError(f"{path.name} cannot be read as a model ({type(error).__name__}: {error})") from None

    def choose(self, rows: Array, masks: Array, rng: np.random.Generator | None = None) -> Array:
        """Return a letter for each row: the likeliest, or drawn with `rng`."""
        logs = log_probabilities(self.policy(rows), masks)
        return np.argmax(logs, axis=1) if rng is None else draw_letters(logs, rng)

    def make_rng(self, seed: int) -> np.random.Generator | None:
        """Return what letters of a game are drawn with, which follows from the seed; None where none are drawn."""
        return np.random.default_rng(seed) if self.about["play"] == "sampled" else None

    def decide_all(self, game: LearningGame, positions: Sequence[Position]) -> list[tuple[object, str]]:
        """Return for each position the action, spelled letter by letter, and the likeliest letters of its last choice.

        The network sees the rows of all positions at once. What is forced needs no network.
        """
        spellings = [Spelling(game.alphabet, state.legal()) for state, *_ in positions]
        decided = [(spelling.forced, "forced") for spelling in spellings]
        while still_open := [at for at, (action, _) in enumerate(decided) if action is None]:
            rows = np.zeros((len(still_open), game.encoder.size), np.float32)
            masks = np.zeros((len(still_open), len(game.alphabet)), np.bool_)
            for row, mask, at in zip(rows, masks, still_open, strict=True):
                state, seat, _ = positions[at]
                game.observe(state, seat, row.data, spellings[at])
                mask[spellings[at].letters] = True
            for at, logs in zip(still_open, log_probabilities(self.policy(rows), masks), strict=True):
                best = [one for one in np.argsort(-logs)[:NOTED_LETTERS] if logs[one] > LEAST_LOG]
                likeliest = ", ".join(f"{game.alphabet.letters[one]} {np.exp(logs[one]):.0%}" for one in best)
                rng = positions[at][2]
                letter = best[0] if rng is None else draw_letters(logs[None], rng)[0]
                decided[at] = spellings[at].add(int(letter)), likeliest
        return decided

    def require(self, game: LearningGame) -> None:
        """Check that the model was trained for a game as it is here.

        Raises:
            ValueError: it was not; the message says what differs.
        """
        mine, here = self.about, describe_game(game)
        if mine["fingerprint"] == here["fingerprint"]:
            return
        pairs = [(name, mine[name], here[name]) for name in ("game", "version", "seats")]
        if mine["game"] == here["game"]:
            names = sorted(mine["options"].keys() | here["options"].keys())
            pairs += [(name, mine["options"].get(name), here["options"].get(name)) for name in names]
        differing = ", ".join(f"{name} {own!r} (here {other!r})" for name, own, other in pairs if own != other)
        raise ValueError(
            f"{MODEL.name} was trained for {differing or 'other numbers of this game'}: train one for this table with "
            "train.py"
        )


def describe_game(game: LearningGame) -> dict[str, Any]:
    """Return what a model has to be trained for."""
    setup = game.setup
    options = {name: getattr(setup.options, name) for name in setup.options.__struct_fields__}
    return {
        "game": setup.game.name,
        "version": setup.game.version,
        "seats": game.seats,
        "options": json.loads(json.dumps(options)),
        "fingerprint": game.fingerprint,
    }


# ---- rollouts


@dataclass
class Rollout:
    """Letters that were chosen, a row each: what was seen, what was done, and what came of it."""

    rows: Array
    masks: Array
    letters: Array
    logs: Array  # the logarithm of the probability of the letter
    advantages: Array
    returns: Array


def play_rollout(model: Model, batch: GameBatch, unit: float, trace: float, rng: np.random.Generator) -> Rollout:
    """Let the network play all games of the batch for some letters each; rewards are counted in units."""
    shape = (ROLLOUT_STEPS, len(batch.seats))
    rows = np.zeros((*shape, batch.observations.shape[1]), np.float32)
    masks = np.zeros((*shape, batch.masks.shape[1]), np.bool_)
    letters, seats = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    logs, values, ended = np.zeros(shape, np.float32), np.zeros(shape, np.float32), np.zeros(shape, np.bool_)
    rewards = np.zeros((*shape, batch.game.seats), np.float32)
    everyone = np.arange(shape[1])
    for at in range(ROLLOUT_STEPS):
        rows[at], masks[at], seats[at] = batch.observations, batch.masks, batch.seats
        all_logs, values[at] = log_probabilities(model.policy(rows[at]), masks[at]), model.critic(rows[at])[:, 0]
        letters[at] = draw_letters(all_logs, rng)
        logs[at] = all_logs[everyone, letters[at]]
        rewards[at], ended[at] = batch.step(letters[at])
    advantages, is_known = estimate_advantages(rewards / np.float32(unit), values, ended, seats, trace)
    chosen: list[Array] = [rows, masks, letters, logs, advantages, advantages + values]
    return Rollout(*[one[is_known] for one in chosen])


def estimate_advantages(rewards: Array, values: Array, ended: Array, seats: Array, trace: float) -> tuple[Array, Array]:
    """Return the advantages (GAE, Schulman et al. 2015), and for which letters they are known.

    Each seat of a game has a chain of its own, from one of its letters to its next one. What comes after a seat's last
    letter is unknown if the game goes on: its value stands for it, and nothing is learned from that letter. `trace` is
    the lambda of GAE.
    """
    steps, games, count = rewards.shape
    advantages, is_known = np.zeros((steps, games), np.float32), np.zeros((steps, games), np.bool_)
    next_value, traced = np.zeros((games, count), np.float32), np.zeros((games, count), np.float32)
    pending, has_next = np.zeros((games, count), np.float32), np.zeros((games, count), np.bool_)
    every = np.arange(games)
    for at in reversed(range(steps)):
        over = ended[at]
        next_value[over], traced[over], pending[over], has_next[over] = 0, 0, 0, True
        pending += rewards[at]
        own = every, seats[at]
        known = has_next[own]
        delta = pending[own] + np.float32(DISCOUNT) * next_value[own] - values[at]
        advantages[at] = np.where(known, delta + np.float32(DISCOUNT * trace) * traced[own], 0)
        is_known[at] = known
        traced[own], next_value[own], pending[own], has_next[own] = advantages[at], values[at], 0, True
    return advantages, is_known


def improve(model: Model, rollout: Rollout, rate: float, entropy: float, rng: np.random.Generator) -> None:
    """Learn from a rollout."""
    for _ in range(EPOCHS):
        order = rng.permutation(len(rollout.letters))
        for some in np.array_split(order, max(1, round(len(order) / MINIBATCH))):
            model.policy.learn(rollout.rows[some], PolicyGradient(rollout, some, entropy), rate)
            model.critic.learn(rollout.rows[some], CriticGradient(rollout.returns[some]), rate)


class PolicyGradient:
    """The gradient, at the logits, of the clipped loss of PPO for some letters of a rollout."""

    def __init__(self, rollout: Rollout, some: Array, entropy: float) -> None:
        self._masks, self._letters, self._logs = rollout.masks[some], rollout.letters[some], rollout.logs[some]
        advantages = rollout.advantages[some]
        self._advantages = (advantages - advantages.mean()) / (advantages.std() + np.float32(1e-8))
        self._entropy = np.float32(entropy)

    def __call__(self, logits: Array) -> Array:
        """Return the gradient of the mean loss."""
        every = np.arange(len(logits))
        logs = log_probabilities(logits, self._masks)
        chances = np.exp(logs)
        logs = np.where(self._masks, logs, 0)
        ratio = np.exp(logs[every, self._letters] - self._logs)
        is_clipped = np.where(self._advantages > 0, ratio > 1 + CLIP, ratio < 1 - CLIP)
        push = np.where(is_clipped, 0, self._advantages * ratio)
        disorder = -(chances * logs).sum(axis=1)
        gradient: Array = chances * (push[:, None] + self._entropy * (logs + disorder[:, None]))
        gradient[every, self._letters] -= push
        gradient /= np.float32(len(logits))
        return gradient


class CriticGradient:
    """The gradient, at the values, of half their mean square error."""

    def __init__(self, returns: Array) -> None:
        self._returns = returns[:, None]

    def __call__(self, values: Array) -> Array:
        """Return the gradient."""
        error: Array = (values - self._returns) / np.float32(len(values))
        return error


# ---- what is played for, and against whom


@dataclass
class Result:
    """How the network did against random play."""

    wins: float  # its share
    lead: float  # its points less the mean of its opponents
    lead_error: float  # half of a 95 % interval


def play_against_random(
    model: Model, game: LearningGame, games: int, seed: str, rng: np.random.Generator | None
) -> Result:
    """Play a number of games to their end, each seat equally often; without `rng` the likeliest letter is played."""
    opponents = choose_from_words(f"{seed}/opponents")
    tables = [(game.deal(f"{seed}/{number}"), number % game.seats) for number in range(games)]
    begun = [(*table, find_own_choice(game, *table, opponents)) for table in tables]
    while asked := [(state, seat, spelling) for state, seat, spelling in begun if spelling is not None]:
        rows = np.zeros((len(asked), game.encoder.size), np.float32)
        masks = np.zeros((len(asked), len(game.alphabet)), np.bool_)
        for row, mask, (state, seat, spelling) in zip(rows, masks, asked, strict=True):
            game.observe(state, seat, row.data, spelling)
            mask[spelling.letters] = True
        letters, begun = model.choose(rows, masks, rng), [*asked]
        for at, (letter, (state, seat, spelling)) in enumerate(zip(letters, asked, strict=True)):
            if (action := spelling.add(int(letter))) is not None:
                state.play(action)
                begun[at] = (state, seat, find_own_choice(game, state, seat, opponents))
    outcomes = [(state.outcome(), seat) for state, seat in tables]
    leads = [reward_leads(outcome)[seat] for outcome, seat in outcomes]
    error = 1.96 * float(np.std(leads)) / games**0.5
    wins = float(np.mean([outcome.win_shares()[seat] for outcome, seat in outcomes]))
    return Result(wins, float(np.mean(leads)), error)


def find_own_choice(game: LearningGame, state: AnyState, seat: int, opponents: ActionChooser) -> Spelling | None:
    """Let the others play until a seat has a choice; None at the end."""
    while (spelling := game.find_choice(state)) is not None and state.turn is not None and state.turn.seat != seat:
        state.play(opponents(state, state.legal()))
    return spelling


# ---- the program


class Trainer:
    """A training run."""

    def __init__(self, given: argparse.Namespace) -> None:
        """Prepare the game and the network.

        Raises:
            PitbossError: there is no such game, preset, option or number of seats.
            ValueError: the model to go on with is of another game, or cannot be read.
            ModuleNotFoundError: torch is not installed.
        """
        self.given = given
        self.rng = np.random.default_rng(given.seed)
        plain = prepare_game(given.game, given.seats, dict(given.option), given.preset)
        is_evaluable = isinstance(plain.deal("any"), Evaluable)
        reward = given.reward or ("points" if is_evaluable else "wins")
        self.game = LearningGame(plain.setup, reward_leads if reward == "points" else REWARDS[reward])
        shaping = (1.0 if is_evaluable else 0.0) if given.shaping is None else given.shaping
        self.trace = given.trace if given.trace is not None else SHAPED_TRACE if shaping else PLAIN_TRACE
        opponents = choose_from_words(f"{given.seed}/against") if given.against == "random" else None
        self.batch = GameBatch(self.game, given.games, f"train/{given.seed}", opponents, shaping)
        self.model = self._begin_model()
        self.model.about |= {"preset": given.preset, "option": given.option, "play": given.play, "reward": reward}
        self.model.about |= {"shaping": shaping, "trace": self.trace, "against": given.against}
        self.letters = 0
        self.best_lead = -np.inf  # of the lines so far
        self.unit = 0.0  # of rewards: their sums to the end of a game differ by about as much
        self.began, self.computed = monotonic(), process_time()

    def _begin_model(self) -> Model:
        if self.given.resume:
            model = Model.load(MODEL, BACKENDS[self.given.backend])
            model.require(self.game)
            return model
        size, letters = self.game.encoder.size, len(self.game.alphabet)
        about = {**describe_game(self.game), "seed": self.given.seed, "letters": 0, "processor_s": 0}
        make = BACKENDS[self.given.backend]
        policy, critic = (make(make_weights([size, *self.given.hidden, outputs], self.rng)) for outputs in (letters, 1))
        return Model(policy, critic, about)

    def run(self) -> None:
        """Train until time or letters are over; show, and save, from time to time."""
        given, next_line = self.given, 0.0
        while (share := self.share_done()) < 1:
            if share >= next_line:
                self.show()
                next_line = share + 1 / given.lines
            rollout = play_rollout(self.model, self.batch, self.unit or 1.0, self.trace, self.rng)
            spread = max(float(rollout.returns.std()), 1e-3)
            self.unit = self.unit * (1 + UNIT_SHARE * (spread - 1)) if self.unit else spread
            left = max(LEAST_SHARE, 1 - share)
            improve(self.model, rollout, given.rate * left, given.entropy * left, self.rng)
            self.letters += ROLLOUT_STEPS * given.games
        self.show()

    def share_done(self) -> float:
        """Return how much of the training is done, from 0 to 1."""
        by_time: float = (monotonic() - self.began) / (60 * self.given.minutes)
        return max(by_time, self.letters / self.given.letters)

    def show(self) -> None:
        """Print a line of the curve, and write the model if none was further ahead of random play since it learned."""
        rng = self.rng if self.given.play == "sampled" else None
        result = play_against_random(self.model, self.game, self.given.results, f"results/{self.given.seed}", rng)
        before, about = self.model.about, self.model.about.copy()
        about["letters"] = before["letters"] + self.letters
        about["processor_s"] = round(before["processor_s"] + process_time() - self.computed, 1)
        if result.lead >= self.best_lead and about["letters"] > 0:
            self.best_lead = result.lead
            Model(self.model.policy, self.model.critic, about).save(MODEL)
        minutes = (monotonic() - self.began) / 60
        print(
            f"{minutes:6.1f} min {about['letters']:10,} letters: wins {result.wins:6.1%} against random play, "
            f"points {result.lead:+.1f} ± {result.lead_error:.1f}",
            flush=True,
        )
        if not CURVE.exists() or (before["letters"] == 0 and self.letters == 0):
            CURVE.write_text("letters,processor_s,wins,lead,lead_error\n")
        with CURVE.open("a") as out:
            scores = f"{result.wins:.4f},{result.lead:.3f},{result.lead_error:.3f}"
            out.write(f"{about['letters']},{about['processor_s']},{scores}\n")


def reward_leads(outcome: Outcome) -> list[float]:
    """Return, by seat, its points less the mean of its opponents; where all are one side, the points."""
    return subtract_opponents(outcome.signed_points(), outcome.sides)


def read_arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read words, or the command line; the game is by default the one of bot.toml."""
    about = tomllib.loads((HERE / "bot.toml").read_text(encoding="utf-8"))
    own = about.get("games", [None])[0]
    reader = argparse.ArgumentParser(
        usage="train.py [GAME] [options], which --help lists",
        description="Train a network to play a game; it is written to model.npz.",
    )
    reader.add_argument("game", nargs="?", help="the game (default: the first of bot.toml)")
    reader.add_argument("--seats", type=int, help="how many play (default: as few as can)")
    reader.add_argument("--preset", help="a preset of the game")
    reader.add_argument("-o", "--option", action="append", default=[], type=read_option, metavar="NAME=VALUE")
    reader.add_argument("--minutes", type=float, default=15.0, help="how long to train at most (default: 15)")
    reader.add_argument(
        "--letters", type=int, default=1_200_000, help="how many letters are chosen at most (default: 1,200,000)"
    )
    reader.add_argument("--against", choices=("self", "random"), help="who plays the other seats (default: self)")
    reader.add_argument("--reward", choices=sorted(REWARDS), help="what is learned (default: points, else wins)")
    reader.add_argument("--shaping", type=float, help="the weight of the game's own evaluation (default: 1)")
    reader.add_argument("--trace", type=float, help="how far rewards reach back, 0 to 1 (default: 0.2; unshaped 0.95)")
    reader.add_argument("--play", choices=("best", "sampled"), help="how the bot plays (default: best); poker: sampled")
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--games", type=int, default=64, help="games at the same time (default: 64)")
    reader.add_argument(
        "--hidden", type=int, nargs="+", default=[128, 128], help="units of each hidden layer (default: 128 128)"
    )
    reader.add_argument("--rate", type=float, default=2e-3, help="the learning rate at the start (default: 0.002)")
    reader.add_argument("--entropy", type=float, default=0.2, help="the weight of disorder at the start (default: 0.2)")
    reader.add_argument("--lines", type=int, default=20, help="lines of the curve (default: 20)")
    reader.add_argument("--results", type=int, default=200, help="games against random play for a line (default: 200)")
    reader.add_argument(
        "--backend", choices=sorted(BACKENDS), default="numpy", help="what computes the networks (default: numpy)"
    )
    reader.add_argument("--resume", action="store_true", help="go on with model.npz, at its table if none is named")
    given = reader.parse_args(words)
    counts = *given.hidden, given.games, given.lines, given.results, given.minutes, given.letters, given.rate
    if not all(count > 0 for count in counts):
        reader.error("--minutes, --letters, --games, --hidden, --lines, --results and --rate are more than 0")
    if min(given.seed, given.entropy, given.trace or 0) < 0 or (given.trace or 0) > 1:
        reader.error("--seed and --entropy are 0 or more, and --trace is from 0 to 1")
    if given.resume:
        if not MODEL.exists():
            reader.error(f"there is no {MODEL.name} to go on with: train one without --resume")
        complete(given, Model.load(MODEL).about)
    given.game = given.game or own
    if given.game is None:
        reader.error("name the GAME, as in `python train.py racko`; `pitboss games` lists them")
    given.against, given.play = given.against or "self", given.play or "best"
    return given


def complete(given: argparse.Namespace, about: dict[str, Any]) -> None:
    """Let a training go on as the model was trained: what was not given is as it was, and the table if none was."""
    names = ["game", "play", "reward", "shaping", "trace", "against"]
    if given.game is given.seats is given.preset is None and not given.option:
        names += ["seats", "preset", "option"]
    for name in names:
        if getattr(given, name) in (None, []):
            setattr(given, name, about[name])


def read_option(text: str) -> tuple[str, object]:
    """Return the name and the value of an option of the game; what is no JSON is a word."""
    name, sign, value = text.partition("=")
    if not sign:
        raise argparse.ArgumentTypeError(f"{text!r} is no NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def advise_bot_file(given: argparse.Namespace, seats: int) -> str:
    """Return which table the bot plays now, as lines of bot.toml."""
    presets = [] if given.option else [f'presets = ["{given.preset or "defaults"}"]']
    lines = [f'games = ["{given.game}"]', *presets, f"seats = [{seats}]"]
    return "\n".join([f"The model is in {MODEL.name}. Let bot.toml say what the bot plays:", *lines])


def main() -> None:
    """Train."""
    try:
        trainer = Trainer(read_arguments())
        about = trainer.model.about
        print(
            f"{about['game']} for {about['seats']}: {trainer.game.encoder.size} numbers, "
            f"{len(trainer.game.alphabet)} letters; seed {about['seed']}, reward {about['reward']}, "
            f"shaping {about['shaping']:g}, against {about['against']}"
        )
        trainer.run()
        print(advise_bot_file(trainer.given, about["seats"]))
    except KeyboardInterrupt:
        print(f"stopped: what was learned since the best line is not in {MODEL.name}", file=sys.stderr)
        sys.exit(130)
    except ModuleNotFoundError as missing:
        sys.exit(
            f"train.py: {missing.name} is not installed for this Python, {sys.executable}: pip install {missing.name}"
        )
    except (PitbossError, ValueError, OSError) as error:
        sys.exit(f"train.py: {error}")


if __name__ == "__main__":
    main()
