"""The training program of `pitboss new bot python-learned` in torch: `tox -e torch` (torch is some gigabytes)."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.tournament.authoring.test_learned_bot import QUICK, play, read_faults, train, training
from tests.tournament.command_line import run_pitboss

pytest.importorskip("torch")
pytestmark = [pytest.mark.once, pytest.mark.long]

__all__ = ["training"]  # a fixture


def test_updates_in_torch_are_those_of_numpy(training: ModuleType) -> None:
    """From the same weights and rollout, a whole update brings the same networks but for rounding."""
    rng = np.random.default_rng(1)
    rows = rng.standard_normal((600, 30)).astype(np.float32)
    masks = rng.random((600, 7)) < 0.6
    masks[:, 2] = True
    begun: list[Any] = [training.make_weights([30, 24, 16, outputs], rng) for outputs in (7, 1)]
    numpy, torch = (
        training.Model(*[make([one.copy() for one in weights]) for weights in begun], {})
        for make in training.BACKENDS.values()
    )
    letters = numpy.choose(rows, masks, rng)
    logs = training.log_probabilities(numpy.policy(rows), masks)[np.arange(600), letters]
    gains = rng.standard_normal((2, 600)).astype(np.float32)
    rollout = training.Rollout(rows, masks, letters, logs, *gains)

    for model in (numpy, torch):
        training.improve(model, rollout, 2e-3, 0.02, np.random.default_rng(2))

    for own, other, before in zip((numpy.policy, numpy.critic), (torch.policy, torch.critic), begun, strict=True):
        assert other(rows) == pytest.approx(own(rows), abs=1e-4)
        for one, two, old in zip(own.weights, other.weights, before, strict=True):
            assert two == pytest.approx(one, abs=1e-4)
            assert abs(one - old).max() > 1e-3


def test_a_bot_that_was_trained_in_torch_plays(tmp_path: Path) -> None:
    """A model that was trained in torch has the form of numpy's, and plays over the wire without torch."""
    assert run_pitboss("new", "bot", "python-learned", "student", "--game", "poker", cwd=tmp_path).status == 0
    ran = train(tmp_path / "student", "--preset", "kuhn", "--backend", "torch", *QUICK)
    assert ran.returncode == 0, ran.stderr
    with (tmp_path / "student" / "bot.py").open("a") as program:
        program.write("    assert 'torch' not in sys.modules\n")

    assert read_faults(play(tmp_path / "student", "poker", "--preset", "kuhn")) == {"student": {}, "house:random": {}}
    with np.load(tmp_path / "student" / "model.npz") as file:
        assert json.loads(str(file["about"]))["letters"] == 512
