"""What kind of game it is: length, choices, what is hidden, seats, leads, skill."""
