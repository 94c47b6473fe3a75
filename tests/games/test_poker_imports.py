"""Hands of poker from elsewhere: PHH and logs of the ACPC's dealer are played again, action by action."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import pytest
from msgspec import to_builtins

from pitboss import Random
from pitboss.action_range import draw_action
from pitboss.errors import RecordError, RefusedGame
from pitboss.game import resolve_options
from pitboss.parts.betting.named_cards import NamedCards, read_seed, write_seed
from pitboss.parts.betting.phh_reading import read_hand_histories
from pitboss.parts.betting.phh_writing import write_hand_histories
from pitboss.records.record import Decision, Record, dumps, loads, replay_events, replay_states, require_games, verify
from pitboss.table.events import Reveal
from pitboss_poker.acpc_log import read_dealer_log
from pitboss_poker.game import Poker
from tests.foreign_files import HIDDEN_HAND, NO_LIMIT_LINE, SENT_LINES, SPLIT_HAND, SPLIT_LINE, write_cents
from tests.mistakes import each_mistake

POKER = Poker()
SHARES = {"Fold": 1, "Check": 4, "Call": 6, "Bet": 3, "Raise": 2}
SPLIT = SPLIT_HAND.splitlines(keepends=True)
LIMIT = "STATE:7:rc/crc/cc/cc:QsQd|8h7h/Kc9d2s/4c/3d:20|-20:Ann|Bob"  # 20 before the flop, 10 on it: wrong
NO_LIMIT = NO_LIMIT_LINE
THREE = "STATE:9:r300fr20000c////:Ts9s|QsQd|8h7h/Kc9d2s/4c/3d:-50|20050|-20000:Ann|Bob|Cy"


def play_randomly(seats: int, given: dict[str, object], seed: str) -> Record:
    """Return the record of a random game of Hold'em."""
    options = resolve_options(POKER, seats, None, given)
    state, rng, decisions = POKER.deal(seats, options, Random(seed)), Random(f"actions/{seed}"), []
    while state.turn is not None:
        weighted = [entry for entry in state.legal() for _ in range(SHARES[type(entry).__name__.removesuffix("Range")])]
        action = draw_action(rng.choice(weighted), rng.randbelow)
        decisions.append(Decision(seat=state.turn.seat, action=to_builtins(action)))
        state.play(action)
    names = [f"bot {seat}" for seat in range(seats)]
    record = Record(
        game=POKER.name,
        game_version=POKER.version,
        options=to_builtins(options),
        seed=seed,
        players=names,
        decisions=decisions,
        outcome=state.outcome(),
    )
    return loads(dumps(record))


@pytest.mark.parametrize(
    ("seats", "given"),
    [
        (2, {}),
        (6, {"ante": 25}),
        (4, {"betting": "limit"}),
        (5, {"straddles": [200, 500], "ante": 100, "ante_from": "big-blind"}),
        (3, {"seat_stacks": [150, 4000, 900], "ante": 30, "ante_from": "big-blind"}),
    ],
)
def test_hands_come_back_as_they_were_written(seats: int, given: dict[str, object]) -> None:
    """A hand that is written and read has the same actions and final chips; unseen cards may differ."""
    played = [play_randomly(seats, {"hands": 1, **given}, f"phh/{seats}/{number}") for number in range(40)]

    text = [f"{line}\n" for line in write_hand_histories(POKER, enumerate(played))]
    read = list(require_games(read_hand_histories(POKER, text)))

    assert len(read) == len(played)
    for before, after in zip(played, read, strict=True):
        verify(loads(dumps(after)), POKER)
        assert [(one.seat, one.action) for one in after.decisions] == [
            (one.seat, one.action) for one in before.decisions
        ]
        assert after.outcome == before.outcome
        assert loads(dumps(after)).options == before.options
    assert list(write_hand_histories(POKER, enumerate(read)))[1:6] == [line.rstrip("\n") for line in text[1:6]]


def test_chips_that_were_split() -> None:
    """A half goes to the winner left of the button; the note of the last decision tells it."""
    [record] = require_games(read_hand_histories(POKER, SPLIT))

    assert record.players == ["Ann", "Bob", "Cy"]
    assert record.outcome.points == (-1.0, 1.0, 0.0)
    assert record.decisions[-1].note == "odd chips (P3): in the source p2 +0.5 and here +1, p3 +0.5 and here +0"
    assert record.seed == "cards:????,AsKd,AdKs:QhJdTc2c3c"


def test_cards_that_are_told_when_they_are_shown() -> None:
    """Cards that a history names only at the showdown stay open in the seed of the deal."""
    text = "".join(SPLIT).replace("'d dh p2 AsKd'", "'d dh p2 ????'")

    [record] = require_games(read_hand_histories(POKER, [text]))

    assert record.seed == "cards:????,AsKd,AdKs:QhJdTc2c3c"


