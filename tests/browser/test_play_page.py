"""People at their browsers: whole games, what each of them sees, ways to choose, and what is refused."""

from __future__ import annotations

import http.client
import json
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from pitboss.plugins.registry import Registry
from pitboss_tournament.store.store import Store
from pitboss_tournament.web.replay_page import make_replay_data
from tests.browser.chromium import Browser
from tests.browser.play_page import (
    HEADING,
    IS_OVER,
    MY_TURN,
    SEND,
    open_link,
    open_play,
    play_turn,
    read_game,
)
from tests.marks import first_rows
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

MAGPIE: Final = ("magpie", "--against", "house:first", "-o", "turns=3", "--seed", "s", "--store", "x.pitboss")
FAMILY: Final = ("magpie", "--name", "Ann", "--name", "Bob", "-o", "turns=3", "--seed", "s", "--store", "x.pitboss")
SHORT_GAMES: Final = {
    "racko": ("--against", "house:first", "-o", "max_rounds=1", "-o", "max_turns=4"),
    "rummy": ("--against", "house:rummy", "-o", "deals=1", "-o", "max_turns=4"),
    "lucky-maker": ("--against", "house:first", "-o", "games=1"),
    "ragamaru": ("--against", "house:ragamaru", "-o", "max_turns=100"),
}
OWN_CARDS: Final = "document.querySelectorAll('.near .card')"
SEND_GARBAGE: Final = """new Promise(done => {
    const socket = new WebSocket(`${location.href.replace(/^http/, 'ws')}/socket`);
    socket.onopen = () => socket.send(%s);
    socket.onclose = event => done(event.code);
})"""


def sequence_of(store: Path, game_id: int, seat: int) -> Any:  # noqa: ANN401 - any JSON
    """Return the sequence of a stored game as a seat saw it."""
    opened = Store(store)
    record = opened.record(game_id)
    opened.close()
    data = make_replay_data(record, Registry().find_game(record.game), game_id, seat)
    return json.loads(msgspec.json.encode(data.sequence))


@pytest.mark.long
@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game == "racko" else pytest.mark.long) for game in SHORT_GAMES]
)
def test_two_people_and_a_bot(tmp_path: Path, browser: Browser, game: str) -> None:
    """Two people and a bot finish a game, one of them reloads in the middle. Each page has seen what the sequence of
    the recorded game has for that seat, and nothing else; the record replays.
    """
    words = (game, "--name", "Ann", "--name", "Bob", *SHORT_GAMES[game], "--seed", "s", "--store", "x.pitboss")
    with open_play(*words, cwd=tmp_path, people=2) as server:
        ann, bob = (open_link(browser, server.links[name]) for name in ("Ann", "Bob"))
        watching = open_link(browser, server.links["spectators"])
        for _ in range(3):
            play_turn(ann, bob)
        ann.go(server.links["Ann"])
        ann.wait_for(HEADING)
        while play_turn(ann, bob):
            pass
        watching.wait_for(IS_OVER)
        seen = [read_game(page)["data"]["sequence"] for page in (ann, bob, watching)]
        ann.wait_for("document.querySelector('.panel [data-key=\"new cards\"]')")
        for page in (ann, bob, watching):
            page.wait_for("document.querySelector('.seat.near .result').textContent.includes('point')")
        status, _ = server.stop()

    assert status == 143
    assert seen == [sequence_of(tmp_path / "x.pitboss", 0, seat) for seat in (0, 1, 3)]
    assert run_pitboss("integrity", "--replay", "x.pitboss", cwd=tmp_path).status == 0
    assert [page.messages() for page in (ann, bob, watching)] == [[], [], []]


