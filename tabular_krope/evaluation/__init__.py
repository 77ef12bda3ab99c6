"""Least-squares policy evaluation and the certificates of its stability."""
