"""Prompts in words tell all that a decision needs, and nothing hidden: in every game, by games at random."""

from __future__ import annotations

import hashlib
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import asdict

from pitboss import AnyGame, AnyState, Random
from pitboss.action_range import locate_ranges, lowest_action
from pitboss.bot import Question
from pitboss.game import resolve_options
from pitboss.protocol.messages import Clock, Hello, Start
from pitboss.rendering.model_words import PROMPT_WORDS, tell_cards, tell_fields, tell_known, tell_legal, tell_view
from pitboss.rendering.presentation import Presentation, find_presentation
from pitboss.simulation.random_play import choose_from_words, play_on
from pitboss_house_bots.model_bot import ModelBot
from pitboss_house_bots.model_prompt import make_speech
from tests.bots.test_model_bot import make_model_folder
from tests.games.game_tables import GAMES

GAMES_PLAYED: Final = 3  # at random, of each game
MOST_DECISIONS: Final = 60  # of one of these
BRANCHES: Final = 6  # decisions of one of these at which other actions are tried
OTHER_ACTIONS: Final = 3
TOLD_BY_NUMBER: Final = {  # the number of the words, with a digest of what some moments of each game are told
    "bridge": (2, "8f823e754632"),
    "gin-rummy": (2, "f1c1167aeaa6"),
    "hearts": (2, "9ed7e0fdc536"),
    "poker": (2, "37be93745dfc"),
}
WITH_OWN_HAND: Final = ("hearts", "gin-rummy")  # whose field `known` has the hand of the seat too, which is told once


class PromptWriter:
    """The prompts of the template for a game, by the house's bot of a language model."""

    def __init__(self, folder: Path, game: AnyGame) -> None:
        self.game, self.seats = game, max(seats for seats in game.seats if seats <= 4 or seats == min(game.seats))
        self.options = resolve_options(game, self.seats)
        self.bot = ModelBot(folder)
        self.bot.prepare(self.greet(0))

    def greet(self, seat: int) -> Hello:
        """Return the greeting of a seat."""
        clock = Clock(start_ms=1000, decision_ms=1000)
        options = msgspec.to_builtins(self.options)
        return Hello(game=self.game.name, options=options, seats=self.seats, seat=seat, seed="0", clock=clock)

    def deal(self, seed: str, actions: Sequence[Any] = ()) -> AnyState:
        """Return a game after some actions."""
        state = self.game.deal(self.seats, self.options, Random(seed))
        for action in actions:
            state.play(action)
        return state

    def ask(self, state: AnyState, view: Any = None) -> Question:  # noqa: ANN401 - of any game
        """Return the question to the seat on turn, perhaps with another view."""
        assert state.turn is not None
        seat, legal = state.turn.seat, state.legal()
        return Question(
            legal=as_plain(list(legal)),
            view=as_plain(state.view(seat) if view is None else view),
            events=as_plain(list(state.table.events(seat))),
            seat=seat,
            phase=state.turn.phase,
            decision_ms=1000,
            game_ms=None,
            hello=self.greet(seat),
            start=Start(game_id=0, seat=seat, players=[f"p{one}" for one in range(self.seats)], seed="1"),
            ranges={one.index: one.field for one in locate_ranges(legal)},
        )

    def write(self, question: Question) -> str:
        """Return what a model is asked."""
        self.bot.events = [*question.events]
        return self.bot.make_messages(self.bot.make_parts(question))[-1]["content"]


def as_plain(value: object) -> Any:  # noqa: ANN401 - as a bot reads it
    """Return a value as a bot reads it from the wire."""
    return msgspec.json.decode(msgspec.json.encode(value))


@pytest.fixture
def writer(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PromptWriter]:
    """Return the prompts of the game that a test names."""
    ours, theirs = socket.socketpair()
    with ours:
        monkeypatch.setenv("PITBOSS_MODEL", str(theirs.detach()))
        made = PromptWriter(make_model_folder(tmp_path), GAMES[request.param])
        yield made
        made.bot.model.close()


MOST_TOLD: Final = ("bridge", "poker", "hearts", "gin-rummy")  # games with words of their own for models
each_game = pytest.mark.parametrize(
    "writer",
    [pytest.param(name, marks=[] if name in MOST_TOLD else [pytest.mark.long]) for name in GAMES],
    indirect=True,
)


