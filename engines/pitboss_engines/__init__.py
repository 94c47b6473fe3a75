"""Games whose rules are a program in any language.

`process_engine` is the rule engine (`pitboss.foreign`). `engine_program` starts the program and carries the lines,
`engine_messages` has their types, `engine_sandbox` holds a program that is not trusted.
"""
