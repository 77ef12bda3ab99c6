"""Many small models of one size at once: the same formulas on stacks of arrays, so that Python takes no time."""
