"""Representations learned on random tabular problems, all trials of an algorithm at once."""
