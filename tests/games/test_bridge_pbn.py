"""Bridge as PBN: boards are written, and read again by playing their calls and cards; what is wrong is told by line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from pitboss import Random
from pitboss.errors import RecordError, RefusedGame
from pitboss.game import resolve_options
from pitboss.records.record import BrokenGame, Decision, Record, replay_events, replay_states, require_games, verify
from pitboss_bridge.game import Bridge
from pitboss_bridge.messages import CALLS, BridgeAction
from pitboss_bridge.pbn import list_boards, write_boards
from pitboss_bridge.pbn_deal import find_board, read_deal, read_seed, write_deal, write_seed
from pitboss_bridge.pbn_reading import read_boards
from tests.foreign_files import end_early, play_boards, write_pbn
from tests.mistakes import each_mistake
from tests.tournament.command_line import run_pitboss

GAME = Bridge()


def play_record(seed: str, calls: str, **given: object) -> Record:
    """Return the record of a match in which each deal begins with these calls, and cards are played at random."""
    options = resolve_options(GAME, 4, None, {"deals": 1, **given})
    state, rng, decisions = GAME.deal(4, options, Random(seed)), Random(seed + "/cards"), []
    words: Sequence[str] = ()
    while state.turn is not None:
        words = words or calls.split()
        action: BridgeAction = rng.choice(state.legal()) if state.trick_seats else CALLS[words[0]]
        words = words if state.trick_seats else words[1:]
        decisions.append(Decision(seat=state.turn.seat, action=to_builtins(action)))
        state.play(action)
    players = ["ann", 'b"o"b', "cy", "dora"]
    return Record(
        game=GAME.name,
        game_version=GAME.version,
        options=to_builtins(options),
        seed=seed,
        players=players,
        decisions=decisions,
        outcome=state.outcome(),
    )


PLAYED = play_record("pbn", "1H X 2H pass pass pass", first_board=5)
LINES = [*write_boards(GAME, [(7, PLAYED)])]


@pytest.mark.parametrize("calls", ["1H X 2H pass pass pass", "3NT X XX pass pass pass", "pass pass pass pass"])
@pytest.mark.parametrize("board", [1, 16])
def test_a_board_is_written_and_read_again(calls: str, board: int) -> None:
    """A board that is written and read has the same cards, decisions and points, and replays from its seed."""
    record = play_record("again", calls, first_board=board)

    [found] = require_games(read_boards(GAME, write_boards(GAME, [(0, record)])))

    assert found.decisions == record.decisions
    assert found.outcome == record.outcome
    assert found.players == ["ann", "b'o'b", "cy", "dora"]
    assert verify(found, GAME) == len(record.decisions)


def test_several_tags_on_a_line() -> None:
    """Tags that stand on one line, as the import format of PBN allows, are read as those on lines of their own."""
    end = LINES.index("", 3)
    first = next(at for at, line in enumerate(LINES) if line.startswith("[Event"))
    last = next(at for at, line in enumerate(LINES) if line.startswith("[Score "))
    joined = [*LINES[:first], '[Room "a] [b"]' + " ".join(LINES[first : last + 1]), *LINES[last + 1 : end]]

    assert [*read_boards(GAME, joined)] == [*read_boards(GAME, LINES)]


def test_the_boards_of_a_match() -> None:
    """Each deal is a board, with its number; a score is that of North and South."""
    record = play_record("match", "1C pass pass pass", deals=3, first_board=2)
    boards = [*list_boards(GAME, record, "")]

    assert [board.number for board in boards] == [2, 3, 4]
    assert sum(board.score for board in boards) == record.outcome.points[0]
    assert [len(board.plays) for board in boards] == [52] * 3
    assert len([*require_games(read_boards(GAME, write_boards(GAME, [(0, record)])))]) == 3


def test_what_a_board_of_a_rubber_says() -> None:
    """A board of a rubber says its kind of scoring, and what one side has scored more than the other."""
    record = play_record("rubber", "1NT pass pass pass", scoring="rubber", deals=1)
    lines = [*write_boards(GAME, [(0, record)])]

    points = record.outcome.points
    assert '[Scoring "Rubber"]' in lines
    assert f'[Score "NS {round(points[0] - points[1])}"]' in lines


def test_the_tags() -> None:
    """A board has the tags that PBN requires, in the order of PBN; quotes are left out of names."""
    tags = [line.partition(" ")[0][1:] for line in LINES if line.startswith("[")]

    assert " ".join(tags[:12]) == "Event Site Date Board West North East South Dealer Vulnerable Deal Scoring"
    assert " ".join(tags[12:]) == "Declarer Contract Result Score Auction Play"
    assert "[East \"b'o'b\"]" in LINES
    assert '[Event "Pitboss, game 7"]' in LINES
    assert '[Contract "2H"]' in LINES
    assert '[Vulnerable "NS"]' in LINES


def test_how_other_programs_write() -> None:
    """Boards of other programs are read: comments, notes, repeated values, AP, other words, another first hand."""
    hands = read_deal(next(line for line in LINES if line.startswith('[Deal "'))[7:-2])
    turned = write_deal([*hands[2:], *hands[:2]]).replace("N:", "S:")
    text = "\n".join(LINES)
    text = text.replace(write_deal(hands), turned).replace("1H X 2H Pass", "1H! Dbl =1= 2H {two\nlines} p ; rest")
    text = text.replace("\nPass Pass\n", "\n$3 Pass Pass\n", 1)
    again = f"% a line\n{text}\n" + "\n".join(LINES).replace('[Event "Pitboss, game 7"]', '[Event "#"]')

    found = [*require_games(read_boards(GAME, again.splitlines()))]

    assert [record.decisions for record in found] == [PLAYED.decisions] * 2


def replace_line(begin: str, line: str | None) -> list[str]:
    """Return the lines of the board with another one in place of that which begins so, or without it."""
    assert any(one.startswith(begin) for one in LINES)
    changed = [line if one.startswith(begin) else one for one in LINES]
    return [one for one in changed if one is not None]


def drop_tags(lines: Sequence[str], *names: str) -> list[str]:
    """Return lines without the tags of these names."""
    return [line for line in lines if not line.startswith(tuple(f"[{name} " for name in names))]


PLAY = next(number for number, line in enumerate(LINES) if line.startswith("[Play"))


@each_mistake(__file__, "lines")
def test_a_wrong_line(right: str, wrong: str, said: str) -> None:
    """A board with a wrong line is refused in one sentence, which says what is wrong and in which line."""
    with pytest.raises(RecordError, match=re.escape(said)):
        list(require_games(read_boards(GAME, replace_line(right, wrong))))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (replace_line("[Deal ", None), "line 4: the board that begins here has no tag Deal"),
        ([*LINES[: PLAY + 1], "SX S2 S3 S4", *LINES[PLAY + 2 :]], "'SX' is no card"),
        ([*LINES[: PLAY + 1], LINES[PLAY + 2], *LINES[PLAY + 2 :]], "is not legal there"),
        ([*LINES[: PLAY + 14], "H2 H3 H4 H5"], "'H2' comes after the last trick"),
        (["1H Pass", *LINES], "line 1: '1H Pass' stands below no tag"),
    ],
)
def test_mutilated_boards(lines: list[str], message: str) -> None:
    """A damaged board is refused in one sentence, which says what is wrong and in which line."""
    with pytest.raises(RecordError, match=message.replace("(", r"\(")):
        list(require_games(read_boards(GAME, lines)))


@pytest.mark.parametrize("number", range(0, len(LINES), 4))
def test_a_line_is_missing(number: int) -> None:
    """A board without any one of its lines is read, refused in one sentence, or claimed where cards are missing."""
    try:
        found = [*require_games(read_boards(GAME, LINES[:number] + LINES[number + 1 :]))]
    except RecordError as error:
        assert str(error).startswith("line ")
    else:
        [record] = found
        assert record.outcome == PLAYED.outcome
        claimed = PLAY < number < len(LINES) - 1
        assert (record.decisions == PLAYED.decisions) is not claimed
        assert str(record.decisions[-1].note).startswith("claimed") is claimed


def test_seeds_that_name_a_board() -> None:
    """The seeds of imported games name a board; any other seed names none."""
    assert [find_board(number % 4, word) for number, word in enumerate(["None", "NS", "EW", "All"])] == [1, 2, 3, 4]
    assert all(read_seed(seed) is None for seed in ("pbn", "pbn:5:", "pbn:17:N:...", "pbn:1:N:A.K.Q.J", "one/two"))
    assert read_seed(write_seed(16, [["SA"]] * 4)) is None


def read_one(text: str) -> Record:
    """Return the record of a board."""
    [record] = require_games(read_boards(GAME, text.splitlines()))
    return record


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("cards", [0, 18, 20, 51])
def test_a_claim(cards: int, number: int) -> None:
    """A board whose play ends early is scored by its result and says so; it replays, and is written as it was read."""
    board = play_boards()[number]
    ended = end_early(board, cards)
    text = write_pbn([ended])

    record = read_one(text)
    tricks = ended.claim.tricks if ended.claim else -1

    assert record.outcome.points[0] == board.score
    assert record.decisions[-1].note == f"claimed: {tricks} tricks for the declarer's side"
    assert len(record.decisions) == len(board.calls) + cards
    assert record.seed.endswith(f":claim={tricks}@{cards}")
    assert verify(record, GAME) == len(record.decisions)
    assert write_pbn(list_boards(GAME, record, "Cup")) == text
    assert read_one(write_pbn(list_boards(GAME, record, ""))) == record


def test_what_a_claim_says() -> None:
    """The events of a claimed board tell the tricks, and the render of its end is that of a game that is over."""
    record = read_one(write_pbn([end_early(play_boards()[0], 18)]))
    state: Any
    *_, state = replay_states(record, GAME)

    assert [event for event in replay_events(record, GAME) if event.event == "claim"]
    assert state.turn is None
    assert "\n".join(state.render(None, record.players))


def test_a_claim_of_more_tricks_than_there_are() -> None:
    """A result that the tricks played rule out is refused."""
    text = write_pbn([end_early(play_boards()[0], 20)], tags=["Score"])
    with pytest.raises(RecordError, match=r"line \d+: Result is '13'; after 5 tricks it can be \d to \d"):
        read_one(re.sub(r'\[Result "\d+"', '[Result "13"', text))


def test_a_score_tells_the_tricks() -> None:
    """Without a result the score of the board tells the tricks; a score that no tricks make is refused."""
    board = end_early(play_boards()[0], 20)
    text = write_pbn([board], tags=["Result"])

    assert read_one(text) == read_one(write_pbn([board]))
    with pytest.raises(RecordError, match=r"Score is '7'; no number of tricks makes that of 2H"):
        read_one(re.sub(r"NS -?\d+", "NS 7", text))


def test_opening_passes_that_are_left_out() -> None:
    """Passes before the first bid that a file leaves out are made, as declarer and leader tell how many."""
    text = write_pbn(play_boards()[1:])
    short = text.replace("Pass Pass 1NT Pass", "1NT Pass")

    assert read_one(short) == read_one(text)
    with pytest.raises(RecordError, match="Play begins with 'N'; W makes the opening lead"):
        read_one(short.replace('[Play "E"]', '[Play "N"]'))


def test_an_auction_without_a_result() -> None:
    """A board with neither play nor result is a record that is broken off at the end of the auction."""
    record = read_one(
        write_pbn([end_early(play_boards()[0], 0)], lambda line: line != "*", ["Play", "Result", "Score"])
    )

    assert record.broken == BrokenGame(why="the file tells neither the rest of the play nor the result")
    assert verify(record, GAME) == len(play_boards()[0].calls)


def test_refusals_stand_between_the_boards() -> None:
    """A board that is refused is told at its place, and the boards behind it are read."""
    text = write_pbn(play_boards()).replace("1H X 2H", "1H X 1D")

    wrong, right = read_boards(GAME, text.splitlines())

    assert isinstance(wrong, RefusedGame)
    assert str(wrong) == "line 18: '1D' by S is not legal there"
    assert isinstance(right, Record)


@pytest.mark.long
@pytest.mark.once
def test_by_the_command_line(tmp_path: Path) -> None:
    """A tournament is exported and imported, move by move; a card that is not legal is refused with its line."""
    store, text = tmp_path / "t.pitboss", tmp_path / "t.pbn"
    bots = ["house:bridge", "house:first", "house:random", "house:bridge"]
    words = ("--preset", "single", "--deals", "1", "--seed", "s", "--sandbox", "none", "--store", str(store))
    assert run_pitboss("match", "bridge", *bots, *words).status == 0
    assert run_pitboss("export", str(store), "--what", "pbn", "--output", str(text)).status == 0

    ran = run_pitboss("import", str(text), "--what", "pbn", "--output", str(tmp_path / "again.pitboss"))
    assert ran.status == 0, ran.err
    assert run_pitboss("replay", str(tmp_path / "again.pitboss"), "--check").status == 0

    text.write_text(text.read_text().replace("[Dealer ", "[Dealer of "))
    ran = run_pitboss("import", str(text), "--what", "pbn")
    assert ran.status == 1
    assert "is no tag" in ran.err
