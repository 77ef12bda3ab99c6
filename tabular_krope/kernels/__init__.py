"""The reward kernel, the KROPE operator and its fixed point."""
