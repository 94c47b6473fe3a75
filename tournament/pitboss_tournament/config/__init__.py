"""A tournament file becomes a plan: everything looked up, checked and resolved."""
