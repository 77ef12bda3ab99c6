import json

import numpy as np
import pytest
from flint import fmpq

from proofs_check.arithmetic.reals import root
from proofs_check.chains.generators import chains
from proofs_check.conjectures.question import ask
from proofs_check.conjectures.witnesses import chain_of, serialize, side_text, verify
from tabular_krope.errors import KropeError

SETTINGS = {"conservative": False, "gamma": None, "dim": None}
WITNESS = {"P_pi": [["1", "0"], ["0", "1"]], "r": ["0", "1"], "gamma": "1/2"}


def record(**changes):
    return {"claim": "q[x] <= 1", "assume": [], "settings": SETTINGS, "witness": WITNESS, "at": {"x": 1}, **changes}


def test_a_refutation_is_verified_from_its_text():
    finding = verify(json.loads(json.dumps(record())))
    assert (finding.left, finding.right) == (2, 1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"at": {"x": 0}}, r"must refute the claim at \{'x': 0\}; got \{'x': 1\}"),
        ({"claim": "q[x] <= 2"}, "got None"),
        ({"assume": ["r[x] < 1"]}, "got None"),
        ({"settings": {**SETTINGS, "gamma": "1/3"}}, "chain that the conjecture is about"),
        ({"witness": {**WITNESS, "P_pi": [["1", "0"], ["0", "1/2"]]}}, "must sum to 1"),
        ({"claim": "__import__('os')"}, "must be"),
    ],
)
def test_a_wrong_refutation_is_refused(changes, message):
    with pytest.raises(KropeError, match=message):
        verify(record(**changes))


@pytest.mark.parametrize("claim", ["q[x] <= 1", "norm <= 1", "rank <= S"])
@pytest.mark.parametrize("seed", range(6))
def test_round_trip(claim, seed):
    question = ask(claim)
    case = chains()(np.random.default_rng(seed), True)
    witness = json.loads(json.dumps(serialize(question, case)))
    again = chain_of(witness)
    for name in ("P_pi", "r", "end", "K", "q"):
        assert np.array_equal(getattr(again, name), getattr(case, name))
    assert again.gamma == case.gamma
    assert again.R == case.R
    assert ("weights" in witness) == question.weighted
    assert not question.weighted or np.array_equal(again.weights, case.weights)
    assert len(again.Pi) == (len(case.Pi) if question.structured else case.X)


def test_states_must_explain_the_pairs():
    witness = {**WITNESS, "P_pi": [["1/2", "1/2"]] * 2, "P": [["1"], ["1"]], "Pi": [["1/2", "1/2"]]}
    assert chain_of(witness).P.shape == (2, 1)
    with pytest.raises(KropeError, match="P_pi equal to P Pi"):
        chain_of({**witness, "Pi": [["1", "0"]]})
    with pytest.raises(KropeError, match="must sum to 1"):
        chain_of({**witness, "Pi": [["1/2", "1/3"]]})


def test_sides_as_text():
    assert side_text(fmpq(-3, 4)) == "-3/4"
    assert float(side_text(root(fmpq(2)))) == pytest.approx(2**0.5, rel=1e-14)
