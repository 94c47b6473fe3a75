"""The table's verbs: where the cards lie afterwards, and who knows them."""

from __future__ import annotations

from pitboss import Random, Table
from pitboss.table.zones import EMPTY
from tests.core.small_table import SmallTable


def test_a_fresh_table() -> None:
    """After the first shuffle nobody knows a card."""
    tiny = SmallTable()

    assert tiny.face_string(tiny.stock) == "LKJIHGFEDCBA"
    assert tiny.visible_string(tiny.stock, 0) == "?" * 12
    assert tiny.table.faces(tiny.stock) == list("LKJIHGFEDCBA")


def test_before_the_first_shuffle() -> None:
    """A deck that was never shuffled is known to all."""
    tiny = SmallTable()

    table = Table(tiny.layout, Random("new"), tiny.stock)

    assert table.faces_known_to(tiny.stock, 2) == list("ABCDEFGHIJKL")


def test_drawing_into_a_hand() -> None:
    """The top card goes to the end of the hand, and its owner alone sees it."""
    tiny = SmallTable()

    card = tiny.table.draw(tiny.stock, tiny.hands[1])

    assert tiny.layout.deck.faces[card] == "A"
    assert (tiny.face_string(tiny.hands[1]), tiny.face_string(tiny.stock)) == ("A", "LKJIHGFEDCB")
    assert tiny.seats_knowing("A") == {1}
    assert tiny.seats_knowing("B") == set()


def test_what_was_seen_stays_known() -> None:
    """A card from the open discards that goes into a hand, or under another card, stays known to all."""
    tiny = SmallTable()
    tiny.table.draw(tiny.stock, tiny.discard)

    tiny.table.draw(tiny.discard, tiny.hands[0])

    assert tiny.visible_string(tiny.hands[0], 1) == "A"
    assert tiny.table.is_known(tiny.hands[0], 2)


def test_moving_a_card_from_a_hand_to_the_table() -> None:
    """The chosen card leaves, the others keep their order, and all see it."""
    tiny = SmallTable()
    tiny.deal_cards(tiny.hands[0], rounds=3)

    tiny.table.move(1, tiny.hands[0], tiny.trick)

    assert (tiny.face_string(tiny.hands[0]), tiny.face_string(tiny.trick)) == ("AC", "B")
    assert tiny.seats_knowing("B") == {0, 1, 2}
    assert tiny.seats_knowing("C") == {0}


def test_a_card_leaves_a_slot() -> None:
    """The slot is empty afterwards; the other slots are as they were."""
    tiny = SmallTable()
    tiny.deal_cards(tiny.racks[0], rounds=3, slots=(2, 1, 0))

    tiny.table.move(1, tiny.racks[0], tiny.discard)

    assert (tiny.face_string(tiny.racks[0]), tiny.face_string(tiny.discard)) == ("C.A", "B")
    assert tiny.visible_string(tiny.racks[0], 0) == "C?A"
    assert tiny.table.zones[tiny.racks[0]] == [2, EMPTY, 0]


def test_dealing_round_the_table() -> None:
    """Dealing round the table gives one card at a time to each seat; each sees its own."""
    tiny = SmallTable()

    tiny.deal_cards(*tiny.hands, rounds=2)

    assert [tiny.face_string(hand) for hand in tiny.hands] == ["AC", "BD"]
    assert [tiny.visible_string(hand, 0) for hand in tiny.hands] == ["AC", "??"]
    assert tiny.visible_string(tiny.hands[0], 2) == "??"


def test_dealing_into_slots() -> None:
    """In each round the card goes into that round's slot."""
    tiny = SmallTable()

    tiny.deal_cards(*tiny.racks, rounds=2, slots=(2, 0))

    assert [tiny.face_string(rack) for rack in tiny.racks] == ["C.A", "D.B"]


def test_swapping_a_drawn_card_into_a_rack() -> None:
    """The drawn card takes the slot, unseen by the others; what was there goes face up to the discards."""
    tiny = SmallTable()
    tiny.deal_cards(tiny.racks[0], rounds=3, slots=(0, 1, 2))

    out = tiny.table.swap(tiny.stock, tiny.racks[0], 1, tiny.discard)

    assert (out, tiny.face_string(tiny.racks[0]), tiny.face_string(tiny.discard)) == (1, "ADC", "B")
    assert (tiny.seats_knowing("D"), tiny.seats_knowing("B")) == ({0}, {0, 1, 2})


