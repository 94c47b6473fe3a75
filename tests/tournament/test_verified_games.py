"""Which bots may speak against a machine, and when it is condemned: a function of the games that were played again."""

from __future__ import annotations

import pytest

from pitboss_tournament.playing.verified_games import (
    CONDEMNING_GAMES,
    SHOWN_GAMES,
    BotDiffers,
    MachineDiffers,
    VerifiedGames,
)


def add_differences(verified: VerifiedGames, machine: str, bot: str, games: int = CONDEMNING_GAMES) -> None:
    """Add games in which a bot answered otherwise on a machine than each time here."""
    for number in range(games):
        verified.add_difference(BotDiffers(bot, MachineDiffers(machine, number, "decision 2 is another one")))


def add_alike(verified: VerifiedGames, machine: str, bot: str, games: int = SHOWN_GAMES) -> None:
    """Add games of a bot that came out alike on a machine and here."""
    for _ in range(games):
        verified.add_alike(machine, [bot])


def list_condemned(verified: VerifiedGames) -> list[str]:
    """Return the machines that are condemned."""
    return [found.machine for found in verified.find_condemned()]


def test_a_repeatable_bot_speaks_against_a_machine() -> None:
    """Its games came out alike elsewhere, and otherwise there in several."""
    verified = VerifiedGames()
    add_alike(verified, "honest", "ann")
    add_differences(verified, "liar", "ann")

    assert list_condemned(verified) == ["liar"]
    assert verified.is_suspect("liar") and not verified.is_suspect("honest")
    assert list(verified.describe_doubts()) == []


@pytest.mark.parametrize(("alike", "differing"), [(SHOWN_GAMES - 1, CONDEMNING_GAMES), (100, CONDEMNING_GAMES - 1)])
def test_too_few_games(alike: int, differing: int) -> None:
    """A bot that was not shown to be repeatable condemns nobody, nor do a few games of any; the doubt is told."""
    verified = VerifiedGames()
    add_alike(verified, "honest", "ann", alike)
    add_differences(verified, "other", "ann", differing)

    assert list_condemned(verified) == []
    [doubt] = verified.describe_doubts()
    assert doubt.startswith("on other ann answered otherwise than here, in games such as 0, 1")


def test_a_bot_that_is_found_to_draw_lots() -> None:
    """What it has shown counts no more, of any machine: earlier verdicts are taken back, those of other bots stay."""
    verified = VerifiedGames()
    for bot in ("coin", "ann"):
        add_alike(verified, "honest", bot)
    add_differences(verified, "second", "coin")
    add_differences(verified, "third", "ann")
    assert list_condemned(verified) == ["second", "third"]

    verified.add_unsteady("coin")
    assert list_condemned(verified) == ["third"]
    assert verified.find_verdict("second") is None
    assert not verified.is_suspect("second")


def test_a_bot_that_answers_otherwise_on_most_machines() -> None:
    """It computes otherwise there, and no machine lies."""
    verified = VerifiedGames()
    add_alike(verified, "first", "torch")
    for machine in ("second", "third", "fourth"):
        add_differences(verified, machine, "torch")

    assert list_condemned(verified) == []


def test_a_game_against_the_rules() -> None:
    """It is a proof by itself: no bot is concerned."""
    verified = VerifiedGames()
    verified.add_proof(MachineDiffers("liar", 7, "its record is against the rules"))

    assert list_condemned(verified) == ["liar"]
    assert verified.find_verdict("honest") is None
