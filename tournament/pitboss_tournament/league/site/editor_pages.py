"""The pages on which a bot is written in the browser: starter bots and drafts, the editor, what a trial has shown."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from html import escape
from typing import Final

from pitboss_tournament.authoring.templates import GAME_PAGE
from pitboss_tournament.html.elements import Content, Markup, el
from pitboss_tournament.html.number_format import DASH, typeset
from pitboss_tournament.html.page_parts import quote_text
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.site.page_frame import LeagueFrame, data_table, show_time
from pitboss_tournament.league.site.version_page import fold_text, show_check
from pitboss_tournament.league.workshop.drafts import MAX_DRAFT_BYTES, MAX_DRAFT_FILES, MAX_DRAFTS, Draft, list_ordered
from pitboss_tournament.league.workshop.opponents import TrialOpponent
from pitboss_tournament.league.workshop.starters import Starter
from pitboss_tournament.league.workshop.trials import Trial, TrialGame
from pitboss_tournament.plan.names import MAX_CHARACTERS

EDITOR_PATH: Final = "/editor"
MAX_ROWS: Final = 28  # lines of a field
MIN_ROWS: Final = 8


def editor_content(
    league: League,
    frame: LeagueFrame,
    starters: Sequence[Starter],
    drafts: Sequence[Draft],
    suggested: str,
    complaint: str = "",
) -> Iterator[Content]:
    """Yield the content of the page with the starter bots; a logged-in owner has drafts there, and begins new ones."""
    yield el("h1", "Write a bot")
    yield el(
        "p",
        f"A bot plays {league.game.title}: it is asked what to do, and answers. A starter bot plays any legal action; "
        "change one function of it, and try it here.",
        class_="lead",
    )
    yield el(
        "p",
        el("a", "The rules of the game", href=f"{EDITOR_PATH}/rules", class_="button"),
        el("a", "What a bot sees and does", href=f"{EDITOR_PATH}/game", class_="button"),
        class_="buttons",
    )
    if frame.viewer.owner:
        yield from _own_drafts(frame, drafts)
        yield el("h2", "A new bot" if drafts else "Your first bot")
        yield _new_draft_form(frame, starters, suggested, complaint)
    else:
        yield el("p", el("a", "Log in", href="/login", class_="button main"), " to write a bot here.")
    yield el("h2", "At home")
    yield el("p", "Starter bots to download, with the page of the game:")
    yield el(
        "ul",
        *(el("li", el("a", one.title, href=f"{EDITOR_PATH}/starters/{one.language}.zip")) for one in starters),
        class_="starters",
    )


def _own_drafts(frame: LeagueFrame, drafts: Sequence[Draft]) -> Iterator[Content]:
    if not drafts:
        return
    yield el("h2", "Your drafts")
    yield el(
        "ul",
        *(
            el(
                "li",
                el("a", one.bot, href=f"{EDITOR_PATH}/{one.number}", class_="bot"),
                " ",
                el("small", "changed ", show_time(one.changed)),
            )
            for one in drafts
        ),
        class_="drafts",
    )


def _new_draft_form(frame: LeagueFrame, starters: Sequence[Starter], suggested: str, complaint: str) -> Markup:
    name = el("input", name="bot", required=True, maxlength=MAX_CHARACTERS, value=suggested, autocomplete="off")
    choices = [el("option", one.title, value=one.language) for one in starters]
    return frame.form(
        f"{EDITOR_PATH}/new",
        el("label", "Language", el("select", *choices, name="language")),
        el("label", "Name of the bot; everybody sees it", name),
        el("p", complaint, class_="error", role="alert") if complaint else None,
        el("button", "Open in the editor", class_="main"),
    )


def draft_content(
    frame: LeagueFrame,
    draft: Draft,
    opponents: Sequence[TrialOpponent],
    trial: Content,
    first: str,
    complaint: str = "",
) -> Iterator[Content]:
    """Yield the content of the editor; `first` is the file that is shown first, `trial` the last trial."""
    paths = list_ordered(draft.files, first)
    yield el("h1", draft.bot)
    buttons = el(
        "div",
        el("button", "Check", name="do", value="check"),
        el(
            "span",
            el("button", "Try against", name="do", value="try"),
            el(
                "select",
                *(el("option", one.shown, value=one.word) for one in opponents),
                name="against",
                aria_label="Opponent",
            ),
            class_="try",
        ),
        el("button", "Submit", name="do", value="submit", class_="main"),
        class_="buttons",
    )
    links = [el("li", el("a", path, href=f"#file-{number}", data_file=number)) for number, path in enumerate(paths)]
    yield frame.form(
        f"{EDITOR_PATH}/{draft.number}",
        el("input", type="hidden", name="revision", value=draft.revision),
        el(
            "div",
            el("nav", el("ul", *links), aria_label="Files", class_="files"),
            el("button", "Save", name="do", value="save"),  # the first button, which the Enter key presses
            class_="head",
        ),
        el("p", complaint, class_="said error" if complaint else "said", role="status"),
        *(_file_field(number, path, draft.files[path]) for number, path in enumerate(paths)),
        el(
            "p",
            "Tab writes blanks; Escape, then Tab leaves the text. ",
            el("output", class_="place"),
            id="keys",
            class_="soft keys",
        ),
        buttons,
        _more_fields(draft),
    )
    yield el("section", trial, id="trial", aria_label="The last trial")


def _file_field(number: int, path: str, text: str) -> Markup:
    lines = min(MAX_ROWS, max(MIN_ROWS, text.count("\n") + 2))
    field = Markup(
        f'<textarea id="text-{number}" name="text-{number}" rows="{lines}" spellcheck="false" autocapitalize="off" '
        f'autocomplete="off" autocorrect="off" wrap="off" aria-describedby="keys">\n{_keep_text(text)}</textarea>'
    )
    return el(
        "section",
        el("input", type="hidden", name=f"path-{number}", value=path),
        el("label", path, for_=f"text-{number}"),
        field,
        id=f"file-{number}",
        class_="file",
    )


def _keep_text(text: str) -> str:
    """Return a text for a field: each character as it is, but for those of HTML."""
    return escape(text).replace("\r", "&#13;")


def _more_fields(draft: Draft) -> Markup:
    removable = [el("option", path, value=path) for path in sorted(draft.files)]
    return el(
        "details",
        el("summary", "Name, files"),
        el(
            "label",
            "Name of the bot",
            el("input", name="bot", required=True, maxlength=MAX_CHARACTERS, value=draft.bot, autocomplete="off"),
        ),
        el(
            "div",
            el("label", "A new file", el("input", name="new_path", placeholder="cards.py", autocomplete="off")),
            el("button", "Add it", name="do", value="add"),
            class_="line",
        ),
        el(
            "div",
            el("label", "A file to take out", el("select", *removable, name="old_path")),
            el("button", "Take it out", name="do", value="remove"),
            class_="line",
        ),
        el(
            "p",
            el("a", "Download as zip", href=f"{EDITOR_PATH}/{draft.number}.zip", class_="button"),
            el("button", "Throw this draft away", name="do", value="drop", class_="danger"),
            class_="buttons",
        ),
        el(
            "p",
            f"{MAX_DRAFT_FILES} files and {MAX_DRAFT_BYTES >> 10} KiB at most; {MAX_DRAFTS} drafts. "
            f"{GAME_PAGE} is for you, and may be taken out.",
            class_="soft",
        ),
    )


def trial_content(
    trial: Trial | None, games: Sequence[TrialGame], with_records: Collection[int], before: int, is_waiting: bool
) -> Iterator[Content]:
    """Yield the content of the last trial of a draft; `before`: the trials that are done first.

    `is_waiting`: submissions are validated first.
    """
    if trial is None:
        yield el("p", "Nothing has been tried yet.", class_="soft")
        return
    what = "The checks" if trial.kind == "check" else f"Against {trial.opponent.removeprefix('house:')}"
    yield el("h2", what, " ", el("small", show_time(trial.begun)))
    sentence = _say_state(trial, games, before, is_waiting)
    outcome = "passed" if trial.found.is_good else "failed"
    yield el(
        "p",
        sentence,
        class_="outcome open" if trial.is_open else f"outcome {outcome}",
        data_open="yes" if trial.is_open else None,
    )
    for step, seen in trial.found.steps.items():
        if step == "building" and seen.output.strip() and (not seen.is_good or not trial.is_open):
            yield fold_text("What the build printed", seen.output)
    yield from (show_check(one) for one in trial.found.checks_failed)
    if games:
        yield _game_table(trial, games, with_records)
        yield from _own_words(games)


def _say_state(trial: Trial, games: Sequence[TrialGame], before: int, is_waiting: bool) -> str:
    failed = len(trial.found.checks_failed)
    match trial.state:
        case "waiting":
            first = "submissions are validated first" if is_waiting else f"{before} before it"
            return f"Waiting; {first}."
        case "building":
            return "It is being built."
        case "checking":
            return f"Checking: {trial.found.checks_done} checks so far, {failed} failed."
        case "playing":
            return f"Playing: {len(games)} games so far."
        case _:
            seen = trial.found.seen
            return f"I{seen[1:]}." if seen.startswith("it ") else f"{seen}."  # or it begins with the name of a file


def _game_table(trial: Trial, games: Sequence[TrialGame], with_records: Collection[int]) -> Markup:
    rows = []
    for game in games:
        others = [points for seat, points in enumerate(game.points) if seat != game.seat]
        watch: Content = DASH
        if game.number in with_records:
            watch = el("a", "watch", href=f"/trials/{trial.number}/games/{game.number}/replay")
        rows.append(
            (
                f"{game.number + 1}",
                watch,
                f"{game.places[game.seat]}",
                typeset(f"{game.points[game.seat]:g}"),
                typeset(", ".join(f"{points:g}" for points in others)),
                f"{game.decisions:,}",
                f"{game.us / 1000 / max(1, game.decisions):,.1f}",
                el("span", game.fault.partition(":")[0], class_="bad") if game.fault else DASH,
            )
        )
    heads = ("Game", "Replay", "Place", "Points", "Others", "Decisions", "ms each", "Fault")
    return data_table("Practice games; no rating sees them.", heads, rows, (0, 1, 7))


def _own_words(games: Sequence[TrialGame]) -> Iterator[Content]:
    for game in games:
        if game.fault:
            yield el("p", el("strong", f"Game {game.number + 1}: "), game.fault, class_="bad")
            if game.exchange:
                yield fold_text("The last lines of the wire", "\n".join(game.exchange))
        if game.errors.strip():
            title = f"Game {game.number + 1}: what it wrote to standard error"
            yield el("details", el("summary", title), quote_text(game.errors), open=bool(game.fault))
