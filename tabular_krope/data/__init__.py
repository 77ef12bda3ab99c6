"""Data sets of transitions, the chains estimated from them, and files."""
