"""The section on the rounds of a format that has several: who met whom, and the scores after each round.

A knockout has a bracket: its matches in columns, and lines from each to those that its bots went on to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import inf
from typing import Final, NamedTuple

from pitboss_tournament.formats.knockout import Knockout
from pitboss_tournament.formats.stages import Stages, name_stage_formats
from pitboss_tournament.html.elements import Content, Markup, el
from pitboss_tournament.html.number_format import typeset_number
from pitboss_tournament.html.page_parts import Section, explain, fold, note, section, table
from pitboss_tournament.plan.plan import FormatChoice
from pitboss_tournament.rounds.round_lines import ROUNDS_EXPLAINED, describe_table, format_wins
from pitboss_tournament.rounds.round_replay import RoundTable, list_rounds
from pitboss_tournament.store.store import Store
from pitboss_tournament.text.terminal_text import truncate_cells

COLUMN: Final = 220  # pixels from one round to the next
WIDTH: Final = 170  # of a match
ROW: Final = 22
MATCH_GAP: Final = 16  # between two matches of a column
HEAD: Final = 28
INSET: Final = 7
MAX_CELLS: Final = 17  # of a name beside wins of up to three cells


def rounds_sections(store: Store) -> list[Section]:
    """Return the section, if there are rounds to tell of."""
    tables = list_rounds(store)
    if not tables:
        return []
    met = [
        (f"{one.round}{f', {one.stage}' if one.stage else ''}", describe_table(one), str(one.games)) for one in tables
    ]
    heads = ("Bot", *(f"Round {number}" for number in range(1, tables[-1].round + 1)), "Opponents")
    return [
        section(
            "rounds-section",
            "Rounds",
            *(draw_bracket(some, name) for name, some in _list_knockouts(store.header.format, tables)),
            fold(
                "Who met whom",
                table("rounds-table", "With the wins of each.", ("Round", "Bots", "Games"), met, words=(1,)),
            ),
            fold(
                "Scores after each round",
                table(
                    "scores-table",
                    "In percent; empty where a bot did not play. Last, the mean score of those that it met, by which "
                    "Swiss ranks bots of equal score.",
                    heads,
                    _score_rows(tables),
                ),
            ),
            explain(note(ROUNDS_EXPLAINED)),
        )
    ]


def _list_knockouts(chosen: FormatChoice, tables: Sequence[RoundTable]) -> Iterator[tuple[str, list[RoundTable]]]:
    """Yield the tables of each knockout with what it is called: the whole tournament, or a stage of it."""
    if chosen.name == Knockout.name:
        yield "Bracket", [*tables]
    elif chosen.name == Stages.name:
        for stage, name in name_stage_formats(chosen.options).items():
            if name == Knockout.name and (some := [table for table in tables if table.stage == stage]):
                yield f"Bracket: {stage}", some


def _score_rows(tables: Sequence[RoundTable]) -> list[tuple[str, ...]]:
    """Return a row for each bot: those first who played longest, then by their last score."""
    scores: dict[str, dict[int, str]] = {}
    last: dict[str, tuple[int, float, float]] = {}
    for one in tables:
        for bot in one.bots:
            scores.setdefault(bot.bot, {})[one.round] = typeset_number(100 * bot.score, 0)
            last[bot.bot] = one.round, bot.score, bot.opposition
    in_order = sorted(scores, key=lambda bot: (*(-value for value in last[bot]), bot))
    rounds = range(1, tables[-1].round + 1)
    return [
        (bot, *(scores[bot].get(number, "") for number in rounds), typeset_number(100 * last[bot][2], 0))
        for bot in in_order
    ]


class _Box(NamedTuple):
    """A match in the picture."""

    column: int
    top: float
    match: RoundTable

    @property
    def bottom(self) -> float:
        return self.top + ROW * len(self.match.bots)

    def middle_of(self, bot: str) -> float:
        return self.top + ROW * ([one.bot for one in self.match.bots].index(bot) + 0.5)


def draw_bracket(tables: Sequence[RoundTable], title: str) -> Markup:
    """Draw the matches of a knockout; tie-break deals belong to their match."""
    columns = _list_matches(tables)
    key = f"bracket-{tables[0].round}"
    boxes = _place_boxes(columns)
    picture = el(
        "svg",
        el("title", title, id=f"{key}-title"),
        el("desc", "Who met whom, with the wins of each; behind a plus those of the tie-break.", id=f"{key}-desc"),
        *(
            el("text", _name_round(column, columns), x=number * COLUMN + WIDTH / 2, y=16, class_="tick")
            for number, column in enumerate(columns)
        ),
        *_draw_ways(boxes),
        *(part for box in boxes for part in _draw_box(box, boxes)),
        role="img",
        width=(len(columns) - 1) * COLUMN + WIDTH + 2,
        height=max(box.bottom for box in boxes) + 2,
        aria_labelledby=f"{key}-title {key}-desc",
    )
    return el("div", picture, class_="scroll", role="region", tabindex=0, aria_labelledby=f"{key}-title")


def _list_matches(tables: Sequence[RoundTable]) -> list[list[RoundTable]]:
    """Return the matches by round, from top to bottom: those stand together whose bots meet next."""
    columns = [[*met] for _, met in groupby(tables, key=lambda table: table.round)]
    place: dict[str, float] = {}  # of each bot in the next column in which it plays
    for column in reversed(columns):
        column.sort(key=lambda match: min(place.get(one.bot, inf) for one in match.bots))
        in_order = [one.bot for match in column for one in match.bots]
        place |= {bot: number / len(in_order) for number, bot in enumerate(in_order)}
    return columns


def _name_round(column: Sequence[RoundTable], columns: Sequence[Sequence[RoundTable]]) -> str:
    is_final = column is columns[-1] and len(column) == 1
    return "Final" if is_final else f"Round {column[0].round - columns[0][0].round + 1}"


def _place_boxes(columns: Sequence[Sequence[RoundTable]]) -> list[_Box]:
    """Return the matches where they are drawn: each in the middle of where its bots come from, if there is room."""
    boxes: list[_Box] = []
    from_box: dict[str, _Box] = {}
    for number, column in enumerate(columns):
        free = float(HEAD)
        for match in column:
            bots = [one.bot for one in match.bots]
            origins = [from_box[bot] for bot in bots if bot in from_box]
            middle = sum(box.top + box.bottom for box in origins) / 2 / len(origins) if origins else 0.0
            box = _Box(number, max(free, middle - ROW * len(bots) / 2), match)
            free = box.bottom + MATCH_GAP
            boxes.append(box)
            from_box |= dict.fromkeys(bots, box)
    return boxes


def _draw_box(box: _Box, boxes: Sequence[_Box]) -> Iterator[Content]:
    left, bots = box.column * COLUMN + 1, box.match.bots
    yield el("rect", x=left, y=box.top, width=WIDTH, height=box.bottom - box.top, class_="table")
    on = {one.bot for later in boxes if later.column > box.column for one in later.match.bots} or {bots[0].bot}
    for one in bots:
        y = box.middle_of(one.bot) + 5
        wins = format_wins(one.wins - one.tie_break_wins)
        if box.match.tie_break_games:
            wins = f"{wins} + {format_wins(one.tie_break_wins)}"
        name = truncate_cells(one.bot, MAX_CELLS + 3 - len(wins))
        kind = {"class_": "label"} if one.bot in on else {}
        yield el("text", el("title", one.bot), name, x=left + INSET, y=y, **kind)
        yield el("text", wins, x=left + WIDTH - INSET, y=y, class_="said")


def _draw_ways(boxes: Sequence[_Box]) -> Iterator[Content]:
    """Yield the lines from each bot to the next match that it plays."""
    last: dict[str, _Box] = {}
    for box in boxes:
        for bot in (one.bot for one in box.match.bots):
            if (origin := last.get(bot)) is not None:
                right, left = origin.column * COLUMN + WIDTH + 1, box.column * COLUMN + 1
                bend, start, end = left - (COLUMN - WIDTH) / 2, origin.middle_of(bot), box.middle_of(bot)
                yield el("path", d=f"M{right} {start:g}H{bend:g}V{end:g}H{left}", class_="way")
            last[bot] = box
