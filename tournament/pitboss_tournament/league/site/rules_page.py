"""The pages that say what a league is about: its rules, and how to submit a bot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import asdict

from pitboss.game import resolve_options
from pitboss.text import format_count
from pitboss_tournament.html.elements import Content, Markup, el, markup
from pitboss_tournament.league.anchors import ALL_RUNGS
from pitboss_tournament.league.grades_file import GradesTable
from pitboss_tournament.league.league_file import LeagueFile, ValidationTable
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.rule_changes import write_value
from pitboss_tournament.league.site.page_frame import LeagueFrame, show_deadline

BOUNDS: Final = {  # of clock and limits: what they are called, and their units
    "start_ms": ("until its process is ready", "ms"),
    "decision_ms": ("for a decision", "ms"),
    "game_ms": ("for all decisions of a game together", "ms"),
    "increment_ms": ("added to that after each decision", "ms"),
    "margin_ms": ("forgiven", "ms"),
    "line_bytes": ("the longest answer", "bytes"),
    "memory_mb": ("memory", "MiB"),
    "processes": ("processes and threads", ""),
    "open_files": ("open files", ""),
    "disk_mb": ("files that it writes", "MiB"),
    "cpu_s": ("processor time of all its processes together, in a game", "s"),
}


def rules_content(league: League) -> Iterator[Content]:
    """Yield the content of the page of the rules."""
    file = league.file
    rules, faults, sent, shown = file.league, file.faults, file.submissions, file.validation
    options = msgspec.to_builtins(resolve_options(league.game, league.seats, file.preset, file.options))
    yield el("h1", "Rules")
    yield el("h2", "The game")
    yield _list_facts(
        {
            "game": f"{league.game.title}, version {league.game.version}",
            "players at a table": f"{league.seats}",
            "the same cards": f"each table plays {format_count(rules.deals, 'deal')}, each in all seat orders",
            **{name.replace("_", " "): write_value(value) for name, value in options.items()},
        }
    )
    yield el("h2", "The ladder")
    replays = {"owners": "the owners of the bots in them", "public": "everybody"}[rules.replays]
    yield _list_facts(
        {
            "it goes by": {
                "points": "the places in each game",
                "imps": "the differences to others who held the same cards, on the game's own scale",
                "matchpoints": "how many of the others who held the same cards did worse",
            }[file.score],
            "a version has a place": f"after {format_count(rules.placing_games, 'game')}",
            "versions of a bot that play at a time": f"{rules.active_versions}; older ones are retired",
            "bots of one owner at a table": f"{rules.owners_at_a_table}, as long as there are others",
            **(
                {"anchors, which take no place": ", ".join(one.name for one in league.anchors)}
                if league.anchors
                else {}
            ),
            "a bot is told of its opponents": {"names": "their names", "pseudonyms": "pseudonyms, new in each game"}[
                league.opponents
            ],
            "finished games are shown to": replays,
            "games in play are shown to": "nobody",
            **(
                {"people may play against": f"the best {rules.open_to_people}, in games of their own"}
                if rules.open_to_people
                else {}
            ),
            "logs are shown to": {
                "faults": "the owner of the bot that wrote them, and the host: those of games with a fault",
                "all": "the owner of the bot that wrote them, and the host: those of all games",
                "none": "the host",
            }[file.logs.shown],
        }
    )
    yield el("h2", "Faults")
    penalty = "it forfeits the game"
    if faults.policy == "substitute":
        times = format_count(faults.substitutions, "decision")
        penalty = f"the neutral action is played for {times} of a game; the next fault forfeits it"
    share = f", if they are {faults.disqualify_percent:g} % of its games" if faults.disqualify_percent else ""
    yield _list_facts(
        {
            "a fault": penalty,
            "a bot is out": f"after {format_count(faults.disqualify_after, 'forfeited game')}{share}",
        }
    )
    yield el("h2", "Time and machine")
    known = {**asdict(league.clock), **asdict(league.limits)}
    yield _list_facts({words: f"{known[name]:,} {unit}" for name, (words, unit) in BOUNDS.items() if known[name]})
    yield el("h2", "Submissions")
    yield _list_facts(
        {
            "size": f"{sent.max_mb} MiB in {format_count(sent.max_files, 'file')} at most",
            "of an owner within 24 hours": f"{sent.a_day}",
            "end": "never" if sent.closes is None else show_deadline(sent.closes.isoformat()),
            **_say_late_days(file),
            "before a bot plays": _say_validation(shown),
            "a build may take": f"{shown.build_seconds:g} s and {shown.build_mb:,} MiB",
        }
    )
    if facts := _say_rubric(file.grades):
        yield el("h2", "Grades")
        yield _list_facts(facts)


def _say_rubric(rubric: GradesTable) -> dict[str, str]:
    """Return what points are given for; nothing if there is no rubric."""
    beaten = [
        f"{points:g} for {'each rung that is not named' if name == ALL_RUNGS else name}"
        for name, points in rubric.beats.items()
    ]
    tiers = [f"{points:g} for tier {number}" for number, points in enumerate(rubric.tiers, 1)]
    top = [f"{one.points:g} for the best {one.percent:g} %" for one in rubric.top]
    parts = {
        "points for a valid version": f"{rubric.valid:g}" if rubric.valid else "",
        f"points for each anchor that is beaten, {rubric.sure:g} % sure": "; ".join(beaten),
        "points by tier": "; ".join(tiers),
        f"points by place, the {rubric.place} one of those that a bot may have": "; ".join(top),
    }
    found = {name: said for name, said in parts.items() if said}
    if found and rubric.most is not None:
        found["nobody has more than"] = f"{rubric.most:g} points"
    if found:
        found["grades are final"] = (
            "when nobody can submit any more, and each version that counts has played "
            f"{format_count(rubric.games, 'game')} or plays no more"
        )
    return found


def _say_late_days(file: LeagueFile) -> dict[str, str]:
    """Return what becomes of late submissions; nothing if none are taken."""
    grades = file.grades
    if not grades.late_days:
        return {}
    cost = f", {grades.late_points:g} points less for each" if grades.late_points else ""
    zone = f", by clocks of {grades.zone}" if grades.zone else ""
    return {"late submissions are taken": f"for {format_count(grades.late_days, 'day')} after the end{cost}{zone}"}


class SubmissionEnd(NamedTuple):
    """When the submissions of an owner end, or of everybody: ISO times with their zone."""

    end: str  # of those that are not late; "": never
    last: str  # of late ones; the same if none are taken
    now: datetime

    @property
    def is_over(self) -> bool:
        """Whether nothing is taken any more."""
        return bool(self.end) and self.now >= datetime.fromisoformat(self.last)

    def tell(self, whose: str) -> Iterator[Content]:
        """Yield a sentence; `whose`: "Submissions" or "Your submissions"."""
        if not self.end:
            return
        has_ended = self.now >= datetime.fromisoformat(self.end)
        yield from (whose, " have ended at " if has_ended else " end at ", show_deadline(self.end))
        if self.last != self.end:
            yield " and late ones at " if self.is_over else "; late ones are taken until "
            yield show_deadline(self.last)
        yield ": nothing is taken any more." if self.is_over else "."


def submit_content(league: League, frame: LeagueFrame, address: str, end: SubmissionEnd) -> Iterator[Content]:
    """Yield the content of the page that says how to submit, and when that ends; a logged-in owner has a form there."""
    yield el("h1", "Submit a bot")
    if end.end:
        yield el("p", *end.tell("Your submissions" if frame.viewer.owner else "Submissions"), class_="lead")
    if end.is_over:
        return
    yield el("p", "No bot yet, and nothing installed? ", el("a", "Write one here", href="/editor"), ".")
    if frame.viewer.owner:
        yield _upload_form(league)
    else:
        yield el(
            "p",
            el("a", "Log in", href="/login", class_="button main"),
            " to upload a bot in the browser.",
            class_="lead",
        )
    yield el("h2", "From the command line")
    yield el("p", "A bot is a folder with a ", el("code", "bot.toml"), ". With Pitboss installed:")
    here = el("span", address, class_="address")  # the script knows it better, if there is a proxy before the server
    yield el("pre", "pitboss submit ", here, ' mybot --token "$TOKEN"')
    yield el("p", "It prints each step, and what was found. Without Pitboss send a zip or tar archive:")
    yield el("pre", "tar czf mybot.tar.gz -C mybot .")
    sent = 'curl --fail-with-body -T mybot.tar.gz -H "Authorization: Bearer $TOKEN" '
    yield el("pre", sent, here, "/api/submissions/mybot")
    yield el("h2", "What happens then")
    shown = league.file.validation
    steps = (
        "received: it is on the disk of the league",
        "building: its build step runs, without network",
        "checking: each check that fails comes with a cure" if shown.check else "checking: this league makes no checks",
        "validation: it plays with random players, and may forfeit no game"
        if shown.games
        else "validation: it plays no games",
        "placing: it plays, until its place on the ladder is known",
        "playing: it is on the ladder; a newer version of its name retires it",
    )
    yield el("ol", *(el("li", step) for step in steps))
    yield el(
        "p",
        "The token is from the host of the league. Keep it secret: anybody with it submits in your name. What your bot "
        "prints is shown to you and the host alone.",
    )


def _upload_form(league: League) -> Markup:
    sent = league.file.submissions
    return el(
        "form",
        el("label", "Name of the bot", el("input", name="bot", required=True, maxlength=64, autocomplete="off")),
        el(
            "label",
            "An archive: zip, or tar (plain, gzip or xz)",
            el("input", type="file", name="archive", accept=".zip,.tar,.gz,.tgz,.xz,.txz"),
        ),
        el("label", "or its folder", el("input", type="file", name="folder", webkitdirectory=True, multiple=True)),
        el(
            "label",
            "or its files, bot.toml among them",
            el("input", type="file", name="files", multiple=True),
        ),
        el("p", f"{sent.max_mb} MiB at most. The name is yours from the first upload on.", class_="soft"),
        el("button", "Submit", class_="main"),
        el("p", role="status", class_="said"),
        el("noscript", el("p", "The upload needs JavaScript; the commands below do not.")),
        class_="upload card",
        id="upload",
    )


def _say_validation(shown: ValidationTable) -> str:
    checks = "it passes all checks of `pitboss check`" if shown.check else "it is built"
    games = f", and forfeits none of {format_count(shown.games, 'game')} with random players" if shown.games else ""
    return checks + games


def _list_facts(pairs: Mapping[str, Content]) -> Markup:
    return el("dl", *(markup(el("dt", name), el("dd", value)) for name, value in pairs.items()), class_="rules")
