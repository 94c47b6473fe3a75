"""The page of a recorded game in Chromium: each frame shows the table as it was, to each viewer what it may see."""

from __future__ import annotations

import base64
import importlib
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from pitboss import AnyGame, Random, Table
from pitboss.game import resolve_options
from pitboss.plugins.registry import Registry
from pitboss.protocol.faults import Fault
from pitboss.records.record import Decision, Incident, Record, replay_states
from pitboss.rendering.appearance import find_looks
from pitboss.rendering.presentation import find_hint
from pitboss.simulation.random_play import choose_from, play_decisions
from pitboss.table.zones import EMPTY, ZoneKind
from pitboss_magpie.magpie import Magpie
from pitboss_tournament.models.calls import CallPlace, CallRow
from pitboss_tournament.models.chat import ChatReply, ChatRequest
from pitboss_tournament.models.choice import Verdict
from pitboss_tournament.text.terminal_text import value_text
from pitboss_tournament.web.replay_page import make_replay_data, render_replay
from tests import ROOT
from tests.browser.chromium import Browser, Page
from tests.core.sealed_bids import SealedBids
from tests.marks import first_rows
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

CRAZY_EIGHTS: Final = ROOT / "examples/plugins/pitboss-crazy-eights"
SEED: Final = "s3cret"
HOSTILE_NAME: Final = "<img src=x onerror=document.title='pwned'>"
SHORT_OPTIONS: Final[dict[str, dict[str, object]]] = {
    "magpie": {"turns": 6},
    "racko": {"max_rounds": 1, "max_turns": 12},
    "rummy": {"deals": 2, "max_turns": 12},
    "lucky-maker": {"games": 1},
    "ragamaru": {"max_turns": 100},
}
READ_ZONES: Final = """
    Object.fromEntries([...document.querySelectorAll('.zone')].map(zone => [zone.dataset.name, [+zone.dataset.count,
        [...zone.querySelectorAll('li')].map(card => card.getAttribute('aria-label') ?? '')]]))
"""
READ_SECRETS: Final = """
    Object.fromEntries([...document.querySelectorAll('.secret')].map(place => [
        (place.closest('.seat')?.dataset.seat ?? '') + '/' + place.dataset.title,
        [...place.querySelectorAll('li')].map(value => value.textContent)]))
"""
PRESS: Final = "document.dispatchEvent(new KeyboardEvent('keydown', {key: '%s', bubbles: true}))"
TO_FIRST_FRAME: Final = f"while (+document.documentElement.dataset.frame) {PRESS % 'ArrowLeft'}"
PILE_SHOWN: Final = 3  # uppermost cards of a pile that are drawn
# by decision: the zones in its last frame
IS_SHOWN: Final = "document.querySelector('h1') !== null"
READ_DATA: Final = """new Response(new Blob([Uint8Array.from(
    atob(document.getElementById('replay-data').textContent), letter => letter.charCodeAt(0)
)]).stream().pipeThrough(new DecompressionStream('deflate'))).json()"""
STEP_THROUGH: Final = f"""(async () => {{
    const data = await {READ_DATA}, found = {{}};
    {TO_FIRST_FRAME};
    for (const frame of data.sequence.frames) {{
        found[frame.decision] = {READ_ZONES.strip()};
        {PRESS % "ArrowRight"};
    }}
    return found;
}})()"""


def find_game(name: str) -> AnyGame:
    """Return an installed game, or the test game."""
    return Magpie() if name == "magpie" else Registry().find_game(name)


def record_game(game: AnyGame, seats: int, overrides: dict[str, object] | None = None) -> Record:
    """Return the record of a game played at random, with notes."""
    options = resolve_options(game, seats, overrides=overrides)
    state, rng = game.deal(seats, options, Random(SEED)), Random("choices")
    decisions: list[Decision] = []

    def choose(state: Any, legal: Sequence[object]) -> object:  # noqa: ANN401 - any game's state
        action = choose_from(rng)(state, legal)
        decisions.append(Decision(seat=state.turn.seat, action=action, us=50 + len(decisions), note="I think"))
        return action

    for _ in play_decisions(state, choose):
        pass
    record = Record(
        game=game.name,
        game_version=game.version,
        options=options,
        seed=SEED,
        players=[f"player {seat}" for seat in range(seats)],
        decisions=decisions,
        outcome=state.outcome(),
    )
    return msgspec.convert(msgspec.to_builtins(record), Record)