@each_mistake(__file__)
def test_mutilated_hands(right: str, wrong: str, said: str) -> None:
    """A damaged hand is refused in one sentence, which names the hand, the mistake and what is allowed."""
    text = "".join(SPLIT)
    assert right in text

    with pytest.raises(RecordError, match=re.escape(said)):
        list(require_games(read_hand_histories(POKER, [text.replace(right, wrong, 1)])))


def test_the_line_of_a_hand_in_a_file_of_several() -> None:
    """An error in a file of several hands names the section of the hand and the line of the file."""
    lines = ["[1]\n", *SPLIT, "\n", "[two]\n", *[line.replace("'p1 f'", "'p1 cbr 1'") for line in SPLIT]]

    with pytest.raises(RecordError, match=r"^line 13: hand two: 'p1 cbr 1' is not legal there"):
        list(require_games(read_hand_histories(POKER, lines)))


def test_dealer_logs() -> None:
    """Raises with numbers are to all chips of the hand, at the stakes without limit; others are of fixed size."""
    lines = [
        "# name/game/hands/seed …\n",
        f"{NO_LIMIT}\n",
        f"{THREE}\n",
        LIMIT.replace("20|-20", "30|-30"),
        "SCORE:1|2\n",
    ]

    two, three, limit = require_games(read_dealer_log(POKER, lines))

    assert [to_builtins(one.action) for one in two.decisions[:4]] == [
        {"do": "raise", "to": 300},
        {"do": "call"},
        {"do": "check"},
        {"do": "bet", "to": 600},
    ]
    assert two.outcome.points == (900.0, -900.0)
    assert three.outcome.points == (-50.0, 20050.0, -20000.0)
    assert three.players == ["Ann", "Bob", "Cy"]
    assert (limit.options["betting"], limit.outcome.points) == ("limit", (30.0, -30.0))
    for record in (two, three, limit):
        verify(loads(dumps(record)), POKER)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (LIMIT, "line 1: other chips are won than by these rules: p1 +20 and here +30, p2 -20 and here -30"),
        (NO_LIMIT.replace("r900", "r350"), "line 1: 'r350' is not legal there; a bet or raise is 100 to 19700"),
        (NO_LIMIT.replace("r900", f"r{'9' * 5_000}"), "line 1: a whole number may be -9223372036854775807 to 9"),
        (NO_LIMIT.replace("r900", "r"), "line 1: 'r300c/crc/cc/cc' has raises with and without a number"),
        (NO_LIMIT.replace("cc/cc", "cc"), "line 1: the hand ends with seat 1 on turn, river"),
        (NO_LIMIT.replace("r900", "b900"), "is no betting; use f, c, r with or without a number, and /"),
        (NO_LIMIT.replace("8h7h", "8h7h|2d2h"), "are not the hands of 2 players"),
        (NO_LIMIT.replace("900|-900:", "900:"), "line 1: '900' are not the chips that 2 players won"),
        ("MATCHSTATE:0:30:c:", "line 1: 'MATCHSTATE:0:30:c:' is no hand; one is STATE:number:betting:cards:chips won"),
    ],
)
def test_mutilated_logs(line: str, said: str) -> None:
    """A damaged log is refused in one sentence, which names the hand, the mistake and what is allowed."""
    with pytest.raises(RecordError, match=re.escape(said)):
        list(require_games(read_dealer_log(POKER, [line])))


def read_hand(text: str) -> Record:
    """Return the record of a hand of PHH, as it is read from a file of records."""
    [record] = require_games(read_hand_histories(POKER, text.splitlines(keepends=True)))
    verify(record, POKER)
    return loads(dumps(record))


@pytest.mark.parametrize(("unit", "part"), [("0.01", "0.01"), ("0.005", "0.001"), ("0.5", "0.1"), ("2", "")])
def test_chips_with_decimals(unit: str, part: str) -> None:
    """Chips are counted in the largest power of ten that makes all of them whole, and the note tells it."""
    record, whole = read_hand(write_cents(unit)), read_hand(write_cents("1"))
    scale = float(unit) / float(part or "1")

    assert record.outcome.points[0] == scale * whole.outcome.points[0]
    assert sum(record.outcome.points) == 0
    assert record.options["big_blind"] == 2 * scale
    assert record.decisions[-1].note == (f"a chip is {part} of the source" if part else None)


def test_cards_that_nobody_tells() -> None:
    """Cards that a file hides are "??" in each view and event, and lose at the showdown without being seen."""
    record = read_hand(HIDDEN_HAND)
    text = [line for line in write_hand_histories(POKER, [(0, record)]) if line.startswith("actions")]
    state: Any
    for state in replay_states(record, POKER):
        assert state.view(0).cards == ["??", "??"]
        assert state.view(1).cards == ["DJ", "CK"]
        assert (state.describe_unknown(0), state.describe_unknown(1)) == ("the cards of seat 0", "")

    assert record.seed == "cards:????,JdKc:3cQhKdKh2s"
    assert record.outcome.points == (-18075.0, 18075.0)
    assert "d dh p1 ????" in text[0]
    assert "p1 sm" in text[0]
    assert [event.cards for event in replay_events(record, POKER) if isinstance(event, Reveal)] == [["DJ", "CK"]]


