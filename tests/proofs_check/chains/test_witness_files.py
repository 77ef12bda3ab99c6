import json

import numpy as np
import pytest

import tabular_krope as tk
from proofs_check import STATEMENTS, case_from_witness, check
from proofs_check.show.table import verdicts_as_json
from tabular_krope.data.witness_files import ASIDE

WITH_WITNESS = [slug for slug, statement in STATEMENTS.items() if statement.witnesses]


@pytest.mark.parametrize("slug", WITH_WITNESS)
def test_a_witness_in_a_file_is_a_chain_that_loads(slug, tmp_path):
    for k, witness in enumerate(STATEMENTS[slug].witnesses):
        path = tmp_path / f"{k}.json"
        path.write_text(json.dumps(witness))
        chain = tk.load(path)
        assert chain.q == tuple(case_from_witness(witness).q)


def test_a_witness_of_a_run_loads_too(tmp_path):
    verdicts = json.loads(json.dumps(verdicts_as_json([check("d-pseudometric", examples=5)], {})))
    path = tmp_path / "witness.json"
    path.write_text(json.dumps(verdicts["statements"][0]["witness"]))
    assert tk.load(path).n_pairs >= 2


@pytest.mark.parametrize("slug", STATEMENTS)
def test_what_statements_speak_about_is_known_to_the_reader(slug):
    rng = np.random.default_rng(0)
    given = {name for exact in (False, True) for _ in range(4) for name in STATEMENTS[slug].instances(rng, exact).given}
    assert given <= {*ASIDE, "P", "Pi"}
