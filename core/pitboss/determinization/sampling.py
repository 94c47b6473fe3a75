"""Sampling worlds (determinization): tables that a seat cannot tell from the real one.

Within each public shuffle group the hidden cards are exchangeable. A world is a uniform deal that satisfies every
constraint, found by rejection sampling. After `REJECTION_TRIES` rejections it is the end of a Markov chain of exchanges
that starts from the real table. With private mixing a world is the end of a sampled mixing history. Knowledge belongs
to places: when the card in a place changes, its shuffle group and the seats that know it stay.

Copies of a face in one group are different cards: worlds are as frequent as for an observer who could tell the copies
apart. Where copies lie hidden in several groups, a world may be one in which another copy was played than in truth
(`pitboss.determinization.play_variants`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from pitboss.determinization.information_set import InformationSet
from pitboss.determinization.mixing_history import MixingHistory
from pitboss.determinization.play_variants import PlayVariant, PlayVariants, relabel_plays
from pitboss.errors import TableError
from pitboss.table.cards import Face
from pitboss.table.constraints import Constraint
from pitboss.table.knowledge import ShuffleGroup
from pitboss.table.randomness import Random
from pitboss.table.secret_table import ChanceEvent
from pitboss.table.secrets import SecretValue
from pitboss.table.table import Table
from pitboss.table.zones import EMPTY
from pitboss.text import join_words

REJECTION_TRIES: Final = 200  # before the Markov chain
CHAIN_STEPS_PER_CARD: Final = 30  # steps of the chain for each hidden card


def sample_world(table: Table, seat: int, rng: Random, also: Sequence[Constraint] = ()) -> Table:
    """Return a table sampled from the information set of `seat`; `rng` is its future.

    The constraints of the table and `also` hold in it. Secrets that the seat does not know are redrawn, so
    that what is stated of them holds. Its `chance_events` are shuffles and lots that would have led to it; None with
    private mixing, and for a table that keeps none.

    Raises:
        TableError: no uniform deal satisfied the constraints, and the table itself breaks one.
    """
    world = _sample_cards(table, seat, rng, also)
    if table.secrets:
        _redraw_secrets(world, seat, rng)
    if table.constraints and any([fact.seats != -1 for fact in table.constraints]):  # noqa: C419 - quicker
        _drop_untrue_facts(world, seat)
    return world


def _redraw_secrets(world: Table, seat: int, rng: Random) -> None:
    """Redraw the secrets that a seat does not know, and rewrite the lots that led to them."""
    hidden = [number for number, held in enumerate(world.secrets) if held.values and not held.known_by >> seat & 1]
    for _ in range(REJECTION_TRIES):
        secrets = [held.redraw(rng) if number in hidden else held for number, held in enumerate(world.secrets)]
        if all(fact.is_true(secrets) for fact in world.secret_facts):
            break
    else:
        secrets = _run_redraw_chain(world, hidden, rng)
    world.secrets = tuple(secrets)
    if (events := world.chance_events) is None:
        return
    for held in [secrets[number] for number in hidden]:
        if held.chance_index >= 0:
            events[held.chance_index : held.chance_index + len(held.values)] = held.lots()


def _run_redraw_chain(table: Table, hidden: Sequence[int], rng: Random) -> list[SecretValue]:
    """Redraw hidden values one at a time, beginning with the real values; undo a draw that breaks a fact."""
    secrets = list(table.secrets)
    places = [(number, place) for number in hidden for place in range(len(secrets[number].values))]
    for _ in range(CHAIN_STEPS_PER_CARD * len(places)):
        number, place = rng.choice(places)
        before, secrets[number] = secrets[number], secrets[number].redraw(rng, place)
        if not all(fact.is_true(secrets) for fact in table.secret_facts):
            secrets[number] = before
    return secrets


def _sample_cards(table: Table, seat: int, rng: Random, also: Sequence[Constraint]) -> Table:
    if not table.has_only_public_groups:
        return _sample_after_private_mixing(table, seat, rng, also)
    information_set = table.sampler_cache
    if not isinstance(information_set, InformationSet) or not information_set.is_current(table, seat):
        table.sampler_cache = information_set = InformationSet(table, seat)
    unseen, constraints = information_set.unseen, information_set.constraints
    if information_set.play_variants is not None:
        world = _sample_play_variant(table, information_set, information_set.play_variants, rng, also)
        if world is not None:
            return world
    for _ in range(REJECTION_TRIES):
        cards, known_by = information_set.place_deal(information_set.sample_deal(rng))
        if _is_satisfied(constraints, cards) and (not also or _is_satisfied(also, cards)):
            return _build_world(table, rng, cards, known_by)
    cards = [*range(len(table.known_by)), EMPTY]
    if not (_is_satisfied(constraints, cards) and _is_satisfied(also, cards) and _is_in_domains(table, cards)):
        raise _constraint_error(table, also)
    _run_exchange_chain(table, unseen, [*constraints, *also], cards, rng)
    return _build_world(table, rng, *information_set.place_deal([cards[card] for card in unseen]))


def _sample_play_variant(
    table: Table, information_set: InformationSet, variants: PlayVariants, rng: Random, also: Sequence[Constraint]
) -> Table | None:
    """Return a world in which other copies may have been played than in truth; None if too many were rejected."""
    for _ in range(REJECTION_TRIES):
        variant = variants.sample_variant(rng)
        cards, known_by = information_set.place_deal(variants.sample_deal(variant, rng))
        is_possible = _is_satisfied(information_set.constraints, cards) and _is_satisfied(also, cards)
        if is_possible and variants.is_kept(cards, rng):
            return _build_world(table, rng, cards, known_by, variant)
    return None


def _is_satisfied(constraints: Sequence[Constraint], cards: list[int]) -> bool:
    card_at = cards.__getitem__
    for holds, numbers, _ in constraints:  # noqa: SIM110 - a generator would take twice as long
        if not holds(tuple(map(card_at, numbers))):
            return False
    return True


def _is_in_domains(table: Table, cards: Sequence[int]) -> bool:
    return all(cards[card] in domain for domain, numbers in table.card_domains for card in table.current_cards(numbers))


def _constraint_error(table: Table, also: Sequence[Constraint]) -> TableError:
    """Return an error that names the first fact that is not true of the cards as they lie."""
    place = table.current_cards((*range(len(table.known_by)), EMPTY))
    stated = [*table.constraints, *also]
    for number, (holds, numbers, _) in enumerate(stated, 1):
        if max(numbers) < len(place):  # others were cards when they were shuffled
            cards = tuple([place[card] for card in numbers])
            if not holds(cards):
                what = f"constraint {number} of {len(stated)}, {_name_predicate(holds)},"
                return TableError(f"{what} is not true of {_name_cards(table, cards)}")
    for domain, domain_cards in table.card_domains:
        for card in table.current_cards([number for number in domain_cards if number < len(place)]):
            if card not in domain:
                named = _name_cards(table, [card])
                return TableError(f"the game has told `restrict` that {named} cannot lie in the place where it lies")
    return TableError(f"of the {len(stated)} constraints that the game has stated, not all are true")


def _name_predicate(holds: Callable[..., object]) -> str:
    while isinstance(holds, partial):
        holds = holds.func
    return str(getattr(holds, "__qualname__", holds))


def _name_cards(table: Table, cards: Sequence[int]) -> str:
    named = [f"{card} ({table.layout.deck.faces[card]})" if card != EMPTY else "no card" for card in cards]
    return f"{'card' if len(cards) == 1 else 'cards'} {join_words(named, 'and')}"


def _run_exchange_chain(
    table: Table, unseen: Sequence[int], constraints: Sequence[Constraint], cards: list[int], rng: Random
) -> None:
    """Exchange random pairs of unseen cards of one group in `cards`; undo an exchange that breaks a constraint.

    All constraints hold at first, so that those which name one of the two places are asked alone.
    """
    count, group_of = len(unseen), table.shuffle_group_of
    asked: dict[int, list[Constraint]] = {place: [] for place in unseen}
    for constraint in constraints:
        for place in {*constraint.cards} & asked.keys():
            asked[place].append(constraint)
    domains: dict[int, list[frozenset[int]]] = {place: [] for place in unseen}
    for domain, numbers in table.card_domains:
        for place in domains.keys() & {*table.current_cards(numbers)}:
            domains[place].append(domain)
    for word in rng.draw_words(CHAIN_STEPS_PER_CARD * count):
        one, two = unseen[word % count], unseen[(word >> 32) % count]
        if group_of[one] == group_of[two]:
            cards[one], cards[two] = cards[two], cards[one]
            if not (
                all(cards[one] in domain for domain in domains[one])
                and all(cards[two] in domain for domain in domains[two])
                and _is_satisfied(asked[one], cards)
                and _is_satisfied([fact for fact in asked[two] if fact not in asked[one]], cards)
            ):
                cards[one], cards[two] = cards[two], cards[one]


def _sample_after_private_mixing(table: Table, seat: int, rng: Random, also: Sequence[Constraint]) -> Table:
    """Return the world at the end of a sampled mixing history."""
    deck_size = len(table.known_by)
    history = MixingHistory(table.shuffle_groups, table.known_by, 1 << seat)
    for card, face in table.required_faces.items():
        history.pin_to_one_of(card, table.layout.deck.copies(face))
    numbered = table.current_cards((*range(deck_size), -1))
    tracks = [*(history.last_track[card] for card in numbered[:-1]), EMPTY, *history.group_input_tracks()]
    for domain, numbers in table.card_domains:
        history.restrict_tracks([tracks[number] for number in numbers], domain)

    known = [fact for fact in table.constraints if fact.seats >> seat & 1]

    def holds() -> bool:
        if not known and not also:
            return True
        cards = history.current_cards()
        by_number = [*map(cards.__getitem__, numbered), *history.group_input_cards()]
        return _is_satisfied(known, by_number) and _is_satisfied(also, cards)

    if not history.sample_history(holds, rng):
        raise _constraint_error(table, also)
    cards = history.current_cards()
    moved = [card for card in range(deck_size) if cards[card] != card]
    known_by = table.known_by[:]
    for card in moved:
        known_by[cards[card]] = table.known_by[card]
    world = _build_world(table, rng, cards, known_by)
    inputs = iter(history.group_input_cards())
    world.shuffle_groups = [
        ShuffleGroup(group.chance_index, tuple(next(inputs) for _ in group.cards), group.known_by)
        for group in table.shuffle_groups
    ]
    for card in moved:
        world.shuffle_group_of[cards[card]] = table.shuffle_group_of[card]
    world.chance_events = None
    return world


def _build_world(
    table: Table, rng: Random, cards: list[int], known_by: list[int], variant: PlayVariant | None = None
) -> Table:
    """Return the table with each card replaced: `cards[card]` lies where `card` lay."""
    world = table.copy_without_cards(rng)
    world.zones = [[cards[card] for card in zone] if zone else [] for zone in table.zones]
    world.known_by = known_by
    world.shuffle_group_of = table.shuffle_group_of[:]  # a card and its replacement are of one public group
    world.stands_for = cards if table.stands_for is None else [cards[card] for card in table.stands_for]
    moved_cards: dict[tuple[int, int], int] = {}
    if variant is not None:
        moved = variant.moved_groups()
        for card, replacement in enumerate(cards[:-1]):
            world.shuffle_group_of[replacement] = moved.get(card, table.shuffle_group_of[card])
        for play, group, place in variant.plays:
            if place >= 0:
                moved_cards[play.group, play.card] = cards[place]
                moved_cards[group, place] = play.card
    if table.open_plays:
        world.open_plays = tuple(relabel_plays(table.open_plays, cards, table.shuffle_group_of, variant))
    if table.chance_events is not None:
        world.chance_events = _rewrite_chance_events(table.chance_events, table, cards, moved_cards)
    return world


def _drop_untrue_facts(world: Table, seat: int) -> None:
    """Drop facts that only other seats know and that are not true in a world: there they would not have been told."""
    place = world.current_cards((*range(len(world.known_by)), EMPTY))
    world.constraints = [
        fact
        for fact in world.constraints
        if fact.seats >> seat & 1
        or (max(fact.cards, default=0) < len(place) and fact.holds(tuple([place[number] for number in fact.cards])))
    ]


def _rewrite_chance_events(
    chance_events: list[ChanceEvent], table: Table, cards: Sequence[int], moved_cards: Mapping[tuple[int, int], int]
) -> list[ChanceEvent]:
    """Return the chance events that would have led to the world; `moved_cards`: by group and card, what replaces it."""
    rewritten, group_of = chance_events[:], table.shuffle_group_of
    for number, group in enumerate(table.shuffle_groups):
        order = rewritten[group.chance_index] if group.chance_index >= 0 else 0
        if isinstance(order, tuple):
            new_order = [
                moved_cards.get((number, card), cards[card] if group_of[card] == number else card) for card in order
            ]
            if moved_cards:
                _exchange_copies(order, new_order, table.layout.deck.faces)
            rewritten[group.chance_index] = tuple(new_order)
    return rewritten


def _exchange_copies(order: Sequence[int], new_order: list[int], faces: Sequence[Face]) -> None:
    """Where a card came twice into an order of cards, put the copy that is missing into its old place.

    The card was shuffled again since, in another group: there it is the other copy.
    """
    counts = Counter(new_order)
    missing = set(order).difference(new_order)
    for place, (old, new) in enumerate(zip(order, new_order, strict=True)):
        if old == new and counts[new] > 1:
            copy = next((card for card in missing if faces[card] == faces[new]), None)
            if copy is not None:
                missing.remove(copy)
                counts[new] -= 1
                new_order[place] = copy
