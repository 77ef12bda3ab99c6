"""Random claims of the fragment: what is proved fails on no chain, what is refuted fails exactly."""

import random

import pytest

from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.question import ask
from proofs_check.prove.small_model.prover import decide
from proofs_check.search.draws import known_cases, random_cases
from proofs_check.search.extremes import small_extremes

FACTORS = ("1", "2", "1/2", "3", "gamma", "1/(1-gamma)", "gamma/(1-gamma)", "(1-gamma)", "3/4")
TERMS = {
    0: ("K[{i},{j}]", "d[{i},{j}]", "mmd2[{i},{j}]", "life[{i}]", "1/(1-gamma)", "K1[{i},{j}]"),
    1: ("U[{i},{j}]", "abs(q[{i}]-q[{j}])", "R*d[{i},{j}]", "abs(r[{i}]-r[{j}])", "q[{i}]", "rho0", "R*K[{i},{j}]"),
    2: ("(q[{i}]-q[{j}])**2", "R*rho0*d[{i},{j}]", "q[{i}]**2", "rho0*U[{i},{j}]", "R**2*K[{i},{j}]", "rho0**2"),
}
PREMISES = ((), ("R == rho0",), ("rmin >= 0",), ("gamma <= 1/2",), ("R >= 2*rho0",), ("gamma > 0",), ("rmin == -rmax",))


def claim(rng):
    unit, names = rng.choice((0, 1, 2)), rng.choice(("x", "xy", "xy", "xyz"))

    def side(n):
        parts = [rng.choice(TERMS[unit]).format(i=rng.choice(names), j=rng.choice(names)) for _ in range(n)]
        return " + ".join(f"{rng.choice(FACTORS)}*{part}" for part in parts)

    return f"{side(rng.choice((1, 2)))} {rng.choice(('<=', '<=', '<'))} {side(rng.choice((1, 2, 3)))}"


@pytest.mark.parametrize("seed", range(8))
def test_the_prover_and_the_chains_agree(seed):
    rng = random.Random(seed)
    outcomes = []
    for turn in range(12):
        question = ask(claim(rng), rng.choice(PREMISES), rng.random() < 0.5)
        decision = decide(question)
        outcomes.append(decision.outcome)
        if decision.outcome == "refuted":
            assert judge_case(question, decision.case).refutes
        if decision.outcome in ("proved", "decided"):
            cases = [*random_cases(question, 15, turn, exact=True), *known_cases(question)]
            cases += list(small_extremes(question))[::9]
            assert not any(judge_case(question, case).refutes for case in cases), str(question.claim)
    assert "refuted" in outcomes
