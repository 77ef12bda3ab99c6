"""Chains to judge claims on: one instance type over floats and rationals, generators, structured chains, moves."""
