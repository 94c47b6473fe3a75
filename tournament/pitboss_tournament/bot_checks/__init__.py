"""Conformance checks for bots: named promises, each with the observation and advice.

`suite.check_bot` runs them and reports failures as values. Only `raw_connection` and `watched_games` use the runner's
own processes, seats and matches.
"""
