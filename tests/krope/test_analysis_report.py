import json
import re
import shlex

import numpy as np
import pytest

from figures.report.findings_pictures import OF_ANALYSIS
from tabular_krope.data.files import save
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.garnet import garnet
from tests.figures.report.test_page import Reader


@pytest.fixture
def unpictured(monkeypatch):
    """Pages without their pictures, which take most of the time and have tests of their own."""
    monkeypatch.setattr("krope.analysis_report.analysis_figures", lambda *given: ())


@pytest.fixture
def page(krope, tmp_path, monkeypatch, unpictured):
    monkeypatch.chdir(tmp_path)

    def run(*words):
        found = krope("analyze", *words, "--report", "page.html")
        assert found.code == 0, found
        assert found.out.endswith("wrote page.html\n")
        return Reader((tmp_path / "page.html").read_text(encoding="utf-8")).words

    return run


def test_the_answer_and_every_number_of_the_tables(krope, page):
    words = page("garnet:4x2x2", "--seed", "3")
    answer = krope("analyze", "garnet:4x2x2", "--seed", "3", "--json", "-")
    numbers = json.loads(answer.out)
    assert "stable LSPE on" in words
    assert f"{numbers['spectral_radius']:.3g} spectral radius rho(L)" in words
    assert f"{numbers['norm']:.3g} norm2(L)" in words
    for title in ("Model", "KROPE kernel", "What the features can represent", "Values"):
        assert title in words
    assert "Seed 3 " in words
    assert "Policy uniform (not asked for otherwise)" in words
    assert "krope analyze garnet:4x2x2 --seed 3 --report page.html" in words


def test_a_divergent_model_is_told_what_to_do_and_the_commands_work(krope, page):
    words = page("zoo:van-roy", "--features", "own", "--weights", "own")
    assert "not stable LSPE on" in words
    found = re.search(r"krope analyze zoo:van-roy --features krope --dim \d+ --weights own", words)[0]
    assert "is stable" in krope(*shlex.split(found)[1:]).out
    assert "krope diagnose zoo:van-roy" in words


def test_a_stable_limit_that_is_far_off_is_not_called_good(page, tmp_path):
    words = page("zoo:c1-value-bound", "--features", "random", "--dim", "3")
    assert "stable, but far from the values" in words
    assert '<div class="answer unsure">' in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "fails on this model, by a factor 2.59" in words
    assert "krope check lemma-value-bound -v" in words


def test_more_features_where_they_help(krope, page):
    words = page("gym:FrozenLake-v1", "--policy", "optimal", "--dim", "8")
    advised = re.search(r"krope analyze gym:FrozenLake-v1 --policy optimal --dim (\d+)", words)
    before, after = (
        json.loads(krope("analyze", "gym:FrozenLake-v1", "--policy", "optimal", "--dim", d, "--json", "-").out)[
            "value_error"
        ]
        for d in ("8", advised[1])
    )
    assert after < before


def test_files_of_every_kind(page, tmp_path):
    save(garnet(3, 2, branching=2, gamma=0.9, seed=0), tmp_path / "model.npz")
    save(ExactMRP.from_matrix([["1/2", "1/2"], ["0", "1"]], ["1", "0"], "9/10"), tmp_path / "chain.json")
    np.save(tmp_path / "phi.npy", np.random.default_rng(0).standard_normal((6, 2)))
    assert "krope analyze model.npz --features phi.npy" in page("model.npz", "--features", "phi.npy")
    words = page("chain.json")
    assert "Nothing has to be mended" in words
    assert "krope diagnose" not in words  # a chain without actions gives no data


def test_json_on_stdout_and_the_page_with_every_picture(krope, tmp_path):
    path = tmp_path / "page.html"
    found = krope("analyze", "garnet:3x2", "--json", "-", "--report", path)
    assert json.loads(found.out)["stable"] is True
    text = path.read_text(encoding="utf-8")
    assert text.count("<svg") == 2 * len(OF_ANALYSIS)
    assert all(words in text for words in OF_ANALYSIS.values())
    assert [one.name for one in tmp_path.iterdir()] == ["page.html"]


def test_quiet_and_the_page(krope, tmp_path, unpictured):
    path = tmp_path / "page.html"
    assert krope("analyze", "garnet:3x2", "--quiet", "--report", path).out == ""
    assert [one.name for one in tmp_path.iterdir()] == ["page.html"]


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("page.pdf", "report must be a file that ends in .html or .htm; got page.pdf"),
        ("-", "report must be a file that ends in .html or .htm; got -"),
        ("missing/page.html", "report must lie in an existing folder; got missing/page.html"),
        ("/proc/page.html", "report must lie in a writable folder; got /proc/page.html"),
    ],
)
@pytest.mark.parametrize("command", ["analyze", "diagnose"])
def test_a_page_that_cannot_be_is_refused_before_any_work(krope, monkeypatch, command, target, why):
    monkeypatch.setattr("krope.analyze.read_model", lambda *a: pytest.fail("too late"))
    monkeypatch.setattr("krope.diagnose.read_evidence", lambda *a: pytest.fail("too late"))
    assert krope(command, "garnet:3x2", "--report", target).refused == why
