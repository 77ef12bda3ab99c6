import shutil
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import proofs_check as pc
import tabular_krope as tk
from proofs_check.judging.verdict import Verdict
from proofs_check.prove.best_constant.constant import best_constant
from tabular_krope.notebook_tables import (
    LONGEST,
    MOST_COLUMNS,
    MOST_FACTS,
    MOST_ROWS,
    Grid,
    html_table,
    latex_table,
    latex_text,
    word,
)
from tabular_krope.report.analysis import analyze_model

CHROMIUM = shutil.which("chromium")
KATEX = Path(__file__).parents[2] / "docs" / "katex" / "katex.min.js"
NASTY = "<script>alert('x')</script> & 50%_a^b~$\\frac{}{}#{"


def tables(html):
    """The tables of a block, read by a parser that refuses what is not escaped: each a list of rows of texts."""
    block = ElementTree.fromstring(html)
    return [[["".join(cell.itertext()) for cell in row] for row in table.iter("tr")] for table in block.iter("table")]


def facts(html):
    return dict(tables(html)[0])


@cache
def shown():
    """One of everything that has a look in notebooks."""
    mdp = tk.garnet(4, 2, branching=2, gamma=0.9, seed=0)
    mrp = tk.induce(mdp, tk.random_policy(mdp, seed=1))
    exact = tk.ExactMRP.from_matrix([["1/2", "1/2"], [0, 1]], r=[1, 0], gamma="9/10")
    K, policy = tk.krope_kernel(mrp), tk.random_policy(mdp, seed=2)
    data = tk.sample_dataset(mdp, policy, 400, seed=0)
    phi = tk.features(K, 2)
    out = tk.lspe(mrp, phi)
    problem = tk.offline_problem(data, tk.random_policy(mdp, seed=1))
    return {
        "mdp": mdp,
        "exact mdp": tk.ExactMDP([[["1/3", "2/3"], [1, 0]], [[0, 1]]], r=[[1, 0], ["1/2"]], gamma="9/10"),
        "policy": policy,
        "mrp": mrp,
        "large mrp": tk.induce(tk.garnet(30, 3, seed=0), tk.random_policy(tk.garnet(30, 3, seed=0), seed=0)),
        "exact mrp": exact,
        "kernel": K,
        "exact kernel": tk.krope_kernel(exact),
        "data": data,
        "lspe": out,
        "residual": tk.residual_certificate(mrp, phi),
        "lyapunov": tk.lyapunov_certificate(out.L),
        "weights": tk.stabilizing_weights(mrp, phi),
        "map": tk.feature_space_krope(np.eye(8)[data.pairs], np.eye(8)[data.s_next * 2], data.r, gamma=0.9, d=3),
        "partition": tk.bisimulation_partition(mrp),
        "metric": tk.bisimulation_metric(mdp),
        "value": tk.estimate_value(data, tk.random_policy(mdp, seed=1)),
        "estimate": tk.estimate_value(data, tk.random_policy(mdp, seed=1), base="pairs"),
        "diagnosis": tk.diagnose(problem, replicates=0),
        "analysis": analyze_model(mrp, d=2),
        "verdict": pc.check("lemma-value-bound", examples=5),
        "conjecture": pc.conjecture("d[x,z] <= d[x,y] + d[y,z]", examples=40),
        "proved": pc.conjecture("K[x,y] <= 1/(1-gamma)"),
        "worst": best_constant("abs(q[x]-q[y]) / sqrt(d[x,y])", gamma="1/2", R="rho0", conservative=True),
    }


@pytest.fixture(scope="module")
def looks():
    return shown()


def test_everything_has_a_look_that_is_well_formed_and_small(looks):
    for name, value in looks.items():
        html, latex = value._repr_html_(), value._repr_latex_()
        assert tables(html)[0], name
        assert len(html) < 12_000, name
        assert latex.count("{") == latex.count("}"), name
        assert latex.startswith("$"), name


def test_models_show_their_transitions(looks):
    exact = tables(looks["exact mrp"]._repr_html_())
    assert dict(exact[0]) == {"pairs": "2", "states": "2", "gamma": "9/10"}
    assert exact[1] == [["pair", "r", "to 0", "to 1"], ["0", "1", "1/2", "1/2"], ["1", "0", ".", "1"]]
    listed = tables(looks["exact mdp"]._repr_html_())[1]
    assert listed[1:] == [["0", "0", "1", "1: 2/3, 0: 1/3"], ["0", "1", "0", "0: 1"], ["1", "0", "1/2", "1: 1"]]


def test_a_large_chain_lists_the_likeliest_successors_and_counts_the_rest(looks):
    mrp = looks["large mrp"]
    rows = tables(mrp._repr_html_())[1]
    assert len(rows) == MOST_ROWS + 1
    assert f"{90 - MOST_ROWS} more pairs" in mrp._repr_html_()
    first = int(rows[1][2].split(":")[0])
    assert first == np.argmax(np.asarray(mrp.P_pi[0]).ravel())


