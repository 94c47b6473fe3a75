"""Determinization: worlds that a seat cannot tell from the real table, sampled from its information set.

`sample_world(table, seat, rng)` samples a table from the information set of a seat: the tables that the seat cannot
tell from the real one. The `InformationSet` (the unseen cards and the constraints on them) is computed once for all
worlds of one moment. Hidden cards are exchangeable within a shuffle group. A world is a uniform deal that satisfies
every constraint. It is found by rejection sampling or, where acceptance is too rare, by a Markov chain of exchanges.
Cards with a restricted domain are dealt uniformly over all assignments that fit. Where hidden cards were mixed with
others, a world is the end of a mixing history, sampled by Gibbs sampling (`mixing_history`), or by a Markov chain where
domains restrict what was mixed. A card that leaves a hand openly does not mix it, if by the domains it lay in no other
place.

If the original table keeps a log, a sampled table also has the shuffles that would have led to it; the conformance
suite uses them to replay the public past. Equal cards of one shuffle group count as different cards: worlds have the
frequencies of an observer who could tell the copies apart. The rules do not say which of two equal cards a player lays
down, so no other frequencies follow from them. Where copies lie hidden in several groups, as after a reshuffle, it is
not known from which group a card came that a player has laid down. All such *variants* of the last plays are weighed by
their deals (`determinization/play_variants`), so that every possible world occurs. Their shares are exact until further
cards leave that hand, and approximate then. With private mixing or domains, copies differ, and worlds in which
another copy was laid down are left out.
"""
