"""Arithmetic that proofs and searches share: exact reals, enclosures, rounding bounds, prime fields."""
