"""The signatures of the commands: parameters, help texts, defaults; typer and the standard library alone.

A signature in `commands/X` has no body: that is the function of the same name in `cli/X`, which gets the same
parameters (`app.bind_body`).
"""
