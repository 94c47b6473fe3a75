"""The siege: what Pitboss promises where somebody means harm, and the attacks on each promise.

`make siege` runs the attacks: real bots in real sandboxes, live leagues, a model server that does harm, a cluster of
two nodes. It prints each promise with what held, and ends with status 1 if one was broken. A new way in (a door) needs
a row here: `tests/test_siege.py` looks for the doors in the code.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import pytest

from tests import ROOT
from tests.soak.promises import PromiseTally


class GuardedPromise(NamedTuple):
    """What is promised, where users read it, which doors it guards, and the tests that attack it."""

    sentence: str
    page: str  # of docs/, with the heading
    doors: tuple[str, ...]
    attacks: tuple[str, ...]  # files of tests, or tests in them


PROMISES: Final = (
    GuardedPromise(
        "a sandbox that cannot be told to work now is an error, and no bot plays without the one that was asked for",
        "fairness.md#levels",
        ("void no_sandbox",),
        ("tests/tournament/processes/test_sandbox_levels.py",),
    ),
    GuardedPromise(
        "in bubblewrap a bot reads, writes, reaches and signals nothing but what is its own",
        "fairness.md#the-sandbox",
        ("level bubblewrap",),
        (
            "tests/tournament/processes/test_zoo_verdicts.py::test_in_the_sandbox",
            "tests/tournament/processes/test_grants.py",
        ),
    ),
    GuardedPromise(
        "at level landlock the same holds, but for what the page says stays open",
        "fairness.md#levels",
        ("level landlock",),
        (
            "tests/tournament/processes/test_landlock.py",
            "tests/tournament/processes/test_zoo_verdicts.py::test_at_level_landlock",
        ),
    ),
    GuardedPromise(
        "without a sandbox a bot hangs, floods and forks at its own cost, and does not outlive the run",
        "fairness.md#levels",
        ("level none", "void no_process", "void no_guardian"),
        (
            "tests/tournament/processes/test_zoo_verdicts.py::test_without_a_sandbox",
            "tests/tournament/processes/test_marks.py",
        ),
    ),
    GuardedPromise(
        "what a bot asks its model makes no game void, and voids that it could cause are bounded",
        "models.md#whose-fault-a-failure-is",
        ("void no_model",),
        ("tests/tournament/models/test_model_failures.py",),
    ),
    GuardedPromise(
        "a bot is billed for what it computes and sleeps, at its start too; a busy machine costs it nothing",
        "fairness.md#what-is-billed",
        ("void overloaded",),
        ("tests/tournament/processes/test_start_billing.py", "tests/tournament/processes/test_deadlines.py"),
    ),
    GuardedPromise(
        "a bot that the system kills for want of memory is at fault only beyond its own limit",
        "fairness.md#what-is-nobodys-fault",
        ("void no_memory",),
        ("tests/tournament/processes/test_killed_by_system.py",),
    ),
    GuardedPromise(
        "a bot's games are those of the files that were entered, here, on a node and in a league",
        "next-night.md#somebody-is-changed",
        ("void other_files",),
        (
            "tests/tournament/processes/test_bot_contents.py",
            "tests/tournament/cluster/test_travelling_bots.py",
            "tests/tournament/cluster/test_cluster.py::test_bots_that_changed_on_a_node",
            "tests/league/test_league_play.py::test_a_version_whose_files_changed",
        ),
    ),
    GuardedPromise(
        "only a bot that was shown to be repeatable condemns a machine",
        "cluster.md#a-machine-that-lies",
        ("void distrusted",),
        (
            "tests/tournament/audit/test_verified_games.py",
            "tests/tournament/cluster/test_cluster.py::test_a_bot_of_chance",
        ),
    ),
    GuardedPromise(
        "games of another version of a game are judged again, and those that do not hold are void",
        "league.md#another-version-of-the-game",
        ("void rejudged",),
        ("tests/league/test_rejudge.py",),
    ),
    GuardedPromise(
        "an upload counts before its first byte, however it ends, and shuts nobody else out",
        "league.md#what-is-promised",
        ("PUT /api/submissions/{name}", "POST /submit/{name}"),
        (
            "tests/league/test_admission.py",
            "tests/league/test_league_http.py::test_an_upload_that_hangs",
            "tests/league/test_league_http.py::test_what_cannot_be_taken",
        ),
    ),
    GuardedPromise(
        "what is unpacked stays within its folder and its bounds",
        "league.md#what-is-promised",
        ("PUT /api/submissions/{name}",),
        ("tests/league/test_unpacking.py",),
    ),
    GuardedPromise(
        "a build that hangs, writes without end or will not stop costs its sender alone",
        "league.md#what-is-promised",
        ("PUT /api/submissions/{name}",),
        ("tests/league/test_cli_league.py::test_a_build_that_does_not_end",),
    ),
    GuardedPromise(
        "a right token opens at once, whatever wrong ones are tried; forms of other sites are refused",
        "league.md#what-is-promised",
        ("POST /login", "POST /logout", "DELETE /api/submissions/{number:int}"),
        (
            "tests/league/test_wrong_tokens.py",
            "tests/league/test_league_pages.py::test_forms_of_other_sites",
            "tests/league/test_league_pages.py::test_forms_of_other_sessions",
            "tests/league/test_retire.py",
        ),
    ),
    GuardedPromise(
        "of several leagues under one address each answers below its path alone, whatever bytes come",
        "league.md#several-assignments",
        (),
        (
            "tests/league/test_one_address.py::test_what_is_no_request",
            "tests/league/test_one_address.py::test_two_requests_in_one_connection",
            "tests/league/test_one_address.py::test_clients_that_are_suddenly_gone",
            "tests/league/test_one_address.py::test_another_host_name",
        ),
    ),
    GuardedPromise(
        "what strangers write and try in a browser is theirs, is bounded, and changes no ladder",
        "league.md#without-a-terminal",
        ("POST /editor/new", "POST /editor/{number:int}"),
        ("tests/league/test_editor.py", "tests/league/test_invitations.py"),
    ),
    GuardedPromise(
        "what a league shows of games is for the owners of the bots in them, and tells nothing of a deal in play",
        "league.md#what-a-student-sees",
        ("POST /versions/{number:int}/why", "POST /api/submissions/{number:int}/why"),
        (
            "tests/league/test_own_games.py",
            "tests/league/test_feedback.py",
            "tests/league/test_shown_logs.py",
            "tests/league/test_host_paths.py",
        ),
    ),
    GuardedPromise(
        "nobody takes a name that people would read as another's",
        "league.md#what-is-promised",
        ("PUT /api/submissions/{name}",),
        ("tests/tournament/config/test_bot_names.py", "tests/league/test_book.py"),
    ),
    GuardedPromise(
        "bots of a league do not hear who sits with them, and friends that play for one another are named",
        "fairness.md#what-a-bot-is-told-of-the-others",
        (),
        ("tests/tournament/rounds/test_pseudonyms.py", "tests/tournament/statistics/test_gifts.py"),
    ),
    GuardedPromise(
        "foreign bytes are read within bounds of size, depth and digits",
        "notation.md#write-and-read-it",
        (
            "import notation",
            "import records",
            "import acpc",
            "import phh",
            "import hanab-live",
            "import pbn",
            "import lin",
        ),
        (
            "tests/core/test_foreign_input.py",
            "tests/tournament/store/test_foreign_bytes.py",
            "tests/games/test_poker_imports.py",
            "tests/games/test_fireworks_import.py",
            "tests/games/test_bridge_pbn.py",
            "tests/test_foreign_files.py",
        ),
    ),
    GuardedPromise(
        "a store that is cut, replaced or without room is noticed, and loses no game that was said to be safe",
        "integrity.md#whether-a-store-is-whole",
        (),
        ("tests/tournament/store/test_store_gone.py",),
    ),
    GuardedPromise(
        "a plugin that fails is named, and takes no command down with it",
        "extending.md#what-each-has-to-keep",
        (),
        ("tests/core/test_plugins.py", "tests/tournament/cli/test_cli_plugins.py"),
    ),
    GuardedPromise(
        "no name and no terminal breaks the output of a command",
        "debugging.md#what-was-said",
        (),
        ("tests/tournament/cli/test_output_encodings.py",),
    ),
)


class AttackLog:
    """A plugin of pytest that counts how the attacks on each promise ended."""

    def __init__(self) -> None:
        self.ends: dict[GuardedPromise, Counter[str]] = {promise: Counter() for promise in PROMISES}
        self.failed: dict[GuardedPromise, list[str]] = {promise: [] for promise in PROMISES}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count the end of a test, or of a fixture that failed."""
        if report.when != "call" and report.passed:
            return
        for promise in PROMISES:
            if any(is_part(report.nodeid, attack) for attack in promise.attacks):
                self.ends[promise][report.outcome] += 1
                if report.failed:
                    self.failed[promise].append(report.nodeid)


