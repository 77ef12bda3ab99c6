"""Exact arithmetic over the rationals and certified enclosures, on python-flint."""
