"""A user's own inequality, parsed, tried on many chains, and refuted by an exact witness or not at all."""
