"""Bots as opponents in this process: those of the house by their names, and bots in Python by their folders.

They are asked as the runner asks them: with their view and the events since their last decision, and nothing else. No
clock runs. A copy of a game with them is made by asking the bots of the copy all questions again.
"""

from __future__ import annotations

import io
import runpy
import sys
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from pitboss.bot import BotFunctions, Choice, Question, catch_functions
from pitboss.errors import OptionError, PitbossError
from pitboss.game import AnyState
from pitboss.learning.learning_game import LearningGame
from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import Hello, Start
from pitboss.simulation.game_setup import DEFAULTS
from pitboss.simulation.random_play import ActionChooser
from pitboss.text import join_words
from pitboss_house_bots.local_player import LocalPlayer, Player, greet_local_player, make_player
from pitboss_house_bots.own_bot import ForgetfulBot
from pitboss_pettingzoo.opponents import BOT_FILE


class LocalBots:
    """Opponents that are the same bot at all seats. Each game has bots of its own; when it is over others take them."""

    wants_events = True

    def __init__(self, name: str, game: LearningGame, make: Callable[[Hello], Player]) -> None:
        """Make a bot for each seat.

        Raises:
            OptionError: the bot cannot be made for this game.
        """
        self.name: Final = name
        self._make = make
        self._idle: dict[int, list[Player]] = {seat: [] for seat in range(game.seats)}
        for seat, idle in self._idle.items():
            idle.append(self._make_player(game, seat))

    def begin_game(self, game: LearningGame, seed: str) -> ActionChooser:
        """Return what chooses in one game."""
        return SeatedBots(self, game, seed)

    def seat_player(self, game: LearningGame, seat: int, seed: str) -> LocalPlayer:
        """Return a bot that begins a game at a seat."""
        idle = self._idle[seat]
        player = idle.pop() if idle else self._make_player(game, seat)
        names = [self.name] * game.seats
        start = Start(game_id=1, seat=seat, players=names, seed=f"{seed}/{seat}")
        seated = LocalPlayer(player, game.setup.game.Action, greet_local_player(game.setup, seat, self.name), start)
        weakref.finalize(seated, idle.append, player).atexit = False
        return seated

    def _make_player(self, game: LearningGame, seat: int) -> Player:
        try:
            return self._make(greet_local_player(game.setup, seat, self.name))
        except (PitbossError, ValueError) as error:
            raise OptionError(f"opponents is {self.name!r}: {error}", "opponents") from None

    def __deepcopy__(self, memo: object) -> LocalBots:
        return self


class HouseBots(LocalBots):
    """A bot of the house at all seats."""

    def __init__(self, name: str, game: LearningGame) -> None:
        """Check that the bot plays this game, and make it for each seat.

        Raises:
            OptionError: it does not, or it cannot be asked in this process.
        """
        self._game = game
        bot, setup = Registry().bots[name.partition("?")[0]], game.setup
        preset = setup.variant.preset or DEFAULTS
        for what, value, known in (
            ("the game", setup.game.name, bot.games),
            ("the preset", preset, bot.presets),
            ("the number of seats", setup.seats, bot.seats),
        ):
            if known is not None and value not in known:
                plays = join_words(map(str, known))
                raise OptionError(
                    f"opponents is {name!r}: {what} is {value}, and {bot.name} plays {plays}", "opponents"
                )
        super().__init__(name, game, partial(make_player, name))

    def __reduce__(self) -> tuple[type[HouseBots], tuple[str, LearningGame]]:
        return HouseBots, (self.name, self._game)


class FolderBots(LocalBots):
    """A bot in Python at all seats, by its folder: what its bot.py gives to `pitboss.bot.run`."""

    def __init__(self, folder: Path, game: LearningGame) -> None:
        """Load the bot for each seat.

        Raises:
            OptionError: the folder has no bot.py, it does not use `pitboss.bot.run`, or it does not play this game.
        """
        self._folder, self._game = folder, game
        self._programs: dict[int, BotProgram] = {}  # by seat: the newest one
        super().__init__(str(folder), game, self._make_bot)

    def _make_bot(self, hello: Hello) -> FolderBot:
        """Return a bot: at a free table of the newest program of its seat, else at the first table of a new program."""
        program = self._programs.get(hello.seat)
        if program is None or program.used_tables == program.functions.tables:
            program = self._programs[hello.seat] = BotProgram(self._folder.resolve() / BOT_FILE, hello)
        program.used_tables += 1
        return FolderBot(program, program.used_tables - 1)

    def __reduce__(self) -> tuple[type[FolderBots], tuple[Path, LearningGame]]:
        return FolderBots, (self._folder, self._game)


