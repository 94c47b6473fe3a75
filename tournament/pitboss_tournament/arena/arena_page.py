"""The page of an arena: learning curves, places, over-fitting and cost; and the page of several arenas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pitboss import __version__
from pitboss_tournament.arena.feedback import NOT_DISTINGUISHED
from pitboss_tournament.arena.measures import ArenaReport, EntrantReport
from pitboss_tournament.arena.over_games import GamesReport, tell_total_cost
from pitboss_tournament.arena.report_lines import is_overfitted
from pitboss_tournament.html.charts import (
    MAX_COLOURED_LINES,
    Axis,
    Line,
    WhiskerRow,
    draw_legend,
    draw_lines,
    draw_whiskers,
    linear_axis,
)
from pitboss_tournament.html.elements import Content, el
from pitboss_tournament.html.number_format import typeset_interval
from pitboss_tournament.html.page_parts import Section, explain, figure, note, render_document, section, table
from pitboss_tournament.results.verdict import rank_text
from pitboss_tournament.statistics.running_moments import Estimate

MADE = f"Made by Pitboss {__version__}. "


def render_arena_page(found: ArenaReport) -> str:
    """Return the page of an arena, as one file."""
    introduction = el("p", f"{found.game}: {found.rounds} of {found.planned} rounds of editing and play.")
    return render_document(found.title, introduction, list(_list_sections(found)), MADE)


def _list_sections(found: ArenaReport) -> Iterator[Section]:
    if not found.rounds:
        yield section("result", "Result", note("No round is over yet."))
        return
    winner = f"{found.winner} is proven better than each other entrant" if found.winner else NOT_DISTINGUISHED
    yield section(
        "result", "Result", el("p", f"Round {found.rounds}: {winner}."), _draw_places(found), _list_rows(found)
    )
    yield section("curves", "Learning curves", _draw_curves(found), _table_curves(found), _explain_curves(found))
    yield section("overfitting", "Over-fitting", _table_overfitting(found))
    yield section("rounds", "Rounds", *(_table_rounds(entrant, found.measure) for entrant in found.entrants))


def _unit(found: ArenaReport) -> str:
    if found.measure == "points":
        return "points a game"
    return f"rating points above {found.anchor}" if found.anchor else "rating points"


def _draw_places(found: ArenaReport) -> Content:
    lasts = [(one.name, getattr(one.rounds[-1], found.measure)) for one in found.entrants]
    lasts += [(one.name, getattr(one, found.measure)) for one in found.anchors]
    known = [(name, value) for name, value in lasts if value.mean is not None]
    if not known:
        return note("No rating is known yet.")
    rows = [WhiskerRow(name, typeset_interval(value), value) for name, value in known]
    ends = [value.mean + sign * (value.half_width or 0) for _, value in known for sign in (-1, 1)]
    drawn = draw_whiskers("places", f"Round {found.rounds}, in {_unit(found)}", rows, linear_axis([*ends, 0.0]))
    return figure(f"Entrants and anchors in round {found.rounds}, in {_unit(found)}, with intervals of 95 %.", drawn)


def _list_rows(found: ArenaReport) -> Content:
    return table(
        "entrants",
        "Entrants, by their place in the last round",
        ("Entrant", "Rank", found.measure.capitalize(), "Gain", "Over-fitted", "Versions", "Cost"),
        [
            (
                one.name,
                "" if one.rounds[-1].ranks is None else rank_text(one.rounds[-1].ranks),
                _show(getattr(one.rounds[-1], found.measure)),
                _show(one.gain, has_sign=True),
                _show(one.rounds[-1].overfit, has_sign=True),
                str(sum(line.is_new for line in one.rounds)),
                tell_total_cost(one),
            )
            for one in found.entrants
        ],
        (6,),
    )


def _show(value: Estimate, *, has_sign: bool = False) -> str:
    return "" if value.mean is None else typeset_interval(value, has_sign=has_sign)


def _draw_curves(found: ArenaReport) -> Content:
    values = {
        one.name: [
            (float(line.round), value.mean)
            for line in one.rounds
            if (value := getattr(line, found.measure)).mean is not None
        ]
        for one in found.entrants
    }
    heights = [mean for line in values.values() for _, mean in line]
    if not heights:
        return note("No rating is known yet.")
    lines = [
        Line(name, line, number + 1 if number < MAX_COLOURED_LINES else 0)
        for number, (name, line) in enumerate(values.items())
    ]
    last = max(found.rounds, 2)
    step = max(1, last // 8)
    axis = Axis(1, last, tuple((float(number), str(number)) for number in range(1, last + 1, step)))
    drawn = draw_lines("learning", "Rating by round", lines, axis, linear_axis([*heights, 0.0]))
    others = "; the others in grey" if len(lines) > MAX_COLOURED_LINES else ""
    return figure(f"By round, in {_unit(found)}{others}.", el("div", draw_legend(lines), drawn))


def _table_curves(found: ArenaReport) -> Content:
    return table(
        "by-round",
        f"By round, in {_unit(found)}, with intervals of 95 %",
        ("Entrant", *(str(number) for number in range(1, found.rounds + 1))),
        [(one.name, *(_show(getattr(line, found.measure)) for line in one.rounds)) for one in found.entrants],
    )


def _explain_curves(found: ArenaReport) -> Content:
    return explain(
        note(
            "Each round is measured by its own deals, whose seed was drawn after the edit phase. The anchors are the "
            f"same bots in each round{f', and {found.anchor} has the rating 0' if found.anchor else ''}. Gain is the "
            "last round less the first."
        )
    )


def _table_overfitting(found: ArenaReport) -> Content:
    return [
        note(
            "What a version is better by on the practice deals, which its entrant knows and plays in each round, than "
            "on the deals that count. A value is marked where it is proven at 95 % to be above 0."
        ),
        table(
            "overfit",
            f"Practice less judged, by round, in {_unit(found)}",
            ("Entrant", *(str(number) for number in range(1, found.rounds + 1))),
            [
                (
                    one.name,
                    *(
                        f"{_show(line.overfit, has_sign=True)}{' !' if is_overfitted(line) else ''}"
                        for line in one.rounds
                    ),
                )
                for one in found.entrants
            ],
        ),
    ]


def _table_rounds(entrant: EntrantReport, measure: str) -> Content:
    return table(
        f"rounds-{entrant.name}",
        entrant.name,
        ("Round", measure.capitalize(), "Rank", "Version", "Edit", "Cost", "Remarks"),
        [
            (
                str(line.round),
                _show(getattr(line, measure)),
                "" if line.ranks is None else rank_text(line.ranks),
                line.digest[:8] + (" (new)" if line.is_new else ""),
                line.edit,
                f"{line.seconds:,.0f} s"
                + ("" if line.usage is None else _tell_usage(line.usage.tokens, line.usage.dollars)),
                "; ".join(
                    filter(
                        None,
                        [
                            line.refused and f"not played: {line.refused}",
                            f"changed {', '.join(line.tampered)}" if line.tampered else "",
                            f"forfeited {sum(line.faults.values())} games" if line.faults else "",
                        ],
                    )
                ),
            )
            for line in entrant.rounds
        ],
        (3, 4, 5, 6),
    )


def _tell_usage(tokens: int | None, dollars: float | None) -> str:
    said = [f"{tokens:,} tokens"] if tokens is not None else []
    said += [f"${dollars:,.2f}"] if dollars is not None else []
    return "".join(f", {one}" for one in said)


def render_games_page(found: GamesReport, reports: Sequence[ArenaReport]) -> str:
    """Return the page of several arenas: entrants as rows, games as columns."""
    rows = [
        (
            row.name,
            _show(row.mean),
            *(_show(row.games[arena]) if arena in row.games else "" for arena in found.arenas),
            _show(row.gain, has_sign=True),
            str(row.wins),
            tell_total_cost(row),
        )
        for row in found.entrants
    ]
    whole = section(
        "games",
        "Over all games",
        table(
            "over-games",
            "Ratings of the last rounds, above the anchor of each arena; means with intervals over games",
            ("Entrant", "Mean", *found.arenas, "Gain", "Won", "Cost"),
            rows,
            (len(found.arenas) + 4,),
        ),
    )
    parts = [
        section(f"arena-{number}", one.title, _draw_curves(one) if one.rounds else note("No round is over yet."))
        for number, one in enumerate(reports, 1)
    ]
    return render_document("Arenas", el("p", f"{len(reports)} arenas."), [whole, *parts], MADE)
