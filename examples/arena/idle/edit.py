"""An entrant of an arena that leaves its bot as it is."""

print("nothing to do")
