"""What a tournament has shown, as values: rows of standings, their columns, notes, the verdict.

`columns` declares each column of a table of bots or pairs once: terminal, report, site and league show these.
"""
