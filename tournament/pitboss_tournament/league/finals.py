"""The finals of a league: a closed tournament of its best versions, on deals that nobody has seen.

Its field and its seed are drawn once, when it begins, and then are in its store alone; the book of the league says by
which rules the field was chosen. So the same command carries on the same finals, whatever has become of the league's
ratings meanwhile.
"""

from __future__ import annotations

import secrets
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.plugins.registry import Registry
from pitboss.text import format_count
from pitboss_tournament.config.settings_plan import resolve_plan
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.finals_field import Finalist, FinalsField, check_files, choose_field
from pitboss_tournament.league.finals_rules import FinalsRules
from pitboss_tournament.league.league_field import SEED_BYTES, enter_files
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.plan.plan import Entrant, Plan
from pitboss_tournament.running.tournament import Tournament
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.store import Store


class Finals(NamedTuple):
    """The finals of a league in one store, begun or not."""

    store: Path
    shown: str  # the store, as the book calls it
    rules: FinalsRules
    seed: str
    field: FinalsField
    dealt_as: list[str]  # what seeds call the bots, whatever they are called later
    is_new: bool

    def make_plan(self, league: League, **settings: Any) -> Plan:  # noqa: ANN401 - of several types
        """Return its plan; `settings` are those of a tournament file that a league lacks.

        Raises:
            ConfigError: there are too few bots, one cannot play, or its files are not those that were validated.
        """
        check_files(league, self.field.taken)
        bots = [
            _call_in_seeds(enter_files(league, one.digest, one.owner, one.name), dealt_as)
            for one, dealt_as in zip(self.field.taken, self.dealt_as, strict=True)
        ]
        made = league.make_settings(seed=self.seed, title=f"{league.name}: finals", **settings)
        hidden = (*league.folder.secret, self.store.absolute())
        return resolve_plan(made, bots, Registry(), self.store, hidden=hidden)

    def note_begin(self, book: Book) -> None:
        """Write into the league's book who plays, by which rules; before the first game."""
        if self.is_new:
            field = ", ".join(f"{one.version} of {one.owner} (digest {one.digest})" for one in self.field.taken)
            book.begin_finals(self.shown, self.rules, field)

    def note_end(self, book: Book, tournament: Tournament) -> None:
        """Write into the league's book how they ended, once, if all games are played."""
        if tournament.end_cause not in ("complete", "decided"):
            return
        digests = {one.name: one.digest for one in self.field.taken}
        order = StoredFindings(tournament.store).standings
        said = ", ".join(f"{place}. {line.name} (digest {digests[line.name]})" for place, line in enumerate(order, 1))
        games = format_count(tournament.store.count_games(), "game")
        book.end_finals(self.shown, f"{games}: {said}")


def open_finals(league: League, book: Book, store: Path | None, rules: FinalsRules) -> Finals:
    """Return the finals in a store: with the field and the seed that it has, else with new ones.

    By default the store is the one of those finals of these rules that have begun and not ended, else one of today.

    Raises:
        ConfigError: the store holds something else, or no game of the league has been played.
        StoreError: a store cannot be read.
    """
    path = _find_default_store(league, book, rules) if store is None else store.absolute()
    shown = _show_store(league, path)
    if path.exists() and (not path.is_file() or path.stat().st_size):
        begun = book.find_finals(shown)
        if begun is None:
            raise ConfigError(f"{path}: this holds no finals of this league; choose another --store")
        if begun.rules != rules:
            raise ConfigError(f"{path}: these finals have another field ({begun.rules}); choose another --store")
        with closing(Store(path)) as opened:
            header = opened.header
        recalled = [header.entries[number].about.dealt_as for number in header.rosters[-1].entries]
        return Finals(path, shown, rules, header.seed, FinalsField(_recall_field(header), []), recalled, is_new=False)
    if not path.parent.is_dir():
        raise ConfigError(f"{path}: there is no folder {str(path.parent)!r}")
    with closing(Store(league.folder.store)) as games:
        field = choose_field(book.submissions(), StoredFindings(games), rules)
    if len(field.taken) < league.seats:
        found = format_count(len(field.taken), "version")
        raise ConfigError(f"{league.seats} at a table need as many versions, and the field has {found}: {rules}")
    numbers = [f"#{number}" for number in range(len(field.taken))]
    return Finals(path, shown, rules, secrets.token_hex(SEED_BYTES), field, numbers, is_new=True)


def _call_in_seeds(entrant: Entrant, dealt_as: str) -> Entrant:
    return replace(entrant, about=replace(entrant.about, dealt_as=dealt_as))


def _recall_field(header: Header) -> list[Finalist]:
    entries = [header.entries[number] for number in header.rosters[-1].entries]
    return [Finalist(name=entry.name, owner=entry.about.owner, digest=entry.digest) for entry in entries]


def _find_default_store(league: League, book: Book, rules: FinalsRules) -> Path:
    """Return the store of finals that have begun by these rules and not ended, else that of today."""
    root = league.folder.root
    for path in sorted(root.glob("finals-*.pitboss"), reverse=True):
        begun = book.find_finals(path.name)
        if begun is not None and begun.rules == rules and begun.held is None:
            return path
    return root / f"finals-{date.today().isoformat()}.pitboss"


def _show_store(league: League, path: Path) -> str:
    return path.name if path.parent == league.folder.root else str(path)
