"""What is hidden from the player on turn, as the table knows it, in games that are played at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from pitboss.game import AnyState
from pitboss.simulation.game_setup import GameSetup
from pitboss.simulation.random_play import choose_from_words, play_decisions
from pitboss_tournament.statistics.running_moments import RunningMoments

MAX_STUDIED_DECISIONS = 2_000  # of one game that are looked at


class HiddenInformation(Struct, frozen=True, kw_only=True):
    """What the player on turn does not know at a decision: means over decisions."""

    deck: Annotated[int, Meta(description="Cards of the deck.")]
    known_to_others: Annotated[
        float, Meta(description="Cards that another player knows, and the one on turn does not.")
    ]
    known_to_nobody: Annotated[float, Meta(description="Cards that no player knows: a stock, say.")]
    secrets_of_others: Annotated[
        float, Meta(description="Dice, bids and other secrets that another player knows, and the one on turn does not.")
    ]


def measure_hidden(setup: GameSetup, seeds: Sequence[str]) -> HiddenInformation:
    """Return what is hidden in random games with these seeds, each game counting as much as it has decisions."""
    known_to_others, known_to_nobody, secrets = RunningMoments(), RunningMoments(), RunningMoments()
    for seed in seeds:
        state = setup.deal(f"{seed}/deal")
        state.table.stop_logging()
        for turn, _ in play_decisions(state, choose_from_words(seed), MAX_STUDIED_DECISIONS):
            others, nobody = count_unknown_cards(state, turn.seat)
            known_to_others.add(others)
            known_to_nobody.add(nobody)
            secrets.add(count_unknown_secrets(state, turn.seat))
    return HiddenInformation(
        deck=len(state.table.layout.deck),
        known_to_others=known_to_others.mean,
        known_to_nobody=known_to_nobody.mean,
        secrets_of_others=secrets.mean,
    )


def count_unknown_cards(state: AnyState, seat: int) -> tuple[int, int]:
    """Return the numbers of cards that a seat does not know: those that another player knows, and the rest."""
    table = state.table
    players = (1 << table.layout.seats) - 1  # without the spectator
    unknown = [mask & players for mask in table.known_by if not mask >> seat & 1]
    others = sum(mask != 0 for mask in unknown)
    return others, len(unknown) - others


def count_unknown_secrets(state: AnyState, seat: int) -> int:
    """Return the number of secret values that another player knows, and a seat does not."""
    players = (1 << state.table.layout.seats) - 1
    return sum(
        len(held.values) for held in state.table.secrets if held.known_by & players and not held.known_by >> seat & 1
    )
