"""Continuous control data: tasks, simulators, policies, rollouts, files."""
