"""Rendering of a Lucky Maker table for people: the trick, how the last one was decided, scores and hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pitboss import PublicCount, PublicCounts
from pitboss.rendering.table_text import NAME_WIDTH, player_heading, render_beside, render_zone
from pitboss.text import truncate_text
from pitboss_lucky_maker.deck import CATEGORIES
from pitboss_lucky_maker.state import LuckyMakerStateBase

CARD_COLUMN: Final = 26  # where cards begin, in a series 6 columns later
WIDTH: Final = 60
EXCEPTION_WORDS: Final = {
    1: "even counts",
    2: "master higher",
    3: "nobody followed",
    4: "tie at the top",
}  # 2.2: the exceptions


def render_table(state: LuckyMakerStateBase, seat: int | None, names: Sequence[str]) -> Iterator[str]:
    """Yield what `seat` may know of the table; None sees every card."""
    table, board = state.table, state.board
    is_series = state.options.games > 1
    counts = ", ".join(f"{count.name} {count.value}" for count in count_scores(state).table)
    leader = truncate_text(names[state.lead], NAME_WIDTH)
    yield f"  {counts}, led by {state.lead} {leader}"
    yield from _last_trick(state)
    yield f"  masters  {render_zone(table, board.masters, seat, WIDTH - 11)[0]}"
    yield f"  master   {' '.join(map(str, table.faces(board.master)))}".rstrip()
    played = board.played_cards(state.lead, table.zones[board.trick])
    yield f"  trick    {', '.join(f'{owner} {card}' for owner, card in played)}".rstrip()
    yield f"{'':{NAME_WIDTH + 4}}{'score':>6}" + f"{' total' if is_series else ''}"
    for owner in range(board.seats):
        yield from _player(state, seat, owner, names[owner])


def count_scores(state: LuckyMakerStateBase) -> PublicCounts:
    """Return the numbers of the game and the trick; of each seat its score, that of the series, and who leads."""
    board, games = state.board, state.options.games
    number = board.tricks - len(state.table.zones[board.masters])
    table = [PublicCount("trick", f"{number} of {board.tricks}", "part")]
    if games > 1:
        table.insert(0, PublicCount("game", f"{state.game_no} of {games}", "part"))
    return PublicCounts(table, [_count_seat(state, seat) for seat in range(board.seats)])


def _count_seat(state: LuckyMakerStateBase, seat: int) -> list[PublicCount]:
    counts = [PublicCount("score", state.scores[seat])]
    if state.options.games > 1:
        counts.append(PublicCount("total", state.series_totals()[seat]))
    return [*counts, PublicCount("leads")] if seat == state.lead else counts


def _last_trick(state: LuckyMakerStateBase) -> Iterator[str]:
    if state.past_tricks:
        trick = state.board.trick_message(state.past_tricks[-1])
        why = ", ".join(
            [f"{trick.follow} decided"] * (trick.follow is not None) + [EXCEPTION_WORDS[rule] for rule in trick.rules]
        )
        won = "nobody won" if trick.winner is None else f"{trick.winner} won {trick.points}"
        yield f"  last     {trick.master}: {', '.join(f'{owner} {card}' for owner, card in trick.cards)}"
        yield f"           {won}: {why}"


def _player(state: LuckyMakerStateBase, seat: int | None, owner: int, name: str) -> Iterator[str]:
    is_on_turn = state.turn is not None and state.turn.seat == owner
    total = f"{state.totals[owner] + state.scores[owner]:>6}" if state.options.games > 1 else ""
    head, column = f"{player_heading(is_on_turn, owner, name)}{state.scores[owner]:>6}{total}", CARD_COLUMN + len(total)
    lines = render_zone(state.table, state.board.hands[owner], seat, WIDTH - column)
    if (category := state.voids[owner]) is not None:
        lines.append(f"holds no {' and no '.join(CATEGORIES[category])}")
    return render_beside(head, lines, column)
