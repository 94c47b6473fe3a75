"""The page of similar bots in a league, for its host: pairs that stand out, with what is alike in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from pitboss import __version__
from pitboss.text import format_count, join_words
from pitboss_tournament.html.elements import Content, Markup, el
from pitboss_tournament.html.page_parts import Section, explain, note, quote_text, render_document, section, table
from pitboss_tournament.league.similarity.pairs import ALWAYS_OUT, NEARER, SimilarityReport, SimilarPair
from pitboss_tournament.text.terminal_text import action_text, escape_line

MAX_PAIRS_SHOWN: Final = 40
MAX_REGION_LINES: Final = 24  # of a region
AROUND: Final = 2  # more lines before and after it

PAIR_HEADINGS: Final = ("Bot", "Other bot", "Stands out by", "Source", "Answers", "Next", "Alone")
PAIR_NUMBERS: Final = PAIR_HEADINGS[3:]


def list_rows(pairs: Sequence[SimilarPair]) -> list[tuple[str, ...]]:
    """Return the cells of pairs under PAIR_HEADINGS."""
    return [
        (
            f"{pair.one} of {pair.one_owner}",
            f"{pair.other} of {pair.other_owner}",
            join_words(pair.stands_out, "and") if pair.stands_out else "",
            _say_share(pair.source),
            _say_share(pair.answers),
            _say_share(pair.next),
            str(pair.alone) if pair.questions else "",
        )
        for pair in pairs
    ]


def _say_share(share: float | None) -> str:
    """Return a share in per cent; "" if it is unknown."""
    return "" if share is None else f"{100 * share:.0f} %"


def say_compared(found: SimilarityReport) -> Iterator[str]:
    """Yield what was compared, what is usual, and what could not be compared."""
    yield (
        f"{format_count(found.bots, 'bot')} compared: by the prints of their sources, and by their answers to "
        f"{format_count(found.contested, 'question')} of {format_count(found.games, 'game')} in which the class is "
        "divided."
    )
    if found.usual_source is not None:
        yield f"By source a pair stands out from {_say_share(found.usual_source)} on: that is above what is usual here."
    yield (
        f"By answers a pair stands out from {_say_share(ALWAYS_OUT)} on, or if both bots differ from every bot of a "
        f"third owner {NEARER:.0f} times as much as from each other."
    )
    lists = (
        (
            "have hardly any source beside a starter bot and what many have: pairs of them do not stand out",
            found.starters,
        ),
        ("have too little source to be compared by source: look at their other files", found.slight),
        ("have sources that could not be read in time", found.unread),
        ("answered too few questions to be compared by answers", found.unasked),
    )
    for words, labels in lists:
        if labels:
            yield f"{join_words(labels, 'and')} {words}."


def render_similarity_page(found: SimilarityReport, folders: dict[str, Path], store: Path) -> str:
    """Return the page as one file. `folders`: of the versions, by label; `store`: of the league, for its commands."""
    introduction = el("p", "Who wrote from whom no figure tells: a simple idea has one good program. Look, and ask.")
    sections = list(_list_sections(found, folders, store))
    return render_document(
        f"Similar bots in {found.league}", introduction, sections, f"Made by Pitboss {__version__}. "
    )


def _list_sections(found: SimilarityReport, folders: dict[str, Path], store: Path) -> Iterator[Section]:
    outstanding = [pair for pair in found.pairs if pair.stands_out]
    said = [note(line) for line in say_compared(found)]
    title = "Pairs that are most alike"
    yield section(
        "pairs",
        "Pairs",
        *said,
        table("pairs-table", title, PAIR_HEADINGS, list_rows(found.pairs[:MAX_PAIRS_SHOWN]), (0, 1, 2)),
        explain(
            note(
                "Source: of the prints of the bot that has fewer, the share that the other one has, too. Names, texts, "
                "comments and layout make no difference. Answers: the share of equal answers among the questions in "
                "which the class is divided; the fewer bots give an answer, the more it counts. Next: how alike either "
                "of the two and a bot of a third owner answer at most. Alone: to how many of the questions nobody else "
                "answers as these two."
            ),
            note(
                "Two bots of the same simple idea answer alike, though nobody has copied: then Source is low, and Next "
                "is high or Alone is 0. A copy that was written again, or in another language, has a low Source, too: "
                "there look at the answers that nobody else gives."
            ),
        ),
    )
    for number, pair in enumerate(outstanding[:MAX_PAIRS_SHOWN], 1):
        yield section(
            f"pair-{number}",
            f"{pair.one} and {pair.other}",
            *_show_regions(pair, folders),
            *_show_answers(pair, store),
        )


def _show_regions(pair: SimilarPair, folders: dict[str, Path]) -> Iterator[Content]:
    for region in pair.regions:
        own = (region.file, region.first, region.last)
        other = (region.other_file, region.other_first, region.other_last)
        yield note(
            f"{_name_lines(*own)} of {pair.one}, and {_name_lines(*other)} of {pair.other}: "
            f"{format_count(region.prints, 'equal print')}."
        )
        yield el(
            "div",
            _show_lines(folders[pair.one], *own),
            _show_lines(folders[pair.other], *other),
            class_="side-by-side",
        )


def _name_lines(file: str, first: int, last: int) -> str:
    lines = f"line {first}" if first == last else f"lines {first} to {last}"
    return f"{escape_line(file)}, {lines}"


def _show_lines(folder: Path, file: str, first: int, last: int) -> Markup:
    """Return some lines of a file, with some around them: prints are chosen among those of a few lines."""
    text = (folder / file).read_text(encoding="utf-8", errors="replace")
    begin = max(first - 1 - AROUND, 0)
    lines = text.split("\n")[begin : last + AROUND]
    left_out = len(lines) - MAX_REGION_LINES
    more = [f"… {format_count(left_out, 'more line')}"] if left_out > 0 else []
    return quote_text("\n".join([*lines[:MAX_REGION_LINES], *more]))


def _show_answers(pair: SimilarPair, store: Path) -> Iterator[Content]:
    if not pair.telling:
        return
    yield table(
        f"answers-{pair.one}-{pair.other}",
        "Equal answers that the fewest others give",
        ("Game", "Decision", "Answer", "Others", "Asked", "To see it"),
        [
            (
                str(one.game),
                str(one.decision),
                action_text(one.action),
                str(one.others),
                str(one.asked),
                f"pitboss replay {store} {one.game} {one.decision}",
            )
            for one in pair.telling
        ],
        (2, 5),
    )
