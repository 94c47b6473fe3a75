"""The checks of a bot, one module a family of promises."""
