"""What the environments have in common: the game with its scale, the potential, the observations, the replay page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import msgspec
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from pitboss.errors import OptionError
from pitboss.game import AnyGame, AnyState, find_game_bounds
from pitboss.learning.batch import EvaluationPotential, Potential
from pitboss.learning.game_walk import GameWalk
from pitboss.learning.learning_game import LearningGame, prepare_game
from pitboss.learning.rewards import REWARDS, Reward, reward_points
from pitboss.outcome import Outcome
from pitboss.records.record import Decision, Record
from pitboss.text import join_words

Scale: TypeAlias = float | Literal["bounds"]
Shaping: TypeAlias = "float | str | Potential | None"
ObservationKind: TypeAlias = Literal["flat", "dict"]

OBSERVATION_KINDS: Final = ("flat", "dict")
RENDER_MODES: Final = ("ansi", "human")
ILLEGAL_REWARD: Final = -1.0


def find_learning_game(
    game: LearningGame | AnyGame | str,
    seats: int | None = None,
    options: Mapping[str, object] | None = None,
    preset: str | None = None,
    reward: Reward | str | None = None,
) -> LearningGame:
    """Return a prepared game as it is, another one prepared.

    Raises:
        ConfigError: no such game is installed.
        OptionError: there is no such preset, option, number of seats or reward; or one of them is given beside a game
            that is prepared already.
    """
    if not isinstance(game, LearningGame):
        return prepare_game(game, seats, options, preset, reward)
    settings = {"seats": seats, "options": options, "preset": preset, "reward": reward}
    given = [name for name, value in settings.items() if value is not None]
    if given:
        raise OptionError(
            f"{join_words(given, 'and')} cannot change a game that is prepared: give them to prepare_game", *given
        )
    return game


class ScaledReward:
    """A reward, multiplied by a number."""

    def __init__(self, reward: Reward, scale: float) -> None:
        self.reward: Final = reward
        self.scale: Final = scale

    def __call__(self, outcome: Outcome) -> list[float]:
        """Return the rewards of a game that is over, by seat."""
        return [self.scale * reward for reward in self.reward(outcome)]


class ScaledPotential:
    """A potential, multiplied by a number."""

    def __init__(self, potential: Potential, scale: float) -> None:
        self._potential: Final = potential
        self._scale: Final = scale

    def __call__(self, state: AnyState) -> NDArray[np.float64]:
        """Return the potential of a state, by seat."""
        return self._scale * np.asarray(self._potential(state), np.float64)


def scale_rewards(game: LearningGame, scale: Scale) -> tuple[LearningGame, float]:
    """Return a game whose rewards are multiplied by `scale`, and the scale as a number.

    "bounds" brings points between -1 and 1, by the most points that a seat can win or lose; wins and places are so
    already.

    Raises:
        OptionError: the scale is no number above 0, or the rewards have no bounds.
    """
    number = _find_scale(game, scale)
    if number == 1.0:
        return game, number
    scaled = game.__deepcopy__({})
    scaled.reward = ScaledReward(game.reward, number)
    return scaled, number


def _find_scale(game: LearningGame, scale: Scale) -> float:
    if scale != "bounds":
        if isinstance(scale, int | float) and not isinstance(scale, bool) and 0 < scale < float("inf"):
            return float(scale)
        raise OptionError(f"scale is {scale!r}; it can be a number above 0, or 'bounds'", "scale")
    setup = game.setup
    if game.reward is not reward_points:
        if game.reward in REWARDS.values():
            return 1.0
        raise OptionError("scale is 'bounds', and a reward of your own has none that are known: give a number", "scale")
    bounds = find_game_bounds(setup.game, setup.seats, setup.options)
    most = 0.0 if bounds is None else max(abs(bounds.least), abs(bounds.most))
    if most == 0.0:
        raise OptionError(
            f"scale is 'bounds', and {setup.game.name} does not say how many points there can be: give a number",
            "scale",
        )
    return 1 / most


def find_potential(game: LearningGame, shaping: Shaping, scale: float) -> Potential | None:
    """Return what shapes the rewards of a game, multiplied by `scale`; None if nothing does.

    A number is so much times the game's own evaluation, and "evaluation" is 1 times that.

    Raises:
        OptionError: there is no such potential, or the game has no evaluation.
    """
    if shaping == "evaluation":
        shaping = 1.0
    if shaping is None or shaping == 0:
        return None
    if isinstance(shaping, int | float) and not isinstance(shaping, bool):
        try:
            return EvaluationPotential(game, shaping * scale)
        except ValueError as error:
            raise OptionError(str(error), "shaping") from None
    if callable(shaping):
        return ScaledPotential(shaping, scale) if scale != 1.0 else shaping
    raise OptionError(f"shaping is {shaping!r}; it can be a number, 'evaluation', or a function of a state", "shaping")


def check_seat(game: LearningGame, seat: Any, what: str) -> int | None:  # noqa: ANN401 - whatever a caller gives
    """Return a seat of the agent, or None; `what` is where it was given.

    Raises:
        OptionError: there is no such seat.
    """
    seats = range(game.seats)
    if seat is None:
        return None
    if isinstance(seat, bool) or not isinstance(seat, int | np.integer) or seat not in seats:
        raise OptionError(f"{what} is {seat!r}; it can be {join_words(seats)}", "seat")
    return int(seat)


def check_word(name: str, word: Any, known: Sequence[str | None]) -> Any:  # noqa: ANN401 - whatever a caller gives
    """Return `word` if it is among the known ones.

    Raises:
        OptionError: the word is not known.
    """
    if word not in known:
        raise OptionError(f"{name} is {word!r}; it can be {join_words(map(repr, known))}", name)
    return word


def check_render_mode(mode: Any) -> Any:  # noqa: ANN401 - whatever a caller gives
    """Return a way to render, or None.

    Raises:
        OptionError: there is no such way.
    """
    return check_word("render_mode", mode, (*RENDER_MODES, None))


def make_observation_space(game: LearningGame, kind: ObservationKind) -> spaces.Space[Any]:
    """Return the space of what a seat is shown: "flat", the row alone, or "dict", the row with the mask of letters."""
    greatest = game.encoder.greatest
    row = spaces.Box(-greatest, greatest, (game.encoder.size,), np.float32)
    if kind == "flat":
        return row
    return spaces.Dict({"observation": row, "action_mask": spaces.Box(0, 1, (len(game.alphabet),), np.int8)})


def write_replay_page(walk: GameWalk | None, players: Sequence[str], file: Path) -> None:
    """Write a game that is over as a page to be replayed in a browser, as `pitboss replay --html` does.

    Raises:
        ValueError: there is no game.
        ConfigError: the page cannot be written.
    """
    # here: the pages take long to import, and are seldom asked for
    from pitboss_tournament.cli.whole_file import write_whole_file  # noqa: PLC0415
    from pitboss_tournament.web.replay_page import write_replay_pages  # noqa: PLC0415

    if walk is None:
        raise ValueError("no game has ended yet: there is nothing to replay")
    setup = walk.game.setup
    record = Record(
        game=setup.game.name,
        game_version=setup.game.version,
        options=msgspec.to_builtins(setup.options),
        seed=walk.seed,
        players=[*players],
        decisions=[Decision(seat=seat, action=msgspec.to_builtins(action)) for seat, action in walk.list_decisions()],
        outcome=walk.state.outcome(),
    )
    write_replay_pages(record, setup.game, 1, file, write_whole_file)
