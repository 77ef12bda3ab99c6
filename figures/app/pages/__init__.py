"""The pages themselves: marimo files that put controls, numbers and pictures of ``tours`` together."""
