"""The table of several games as a page that needs no other file, and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from pitboss import __version__
from pitboss.text import format_count, join_words
from pitboss_tournament.html.charts import WhiskerRow, draw_whiskers, linear_axis
from pitboss_tournament.html.elements import Content, Markup, el, make_cell
from pitboss_tournament.html.number_format import DASH, format_duration, typeset, typeset_interval, typeset_number
from pitboss_tournament.html.page_parts import Section, explain, figure, note, render_document, section, table
from pitboss_tournament.reporting.games_table import (
    OWN_BOT,
    GamesTable,
    StoreRecords,
    TabledEntrant,
    TabledGame,
    TabledResult,
)
from pitboss_tournament.reporting.interval_rows import decimal_places, interval_axis
from pitboss_tournament.reporting.markdown import escape_markdown, join_table
from pitboss_tournament.results.numbers import format_interval, hide_wide
from pitboss_tournament.results.verdict import rank_text
from pitboss_tournament.statistics.running_moments import Estimate

NOT_PLAYED: Final = "not played"
OVER_GAMES: Final = (
    "A place is a range, such as 2–4, of those that the games of the column leave possible: by the verdict of these "
    "games, from duplicate deals, for all bots of the field together. Below it stands the rating with the 95 % "
    "interval of its difference from the zero. A rating has a dash where the bot has no complete block."
)
MEANS: Final = (
    "Over games each game is one value: the rating, and the middle of the places. The intervals are over the games, "
    "and say what other games of such a kind would show; ± ? means that there are fewer than five games. A bot that is "
    "disqualified in a game has a place there behind all others. "
    "Entrants that lack a game come last, as they may have left out what they do badly."
)
ENTRANTS: Final = (
    "Bots of several stores are one entrant if their name, the digest of their files, their command and their model "
    "are the same; else they are two rows. Of the bots of Pitboss and of plugins only the command is compared. "
    "house:GAME is the own bot of each game."
)
COSTS: Final = (
    "Dollars and tokens are those of all calls, also of games that were broken off. The time of a decision is that of "
    "the bot and of its model together. Illegal and unparsed are shares of the answers: those that mean an action that "
    "is not legal, and those that mean none (no JSON, cut off, empty). A bad answer may be asked again, and is paid. "
    "Points for a dollar are the points a game by which a bot is ahead of the mean of the field on the same cards, for "
    "the dollars of a game; over games the mean rating above the zero, for the dollars of a game. Who is not ahead has "
    "none."
)
RECORDS: Final = (
    "The digest is SHA-256 of the records of all games, in their order, without times; pitboss report STORE --json "
    "tells that of your copy. The first command plays each game again by its rules, and compares. Where models were "
    "asked, the second plays the tournament again with its bots and the recorded answers. No server is needed."
)
STRENGTH: Final = (
    "Strength is the rating above house:GAME by the rungs (pitboss arena rung) in the field, whose own strengths "
    "were measured before; the interval has the error of both."
)


def render_table_page(found: GamesTable, date: str | None = None) -> str:
    """Return the page of a table, as one file. Else only `date` differs between pages of one table."""
    made = f"Made by Pitboss {__version__}{f', {date}' if date else ''}. "
    return render_document(_make_title(found), _introduce(found), list(_list_sections(found)), made)


def render_table_markdown(found: GamesTable, date: str | None = None) -> str:
    """Return the table over all games as Markdown. Names of bots and games are shown as plain text."""
    head = ["Entrant", "Model", "Prompt", _rating_heading(found), "Place", *(game.name for game in found.games)]
    head += ["Dollars", "Illegal %", "Unparsed %"]
    rows = [
        [
            *(entrant.name, entrant.model or "", entrant.prompt or ""),
            "0"
            if entrant.name == found.zero
            else format_interval(_over_games(entrant, "rating"), digits=0, has_sign=True),
            format_interval(_over_games(entrant, "place")),
            *(_tell_place(entrant.games.get(game.name), game) for game in found.games),
            *(_format_dollars(entrant.usd), _format_percent(entrant.illegal), _format_percent(entrant.unparsed)),
        ]
        for entrant in found.entrants
    ]
    records = [
        f"* {escape_markdown(f'{game.name}: {store.path}, {store.games:,} games, records {store.digest}')}"
        for game in found.games
        for store in game.stores
    ]
    made = f"<sub>Pitboss {__version__}{f', {escape_markdown(date)}' if date else ''}</sub>"
    words = [f"## {escape_markdown(_make_title(found))}", escape_markdown(_make_headline(found))]
    return "\n\n".join([*words, join_table(head, rows, range(3, len(head))), "\n".join(records), made]) + "\n"


def _make_title(found: GamesTable) -> str:
    return f"{format_count(len(found.entrants), 'entrant')} in {format_count(len(found.games), 'game')}"


def _make_headline(found: GamesTable) -> str:
    if not found.entrants:
        return "No bot has played."
    first = found.entrants[0]
    games = f"over {format_count(len(first.games), 'game')}"
    if first.rating.mean is not None:
        if first.name == found.zero:
            return f"The highest mean rating {games} is that of {first.name}, the zero of the scale."
        rating = _show(_over_games(first, "rating"))
        return f"The highest mean rating {games}: {first.name}, {rating} rating points above {found.zero}."
    if first.place.mean is not None:
        return f"The best mean place {games}: {first.name}, {typeset_interval(_over_games(first, 'place'))}."
    return "No places are known yet."


def _introduce(found: GamesTable) -> Content:
    games = sum(game.games for game in found.games)
    usd = sum(entrant.usd or 0.0 for entrant in found.entrants)
    models = {entrant.model for entrant in found.entrants if entrant.model}
    asked = f", {format_count(len(models), 'language model')}, {_format_dollars(usd)} dollars" if models else ""
    return [
        el("p", _make_headline(found), class_="headline"),
        el("p", f"{format_count(games, 'game')} of {_join_names(found)}{asked}.", class_="lead"),
    ]


def _join_names(found: GamesTable) -> str:
    return join_words([game.name for game in found.games], "and")


def _list_sections(found: GamesTable) -> Iterator[Section]:
    yield section(
        "over-games",
        "Over all games",
        _draw_means(found),
        _tabulate_places(found),
        _list_missing(found),
        explain(note(OVER_GAMES), note(MEANS), note(ENTRANTS)),
    )
    yield section("cost", "What it cost", _tabulate_costs(found), explain(note(COSTS)))
    for number, game in enumerate(found.games, 1):
        yield _describe_game(found, game, number)
    yield section("records", "Records", *_list_records(found), explain(note(RECORDS)))


def _rating_heading(found: GamesTable) -> str:
    return "Rating" if found.zero is None else f"Rating above {found.zero}"


def _draw_means(found: GamesTable) -> Content:
    rated = _list_known(found, "rating")
    if rated:
        rows = [WhiskerRow(name, _show(one, name == found.zero), one) for name, one in rated]
        drawn = draw_whiskers("means", "Mean ratings over games", rows, interval_axis([one for _, one in rated]))
        return figure(f"Mean rating points above {found.zero}, with 95 % intervals over games.", drawn)
    placed = _list_known(found, "place")
    if not placed:
        return note("No places are known yet.")
    rows = [WhiskerRow(name, typeset_interval(one), one) for name, one in placed]
    ends = [(one.mean or 0.0) + sign * (one.half_width or 0.0) for _, one in placed for sign in (-1, 1)]
    drawn = draw_whiskers("means", "Mean places over games", rows, linear_axis(ends))
    return figure("Mean places, 1 is the best, with 95 % intervals over games.", drawn)


def _list_known(found: GamesTable, measure: Literal["rating", "place"]) -> list[tuple[str, Estimate]]:
    """Return the means over games that are known, with the names of rows."""
    known = [(entrant.name, _over_games(entrant, measure)) for entrant in found.entrants]
    return [(name, one) for name, one in known if one.mean is not None]


def _over_games(entrant: TabledEntrant, measure: Literal["rating", "place"]) -> Estimate:
    """Return a mean over games as it is shown: without its interval if there are too few games for one."""
    mean: Estimate = getattr(entrant, measure)
    known = [
        one for one in entrant.games.values() if (one.rating.mean if measure == "rating" else one.place) is not None
    ]
    return hide_wide(mean, len(known))


def _tabulate_places(found: GamesTable) -> Markup:
    rows: list[Sequence[Content]] = [
        (
            entrant.name,
            _show(_over_games(entrant, "rating"), entrant.name == found.zero),
            typeset_interval(_over_games(entrant, "place")),
            *(_make_place_cell(entrant.games.get(game.name), game) for game in found.games),
        )
        for entrant in found.entrants
    ]
    columns = ("Entrant", _rating_heading(found), "Mean place", *(game.name for game in found.games))
    caption = "Means over games; by game the places that are possible, and the rating."
    return table("places", caption, columns, rows, kind="lines")


def _make_place_cell(result: TabledResult | None, game: TabledGame) -> Markup:
    place = el("b", _tell_place(result, game))
    if result is None:
        return make_cell(place, class_="even")
    if game.is_cooperative:
        return make_cell(place, el("span", "points"))
    return make_cell(place, el("span", _show_rating(result)))


def _tell_place(result: TabledResult | None, game: TabledGame) -> str:
    """Return the places that a bot may have, or why it has none."""
    if result is None:
        return NOT_PLAYED
    row = result.standing
    if row.rank is not None:
        return f"{rank_text(row.rank)} of {game.placed}"
    if row.is_out or row.left:
        return "out"
    if row.yardstick:
        return "yardstick"
    if not row.blocks:
        return "no block"
    return typeset_interval(hide_wide(row.points, row.blocks)) if game.is_cooperative else "no place"


def _list_missing(found: GamesTable) -> Content:
    missing = [
        f"{entrant.name} has not played {join_words(entrant.missing, 'and')}."
        for entrant in found.entrants
        if entrant.missing
    ]
    return el("ul", *(el("li", line) for line in missing), class_="groups") if missing else None


def _tabulate_costs(found: GamesTable) -> Markup:
    rows = [_list_costs(entrant) for entrant in found.entrants]
    columns = (
        *("Entrant", "Model", "Prompt", "Files", "Games", "Dollars", "Dollars a game", "Tokens"),
        *("Time of a decision", "Illegal %", "Unparsed %", "Rating for a dollar"),
    )
    caption = "All games together. Prompt and files: the beginnings of their digests."
    return table("costs", caption, columns, rows, (1,), kind="lines")


def _list_costs(entrant: TabledEntrant) -> Sequence[Content]:
    return (
        entrant.name,
        entrant.model or DASH,
        el("code", entrant.prompt) if entrant.prompt else DASH,
        el("code", entrant.digest) if entrant.digest else DASH,
        f"{entrant.played:,}",
        _format_dollars(entrant.usd),
        _format_dollars(None if entrant.usd is None else entrant.usd / (entrant.played or 1)),
        _format_count(entrant.tokens),
        _show_seconds(entrant.seconds),
        _format_percent(entrant.illegal),
        _format_percent(entrant.unparsed),
        DASH if entrant.rating_per_dollar is None else f"{entrant.rating_per_dollar:,.0f}",
    )


def _describe_game(found: GamesTable, game: TabledGame, number: int) -> Section:
    played = [(entrant, entrant.games[game.name]) for entrant in found.entrants if game.name in entrant.games]
    played.sort(key=lambda pair: _order_in_game(pair[1], game))
    missing = [entrant.name for entrant in found.entrants if game.name in entrant.missing]
    counted = f"{format_count(game.games, 'game')}, {game.seats} at a table, up to {game.blocks:,} blocks of a bot."
    return section(
        f"game-{number}",
        game.name,
        *(el("p", line) for line in game.verdict),
        el("p", counted, " All seats play together: there are no places." if game.is_cooperative else ""),
        _draw_game(found, game, played, number),
        _tabulate_game(found, game, played, number),
        el("p", f"Not in this game: {join_words(missing, 'and')}.") if missing else None,
        *(el("p", _tell_rung(rung.entrant, rung.rung, rung.rungs, rung.strength)) for rung in game.rungs),
        explain(note(STRENGTH)) if any(rung.strength for rung in game.rungs) else None,
    )


def _order_in_game(result: TabledResult, game: TabledGame) -> tuple[bool, int, int, float, str]:
    row = result.standing
    best, worst = (0, 0) if row.rank is None else (row.rank.best, row.rank.worst)
    by = row.points.mean if game.is_cooperative else result.rating.mean
    return row.rank is None and not game.is_cooperative, best, worst, -(by or 0.0), row.name


def _draw_game(
    found: GamesTable, game: TabledGame, played: Sequence[tuple[TabledEntrant, TabledResult]], number: int
) -> Content:
    rated = [
        (_name_in_game(entrant, result), _show_rating(result), hide_wide(result.rating, result.standing.blocks))
        for entrant, result in played
        if result.rating.mean is not None
    ]
    if not rated:
        return None
    rows = [WhiskerRow(*one) for one in rated]
    drawn = draw_whiskers(
        f"ratings-{number}", f"Ratings in {game.name}", rows, interval_axis([one[2] for one in rated])
    )
    return figure(f"Rating points above {found.zero}, with 95 % intervals from blocks of duplicate deals.", drawn)


def _tabulate_game(
    found: GamesTable, game: TabledGame, played: Sequence[tuple[TabledEntrant, TabledResult]], number: int
) -> Markup:
    digits = decimal_places(result.standing.points.mean for _, result in played)
    has_strength = any(result.strength.mean is not None for _, result in played)
    columns = (
        *("Entrant", "Place", _rating_heading(found), *(["Strength"] if has_strength else []), "Points", "Games"),
        *("Forfeited", "Dollars a game", "Tokens a game", "Time of a decision", "Illegal %", "Unparsed %"),
        "Points for a dollar",
    )
    rows = [
        (
            _name_in_game(entrant, result),
            _tell_place(result, game),
            _show_rating(result),
            *([_show_estimate(result.strength, result.standing.blocks)] if has_strength else []),
            typeset_interval(hide_wide(result.standing.points, result.standing.blocks), digits=digits),
            *_list_game_costs(result),
        )
        for entrant, result in played
    ]
    fewer = " Fewer points are better." if game.lowest_wins else ""
    return table(f"game-{number}-table", f"The entrants in {game.name}.{fewer}", columns, rows, kind="lines")


def _list_game_costs(result: TabledResult) -> Iterator[Content]:
    row, use = result.standing, result.model
    games = row.games or 1
    yield f"{row.games:,}"
    yield f"{sum(row.faults.values()):,}"
    yield _format_dollars(None if use is None else use.usd / games)
    yield _format_count(None if use is None else round((use.tokens_in + use.tokens_out) / games))
    yield _show_seconds(result.seconds)
    yield _format_percent(result.illegal)
    yield _format_percent(result.unparsed)
    yield DASH if result.points_per_dollar is None else typeset_number(result.points_per_dollar)


def _tell_rung(name: str, rung: int, rungs: int, strength: Estimate | None) -> str:
    measured = (
        "measured with other options or players, so that its strength is not used here"
        if strength is None
        else f"measured strength {_show(strength, is_zero=strength == Estimate(0.0, 0.0))}"
    )
    return f"{name} is rung {rung} of {rungs}, {measured}."


def _list_records(found: GamesTable) -> Iterator[Content]:
    for game in found.games:
        for store in game.stores:
            yield el("h3", f"{game.name}: {store.path}")
            yield el("p", f"{format_count(store.games, 'game')}, records ", el("code", store.digest))
            yield _list_commands(store)


def _list_commands(store: StoreRecords) -> Markup:
    return el("pre", *(el("span", command) for command in store.commands))


def _name_in_game(entrant: TabledEntrant, result: TabledResult) -> str:
    """Return the name of a row; that of the game's own bot is the one in this game."""
    return result.standing.name if entrant.bot == OWN_BOT else entrant.name


def _show(value: Estimate, is_zero: bool = False) -> str:
    return "0" if is_zero else typeset_interval(value, digits=0, has_sign=True)


def _show_rating(result: TabledResult) -> str:
    return _show_estimate(result.rating, result.standing.blocks)


def _show_estimate(value: Estimate, blocks: int) -> str:
    """Return a rating or a strength; that of the zero itself has no interval."""
    return _show(hide_wide(value, blocks), value == Estimate(0.0, 0.0))


def _format_dollars(usd: float | None) -> str:
    """Write dollars with cents, or, of less than one, two digits that tell something."""
    return DASH if usd is None else f"{usd:,.2f}" if usd >= 1 or not usd else f"{usd:.2g}"


def _format_count(number: int | None) -> str:
    return DASH if number is None else f"{number:,}"


def _show_seconds(seconds: float | None) -> str:
    return format_duration(None if seconds is None else seconds * 1e6)


def _format_percent(share: float | None) -> str:
    return DASH if share is None else typeset(f"{100 * share:.1f}")
