"""`pitboss why`: faults, times, worst games and the decisions in them that cost most."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from msgspec.structs import replace

from pitboss.protocol.messages import Clock
from pitboss.records.record import dumps
from pitboss_tournament.processes.logs import compress_text
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.store import Store
from tests.tournament.command_line import run_pitboss
from tests.tournament.play_terminal import run_in_terminal
from tests.tournament.random_results import draw_result, make_random_plan, play_drawn
from tests.tournament.report_stores import make_record
from tests.tournament.rogue_bot import play_rogue
from tests.tournament.small_tournaments import make_plan, play_tournament, zoo_entrant

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store of Rack-O in which a bot that plays at random lost."""
    path = tmp_path_factory.mktemp("why") / "lost.pitboss"
    words = ("house:random", "house:racko", "--deals", "4", "--preset", "short", "--seed", "why", "--workers", "1")
    assert run_pitboss("match", "racko", *words, "--store", str(path)).status == 0
    return path


def test_the_loser_learns_why(store: Path) -> None:
    """Each question has an answer, and the commands that it names can be called."""
    told = run_pitboss("why", str(store), "house:random")

    assert told.status == 0, told.err
    for question in (
        "Did it commit a fault?",
        "Was it slow?",
        "To whom did it lose?",
        "Which games?",
        "Which decisions?",
    ):
        assert question in told.out
    assert "No: it forfeited no game." in told.out
    replays = [line for line in told.out.splitlines() if line.startswith("  pitboss replay ")]
    assert run_pitboss("replay", *replays[0].split()[2:]).status == 0


def test_commands_can_be_copied(store: Path) -> None:
    """A terminal folds sentences, and no command."""
    lines = run_in_terminal("why", str(store), "house:random", columns=80).splitlines()

    commands = [line for line in lines if line.startswith("  pitboss ")]
    assert commands
    assert all(line.split()[-2] == "--seat" for line in commands)
    assert [line for line in lines if len(line) > 80 and "\x1b" not in line and line not in commands] == []


def test_the_same_as_data(store: Path) -> None:
    """The JSON has what its schema says: games with the fewest points, decisions that cost some, the worst first."""
    data = json.loads(run_pitboss("why", str(store), "house:random", "--json").out)
    schema = json.loads(run_pitboss("schema", "why").out)

    Draft202012Validator(schema).validate(data)
    margins = [game["margin"] for game in data["worst_games"]]
    costs = [decision["cost"] for decision in data["costly_decisions"]]
    assert margins == sorted(margins)
    assert margins[0] < 0
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] > 0
    assert all(decision["better"] != decision["action"] for decision in data["costly_decisions"])
    assert 0 < data["rated"] <= data["choices"]
    assert {decision["game_id"] for decision in data["costly_decisions"]} <= {
        game["game_id"] for game in data["worst_games"]
    }
    assert [pair["other"] for pair in data["pairs"]] == ["house:racko"]


def test_a_pair_from_either_side(store: Path) -> None:
    """A pair is told from the side of the bot that asks: what one has lost the other has won."""
    lost, won = (
        run_pitboss("why", str(store), name, "--json").json_value["pairs"] for name in ("house:random", "house:racko")
    )

    assert [(pair["bot"], pair["other"]) for pair in won] == [("house:racko", "house:random")]
    assert won[0]["points"]["estimate"]["mean"] == -lost[0]["points"]["estimate"]["mean"] > 0


def test_a_person_is_not_judged_by_a_clock(tmp_path: Path) -> None:
    """A person had no clock: nothing is said of slowness, and the limit is null."""
    made = make_random_plan("round-robin", bots=2, seats=2, deals=1)
    person, bot = made.entrants
    made = replace(made, entrants=(replace(person, command=()), bot))
    games = [draw_result(slot) for slot in play_drawn(made)[1]]
    with closing(Store.for_run(tmp_path / "x.pitboss", make_header(made, "1", "0.1"))) as store:
        for game in games:
            players = [made.bots[seat.entrant] for seat in game.seats]
            store.add([(game, compress_text(dumps(replace(make_record(game), players=players))), ())])

    told, data = (run_pitboss("why", str(store.path), person.name, *words) for words in ((), ("--json",)))

    assert told.status == 0, told.err
    assert "No clock ran for it" in told.out
    assert data.json_value["decision_ms"] is None


def test_a_late_bot_was_slow(tmp_path: Path) -> None:
    """A bot that forfeited by being late is told so, however quick its other decisions were."""
    made = make_plan(
        tmp_path / "late.pitboss",
        zoo_entrant("good"),
        zoo_entrant("late_from_the_fourth"),
        clock=Clock(start_ms=5000, decision_ms=200, margin_ms=0),
        workers=1,
    )
    play_tournament(made)

    told = run_pitboss("why", str(made.store), "late_from_the_fourth")

    assert "Was it slow?\nYes: it forfeited " in told.out
    assert "No decision cost more" not in told.out


def test_faults_are_told_first(tmp_path: Path) -> None:
    """A bot that did wrong in every game sees its faults, and that there is no other game to look at."""
    told = run_pitboss("why", str(play_rogue(tmp_path)), "rogue")

    assert told.status == 0, told.err
    assert "it forfeited no game" not in told.out
    assert "It has played no game without a forfeit yet." in told.out


def test_an_unknown_bot_is_refused(store: Path) -> None:
    """The error names the bots there are."""
    told = run_pitboss("why", str(store), "house:rack")

    assert told.status == 2
    assert "BOT is 'house:rack' (did you mean 'house:racko'?)" in told.err
