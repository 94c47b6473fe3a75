"""Settings of language models: tournament files and bot.toml, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec
import pytest

from pitboss.errors import ConfigError
from pitboss_house_bots.model_bot import main
from pitboss_tournament.config.entrants import resolve_entrant
from pitboss_tournament.config.tournament_file import load_plan
from pitboss_tournament.models.model_server import ModelServer
from pitboss_tournament.plan.models import ModelTable
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.processes.bot_contents import digest_prompt
from pitboss_tournament.results.own_settings import own_settings_text
from pitboss_tournament.store.field_changes import find_bot_changes
from pitboss_tournament.store.header import make_header
from tests.mistakes import each_mistake
from tests.plugins import load_registry
from tests.tournament.model_tournaments import make_model_bot

FILE: Final = """
game = "magpie"
seats = 2
sandbox = "none"
workers = 1
bots = ["m-small", "true"]

[models.small]
url = "http://127.0.0.1:1/v1"
model = "small-1b"
max_at_once = 3
"""
OTHER: Final = '[models.other]\nurl = "http://127.0.0.1:1/v1"\nmodel = "other-9b"\nmax_at_once = 5\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a bot that asks the model `small`."""
    make_model_bot(tmp_path, "small")
    return tmp_path


def read_models_plan(folder: Path, text: str) -> Plan:
    """Return the plan that a file makes."""
    (folder / "t.toml").write_text(text, encoding="utf-8")
    return load_plan(folder / "t.toml", load_registry())


def test_as_many_games_are_in_play_as_calls_may_be_open(folder: Path) -> None:
    """A bot is in as many games at once as its model takes calls, so that a slow model holds up no others."""
    plan = read_models_plan(folder, FILE + OTHER)

    assert plan.games_at_once == 3
    assert [bot.games_at_once for bot in plan.entrants] == [3, None]
    assert own_settings_text(make_header(plan, "1", "1")) == (
        "Not the same for all bots: m-small (it asks the model 'small-1b')."
    )


def test_a_model_with_a_memory_plays_one_game_at_a_time(folder: Path) -> None:
    """A bot whose model has a memory is in one game at a time, unless the file says otherwise."""
    path = folder / "m-small" / "bot.toml"
    path.write_text(f"{path.read_text(encoding='utf-8')}\nmemory = 500\n", encoding="utf-8")
    one = read_models_plan(folder, FILE)
    several = read_models_plan(folder, FILE.replace('"m-small"', '{ bot = "m-small", games_at_once = 2 }'))

    assert [plan.entrants[0].games_at_once for plan in (one, several)] == [1, 2]


def test_a_tournament_gives_a_bot_another_model(folder: Path) -> None:
    """A tournament gives a bot another model, so that one folder can sit at the table twice."""
    tables = '[[bots]]\nbot = "m-small"\n[[bots]]\nbot = "m-small"\nname = "two"\nmodel = "other"\ngames_at_once = 1\n'
    plan = read_models_plan(folder, FILE.replace('bots = ["m-small", "true"]\n', "") + OTHER + tables)

    assert [(bot.name, bot.model and bot.model.name, bot.games_at_once) for bot in plan.entrants] == [
        ("m-small", "small", 3),
        ("two", "other", 1),
    ]
    assert plan.games_at_once == 8


def test_a_prompt_is_known_by_its_digest(folder: Path) -> None:
    """Another prompt, page of the game, or way to ask is another digest; another model or budget is not."""
    entrant, other = make_model_bot(folder, "small"), resolve_entrant("house:random", load_registry(), folder, "magpie")
    assert entrant.model is not None
    digest = digest_prompt(entrant)
    same = msgspec.structs.replace(entrant.model, name="other", budget_usd=3.0)
    digests = [digest_prompt(msgspec.structs.replace(entrant, model=same))]
    for setting in ({"view": "text"}, {"temperature": 0.5}, {"show_legal": "none"}):
        changed = msgspec.structs.replace(entrant.model, **setting)
        digests.append(digest_prompt(msgspec.structs.replace(entrant, model=changed)))
    for file in ("GAME.md", "prompt.md"):
        (folder / "m-small" / file).write_text("Play {legal}", encoding="utf-8")
        digests.append(digest_prompt(entrant))

    assert digests[0] == digest and len({*digests}) == 6 and len(digest) == 12
    assert digest_prompt(other) == ""


