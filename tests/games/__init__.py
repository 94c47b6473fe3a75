"""The games, each tested in files that are named after it."""
