"""Figures of the paper and ours, a module each: compute numbers, save them with their settings, draw them."""
