"""The small-model prover: claims about values and distances of a few pairs, decided for chains of every size."""