def open_replay(browser: Browser, folder: Path, record: Record, game: AnyGame, viewer: int | None = None) -> Page:
    """Return the page of a game, once it shows the game."""
    file = folder / "game.html"
    file.write_text(render_replay(make_replay_data(record, game, 7, viewer)))
    page = browser.open(file.as_uri())
    page.wait_for(IS_SHOWN)
    return page


def expected_zones(table: Table, game: AnyGame, viewer: int | None) -> dict[str, list[str]]:
    """Return what is to be read in each zone that is drawn, if it is used: the names of its cards.

    A pile shows the back of a card that nobody has seen, also where every card is shown, and so do tricks that were
    taken. Hands and melds are sorted.
    """
    looks = find_looks(game, table.layout.deck)
    zones = {}
    for zone in table.layout.zones:
        hint = find_hint(game, zone)
        if hint.place == "hidden":
            continue
        faces = table.faces(zone) if viewer is None else table.faces_known_to(zone, viewer)
        names = ["a hidden card" if face is None else looks[str(face)].name for face in faces]
        if viewer is None and zone.is_stacked:
            unseen = [not table.known_by[card] for card in table.zones[zone]]
            names = ["a hidden card" if hidden else name for hidden, name in zip(unseen, names, strict=True)]
        if zone.is_stacked and zone.owner is not None and hint.place == "beside":
            names = ["a hidden card"] * len(names)
        if zone.has_slots:
            names = ["" if card == EMPTY else name for card, name in zip(table.zones[zone], names, strict=True)]
        zones[zone.name] = sorted(names) if zone.kind is ZoneKind.HAND or hint.group == "meld" else names
    return zones


def check_frames(page: Page, record: Record, game: AnyGame, viewer: int | None) -> None:
    """Step to the end, and compare the zones after each decision with those of the replayed state."""
    found = page.run(STEP_THROUGH)
    checked = 0
    for number, state in enumerate(replay_states(record, game)):
        shown = found.get(str(number))
        if shown is None:
            continue  # the viewer saw nothing of the decision
        for name, cards in expected_zones(state.table, game, viewer).items():
            if name in shown:
                count, drawn = shown[name]
                assert count == len([card for card in cards if card]), (number, name)
                drawn = sorted(drawn) if "hand" in name or "meld" in name else drawn
                zone = state.table.layout.find_zone(name)
                if zone is not None and zone.is_stacked:
                    assert drawn == cards[-PILE_SHOWN:], (number, name)
                elif state.table.layout.deck.has_copies and viewer is not None:
                    assert Counter(drawn) - Counter(cards) <= Counter({"a hidden card": len(cards)})
                else:
                    assert drawn == cards, (number, name)
                checked += len(cards)
            else:
                assert not cards, (number, name)
    assert checked > 100
    assert page.messages() == []


@pytest.mark.parametrize("viewer", [None, 0])
@first_rows(1)("name", SHORT_OPTIONS)
def test_every_frame(browser: Browser, tmp_path: Path, name: str, viewer: int | None) -> None:
    """Stepped to its end by the keyboard, the page of a game shows the zones of the table, as far as the viewer knows
    the cards.
    """
    game = find_game(name)
    record = record_game(game, game.seats[0], SHORT_OPTIONS[name])

    check_frames(open_replay(browser, tmp_path, record, game, viewer), record, game, viewer)


