"""Games whose rules are a program in any language."""
