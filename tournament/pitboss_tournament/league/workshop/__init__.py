"""The workshop of a league: starter bots, drafts that are written in the browser, and trials of drafts.

A draft is some files of text under the name of a bot; it lies in the league's store, and nowhere else. A trial builds a
draft in a folder of its own, and puts it through the checks or lets it play practice games: other deals than those of
the ladder, other tables, nothing of which any rating sees. One trial runs at a time, behind the validations.
"""
