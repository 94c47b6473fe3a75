"""Omaha, short deck and stud: hand histories (PHH) that are written and read again, and what they cannot hold."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from pitboss import AnyGame, ConfigError, Random
from pitboss.action_range import draw_action
from pitboss.game import resolve_options
from pitboss.parts.betting.phh_reading import read_hand_histories
from pitboss.parts.betting.phh_writing import write_hand_histories
from pitboss.records.record import Decision, Record
from pitboss_poker.game import FiveCardDraw, Poker, SevenCardStud

TABLES = [
    (Poker(), "omaha", 3),
    (Poker(), "omaha-hi-lo", 4),
    (Poker(), "short-deck", 2),
    (SevenCardStud(), "limit", 3),
    (SevenCardStud(), "hi-lo", 5),
]


def play_hand(game: AnyGame, preset: str, seats: int, number: int) -> Record:
    """Return the record of a game of one hand, played at random with few folds."""
    options = resolve_options(game, seats, preset, {"hands": 1})
    seed = f"{game.name}/{preset}/{seats}/{number}"
    state, rng, decisions = game.deal(seats, options, Random(seed)), Random(f"actions/{seed}"), []
    while state.turn is not None:
        legal = [entry for entry in state.legal() if type(entry).__name__ != "Fold" or not rng.randbelow(6)]
        action = draw_action(rng.choice(legal), rng.randbelow)
        decisions.append(Decision(seat=state.turn.seat, action=to_builtins(action)))
        state.play(action)
    return Record(
        game=game.name,
        game_version=game.version,
        options=to_builtins(options),
        seed=seed,
        players=[f"p{seat}" for seat in range(1, seats + 1)],
        decisions=decisions,
        outcome=state.outcome(),
    )


@pytest.mark.parametrize(("game", "preset", "seats"), TABLES, ids=lambda value: getattr(value, "name", str(value)))
def test_a_hand_history_is_read_again(game: Any, preset: str, seats: int) -> None:  # noqa: ANN401 - any game
    """A hand that is written as PHH is read as the same hand: options, decisions and chips."""
    for number in range(8):
        written = play_hand(game, preset, seats, number)
        (read,) = read_hand_histories(game, write_hand_histories(game, [(0, written)]))

        assert isinstance(read, Record), read
        assert read.decisions == written.decisions
        assert read.outcome == written.outcome
        assert game.Options(**read.options).resolve(seats) == game.Options(**written.options)


@pytest.mark.parametrize(
    ("game", "preset", "options", "said"),
    [
        (
            Poker(),
            "pot-limit",
            {},
            "PHH has holdem with betting 'no-limit' and 'limit'; this is played with 'pot-limit'",
        ),
        (Poker(), "omaha", {"betting": "no-limit"}, "PHH has omaha with betting 'pot-limit'"),
        (Poker(), "kuhn", {}, "PHH has no notation for kuhn"),
        (FiveCardDraw(), "limit", {}, "PHH has no notation for draw"),
    ],
)
def test_a_kind_without_a_notation(game: Any, preset: str, options: dict[str, object], said: str) -> None:  # noqa: ANN401
    """A kind of poker that the format does not know is refused in one line."""
    record = play_hand(game, preset, 2, 0)
    record = replace(record, options={**record.options, **options})
    with pytest.raises(ConfigError, match=said):
        list(write_hand_histories(game, [(0, record)]))


def test_a_hand_of_stud_with_hidden_cards() -> None:
    """A hand of stud whose hidden cards nobody has told cannot be dealt again, and is refused with the reason."""
    game = SevenCardStud()
    lines = list(write_hand_histories(game, [(0, play_hand(game, "limit", 2, 0))]))
    text = "\n".join(lines)
    start = text.index("d dh p1 ") + len("d dh p1 ")
    (refused,) = read_hand_histories(game, (text[:start] + "????" + text[start + 4 :]).splitlines())

    assert "p1 gets 3 cards on third; all must be told" in str(refused)
