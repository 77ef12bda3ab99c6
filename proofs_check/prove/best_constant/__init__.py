"""Best constants: the supremum of an expression over all chains, with the proof that nothing exceeds it."""
