"""The value of a target policy from data in closed form, and whether the data suffice to believe it."""
