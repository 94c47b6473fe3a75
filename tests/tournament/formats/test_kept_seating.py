"""The seating of a tournament: what is chosen where nobody names one, what a store keeps, and what is said of it."""

from __future__ import annotations

import shlex
import subprocess
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.plugins.registry import Registry
from pitboss_tournament.config.settings_plan import resolve_plan
from pitboss_tournament.plan.plan import Entrant, FormatChoice, Plan
from pitboss_tournament.plan.settings import TournamentFile
from pitboss_tournament.results.own_settings import explain_neighbours
from pitboss_tournament.store.header import IMPORTED, HeaderRow, make_header
from pitboss_tournament.store.store import Store
from tests.tournament.command_line import COMMAND, run_pitboss

BOTS = [Entrant(name=name, command=("true",)) for name in "abcd"]


def plan_table(store: Path, seats: int, **fields: object) -> Plan:
    """Return the plan of a tournament at one table."""
    settings = replace(TournamentFile(game="racko", sandbox="none"), seats=seats, **fields)
    return resolve_plan(settings, BOTS[:seats], Registry(), store)


@pytest.mark.parametrize(("seats", "chosen"), [(2, "rotations"), (3, "balanced"), (4, "balanced")])
def test_the_default(tmp_path: Path, seats: int, chosen: str) -> None:
    """The default seating changes the neighbours with every deal from three seats on; another seating is used if it is
    asked for.
    """
    assert plan_table(tmp_path / "x", seats).seating == chosen
    assert plan_table(tmp_path / "x", seats, seating="mirrored").seating == "mirrored"


def test_a_header_of_an_earlier_pitboss(tmp_path: Path) -> None:
    """The circles of a header that does not say whether they are fixed are fixed. A new tournament has other circles in
    each deal.
    """
    header = make_header(plan_table(tmp_path / "x", 4, seating="partners", options={"partners": True}), "1", "1")
    earlier = msgspec.to_builtins(header.row)
    del earlier["fixed_circles"]

    read = msgspec.convert(earlier, HeaderRow)

    assert (read.seat_design.period, header.seat_design.period) == (1, 2)


def test_what_fixed_neighbours_confound(tmp_path: Path) -> None:
    """A store that was dealt here, with the same neighbours for each bot in all deals, says what those confound."""
    header = make_header(plan_table(tmp_path / "x", 4), "1", "1")

    assert explain_neighbours(header) is None
    assert explain_neighbours(replace(header, seating="rotations")) == (
        "With the seating 'rotations' each bot of a table has the same neighbours in all deals. So the difference of "
        "two bots may come from the bots that act before and after them. More deals do not remove this effect; the "
        "seating 'balanced', in a new store, does."
    )
    assert explain_neighbours(replace(header, seating="rotations", format=FormatChoice(name=IMPORTED))) is None


@pytest.mark.long
@pytest.mark.once
def test_a_store_is_carried_on_by_its_own_seating(tmp_path: Path) -> None:
    """A command that names none plays on as the store began; its games are those of the schedule."""
    words = ("match", "magpie", *["house:random"] * 3, "--seats", "3", "-o", "turns=3", "--store", "x.pitboss")
    quick = (*words, "--sandbox", "none")
    begun = run_pitboss(*quick, "-s", "seating=rotations", "--deals", "1", cwd=tmp_path)
    carried_on = run_pitboss(*quick, "--deals", "3", cwd=tmp_path)
    with closing(Store(tmp_path / "x.pitboss")) as store:
        orders = [tuple(seat.entrant for seat in result.seats) for result in store.results()]
    other = run_pitboss(*quick, "--deals", "3", "-s", "seating=balanced", cwd=tmp_path)

    assert (begun.status, carried_on.status) == (0, 0), carried_on.err
    assert orders == [(0, 1, 2), (1, 2, 0), (2, 0, 1)] * 3
    assert "each bot of a table has the same neighbours in all deals" in " ".join(carried_on.out.split())
    assert run_pitboss("integrity", "x.pitboss", "--replay", cwd=tmp_path).status == 0
    assert other.status == 2
    assert "seating" in other.err


@pytest.mark.long
@pytest.mark.once
def test_few_open_files_are_allowed_at_first(tmp_path: Path) -> None:
    """The bots of a table wait in every seat, with five files each; a worker opens as many as the system lets it."""
    words = ("match", "magpie", *["house:random"] * 4, "--seats", "4", "-o", "turns=3", "--deals", "3")
    limited = f"ulimit -S -n 64 && exec {shlex.join((*COMMAND, *words, '--sandbox', 'none', '--store', 'x.pitboss'))}"
    done = subprocess.run(["sh", "-c", limited], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert "Void" not in done.stdout
