"""Figures of the paper and ours: ``compute(settings, piece) -> data file -> draw(data, axes)``, one module each."""
