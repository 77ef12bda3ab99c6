"""Learned representations with torch."""