def test_swapping_the_open_discard() -> None:
    """The pile may be both: its top goes into the slot, known to all, and the card from the slot lies on top."""
    tiny = SmallTable()
    tiny.deal_cards(tiny.racks[0], rounds=3, slots=(0, 1, 2))
    tiny.deal_cards(tiny.discard)

    tiny.table.swap(tiny.discard, tiny.racks[0], 0, tiny.discard)

    assert (tiny.face_string(tiny.racks[0]), tiny.face_string(tiny.discard)) == ("DBC", "A")
    assert tiny.visible_string(tiny.racks[0], 1) == "D??"


def test_turning_a_pile_over() -> None:
    """The oldest card comes to the top, and nobody forgets anything."""
    tiny = SmallTable()
    tiny.deal_cards(tiny.discard, rounds=3)

    tiny.table.turn_over(tiny.discard, tiny.stock)

    assert tiny.face_string(tiny.stock) == "LKJIHGFEDCBA"
    assert tiny.visible_string(tiny.stock, 2) == "?" * 9 + "CBA"


def test_turning_hidden_cards_up() -> None:
    """Face-down cards turned over onto an open pile are seen by all."""
    tiny = SmallTable()

    tiny.table.turn_over(tiny.stock, tiny.discard)

    assert tiny.visible_string(tiny.discard, 1) == "ABCDEFGHIJKL"


def test_a_pile_of_which_the_top_is_seen() -> None:
    """A card on top is seen, and stays known when it is covered; of several dealt at once the last one is seen."""
    tiny = SmallTable()

    tiny.deal_cards(tiny.well)
    tiny.deal_cards(tiny.well)
    assert tiny.visible_string(tiny.well, 2) == "AB"

    tiny.table.turn_over(tiny.stock, tiny.well)
    assert tiny.visible_string(tiny.well, 2) == "AB" + "?" * 9 + "L"


def test_the_top_leaves_a_well() -> None:
    """The card beneath becomes visible to all, by whatever verb the top left."""
    for verb in ("draw", "move", "swap", "deal"):
        tiny = SmallTable()
        tiny.deal_cards(tiny.racks[1], slots=(0,))
        tiny.table.turn_over(tiny.stock, tiny.well)
        assert tiny.visible_string(tiny.well, 0) == "?" * 10 + "L"

        match verb:
            case "draw":
                tiny.table.draw(tiny.well, tiny.hands[0])
            case "move":
                tiny.table.move(11, tiny.well, tiny.hands[0])
            case "swap":
                tiny.table.swap(tiny.well, tiny.racks[1], 0, tiny.discard)
            case _:
                tiny.table.deal(tiny.well, tiny.hands[:1], 1)

        assert tiny.visible_string(tiny.well, 0) == "?" * 9 + "K", verb


def test_a_shuffle_makes_its_cards_unknown() -> None:
    """A shuffle makes exactly the cards of the zone unknown: what lies elsewhere stays known."""
    tiny = SmallTable()
    tiny.deal_cards(tiny.discard, tiny.hands[0], rounds=3)

    tiny.table.shuffle(tiny.discard)

    assert sorted(tiny.face_string(tiny.discard)) == list("ACE")
    assert [tiny.seats_knowing(face) for face in "ACE"] == [
        {0, 1, 2}
    ] * 3  # all may look into the pile: they see the new order
    tiny.table.turn_over(tiny.discard, tiny.stock)
    tiny.table.shuffle(tiny.stock)
    assert tiny.visible_string(tiny.stock, 0) == "?" * 9
    assert tiny.visible_string(tiny.hands[0], 0) == "BDF"


def test_revealing_a_rack_with_an_empty_slot() -> None:
    """Every seat sees the cards that lie in a revealed rack, and no other card."""
    tiny = SmallTable()
    tiny.deal_cards(tiny.racks[0], rounds=2, slots=(0, 2))

    tiny.table.reveal(tiny.racks[0])

    assert tiny.visible_string(tiny.racks[0], 1) == "A?B"
    assert tiny.seats_knowing("L") == set()


