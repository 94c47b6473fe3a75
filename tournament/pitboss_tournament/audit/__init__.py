"""What stored games are worth: they are replayed, and their luck is measured."""
