"""What is known about one model, collected as values: for tables, JSON and figures."""