def test_collecting_everything() -> None:
    """All cards lie in one zone, no slot holds one, and a shuffle makes them a fresh deck."""
    tiny = SmallTable()
    tiny.deal_cards(tiny.racks[0], rounds=2, slots=(0, 2))
    tiny.deal_cards(tiny.discard, tiny.hands[1], rounds=2)

    tiny.table.collect(tiny.stock)
    tiny.table.shuffle(tiny.stock)

    assert sorted(tiny.face_string(tiny.stock)) == list("ABCDEFGHIJKL")
    assert tiny.face_string(tiny.racks[0]) == "..."
    assert tiny.table.known_by == [0] * 12
    assert len(tiny.table.shuffle_groups) == 1


def test_setting_a_position_up() -> None:
    """Cards are put where they lie, known to whom one says beside those who look in; of a well only the top is seen."""
    tiny = SmallTable()

    tiny.table.place([0, 1], tiny.stock, tiny.hands[0], 0b010)
    tiny.table.place([2, 3], tiny.stock, tiny.well, 0)

    assert (tiny.face_string(tiny.hands[0]), tiny.face_string(tiny.well)) == ("AB", "CD")
    assert tiny.seats_knowing("A") == {0, 1}
    assert (tiny.seats_knowing("C"), tiny.seats_knowing("D")) == (set(), {0, 1, 2})
    assert tiny.table.events(None) == []


def test_a_copy_is_independent() -> None:
    """A change of a copy does not change the table, its random stream included; a copy writes no log."""
    tiny = SmallTable()
    tiny.deal_cards(*tiny.hands, rounds=2)
    before = tiny.snapshot()

    twin = tiny.table.copy()
    twin.shuffle(tiny.stock)
    twin.move(0, tiny.hands[0], tiny.hands[1])
    twin.constrain(lambda cards: True, [0])
    twin.draw(tiny.stock, tiny.discard)

    assert tiny.snapshot() == before
    assert (twin.log, twin.chance_events) == (None, None)
    assert twin.rng.draws == tiny.table.rng.draws + 1


# ---- cards that leave a hand unseen


def test_nobody_knew_anything_of_the_hand() -> None:
    """A card passed face down is known to giver and taker; nothing else changes."""
    tiny = SmallTable()
    tiny.deal_cards(*tiny.hands, rounds=3)
    before = tiny.table.shuffle_group_of[:]

    tiny.table.move(0, tiny.hands[0], tiny.hands[1])

    assert (tiny.visible_string(tiny.hands[1], 1), tiny.visible_string(tiny.hands[1], 2)) == ("BDFA", "????")
    assert (tiny.visible_string(tiny.hands[0], 0), tiny.visible_string(tiny.hands[0], 1)) == ("CE", "??")
    assert tiny.seats_knowing("A") == {0, 1}
    assert tiny.table.shuffle_group_of == before


def test_a_known_hand_gives_a_card_away_unseen() -> None:
    """The seats that cannot tell which card went lose what they knew of that hand, and nothing of the other hand."""
    tiny = SmallTable()
    tiny.deal_cards(*tiny.hands, rounds=3)
    tiny.table.reveal(tiny.hands[0])
    tiny.table.reveal(tiny.hands[1])

    tiny.table.move(0, tiny.hands[0], tiny.hands[1])

    assert [tiny.seats_knowing(face) for face in "ACE"] == [{0, 1}] * 3
    assert [tiny.seats_knowing(face) for face in "BDF"] == [{0, 1, 2}] * 3


def test_the_only_card_of_a_hand_goes() -> None:
    """When the only card of a hand goes, everybody can tell which it was, and a seat that knew it still does."""
    tiny = SmallTable()
    tiny.deal_cards(tiny.discard)
    tiny.table.draw(tiny.discard, tiny.hands[0])

    tiny.table.draw(tiny.hands[0], tiny.stock)

    assert tiny.visible_string(tiny.stock, 2) == "?" * 11 + "A"


def test_every_verb_hides_which_card_left_a_hand() -> None:
    """Drawing from a hand, or putting a card of it into a rack, hides as much as giving it away."""
    for verb in ("draw", "swap"):
        tiny = SmallTable()
        tiny.deal_cards(tiny.racks[0], slots=(0,))
        tiny.deal_cards(tiny.hands[0], rounds=2)
        tiny.table.reveal(tiny.hands[0])

        if verb == "draw":
            tiny.table.draw(tiny.hands[0], tiny.stock)
        else:
            tiny.table.swap(tiny.hands[0], tiny.racks[0], 0, tiny.discard)

        assert (tiny.seats_knowing("B"), tiny.seats_knowing("C")) == ({0}, {0}), verb
