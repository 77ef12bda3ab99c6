"""Behavioral equivalences and metrics: bisimulations, their metrics by optimal transport, MICo."""
