"""A bot asked again what it, or another in its seat, was asked in a recorded game."""
