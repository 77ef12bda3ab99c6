import io

from PIL import Image

from figures.parts.analysis_pictures import render_analysis
from tabular_krope.report import analysis
from tabular_krope.report.analysis import analyze_model
from tests.cases import degenerate_mrps, random_mrp

ALL = {"kernel.png", "eigenvalues.png", "stability.png", "model.png", "values.png"}


def test_every_picture_is_a_png_with_something_on_it():
    pictures = render_analysis(analyze_model(degenerate_mrps()["ending"]), names=("x", "y"))
    assert set(pictures) == ALL
    for png in pictures.values():
        image = Image.open(io.BytesIO(png)).convert("L")
        assert min(image.size) > 300
        assert image.getextrema()[0] < 100


def test_other_features_change_the_picture_of_stability():
    mrp = random_mrp(0, S=3, A=2)
    krope, other = (render_analysis(analyze_model(mrp, kind, 2)) for kind in ("krope", "random"))
    assert krope["stability.png"] != other["stability.png"]
    assert krope["eigenvalues.png"] != other["eigenvalues.png"]
    assert krope["kernel.png"] == other["kernel.png"]


def test_a_large_model_goes_without_pairs_of_pairs(monkeypatch):
    monkeypatch.setattr(analysis, "DENSE_PAIRS", 5)
    monkeypatch.setattr(analysis, "LARGE_DIMENSION", 3)
    assert set(render_analysis(analyze_model(random_mrp(0, S=3, A=2)))) == ALL - {"values.png"}
