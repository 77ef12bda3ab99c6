"""The numbers of paper.md are those of the registry, the ledger, the certificates and the committed data."""

import json
import re
from fractions import Fraction
from pathlib import Path

import numpy as np

import proofs_check as pc
import tabular_krope as tk
from figures.studies.committed import committed
from figures.studies.garnet_arithmetic import exact_verdicts
from tabular_krope.exact.exact_kernel import exact_distance
from tabular_krope.models.zoo import zoo

ROOT = Path(__file__).parent.parent
PAPER = " ".join((ROOT / "paper.md").read_text().split())
WORDS = {6: "six", 20: "Twenty", 40: "forty", 22: "Twenty-two"}


def says(text: str) -> None:
    assert text in PAPER, text


def test_statements_and_proofs() -> None:
    paper = [statement for statement in pc.STATEMENTS.values() if pc.STATEMENTS.group(statement.slug) == "paper"]
    says(f"it judges {WORDS[len(paper)]} statements")
    says(f"it refutes {WORDS[sum(statement.expected == 'refuted' for statement in paper)]} of them")
    stored = {file.stem for file in (ROOT / "proofs_check" / "prove" / "certificates").glob("*.json")}
    certified = sum(statement.slug in stored for statement in paper)
    says(f"{WORDS[certified]} of the {WORDS[len(paper)]} statements carry certificates")
    ledger = json.loads((ROOT / "proofs_check" / "formal" / "ledger.json").read_text())
    says(f"are {len(ledger['theorems'])} theorems of Coq")
    lines = re.search(r"(\d+) lines of code", (ROOT / "docs" / "proofs.md").read_text())
    assert lines is not None
    says(f"the kernel that checks them has {lines[1]} lines")


def test_the_false_lemma() -> None:
    chain = zoo("c1-value-bound").exact()
    q, d = chain.q, exact_distance(tk.krope_kernel(chain).exact_matrix())
    gap, bound = (Fraction(int(v.p), int(v.q)) for v in (abs(q[0] - q[1]), d[0, 1]))
    says(f"({gap} against {bound})")
    says(f"A chain of {WORDS[chain.n_pairs]} pairs")


def test_the_studies() -> None:
    exact = committed("exact-spectral")
    kinds, sizes = exact["kinds"].tolist(), exact["dimensions"].tolist()
    share = exact["unstable"][1, kinds.index("unweighted"), sizes.index(20)]
    says(f"without them {100 * share:.0f}% of 1000 random models diverge with 20 features")
    says(f"{int(committed('closed-form')['certificates'].sum())} times")
    runs = committed("garnet-arithmetic")
    stable, full = exact_verdicts(runs), runs["exact_rank"] == 40
    says(f"Of {stable.size} learned representations, {int(full.sum())} have full rank")
    assert bool(np.all(stable[full]))


def test_about_eight_hundred_words() -> None:
    body = (ROOT / "paper.md").read_text().split("---", 2)[2]
    assert 700 <= len(body.split()) <= 900
