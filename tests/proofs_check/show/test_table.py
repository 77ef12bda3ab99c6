import json
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

import proofs_check as pc
from proofs_check.show.table import LEGEND, print_table, verdict_table, verdicts_as_json, worst_words

SLUGS = ["lemma-value-bound", "mico-identity", "remark-self-similarity"]


@pytest.fixture(scope="module")
def verdicts():
    return pc.check_all(SLUGS, examples=10)


def printed(verdicts, width=200, terminal=False):
    out = StringIO()
    print_table(verdicts, Console(width=width, file=out, force_terminal=terminal, color_system=None))
    return out.getvalue()


def test_the_table_names_everything(verdicts):
    text = printed(verdicts)
    for verdict in verdicts:
        assert verdict.slug in text
    for word in ("refuted", "holds", "witness", "last-equality", "3 statements", "every verdict as expected"):
        assert word in text
    assert text.startswith("3 statements, ")
    assert verdict_table(verdicts).row_count == 3


@pytest.mark.parametrize("width", [200, 120, 100, 80, 70, 60, 50, 40])
def test_nothing_is_cut_however_narrow_the_table(width):
    verdicts = pc.check_all([*SLUGS, "value-bound-rkhs"], examples=10)
    text = printed(verdicts, width)
    assert "…" not in text
    lines = text.splitlines()
    assert max(map(len, lines)) <= width
    for verdict in verdicts:
        assert any(verdict.outcome in line.split() for line in lines)
    assert "last-equality" in text
    for words, least in (("c >= 0.70711", 70), ("proven 0.70711", 70), ("witness; identities:", 40), ("0 (0%)", 120)):
        assert (words in text) == (width >= least), words
    assert ("first false step: last-equality" in " ".join(text.split())) == (width <= 80)


def test_a_legend_on_a_terminal(verdicts):
    assert all(line in printed(verdicts, 120, terminal=True) for line in LEGEND)
    assert not any(line in printed(verdicts, 120) for line in LEGEND)


def test_an_unexpected_verdict_is_named(verdicts):
    assert "not as expected: lemma-value-bound" in printed([replace(verdicts[0], outcome="holds"), *verdicts[1:]])


def test_json_is_strict_and_complete(verdicts):
    text = json.dumps(verdicts_as_json(verdicts, {"examples": 10, "seed": 0}), allow_nan=False)
    back = json.loads(text)
    assert back["settings"] == {"examples": 10, "seed": 0}
    first = back["statements"][0]
    assert {"slug", "outcome", "evidence", "tried", "vacuous", "worst", "steps", "witness", "trials"} <= set(first)
    assert first["witness"]["P_pi"][0][2] == "3/4"
    assert first["first_false_step"] == "last-equality"
    assert first["as_expected"] is True


def test_the_word_for_nothing():
    verdict = pc.Verdict("s", "c", "vacuous", "sampled", 0, 3, worst=float("-inf"))
    assert worst_words(verdict) == ""


def test_the_table_prints_error_bounds_constants_and_vacuous_shares(verdicts):
    text = printed(verdicts)
    sampled = pc.check("prop-fixed-point", examples=5)
    assert f"error < {sampled.error:.2g}" in printed([sampled])
    assert sampled.error < 1e-40
    assert "0 (0%)" in text
    constant = printed([pc.check("value-bound-rkhs", examples=30)])
    assert "c >= 0.7071" in constant
    assert "proven 0.70711" in constant


def test_an_existential_claim_has_no_worst_case(verdicts):
    row = verdicts_as_json(verdicts, {})["statements"][2]
    assert (row["worst"], row["tightness"]) == (None, None)


def test_a_witness_cut_out_of_the_json_is_a_model(verdicts, tmp_path):
    import tabular_krope as tk

    first = json.loads(json.dumps(verdicts_as_json(verdicts, {})))["statements"][0]
    for name in ("witness", "shrunk"):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(first[name]))
        chain = tk.load(path)
        assert [str(r) for r in chain.r] == first[name]["r"]
        assert str(chain.gamma) == "9/10"
    assert first["vacuous_share"] == 0
