"""`pitboss compare`: the verdict is a sentence, and the exit status."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pitboss_tournament.store.store import Store
from tests.tournament.command_line import run_pitboss
from tests.tournament.small_tournaments import BOT_TESTS

pytestmark = pytest.mark.once

GOOD = f"{sys.executable} -S {BOT_TESTS / 'zoo' / 'good.py'}"
CRASHES = f"{sys.executable} -S {BOT_TESTS / 'zoo' / 'crashes_later.py'}"  # at its tenth question: it loses by that
LONG = ("-o", "turns=6", "--seed", "s", "--sandbox", "none")


@pytest.mark.long
@pytest.mark.parametrize(
    ("old", "new", "status", "said"),
    [
        (CRASHES, GOOD, 0, "Head to head, by places: good is better than crashes_later, proven at 95 % by "),
        pytest.param(
            *(
                GOOD,
                CRASHES,
                1,
                "Head to head, by places: crashes_later is less than 25 points better than good, proven at 95 % by ",
            ),
            marks=pytest.mark.long,
        ),
    ],
)
def test_a_verdict(tmp_path: Path, old: str, new: str, status: int, said: str) -> None:
    """The last line of a comparison says the verdict, with the difference; the same command again plays nothing and
    says the same.
    """
    ran = run_pitboss("compare", "magpie", old, new, *LONG, "--games", "60", cwd=tmp_path)
    played = Store(tmp_path / "magpie-s.pitboss").count_games()
    again = run_pitboss("compare", "magpie", old, new, *LONG, "--games", "60", "--json", cwd=tmp_path)

    assert ran.status == again.status == status, ran.err
    assert ran.out.splitlines()[0].startswith("magpie: is ")
    assert ran.out.splitlines()[-1].startswith(said)
    assert again.json_value["sentence"] == ran.out.splitlines()[-1]
    assert again.json_value["verdict"] == ("better" if status == 0 else "not better")
    assert again.json_value["games"] == played < 60
    assert again.json_value["most_games"] == 60


def test_undecided_at_the_limit_at_a_larger_table(tmp_path: Path) -> None:
    """A comparison that is undecided at its limit has status 2; a table of three has a house bot, and each deal is
    played in three orders; --games is a number of whole deals.
    """
    words = ("--seats", "3", "-o", "turns=3", "--seed", "s", "--games", "7", "--sandbox", "none")
    ran = run_pitboss("compare", "magpie", GOOD, GOOD, *words, cwd=tmp_path)
    store = Store(tmp_path / "magpie-s.pitboss")

    assert ran.status == 2, ran.err
    assert ", among 1 × house:random? Bounds 0 and 25 points, errors 5 % and 5 %, at most 9 games" in ran.out
    last = ran.out.splitlines()[-1]
    assert last.startswith(
        "Head to head, by places: it is undecided after 9 games whether good-new is better than good-old; the "
        "difference is "
    )
    assert last.endswith("; the same command with --store magpie-s.pitboss and more --games carries on.")
    assert (store.header.bots, store.header.seating) == (["good-old", "good-new", "house:random"], "balanced")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((GOOD,), "which game is played? for example: pitboss compare racko magpie"),
        ((GOOD, GOOD, "--games", "none"), "none"),
        ((GOOD, "nowhere"), "pitboss: there is no bot 'nowhere'"),
        ((GOOD, GOOD, "--bounds", "5", "-5"), "--bounds 5 -5: the first bound must be less than the second"),
        ((GOOD, GOOD, "--seats", "1"), "--seats is 1; two bots are compared, so it is at least 2"),
        ((GOOD, GOOD, "--among", "house:first"), "--among house:first: at a table of 2 no seat is left"),
        ((GOOD, GOOD, "--store", "x", "--no-store"), "--store x keeps the games and --no-store does not"),
        (
            (GOOD, "{python} -c exit(7)", "--games", "2"),
            "pitboss: python- never played: it forfeited each",
        ),
    ],
)
def test_no_verdict(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    """An error has a status that is no verdict, and a sentence; so has a bot that never played."""
    ran = run_pitboss("compare", "magpie", *words, *LONG, cwd=tmp_path)

    assert ran.status == 3
    assert said in ran.err
    assert "Traceback" not in ran.err
