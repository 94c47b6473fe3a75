"""The house's bot of a language model: what it asks, and what it makes of the answers. The socket is a pair of ours."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from pitboss.bot import AnnotatedChoice, NoChoice, Question
from pitboss.protocol.messages import Clock, Hello, Start
from pitboss_house_bots.model_bot import ModelBot
from pitboss_house_bots.model_prompt import describe_legal
from pitboss_tournament.authoring.templates import MODEL_BOTS_FOLDER, NewBot, load_templates, make_bot

CHOSEN: Final = {"outcome": "chosen", "text": 'Well. {"reason": "it is cheap", "choose": 1}', "choose": 1}
ILLEGAL: Final = {"outcome": "illegal", "text": '{"choose": 7}', "reason": '"choose" is 7'}


class RunnerEnd:
    """The runner's end of the socket of a bot."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end

    def reply(self, *replies: dict[str, Any]) -> None:
        """Write replies, which the bot reads when it has asked."""
        for one in replies:
            self._end.sendall(json.dumps(one).encode() + b"\n")

    def read(self) -> list[dict[str, Any]]:
        """Return what the bot has asked."""
        self._end.setblocking(False)
        try:
            return [json.loads(line) for line in self._end.recv(1 << 20).splitlines()]
        except BlockingIOError:
            return []


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch) -> Iterator[RunnerEnd]:
    """Return the runner's end of a socket whose other end is in the environment."""
    ours, theirs = socket.socketpair()
    with ours:
        monkeypatch.setenv("PITBOSS_MODEL", str(theirs.detach()))
        yield RunnerEnd(ours)


def make_model_folder(into: Path, prompt: str | None = None) -> Path:
    """Return the folder of a bot of the template, perhaps with another prompt."""
    make_bot(NewBot(name="mind", into=into), load_templates(MODEL_BOTS_FOLDER)["llm"])
    if prompt is not None:
        (into / "mind" / "prompt.md").write_text(prompt, encoding="utf-8")
    return into / "mind"


@pytest.fixture
def bot(tmp_path: Path, runner: RunnerEnd) -> Iterator[ModelBot]:
    """Return a bot of the template that has been greeted."""
    made = ModelBot(make_model_folder(tmp_path))
    made.prepare(HELLO)
    made.begin(HELLO, START)
    yield made
    made.model.close()


HELLO: Final = Hello(
    game="poker", options={"hands": 3}, seats=2, seat=1, seed="0", clock=Clock(start_ms=1000, decision_ms=1000)
)
START: Final = Start(game_id=0, seat=1, players=["ann", "mind"], seed="1")


def make_question(*legal: dict[str, Any], **ranges: str) -> Question:
    """Return a question with these legal actions."""
    return Question(
        legal=list(legal) or [{"do": "fold"}, {"do": "call"}],
        view={"pot": 12, "said": "{legal}"},
        events=[{"verb": "tell", "event": "raise", "facts": {"seat": 1, "to": 40}}],
        seat=1,
        phase="bet",
        decision_ms=1000,
        game_ms=None,
        hello=HELLO,
        start=START,
        ranges={int(name[1:]): field for name, field in ranges.items()},
    )


def test_the_prompt_has_all_parts_once(bot: ModelBot, runner: RunnerEnd) -> None:
    """The text of a view cannot pass for a part of the prompt; the reason in the answer becomes the note."""
    runner.reply(CHOSEN)

    assert bot.choose(make_question()) == AnnotatedChoice(1, "it is cheap")
    [asked] = runner.read()
    system, user = asked["messages"]
    assert system["role"] == "system" and "### 1. " in system["content"] and '{"hands":3}' in system["content"]
    assert "json case" not in system["content"]
    assert "\npot: 12\nsaid: {legal}\n" in user["content"] and user["content"].count("\n1: call\n") == 1
    assert "You are to bet. The legal actions:\n0: fold\n" in user["content"]
    assert "You are in seat 1 of 2" in user["content"] and "you: raises to 40" in user["content"]


def test_what_was_decided_is_told_later_in_the_game(bot: ModelBot, runner: RunnerEnd) -> None:
    """The prompt tells the game's earlier decisions with their reasons, and all events; in the next game it has none of
    them.
    """
    runner.reply(CHOSEN, CHOSEN, CHOSEN)
    bot.choose(make_question())
    bot.choose(make_question())
    bot.begin(HELLO, START)
    bot.choose(make_question())
    _, later, next_game = (asked["messages"][1]["content"] for asked in runner.read())

    assert "\ncall: it is cheap\n" in later and "you: raises to 40 (2 times)\n" in later
    assert "it is cheap" not in next_game and "you: raises to 40\n" in next_game


