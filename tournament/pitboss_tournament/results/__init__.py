"""What a tournament has shown: its standings, as values."""
