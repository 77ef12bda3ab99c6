"""The search for counterexamples: sampling, climbing, extremes, shrinking."""
