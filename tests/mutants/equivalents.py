"""Random mutants that change nothing that anybody could notice, each with the reason."""

#: Key of the mutant, as ``python -m tests.mutants.random`` prints it: why it is equivalent.
EQUIVALENT: dict[str, str] = {}
