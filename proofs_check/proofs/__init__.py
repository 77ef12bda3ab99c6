"""The steps of the proofs, one file for each family of statements, in the order of docs/theory.md."""
