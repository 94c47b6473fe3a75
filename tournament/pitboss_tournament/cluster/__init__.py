"""Other machines: bots travel there, workers play there, and the tournament stays here."""
