"""Findings about this machine: hardware, system, sandbox, plugins and languages."""