@pytest.mark.long
def test_a_game_by_a_stranger(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that nobody thought of when the viewer was made is shown like any other."""
    monkeypatch.syspath_prepend(str(CRAZY_EIGHTS))
    game = importlib.import_module("crazy_eights").CrazyEights()
    record = record_game(game, 3)

    check_frames(open_replay(browser, tmp_path, record, game), record, game, None)


def test_an_address_that_is_overwritten_at_once(browser: Browser, tmp_path: Path) -> None:
    """The page goes where an address has led, though it has written where it was before it heard of that."""
    game = SealedBids()
    page = open_replay(browser, tmp_path, record_game(game, 3), game)

    go_on = "new Promise(done => { onhashchange = done; location.hash = '#t=4'; history.replaceState(0, '', '#t=1'); })"
    page.run(go_on)

    assert page.run("document.querySelector('.said b').textContent").startswith("4. ")


@pytest.mark.parametrize("viewer", [None, 1])
def test_rolled_and_chosen_values(browser: Browser, tmp_path: Path, viewer: int | None) -> None:
    """Dice, wheels and bids are shown at the places of their owners, to who may see them."""
    game = SealedBids()
    record = record_game(game, 3)
    page = open_replay(browser, tmp_path, record, game, viewer)
    compared = 0
    for number, state in enumerate(replay_states(record, game)):
        page.run(f"new Promise(done => {{ onhashchange = done; location.hash = '#t={number}.'; }})")
        shown = page.run(READ_SECRETS)
        for secret in state.table.layout.secrets:
            owner = "" if secret.owner is None else f"{secret.owner}"
            held = state.table.secrets[secret]
            is_known = viewer is None or held.known_by >> viewer & 1
            values = [value_text(value) for value in held.values] if is_known else ["?"] if held.values else []
            assert shown[f"{owner}/{secret.name.removesuffix(f' {secret.owner}')}"] == values, (number, secret)
            compared += len(values)
        if number == len(record.decisions) - 1:
            break
    assert compared > 20


def test_the_eyes_of_a_seat(browser: Browser, tmp_path: Path) -> None:
    """On a page that holds every card one may look with the eyes of a seat."""
    game = Registry().find_game("lucky-maker")
    page = open_replay(browser, tmp_path, record := record_game(game, 3, SHORT_OPTIONS["lucky-maker"]), game)
    page.run("document.querySelector('[data-decision=\"5\"]').click()")
    page.run("const s = document.querySelector('.eyes'); s.value = '1'; s.dispatchEvent(new Event('change'))")
    hands = {name: set(cards) for name, (_, cards) in page.run(READ_ZONES).items() if name.startswith("hand")}

    assert hands["hand 0"] == hands["hand 2"] == {"a hidden card"}
    assert "a hidden card" not in hands["hand 1"]
    assert page.run("document.querySelector('.seat.near').ariaLabel") == "player 1, seat 1"
    assert record.players[1] == "player 1"


def test_the_keyboard_and_the_list_of_decisions(browser: Browser, tmp_path: Path) -> None:
    """Arrows, Home, End and space work, the list of decisions leads to each of them, and what happened is said."""
    game = Magpie()
    record = record_game(game, 2, SHORT_OPTIONS["magpie"])
    page = open_replay(browser, tmp_path, record, game)
    frame = "+document.documentElement.dataset.frame"
    opened = page.run(frame)
    deal = page.run(f"(async () => (await {READ_DATA}).sequence.frames.filter(one => !one.decision).length)()") - 1

    page.press("End")
    last = page.run(frame)
    page.press("ArrowLeft")
    before = page.run(frame)
    page.press("Home")
    first = page.run(frame)
    page.press(" ")
    page.run(
        f"new Promise(done => {{ const t = setInterval(() => {frame} >= {deal + 2} && done(clearInterval(t)), 5) }})"
    )
    page.press(" ")
    page.run("document.querySelector('[data-decision=\"3\"]').click()")

    assert (before, first, opened) == (last - 1, deal, deal)
    assert page.run("document.querySelector('.said').textContent").startswith(
        f"3. {record.players[record.decisions[2].seat]}: "
    )
    assert page.run("document.querySelector('[aria-current]').dataset.decision") == "3"
    assert page.run("document.querySelector('.said').getAttribute('aria-live')") == "polite"


def test_results_and_faults(browser: Browser, tmp_path: Path) -> None:
    """The last frame has places and points; a fault is in the list of decisions."""
    game = Magpie()
    fault = Fault(kind="late", seat=0, decision=2, message="no answer after 100 ms")
    record = msgspec.structs.replace(
        record_game(game, 2, SHORT_OPTIONS["magpie"]),
        incidents=[Incident(fault=fault, last_words="no card\n<b>here</b>")],
    )
    page = open_replay(browser, tmp_path, record, game)
    page.press("End")

    for seat, points in enumerate(record.outcome.points):
        assert f"{points:g} point" in page.run(f"document.querySelector('[data-seat=\"{seat}\"] .result').textContent")
    assert "no answer after 100 ms" in page.run("document.querySelector('.move.fault em').textContent")
    page.run("document.querySelector('.bad').click()")
    assert page.run("document.querySelector('.thought pre').textContent") == "no card\n<b>here</b>"


def test_nothing_that_a_bot_writes_runs(browser: Browser, tmp_path: Path) -> None:
    """Names and notes with markup are text, and a note of a megabyte does no harm."""
    game = Magpie()
    record = record_game(game, 2, SHORT_OPTIONS["magpie"])
    record.players[0] = HOSTILE_NAME
    record.decisions[0] = msgspec.structs.replace(record.decisions[0], note="</script><script>alert(1)</script>")
    record.decisions[1] = msgspec.structs.replace(record.decisions[1], note="x" * 1_000_000)
    page = open_replay(browser, tmp_path, record, game)

    assert HOSTILE_NAME in page.run("document.body.innerText")
    assert page.run("document.images.length + document.querySelectorAll('script').length") == 2
    assert page.run("document.title") == "Magpie: game 7"
    assert "<script>alert(1)" in page.run("document.querySelector('.moves .note').textContent")
    assert page.run("document.documentElement.scrollWidth <= innerWidth")
    assert page.messages() == []


def make_call(seat: int, decision: int, ask: int, text: str) -> CallRow:
    """Return a call of a language model at a decision of a seat."""
    return CallRow(
        place=CallPlace(7, seat, decision, ask),
        digest="d",
        bot="ann",
        model="main",
        at="",
        tries=1,
        ms=20,
        usd=0.5,
        request=ChatRequest(messages=[], max_output=50),
        reply=ChatReply(text=text, tokens_in=90, tokens_out=9),
        verdict=Verdict("illegal", HOSTILE_NAME),
    )


@pytest.mark.parametrize("width", [1400, 400])
def test_what_language_models_answered(browser: Browser, tmp_path: Path, width: int) -> None:
    """The answers of a decision stand beside it, as text whatever is in them; a long one is folded."""
    game = Magpie()
    record = record_game(game, 2, SHORT_OPTIONS["magpie"])
    seat = record.decisions[0].seat
    answers = f"<script>alert(1)</script>\x1b[2J {HOSTILE_NAME}", "I think about it.\n" * 300
    calls = [make_call(seat, 1, ask, text) for ask, text in enumerate(answers, 1)]
    file = tmp_path / "game.html"
    file.write_text(render_replay(make_replay_data(record, game, 7, calls=calls)))
    page = browser.open(file.as_uri(), width)
    page.wait_for(IS_SHOWN)
    if width == 400:
        page.run("document.querySelector('.list').click()")
    page.run("document.querySelector('[data-decision=\"1\"]').click()")

    told = page.run("[...document.querySelectorAll('.answer')].map(one => one.innerText)")
    assert told[0].startswith(f"question 1: main illegal: {HOSTILE_NAME} [20 ms, 90 + 9 tokens, $0.5000]")
    assert told[0].endswith(rf"<script>alert(1)</script>\x1b[2J {HOSTILE_NAME}")
    assert told[1].endswith("The answer, 5,399 characters")
    page.run("document.querySelector('.answer summary').click()")
    assert page.run("document.querySelector('details pre').getBoundingClientRect().height") > 1000
    assert page.run("document.images.length + document.querySelectorAll('script').length") == 2
    assert page.run("document.documentElement.scrollWidth <= innerWidth")
    assert page.messages() == []
    page.run("document.querySelector('[data-decision=\"2\"]').click()")
    assert page.run("document.querySelectorAll('.answer').length") == 0
    other = make_replay_data(record, game, 7, viewer=1 - seat, calls=calls)
    assert not any(decision.answers for decision in other.decisions)


@pytest.mark.parametrize("width", [1400, 400])
@first_rows(1)("name", ["ragamaru", "rummy", "poker"])
def test_the_widest_table_fits(browser: Browser, tmp_path: Path, name: str, width: int) -> None:
    """With as many players as there can be, nothing is wider than the window."""
    game = Registry().find_game(name)
    record = record_game(game, game.seats[-1], SHORT_OPTIONS.get(name))
    file = tmp_path / "game.html"
    file.write_text(render_replay(make_replay_data(record, game, 0)))
    page = browser.open(file.as_uri(), width)
    for key in ("Home", "End"):
        page.press(key)
        assert page.run("document.documentElement.scrollWidth <= innerWidth")
        assert page.run(
            "[...document.querySelectorAll('.card')].every(c => c.getBoundingClientRect().right <= innerWidth)"
        )


@first_rows(1)("name", ["racko", "ragamaru", "rummy", "lucky-maker", "poker", "hearts", "spades"])
def test_cards_are_large_and_their_indexes_can_be_read(browser: Browser, tmp_path: Path, name: str) -> None:
    """At 1400 by 900 an own card is at least 90 pixels wide, and of a card that others cover its index is seen."""
    game = Registry().find_game(name)
    page = open_replay(browser, tmp_path, record_game(game, 4 if 4 in game.seats else 3, SHORT_OPTIONS.get(name)), game)
    width, steps = page.run("""(() => {
        const boxes = [...document.querySelectorAll('.near :is(.hand, .slots, .spread) .card')]
            .map(card => card.getBoundingClientRect());
        const rows = Map.groupBy(boxes, box => box.top).values();
        const steps = [...rows].flatMap(row => row.slice(1).map((box, at) => box.left - row[at].left));
        return [Math.min(...boxes.map(box => box.width)), steps];
    })()""")

    assert width >= 90
    assert min(steps) >= 0.4 * width


def test_a_low_window_is_filled_by_the_table(browser: Browser, tmp_path: Path) -> None:
    """In the window of a phone on its side the controls stand beside the table; none of them is cut."""
    file = tmp_path / "game.html"
    game = Registry().find_game("bridge")
    file.write_text(render_replay(make_replay_data(record_game(game, 4), game, 7)))
    page = browser.open(file.as_uri(), 844, height=390)
    page.wait_for(IS_SHOWN)

    table = page.run("document.querySelector('.table').getBoundingClientRect().toJSON()")
    lowest = page.run(
        "Math.max(...[...document.querySelectorAll('.controls *')].map(one => one.getBoundingClientRect().bottom))"
    )

    assert table["height"] > 340
    assert table["width"] > 590
    assert lowest <= 390


def test_who_moves_and_what_each_did_last(browser: Browser, tmp_path: Path) -> None:
    """The seat that decides next is framed, each seat's last move stands below its name, and a part begins without
    them.
    """
    game = Registry().find_game("rummy")
    record = record_game(game, 3, SHORT_OPTIONS["rummy"])
    page = open_replay(browser, tmp_path, record, game)
    last = "(seat => document.querySelector(`[data-seat='${seat}'] .last`))"
    page.run("document.querySelector('[data-decision=\"4\"]').click()")
    acting = page.run("[...document.querySelectorAll('.acts')].map(seat => +seat.dataset.seat)")
    told = page.run(f"{last}({record.decisions[3].seat}).textContent")
    page.run("document.querySelector('.buttons .part:nth-of-type(6)').click()")
    texts = page.run("[...document.querySelectorAll('.last')].map(one => one.textContent).join('')")

    assert acting == [record.decisions[4].seat]
    assert told.startswith(record.decisions[3].action["do"])
    assert page.run("document.querySelector('.facts').textContent") == "deal 2"
    assert texts == ""
    page.wait_for("location.hash.startsWith('#t=')")


def test_the_result_can_be_hidden(browser: Browser, tmp_path: Path) -> None:
    """The page shows the result from the start, and hides it on request."""
    game = Magpie()
    page = open_replay(browser, tmp_path, record_game(game, 2, SHORT_OPTIONS["magpie"]), game)
    shown = page.run("document.querySelectorAll('.standing li').length")
    page.run("document.querySelector('.toggle').click()")

    assert (shown, page.run("document.querySelectorAll('.standing li').length")) == (2, 0)


def test_names_from_right_to_left(browser: Browser, tmp_path: Path) -> None:
    """A name in another direction turns nothing round, and says its direction itself."""
    game = Magpie()
    record = record_game(game, 2, SHORT_OPTIONS["magpie"])
    record.players[0] = "إبسيلون الذكي"
    page = open_replay(browser, tmp_path, record, game)

    assert page.run("[...document.querySelectorAll('.name')].every(one => one.tagName === 'BDI' && one.dir === 'auto')")
    assert page.run("getComputedStyle(document.querySelector('.table')).direction") == "ltr"


@pytest.mark.long
def test_a_report_leads_to_games(browser: Browser, tmp_path: Path) -> None:
    """With --replays each bot and each notable game of a report leads to a page, which shows that game."""
    match = (
        "match",
        "magpie",
        "house:random",
        "house:first",
        "--deals",
        "4",
        "--store",
        "a b.pitboss",
        "-s",
        "pinned=false",
    )
    assert run_pitboss(*match, cwd=tmp_path).status == 0
    ran = run_pitboss("report", "a b.pitboss", "--replays", cwd=tmp_path)
    page = browser.open((tmp_path / "a b.html").as_uri())
    links = page.run("[...document.querySelectorAll('tbody a')].map(link => [link.textContent, link.href])")
    titles = []
    for _, address in links:
        page.go(address)
        page.wait_for(IS_SHOWN)
        titles.append(page.run("document.querySelector('h1').textContent"))

    assert ran.out == "The report is in a b.html, its games are in a b-games.\n"
    assert {text.split(". ")[-1] for text, _ in links[:2]} == {"house:first", "house:random"}
    assert len(links) >= 5
    assert titles == [f"Magpie: game {address.rpartition('/')[2].removesuffix('.html')}" for _, address in links]
    assert page.messages() == []


def test_a_report_without_its_games(tmp_path: Path) -> None:
    """Without --replays a report is one page, which leads nowhere else."""
    match = (
        "match",
        "magpie",
        "house:random",
        "house:first",
        "--deals",
        "2",
        "--store",
        "x.pitboss",
        "-s",
        "pinned=false",
    )
    assert run_pitboss(*match, cwd=tmp_path).status == 0
    assert run_pitboss("report", "x.pitboss", cwd=tmp_path).status == 0

    assert ".html" not in (tmp_path / "x.html").read_text()
    assert not (tmp_path / "x-games").exists()


def test_a_sequence_of_a_seat_holds_no_unseen_card(tmp_path: Path) -> None:
    """The bytes of a seat's page hold neither the seed nor what others decided in secret."""
    game = Registry().find_game("lucky-maker")
    record = record_game(game, 3, SHORT_OPTIONS["lucky-maker"])
    data = make_replay_data(record, game, 0, viewer=1)
    page = render_replay(data)

    block = page.split('id="replay-data">')[1].split("</script>")[0]
    assert record.seed not in zlib.decompress(base64.b64decode(block)).decode()
    assert all(decision.note == "" for decision in data.decisions if decision.seat != 1)
    assert all(decision.us is None for decision in data.decisions if decision.seat != 1)
    assert not any(frame.known for frame in data.sequence.frames)
    assert data.costliest is None
    assert all(decision.values is None and not decision.errors for decision in data.decisions)


def test_moves_of_others_as_a_seat_saw_them() -> None:
    """A page for a seat tells in a few words what others did: what they took face down has no face."""
    game = Registry().find_game("rummy")
    record = record_game(game, 2, SHORT_OPTIONS["rummy"])
    told = {
        (decision.action["do"], page.text or "")
        for decision, page in zip(record.decisions, make_replay_data(record, game, 0, viewer=0).decisions, strict=True)
        if decision.seat == 1
    }

    assert ("draw", "draw") in told
    assert {text for verb, text in told if verb == "draw"} == {"draw"}
    assert all(text.startswith("discard ") and text[8] in "♠♥♦♣" for verb, text in told if verb == "discard")


@pytest.mark.long
def test_a_page_of_a_long_game_is_small(browser: Browser, tmp_path: Path) -> None:
    """A whole game of Rack-O with four players, of more than a thousand decisions, is a page of 0.4 MB at most, and
    opens.
    """
    game = Registry().find_game("racko")
    record = record_game(game, 4, {"max_turns": 40, "max_rounds": 8})
    page = open_replay(browser, tmp_path, record, game)

    assert len(record.decisions) > 1_000
    assert (tmp_path / "game.html").stat().st_size < 400_000
    assert page.run(f"(async () => (await {READ_DATA}).decisions.length)()") == len(record.decisions)
