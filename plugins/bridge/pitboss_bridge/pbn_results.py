"""Duplicate results as PBN: the boards of all tables, each with its IMPs, and with each deal a table of its results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from pitboss import AnyGame
from pitboss.errors import ConfigError
from pitboss.records.record import Record
from pitboss_bridge.pbn import HEAD, PlayedBoard, clean_text, list_boards, list_tags, write_board
from pitboss_bridge.scoring import count_imps

COLUMNS: Final = (
    r"PairId_NS\4R;PairId_EW\4R;Contract\5L;Declarer\1R;Result\2R;Score_NS\6R;IMP_NS\6R;Percentage_NS\5R;"
    r"Names_NS\20L;Names_EW\20L"
)


def write_results(game: AnyGame, games: Iterable[tuple[int, Record]]) -> Iterator[str]:
    """Yield the lines of a PBN file with all boards of some games, those of one deal one after the other.

    A board has ScoreIMP beside Score: the mean of its IMPs against each other result of its deal, 0 if there is none.
    The first board of a deal has a ScoreTable with all results. All boards are in memory together.

    Raises:
        ConfigError: they were not played in duplicate.
    """
    by_deal: dict[str, list[PlayedBoard]] = {}
    pairs: dict[str, int] = {}
    for game_id, record in games:
        if record.options["scoring"] != "duplicate":
            raise ConfigError("pbn-results compares boards of duplicate; these games have another scoring")
        for board in list_boards(game, record, f"Pitboss, game {game_id}"):
            tags = list_tags(board)
            by_deal.setdefault(f"{tags['Deal']} {tags['Dealer']} {board.vulnerable}", []).append(board)
            for side in range(2):
                pairs.setdefault(name_pair(board, side), len(pairs) + 1)
    yield from HEAD
    for boards in by_deal.values():
        scores = Counter(board.score for board in boards)
        for number, board in enumerate(boards):
            yield from write_board(board, {"ScoreIMP": f"NS {average_imps(board.score, scores):.2f}"})
            if number == 0:
                yield f'[ScoreTable "{COLUMNS}"]'
                yield from (_write_row(one, scores, pairs) for one in boards)
            yield ""


def name_pair(board: PlayedBoard, side: int) -> str:
    """Return the two names of a side, 0 for North and South, in an order that does not depend on their seats."""
    return "-".join(sorted(clean_text(board.players[seat]).replace(" ", "_") for seat in (side, side + 2)))


def average_imps(score: int, scores: Mapping[int, int]) -> float:
    """Return the mean of the IMPs of a score against the others of its deal; `scores` counts all, with this one."""
    others = sum(scores.values()) - 1
    return sum(count_imps(score - other) * count for other, count in scores.items()) / others if others else 0.0


def average_share(score: int, scores: Mapping[int, int]) -> float:
    """Return the percentage of the other scores that a score beats, ties half; 50 if there is no other."""
    others = sum(scores.values()) - 1
    beaten = sum((score > other) * count for other, count in scores.items()) + (scores[score] - 1) / 2
    return 100 * beaten / others if others else 50.0


def _write_row(board: PlayedBoard, scores: Mapping[int, int], pairs: Mapping[str, int]) -> str:
    """Return the row of a board in the table of its deal."""
    tags = list_tags(board)
    north, east = name_pair(board, 0), name_pair(board, 1)
    result = "-" if tags["Result"] == "" else tags["Result"]
    return (
        f"{pairs[north]:>4} {pairs[east]:>4} {tags['Contract']:<5} {tags['Declarer'] or '-'} {result:>2} "
        f"{board.score:>6} {average_imps(board.score, scores):>6.2f} {average_share(board.score, scores):>5.1f} "
        f"{north:<20} {east}"
    )
