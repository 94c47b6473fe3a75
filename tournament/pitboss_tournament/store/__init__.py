"""What games count, and where they are kept."""
