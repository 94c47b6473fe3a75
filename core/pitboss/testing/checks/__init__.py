"""The checks of the conformance suite, one module a family of promises."""
