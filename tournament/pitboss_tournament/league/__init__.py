"""A league: a folder that people submit bots to, over HTTP with tokens, and that validates what comes.

A version on the ladder is a `LadderLine`: its submission and its row of the standings. A column of the ladder, of other
tables of versions, or of `league status` is declared in `ladder_columns`; `site.bot_cells` draws what is not text.
"""
