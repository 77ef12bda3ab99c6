"""One subject: its claims, their proofs step by step, and the identities behind them."""
