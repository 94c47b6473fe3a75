"""A lobby: tables that people set up, and come to by an invitation."""