def is_part(nodeid: str, attack: str) -> bool:
    """Whether a test is one of an attack: of its file, or of its function, with whatever parameters."""
    return nodeid == attack or nodeid.startswith((f"{attack}::", f"{attack}["))


def list_attacks(promises: Iterable[GuardedPromise]) -> list[str]:
    """Return the attacks on these promises, each once."""
    return list(dict.fromkeys(attack for promise in promises for attack in promise.attacks))


def main(words: Sequence[str] | None = None) -> int:
    """Run the attacks, and return 1 if a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="WORDS", default="", help="promises in whose sentence these words are")
    parser.add_argument("--processes", metavar="NUMBER", default="auto", help="tests at a time (default: auto)")
    given = parser.parse_args(words)
    meant = [promise for promise in PROMISES if given.only in promise.sentence]
    log = AttackLog()
    arguments = ["-q", "-p", "no:cacheprovider", "--rootdir", str(ROOT), "--dist", "worksteal", "-n", given.processes]
    pytest.main([*arguments, *(str(ROOT / attack) for attack in list_attacks(meant))], plugins=[log])
    tally = PromiseTally()
    for promise in meant:
        ends = log.ends[promise]
        counts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(ends.items())) or "no attack ran"
        tally.check(bool(ends["passed"]) and not ends["failed"], f"{promise.sentence} (docs/{promise.page}): {counts}")
        for nodeid in log.failed[promise]:
            print(f"       {nodeid}")
    return tally.exit_status()


if __name__ == "__main__":
    raise SystemExit(main())
