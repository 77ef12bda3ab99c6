"""KROPE features inside the span of base features, in closed form from data."""
