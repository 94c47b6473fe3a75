"""The page of the queue: what is being played and why, and what waits for the validator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from pitboss.text import format_count
from pitboss_tournament.html.elements import Content, el
from pitboss_tournament.league.ladder_view import LadderLine, LadderView, MetPair
from pitboss_tournament.league.site.bot_cells import link_line
from pitboss_tournament.league.site.ladder_drawings import join_content
from pitboss_tournament.league.site.page_frame import Viewer, data_table, link_version, show_state, show_time
from pitboss_tournament.league.submission import Submission
from pitboss_tournament.plan.plan import name_version
from pitboss_tournament.running.watch_protocol import ListedTable

NEIGHBOURS: Final = 3  # places that two are apart at most


def queue_content(
    view: LadderView, tables: Sequence[ListedTable], waiting: Sequence[Submission], viewer: Viewer
) -> Iterator[Content]:
    """Yield the content of the page; `waiting` is in the order in which submissions are validated."""
    yield el("h1", "Queue")
    yield el("h2", "In play")
    if tables:
        named = {name_version(line.submission.bot, line.submission.version): line for line in view.lines}
        rows = [
            (
                f"table {table.table}",
                join_content([_link_player(name, named) for name in table.players]),
                explain_table([named[name] for name in table.players if name in named], view.pairs),
            )
            for table in tables
        ]
        yield data_table("Tables in play.", ("Table", "Who plays", "Why"), rows, words=(0, 1, 2))
    else:
        yield el("div", el("p", "No game is being played now."), class_="empty")
    yield el(
        "p",
        "The cards of games in play are shown to nobody. A newcomer plays first with bots all over the ladder, then "
        "with its neighbours; neighbours meet until a difference is proven; and one table in eight brings together "
        "those who have not met for longest.",
        class_="soft",
    )
    yield el("h2", "For the validator")
    if not waiting:
        yield el("div", el("p", "No submission waits."), class_="empty")
        return
    own = [(number, one) for number, one in enumerate(waiting, 1) if viewer.may_see(one.owner)]
    yield el("p", f"{format_count(len(waiting), 'submission')} wait. One is validated at a time, owners by turns.")
    if own:
        cells = [
            (f"{number}", link_version(one.number, one.label), show_state(one.state), show_time(one.received))
            for number, one in own
        ]
        caption = "All of them." if viewer.is_host else "Yours, with their places in the queue."
        yield data_table(caption, ("#", "Submission", "State", "Received"), cells, words=(1, 2))


def explain_table(players: Sequence[LadderLine], pairs: Sequence[MetPair]) -> str:
    """Return why these play together, as far as the ladder shows."""
    newcomers = [line.label for line in players if line.is_newcomer]
    if newcomers:
        return f"{', '.join(newcomers)} finds its place" if len(newcomers) == 1 else "newcomers find their places"
    ordered = sorted((line for line in players if line.place is not None), key=lambda line: line.place or 0)
    met = {frozenset((pair.one, pair.other)): pair for pair in pairs}
    for one, other in pairwise(ordered):
        pair = met.get(frozenset((one.number, other.number)))
        is_open = pair is None or pair.verdict == "open"
        if is_open and (other.place or 0) - (one.place or 0) <= NEIGHBOURS:
            return f"neighbours: it is not proven which is ahead, {one.label} or {other.label}"
    return "a reunion: they have not met for long"


def _link_player(name: str, named: Mapping[str, LadderLine]) -> Content:
    line = named.get(name)
    return el("span", name) if line is None else link_line(line)
