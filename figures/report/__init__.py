"""The page about a run of the laboratory."""
