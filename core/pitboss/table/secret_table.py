"""A table's secrets: the verbs that roll, choose and show values, with the log and the chance events they write."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Literal, TypeAlias

from pitboss.errors import TableError
from pitboss.table.events import LogEntry
from pitboss.table.knowledge import Knowledge
from pitboss.table.randomness import Random
from pitboss.table.secrets import Scalar, Secret, SecretFact, SecretValue
from pitboss.table.zones import Layout

ChanceEvent: TypeAlias = tuple[int, ...] | int  # the order that a shuffle gave, or a lot that was drawn


class SecretTable(Knowledge):
    """What is hidden on a table: who knows each card, and secrets. `Table` adds the zones."""

    __slots__ = ("chance_events", "log", "rng", "secret_facts", "secrets")

    def __init__(self, layout: Layout, rng: Random) -> None:
        super().__init__(layout)
        self.rng = rng
        self.log: list[LogEntry] | None = []  # None: no log is written
        self.chance_events: list[ChanceEvent] | None = []  # all shuffles and lots so far; None as the log
        self.secrets: tuple[SecretValue, ...] = (SecretValue(),) * len(layout.secrets)  # shared by copies: replaced
        self.secret_facts: tuple[SecretFact, ...] = ()

    def continue_log(self, table: SecretTable) -> None:
        """Go on with the log and the chance events of another table, of which this one is a copy."""
        self.log = None if table.log is None else table.log[:]
        self.chance_events = None if table.chance_events is None else table.chance_events[:]

    def stop_logging(self) -> None:
        """Stop writing the log and the chance events: for simulation."""
        self.log = None
        self.chance_events = None

    def roll(
        self,
        secret: Secret,
        outcomes: Sequence[Scalar],
        count: int = 1,
        weights: Sequence[int] | None = None,
        event: str = "roll",
    ) -> tuple[Scalar, ...]:
        """Draw a chance event for each of `count` values, and put them in place of what lay there before.

        Each is one of the outcomes, which are equally likely unless `weights`, whole numbers, say otherwise.
        """
        kinds, shares = tuple(outcomes), (1,) * len(outcomes) if weights is None else tuple(weights)
        if not kinds or len(kinds) != len(shares) or min(shares) < 0 or not sum(shares):
            raise TableError(
                f"{event}: {len(kinds)} outcomes have the weights {shares!r}; each outcome needs one weight, "
                "none may be negative, and one weight has to be above 0"
            )
        values = tuple(self.rng.draw_outcomes(kinds, shares, count))
        chance_index = -1 if self.chance_events is None else len(self.chance_events)
        drawn = SecretValue(values, secret.viewers, kinds, shares, chance_index=chance_index)
        if self.chance_events is not None:
            self.chance_events += drawn.lots()
        self._put_secret("roll", secret, drawn, event, secret.viewers)
        return values

    def choose(self, secret: Secret, value: Scalar, outcomes: Sequence[Scalar], event: str = "choose") -> None:
        """Put the value that a player has chosen among the outcomes in place of what lay there before."""
        kinds = tuple(outcomes)
        if value not in kinds:
            raise TableError(f"{event}: {value!r} is chosen for {secret.name}; it can be {list(kinds)!r}")
        chosen = SecretValue((value,), secret.viewers, kinds, (1,) * len(kinds))
        self._put_secret("choose", secret, chosen, event, secret.viewers)

    def clear(self, secrets: Iterable[Secret]) -> None:
        """Take away what lies at some places of secrets: for the next round or deal. It is no event."""
        for secret in secrets:
            self._put_secret("clear", secret, SecretValue(), "", 0)

    def show(self, secret: Secret, only: int | None = None, event: str = "show") -> None:
        """Show the values to every seat; with `only` to that seat, and the others see that it was shown them."""
        viewers = self.layout.everybody if only is None else 1 << only
        held = self.secrets[secret]
        self._put_secret("show", secret, held._replace(known_by=held.known_by | viewers), event, viewers)

    def restrict_secret(self, secret: Secret, allowed: Collection[Scalar]) -> None:
        """State that each of the values is in `allowed`, which the rules make known to every seat."""
        held = self.secrets[secret]
        if not {*held.values} <= {*allowed}:
            raise TableError(f"restrict: {secret.name} is {list(held.values)!r}, not in {sorted(allowed, key=repr)!r}")
        self.secrets = (*self.secrets[:secret], held.restrict(allowed), *self.secrets[secret + 1 :])

    def constrain_secrets(self, holds: Callable[[Sequence[Sequence[Scalar]]], bool], secrets: Sequence[Secret]) -> None:
        """State a fact about the values of several secrets, which every seat knows by the rules; see `constrain`.

        `holds` gets the values of each. The fact is forgotten when one of the secrets is rolled or chosen again.
        """
        fact = SecretFact(holds, tuple(secrets))
        if not fact.is_true(self.secrets):
            raise TableError(f"constrain: it does not hold for the values of {', '.join(one.name for one in secrets)}")
        self.secret_facts = (*self.secret_facts, fact)

    def values(self, secret: Secret) -> tuple[Scalar, ...]:
        """Return the values of a secret, hidden ones too; () if there are none yet."""
        return self.secrets[secret].values

    def values_known_to(self, secret: Secret, seat: int) -> tuple[Scalar | None, ...]:
        """Return the values of a secret as `seat` knows them: each None if it does not."""
        held = self.secrets[secret]
        return held.values if held.known_by >> seat & 1 else (None,) * len(held.values)

    def _put_secret(
        self,
        verb: Literal["roll", "choose", "show", "clear"],
        secret: Secret,
        held: SecretValue,
        event: str,
        viewers: int,
    ) -> None:
        self.secrets = (*self.secrets[:secret], held, *self.secrets[secret + 1 :])
        if verb != "show" and self.secret_facts:
            self.secret_facts = tuple([fact for fact in self.secret_facts if secret not in fact.secrets])
        if self.log is not None and verb != "clear":
            self.log.append(LogEntry(verb, event, secret=secret, values=held.values, shown_to=viewers))
