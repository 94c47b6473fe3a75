"""The network of the bot: read from a file of TorchScript, a state dict, or a zip of Stable-Baselines3."""

from __future__ import annotations

import json
import os
import sys
import zipfile
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # small matrices need only one
    os.environ.setdefault(threads, "1")

if TYPE_CHECKING:
    import torch

    Network: TypeAlias = Callable[[torch.Tensor], torch.Tensor]

Kind: TypeAlias = Literal["TorchScript", "state dict", "Stable-Baselines3"]
ALGORITHMS = {  # of the modules of their policies
    "sb3_contrib.common.maskable": ("sb3_contrib", "MaskablePPO"),
    "stable_baselines3.common.policies": ("stable_baselines3", "PPO"),
}


def find_kind(path: Path) -> Kind:
    """Return what a file is: all three are zip files, and differ by what they hold.

    Raises:
        ValueError: it is none of them.
    """
    try:
        with zipfile.ZipFile(path) as file:
            names = {name.rpartition("/")[2] for name in file.namelist()}
    except zipfile.BadZipFile:
        raise ValueError(f"{path.name} is no file of torch or Stable-Baselines3") from None
    if {"data", "policy.pth"} <= names:
        return "Stable-Baselines3"
    return "TorchScript" if "constants.pkl" in names else "state dict"


def load_network(path: Path, kind: Kind, inputs: int, outputs: int) -> Network:
    """Return the function from rows of `inputs` numbers to logits of `outputs` letters.

    Raises:
        ValueError: the file cannot be read, or the network has other inputs or outputs.
        ModuleNotFoundError: torch is not installed, or what else the file needs.
    """
    import torch

    torch.set_num_threads(1)
    try:
        loaders = {"TorchScript": torch.jit.load, "state dict": load_state_dict, "Stable-Baselines3": load_policy}
        network: Network = loaders[kind](path)
        with torch.inference_mode():
            shape = tuple(network(torch.zeros(2, inputs)).shape)  # it also compiles what is compiled at the first call
    except ModuleNotFoundError:
        raise
    except Exception as error:  # noqa: BLE001 - torch raises many
        why = str(error).strip().splitlines()[-1:] or [""]
        raise ValueError(f"{path.name} cannot be read as a {kind} ({type(error).__name__}: {why[0]})") from None
    if shape != (2, outputs):
        raise ValueError(f"{path.name} makes {list(shape)} of 2 rows; the game has {outputs} letters")
    return network


def load_state_dict(path: Path) -> Network:
    """Return the network of a state dict."""
    import torch

    weights = torch.load(path, map_location="cpu", weights_only=True)
    network = build_network(weights)
    network.load_state_dict(weights)
    return network.eval()


def build_network(weights: Mapping[str, torch.Tensor]) -> torch.nn.Module:
    """Return the layers that the weights belong to: linear ones, with tanh between them. Build your own here."""
    import torch

    names = [name for name in weights if name.endswith("weight") and weights[name].dim() == 2]
    layers = torch.nn.Sequential()
    for number, name in enumerate(names):
        outputs, inputs = weights[name].shape
        if number:
            layers.append(torch.nn.Tanh())
        layers.append(torch.nn.Linear(inputs, outputs, bias=name.removesuffix("weight") + "bias" in weights))
    keys = dict(zip(weights, layers.state_dict(), strict=True))
    layers.register_load_state_dict_pre_hook(lambda _, state, *more: rename_keys(state, keys))
    return layers


def rename_keys(state: dict[str, Any], keys: Mapping[str, str]) -> None:
    """Name the weights as the layers do."""
    renamed = {keys[name]: weight for name, weight in state.items()}
    state.clear()
    state.update(renamed)


def load_policy(path: Path) -> Network:
    """Return the logits of a policy of Stable-Baselines3; the zip may hold code, which is run."""
    with zipfile.ZipFile(path) as file:
        policy = json.loads(file.read("data"))["policy_class"]
    module = str(policy.get("__module__", ""))
    found = [names for prefix, names in ALGORITHMS.items() if module.startswith(prefix)]
    if not found:
        raise ValueError(f"its policy is of {module!r}, not of PPO, A2C or MaskablePPO")
    package, algorithm = found[0]
    loaded = getattr(import_module(package), algorithm).load(path, device="cpu").policy
    loaded.set_training_mode(False)
    return lambda rows: loaded.get_distribution(rows).distribution.logits


def explain_missing(missing: ModuleNotFoundError) -> str:
    """Return how to install what a file needs."""
    package = {"sb3_contrib": "sb3-contrib", "stable_baselines3": "stable-baselines3"}.get(
        str(missing.name), str(missing.name)
    )
    return f"{missing.name} is not installed for this Python, {sys.executable}: pip install {package}"
