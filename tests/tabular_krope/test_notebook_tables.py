from xml.etree import ElementTree

import tabular_krope as tk
from proofs_check.judging.verdict import Verdict
from tabular_krope.notebook_tables import html_table, latex_text


def cells(html):
    """Rows of a table, read by a parser that refuses what is not escaped."""
    return {row[0].text: row[1].text for row in ElementTree.fromstring(html).iter("tr")}


def test_models_kernels_results_and_verdicts_have_tables():
    mrp = tk.MRP.from_matrix([[0.0, 1.0], [1.0, 0.0]], [0.0, 1.0], 0.5)
    K = tk.krope_kernel(mrp)
    out = tk.lspe(mrp, tk.features(K, 1))
    verdict = Verdict("a_slug", "x < y & z", "holds", "samples", 3, 0, 0.5)
    assert cells(mrp._repr_html_()) == {"pairs": "2", "states": "2", "gamma": "0.5"}
    assert cells(K._repr_html_())["method"] == K.evidence.method
    assert cells(out._repr_html_())["stable"] == "yes"
    assert cells(verdict._repr_html_())["claim"] == "x < y & z"
    assert r"x < y \& z" in verdict._repr_latex_()
    assert verdict._repr_latex_().count("{") == verdict._repr_latex_().count("}")


def test_nothing_in_a_table_is_markup():
    assert "<script>" not in html_table("<script>", {"<script>": "<script>"})
    assert latex_text("50%_a^b\\") == r"50\%\_a\^{}b\textbackslash{}"
