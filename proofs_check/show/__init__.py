"""Verdicts for a reader: text, tables, graphs."""
