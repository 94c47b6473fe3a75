"""Frame sequences: what each viewer sees of each verb, and that a seat's holds no more than the seat observed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from random import Random as PlainRandom

import msgspec
import pytest

from pitboss import Deck, Layout, PublicCount, PublicCounts, Random, Table, Visibility, Zone
from pitboss.errors import TableError
from pitboss.records.frames import Frame, FrameMaker, make_sequence
from tests.core.brute_force_worlds import ScriptStep, SmallLayout, apply_step, is_possible
from tests.core.frame_player import show_last
from tests.core.small_table import SmallTable
from tests.core.test_record import GAME, sample_record

VERBS = ("shuffle", "draw", "draw", "draw", "pass", "pass", "pass", "turn_over", "reveal", "deal", "gather")


def draw_frames(small: SmallTable, viewer: int | None) -> list[Frame]:
    """Return the frames of all that has happened at a small table."""
    return FrameMaker(small.layout, viewer).follow(small.table, 0)


def zone_string(small: SmallTable, viewer: int | None, zone: int) -> str:
    """Return the faces of a zone at the end of a sequence, "?" for those that the viewer does not know."""
    shown = show_last(draw_frames(small, viewer), small.layout)
    return "".join(str(face or "?") for face in shown.faces_in(zone))


@pytest.fixture
def small() -> SmallTable:
    """Return a table after a shuffle that is in the log: "A" lies on top of the stock."""
    made = SmallTable()
    made.table.shuffle(made.stock, order=range(11, -1, -1))
    return made


def test_each_viewer_sees_the_own_cards(small: SmallTable) -> None:
    """A dealt hand is seen by its owner and by the viewer who sees all."""
    small.deal_cards(*small.hands, rounds=2)

    assert [zone_string(small, viewer, small.hands[0]) for viewer in (None, 0, 1, 2)] == ["AC", "AC", "??", "??"]


def test_slots_of_a_deal_and_of_a_swap(small: SmallTable) -> None:
    """A sequence shows in which slot each card lies, and the owner what it is."""
    small.deal_cards(*small.racks, rounds=2, slots=(2, 0))
    small.table.swap(small.stock, small.racks[0], 0, small.discard)
    [owner, other] = [show_last(draw_frames(small, viewer), small.layout) for viewer in (0, 1)]

    [bottom, nothing, top] = owner.zones[small.racks[0]]
    assert (owner.faces[bottom], nothing, owner.faces[top]) == ("E", -1, "A")
    assert [token == -1 for token in other.zones[small.racks[0]]] == [False, True, False]
    assert other.faces_in(small.racks[0]) == [None, None]
    assert other.faces_in(small.discard) == ["C"]


def test_a_known_card_leaves_a_hidden_hand_openly(small: SmallTable) -> None:
    """A viewer who saw a card go into a hand sees that card leave, and the others stay unknown."""
    small.deal_cards(*small.hands, rounds=2)
    small.table.draw(small.stock, small.discard)
    card = small.table.draw(small.discard, small.hands[0])
    before = zone_string(small, 1, small.hands[0])
    small.table.move(card, small.hands[0], small.discard)

    assert (before, zone_string(small, 1, small.hands[0])) == ("??E", "??")


def test_an_unseen_departure_makes_a_hand_unknown(small: SmallTable) -> None:
    """If a card leaves a hand face down, those who do not see it know none of the rest."""
    small.deal_cards(*small.hands, rounds=1)
    small.table.draw(small.stock, small.discard)
    small.table.draw(small.discard, small.hands[0])
    small.table.move(small.layout.deck.copies("A")[0], small.hands[0], small.stock)

    assert [zone_string(small, viewer, small.hands[0]) for viewer in (None, 0, 1)] == ["C", "C", "?"]
    assert [zone_string(small, viewer, small.stock)[-1] for viewer in (None, 0, 1)] == ["A", "A", "?"]


def test_the_next_card_of_a_well_is_seen(small: SmallTable) -> None:
    """Where all see the top of a pile they see the next card when the top leaves."""
    small.table.turn_over(small.stock, small.well)
    small.table.draw(small.well, small.hands[0])

    assert zone_string(small, 1, small.well) == "?" * 10 + "K"
    assert zone_string(small, 1, small.hands[0]) == "L"


def test_a_card_that_is_sought_in_a_pile_whose_top_is_seen() -> None:
    """A viewer who sees only the top of a pile does not see from where in the pile a card was taken."""
    sequences = []
    for place in (2, 5):
        tried = SmallTable()
        tried.table.turn_over(tried.stock, tried.well)
        tried.table.move(tried.table.zones[tried.well][place], tried.well, tried.hands[0])
        sequences.append(draw_frames(tried, 1))

    assert sequences[0] == sequences[1]


def test_a_revealed_hand(small: SmallTable) -> None:
    """All cards of a hand that is shown are known, those that were known before too."""
    small.deal_cards(*small.hands, rounds=2)
    small.table.draw(small.stock, small.discard)
    small.table.draw(small.discard, small.hands[0])
    small.table.reveal(small.hands[0])

    assert sorted(zone_string(small, 1, small.hands[0])) == ["A", "C", "E"]


def test_a_card_of_a_hand_is_shown(small: SmallTable) -> None:
    """A card that is shown is known to the seat that it is shown to; no other card of the hand is."""
    small.deal_cards(*small.hands, rounds=3)
    small.table.reveal(small.hands[0], "show", [small.table.zones[small.hands[0]][1]], to=[1])

    assert sorted(zone_string(small, 1, small.hands[0])) == ["?", "?", "C"]
    assert sorted(zone_string(small, 2, small.hands[0])) == ["?", "?", "?"]


def test_all_cards_are_gathered_in_a_frame_of_its_own(small: SmallTable) -> None:
    """Before a shuffle of cards that lie elsewhere comes a frame without an event, in which they are gathered."""
    small.deal_cards(*small.hands, rounds=2)
    small.table.collect(small.stock)
    small.table.shuffle(small.stock)
    *_, gathered, shuffled = draw_frames(small, 1)

    assert gathered.event is None
    assert [len(gathered.zones[zone]) for zone in (small.stock, *small.hands)] == [12, 0, 0]
    assert shuffled.event is not None
    assert set(shuffled.zones[small.stock]).isdisjoint(gathered.zones[small.stock])


def test_who_sees_all_sees_who_knows(small: SmallTable) -> None:
    """For the viewer who sees all each card has the mask of the seats that know it, as on the table."""
    small.deal_cards(*small.hands, rounds=2)
    small.table.draw(small.stock, small.discard)
    small.table.draw(small.discard, small.hands[0])
    shown = show_last(draw_frames(small, None), small.layout)

    assert [shown.known.get(card, 0) for card in range(12)] == small.table.known_by
    assert not any(frame.known for frame in draw_frames(small, 0))


def test_facts_for_one_seat(small: SmallTable) -> None:
    """A fact for one seat alone is a frame of that seat's sequence, and not of the others'."""
    small.table.tell("bid", only=0, points=30)

    assert [sum("bid" in str(frame.event) for frame in draw_frames(small, viewer)) for viewer in (None, 0, 1, 2)] == [
        1,
        1,
        0,
        0,
    ]


def test_rolled_and_chosen_values() -> None:
    """Values are shown to their viewers, to all when they are shown, and are gone when they are taken away."""
    layout = Layout(Deck(()), 2)
    box = layout.add_pile("box", Visibility.NOBODY)
    cup = layout.add_secret("cup 0", Visibility.OWNER, 0)
    table = Table(layout, Random("cups"), box)
    sequences = [FrameMaker(layout, viewer) for viewer in (None, 0, 1)]
    table.choose(cup, 4, range(6))
    chosen = [sequence.follow(table, 1)[0].secrets for sequence in sequences]
    table.show(cup)
    shown = [sequence.follow(table, 2)[0].secrets for sequence in sequences]
    table.clear([cup])
    cleared = [sequence.follow(table, 3)[0].secrets for sequence in sequences]

    assert chosen == [{cup: [4]}, {cup: [4]}, {cup: None}]
    assert shown == [{}, {}, {cup: [4]}]
    assert cleared == [{cup: []}] * 3


def test_the_sequence_of_a_record() -> None:
    """A sequence has the frames of the whole game, numbered by decisions, and the zones of its table."""
    sequence = make_sequence(sample_record(), GAME, 1)

    assert (sequence.viewer, sequence.seats) == (1, 3)
    assert [zone.name for zone in sequence.zones][:1] == ["stock"]
    assert [frame.decision for frame in sequence.frames] == sorted(frame.decision for frame in sequence.frames)
    assert sequence.frames[0].decision == 0 < sequence.frames[-1].decision == len(sample_record().decisions)


def count_pot(pot: int, *stacks: int) -> PublicCounts:
    """Return the counts of a table where chips are bet."""
    return PublicCounts([PublicCount("pot", pot)], [[PublicCount("stack", stack)] for stack in stacks])


def test_counts_are_in_the_first_frame_and_the_last_of_a_decision(small: SmallTable) -> None:
    """The first frame of a game has all counts; the last one of a decision has those that it has changed."""
    maker = FrameMaker(small.layout, 2)
    small.deal_cards(*small.hands, rounds=1)
    [shuffle, deal] = maker.follow(small.table, 0, count_pot(0, 50, 50))
    small.table.tell("bet", seat=1)
    small.table.tell("all_in", seat=1)
    [bet, all_in] = maker.follow(small.table, 1, count_pot(20, 50, 30))

    assert (shuffle.table_counts, shuffle.seat_counts) == (
        [PublicCount("pot", 0)],
        {seat: [PublicCount("stack", 50)] for seat in (0, 1)},
    )
    assert (deal.table_counts, deal.seat_counts) == (bet.table_counts, bet.seat_counts) == (None, {})
    assert (all_in.table_counts, all_in.seat_counts) == ([PublicCount("pot", 20)], {1: [PublicCount("stack", 30)]})


def test_counts_that_change_without_an_event(small: SmallTable) -> None:
    """Counts that have changed where nothing else has are a frame of their own; equal ones are none."""
    maker = FrameMaker(small.layout, 2)
    maker.follow(small.table, 0, count_pot(0, 50, 50))

    assert maker.follow(small.table, 1, count_pot(0, 50, 50)) == []
    assert maker.follow(small.table, 2, count_pot(5, 50, 50)) == [
        Frame(decision=2, table_counts=[PublicCount("pot", 5)])
    ]


def test_counts_that_a_game_changes_in_place(small: SmallTable) -> None:
    """A sequence notices the change of a list that the game goes on using."""
    maker, counts = FrameMaker(small.layout, None), count_pot(0, 50, 50)
    maker.follow(small.table, 0, counts)
    counts.seats[1].append(PublicCount("folded"))  # type: ignore[attr-defined]

    [frame] = maker.follow(small.table, 1, counts)
    assert (frame.table_counts, frame.seat_counts) == (None, {1: [PublicCount("stack", 50), PublicCount("folded")]})


def test_a_log_that_does_not_tell_where_the_cards_lie(small: SmallTable) -> None:
    """Cards that were moved without a verb are an error of the game."""
    small.table.zones[small.discard].append(small.table.zones[small.stock].pop())

    with pytest.raises(TableError, match="how the cards lie in stock"):
        draw_frames(small, None)


def play_script(tiny: SmallLayout, script: Sequence[ScriptStep], choices: PlainRandom) -> Table:
    """Play a script with another shuffle, and with other cards chosen from the hands; impossible steps are left out."""
    table = Table(tiny.layout, Random(str(choices.random())), tiny.stock)
    table.shuffle(tiny.stock)
    for step in script:
        chosen = step
        if step.verb == "pass":
            chosen = step._replace(place=choices.randrange(max(1, len(table.zones[step.source]))))
        if is_possible(table, chosen):
            apply_step(table, chosen)
            table.tell("well", top=[*table.faces_known_to(tiny.well, 2)[-1:]])  # it is seen without an event
    return table


def make_script(tiny: SmallLayout, rng: PlainRandom) -> list[ScriptStep]:
    """Return some steps, each perhaps impossible."""
    piles = [tiny.stock, tiny.dark, tiny.light, tiny.well]
    script = []
    for _ in range(rng.randrange(3, 9)):
        verb = rng.choice(VERBS)
        targets = piles if verb == "turn_over" else [*piles, *tiny.hands]
        sources: Sequence[Zone] = piles if verb in ("draw", "turn_over", "deal") else targets
        if verb == "pass":
            sources = tiny.hands
        elif verb in ("shuffle", "gather"):
            sources = tiny.stock, tiny.dark  # the order of other zones is seen without an event
        target = rng.choice(tiny.racks if verb == "deal" else targets)
        place = rng.randrange(2) if verb == "deal" else 0
        script.append(ScriptStep(verb, rng.choice(sources), target, place))
    return script


@pytest.mark.parametrize("copies", [1, 2])
def test_equal_observations_make_equal_sequences(copies: int) -> None:
    """Where a seat observed the same events its sequence is the same, byte for byte, whatever was shuffled and chosen;
    and the sequence shows in no zone a card that the seat does not know. Of equal cards it may show fewer: it takes a
    copy that leaves for the one that was seen before.
    """
    rng = PlainRandom(f"sequences {copies}")
    tiny = SmallLayout(4, 2, copies)
    compared = 0
    for _ in range(60):
        script = make_script(tiny, rng)
        sequences: dict[tuple[int, bytes], set[bytes]] = defaultdict(set)
        counts: Counter[tuple[int, bytes]] = Counter()
        for _ in range(30):
            table = play_script(tiny, script, rng)
            for seat in range(3):
                observed = seat, msgspec.json.encode(table.events(seat))
                frames = FrameMaker(tiny.layout, seat).follow(table, 0)
                sequences[observed].add(msgspec.json.encode(frames))
                counts[observed] += 1
                shown = show_last(frames, tiny.layout)
                for zone in tiny.layout.zones:
                    known = Counter(face for face in table.faces_known_to(zone, seat) if face is not None)
                    found = Counter(face for face in shown.faces_in(zone) if face is not None)
                    assert found == known if copies == 1 else found <= known, script
        compared += sum(count - 1 for count in counts.values())
        assert all(len(different) == 1 for different in sequences.values()), script
    assert compared > 2_000
