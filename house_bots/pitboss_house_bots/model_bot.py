"""A language model at the table: `python -m pitboss_house_bots model`, in a folder with bot.toml and prompt.md.

The part of prompt.md above the line `---` is the system message, the rest is what is asked at each decision. After a
bad answer the model is asked again, with the reason. If it then has chosen nothing, the bot chooses nothing either.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from pitboss.bot import AnnotatedChoice, Choice, NoChoice, Question, run
from pitboss.errors import ConfigError
from pitboss.game import AnyGame, render_state
from pitboss.inference.state_tracker import StateTracker
from pitboss.plugins.registry import Registry
from pitboss.plugins.rule_book import extract_rules, find_rule_book
from pitboss.protocol.messages import Hello, Start
from pitboss.rendering.model_words import tell_legal, tell_view
from pitboss.rendering.presentation import find_presentation, word_phase
from pitboss_house_bots.model_prompt import Story, describe_legal, make_speech, tell_story
from pitboss_house_bots.model_socket import ModelReply, ModelSocket

RULES_HEADING: Final = "\n## The rules\n"  # of a page of `pitboss games`
PARTS: Final = re.compile(r"\{(rules|options|view|legal|story|events|seat|notes|task|memory)\}")
DIVIDER: Final = re.compile(r"^---\s*$", re.MULTILINE)
NOTES_KEPT: Final = 8  # the last ones
NOTE_CHARACTERS: Final = 240
LEAVE_OUT: Final = (("story", "events", "notes"), ("rules",))  # of a request that is too long, step by step
LEFT_OUT: Final = "(left out: your context is too short for it)"
ASK_FOR_NOTES: Final = (
    "You play many games of {game}. These are the notes that you have made after earlier games:\n{notes}\n\nA game has "
    "ended. {last}\n\nWrite your notes for the next games: what you have learned of the game, and of how the others "
    "play. They replace the old ones. Only the first {size} bytes are kept. Answer with the notes alone."
)
DEFAULT_RETRIES: Final = 2  # as `plan/models.py` has it

Message = Mapping[str, str]


class ModelBot:
    """The bot, for one process."""

    def __init__(self, folder: Path) -> None:
        """Raise OSError or ValueError if the folder has no bot.toml, or no prompt.md, that can be read."""
        settings = tomllib.loads((folder / "bot.toml").read_text(encoding="utf-8"))["model"]
        self.retries = int(settings.get("retries", DEFAULT_RETRIES))
        self.shows_legal = settings.get("show_legal", "all") == "all"
        self.view_format = settings.get("view", "json")
        self.memory_bytes = int(settings.get("memory", 0))
        text = (folder / "prompt.md").read_text(encoding="utf-8")
        if self.memory_bytes and "{memory}" not in text:
            raise ValueError("[model] in bot.toml has a memory, and prompt.md has no {memory} that tells it")
        *system, self.user = DIVIDER.split(text, maxsplit=1)
        self.system = system[0] if system else None
        self.tells_story = "{story}" in text
        page = folder / "GAME.md"
        self.page = page.read_text(encoding="utf-8") if page.is_file() else ""
        self.rules = ""
        self.game: AnyGame | None = None  # where it is installed
        self.tracker: StateTracker | None = None
        self.left_out = 0  # steps of LEAVE_OUT
        self.events: list[Any] = []
        self.notes: list[str] = []
        self.memory = ""  # what the model has noted after earlier games
        self.has_recalled = False  # in this game
        self.model = ModelSocket()

    def prepare(self, hello: Hello) -> None:
        """Read the rules of the game: those in GAME.md, if it has them, else those of the rule book."""
        registry = Registry()
        rules = ""
        try:
            self.game = registry.find_game(hello.game)
            self.tracker = StateTracker(self.game) if self.view_format == "text" else None
            rules = extract_rules(find_rule_book(registry, hello.game))
        except ConfigError:  # it is not installed where this bot runs
            pass
        if RULES_HEADING in self.page:
            rules = ""
        self.rules = "\n\n".join(filter(None, (rules, self.page)))

    def begin(self, hello: Hello, start: Start) -> None:
        """Begin a game: nothing of earlier ones is told, but for what the model has noted."""
        self.events, self.notes, self.has_recalled = [], [], False

    def choose(self, question: Question) -> Choice:
        """Answer one question; where there is one action only, the model is not asked."""
        self.events += msgspec.to_builtins(question.events)
        if self.memory_bytes and not self.has_recalled:
            self.recall(question.hello.game)
        parts = self.make_parts(question)  # also of a question that is not asked: the tracker has to follow
        if len(question.legal) == 1 and not question.ranges:
            return 0
        reply = self.ask(self.make_messages(parts))
        while reply.outcome == "too_long" and self.left_out < len(LEAVE_OUT):
            self.left_out += 1
            if self.view_format == "words":  # it has what the story tells no more
                parts = self.make_parts(question)
            reply = self.ask(self.make_messages(parts))
        if reply.outcome != "chosen":
            return NoChoice(f"{reply.outcome}: {reply.reason}")
        choice: int | Mapping[str, object] = reply.action if reply.choose is None else reply.choose
        reason = find_reason(reply.text)
        chosen = question.legal[choice] if isinstance(choice, int) else choice
        if reason:
            self.notes.append(f"{self.word_action(chosen)}: {reason}"[:NOTE_CHARACTERS])
        return AnnotatedChoice(choice, reason)

    def recall(self, game: str) -> None:
        """Begin a game with the notes of the model, which it is asked to write again if a game has ended since."""
        self.has_recalled = True
        reply = self.model.ask([], kind="recall")
        if reply.outcome != "recalled":  # there is a stand-in for the model
            return
        told = msgspec.json.decode(reply.text, type=dict[str, str])
        self.memory = told.get("notes", "")
        if last := told.get("last", ""):
            notes, size = self.memory or "none", f"{self.memory_bytes:,}"
            content = ASK_FOR_NOTES.format(game=game, notes=notes, last=last, size=size)
            asked = self.model.ask([{"role": "user", "content": content}], kind="notes")
            self.memory = asked.text if asked.outcome == "noted" else self.memory

    def word_action(self, action: Any) -> str:  # noqa: ANN401 - plain data
        """Return an action as {legal} has it."""
        in_words = self.view_format == "words"
        return tell_legal([action], {}, make_speech(find_presentation(self.game)))[0] if in_words else encode(action)

    def make_messages(self, parts: Mapping[str, str]) -> list[Message]:
        """Return what is asked, without the parts that were too much for the model's context."""
        parts = {**parts, **{name: LEFT_OUT for names in LEAVE_OUT[: self.left_out] for name in names}}
        system = [] if self.system is None else [{"role": "system", "content": fill(self.system, parts)}]
        return [*system, {"role": "user", "content": fill(self.user, parts)}]

    def ask(self, messages: list[Message]) -> ModelReply:
        """Ask the model, and again with the reason where its answer is bad, as often as bot.toml allows."""
        reply = self.model.ask(messages)
        for _ in range(self.retries):
            if reply.outcome in ("chosen", "refused", "too_long", "failed", "budget", "error"):
                break
            again = f"That was no choice: {reply.reason}. Answer again, and end with one JSON object."
            messages += [{"role": "assistant", "content": reply.text or "…"}, {"role": "user", "content": again}]
            reply = self.model.ask(messages)
        return reply

    def make_parts(self, question: Question) -> dict[str, str]:
        """Return the text that replaces each {part} of the prompt."""
        in_words, presentation = self.view_format == "words", find_presentation(self.game)
        story = tell_story(self.events, question.seat, presentation, tells_hand=not in_words)
        speech = make_speech(presentation) if in_words else None
        return {
            "rules": self.rules,
            "options": encode(question.hello.options),
            "view": self.render_view(question, story),
            "task": word_phase(self.game, question.phase),
            "legal": describe_legal(question, shows_all=self.shows_legal, speech=speech),
            "story": story.text,
            "events": "\n".join(map(encode, self.events)) or "nothing",
            "seat": f"{question.seat} of {question.hello.seats}, counted from 0",
            "memory": self.memory or "nothing",
            "notes": "\n".join(self.notes[-NOTES_KEPT:]) or "nothing",
        }

    def render_view(self, question: Question, story: Story) -> str:
        """Return the view in words, or as text where the game can be followed, if this is asked for; else as JSON."""
        if self.view_format == "words":
            speech = make_speech(find_presentation(self.game), question.seat)
            is_story_told = self.tells_story and story.is_whole and not self.left_out
            return tell_view(self.game, question.view, question.seat, speech, is_story_told=is_story_told)
        state = self.tracker.update(question) if self.tracker else None
        if state is None:
            return encode(question.view)
        return "\n".join(render_state(state, question.seat, question.start.players))


def fill(template: str, parts: Mapping[str, str]) -> str:
    """Return a part of the prompt, each {part} replaced once."""
    return PARTS.sub(lambda found: parts[found[1]], template).strip()


def find_reason(text: str) -> str:
    """Return the reason in the JSON object at the end of an answer; "" if it gives none."""
    at = text.rfind('{"reason"')
    try:
        said = msgspec.json.decode(text[at:].strip()) if at >= 0 else {}
    except msgspec.DecodeError:
        return ""
    return str(said.get("reason", "")) if isinstance(said, dict) else ""


def encode(value: object) -> str:
    """Return a value as JSON."""
    return msgspec.json.encode(value).decode()


def main(words: Sequence[str]) -> str | None:
    """Play; return what is wrong with the folder."""
    if words:
        return f"model takes no words, and there are {' '.join(words)!r}"
    try:
        bot = ModelBot(Path())
    except (OSError, KeyError, ValueError, RuntimeError) as error:
        return f"model: {type(error).__name__}: {error}"
    run(bot.choose, name="model", version="1", want="both", on_hello=bot.prepare, on_start=bot.begin)
    return None
