import json
import re
import shlex

import numpy as np
import pytest

from tabular_krope.data.files import save
from tests.figures.report.test_page import Reader
from tests.krope.test_diagnose import DATA
from tests.tabular_krope.data.transitions import continuous_data

FAST = ("--replicates", "20")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save(DATA, "runs.csv")
    return tmp_path


@pytest.fixture
def page(krope, folder, monkeypatch):
    """The words of a page without its pictures, which take most of the time and have tests of their own."""
    monkeypatch.setattr("krope.diagnosis_report.diagnosis_figures", lambda *given: ())
    save(continuous_data(n=50, everything=True), "run.hdf5")
    np.save("phi.npy", np.random.default_rng(0).standard_normal((8, 3)))

    def run(*words):
        found = krope("diagnose", *words, "--report", "page.html")
        assert found.code == 0, found
        assert "wrote page.html\n" in found.out
        return Reader((folder / "page.html").read_text(encoding="utf-8")).words

    return run


def test_the_verdict_the_words_and_the_numbers(krope, page):
    words = page("runs.csv", *FAST)
    numbers = json.loads(krope("diagnose", "runs.csv", *FAST, "--json", "-").out)
    first, *rest = numbers["words"]
    assert first.startswith("STABLE. LSPE on these features")
    assert "stable LSPE on these features and this data converges" in words
    for paragraph in rest:
        assert paragraph.split(" (")[0] in words
    assert f"{numbers['spectral_radius']:.3g} spectral radius rho(L)" in words
    estimate = numbers["estimate"]
    assert f"95% interval {estimate['low']:.3g} .. {estimate['high']:.3g}" in words
    assert "Target policy behavior (the data's own)" in words
    assert "krope diagnose runs.csv --replicates 20 --report page.html" in words


def test_a_divergent_case_says_what_cures_it_and_the_command_keeps_the_features(krope, page, tmp_path):
    words = page("zoo:van-roy", *FAST)
    assert "diverges LSPE on these features and this data has no limit" in words
    assert "true value, by the model" in words
    assert "collect data under the target policy" in words
    keep = re.search(r"krope diagnose zoo:van-roy --replicates 20 --save features.npz", words)[0]
    assert krope(*shlex.split(keep)[1:]).code == 0
    assert (tmp_path / "features.npz").exists()


def test_estimators_features_and_continuous_data(page):
    words = page("runs.csv", "--estimators", "--features", "phi.npy", "--policy", "uniform", *FAST)
    assert "Estimators" in words
    assert "doubly robust" in words
    assert "See what other estimators say" not in words
    words = page("run.hdf5", *FAST)
    assert "In closed form, on polynomials and waves of state and action" in words
    assert "The value in closed form" in words


def test_without_replicates(page):
    words = page("runs.csv", "--replicates", "0")
    assert "Intervals none: no replicates were asked for" in words
    assert "nan" not in words


def test_json_on_stdout_the_picture_and_the_page_with_all_of_its_own(krope, folder):
    found = krope("diagnose", "runs.csv", *FAST, "--json", "-", "--report", "p.html", "--plot", "pictures")
    assert json.loads(found.out)["verdict"] == "stable"
    assert (folder / "p.html").read_text(encoding="utf-8").count("<svg") == 2 * 3
    assert (folder / "pictures" / "diagnosis.png").exists()
