"""What the house's bot of a language model tells its model: nothing that it needs is lost, and it is short."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from pitboss.bot import Question
from pitboss.game import resolve_options
from pitboss.protocol.messages import Clock, Hello, Start
from pitboss.rendering.presentation import PartSheet, Presentation
from pitboss_house_bots.model_prompt import FEW_ACTIONS, STORY_CHARACTERS, describe_legal, tell_story
from pitboss_tournament.models.chat import estimate_tokens
from pitboss_tournament.models.choice import Verdict, judge_answer
from pitboss_tournament.simulation.random_games import sample_decisions
from pitboss_tournament.store.store import Store
from tests.games.game_tables import GAMES
from tests.tournament.command_line import run_pitboss
from tests.tournament.model_tournaments import serve_models

WORDS: Final = Presentation(
    events={"bet": "bets {chips}", "deal_end": "the deal ends"},
    sheets={"deal_end": PartSheet("Deal {deal}", {"points": "points"})},
)
DEAL: Final[dict[str, Any]] = {
    "verb": "deal",
    "event": "deal",
    "cards": {"hand 0": [None, None], "hand 1": ["SA", "D7"]},
}
END: Final[dict[str, Any]] = {"verb": "tell", "event": "deal_end", "facts": {"deal": 1, "points": [3, -3]}}
MOST_TOKENS: Final = {"bridge": 3_000, "poker": 2_500, "hearts": 1_800, "gin-rummy": 2_200}  # of a request
SEATS: Final = {"bridge": 4, "poker": 4, "hearts": 4, "gin-rummy": 2}
FILE: Final = """
game = "{game}"
seats = {seats}
deals = 1
seed = "tokens"
sandbox = "none"
bots = ["mind", {house}]
[models.main]
url = "{url}"
model = "random"
"""


def move(seat: int, card: str | None, event: str) -> dict[str, Any]:
    """Return the event of a card that is moved."""
    return {"verb": "move", "seat": seat, "card": card, "from": f"hand {seat}", "to": "pile", "event": event}


def make_question(legal: list[Any], ranges: dict[int, str] | None = None) -> Question:
    """Return a question with these legal actions."""
    clock = Clock(start_ms=1000, decision_ms=1000)
    return Question(
        legal=legal,
        view={},
        events=[],
        seat=1,
        phase="",
        decision_ms=1000,
        game_ms=None,
        hello=Hello(game="x", options={}, seats=2, seat=1, seed="0", clock=clock),
        start=Start(game_id=0, seat=1, players=["ann", "mind"], seed="1"),
        ranges=ranges or {},
    )


def test_a_story_tells_the_deal_in_play() -> None:
    """A story has the results of earlier deals, and of this one what each player did, in the words of the game."""
    bet = {"verb": "tell", "event": "bet", "facts": {"seat": 0, "chips": 1200}}
    swap = {"verb": "swap", "seat": 1, "card": "C9", "slot": 3, "discarded": "C2", "event": "put"}
    drawn = [move(0, None, "draw")] * 3
    passed = {"verb": "lay", "seat": 0, "cards": ["S2", None, None], "from": "hand 0", "to": "hand 1", "event": "pass"}
    trick = {"verb": "turn_over", "from": "pile", "to": "taken 1", "cards": ["SA", "D7"], "event": "trick"}
    laid = {"verb": "turn_over", "from": "pile", "to": "laid", "cards": ["SA", "D7"], "event": "laid"}
    blind = {"verb": "tell", "event": "round", "facts": {"hand": 2}}
    events = [DEAL, move(0, "H2", "play"), END, {"verb": "shuffle", "event": "shuffle"}, blind, DEAL]
    events += [bet, move(1, "SA", "play"), *drawn, passed, trick, laid, swap]
    later = [
        "seat 0: bets 1,200; you: play SA; seat 0: draw a card (3 times); seat 0: pass S2 2 cards; you: gets the cards "
        "of the trick",
        "you: put C9 into slot 3, C2 out",
    ]

    assert tell_story(events, 1, WORDS).text.splitlines() == [
        "Deal 1: seat 0 3, you -3",
        'round {"hand":2}',
        f"deal: hand 1 SA D7; {later[0]}",
        later[1],
    ]
    without_hand = [f'round {{"hand":2}}; {later[0]}', later[1]]
    assert tell_story(events, 1, WORDS, tells_hand=False).text.splitlines()[1:] == without_hand


def test_a_story_without_events() -> None:
    """A story of a game in which nothing has happened says so."""
    assert tell_story([], 0) == ("nothing", True)


def test_a_long_story_loses_its_beginning() -> None:
    """A story that is too long tells the latest part of the deal, in whole lines."""
    rounds = [{"verb": "tell", "event": "round", "facts": {"number": number}} for number in range(500)]
    told = tell_story([DEAL, *rounds], 1, WORDS)
    lines = told.text.splitlines()

    assert not told.is_whole
    assert lines[0].startswith("…") and lines[-1] == 'round {"number":499}'
    assert all(line.startswith("round ") for line in lines[1:])
    assert len("\n".join(lines)) <= STORY_CHARACTERS + len(lines[0]) + 1


@pytest.mark.parametrize("name", GAMES)
def test_each_legal_action_can_be_chosen_from_what_is_told(name: str) -> None:
    """Each legal action of a game is listed with its number, or is one of the choices that are told, which an answer
    makes by the action itself, in any order.
    """
    game = GAMES[name]
    seats = min(game.seats)
    for moment in sample_decisions(game, seats, resolve_options(game, seats), "prompt"):
        legal: list[Any] = msgspec.json.decode(msgspec.json.encode(moment.legal))
        told = describe_legal(make_question(legal), shows_all=True)
        if told.startswith("0: "):
            numbers, actions = zip(*(line.split(": ", 1) for line in told.splitlines()), strict=True)
            assert [*map(int, numbers)] == [*range(len(legal))]
            assert [msgspec.json.decode(action) for action in actions] == legal
            continue
        assert len(legal) > FEW_ACTIONS
        for index, action in enumerate(legal):
            other = {key: value[::-1] if isinstance(value, list) else value for key, value in action.items()}
            answer = msgspec.json.encode({"reason": "so", "action": other}).decode()
            assert judge_answer(answer, legal, []) == Verdict("chosen", choose=index)


def test_choices_of_cards_are_told_as_a_set() -> None:
    """All choices of two of nine cards are told in a line; with one missing, or with ranges, they are listed."""
    pairs = [{"do": "pass", "cards": [f"S{one}", f"S{two}"]} for one in range(9) for two in range(one + 1, 9)]
    bet = {"do": "bet", "to": [1, 9]}

    told = describe_legal(make_question(pairs), shows_all=True)
    assert told.startswith('Each is like {"do":"pass","cards":["S0","S1"]}, with any 2 of ["S0","S1","S2"')
    assert len(describe_legal(make_question(pairs[1:]), shows_all=True).splitlines()) == len(pairs) - 1
    assert len(describe_legal(make_question(pairs[:FEW_ACTIONS]), shows_all=True).splitlines()) == FEW_ACTIONS
    ranged = describe_legal(make_question([*pairs, bet], {len(pairs): "to"}), shows_all=True)
    assert len(ranged.splitlines()) == len(pairs) + 1


@pytest.mark.once
@pytest.mark.long
@pytest.mark.parametrize("game", MOST_TOKENS)
def test_a_request_is_short_and_has_the_whole_view(tmp_path: Path, game: str) -> None:
    """A request has no more tokens than promised, by the estimate of the budget, and the view as other bots get it."""
    run_pitboss("new", "bot", "llm", "mind", cwd=tmp_path)
    house = ", ".join([f'{{ bot = "house:{game}", name = "h{seat}" }}' for seat in range(1, SEATS[game])])
    with serve_models() as served:
        text = FILE.format(game=game, seats=SEATS[game], house=house, url=served.url)
        (tmp_path / "t.toml").write_text(text, encoding="utf-8")
        ran = run_pitboss("run", "t.toml", "--games", "1", cwd=tmp_path)
    store = Store(tmp_path / "t.pitboss")
    calls = [call for number, _ in store.records() for call in store.calls.read_game(number)]

    assert ran.status == 0 and len(calls) > 10
    assert max(estimate_tokens(call.request) for call in calls) <= MOST_TOKENS[game]
    assert {call.verdict.outcome for call in calls} == {"chosen"}
