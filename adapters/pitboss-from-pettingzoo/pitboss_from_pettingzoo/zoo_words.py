"""The words of PettingZoo's environments: moves and positions as people write them, and what each game is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from pettingzoo.classic.chess import chess_utils
from pettingzoo.classic.go import coords, go_base

NameMove = Callable[[Any, int, int], str]  # from an environment, a seat and a number
DEALT: Final = "the environment deals the cards itself, and cannot be asked for a deal"


class ZooTraits(NamedTuple):
    """What a game is, which PettingZoo does not say."""

    is_open: bool = False  # every seat sees everything
    draws: bool = True  # there is chance, and the environment draws it
    no_worlds: str = ""  # why no worlds can be found; "": they can
    players: tuple[str, range] | None = None  # the parameter that is the number of seats
    total: float | None = None  # of the points
    name_move: NameMove = lambda env, seat, number: str(number)
    picture: Callable[[Any], str] | None = None  # of the whole position


def find_traits(env_id: str) -> ZooTraits:
    """Return the traits of an environment; of one that others have registered the most careful ones."""
    name = env_id.partition("/")[2].partition("-v")[0]
    return TRAITS.get(name, ZooTraits()) if env_id.startswith("classic/") else ZooTraits()


def name_chess_move(env: Any, seat: int, number: int) -> str:  # noqa: ANN401 - environments have types of their own
    """Return a move of chess in UCI's notation."""
    return str(chess_utils.action_to_move(env.board, number, seat))


def name_poker_action(env: Any, seat: int, number: int) -> str:  # noqa: ANN401
    """Return an action of poker as a word."""
    action = env.env._decode_action(number)
    return str(getattr(action, "name", action)).lower()


def name_go_move(env: Any, seat: int, number: int) -> str:  # noqa: ANN401
    """Return a move of Go as GTP writes it."""
    return str(coords.to_gtp(coords.from_flat(number)))


def name_throw(env: Any, seat: int, number: int) -> str:  # noqa: ANN401
    """Return rock, paper or scissors."""
    return str(env._moves[number]).lower()


def name_hanabi_move(env: Any, seat: int, number: int) -> str:  # noqa: ANN401
    """Return a move of Hanabi as OpenSpiel writes it."""
    return str(env.hanabi_env.game_state.action_to_string(seat, number))


def draw_connect_four(env: Any) -> str:  # noqa: ANN401
    """Return the board, column 0 at the left."""
    marks = [".XO"[mark] for mark in env.board]
    return "\n".join("".join(marks[7 * row : 7 * row + 7]) for row in range(6))


def draw_tic_tac_toe(env: Any) -> str:  # noqa: ANN401
    """Return the board; its squares are numbered by columns, from the top."""
    marks = [".XO"[mark] for mark in env.board.squares]
    return "\n".join("".join(marks[row::3]) for row in range(3))


def draw_go(env: Any) -> str:  # noqa: ANN401
    """Return the board."""
    return str(env._go.__str__(colors=False))


def keep_go_size(env: Any) -> None:  # noqa: ANN401
    """Tell PettingZoo's Go the size of this board: it keeps one for all games of a process."""
    if hasattr(env, "_overwrite_go_global_variables") and go_base.N != env._N:
        env._overwrite_go_global_variables(board_size=env._N)


TABLE: Final = ("num_players", range(2, 11))
TRAITS: Final[Mapping[str, ZooTraits]] = {
    "chess": ZooTraits(True, False, total=0, name_move=name_chess_move),
    "connect_four": ZooTraits(True, False, total=0, picture=draw_connect_four),
    "go": ZooTraits(True, False, total=0, name_move=name_go_move, picture=draw_go),
    "hanabi": ZooTraits(no_worlds=DEALT, players=("players", range(2, 6)), name_move=name_hanabi_move),
    "leduc_holdem": ZooTraits(total=0, name_move=name_poker_action),
    "rps": ZooTraits(draws=False, total=0, name_move=name_throw),
    "texas_holdem": ZooTraits(no_worlds=DEALT, players=TABLE, total=0, name_move=name_poker_action),
    "texas_holdem_no_limit": ZooTraits(no_worlds=DEALT, players=TABLE, total=0, name_move=name_poker_action),
    "tictactoe": ZooTraits(True, False, total=0, picture=draw_tic_tac_toe),
}