def test_a_changed_prompt_is_another_version(folder: Path) -> None:
    """A store refuses a bot with another prompt than it has played with, and says so; a store that does not know the
    prompt takes any.
    """
    header = make_header(read_models_plan(folder, FILE), "1", "1")
    first, second = header.entries
    changed, unknown = (
        msgspec.structs.replace(first, own=msgspec.structs.replace(first.own, prompt=prompt))
        for prompt in ("0123456789ab", "")
    )

    assert find_bot_changes(first, changed) == [f'prompt: was "{first.own.prompt}", is "0123456789ab"']
    assert find_bot_changes(first, unknown) == find_bot_changes(unknown, first) == find_bot_changes(first, first) == []
    assert len(first.own.prompt) == 12 and second.own.prompt == ""


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ('effort = "much"', "model.effort"),
        ("memory = 20", "model.memory"),
        ("extra = { max_tokens = 9 }", "extra.max_tokens is no extra field: max_output in [model] bounds the answer"),
        ("extra = { N = 2 }", "extra.N is no extra field: a request has one answer"),
        ("extra = { stream = true }", "extra.stream is no extra field: an answer is read as a whole"),
        ('extra = { user = "%s" }' % (4096 * "x"), "extra has 4,107 bytes as JSON; allowed are 4,096"),
    ],
)
def test_a_way_to_ask_that_makes_no_sense_is_refused(folder: Path, setting: str, said: str) -> None:
    """A way to ask that makes no sense is named with its line in bot.toml."""
    path = folder / "m-small" / "bot.toml"
    path.write_text(f"{path.read_text(encoding='utf-8')}\n{setting}\n", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        read_models_plan(folder, FILE)

    assert f"bot.toml:{len(path.read_text(encoding='utf-8').splitlines())}: " in str(caught.value)
    assert said in str(caught.value)


def test_a_memory_needs_a_place_in_the_prompt(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot whose model has a memory, and whose prompt does not tell of it, does not start."""
    path = folder / "m-small" / "bot.toml"
    path.write_text(f"{path.read_text(encoding='utf-8')}\nmemory = 500\n", encoding="utf-8")
    monkeypatch.chdir(folder / "m-small")

    said = "[model] in bot.toml has a memory, and prompt.md has no {memory} that tells it"
    assert main(()) == f"model: ValueError: {said}"


def test_bots_with_extra_fields_can_be_told_apart(folder: Path) -> None:
    """A bot with extra fields is a key of a cache like any other, and another bot than one with other fields."""
    entrant = make_model_bot(folder, "small")
    assert entrant.model is not None
    models = [msgspec.structs.replace(entrant.model, extra=extra) for extra in ({"seed": 1}, {"seed": 1}, {"seed": 2})]

    assert len({msgspec.structs.replace(entrant, model=model) for model in models}) == 2


@each_mistake(__file__)
def test_a_mistake_is_named(folder: Path, right: str, wrong: str, said: str) -> None:
    """A mistake is named with the key, or the bot."""
    with pytest.raises(ConfigError) as caught:
        read_models_plan(folder, FILE.replace(right, wrong))

    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("value", "said"), [(None, "is not set here"), ("secret\n", "characters that no header may have")]
)
def test_a_key_that_is_none(monkeypatch: pytest.MonkeyPatch, value: str | None, said: str) -> None:
    """A run with a key that is none does not begin; the sentence does not tell the key."""
    monkeypatch.delenv("PITBOSS_TEST_MODEL_KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("PITBOSS_TEST_MODEL_KEY", value)
    table = ModelTable(url="http://127.0.0.1:1/v1", model="x", key_env="PITBOSS_TEST_MODEL_KEY")

    with pytest.raises(ConfigError, match=said) as caught:
        ModelServer("main", table, lambda text: None)
    assert "secret" not in str(caught.value)
