"""The memory of a bot's model: notes after games, of a bounded length, that are on record."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from pitboss_tournament.models.chat import ChatMessage, ChatReply, ChatRequest
from pitboss_tournament.models.choice import Verdict
from pitboss_tournament.models.fake_server import FakeAnswer, FakeModels
from pitboss_tournament.models.memory import ModelMemory, RecalledMemory, RememberedEnd, cut_notes, judge_notes
from pitboss_tournament.store.store import Store
from tests.tournament.model_tournaments import PlayedModels, make_model_bot, make_model_plan, play_models, serve_models

NOTES_BYTES: Final = 100


class NotingModels(FakeModels):
    """A model that numbers its notes, which are longer than what is kept of them."""

    def __init__(self) -> None:
        super().__init__()
        self.notes = 0

    def answer(self, body: dict[str, Any]) -> FakeAnswer:
        """Note something, where notes are asked for; else choose."""
        if "Write your notes" not in body["messages"][-1]["content"]:
            return super().answer(body)
        self.calls += 1
        self.notes += 1
        return FakeAnswer(f"note {self.notes} is {'ä' * NOTES_BYTES}")


def make_remembering_bot(into: Path) -> None:
    """Make the bot m-random, whose model has a memory."""
    make_model_bot(into, "random", memory=NOTES_BYTES, effort="low", **{"extra.top_p": 0.5})
    prompt = into / "m-random" / "prompt.md"
    prompt.write_text(f"{prompt.read_text(encoding='utf-8')}\nYour notes: {{memory}}!\n", encoding="utf-8")


def count_memory_calls(played: PlayedModels) -> Counter[str]:
    """Return how many calls about the memory came to what."""
    return Counter(call.verdict.outcome for call in played.calls if call.place.decision == 0)


@pytest.mark.once
@pytest.mark.long
def test_a_model_notes_what_it_has_learned(tmp_path: Path) -> None:
    """After a game the model is told its end and writes notes, with which the next game begins, also in a run that is
    carried on. Played again from the record, without a server, the games and the notes are the same.
    """
    make_remembering_bot(tmp_path)
    with serve_models(fake=(fake := NotingModels())) as served:
        plan = make_model_plan(tmp_path, served, "random", deals=2, workers=1)
        first = play_models(plan, most_games=2)
        whole = play_models(plan)
    again = play_models(
        make_model_plan(tmp_path, served, "random", store="again.pitboss", deals=2, workers=1),
        Store(tmp_path / "t.pitboss"),
    )

    assert count_memory_calls(first) == {"recalled": 2, "noted": 1}
    assert count_memory_calls(whole) == {"recalled": 4, "noted": 2} and fake.notes == 2
    asked = {call.place.game_id: call for call in whole.calls if call.verdict.outcome == "chosen"}
    ends = [call.request.messages[-1].content.rpartition("Your notes: ")[2] for call in asked.values()]
    assert sorted(ends) == [*[f"note 1 is {'ä' * 45}!"] * 2, f"note 2 is {'ä' * 45}!", "nothing!"]
    [noted, *_] = [call for call in whole.calls if call.verdict.outcome == "noted"]
    told = noted.request.messages[-1].content
    assert "came in place" in told and "The last question in it was:\nYou are in seat" in told
    assert all(
        (call.request.effort, call.request.extra) == ("low", {"top_p": 0.5}) for call in [noted, *asked.values()]
    )
    assert again.games == whole.games and again.calls == whole.calls
    assert whole.faults == [] and fake.calls == len([call for call in whole.calls if call.tries])


def test_the_end_of_a_game_is_told_once() -> None:
    """A memory tells the last game that has ended and in which the model was asked, once, beside the latest notes."""
    memory = ModelMemory(20, "I know.")
    question = ChatRequest(messages=[ChatMessage("system", "rules"), ChatMessage("user", "which?")], max_output=9)
    memory.end_game(1, RememberedEnd(0, [1, 2], [3, -3]))
    assert memory.recall() == RecalledMemory("I know.")
    memory.note_question(2, question)
    memory.end_game(2, RememberedEnd(1, [1, 2], [3, -3.5]))
    memory.keep_notes(ChatReply(text=" Fold more often than I did. "))

    end = "You were in seat 1 and came in place 2. Points by seat: 3, -3.5"
    assert memory.recall() == RecalledMemory("Fold more often than", f"{end}\n\nThe last question in it was:\nwhich?")
    assert memory.recall() == RecalledMemory("Fold more often than")


def test_notes_are_cut_between_characters() -> None:
    """Notes have no more bytes than allowed, and no part of a character."""
    assert cut_notes("  äöü ", 5) == "äö" and cut_notes("abc", 5) == "abc"


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (ChatReply(text="Fold.", finish="length"), "noted"),
        (ChatReply(text=" "), "empty"),
        (ChatReply(text="No.", refusal="I do not gamble."), "refused"),
    ],
)
def test_what_is_noted(reply: ChatReply, outcome: str) -> None:
    """Any text is noted, one that is cut off too; nothing is noted of a refusal."""
    verdict = judge_notes(reply)

    assert isinstance(verdict, Verdict) and verdict.outcome == outcome
