"""Random play-outs of other projects' games. Run by `peers.py` and `learning.py` where they are installed.

    python bench/peer_games.py PACKAGE GAME COUNTED DECISIONS

It prints how many decisions a second there were. The complete legal list is asked for at each; COUNTED says what beside
it the player gets: `legal` nothing, `view` what the project itself shows a player, `json` the same as JSON, `tensor`
the numbers of its environment for learners. Names that begin with "pitboss" are games of ours, through the adapters.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from importlib import import_module
from time import process_time
from typing import Any

HOLDEM = (
    "universal_poker(betting=nolimit,numPlayers=2,numRounds=4,blind=100 50,firstPlayer=2 1 1 1,"
    "numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,stack=10000 10000,bettingAbstraction={})"
)
LONG_NAMES = {
    "bridge": "bridge(use_double_dummy_result=false)",  # its cards are played
    "no-limit-holdem": HOLDEM.format("fullgame"),
    "holdem-5-actions": HOLDEM.format("fchpa"),
}


def open_spiel(name: str, counted: str, decisions: int) -> int:
    """Play games of OpenSpiel.

    Cards are dealt by its chance nodes, which are no decisions; in these games each outcome is equally likely. In
    "holdem-5-actions" there are five actions: fold, call, half the pot, the pot, all in; so in RLCard's Hold'em with no
    limit. In "no-limit-holdem" there is a bet of each size, as in ours.
    """
    if name.startswith("pitboss"):
        import_module("pitboss_openspiel")  # registers them
    game = import_module("pyspiel").load_game(LONG_NAMES.get(name, name))
    if counted == "tensor":
        return spiel_tensors(game, decisions)
    chance = random.Random(1).random
    looks: dict[str, Callable[[Any], object]] = {
        "view": lambda state: state.observation_string(state.current_player()),
        "json": lambda state: state.to_observation_struct(state.current_player()).to_json(),
    }
    look = looks.get(counted)
    done = 0
    while done < decisions:
        state = game.new_initial_state()
        while not state.is_terminal() and done < decisions:
            legal = state.legal_actions()
            if not state.is_chance_node():
                done += 1
                if look is not None:
                    look(state)
            state.apply_action(legal[int(chance() * len(legal))])
    return done


def spiel_tensors(game: Any, decisions: int) -> int:  # noqa: ANN401 - an object of OpenSpiel's
    """Play in OpenSpiel's environment for learners, which shows the tensors of all players at each step."""
    table = import_module("open_spiel.python.rl_environment").Environment(game)
    chance = random.Random(1).random
    done = 0
    while done < decisions:
        step = table.reset()
        while not step.last() and done < decisions:
            legal = step.observations["legal_actions"][step.observations["current_player"]]
            step = table.step([legal[int(chance() * len(legal))]])
            done += 1
    return done


def pettingzoo(name: str, counted: str, decisions: int) -> int:
    """Play games of PettingZoo, such as "gin_rummy_v4", or "pitboss gin-rummy 2"; tensors are all that it shows."""
    assert counted == "tensor", counted
    own, *words = name.split()
    if own == "pitboss":
        game, seats, *presets = words
        table = import_module("pitboss_pettingzoo").make_env(game, int(seats), preset=presets[0] if presets else None)
    else:
        table = import_module(f"pettingzoo.classic.{name}").env()
    chance = random.Random(1).random
    done = 0
    while done < decisions:
        table.reset(seed=done)
        for _ in table.agent_iter():
            shown, _, has_ended, is_cut, _ = table.last()
            if has_ended or is_cut:
                table.step(None)
                continue
            (legal,) = shown["action_mask"].nonzero()
            table.step(int(legal[int(chance() * len(legal))]))
            done += 1
    return done


def rlcard(name: str, counted: str, decisions: int) -> int:
    """Play games of RLCard: with the view that each step returns, or by its rules alone."""
    table = import_module("rlcard").make(name, config={"seed": 1})
    return rlcard_views(table, decisions) if counted == "view" else rlcard_rules(table.game, decisions)


def rlcard_views(table: Any, decisions: int) -> int:  # noqa: ANN401 - an object of RLCard's
    """Play in an environment of RLCard's, which shows each decision with its legal list."""
    chance = random.Random(1).random
    done = 0
    while done < decisions:
        shown, _ = table.reset()
        while not table.is_over() and done < decisions:
            legal = list(shown["legal_actions"])
            shown, _ = table.step(legal[int(chance() * len(legal))])
            done += 1
    return done


def rlcard_rules(game: Any, decisions: int) -> int:  # noqa: ANN401 - an object of RLCard's
    """Play a game of RLCard's; what it would show at each step is not put together."""
    chance = random.Random(1).random
    game.get_state = lambda player_id: {}
    done = 0
    while done < decisions:
        game.init_game()
        legal_actions = game.get_legal_actions if hasattr(game, "get_legal_actions") else game.judge.get_legal_actions
        while not game.is_over() and done < decisions:
            legal = legal_actions()
            game.step(legal[int(chance() * len(legal))])
            done += 1
    return done


PACKAGES = {"open_spiel": open_spiel, "pettingzoo": pettingzoo, "rlcard": rlcard}


def main() -> None:
    """Play a few games to warm up, then measure."""
    package, game, counted, decisions = sys.argv[1:]
    play = PACKAGES[package]
    play(game, counted, 100)
    began = process_time()
    done = play(game, counted, int(decisions))
    print(done / (process_time() - began))


if __name__ == "__main__":
    main()
