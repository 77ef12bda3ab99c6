"""A tabular MDP written out as a continuous data set: one-hot states and actions as observations and actions."""

import numpy as np

import tabular_krope as tk
from tabular_krope.control.control_data import ControlData
from tabular_krope.control.rollouts import MonteCarloValue


def as_control_data(mdp, policy, n, seed):
    """Transitions of the uniform policy, next actions drawn from ``policy``, starts by ``d0`` and ``policy``."""
    S, A = mdp.n_states, mdp.n_actions
    found = tk.sample_dataset(mdp, tk.Policy.uniform(S, A), n, seed=seed)
    rng = np.random.default_rng(seed)

    def drawn(states):
        return np.array([rng.choice(A, p=policy.probs[s]) for s in states])

    s, a = np.divmod(found.pairs, A)
    start = rng.choice(S, size=50, p=mdp.d0)
    s_eye, a_eye = np.eye(S), np.eye(A)
    q = tk.induce(mdp, policy).q
    value = float(mdp.d0 @ policy.matrix().toarray() @ q)
    return ControlData(
        "table",
        s_eye[s],
        a_eye[a],
        mdp.r.reshape(-1)[found.pairs],
        s_eye[found.s_next],
        a_eye[drawn(found.s_next)],
        1.0 - found.done,
        s_eye[start],
        a_eye[drawn(start)],
        mdp.gamma,
        MonteCarloValue(value, 0.0, 1),
        MonteCarloValue(0.0, 0.0, 1),
    )
