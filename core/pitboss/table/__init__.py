"""The table: cards, zones, turns, what each seat knows, and the log of what happened.

A card is a number, its index in the game's deck. The deck maps it to its face: a short string or a number. A zone has a
name, perhaps an owner, and a visibility: who sees the faces of cards that arrive. In code a zone is its index in the
table's list of zones, so that copying a table copies a few lists (2 µs in Rack-O).

The verbs (`draw`, `move`, `lay`, `swap`, `deal`, `turn_over`, `collect`, `shuffle`, `reveal`, `roll`, `choose` and
`show` for secrets, and `tell` for all else) maintain two things without the game's help:

* Knowledge. Each card has a mask of the seats that know where it is. For other seats it belongs to a *shuffle group*:
  the cards that it was mixed with. A shuffle forms a group. A card that leaves a hand face down forms one too, for the
  seats that cannot tell which card left. What is hidden and is no card is a *secret* (`table/secrets`): values that
  chance rolled or a player chose, with the seats that know them and the outcomes that are possible for the others.
* The log. Each verb appends one entry, with every hidden card and who sees it. A bot's `events`, the event logs of
  records and replays are projections of the log. Simulation switches the log off.

A game states what its rules reveal about hidden cards: `constrain` for a set of cards together, `restrict` for each
card of a set (a player who did not follow suit holds no card of the suit).

Randomness is SHAKE-256 of a seed string and a counter: it is the same on every platform and every Python, and its state
is two values. A table owns its stream. A game gives each round a stream of its own, so that round 3 is dealt the same
whatever happened in round 2.
"""
