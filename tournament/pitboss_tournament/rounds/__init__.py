"""Who meets whom, and when: the rounds of a format become numbered games; finished games become blocks and rounds.

Rounds. A format decides who meets whom. It is a generator that yields a round and is sent its results, and nothing
else. Games are numbered round by round, so that the numbers in a store identify the open round, and a resumed run skips
the stored games. Games of a round may end in any order; the next round begins when all are there. A static format
(round-robin, gauntlet) has one round, and its tournaments can be made longer; its tables are computed from their
numbers (`formats/table_sets`), as 100 bots have 3.9 million sets of four. The number of a table does not depend on how
many bots there are. A deal's seed follows from the tournament's seed, the names at the table and how many deals these
bots have had together. Results can decide who meets, never what is dealt. The stop monitor sees the complete blocks in
the order of the schedule, whatever order they end in, and ends a tournament that is decided. Games that are unfinished
then do not count, so that the store proves the verdict.

Rosters. Who takes part may change between two runs. `store/field_changes` matches the bots of the plan with the entries
of the store, by name, files, command and limits, and makes a new roster with the round from which it holds.
`RoundProgress` is a function of settings, rosters, results and the rounds that are recorded because they overlap, so
that a resumed run is where it was. In a static format each roster adds a stage (`rounds/static_stages`): rounds with
the deals that its tables lack. A generator of rounds is told of who joined and left when the next round begins. Entries
are numbered for good: results and rosters name them by their numbers, records and the seeds of deals by their names,
`ann` and `ann@2`, with `+` and `%` escaped, as `+` stands between them. An earlier Pitboss numbered tables in
lexicographic order, and did not escape names: the header keeps how many bots the one concerns, and if they are escaped.
"""
