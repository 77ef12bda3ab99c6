"""The paper's two tables of control experiments: means over 20 trials with the half-widths of their 95% intervals."""

from math import inf, nan

#: Columns of table 1, and of the Bellman-completeness table.
ERROR_ORDER = ("fqe", "bcrl-exp", "bcrl", "beer", "dr3", "dbc", "rope", "krope")
COMPLETENESS_ORDER = ("bcrl-exp", "bcrl", "beer", "dr3", "fqe", "krope")
#: Epochs of its runs.
EPOCHS = 500

Quoted = tuple[float, float]
D: Quoted = (inf, nan)  # "Div.": 10 or more
Z: Quoted = (0.0, 0.0)
#: Table 1: normalized squared error of LSPE's value.
ERRORS: dict[str, tuple[Quoted, ...]] = {
    "dmc-cartpole-swingup": (D, (2.0, 1.6), (2.2, 0.8), D, (0.9, 0.0), D, (0.2, 0.1), Z),
    "dmc-cheetah-run": (Z, (0.3, 0.2), (0.8, 0.3), Z, (0.4, 0.0), D, D, Z),
    "dmc-finger-turn_easy": (D, (0.6, 0.1), (0.8, 0.2), D, (0.9, 0.0), D, (0.1, 0.0), (0.6, 0.0)),
    "dmc-walker-stand": (Z, (0.2, 0.2), (0.2, 0.1), (1.9, 3.6), (0.1, 0.0), D, (0.2, 0.0), Z),
    "halfcheetah-random": ((0.9, 0.0), D, D, (0.9, 0.0), (0.9, 0.0), (0.9, 0.0), (1.0, 0.0), (1.0, 0.0)),
    "halfcheetah-medium": (D, D, (0.2, 0.2), D, D, D, Z, Z),
    "halfcheetah-medium-expert": (D, (0.2, 0.1), (0.3, 0.1), D, D, D, (0.1, 0.0), Z),
    "hopper-random": (D, D, D, D, (0.8, 0.0), D, D, (0.1, 0.0)),
    "hopper-medium": (D, D, D, D, D, D, D, D),
    "hopper-medium-expert": (D, D, D, D, (0.6, 0.0), D, Z, Z),
    "walker2d-random": (D, D, D, D, (1.0, 0.0), D, D, (0.5, 0.1)),
    "walker2d-medium": (D, D, D, D, D, D, D, D),
    "walker2d-medium-expert": (D, (1.3, 0.4), (2.6, 2.1), D, (6.6, 11.6), D, (0.1, 0.0), D),
}
#: The Bellman-completeness table.
COMPLETENESS: dict[str, tuple[Quoted, ...]] = {
    "dmc-cartpole-swingup": ((0.4, 0.1), (0.2, 0.1), (0.1, 0.0), Z, (0.1, 0.0), Z),
    "dmc-cheetah-run": ((3.3, 0.6), (2.4, 0.5), (0.7, 0.0), Z, (0.7, 0.0), (0.2, 0.0)),
    "dmc-finger-turn_easy": ((1.3, 0.6), (0.7, 0.2), (0.9, 0.0), (137.0, 4.4), (0.9, 0.0), (0.2, 0.0)),
    "dmc-walker-stand": ((10.4, 2.0), (0.3, 0.1), (0.5, 0.1), (66.1, 0.6), (0.6, 0.0), (0.1, 0.0)),
}
