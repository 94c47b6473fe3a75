"""The checks that any bot can be put through: named promises, each with what was seen and a cure.

`suite.examined` puts a bot through them all; a check that does not hold is a value in the report. `visit` is the only module here that speaks
to the runner's own room, processes, players and matches.
"""
