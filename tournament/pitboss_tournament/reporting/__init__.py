"""The report of a tournament: one page of HTML that needs no other file. `sections` lists its sections."""