def test_ends_and_action_names_are_shown():
    mdp = tk.MDP([[[0.5]]], [[1.0]], 0.9, end=[[0.5]], action_names=("<go>",))
    assert tables(mdp._repr_html_())[1][1] == ["0", "<go>", "1", "0: 0.5, ends: 0.5"]
    chain = tk.ExactMRP.from_matrix([["1/2"]], [1], "1/2", end=["1/2"])
    assert tables(chain._repr_html_())[1] == [["pair", "r", "to 0", "ends"], ["0", "1", "1/2", "1/2"]]


def test_an_exact_kernel_shows_fractions_as_fractions(looks):
    K = looks["exact kernel"]
    assert tables(K._repr_html_())[1][1:] == [["0", "3050/341", "90/11"], ["1", "90/11", "10"]]
    assert r"\frac{3050}{341}" in K._repr_latex_()


def test_the_darkest_cell_of_a_kernel_is_its_largest_entry(looks):
    styles = [cell.get("style", "") for cell in ElementTree.fromstring(looks["kernel"]._repr_html_()).iter("td")]
    shade = [float(style.rsplit(",", 1)[1].rstrip(")")) for style in styles if "background" in style]
    assert np.argmax(shade) == np.argmax(looks["kernel"].matrix())
    assert max(shade) < 0.6


def test_results_say_the_answer_first(looks):
    assert facts(looks["lspe"]._repr_html_())["stable"] == "yes"
    assert next(iter(facts(looks["diagnosis"]._repr_html_()).items())) == ("verdict", "stable")
    assert next(iter(facts(looks["estimate"]._repr_html_()))) == "verdict"
    assert next(iter(facts(looks["value"]._repr_html_()))) == "value"
    assert facts(looks["lyapunov"]._repr_html_())["verified over the rationals"] == "yes"
    assert facts(looks["map"]._repr_html_())["certified stable"] == "yes"
    assert tables(looks["analysis"]._repr_html_())[1][0] == ["bound on |q(x) - q(y)|", "holds", "worst ratio"]


def test_refutations_show_numbers_and_chain(looks):
    found = tables(looks["verdict"]._repr_html_())
    assert "81/10 > 81/20" in dict(found[0])["because"]
    assert found[1][1] == ["0", "0", ".", ".", "3/4", "1/4", ".", "."]
    conjecture, verdict = tables(looks["conjecture"]._repr_html_()), looks["conjecture"]
    assert dict(conjecture[0])["left side"] == verdict.left
    assert Fraction(verdict.left) > Fraction(verdict.right)
    assert len(conjecture[1]) == len(verdict.witness["r"]) + 1
    assert facts(looks["proved"]._repr_html_())["outcome"] == "proved"
    assert facts(looks["worst"]._repr_html_())["status"] == "best"


def test_verdicts_on_statements_of_others_are_shown_without_their_source():
    verdict = Verdict("a_slug", "x < y & z", "refuted", "samples", 3, 0, 0.5)
    assert facts(verdict._repr_html_())["claim"] == "x < y & z"
    assert r"x < y \& z" in verdict._repr_latex_()
    shaky = replace(verdict, outcome="holds", first_false_step="third")
    assert facts(shaky._repr_html_())["false step of the printed proof"] == "third"


def test_nothing_in_a_table_is_markup():
    html = html_table(NASTY, {NASTY: NASTY}, Grid([NASTY], [[NASTY]], note=NASTY))
    assert "<script>" not in html
    assert tables(html) == [[[NASTY, NASTY]], [[NASTY], [NASTY]]]
    assert latex_text("50%_a^b\\") == r"50\%\_a$\hat{}$b$\backslash $"


def test_tables_are_bounded():
    grid = Grid([str(k) for k in range(50)], [["x" * 999] * 50] * 70, shades=[[0.5] * 50] * 70)
    html = html_table("t" * 999, {f"fact {k}": "y" * 999 for k in range(80)}, grid)
    first, second = tables(html)
    assert len(first) == MOST_FACTS
    assert (len(second), len(second[0])) == (MOST_ROWS + 1, MOST_COLUMNS)
    assert max(len(cell) for row in first + second for cell in row) == LONGEST
    assert "58 more rows; 34 more columns" in html
    assert len(latex_table("t" * 999, {}, grid)) < 60_000


def test_long_fractions_are_rounded_and_say_so():
    assert word(Fraction(10**40, 3)) == "~3.333e+39 (a fraction of 42 digits)"
    assert word(str(Fraction(10**400 + 1, 3))).startswith("~1e400 (")
    assert word("-81/20") == "-81/20"
    assert r"-\frac{81}{20}" in latex_table("", {"a": Fraction(-81, 20)})


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed (apt-get install chromium)")
def test_katex_sets_every_formula(looks):
    from playwright.sync_api import sync_playwright

    sheets = [value._repr_latex_() for value in looks.values()] + [
        latex_table(NASTY, {NASTY: NASTY}, Grid([NASTY], [[1]]))
    ]
    formulas = [part.removeprefix("$").removesuffix("$") for sheet in sheets for part in sheet.split("\n\n")]
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.add_script_tag(path=KATEX)
        for formula in formulas:
            assert "katex" in page.evaluate(
                "f => katex.renderToString(f, {throwOnError: true, strict: 'error'})", formula
            )
        browser.close()
