"""Sweeps: many configurations in parallel, one result file for each, resumable, gathered in one table."""