def test_what_was_paid_out() -> None:
    """The winners must be those of the file; what they got less, as by a rake, is told in the note."""
    assert (
        read_hand(HIDDEN_HAND).decisions[-1].note == "a chip is 0.01 of the source; the source pays p2 35950 of 36150"
    )
    with pytest.raises(RecordError, match="line 1: the winner is p1; by these rules it is p2"):
        read_hand(HIDDEN_HAND.replace("[0, 359.50]", "[359.50, 0]"))


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("sm JdKc", "sm ????", "line 1: a pot is for p1, p2 alone, whose cards are not told"),
        ("'d db 2s'", "'d db ??'", "line 1: the board has 4 cards, and 5 were dealt"),
        ("20.25", "20.1234567", "line 1: a number of chips has 7 decimals; 6 are read"),
        ("1851.58", "1e300", "is a list of numbers of chips, by player"),
    ],
)
def test_hidden_hands_that_are_wrong(right: str, wrong: str, said: str) -> None:
    """A hand of which too little is told is refused in one sentence."""
    with pytest.raises(RecordError, match=re.escape(said)):
        read_hand(HIDDEN_HAND.replace(right, wrong))


def test_a_wrong_hand_among_others() -> None:
    """A hand that is no TOML is refused with its lines in the file, and the hands around it are read."""
    hands = [f"[{number}]\n{SPLIT_HAND}" for number in range(1, 4)]
    hands[1] = hands[1].replace("[0, 0, 0]", "[0, 0")

    first, wrong, last = read_hand_histories(POKER, "".join(hands).splitlines(keepends=True))

    assert isinstance(first, Record)
    assert isinstance(last, Record)
    assert isinstance(wrong, RefusedGame)
    assert wrong.line == 12
    assert re.match(r"hand 2: this is no PHH, which is TOML: .*at line 16", wrong.why)


def test_a_pot_without_limit_that_is_split() -> None:
    """A hand whose raises have numbers is without limit, and so is one in which somebody lost its small blind."""
    unraised = SPLIT_LINE.replace("r13277fc/cc/cc/r19070c", "cfc/cc/cc/cc")

    for record in require_games(read_dealer_log(POKER, [SPLIT_LINE, unraised])):
        assert (record.options["betting"], record.options["big_blind"]) == ("no-limit", 100)
        assert record.outcome.points == (-50.0, 25.0, 25.0)


def test_the_messages_of_a_dealer() -> None:
    """A log of messages is read hand by hand; a hand without a raise is refused, as nothing tells its stakes."""
    folded, called, blinds = read_dealer_log(POKER, SENT_LINES.splitlines())

    assert isinstance(folded, Record)
    assert isinstance(called, Record)
    assert (folded.seed, folded.outcome.points) == ("cards:5d5c,9hQd:??????????", (-100.0, 100.0))
    assert (called.players, called.outcome.points) == (["program 2", "program 1"], (-300.0, 300.0))
    assert str(blinds) == "line 12: hand 2: nobody raised, so that nothing tells whether bets have a limit"


def test_seeds_that_name_no_cards() -> None:
    """A seed that names no valid cards is a seed like any other; cards that are written are read again."""
    assert read_seed("cards:As:Xx") is None
    assert read_seed("friday") is None
    named = NamedCards([["SA", "H10"], [None, None]], ["C2", None])
    assert read_seed(write_seed(named)) == named


HandReader: TypeAlias = Callable[[Poker, Iterable[str]], Iterable[Record | RefusedGame]]

READERS: list[tuple[HandReader, str]] = [
    (read_hand_histories, "".join(SPLIT)),
    (read_dealer_log, NO_LIMIT),
]


@pytest.mark.parametrize(("read", "text"), READERS)
def test_any_damage_is_a_sentence(
    read: Callable[[Poker, Iterable[str]], Iterable[Record | RefusedGame]], text: str
) -> None:
    """A hand with lines cut out or doubled is read, or refused in one sentence."""
    rng = Random("damage")
    for _ in range(300):
        at, length = rng.randbelow(len(text)), 1 + rng.randbelow(8)
        damaged = (
            text[:at] + text[at + length :] if rng.randbelow(2) else text[:at] + text[at : at + length] + text[at:]
        )
        try:
            list(require_games(read(POKER, damaged.splitlines(keepends=True))))
        except RecordError as wrong:
            assert len(str(wrong)) > 10