class FolderBot:
    """A bot at one of the tables of its program."""

    def __init__(self, program: BotProgram, table: int) -> None:
        self._program, self._table = program, table

    def begin(self, hello: Hello, start: Start) -> None:
        """Begin a game."""
        if self._program.functions.on_start is not None:
            start = replace(start, table=self._table) if self._table else start
            self._program.call(partial(self._program.functions.on_start, hello, start))

    def choose(self, question: Question) -> Choice:
        """Answer one question."""
        questions = [replace(question, table=self._table)]
        [choice] = self._program.call(partial(self._program.functions.choose_many, questions))
        chosen: Choice = choice
        return chosen


class BotProgram:
    """The program of a bot, loaded into this process, with modules of its own."""

    def __init__(self, path: Path, hello: Hello) -> None:
        """Load the program, and tell it of the table.

        Raises:
            ValueError: it is not there, it does not use `pitboss.bot.run`, or it does not play at this table.
        """
        self._path: Final = path
        self._modules: dict[str, Any] = {}
        self.used_tables = 0
        if not path.is_file():
            raise ValueError(f"the folder has no {path.name}; bots in Python alone play in this process")
        self._packages = {one.name for one in path.parent.iterdir() if (one / "__init__.py").is_file()}
        self._own_names = self._packages | {one.stem for one in path.parent.glob("*.py")}
        functions = self.call(lambda: catch_functions(partial(runpy.run_path, str(path), run_name="__main__")))
        if functions is None:
            raise ValueError(f"{path.name} does not play by pitboss.bot.run, as bots in this process have to")
        self.functions: Final[BotFunctions] = functions
        if functions.on_hello is not None:
            self.call(partial(functions.on_hello, hello))

    def call(self, function: Callable[[], Any]) -> Any:  # noqa: ANN401 - what the function returns
        """Call a function of the bot, which imports the modules of its folder.

        Raises:
            ValueError: it has ended the program, with this sentence.
        """
        with self._import_own():
            try:
                return function()
            except SystemExit as left:
                raise ValueError(f"{self._path.name} has ended: {left.code}") from None

    @contextmanager
    def _import_own(self) -> Iterator[None]:
        """Have the bot import from its folder; other programs with modules of these names do not see its own."""
        folder, stdin = self._path.parent, sys.stdin
        hidden = self._take_modules()
        sys.modules.update(self._modules)
        sys.path.insert(0, str(folder))
        sys.stdin = io.TextIOWrapper(io.BytesIO())  # a program that reads its questions itself is at its end
        try:
            yield
        finally:
            sys.stdin = stdin
            sys.path.remove(str(folder))
            self._modules = self._take_modules()
            sys.modules.update(hidden)

    def _take_modules(self) -> dict[str, Any]:
        """Remove all modules with the names of those in the folder from the imported ones, and return them."""
        found = [name for name in self._own_names if name in sys.modules]
        inner = [name for name in list(sys.modules) if name.partition(".")[0] in self._packages] if found else []
        return {name: sys.modules.pop(name) for name in {*found, *inner}}


class SeatedBots:
    """What chooses in one game: bots that follow it."""

    def __init__(self, bots: LocalBots, game: LearningGame, seed: str) -> None:
        self._bots, self._game, self._seed = bots, game, seed
        self._players: dict[int, LocalPlayer] = {}
        self._asked: dict[int, list[Question]] = {}  # by seat; none of bots that remember nothing

    def __call__(self, state: AnyState, legal: Sequence[Any]) -> Any:  # noqa: ANN401 - an action of any game
        """Return the action of the bot on turn."""
        assert state.turn is not None
        player = self._players.get(state.turn.seat) or self.seat_player(state.turn.seat)
        question = player.ask(state, legal)
        if not isinstance(player.player, ForgetfulBot):
            self._asked[state.turn.seat].append(question)
        return player.answer(question, legal)

    def seat_player(self, seat: int, asked: Sequence[Question] = (), told: int = 0) -> LocalPlayer:
        """Have a bot begin the game at a seat, after some questions."""
        player = self._players[seat] = self._bots.seat_player(self._game, seat, self._seed)
        for question in asked:
            player.player.choose(question)
        player.told = told
        self._asked[seat] = list(asked)
        return player

    def __deepcopy__(self, memo: object) -> SeatedBots:
        return repeat_questions(*self.__reduce__()[1])

    def __reduce__(self) -> tuple[Callable[..., SeatedBots], tuple[Any, ...]]:
        told = {seat: player.told for seat, player in self._players.items()}
        return repeat_questions, (self._bots, self._game, self._seed, self._asked, told)


def repeat_questions(
    bots: LocalBots, game: LearningGame, seed: str, asked: Mapping[int, Sequence[Question]], told: Mapping[int, int]
) -> SeatedBots:
    """Return bots that have been asked these questions, and told of this number of events, by seat."""
    seated = SeatedBots(bots, game, seed)
    for seat, questions in asked.items():
        seated.seat_player(seat, questions, told[seat])
    return seated