@pytest.mark.long
def test_a_card_is_picked_and_given_back(tmp_path: Path, browser: Browser) -> None:
    """A click on a card offers what it may mean, Escape takes it back, and a second click plays what is meant."""
    words = ("rummy", "--against", "house:first", "-o", "deals=1", "-o", "max_turns=9", "--seed", "s", "--seat", "1")
    with open_play(*words, cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"])
        page.wait_for(MY_TURN)
        for _ in range(2):
            page.run("document.querySelector('.zone[data-name=stock] .touch').click()")
        page.wait_for(f"{MY_TURN} && {OWN_CARDS}.length === 11")
        page.run(f"{OWN_CARDS}[0].querySelector('.touch').click()")
        picked = page.run("document.querySelectorAll('.card.picked').length")
        face = page.run(f"{OWN_CARDS}[0].getAttribute('aria-label')")
        offered = page.run("document.querySelector('.confirm').textContent")
        framed = page.run("[...document.querySelectorAll('.zone.can')].map(zone => zone.dataset.name)")
        page.press("Escape")
        undone = page.run("document.querySelectorAll('.picked, .confirm').length")
        for _ in range(2):
            page.run(f"{OWN_CARDS}[0].querySelector('.touch').click()")
        page.wait_for(f"{OWN_CARDS}.length === 10 && {OWN_CARDS}[0].getAttribute('aria-label') !== '{face}'")

    assert picked == 1
    assert offered.startswith("discard ")
    assert framed == ["discard"]
    assert undone == 0


@pytest.mark.long
def test_a_move_is_taken_back(tmp_path: Path, browser: Browser) -> None:
    """A player takes back the last move if it has shown nothing new; a card that was drawn cannot be taken back."""
    words = ("rummy", "--against", "house:first", "-o", "deals=1", "-o", "max_turns=9", "--seed", "s", "--seat", "0")
    back = "document.querySelector('[data-key=\"take back\"]:not(:disabled)')"
    with open_play(*words, "--store", "x.pitboss", cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"])
        page.wait_for(f"{HEADING} === 'Your turn: draw a card, or take the discard'")
        before = page.run(f"[{OWN_CARDS}.length, Boolean({back})]")
        for _ in range(2):
            page.run("document.querySelector('.zone[data-name=discard] .touch').click()")
        page.wait_for(f"{HEADING} === 'Your turn: meld, lay off or discard' && {OWN_CARDS}.length === 11")
        page.run(f"{back}.click()")
        page.wait_for(f"{HEADING} === 'Your turn: draw a card, or take the discard' && {OWN_CARDS}.length === 10")
        for _ in range(2):
            page.run("document.querySelector('.zone[data-name=stock] .touch').click()")
        page.wait_for(f"{HEADING} === 'Your turn: meld, lay off or discard' && {OWN_CARDS}.length === 11")
        drawn = page.run(f"Boolean({back})")
        while play_turn(page):
            pass
        page.wait_for("document.querySelector('[data-key=\"new cards\"]')")
        server.stop()
    [game] = [json.loads(line) for line in run_pitboss("export", "x.pitboss", cwd=tmp_path).out.splitlines()]

    assert before == [10, False]
    assert not drawn
    assert game["decisions"][0]["action"] == {"do": "draw"}
    assert run_pitboss("integrity", "--replay", "x.pitboss", cwd=tmp_path).status == 0


@pytest.mark.long
def test_slots_are_clicked(tmp_path: Path, browser: Browser) -> None:
    """A slot of the own rack is clicked, and the card there is what the discard pile had."""
    words = ("racko", "--against", "house:first", "-o", "max_rounds=1", "--seed", "s")
    with open_play(*words, cwd=tmp_path, people=1) as server:
        page = open_link(browser, server.links["You"], width=400)
        page.wait_for("document.querySelectorAll('.near .slots .touch').length === 10")
        on_pile = page.run(
            "document.querySelector('.zone[data-name=discard] li:last-child').getAttribute('aria-label')"
        )
        page.run(f"{OWN_CARDS}[3].querySelector('.touch').click()")
        offered = page.run("document.querySelector('.confirm').textContent")
        page.run("document.querySelector('.confirm').click()")
        page.wait_for(f"{OWN_CARDS}[3].getAttribute('aria-label') === '{on_pile}'")

    assert offered == "take into slot 20"


def test_three_clicks_reach_every_action_of_fireworks(tmp_path: Path, browser: Browser) -> None:
    """A card of one's own, or of another seat, is clicked; then all that it can mean stands there as buttons.

    At a new turn the keyboard is where Enter plays nothing.
    """
    reach = """[...document.querySelectorAll('.seat')].flatMap(seat => {
        const cards = [...seat.querySelectorAll('.spread .card')];
        return (seat.matches('.near') ? cards : cards.slice(0, 1)).flatMap(card => {
            (card.querySelector('.touch') ?? card).click();
            const offered = [...document.querySelectorAll('.panel :is(.action, .confirm)')];
            document.querySelector('[data-key=undo]').click();
            return offered.map(action => action.textContent);
        });
    })"""
    with open_play("fireworks", *["--against", "house:fireworks"] * 3, "--seed", "s", cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"])
        page.wait_for(MY_TURN)
        focused = page.run("document.activeElement.tagName")
        found = page.run(reach)
        page.run("document.querySelector('[data-key=list]').click()")
        everything = page.run("[...document.querySelectorAll('.actions .action')].map(action => action.textContent)")

    assert sorted(found) == sorted(everything)
    assert focused == "H2"


def test_a_score_sheet(tmp_path: Path, browser: Browser) -> None:
    """When a deal is over its points and the totals are shown, and what was scored, until the player goes on."""
    with open_play(
        "cribbage", "--against", "house:first", "--seed", "s", "--store", "x.pitboss", cwd=tmp_path
    ) as server:
        page = open_link(browser, server.links["You"])
        while page.run("document.querySelector('.sheet').hidden"):
            assert play_turn(page)
        title, lines, cells = page.run("""[document.querySelector('.sheet h2').textContent,
            [...document.querySelectorAll('.sheet p')].map(line => line.textContent),
            [...document.querySelectorAll('.sheet td')].map(cell => cell.textContent)]""")
        page.run("document.querySelector('.sheet button').click()")
        is_hidden = page.run("document.querySelector('.sheet').hidden")

    assert title == "Deal 1 is over"
    assert cells[0] == cells[1]
    assert cells[2] == cells[3]
    assert any(line.startswith("You: the hand, ") for line in lines)
    assert is_hidden


@pytest.mark.long
@first_rows(1)(
    "words",
    [
        MAGPIE,
        ("racko", "--against", "house:first", "-o", "max_rounds=1", "-o", "max_turns=4", "--seed", "s"),
        ("poker", "--against", "house:caller", "-o", "hands=2", "--seed", "s"),
        pytest.param(("hearts", *("--against", "house:first") * 2, "--preset", "single"), marks=pytest.mark.long),
        pytest.param(("spades", *("--against", "house:first") * 3, "--preset", "single"), marks=pytest.mark.long),
    ],
    ids=lambda words: str(words[0]),
)
def test_keyboard_alone(tmp_path: Path, browser: Browser, words: tuple[str, ...]) -> None:
    """The keys Tab and Enter play a whole game: what can be chosen has the keyboard when it is one's turn."""
    with open_play(*words, cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"])
        page.wait_for(MY_TURN)
        while not page.run(IS_OVER):
            if page.run("document.activeElement.matches('.panel button:not(:disabled), .touch')"):
                page.press("Enter")
            elif page.run(f"Boolean({MY_TURN})"):
                page.press("Tab")

    assert page.messages() == []


@pytest.mark.long
def test_another_game(tmp_path: Path, browser: Browser) -> None:
    """After a game the same cards can be played one seat on; the pages of all go to it. Both lie in the store."""
    with open_play(*FAMILY, cwd=tmp_path, people=2) as server:
        ann, bob = (open_link(browser, server.links[name]) for name in ("Ann", "Bob"))
        while play_turn(ann, bob):
            pass
        ann.wait_for("document.querySelector('[data-key=\"the same cards, one seat on\"]')")
        before = [read_game(page)["seat"] for page in (ann, bob)]
        ann.run("document.querySelector('[data-key=\"the same cards, one seat on\"]').click()")
        for page in (ann, bob):
            page.wait_for("document.querySelector('h1')?.textContent === 'Magpie: game 1'")
        after = [read_game(page)["seat"] for page in (ann, bob)]
        while play_turn(ann, bob):
            pass
        bob.wait_for("document.querySelector('[data-key=\"new cards\"]')")
        server.stop()
    stored = [json.loads(line) for line in run_pitboss("export", "x.pitboss", cwd=tmp_path).out.splitlines()]

    assert (before, after) == ([0, 1], [1, 0])
    assert [game["players"] for game in stored] == [["Ann", "Bob"], ["Bob", "Ann"]]


@pytest.mark.long
def test_stopped_and_carried_on(tmp_path: Path, browser: Browser) -> None:
    """The pages say after Ctrl-C that the game is kept; the command that is printed carries on with it."""
    with open_play(*MAGPIE, cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"])
        play_turn(page)
        play_turn(page)
        page.wait_for(MY_TURN)
        before = read_game(page)["data"]
        status, said = server.stop()
        page.wait_for(f"{HEADING} === 'The session was stopped; the game is kept.'")
    resume = next(line for line in said.splitlines() if "--resume" in line).split()[2:-1]
    with open_play(*resume, cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"])
        page.wait_for(MY_TURN)
        after = read_game(page)["data"]
        while play_turn(page):
            pass
        page.wait_for("document.querySelector('[data-key=\"new cards\"]')")

    assert status == 143
    assert after == before
    assert run_pitboss("integrity", "--replay", "x.pitboss", cwd=tmp_path).status == 0


@pytest.mark.long
def test_advice(tmp_path: Path, browser: Browser) -> None:
    """The adviser of a player is asked, its choice can be taken, and the record says so."""
    with open_play(*MAGPIE, "--hint", "house:first", cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"])
        page.wait_for(MY_TURN)
        page.run("document.querySelector('[data-key=advise]').click()")
        said = page.wait_for("document.querySelector('.advice span').textContent.match(/would choose: .*/)?.[0]")
        page.run("document.querySelector('[data-key=take]').click()")
        offered = page.run("document.querySelector('.confirm').textContent")
        while play_turn(page):
            pass
        page.wait_for("document.querySelector('[data-key=\"new cards\"]')")
        server.stop()
    [game] = [json.loads(line) for line in run_pitboss("export", "x.pitboss", cwd=tmp_path).out.splitlines()]
    action = said.removeprefix("would choose: ")

    assert offered == action
    assert [one.get("note") for one in game["decisions"] if one["seat"] == 0][:2] == [
        f"house:first advised: {action}",
        None,
    ]


@pytest.mark.long
def test_advice_that_nobody_waits_for(tmp_path: Path, browser: Browser) -> None:
    """A page that is closed while the adviser thinks leaves a question that can be asked again."""
    with open_play(*MAGPIE, "--hint", "house:search?ms=900", cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"])
        page.wait_for(MY_TURN)
        page.run("document.querySelector('[data-key=advise]').click()")
        page.go(server.links["You"])
        page.wait_for("document.querySelector('[data-key=advise]:not(:disabled)')")
        page.run("document.querySelector('[data-key=advise]').click()")
        page.wait_for("document.querySelector('.advice span').textContent.includes('would choose')")


@pytest.mark.long
def test_time_is_over(tmp_path: Path, browser: Browser) -> None:
    """A player who does not choose in time has the neutral action played, and forfeits in the end; the page shows the
    clock.
    """
    with open_play(*MAGPIE, "--people-time", "1", cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"])
        clock = page.wait_for("document.querySelector('.people time')?.textContent")
        page.wait_for(IS_OVER)
        notice = page.run("document.querySelector('.notice').textContent")
        page.wait_for("document.querySelector('[data-key=\"new cards\"]')")
        server.stop()
    [game] = [json.loads(line) for line in run_pitboss("export", "x.pitboss", cwd=tmp_path).out.splitlines()]

    assert clock in ("0:01", "0:00")
    assert [incident["fault"]["kind"] for incident in game["incidents"]] == ["late"] * 4
    assert game["incidents"][-1]["fault"]["verdict"] == "forfeit"
    assert notice.startswith("Fault: You did not answer in time; it has forfeited the game")


@pytest.mark.long
def test_spectators_and_others_choose_nothing(tmp_path: Path, browser: Browser) -> None:
    """A spectator has no question, and what the page sends all the same changes nothing; nor does a number out of
    range, or an answer to a question that is not open.
    """
    with open_play(*MAGPIE, cwd=tmp_path) as server:
        page, watching = (open_link(browser, server.links[name]) for name in ("You", "spectators"))
        page.wait_for(MY_TURN)
        before = read_game(page)["data"]["decisions"]
        for link, message in (
            (watching, {"type": "choose", "question": 1, "action": 0}),
            (watching, {"type": "advise", "question": 1}),
            (watching, {"type": "next", "offer": "new cards"}),
            (page, {"type": "choose", "question": 1, "action": 99}),
            (page, {"type": "choose", "question": 1, "action": -1}),
            (page, {"type": "choose", "question": 9, "action": 0}),
            (page, {"type": "next", "offer": "new cards"}),
        ):
            status = link.run(SEND % json.dumps(json.dumps(message)))
            assert status["type"] == "status"
        after = read_game(page)["data"]["decisions"]
        seen = read_game(watching)
        seats = watching.run("[...document.querySelectorAll('.panel .action')].length")

    assert before == after
    assert (seen["seat"], seen["data"]["sequence"]["viewer"], seats) == (None, 2, 0)


@pytest.mark.long
@pytest.mark.parametrize(
    "message",
    [
        '{"type":"fly"}',
        *(pytest.param(one, marks=pytest.mark.long) for one in ("", "{}", "[", '{"type":"choose"}', "x" * 5000)),
    ],
)
def test_garbage_ends_the_connection(tmp_path: Path, browser: Browser, message: str) -> None:
    """Bytes that are no message of a page end the connection, and the game goes on."""
    with open_play(*MAGPIE, cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"])
        code = page.run(SEND_GARBAGE % json.dumps(message))
        play_turn(page)
        page.wait_for(MY_TURN)

    assert code in (1008, 1009)


def ask(port: int, path: str, **headers: str) -> int:
    """Return the status of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", path, headers=headers)
    status = connection.getresponse().status
    connection.close()
    return status


def test_what_is_refused(tmp_path: Path) -> None:
    """A page of another site cannot talk to the game, nor who does not know a link, nor under another name."""
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    with open_play(*MAGPIE, cwd=tmp_path) as server:
        path = "/" + server.links["You"].split("/", 3)[3]
        own = f"http://127.0.0.1:{server.port}"
        answers = {
            "the page": ask(server.port, path),
            "its socket": ask(server.port, f"{path}/socket", Origin=own, **upgrade),
            "a foreign page": ask(server.port, f"{path}/socket", Origin="http://evil.example", **upgrade),
            "no link": ask(server.port, "/play/none"),
            "no link's socket": ask(server.port, "/play/none/socket", Origin=own, **upgrade),
            "another name": ask(server.port, path, Host="evil.example"),
            "the entrance": ask(server.port, "/"),
        }

    assert answers == {
        "the page": 200,
        "its socket": 101,
        "a foreign page": 403,
        "no link": 404,
        "no link's socket": 404,
        "another name": 400,
        "the entrance": 200,
    }


@first_rows(1)(
    ("words", "said"),
    [
        (("magpie", "--name", "A", "--name", "B"), "several people play in the browser: add --browser"),
        (("magpie", "--against", "house:first", "--port", "1"), "--port works only in the browser: add --browser"),
        (("magpie", "--name", "<img src=x>", "--name", "B", "--browser"), "--name is '<img src=x>'; it must be"),
        (("magpie", "--name", "A", "--browser"), "what is played, and against whom?"),
        (("magpie", "--against", "house:first", "--browser", "--people-time", "soon"), "--people-time is 'soon'"),
        (("magpie", "--against", "house:first", "--browser", "--people-time", "0"), "--people-time is '0'"),
        (
            ("magpie", "--against", "house:first", "--browser", "--host", "192.0.2.1"),
            "192.0.2.1:8000: cannot be served",
        ),
    ],
)
def test_what_cannot_be_played(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    """Options that contradict each other are reported in one sentence."""
    ran = run_pitboss("play", *words, cwd=tmp_path)

    assert ran.status == 2
    assert ran.err.startswith(f"pitboss: {said}")
    assert ran.err.count("\n") == 1


WATCH: Final = """(() => {
    window.early = [];
    new MutationObserver(() => {
        const [at, all] = document.querySelector('.position').textContent.split(' / ');
        if (at !== all && document.querySelector('.action, .confirm, .touch')) window.early.push(`${at} of ${all}`);
    }).observe(document.body, {childList: true, subtree: true, characterData: true});
})()"""


@pytest.mark.long
def test_actions_belong_to_the_table_that_is_shown(tmp_path: Path, browser: Browser) -> None:
    """While the table still shows what the others have played there is nothing to choose; one may look at once."""
    words = ("racko", *["--against", "house:first"] * 3, "--seat", "0", "-o", "max_rounds=1", "--seed", "s")
    with open_play(*words, cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"], has_motion=True, pace="fast")
        page.wait_for(MY_TURN)
        page.run(WATCH)
        for _ in range(3):
            assert play_turn(page)
            page.wait_for(MY_TURN)
        asked = page.run("document.querySelector('.seat.acts .name').textContent")
        page.run("document.querySelector('.controls button').click()")  # to the deal
        past = page.run(f"[document.querySelectorAll('.action, .touch').length, {HEADING}]")
        page.run("document.querySelector('[data-key=now]').click()")

        assert page.run("window.early") == []
        assert asked == "You"
        assert (past[0], past[1].startswith("Your turn: ")) == (0, True)
        assert page.run("document.querySelectorAll('.touch').length") > 0
        assert page.messages() == []


@pytest.mark.long
@first_rows(1)("key", ["Escape", "Enter", " "])
def test_what_others_played_can_be_skipped(tmp_path: Path, browser: Browser, key: str) -> None:
    """While the table catches up, a key leads to what is there now, and plays nothing."""
    words = ("ragamaru", *["--against", "house:random"] * 5, "--seat", "0", "--seed", "s")
    position = "document.querySelector('.position').textContent.split(' / ')"
    own = "document.querySelectorAll('.move [title=You]').length"  # others may play on at any time
    with open_play(*words, cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"], has_motion=True, pace="fast")
        assert play_turn(page)
        page.wait_for(f"document.querySelector('[data-key=now]') || {MY_TURN}")
        decisions = page.run(own)
        page.run("document.activeElement.blur()")
        _, last = page.run(position)
        page.press(key)
        at, _ = page.run(position)
        now = page.run(own)

    assert int(at) >= int(last)
    assert now == decisions > 0


@pytest.mark.long
@first_rows(1)("width", [1400, 400])
def test_actions_can_be_seen(tmp_path: Path, browser: Browser, width: int) -> None:
    """With six at the table, what one may press and one's own cards are on the screen, and nothing lies on them; so is
    the question about another game.
    """
    words = ("magpie", *["--against", "house:first"] * 3, "--seat", "0", "-o", "turns=1", "--seed", "s")
    game = ("ragamaru", *["--against", "house:random"] * 5, "--seat", "0", "--seed", "s")
    on_top = """(node => {
        const {left, top, width, height} = node.getBoundingClientRect();
        return node.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    })"""
    for index, command in enumerate((game, words)):
        with open_play(*command, "--store", f"{index}.pitboss", cwd=tmp_path) as server:
            page = open_link(browser, server.links["You"], width)
            page.wait_for(MY_TURN)
            assert page.run(f"{on_top}(document.querySelector('.panel button'))")
            assert page.run(f"{on_top}(document.querySelector('.near .card:last-child'))")
            if command is words:
                while play_turn(page):
                    pass
                page.wait_for("document.querySelector('.panel .buttons [data-key]')")
                assert page.run(f"{on_top}([...document.querySelectorAll('.panel .buttons [data-key]')].at(-1))")
