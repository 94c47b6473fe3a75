"""Suits in a terminal: their signs where it can show them, letters everywhere else."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from pitboss.game import resolve_options
from pitboss.plugins.registry import Registry
from pitboss.table.randomness import Random
from pitboss_tournament.text.card_signs import CardSigns, read_signs
from tests.marks import first_rows
from tests.tournament.play_terminal import play_piped, run_in_terminal

RUMMY: Final = ("rummy", "--against", "house:rummy", "-o", "deals=1", "-o", "max_turns=1", "--seed", "s")
RED: Final = "\x1b[31m"
SIGNS: Final = "♠♥♦♣"


def make_signs(name: str, *players: str, has_colour: bool = False) -> CardSigns:
    """Return the signs of a game."""
    game = Registry().find_game(name)
    state = game.deal(min(game.seats), resolve_options(game, min(game.seats)), Random("signs"))
    return CardSigns(game, state.table.layout.deck, players, has_colour=has_colour)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("> 0 Ann      H10 SA D3", "> 0 Ann      ♥10 ♠A ♦3"),
        ("meld C5 C6 C7, discard HK.", "meld ♣5 ♣6 ♣7, discard ♥K."),
        ('< {"do": "discard", "card": "H10"}', '< {"do": "discard", "card": "H10"}'),
        ("SAD D34 xH2 S1 house:search?C=D2", "SAD D34 xH2 S1 house:search?C=D2"),
        ("D2 met D3", "D2 met ♦3"),  # a player has the name of a card
    ],
)
def test_cards_in_a_text(text: str, shown: str) -> None:
    """Cards get signs, and nothing else does; a text stays as wide as it was."""
    assert make_signs("rummy", "D2", "").show(text) == shown
    assert len(shown) == len(text)


def test_red_suits() -> None:
    """In colour hearts and diamonds are red, and what follows has the colour that it had."""
    assert make_signs("hearts", has_colour=True).show("H2 S2 D3") == f"{RED}♥2\x1b[39m ♠2 {RED}♦3\x1b[39m"


def test_games_without_suits() -> None:
    """Cards that have none are left as they are printed."""
    assert make_signs("racko").show("take 26") == "take 26"
    assert make_signs("ragamaru", has_colour=True).show("play R5 K-CUT") == "play R5 K-CUT"


def test_signs_that_are_typed() -> None:
    """A card that is copied from the picture can be typed as it is: its sign is read as the letter."""
    assert read_signs("discard ♥10") == "discard H10"
    assert read_signs("play 10♥, q♦") == "play H10, Dq"


@pytest.mark.once
@first_rows(1)(
    ("env", "has_signs", "has_red"),
    [
        ({"LC_ALL": "C.UTF-8"}, True, True),
        ({"LC_ALL": "C.UTF-8", "NO_COLOR": "1"}, True, False),
        ({"PYTHONIOENCODING": "latin-1"}, False, False),
        ({"TERM": "dumb"}, False, False),
    ],
)
def test_play_in_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, env: dict[str, str], has_signs: bool, has_red: bool
) -> None:
    """A terminal that can shows signs, in colour if that is wanted; a card may be typed as it is shown."""
    monkeypatch.chdir(tmp_path)
    typed = "1\n\nh ♥10\nq\n" if has_signs else "q\n"
    words = ("play", *RUMMY, "--seat", "0", "--store", "x.pitboss")
    shown = run_in_terminal(*words, typed=typed, columns=80, lines=24, status=0, **env)

    assert any(sign in shown for sign in SIGNS) == has_signs
    assert (RED in shown) == has_red
    assert ("No card here is called" in shown) is False


@pytest.mark.once
def test_pipes_have_letters(tmp_path: Path) -> None:
    """Suits in a pipe are letters."""
    said = play_piped("1\n1\nq\n", *RUMMY, "--seat", "0", "--store", "x.pitboss", cwd=tmp_path).out

    assert "discard" in said
    assert not any(sign in said for sign in SIGNS)
