"""People at browsers."""
