"""The page of a version, and of submissions that are no version yet: what its owner may see, and what all may."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import urlencode

from pitboss.testing.framework.check import CheckResult
from pitboss_tournament.html.elements import Content, Markup, el
from pitboss_tournament.html.page_parts import quote_text
from pitboss_tournament.league.ladder_view import LadderLine, LadderView
from pitboss_tournament.league.site.bot_page import fault_section, thinking_times, version_facts
from pitboss_tournament.league.site.feedback_page import feedback_address
from pitboss_tournament.league.site.page_frame import (
    DIGEST_SHOWN,
    STATE_MEANINGS,
    facts,
    link_bot,
    show_state,
    show_time,
)
from pitboss_tournament.league.submission import WAITING, Evidence, Submission


def version_content(
    view: LadderView,
    one: Submission,
    line: LadderLine | None,
    evidence: Mapping[str, Evidence] | None,
    before: int,
    by: str,
) -> Iterator[Content]:
    """Yield the content of the page of a submission.

    `line` is what everybody may know; `evidence` what only its owner may, else None; `before`: how many are
    validated before it; `by`: how its owner is called.
    """
    name = one.label if line is None else link_bot(one.bot, one.version)
    yield el("h1", name, " ", el("small", "by ", by))
    if line is not None:
        yield version_facts(line, has_state=False)  # below, with what it means
    yield facts(
        ("state", (show_state(one.state), " ", el("small", STATE_MEANINGS[one.state]))),
        ("received", show_time(one.received)),
        ("digest", el("code", one.digest[:DIGEST_SHOWN], title="the beginning of SHA-256 of the list of its files")),
    )
    if line is not None:
        yield from thinking_times(view, [line])
        yield from fault_section([line], evidence is not None)
    if evidence is not None:
        yield el("h2", "What only its owner sees")
        if line is not None:
            why = el("a", "Where it loses points", href=feedback_address(one.number), class_="button")
            asked = urlencode({"bot": one.bot, "version": one.version})
            yield el("p", why, el("a", "Its games", href=f"/me/games?{asked}", class_="button"), class_="buttons")
        if one.state in WAITING and before:
            yield el("p", f"Validated before it: {before}.")
        yield el("ol", *(_show_step(state, seen) for state, seen in evidence.items()), class_="steps")
        if not evidence:
            yield el("p", "Nothing yet.", class_="soft")


def _show_step(state: str, seen: Evidence) -> Markup:
    sign = "passed" if seen.is_good else "failed"
    return el(
        "li",
        el("p", el("strong", state), ": ", seen.seen),
        fold_text("What it printed", seen.output) if seen.output else None,
        fold_text("The last lines of the wire", "\n".join(seen.exchange)) if seen.exchange else None,
        *(show_check(one) for one in seen.checks),
        class_=sign,
    )


def show_check(one: CheckResult) -> Markup:
    """Return a failed check: what every good bot does, what was seen, and what to do."""
    return el(
        "details",
        el("summary", el("code", one.name), ": ", one.promise),
        el("p", one.detail) if one.detail else None,
        el("p", el("strong", "What to do: "), one.advice) if one.advice else None,
        quote_text(one.stderr) if one.stderr else None,
        class_="check",
        open=True,
    )


def fold_text(title: str, text: str) -> Markup:
    """Return a text of several lines that can be folded away."""
    return el("details", el("summary", title), quote_text(text), open=True)
