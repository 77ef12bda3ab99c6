"""Features of state-action pairs: factors of the KROPE kernel, and others to compare them with."""
