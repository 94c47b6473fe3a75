"""Luck of the bots' own draws in poker: with the true value nothing but the deal is left; in Leduc variance falls."""

from __future__ import annotations

from random import Random as Dice
from typing import Final

import msgspec
import pytest

from pitboss import Random
from pitboss.game import AnyState
from pitboss.plugins.registry import Registry
from pitboss.records.luck import estimate_luck
from pitboss.records.luck_features import DICE, SeatFeatures, Values
from pitboss.records.record import Decision, Record
from pitboss_poker.equilibrium import describe_information, describe_rounds, load_strategy
from pitboss_tournament.statistics.blocks import Block
from pitboss_tournament.statistics.control_variate import LuckRemoval
from tests.synthetic_tournaments import game_result

POKER: Final = Registry().find_game("poker")


def find_chances(state: AnyState, cards: str, bot: str) -> list[float]:
    """Return the policy of a bot by legal action: "equilibrium", or "random"."""
    assert state.turn is not None
    if bot == "random":
        return [1 / len(state.legal())] * len(state.legal())
    view = msgspec.to_builtins(state.view(state.turn.seat))
    key = describe_information(view["cards"], view["board"], describe_rounds(view["history"]))
    return list(load_strategy(cards)[key])


def play_game(cards: str, bots: tuple[str, str], seed: str, hands: int, dice: Dice) -> Record:
    """Return a game of bots that state their policies."""
    options = POKER.presets[cards].resolve(2)
    options = msgspec.structs.replace(options, hands=hands)
    state, decisions = POKER.deal(2, options, Random(seed)), []
    while state.turn is not None:
        seat, legal = state.turn.seat, state.legal()
        chances = find_chances(state, cards, bots[seat])
        action = dice.choices(legal, chances)[0]
        policy = [(msgspec.to_builtins(one), chance) for one, chance in zip(legal, chances, strict=True) if chance]
        decisions.append(Decision(seat=seat, action=msgspec.to_builtins(action), policy=policy))
        state.play(action)
    return Record(
        game="poker",
        game_version=POKER.version,
        options=msgspec.to_builtins(options),
        seed=seed,
        players=list(bots),
        decisions=decisions,
        outcome=state.outcome(),
    )


def find_true_value(state: AnyState) -> Values:
    """Return the mean of the results of a game of Kuhn between two bots that play the equilibrium."""
    if state.turn is None:
        return state.outcome().signed_points()
    value = [0.0, 0.0]
    for action, chance in zip(state.legal(), find_chances(state, "kuhn", "equilibrium"), strict=True):
        after = state.copy()
        after.play(action)
        value = [mean + chance * own for mean, own in zip(value, find_true_value(after), strict=True)]
    return value


@pytest.mark.parametrize("seed", range(6))
def test_kuhn_with_its_true_value(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The result less the luck of both bots' draws is the value of the deal, to the last digit."""
    monkeypatch.setattr("pitboss.records.policy_corrections.evaluate_position", find_true_value)
    record = play_game("kuhn", ("equilibrium", "equilibrium"), f"{seed}", 1, Dice(seed))

    luck = estimate_luck(record, POKER)

    dealt = POKER.deal(2, POKER.Options(**record.options), Random(record.seed))
    less = [own - of_seat[DICE] for own, of_seat in zip(record.outcome.points, luck, strict=True)]
    assert less == pytest.approx(find_true_value(dealt))


def play_deal(number: int, bots: tuple[str, str], dice: Dice) -> tuple[Block, dict[int, SeatFeatures]]:
    """Return the results of a deal of Leduc in both orders, and the luck in them."""
    games, luck = [], {}
    for rotation in range(2):
        order = bots if rotation == 0 else bots[::-1]
        record = play_game("leduc", order, f"deal {number}", 20, dice)
        game_id = 2 * number + rotation
        luck[game_id] = estimate_luck(record, POKER)
        seats = (0, 1) if rotation == 0 else (1, 0)
        result = game_result(0, number, rotation, seats, list(record.outcome.points))
        games.append(msgspec.structs.replace(result, game_id=game_id))
    return games, luck


def forget_dice(luck: dict[int, SeatFeatures]) -> dict[int, SeatFeatures]:
    """Return luck without that of the bots' own draws."""
    return {
        game: [[0.0 if at == DICE else one for at, one in enumerate(of_seat)] for of_seat in seats]
        for game, seats in luck.items()
    }


@pytest.mark.long
def test_leduc_with_policies() -> None:
    """Sixty deals of the equilibrium against random play: the dice hold more of the variance than the cards."""
    dice, blocks = Dice(1), list[Block]()
    luck: dict[int, SeatFeatures] = {}
    for number in range(60):
        block, of_block = play_deal(number, ("equilibrium", "random"), dice)
        blocks.append(block)
        luck.update(of_block)

    saved = {}
    for name, known in (("cards", forget_dice(luck)), ("both", luck)):
        removal = LuckRemoval(known)
        for block in blocks:
            removal.add(block)
        saved[name] = removal.estimate_reduction("points").ratio or 0.0

    assert saved["both"] > 1.4 * saved["cards"] > 1.4