def test_a_bad_answer_is_told_its_reason(bot: ModelBot, runner: RunnerEnd) -> None:
    """The model sees what it said; after as many retries as bot.toml allows nothing is chosen."""
    runner.reply(ILLEGAL, CHOSEN)
    assert bot.choose(make_question()) == AnnotatedChoice(1, "it is cheap")
    _, again = runner.read()
    assert [message["role"] for message in again["messages"]] == ["system", "user", "assistant", "user"]
    assert again["messages"][2]["content"] == '{"choose": 7}' and '"choose" is 7' in again["messages"][3]["content"]

    runner.reply(ILLEGAL, ILLEGAL, ILLEGAL)
    assert bot.choose(make_question()) == NoChoice('illegal: "choose" is 7')
    assert len(runner.read()) == 3


def test_a_prompt_that_is_too_long_is_asked_with_less(bot: ModelBot, runner: RunnerEnd) -> None:
    """A prompt that its model's context does not hold is asked without the story, then without the rules; so are
    those of later decisions.
    """
    too_long = {"outcome": "too_long", "reason": "maximum context length is 2048 tokens"}
    runner.reply(too_long, CHOSEN)
    assert bot.choose(make_question()) == AnnotatedChoice(1, "it is cheap")
    whole, without_story = ("".join(message["content"] for message in asked["messages"]) for asked in runner.read())
    assert "raises to 40" in whole and "raises to 40" not in without_story
    assert "### 1. " in without_story and "\npot: 12\n" in without_story and "\n1: call\n" in without_story

    runner.reply(too_long, too_long)
    assert bot.choose(make_question()) == NoChoice("too_long: maximum context length is 2048 tokens")
    same, without_rules = ("".join(message["content"] for message in asked["messages"]) for asked in runner.read())
    assert "raises to 40" not in same and "### 1. " in same and "### 1. " not in without_rules


def test_the_rules_of_a_page_are_not_told_twice(tmp_path: Path, runner: RunnerEnd) -> None:
    """The rules of a page of the game replace those of the rule book; other notes on a game stand beside them."""
    folder = make_model_folder(tmp_path)
    (folder / "GAME.md").write_text("# Poker\n\n## The rules\n\nAll that counts is luck.\n", encoding="utf-8")
    bot = ModelBot(folder)
    bot.prepare(HELLO)
    assert bot.rules.count("All that counts is luck.") == 1 and "### 1. " not in bot.rules
    bot.page = "Bluff often."
    bot.prepare(HELLO)
    bot.model.close()

    assert "### 1. " in bot.rules and bot.rules.endswith("Bluff often.")


def test_views_and_actions_as_data(tmp_path: Path, runner: RunnerEnd) -> None:
    """A bot whose bot.toml says so gives its model views and actions as JSON."""
    folder = make_model_folder(tmp_path)
    settings = (folder / "bot.toml").read_text(encoding="utf-8")
    (folder / "bot.toml").write_text(settings.replace('view = "words"', 'view = "json"'), encoding="utf-8")
    bot = ModelBot(folder)
    bot.prepare(HELLO)
    runner.reply(CHOSEN, CHOSEN)
    bot.choose(make_question())
    bot.choose(make_question())
    bot.model.close()

    first, second = (asked["messages"][-1]["content"] for asked in runner.read())
    assert '{"pot":12,"said":"{legal}"}' in first and first.count('\n1: {"do":"call"}') == 1
    assert '{"do":"call"}: it is cheap' in second


def test_a_refusal_is_final_and_one_action_is_no_question(bot: ModelBot, runner: RunnerEnd) -> None:
    """The model is not asked what there is no choice in."""
    assert bot.choose(make_question({"do": "declare"})) == 0
    assert runner.read() == []
    runner.reply({"outcome": "refused", "reason": "no"})
    assert bot.choose(make_question()) == NoChoice("refused: no")


def test_ranges_and_hidden_lists_are_explained() -> None:
    """The prompt asks for the number of a range, and tells the length of a list that is not shown."""
    question = make_question({"do": "call"}, {"do": "raise", "to": [20, 90]}, r1="to")

    assert describe_legal(question, shows_all=True).splitlines()[1] == (
        '1: {"do":"raise","to":[20,90]} where "to" is any whole number from 20 to 90: add "number" to your answer'
    )
    assert describe_legal(question, shows_all=False).startswith("There are 2, which are not listed")


def test_a_prompt_without_a_divider_is_one_message(tmp_path: Path, runner: RunnerEnd) -> None:
    """A prompt without a divider is one message, for models that know no system message."""
    bot = ModelBot(make_model_folder(tmp_path, "{seat}: {legal}"))
    bot.prepare(HELLO)
    runner.reply(CHOSEN)
    bot.choose(make_question())
    bot.model.close()

    [asked] = runner.read()
    assert [message["role"] for message in asked["messages"]] == ["user"]
