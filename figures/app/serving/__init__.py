"""Serving the pages: a thin server that remembers answers, and processes that compute them."""
