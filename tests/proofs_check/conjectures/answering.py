"""Answers to some questions with a given seed: ``python -m tests.proofs_check.conjectures.answering``.

A search that looks at fewer chains, or at others, or that shrinks less finds the same easy refutations. Here counts,
ranges, traits and counterexamples are kept, in ``answers.json``: a seed gives the same answer again, and what a
change of the search changes is seen. Who changes it on purpose runs the command, and reads the difference.
"""

import json
from pathlib import Path
from typing import Any

from proofs_check.conjectures.judge import conjecture

ANSWERS = Path(__file__).with_name("answers.json")
#: Claims, premises, and how they are asked: some hold as far as is known here, so that everything is tried.
QUESTIONS: tuple[tuple[str, tuple[str, ...], dict[str, Any]], ...] = (
    ("abs(q[x]-q[y]) <= d[x,y]", (), {}),
    ("d[x,y] <= d[x,z]+d[z,y]", (), {}),
    ("norm**2 <= gamma*9/10", (), {}),
    ("rho < 1", (), {"features": "any"}),
    ("rho < 1", ("D[x] > 0",), {"features": "any", "dim": 1}),
    ("rho <= 1", (), {"features": "truncated", "dim": 1}),
    ("W1[x,y] <= abs(r[x]-r[y])", (), {}),
    ("W1[x,y] >= abs(r[x]-r[y]) - 1/10**6", ("r[x] <= 7/10",), {}),
    ("q[x] <= 3", ("gamma <= 1/2",), {}),
    ("D2[x]*K[x,x] <= 2", (), {}),
    ("q_mu[x] <= q[x] + R", (), {}),
    ("psd(K <= 3*K1)", (), {}),
    ("lam(1) <= horizon*3/4", (), {}),
    ("exists q[x] == 3", (), {}),
    ("d[x,y] <= 2*horizon*19/20", (), {"classes": ["periodic"]}),
    ("d[x,y] <= 2*horizon", (), {"classes": ["doubly-stochastic"]}),
    ("d[x,y] <= 2*horizon*99/100", (), {"classes": ["reversible"]}),
    ("K[x,y] >= 0", (), {"gamma": "1"}),
    ("rho**2 <= gamma", ("P[x,y] == P[y,x]",), {}),
)


def answer(number: int) -> dict[str, Any]:
    """What is answered to a question, but the proof, which checkers read, and what climbing in floats came to.

    A climb turns where two numbers are alike, which rounding decides: on another machine it may end elsewhere. So may
    what is counted for claims about spectral radii, whose eigenvalues no two processors round alike.
    """
    claim, premises, how = QUESTIONS[number]
    document = json.loads(json.dumps(conjecture(claim, list(premises), examples=10, seed=0, **how).as_json()))
    climbed = any(trial["level"] == "adversarial" and trial["tried"] for trial in document["trials"])
    left_out = {"proof", "ratio", "tried", "vacuous", "reason", "box"} if climbed else {"proof"}
    left_out |= {"crossed"} if "rho" in claim else set()
    trials = [trial for trial in document.pop("trials") if trial["level"] != "adversarial" and "rho" not in claim]
    return {name: value for name, value in document.items() if name not in left_out} | {"trials": trials}


def main() -> None:
    """Write down what is answered now."""
    answers = (json.dumps(answer(number)) for number in range(len(QUESTIONS)))
    ANSWERS.write_text("[\n" + ",\n".join(answers) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
