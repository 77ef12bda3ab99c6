"""How good a representation or an estimate is."""
