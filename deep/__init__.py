"""Learned representations with torch: losses as pure functions, and trainers that share them.

Nothing is loaded here, so that ``import deep`` works without torch; the first module that needs it says how to get it.
"""
