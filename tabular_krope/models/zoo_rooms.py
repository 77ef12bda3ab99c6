"""Sutton, Precup and Singh's four rooms."""

import numpy as np

from tabular_krope.errors import KropeError
from tabular_krope.models.mdp import MDP
from tabular_krope.models.zoo_model import ZooModel

WALLS = (
    "#############",
    "#.....#.....#",
    "#.....#.....#",
    "#...........#",
    "#.....#.....#",
    "#.....#.....#",
    "##.####.....#",
    "#.....###.###",
    "#.....#.....#",
    "#.....#.....#",
    "#...........#",
    "#.....#.....#",
    "#############",
)
#: up, down, left, right
MOVES = ((-1, 0), (1, 0), (0, -1), (0, 1))


def four_rooms(goal: tuple[int, int] = (7, 9), slip: float = 1 / 3, gamma: float = 0.9) -> ZooModel:
    """A gridworld of four rooms joined by four doors; reaching the goal pays 1 and ends the episode.

    Args:
        goal: its (row, column); the door between the two rooms on the right by default. The other 103 cells are states.
        slip: probability of moving in one of the three other directions, each equally likely. Into a wall one stays.
        gamma: discount factor.
    """
    cells = [(i, j) for i, row in enumerate(WALLS) for j, mark in enumerate(row) if mark == "."]
    if tuple(goal) not in cells:
        raise KropeError(f"goal must be a free cell (row, column) such as (7, 9); got {goal!r}")
    if not 0.0 <= slip <= 1.0:
        raise KropeError(f"slip must lie in [0, 1]; got {slip!r}")
    states = [cell for cell in cells if cell != tuple(goal)]
    place = {cell: s for s, cell in enumerate(states)}
    P, end = np.zeros((len(states), 4, len(states))), np.zeros((len(states), 4))
    for (i, j), s in place.items():
        for move, (di, dj) in enumerate(MOVES):
            to = (i + di, j + dj) if (i + di, j + dj) in cells else (i, j)
            chance = np.where(np.arange(4) == move, 1.0 - slip, slip / 3)
            if to == tuple(goal):
                end[s] += chance
            else:
                P[s, :, place[to]] += chance
    return ZooModel(
        "four-rooms",
        "gridworld of four rooms; the goal pays 1 and ends the episode",
        MDP(P, end, gamma, end=end),
        labels=tuple(f"{i},{j}" for i, j in states),
    )
