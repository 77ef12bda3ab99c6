"""Markov decision processes, policies and the Markov reward processes over state-action pairs they induce."""
