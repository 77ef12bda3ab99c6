"""Continuous control: simulators, policies and their values, offline data sets, and training on them."""
