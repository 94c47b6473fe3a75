"""The checks of games with loadouts: a healthy game passes them, and each of its mutants is caught."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from duel import Duel, DuelOptions, DuelState, DuelView
from pitboss import Random
from pitboss.parts.decks import DeckList
from pitboss.simulation.game_setup import OptionVariant, make_setup
from pitboss.testing.checks.loadouts import loadouts_are_legal, loadouts_leak_nothing
from pitboss.testing.framework.check import Check, CheckFailed, NotApplicable
from pitboss.testing.framework.checked_setup import CheckedSetup
from pitboss_magpie.magpie import Magpie


class TellingState(DuelState):
    """A duel in whose view the deck of the other is told by its number of foxes."""

    def view(self, seat: int) -> DuelView:
        """Return the view, with the foxes of the other as the number of the turn."""
        decks = self.options.loadouts or ()
        foxes = [0 if deck is None else deck.cards.get("fox", 0) for deck in decks]
        return replace(super().view(seat), turn_no=foxes[1 - seat] if seat < len(foxes) else 1)


class TellingDuel(Duel):
    """The game with that view."""

    state = TellingState


class ShuffledTogether(DuelState):
    """A duel in which what a seat draws depends on the deck of the other."""

    def start(self) -> None:
        """Deal by a stream that the decks change."""
        self.rng = Random(f"{self.rng.seed}/{self.options.loadouts!r}")
        super().start()


class TogetherDuel(Duel):
    """The game with that deal."""

    state = ShuffledTogether


class SmallSample(Duel):
    """A duel with a sample deck of one card."""

    @property
    def sample_loadouts(self) -> Mapping[str, DeckList]:
        """Return it."""
        return {"small": DeckList({"fox": 1})}


class NoSample(Duel):
    """A duel without sample decks."""

    @property
    def sample_loadouts(self) -> Mapping[str, DeckList]:
        """Return none."""
        return {}


class LargeDraw(Duel):
    """A duel that draws decks of three copies."""

    def draw_loadout(self, options: DuelOptions, rng: Random) -> DeckList:
        """Return one."""
        return DeckList({"fox": 3, "hare": 7})


def run(check: Check[Any, None], game: Any, **changes: object) -> None:  # noqa: ANN401 - any game
    """Run a check on a game of two."""
    setup = make_setup(game, 2, OptionVariant(None, changes))
    assert setup is not None
    check.function(CheckedSetup(setup, "seed", 1000, is_single_change=False))


@pytest.mark.parametrize("check", [loadouts_are_legal, loadouts_leak_nothing])
def test_a_healthy_game_passes(check: Check[Any, None]) -> None:
    """Ember Duel passes both checks."""
    run(check, Duel())


@pytest.mark.parametrize(
    ("check", "mutant", "said"),
    [
        (loadouts_leak_nothing, TellingDuel, "is shown another deal if the others bring another loadout"),
        (loadouts_leak_nothing, TogetherDuel, "is shown another deal if the others bring another loadout"),
        (loadouts_are_legal, SmallSample, "the sample 'small' is not legal: it has 1 card; it must have 10"),
        (loadouts_are_legal, NoSample, "the game has no sample loadouts"),
        (loadouts_are_legal, LargeDraw, "loadout 0 that the game has drawn is not legal"),
    ],
)
def test_a_broken_game_is_caught(check: Check[Any, None], mutant: type[Duel], said: str) -> None:
    """Each mutant fails the check of what it breaks."""
    with pytest.raises(CheckFailed, match=said):
        run(check, mutant())


def test_games_that_are_not_checked() -> None:
    """Public loadouts may be seen, and a game without loadouts has nothing to check."""
    with pytest.raises(NotApplicable, match="all seats know all loadouts"):
        run(loadouts_leak_nothing, Duel(), sight="public")
    with pytest.raises(NotApplicable, match="takes no loadouts"):
        run(loadouts_are_legal, Magpie())
