"""What sponsors see: the podium that a report opens with, and certificates to print."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.records.record import dumps
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.processes.logs import compress_text
from pitboss_tournament.reporting.certificates import render_certificates
from pitboss_tournament.reporting.page import render_report
from pitboss_tournament.reporting.podium import NAMES_ON_STEP, draw_podium
from pitboss_tournament.results.headline import Headline, place_groups
from pitboss_tournament.rounds.stored_headline import read_headline
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.store import Store
from tests.tournament.command_line import run_pitboss
from tests.tournament.parsed_page import ParsedPage
from tests.tournament.random_results import draw_result, make_random_plan, play_drawn
from tests.tournament.report_stores import ATTACK, make_record

pytestmark = pytest.mark.once


def make_headline(*sizes: int) -> Headline:
    """Return the headline of bots whose groups of equal places have these sizes."""
    names = [f"b{number}" for number in range(sum(sizes))]
    groups = [range(sum(sizes[:at]), sum(sizes[: at + 1])) for at in range(len(sizes))]
    return Headline(
        text="Winner.",
        kind="winner",
        leaders=names[: sizes[0]],
        sureness=None,
        more_games=None,
        places=place_groups(groups, names),
    )


def write_knockout(path: Path, count: int | None = None, text: str = "") -> Store:
    """Return the store of a knockout of five bots, with its first games or all; `text` is its title, and a name."""
    made = make_random_plan("knockout", bots=5, seats=2)
    games = [draw_result(slot) for slot in play_drawn(made)[1]][:count]
    header = make_header(made, "1", "0.1")
    if text:
        entries = [replace(header.entries[0], name=text), *header.entries[1:]]
        header = replace(header, title=text, entries=entries)
    store = Store.for_run(path, header)
    store.add([(game, compress_text(dumps(make_record(game))), ()) for game in games])
    store.close()
    return Store(path)


@pytest.mark.parametrize(
    ("sizes", "steps", "seen"),
    [
        ((1, 1, 1, 1), ["step1", "step2", "step3"], ["b0", "b1", "b2"]),
        ((1, 3, 1), ["step1", "step2"], ["b0", "b1", "b2", "b3"]),
        ((2, 2), ["step1", "step3"], ["b0", "b1", "b2", "b3"]),
        ((9,), ["step1"], ["b0", "b1", "b2", "b3", "b4"]),
    ],
)
def test_the_steps(sizes: tuple[int, ...], steps: list[str], seen: list[str]) -> None:
    """Bots that share a place stand on one step, and so the next place has none; of a crowd some are counted."""
    page = str(draw_podium(make_headline(*sizes)))
    podium = page.partition("</ol>")[0]

    assert [one for one in ("step1", "step2", "step3") if f'class="{one}"' in podium] == steps
    assert [f"b{at}" for at in range(sum(sizes)) if f">b{at}<" in podium] == seen
    assert podium.count("tied") == sum(size > 1 for size in sizes[: len(steps)])
    assert (f"and {sizes[0] - NAMES_ON_STEP + 1} more" in podium) == (sizes[0] > NAMES_ON_STEP)
    assert all(f">b{at}<" in page for at in range(sum(sizes)))
    assert "Yardsticks, which take no place: x and y." in str(draw_podium(make_headline(*sizes), ["x", "y"]))


def test_what_a_report_opens_with(tmp_path: Path) -> None:
    """First comes the headline, then the podium, then what is proven; places are those of the terminal."""
    store = write_knockout(tmp_path / "x.pitboss")
    page = render_report(store)
    headline = read_headline(StoredFindings(store), store, None)

    order = [headline.text, 'class="podium"', ">All places<", ">What is proven<", "Verdict against", 'id="standings"']
    assert [page.index(part) for part in order] == sorted(page.index(part) for part in order)
    assert [row[:2] for row in ParsedPage(page).rows["places-table"][1:]] == [
        [one.bot, str(one)] for one in headline.places
    ]
    assert [str(one) for one in headline.places] == ["1", "2", "3", "4–5", "4–5"]


def test_a_tournament_that_goes_on(tmp_path: Path) -> None:
    """Without a winner a tournament has no podium before it is over, and no certificates before anybody has a place."""
    store = write_knockout(tmp_path / "x.pitboss", 4)

    assert 'class="podium"' not in render_report(store)
    with pytest.raises(ConfigError, match="no bot has a place to print: No winner"):
        render_certificates(write_knockout(tmp_path / "y.pitboss", 0))


def test_certificates(tmp_path: Path) -> None:
    """Each bot with a place has a page that tells it, and who shares the place; the command writes the same."""
    store = write_knockout(tmp_path / "x.pitboss")
    page = render_certificates(store, "29 November 2026")
    ran = run_pitboss("report", str(store.path), "--certificates", "--date", "29 November 2026", cwd=tmp_path)
    refused = run_pitboss("report", str(store.path), "--certificates", "--markdown", cwd=tmp_path)

    assert page.count('<section class="certificate') == page.count("29 November 2026") == 5
    assert [page.count(f">{told}<") for told in ("Place 1 of 5", "Place 2 of 5", "Places 4–5 of 5")] == [1, 1, 2]
    assert page.count(">shared with b") == 2
    assert (ran.status, refused.status) == (0, 2)
    assert (tmp_path / "x-certificates.html").read_text("utf-8") == page


def test_certificates_of_attackers(tmp_path: Path) -> None:
    """Names and titles are text on a certificate; it runs and loads nothing."""
    hostile = ParsedPage(render_certificates(write_knockout(tmp_path / "x.pitboss", text=ATTACK.replace("\ud800", ""))))

    assert hostile.errors == []
    assert not {"script", "img", "b"} & set(hostile.tags)
    assert not {name for _, name, _ in hostile.attributes if name.startswith("on") or name in ("src", "style")}
