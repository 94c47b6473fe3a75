"""The bots of a league compared with each other: the newest version that plays of each bot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from pitboss.errors import ConfigError
from pitboss_tournament.authoring.templates import TEMPLATES_FOLDER
from pitboss_tournament.league.league_field import enter_version
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.similarity.answers import choose_questions, collect_answers
from pitboss_tournament.league.similarity.pairs import ComparedBot, SimilarityReport, compare_bots
from pitboss_tournament.league.similarity.source_prints import READING_SECONDS, Prints, read_sources
from pitboss_tournament.league.stored_ladder import has_tournament
from pitboss_tournament.league.submission import ACTIVE, Submission
from pitboss_tournament.plan.plan import SandboxLevel
from pitboss_tournament.store.store import Store


def find_similar(
    league: League, submissions: Sequence[Submission], sandbox: SandboxLevel, tell: Callable[[str], None]
) -> SimilarityReport:
    """Compare the bots of a league that play, in their sources and in what they answer to questions of its games.

    `tell` is called with the label of each bot before it is looked at.

    Raises:
        ConfigError: fewer than two owners have a bot that plays; or what the class was given cannot be read.
        StoreError: the games cannot be read.
        MachineError: the machine cannot start a bot (in an exception group).
    """
    chosen = [*{(one.owner, one.bot): one for one in submissions if one.state in ACTIVE}.values()]
    if len({one.owner for one in chosen}) < 2:
        raise ConfigError(f"{league.name}: there is nothing to compare: bots of two owners have to play")
    known = {*_read_known(TEMPLATES_FOLDER), *_read_known(league.folder.given)}
    asked = []
    if has_tournament(league.folder.store):
        with closing(Store(league.folder.store)) as store:
            asked = choose_questions(store, league.game, sandbox)
    bots = list[ComparedBot]()
    for one in chosen:
        tell(one.label)
        entrant = enter_version(league, one, one.label)
        answers = {} if entrant.model is not None else collect_answers(league.game, asked, entrant)
        sources = read_sources(league.folder.bots / one.digest)
        bots.append(ComparedBot(label=one.label, owner=one.owner, sources=sources, answers=answers))
    return compare_bots(league.name, bots, known, len(asked))


def _read_known(folder: Path) -> Prints:
    """Return the prints of sources that everybody has; none of a folder that is not there.

    Raises:
        ConfigError: they cannot be read in time.
    """
    if not folder.is_dir():
        return {}
    found = read_sources(folder)
    if found is None:
        raise ConfigError(f"{folder}: its sources cannot be read within {READING_SECONDS} s")
    return found.prints
