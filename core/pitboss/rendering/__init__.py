"""How a table looks to people: as text, and as hints for a picture."""
