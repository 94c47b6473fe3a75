"""The routes of the editor: starter bots, drafts, trials of drafts, and their submission."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Final
from urllib.parse import quote

import msgspec
import trio
from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pitboss.errors import PitbossError
from pitboss.records.record import Record, loads
from pitboss_tournament.html.elements import Content, Markup, el, markup
from pitboss_tournament.league.book import ComeAgain, NameTaken
from pitboss_tournament.league.ladder_view import LadderView
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.site.editor_pages import EDITOR_PATH, draft_content, editor_content, trial_content
from pitboss_tournament.league.site.league_app import LeagueSite, RefusedRequest, read_bot_name
from pitboss_tournament.league.site.login_site import LoginSite
from pitboss_tournament.league.site.page_frame import LeagueFrame
from pitboss_tournament.league.site.page_site import PageSite
from pitboss_tournament.league.workshop.drafts import (
    MAX_DRAFT_BYTES,
    MAX_DRAFT_FILES,
    Draft,
    DraftBook,
    DraftMoved,
    DraftRefused,
    check_path,
    pack_files,
    tidy_text,
)
from pitboss_tournament.league.workshop.opponents import TrialOpponent, list_opponents
from pitboss_tournament.league.workshop.starters import (
    Starter,
    list_starters,
    make_starter,
    read_book,
    write_game_page,
    zip_files,
)
from pitboss_tournament.league.workshop.trials import Trial, TrialBook, TrialKind
from pitboss_tournament.play.browser.rule_page import draw_markdown
from pitboss_tournament.processes.logs import decompress_text
from pitboss_tournament.web.forms import SEE_OTHER, read_form
from pitboss_tournament.web.replay_page import make_replay_data
from pitboss_tournament.web.responses import read_number, render_page

LONGEST_DRAFT_FORM: Final = 3 * MAX_DRAFT_BYTES + (64 << 10)  # a form may write a byte as three
MAX_DRAFT_FIELDS: Final = 2 * MAX_DRAFT_FILES + 12
CONFLICT: Final = 409
Reply = Mapping[str, object]


class EditorSite:
    """The pages on which bots are written."""

    def __init__(
        self,
        league: League,
        pages: PageSite,
        site: LeagueSite,
        login: LoginSite,
        drafts: DraftBook,
        trials: TrialBook,
        ring: Callable[[], None],
    ) -> None:
        """`ring` is called when there is a trial to do."""
        self._league = league
        self._pages = pages
        self._site = site
        self._login = login
        self._drafts = drafts
        self._trials = trials
        self._ring = ring
        self._sending: set[str] = set()  # owners whose forms are being read
        self._replaying = trio.CapacityLimiter(1)
        self._preparing = trio.CapacityLimiter(1)  # of starters and pages, which are made once and kept

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route(EDITOR_PATH, self.list_page),
            Route(f"{EDITOR_PATH}/new", self.begin_draft, methods=["POST"]),
            Route(f"{EDITOR_PATH}/rules", self.rules_page),
            Route(f"{EDITOR_PATH}/game", self.game_page),
            Route(f"{EDITOR_PATH}/starters/{{language}}.zip", self.send_starter),
            Route(f"{EDITOR_PATH}/{{number:int}}.zip", self.send_draft),
            Route(f"{EDITOR_PATH}/{{number:int}}", self.draft_page),
            Route(f"{EDITOR_PATH}/{{number:int}}", self.change_draft, methods=["POST"]),
            Route(f"{EDITOR_PATH}/{{number:int}}/trial", self.send_trial),
            Route("/trials/{number:int}/games/{game:int}/replay", self.replay_page),
            Route("/trials/{number:int}/games/{game:int}/replay.json", self.send_replay),
        ]

    # ---- what everybody may see

    async def list_page(self, request: Request) -> Response:
        """Return the page with the starter bots, and the drafts of a logged-in owner."""
        frame, _ = await self._pages.open_page(request)
        return await self._render_list(frame)

    async def _render_list(
        self, frame: LeagueFrame, status: int = 200, said: str = "", complaint: str = ""
    ) -> Response:
        owner = frame.viewer.owner
        drafts = await trio.to_thread.run_sync(self._drafts.list_drafts, owner) if owner else []
        starters = list((await trio.to_thread.run_sync(list_starters, limiter=self._preparing)).values())
        suggested = said or f"bot-{secrets.randbelow(9_000) + 1_000}"
        content = editor_content(self._league, frame, starters, drafts, suggested, complaint)
        return frame.render("Write a bot", EDITOR_PATH, *content, status=status, is_live=False)

    async def rules_page(self, request: Request) -> Response:
        """Return the page with the rule book of the game."""
        frame, _ = await self._pages.open_page(request)
        book = await trio.to_thread.run_sync(read_book, self._league.game.name, limiter=self._preparing)
        text: Content = draw_markdown(book) if book else el("p", "The author of the game has named no rule book.")
        return frame.render("The rules of the game", EDITOR_PATH, el("div", text, class_="book"), is_live=False)

    async def game_page(self, request: Request) -> Response:
        """Return the page of the game for authors of bots."""
        frame, _ = await self._pages.open_page(request)
        text = await trio.to_thread.run_sync(write_game_page, self._league.game.name, limiter=self._preparing)
        content = el("div", draw_markdown(text), class_="book")
        return frame.render("What a bot sees and does", EDITOR_PATH, content, is_live=False)

    async def send_starter(self, request: Request) -> Response:
        """Return a starter bot as a zip archive."""
        starters = await trio.to_thread.run_sync(list_starters, limiter=self._preparing)
        starter = starters.get(request.path_params["language"])
        if starter is None:
            raise HTTPException(404, "there is no starter bot in this language here")
        files = await self._make_starter(starter, "mybot")
        return _send_zip(files, "mybot")

    # ---- drafts

    async def begin_draft(self, request: Request) -> Response:
        """Make a draft of a starter bot."""
        said = await read_form(request)
        session = await self._login.require_sender(request, said.get("form_token", ""))
        frame, _ = await self._pages.open_page(request)
        starter = (await trio.to_thread.run_sync(list_starters, limiter=self._preparing)).get(said.get("language", ""))
        try:
            self._check_room()
            if starter is None:
                raise DraftRefused("choose a language of the list")
            bot = await self._claim_name(session.owner, said.get("bot", ""))
            files = await self._make_starter(starter, bot)
            draft = await trio.to_thread.run_sync(self._drafts.add_draft, session.owner, bot, files)
        except PitbossError as error:
            return await self._render_list(frame, 422, said.get("bot", ""), f"{error}.")
        except RefusedRequest as error:
            return await self._render_list(frame, 422, said.get("bot", ""), f"{error.detail}.")
        return RedirectResponse(f"{EDITOR_PATH}/{draft.number}", SEE_OTHER)

    async def _make_starter(self, starter: Starter, bot: str) -> dict[str, str]:
        return await trio.to_thread.run_sync(make_starter, self._league, starter, bot, limiter=self._preparing)

    def _check_room(self) -> None:
        """Check that the disk has room for what people write.

        Raises:
            RefusedRequest: it has too little.
        """
        if self._league.folder.free_mb() < self._league.file.submissions.free_mb:
            raise RefusedRequest(507, "the league has too little room on its disk; tell its host")

    async def _claim_name(self, owner: str, said: str) -> str:
        """Return the name that an owner may give a bot.

        Raises:
            RefusedRequest: no bot may have it.
            NameTaken: it is that of another owner's bot.
        """
        return await trio.to_thread.run_sync(self._site.check_name, owner, read_bot_name(said))

    async def draft_page(self, request: Request) -> Response:
        """Return the editor with a draft."""
        frame, view = await self._pages.open_page(request)
        draft = await self._require_draft(request, frame.viewer.owner)
        return await self._render_draft(frame, view, draft)

    async def _render_draft(
        self, frame: LeagueFrame, view: LadderView, draft: Draft, status: int = 200, complaint: str = ""
    ) -> Response:
        opponents = await self._list_opponents(view, draft.owner)
        trial = await self._draw_trial(draft)
        starters = (await trio.to_thread.run_sync(list_starters, limiter=self._preparing)).values()
        first = next((one.change for one in starters if one.change in draft.files), "")
        content = draft_content(frame, draft, opponents, trial, first, complaint)
        return frame.render(draft.bot, EDITOR_PATH, *content, status=status, is_live=False, script="editor")

    async def _list_opponents(self, view: LadderView, owner: str) -> list[TrialOpponent]:
        own = await trio.to_thread.run_sync(self._site.list_submissions, owner)
        return await trio.to_thread.run_sync(list_opponents, self._league, view, own, owner)

    async def send_draft(self, request: Request) -> Response:
        """Return a draft as a zip archive."""
        viewer = await self._login.find_viewer(request)
        draft = await self._require_draft(request, viewer.owner)
        return _send_zip(draft.files, draft.bot)

    async def send_trial(self, request: Request) -> Response:
        """Return the part of the editor's page that shows the last trial."""
        viewer = await self._login.find_viewer(request)
        content = await self._draw_trial(await self._require_draft(request, viewer.owner))
        return Response(str(content), media_type="text/html", headers={"cache-control": "no-store"})

    async def _draw_trial(self, draft: Draft) -> Markup:
        def read() -> Markup:
            trial = self._trials.find_last(draft.owner, draft.number)
            if trial is None:
                return markup(trial_content(None, (), (), 0, is_waiting=False))
            games = self._trials.list_games(trial.number)
            kept = self._trials.list_with_records(trial.number)
            opened = [one.number for one in self._trials.list_open()] if trial.is_open else []
            before = opened.index(trial.number) if trial.number in opened else 0
            is_waiting = trial.is_open and self._site.is_validating()
            return markup(trial_content(trial, games, kept, before, is_waiting=is_waiting))

        return await trio.to_thread.run_sync(read)

    async def change_draft(self, request: Request) -> Response:
        """Store the draft that a form sends, then check, try or submit the draft, as the form says."""
        viewer = await self._login.find_viewer(request)
        was = await self._require_draft(request, viewer.owner)
        said = await self._read_form(request, was.owner)
        await self._login.require_sender(request, said.get("form_token", ""))
        is_script = request.headers.get("accept") == "application/json"
        draft = was
        try:
            draft = replace(was, bot=said.get("bot", was.bot), files=_read_files(said))
            self._check_room()
            bot = was.bot if draft.bot == was.bot else await self._claim_name(was.owner, draft.bot)
            revision = int(said["revision"]) if said.get("revision", "").isdecimal() else -1
            known = replace(was, revision=revision)
            draft = await trio.to_thread.run_sync(self._drafts.save_draft, known, bot, draft.files)
            reply = await self._act(request, draft, said)
        except ComeAgain as error:
            status, complaint = 429, f"{error}; the next one may begin in {error.seconds:g} s."
        except DraftMoved as error:
            status, complaint = CONFLICT, f"{error}; copy what you need, and open the page again."
        except NameTaken as error:
            status, complaint = CONFLICT, f"{error}."
        except DraftRefused as error:
            status, complaint = 422, f"{error}."
        except RefusedRequest as error:
            status, complaint = error.status_code, f"{error.detail}."
        else:
            return _send_json(reply) if is_script else RedirectResponse(str(reply["go"]), SEE_OTHER)
        if is_script:
            return _send_json({"error": complaint, "revision": draft.revision}, status)
        frame, view = await self._pages.open_page(request)
        return await self._render_draft(frame, view, draft, status, complaint)

    async def _read_form(self, request: Request, owner: str) -> dict[str, str]:
        """Return the fields of a form, one form of an owner at a time: they are large."""
        if owner in self._sending:
            raise HTTPException(429, "another form of yours is being sent", {"retry-after": "5"})
        self._sending.add(owner)
        try:
            return await read_form(request, LONGEST_DRAFT_FORM, MAX_DRAFT_FIELDS)
        finally:
            self._sending.discard(owner)

    async def _act(self, request: Request, draft: Draft, said: Mapping[str, str]) -> Reply:
        """Do what a form says with a draft that is kept; return what a script is told, with the next address.

        Raises:
            ComeAgain, DraftRefused, RefusedRequest: it is not to be done.
        """
        here = f"{EDITOR_PATH}/{draft.number}"
        actions: dict[str, Callable[[], Awaitable[Reply]]] = {
            "check": lambda: self._begin_trial(draft, "check", ""),
            "try": lambda: self._try_against(request, draft, said.get("against", "")),
            "submit": lambda: self._submit(draft),
            "add": lambda: self._add_file(draft, said.get("new_path", "").strip()),
            "remove": lambda: self._remove_file(draft, said.get("old_path", "")),
            "drop": lambda: self._drop(draft),
        }
        action = actions.get(said.get("do", ""))
        more: Reply = {} if action is None else await action()
        return {"revision": draft.revision, "go": here, **more}

    async def _try_against(self, request: Request, draft: Draft, opponent: str) -> Reply:
        _, view = await self._pages.open_page(request)
        known = await self._list_opponents(view, draft.owner)
        if opponent not in [one.word for one in known]:
            raise DraftRefused("choose an opponent of the list")
        return await self._begin_trial(draft, "games", opponent)

    async def _begin_trial(self, draft: Draft, kind: TrialKind, opponent: str) -> Reply:
        rules = self._league.file.trials
        if not rules.a_day:
            raise DraftRefused("this league does not try drafts; submit it")
        begun = await trio.to_thread.run_sync(self._trials.begin, draft, kind, opponent, rules.a_day, rules.at_once)
        self._ring()
        return {"trial": begun.number, "go": f"{EDITOR_PATH}/{draft.number}#trial"}

    async def _submit(self, draft: Draft) -> Reply:
        received = await self._site.take_archive(draft.owner, draft.bot, pack_files(draft.files))
        return {"go": f"/versions/{received.submission.number}", "leaves": True}

    async def _add_file(self, draft: Draft, path: str) -> Reply:
        check_path(path)
        if path in draft.files:
            raise DraftRefused(f"there is a file {path!r} already")
        await self._save(draft, {**draft.files, path: ""})
        return {"leaves": True}

    async def _remove_file(self, draft: Draft, path: str) -> Reply:
        await self._save(draft, {one: text for one, text in draft.files.items() if one != path})
        return {"leaves": True}

    async def _save(self, draft: Draft, files: Mapping[str, str]) -> None:
        await trio.to_thread.run_sync(self._drafts.save_draft, draft, draft.bot, files)

    async def _drop(self, draft: Draft) -> Reply:
        await trio.to_thread.run_sync(self._drafts.remove_draft, draft.owner, draft.number)
        return {"go": EDITOR_PATH, "leaves": True}

    async def _require_draft(self, request: Request, owner: str) -> Draft:
        """Return the draft of an address, to its owner.

        Raises:
            HTTPException: nobody is logged in, or this owner has no such draft.
        """
        if not owner:
            raise HTTPException(401, "log in first: drafts are for their owners alone")
        number = min(request.path_params["number"], 1 << 62)
        found = await trio.to_thread.run_sync(self._drafts.find_draft, owner, number)
        if found is None:
            raise HTTPException(404, "you have no such draft")
        return found

    # ---- replays of practice games

    async def replay_page(self, request: Request) -> Response:
        """Return the page on which a practice game is seen card by card, to the owner of the draft."""
        trial, _ = await self._require_record(request)
        number = request.path_params["game"] + 1
        back = el("div", el("a", f"{trial.bot}: the editor", href=f"{EDITOR_PATH}/{trial.draft}#trial"), id="bar")
        content = (back, el("div", id="replay"))
        return render_page(f"Practice game {number}", "game", *content, styles=("table", "live"))

    async def send_replay(self, request: Request) -> Response:
        """Return the data of that page."""
        _, record = await self._require_record(request)
        part, number = read_number(request, "part") or 0, request.path_params["game"] + 1

        def replay() -> bytes:
            return msgspec.json.encode(
                make_replay_data(record, self._league.game, number, None, part, "?part={}".format)
            )

        data = await trio.to_thread.run_sync(replay, limiter=self._replaying)
        return Response(data, media_type="application/json", headers={"cache-control": "no-store"})

    async def _require_record(self, request: Request) -> tuple[Trial, Record]:
        viewer = await self._login.find_viewer(request)
        number, game = (min(request.path_params[name], 1 << 62) for name in ("number", "game"))
        trial = await trio.to_thread.run_sync(self._trials.find_trial, viewer.owner, number) if viewer.owner else None
        packed = b"" if trial is None else await trio.to_thread.run_sync(self._trials.find_record, number, game)
        if trial is None or not packed:
            raise HTTPException(404, "you have no such practice game, or its record is not kept any more")
        return trial, loads(decompress_text(packed))


def _read_files(said: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a form, by path.

    Raises:
        DraftRefused: two have the same path, or there are none.
    """
    found: dict[str, str] = {}
    for name, path in said.items():
        if name.startswith("path-"):
            if path in found:
                raise DraftRefused(f"there are two files {path!r}")
            found[path] = tidy_text(said.get(f"text-{name.removeprefix('path-')}", ""))
    if not found:
        raise DraftRefused("this form has no file")
    return found


def _send_zip(files: Mapping[str, str], name: str) -> Response:
    headers = {
        "content-disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}.zip",
        "cache-control": "no-store",
    }
    return Response(zip_files(files, name), media_type="application/zip", headers=headers)


def _send_json(reply: Reply, status: int = 200) -> Response:
    headers = {"cache-control": "no-store"}
    return Response(msgspec.json.encode(reply), status, media_type="application/json", headers=headers)