def list_moments(writer: PromptWriter) -> Iterator[AnyState]:
    """Yield games at random at all their decisions, and after other actions at some of these."""
    for number in range(GAMES_PLAYED):
        seed = f"words/{number}"
        actions = play_on(writer.deal(seed), choose_from_words(seed), MOST_DECISIONS)
        state = writer.deal(seed)
        for at, action in enumerate(actions):
            yield state
            if at % max(1, len(actions) // BRANCHES) == 0:
                for other in state.legal()[:: max(1, len(state.legal()) // OTHER_ACTIONS)]:
                    branch = writer.deal(seed, [*actions[:at], lowest_action(other)])
                    play_on(branch, choose_from_words(f"{seed}/{at}"), 3)
                    if branch.turn is not None:
                        yield branch
            state.play(action)


@each_game
def test_views_that_differ_have_different_prompts(writer: PromptWriter) -> None:
    """No two views of a seat in a game, whatever is played at random, have the same prompt."""
    met: dict[str, bytes] = {}
    for state in list_moments(writer):
        question = writer.ask(state)
        view = msgspec.json.encode(question.view)
        assert met.setdefault(writer.write(question), view) == view
    assert len(met) > 20 or writer.game.name in ("fireworks", "lucky-maker")


@each_game
def test_each_field_of_a_view_is_told(writer: PromptWriter) -> None:
    """The words of a view change with each of its fields alone, but for those that the story of the deal tells."""
    game, presentation = writer.game, find_presentation(writer.game)
    views: dict[int, list[Any]] = {}
    for state in list_moments(writer):
        assert state.turn is not None
        views.setdefault(state.turn.seat, []).append(state.view(state.turn.seat))
    fields = [name for name in game.View.__struct_fields__ if name not in presentation.retold]
    assert {*presentation.retold} < {*game.View.__struct_fields__}
    for seat, seen in views.items():
        first = seen[0]
        told = tell_words(game, first, seat)
        for name in fields:
            for other in seen[1:]:
                value = getattr(other, name)
                changed = type(first)(**{**asdict(first), name: value})
                if normalise(game, name, value, seat) != normalise(game, name, getattr(first, name), seat):
                    assert tell_words(game, changed, seat) != told, (name, getattr(first, name), value)


def tell_words(game: AnyGame, view: Any, seat: int) -> str:  # noqa: ANN401 - of any game
    """Return a view in words beside a story that is told."""
    return tell_view(game, as_plain(view), seat, make_speech(find_presentation(game), seat), is_story_told=True)


def normalise(game: AnyGame, name: str, value: Any, seat: int) -> Any:  # noqa: ANN401 - of any game
    """Return a value without what another field of the view has: one's own hand."""
    if name == "known" and game.name in WITH_OWN_HAND:
        return [sorted(cards) for other, cards in enumerate(value) if other != seat]
    return value


@each_game
def test_a_prompt_tells_nothing_hidden(writer: PromptWriter) -> None:
    """The prompt is the same in every world that its seat considers possible."""
    compared = 0
    for number, state in enumerate(list_moments(writer)):
        if number % 15 == 0 and state.turn is not None:
            question, told = writer.ask(state), writer.write(writer.ask(state))
            for world in range(2):
                imagined = state.imagine(question.seat, Random(f"world/{number}/{world}"))
                assert writer.write(writer.ask(state, imagined.view(question.seat))) == told
                compared += 1
    assert compared > 2


@pytest.mark.parametrize("writer", [*TOLD_BY_NUMBER], indirect=True)
def test_words_that_change_have_another_number(writer: PromptWriter) -> None:
    """What a game's moments are told has not changed since the number of the words was raised.

    Whoever changes words raises PROMPT_WORDS, and writes number and digest here: results of models by the old words
    are then not added to those by the new ones.
    """
    digest = hashlib.sha256()
    for state in list_moments(writer):
        parts = writer.bot.make_parts(writer.ask(state))
        digest.update(msgspec.json.encode([parts[name] for name in ("view", "task", "legal")]))
    assert TOLD_BY_NUMBER[writer.game.name] == (PROMPT_WORDS, digest.hexdigest()[:12])


def test_a_story_that_is_not_whole_leaves_nothing_out() -> None:
    """What the story of a deal tells stands in the view where the story is cut, or is no part of the prompt."""
    game, view = GAMES["hearts"], {"trick": [[0, "S5"]], "tricks": [], "won": [1, 0, 0, 0], "hand": ["HA", "S2"]}
    view |= {"totals": [3, 3, 3, 3], "deal_no": 2, "known": [[], ["C2"], [], []]}
    short, whole = (
        tell_view(game, view, 0, make_speech(seat=0), is_story_told=is_told).splitlines() for is_told in (True, False)
    )

    assert short == [
        "your hand: S2, HA",
        "tricks taken in this deal: you 1, seat 1 0, seat 2 0, seat 3 0",
        "points before this deal, number 2: 3 each",
        "cards that you know in the hands of others: seat 1 C2",
    ]
    assert whole == [*short, 'trick: [[0,"S5"]]', "tricks: empty"]


def test_a_view_of_another_version_is_told_field_by_field() -> None:
    """A view that the game which is installed does not know is told by its fields."""
    view = {"hand": ["HA"], "weather": None, "is_open": True, "by_seat": [1, -2], "name": ""}

    told = tell_view(GAMES["hearts"], view, 0, make_speech(), is_story_told=True)
    assert told.splitlines() == [*tell_fields(view)]
    assert [*tell_fields(view)] == ["hand: HA", "weather: none", "is open: yes", "by seat: 1 -2", 'name: ""']


def test_cards_and_hands() -> None:
    """Cards of each suit stand together, other cards in their order; hands of which nothing is known are left out."""
    assert tell_cards(["H2", "SA", "H10"]) == "SA, H2 H10"
    assert tell_cards([43, 7]) == "43 7" and tell_cards(["BJ", "3"]) == "BJ 3" and tell_cards([]) == "none"
    assert tell_known([["S2"], ["C3"], []], 0, make_speech(seat=0)) == "seat 1 C3"
    assert tell_known([["S2"], []], 0, make_speech()) == "none"


def test_actions_that_read_alike_are_written_as_data() -> None:
    """Actions have the words of the game, or those of their fields; a range says which numbers there are."""
    speech = make_speech(Presentation(actions={"lay": "lay {card}", "pass": "pass"}))
    legal: list[Any] = [{"do": "pass"}, {"do": "lay", "card": "S2", "to": 1}, {"do": "lay", "card": "S2", "to": 2}]
    legal += [{"do": "bet", "to": [2, 900]}, {"do": "swap_all", "slot": 3, "up": True}, 7]

    assert tell_legal(legal, {3: "to"}, speech) == [
        "pass",
        '{"do":"lay","card":"S2","to":1}',
        '{"do":"lay","card":"S2","to":2}',
        'bet to N, where N is any whole number from 2 to 900: add "number" to your answer',
        "swap all slot 3, up yes",
        "7",
    ]
