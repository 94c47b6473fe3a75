"""What a person sees of games and tournaments."""
