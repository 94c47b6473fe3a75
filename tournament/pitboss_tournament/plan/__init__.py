"""The plan of a tournament: values that are looked up, checked and resolved."""
