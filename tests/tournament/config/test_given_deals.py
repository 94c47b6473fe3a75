"""Deals that a file gives: each table plays them, in their order, and a resume plays those of its store or none."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from pitboss import Random, StackedRandom
from pitboss.errors import ConfigError
from pitboss.foreign_input import LARGEST_INPUT
from pitboss.game import resolve_options
from pitboss.parts.betting.named_cards import read_seed as read_cards_seed
from pitboss.parts.betting.phh_reading import read_hand_histories
from pitboss.plugins.registry import Registry
from pitboss.records.record import Record, require_games
from pitboss.table.stacked_seed import write_stacked_seed
from pitboss_bridge.game import Bridge
from pitboss_bridge.pbn_deal import find_board, read_seed, write_deal
from pitboss_racko.game import Racko
from pitboss_tournament.config.given_deals import find_deal_writer, list_deal_formats, read_given_deals
from pitboss_tournament.store.store import Store
from tests.foreign_files import list_foreign_files, play_boards, write_lin, write_pbn
from tests.mistakes import each_mistake
from tests.tournament.command_line import run_pitboss
from tests.tournament.parsed_page import ParsedPage

REGISTRY = Registry()
HANDS = "AKQJT98765432..."
NOTED = ("--deals", "2", "--seed", "s", "--store", "x.pitboss", "-o", "max_rounds=1", "-s", "sandbox=none")
LIN_HANDS = "SAKQJT98765432,HAKQJT98765432,DAKQJT98765432,"
TURNED = ".AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
HAND = """variant = "NT"
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [10000, 10000]
actions = ["d dh p1 AcKd", "d dh p2 QhQs", "p2 cc", "p1 cc", "d db 2s3s4s"]
"""


def read_seeds(path: Path, name: str, seats: int, preset: str | None = None, **given: object) -> tuple[str, ...]:
    """Return the seeds of the deals in a file."""
    game = REGISTRY.find_game(name)
    return read_given_deals(path, game, seats, resolve_options(game, seats, preset, given))[0].seeds


def read_text_records(path: Path) -> list[Record]:
    """Return the games of a file of PHH."""
    with path.open() as lines:
        return [*require_games(read_hand_histories(REGISTRY.find_game("poker"), lines))]


def write_boards_file(path: Path, count: int) -> list[list[list[str]]]:
    """Write boards without auctions, whose dealers and vulnerabilities are not those of their numbers; return hands."""
    game, found = Bridge(), []
    options = resolve_options(game, 4, "single")
    lines = []
    for number in range(count):
        state = game.deal(4, options, Random(f"boards/{number}"))
        hands = [state.faces(hand) for hand in state.hands]
        found.append([sorted(hand) for hand in hands])
        dealer, vulnerable = "NESW"[(number + 1) % 4], ("All", "EW", "NS", "None")[number // 4 % 4]
        lines += [
            *(f'[Board "{number + 1}"]', f'[Dealer "{dealer}"]', f'[Vulnerable "{vulnerable}"]'),
            *(f'[Deal "{write_deal(hands)}"]', ""),
        ]
    path.write_text("\n".join(lines))
    return found


def test_a_board_without_an_auction(tmp_path: Path) -> None:
    """A given board has the hands, the dealer and the vulnerability of its file; its number tells what is missing."""
    path = tmp_path / "boards.pbn"
    path.write_text(
        f'[Board "2"]\n[Dealer "S"]\n[Vulnerable "Both"]\n[Deal "E:{HANDS} {TURNED}"]\n\n'
        f'[Board "23"]\n[Deal "N:{HANDS} {TURNED}"]\n'
    )

    first, second = map(read_seed, read_seeds(path, "bridge", 4, "single"))

    assert first is not None
    assert second is not None
    assert (first.number, second.number) == (find_board(2, "All"), 7)
    assert {card[0] for card in first.hands[1]} == {"S"}
    assert {card[0] for card in second.hands[0]} == {"S"}


def test_boards_of_bridge_base_online(tmp_path: Path) -> None:
    """LIN gives the same deals as PBN, with dealer and vulnerability; those of the other room are the same ones."""
    [match] = [file.data for file in list_foreign_files() if file.name == "match.lin"]
    (tmp_path / "match.lin").write_bytes(match)
    boards = play_boards()
    (tmp_path / "boards.lin").write_text("".join(map(write_lin, boards)))
    (tmp_path / "boards.pbn").write_text(write_pbn(boards))
    (tmp_path / "dealt.lin").write_text(f"qx|o18|md|0{LIN_HANDS}|pg||qx|o3|md|2{LIN_HANDS}|sv|b|pg||")

    dealt = [*map(read_seed, read_seeds(tmp_path / "dealt.lin", "bridge", 4, "single"))]

    assert read_seeds(tmp_path / "boards.lin", "bridge", 4, "single") == read_seeds(
        tmp_path / "boards.pbn", "bridge", 4, "single"
    )
    assert len(read_seeds(tmp_path / "match.lin", "bridge", 4, "single")) == 1
    assert [board.number for board in dealt if board] == [2, find_board(3, "All")]
    assert {card[0] for board in dealt if board for card in board.hands[2]} == {"S"}


@pytest.mark.parametrize(("seats", "betting"), [(2, "no-limit"), (6, "limit")])
def test_hands_that_are_written(tmp_path: Path, seats: int, betting: str) -> None:
    """Hands that are written as PHH for others are read again with the same cards, those of the board too."""
    game, path = REGISTRY.find_game("poker"), tmp_path / "hands.phhs"
    options = resolve_options(game, seats, None, {"betting": betting, "hands": 1})
    states: list[Any] = [game.deal(seats, options, Random(f"hands/{number}")) for number in range(3)]
    dealt = [[state.faces(hand) for hand in state.hands] for state in states]

    path.write_text("\n".join(find_deal_writer(game, path)(states)))

    seeds = read_seeds(path, "poker", seats, betting=betting, hands=1)
    for seed, state, hands in zip(seeds, states, dealt, strict=True):
        cards = read_cards_seed(seed)
        assert cards is not None
        assert [[*hand] for hand in cards.hands] == hands
        assert [*cards.board] == state.faces(state.board)
        again: Any = game.deal(seats, options, Random(seed))
        assert [again.faces(hand) for hand in again.hands] == hands
    assert len(read_text_records(path)) == 3


def test_a_hand_that_ended_early(tmp_path: Path) -> None:
    """A given hand has the cards that its file tells; the rest of its board is drawn, the same at each reading."""
    path = tmp_path / "hands.phh"
    path.write_text(HAND)

    [seed] = read_seeds(path, "poker", 2, hands=1)

    cards = read_cards_seed(seed)
    assert cards is not None
    assert cards.hands == [["CA", "DK"], ["HQ", "SQ"]]
    assert cards.board[:3] == ["S2", "S3", "S4"]
    assert len({*cards.board, *cards.hands[0], *cards.hands[1]}) == 9
    assert read_seeds(path, "poker", 2, hands=1) == (seed,)


@pytest.mark.parametrize("name", sorted(REGISTRY.games))
def test_deals_of_each_game_as_json(tmp_path: Path, name: str) -> None:
    """Deals of each game that are written as JSON are read again with the same cards in the same places."""
    game = REGISTRY.find_game(name)
    seats = min(game.seats)
    options = resolve_options(game, seats)
    states = [game.deal(seats, options, Random(f"{name}/{number}")) for number in range(2)]
    path = tmp_path / "deals.json"
    path.write_text("\n".join(find_deal_writer(game, path)(states)))

    seeds = read_seeds(path, name, seats)

    for state, seed in zip(states, seeds, strict=True):
        again = game.deal(seats, options, Random(seed))
        for zone in state.table.layout.zones:
            order = sorted if zone.hides_places else list
            assert order(again.table.faces(zone)) == order(state.table.faces(zone)), zone.name
        assert again.turn is not None


@pytest.mark.once
def test_games_in_notation(tmp_path: Path) -> None:
    """The deals of games in notation are theirs; games of other options are refused."""
    run_pitboss("match", "racko", "house:racko", "house:random", *NOTED, cwd=tmp_path)
    run_pitboss("export", "x.pitboss", "--what", "notation", "--output", "games.txt", cwd=tmp_path)

    assert read_seeds(tmp_path / "games.txt", "racko", 2, max_rounds=1) == tuple(
        dict.fromkeys(re.findall(r'seed "([^"]+)"', (tmp_path / "games.txt").read_text()))
    )
    with pytest.raises(ConfigError, match="other options"):
        read_seeds(tmp_path / "games.txt", "racko", 2)


NOTED_GAME = """[game "{game}"]
[game_version "2"]
[options {options}]
[seed "{seed}"]
[players {players}]
[outcome {{"points":[],"places":[],"sides":[]}}]
"""


def write_noted_game(path: Path, name: str, seats: int, seed: str, preset: str | None = None, **given: object) -> None:
    """Write the tags of a game with this seed."""
    options = resolve_options(REGISTRY.find_game(name), seats, preset, given)
    players = [f"p{seat}" for seat in range(seats)]
    path.write_text(
        NOTED_GAME.format(game=name, options=json.dumps(to_builtins(options)), seed=seed, players=json.dumps(players))
    )


def test_a_claim_is_no_part_of_a_deal(tmp_path: Path) -> None:
    """A board whose play was claimed elsewhere is played to its end by those who are given its deal."""
    path, seed = tmp_path / "games.txt", f"pbn:7:N:{HANDS} {TURNED}"
    write_noted_game(path, "bridge", 4, f"{seed}:claim=13@4", "single")

    assert read_seeds(path, "bridge", 4, "single") == (seed,)


def test_a_board_that_a_game_in_notation_does_not_tell(tmp_path: Path) -> None:
    """Cards of the board that an imported hand did not come to are drawn, the same ones at each reading."""
    path = tmp_path / "games.txt"
    write_noted_game(path, "poker", 2, "cards:AcKd,QhQs:2s3s4s????", hands=1)

    [seed] = read_seeds(path, "poker", 2, hands=1)

    assert seed.startswith("cards:AcKd,QhQs:2s3s4s")
    assert "?" not in seed
    assert read_seeds(path, "poker", 2, hands=1) == (seed,)


def test_hidden_cards_are_dealt_to_nobody(tmp_path: Path) -> None:
    """A hand in notation of which the cards of a player are not told is refused."""
    path = tmp_path / "games.txt"
    write_noted_game(path, "poker", 2, "cards:????,QhQs:2s3s4s5s6s", hands=1)

    with pytest.raises(ConfigError, match="game 0: the cards of p1 are not told"):
        read_seeds(path, "poker", 2, hands=1)


def test_the_deal_of_another_game(tmp_path: Path) -> None:
    """A game in notation of another game, or with other players, is refused: the error has both."""
    path = tmp_path / "games.txt"
    write_noted_game(path, "poker", 2, "seed", hands=1)

    with pytest.raises(
        ConfigError, match="is of poker, version 2, with 2 players; it must be of poker, version 2, with 3"
    ):
        read_seeds(path, "poker", 3, hands=1)


def test_a_file_without_an_end(tmp_path: Path) -> None:
    """A file of deals is read to a bound, and no further."""
    path = tmp_path / "games.txt"
    with path.open("wb") as file:
        file.truncate(LARGEST_INPUT + 1)

    with pytest.raises(ConfigError, match="has more than 67,108,864 bytes"):
        read_seeds(path, "racko", 2)


@each_mistake(__file__)
def test_files_of_deals_that_are_refused(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    """A file that is no file of deals of the game is refused in a sentence that says where."""
    name, path = right.split("/")[0], tmp_path / right.split("/")[1]
    path.write_text(wrong)
    preset = "single" if name == "bridge" else None
    options: dict[str, Any] = {"hands": 1} if name == "poker" else {}

    with pytest.raises(ConfigError) as error:
        read_seeds(path, name, 4 if name == "bridge" else 2, preset, **options)

    assert said in str(error.value)


@pytest.mark.parametrize(
    ("name", "preset", "ending"),
    [
        ("bridge", "standard", "pbn"),
        ("bridge", "rubber", "pbn"),
        ("bridge", "standard", "lin"),
        ("poker", None, "phh"),
    ],
)
def test_options_that_do_not_take_given_deals(tmp_path: Path, name: str, preset: str | None, ending: str) -> None:
    """Boards and hands are given to games of one deal, whose options do not say who deals."""
    path = tmp_path / f"deals.{ending}"
    path.write_text("")

    with pytest.raises(ConfigError, match="one a game"):
        read_seeds(path, name, 4, preset)


def test_a_seed_that_does_not_fit_its_game() -> None:
    """A game whose seed names shuffles of other cards is dealt by the text of the seed, and later streams by it too."""
    game = REGISTRY.find_game("racko")
    options = resolve_options(game, 2)
    for seed in ("stack:x:1,2,3;9:7", "stack:x:١,٢:", f"stack:x:{'9' * 5_000}:{'9' * 5_000}"):
        state = game.deal(2, options, Random(seed))
        assert len({card for cards in state.table.zones for card in cards}) == 40
        assert state.copy().legal()


def test_the_stack_ends_with_the_deal() -> None:
    """The shuffles and lots of a seed are those of the deal alone; what is left of them is forgotten."""
    game = Racko()
    options = resolve_options(game, 2)
    dealt = game.deal(2, options, Random("some"))
    chance = dealt.table.chance_events or []
    more = [one for one in chance if not isinstance(one, int)]

    again = game.deal(2, options, Random(write_stacked_seed("x", [*chance, *more, 1])))

    assert again.table.zones == dealt.table.zones
    assert isinstance(again.rng, StackedRandom)
    assert (again.rng.orders, again.rng.lots) == ([], [])


def test_the_formats_of_deals() -> None:
    """Each game reads deals as JSON and as notation, bridge also PBN and LIN, and poker PHH."""
    endings = {name: {*list_deal_formats(REGISTRY.find_game(name))} for name in ("racko", "bridge", "poker")}

    assert endings == {
        "racko": {"json", "txt"},
        "bridge": {"json", "txt", "pbn", "lin"},
        "poker": {"json", "txt", "phh", "phhs"},
    }


TOURNAMENT = """
game = "bridge"
preset = "single"
deals = "boards.pbn"
seed = "pairs"
sandbox = "none"
workers = 2
score = "imps"
format = { name = "round-robin", tables = 3 }
bots = ["house:bridge", "house:bridge", "house:first", "house:first", "house:random", "house:random"]
"""


@pytest.mark.once
@pytest.mark.long
def test_six_bots_on_the_boards_of_a_file(tmp_path: Path) -> None:
    """A tournament of six bots gives the boards of a file to all tables, in all orders; so does a run that resumes it.

    A resume with other boards is refused in a sentence, and so is one whose deals are drawn.
    """
    hands = write_boards_file(tmp_path / "boards.pbn", 16)
    file = tmp_path / "pairs.toml"
    file.write_text(TOURNAMENT)

    broken = run_pitboss("run", "pairs.toml", "--games", "101", "--summary", cwd=tmp_path)
    with closing(Store(tmp_path / "pairs.pitboss")) as store:
        assert store.count_games() == 101
    (tmp_path / "moved").mkdir()
    (tmp_path / "boards.pbn").rename(tmp_path / "moved" / "same.pbn")
    file.write_text(TOURNAMENT.replace("boards.pbn", "moved/same.pbn"))
    resumed = run_pitboss("run", "pairs.toml", "--summary", cwd=tmp_path)

    assert (broken.status, resumed.status) == (0, 0), resumed.err
    played = defaultdict[int, set[str]](set)
    games = defaultdict[tuple[int, int], int](int)
    with closing(Store(tmp_path / "pairs.pitboss")) as store:
        given = store.header.given_deals
        assert given is not None
        assert given.file == "same.pbn"
        for result, (_, record) in zip(store.results(), store.records(), strict=True):
            played[result.deal].add(record.seed)
            games[result.pairing, result.deal] += 1
    assert [*map(len, played.values())] == [1] * 16
    assert {*games.values()} == {4}
    assert len({pairing for pairing, _ in games}) * 16 == len(games)
    for deal, [seed] in played.items():
        board = read_seed(seed)
        assert board is not None
        assert [sorted(hand) for hand in board.hands] == hands[deal]
        assert (board.number - 1) % 4 == (deal + 1) % 4
    assert run_pitboss("integrity", "pairs.pitboss", cwd=tmp_path).status == 0
    results = run_pitboss("export", "pairs.pitboss", "--what", "pbn-results", cwd=tmp_path).out
    assert (results.count("[ScoreTable "), results.count("[ScoreIMP ")) == (16, sum(games.values()))

    assert run_pitboss("report", "pairs.pitboss", "--output", "x.html", cwd=tmp_path).status == 0
    page = ParsedPage((tmp_path / "x.html").read_text(encoding="utf-8"))
    heads, *rows, total = page.rows["travellers-table"]
    assert page.errors == []
    assert [row[0] for row in rows] == [f"{deal}" for deal in range(1, 17)]
    means = [float(cell.replace("−", "-")) for cell in total[1:]]
    assert means == sorted(means, reverse=True)
    assert any("house:bridge" in name for name in heads[1:])
    for column, mean in enumerate(means, 1):
        played_deals = [float(row[column].replace("−", "-")) for row in rows]
        assert sum(played_deals) / 16 == pytest.approx(mean, abs=0.11)

    write_boards_file(tmp_path / "moved" / "same.pbn", 15)
    other = run_pitboss("run", "pairs.toml", cwd=tmp_path)
    file.write_text(TOURNAMENT.replace('"boards.pbn"', "16"))
    drawn = run_pitboss("run", "pairs.toml", cwd=tmp_path)
    assert (other.status, drawn.status) == (2, 2)
    assert 'deals: was "16 of same.pbn (SHA-256 ' in other.err
    assert ', is "15 of same.pbn (SHA-256 ' in other.err
    assert 'is "drawn by the seed"' in drawn.err


@pytest.mark.once
def test_deals_that_are_written_are_played(tmp_path: Path) -> None:
    """`pitboss simulate` writes deals, and `pitboss match` plays them at its tables; a second one is left out."""
    written = run_pitboss("simulate", "racko", "-n", "2", "--write-deals", "deals.json", cwd=tmp_path)
    deals = json.loads((tmp_path / "deals.json").read_text())
    (tmp_path / "deals.json").write_text(json.dumps([*deals, deals[0]]))
    words = ("match", "racko", "house:racko", "house:random", "-o", "max_rounds=1", "-s", "sandbox=none")
    given = ("--deals-from", "deals.json", "--store", "x.pitboss")

    played = run_pitboss(*words, *given, cwd=tmp_path)
    other = run_pitboss(*words, "--deals", "3", "--store", "x.pitboss", cwd=tmp_path)
    again = run_pitboss("simulate", "racko", "--write-deals", "deals.json", cwd=tmp_path)

    assert (written.status, played.status) == (0, 0), played.err
    assert "left out 1 deal with the cards of an earlier one" in played.err
    with closing(Store(tmp_path / "x.pitboss")) as store:
        assert store.count_games() == 4
        assert all(record.seed.startswith("stack:") for _, record in store.records())
    assert 'deals: was "2 of deals.json' in other.err
    assert "exists already" in again.err
    assert (other.status, again.status) == (2, 2)
