"""How well ratings fit: what was played beside what they predict."""

from __future__ import annotations

from itertools import product
from math import comb
from random import Random
from typing import Literal

import pytest
from msgspec.structs import replace

from pitboss_tournament.results.fit_text import fit_text, misfits_text
from pitboss_tournament.statistics.rating_fit import RatingFit, compute_tail
from tests.synthetic_tournaments import SyntheticTournament, game_result
from tests.tournament.statistics.sample_results import ranked_results, rate_results

NAMES = ["rock", "scissors", "paper"]


@pytest.mark.parametrize("told", ["all", "winner", "loser"])
def test_bots_that_differ_by_strength_only(told: Literal["all", "winner", "loser"]) -> None:
    """The results equal the predictions within the error where bots differ by strength only, and no two
    bots stand out.
    """
    world = SyntheticTournament(strengths=(0.8, 0.1, -0.2, -0.7), seats=4, card_share=0.5, told=told)
    fit = rate_results(world.games(300, Random(1)), world.names).fit

    assert fit is not None
    assert fit.played == pytest.approx(fit.predicted, abs=0.02)
    assert fit.misfits == ()
    assert misfits_text(fit, world.names) is None


def test_bots_that_beat_each_other_in_a_circle() -> None:
    """Ratings are equal and say nothing: each pair stands out, the one ahead first."""
    games = []
    for one, deal in product(range(3), range(60)):
        result = [float(deal % 10 > 0), 0.5]
        games.append(game_result(one, deal, 0, (one, (one + 1) % 3), result))
        games.append(game_result(one, deal, 1, ((one + 1) % 3, one), result[::-1]))
    fit = rate_results(games, NAMES).fit

    assert fit is not None
    assert len(fit.misfits) == 3
    for misfit in fit.misfits:
        assert sorted([misfit.played, 1 - misfit.played]) == pytest.approx([0.1, 0.9])
        assert misfit.predicted == pytest.approx(0.5, abs=0.01)
    assert "look at them in pairs" in (misfits_text(fit, NAMES) or "")


def test_games_of_a_block_that_are_copies() -> None:
    """Each block counts as one game: 8 of 10 blocks in a circle may be chance, as 16 of 20 games would not be."""
    games = []
    for one, deal in product(range(3), range(10)):
        result = [float(deal > 1), 0.5]
        games.append(game_result(one, deal, 0, (one, (one + 1) % 3), result))
        games.append(game_result(one, deal, 1, ((one + 1) % 3, one), result[::-1]))
    as_blocks = rate_results(games, NAMES).fit
    as_games = rate_results([replace(game, deal=game.deal * 2 + game.rotation) for game in games], NAMES).fit

    assert as_blocks and as_games
    assert [0, 3] == [len(fit.misfits) for fit in (as_blocks, as_games)]


@pytest.mark.parametrize("deals", [1, 2, 5])
def test_few_deals_of_a_large_field(deals: int) -> None:
    """A surprise is no misfit where one of so many pairs may well have one: each deal suits a bot or does not."""
    strengths = tuple(0.6 * (5.5 - number) for number in range(12))
    world = SyntheticTournament(strengths=strengths, seats=2, affinity=0.95)
    fits = [rate_results(world.games(66 * deals, Random(f"few/{n}")), world.names).fit for n in range(4)]

    assert [fit and fit.misfits for fit in fits] == [()] * 4


def test_blocks_of_which_most_games_tie() -> None:
    """A block counts as much as it has games that do not tie: twenty with one such game each are ten of two."""
    games = []
    for one, deal in product(range(3), range(20)):
        entrants = (one, (one + 1) % 3)[:: 1 if deal % 2 else -1]
        result = [float((entrant == one) == (deal > 2)) for entrant in entrants]
        games.append(game_result(one, deal, 0, entrants, result))
        games.append(game_result(one, deal, 1, entrants[::-1], [0.0, 0.0]))
    with_ties = rate_results(games, NAMES).fit
    without = rate_results(games[::2], NAMES).fit

    assert with_ties and without
    assert [0, 3] == [len(fit.misfits) for fit in (with_ties, without)]


@pytest.mark.parametrize(("won", "games", "chance"), [(0, 1, 0.95), (9, 10, 0.5), (3, 20, 0.4), (20, 20, 0.9)])
def test_tail(won: int, games: int, chance: float) -> None:
    """The tail is the sum of the chances of results that are farther off, and half the chance of the result itself, on
    either side.
    """
    shares = [comb(games, n) * chance**n * (1 - chance) ** (games - n) for n in range(games + 1)]
    farther = shares[:won] if won < games * chance else shares[won + 1 :]

    assert compute_tail(won / games, chance, games) == pytest.approx(sum(farther) + shares[won] / 2, rel=1e-9)
    assert compute_tail(1 - won / games, 1 - chance, games) == pytest.approx(compute_tail(won / games, chance, games))


def test_tail_of_parts_of_games() -> None:
    """The tail of a part of a game lies between those of whole games."""
    one, between, other = (compute_tail(won / 7.5, 0.5, 7.5) for won in (6, 6.5, 7))

    assert one > between > other > 0


def test_two_bots() -> None:
    """The fit of two bots has nothing to compare with: one number says all of them."""
    assert rate_results(ranked_results([(1, 2)] * 9 + [(2, 1)], (0, 1)), NAMES[:2]).fit is None
    assert fit_text(None) is misfits_text(None, NAMES) is None


def test_ties_only() -> None:
    """The fit of ties only predicts nothing that could have been played."""
    assert rate_results(ranked_results([(1, 1, 1)] * 9, (0, 1, 2)), NAMES).fit is None


def test_words() -> None:
    """The words of a fit have shares in whole per cent."""
    fit = RatingFit(1234, 0.7049, 0.711, ())

    assert fit_text(fit) == (
        "Fit of the ratings: the bot rated higher was placed ahead 70 % of the time, predicted 71 % "
        "(1,234 pairs of places, ties aside)."
    )
