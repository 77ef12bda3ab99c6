"""The numbers of the teaching app against closed forms, the library and exact arithmetic."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest

import tabular_krope as tk
from figures import style
from figures.app.tours import (
    false_bound,
    features_from_data,
    laboratory,
    only_rounding,
    what_distance_sees,
    why_stable,
)


@pytest.mark.parametrize("e", ["1/20", "1/2", "19/20", "1"])
@pytest.mark.parametrize("gamma", ["1/10", "9/10"])
def test_false_bound_by_hand(e, gamma):
    e, g = Fraction(e), Fraction(gamma)
    found = false_bound.compute(e, g)
    # After two steps the rewards are +-1 for ever: q(x) = e g^2/(1-g), and d = 2/R times the same with e^2 and width 2.
    assert found.gap == 2 * e * g**2 / (1 - g)
    assert found.distance == 2 * e**2 * g**2 / (1 - g)
    assert found.fails == (e < 1)
    assert found.gap**2 <= found.rkhs_squared


def test_false_bound_curves_pass_through_the_exact_points():
    lines = false_bound.curves("9/10", points=20)
    for k in (0, 9, 19):
        exact = false_bound.compute(Fraction(k + 1, 20))
        np.testing.assert_allclose(
            [lines[name][k] for name in ("gap", "distance", "rkhs")],
            [float(exact.gap), float(exact.distance), exact.rkhs],
            rtol=1e-12,
        )


def test_the_witness_of_the_tour_is_a_model_file(tmp_path):
    import json

    (tmp_path / "chain.json").write_text(json.dumps(false_bound.compute("1/4").witness))
    assert (
        abs(tk.load(tmp_path / "chain.json").q[0] - tk.load(tmp_path / "chain.json").q[1])
        == tk.zoo("c1-value-bound", e="1/4").exact().q[0] * 2
    )


def test_only_rounding_is_gamma_exactly_and_by_singular_values():
    for digits in (0, 6, 12):
        found = only_rounding.compute(digits, gamma=0.9, seed=1)
        assert found.radius["exact"] == pytest.approx(0.9, abs=1e-12)
        assert found.radius["singular values, float64"] == pytest.approx(0.9, abs=1e-9)
    assert only_rounding.compute(8, 0.9, 1).radius["covariance, float32"] > 1


def test_only_rounding_bad_condition():
    with pytest.raises(tk.KropeError, match=r"digits must lie in 0\.\.12; got 13"):
        only_rounding.features(13, seed=0)


def test_why_stable_bound_for_every_skew_and_dimension():
    lost = set()
    for skew in (0.0, 2.0, 4.0, 6.0):
        for d in (1, 3, 8):
            found = why_stable.compute(0.95, d, skew)
            assert found.norm[why_stable.KINDS[0]] <= np.sqrt(0.95) + 1e-9
            guarantee = 0.95 ** (np.arange(why_stable.STEPS + 1) / 2)
            assert np.all(found.paths[why_stable.KINDS[0]] <= guarantee * (1 + 1e-9))
            lost |= {kind for kind, radius in found.radius.items() if radius > 1}
    assert lost == set(why_stable.KINDS[1:])  # the page shows both others diverge


@pytest.mark.parametrize("name", what_distance_sees.MODELS)
def test_the_terms_add_up_to_the_distance(name):
    found = what_distance_sees.compute(name, 0, 1, gamma=0.5)
    assert found.terms.sum() == pytest.approx(found.distance, abs=4 * 0.5**what_distance_sees.STEPS * 4 + 1e-12)
    np.testing.assert_allclose(found.laws.sum(axis=2), 1.0)


def test_unknown_model_of_the_distance():
    with pytest.raises(tk.KropeError, match="name must be one of"):
        what_distance_sees.compute("c9")


@pytest.mark.parametrize("spec", ["garnet:4x3x2", "zoo:c4-unweighted-truncation", "zoo:four-rooms"])
@pytest.mark.parametrize("weights", laboratory.WEIGHTS)
def test_laboratory_is_the_library(spec, weights):
    subject = laboratory.read_model(spec)
    found = laboratory.compute(subject, "random", weights, d=2, gamma=0.8)
    chain = found.analysis.mrp
    assert chain.gamma == 0.8
    D = found.analysis.weights
    out = tk.lspe(chain, tk.features(tk.krope_kernel(chain), 2, D), D)
    assert found.analysis.stability.norm == pytest.approx(out.norm, rel=1e-9)
    assert out.norm <= np.sqrt(0.8) + 1e-9
    assert "fails" not in {one.outcome for one in found.statements if one.expected == "holds"}


def test_more_features_than_the_rank_are_cut():
    assert laboratory.compute(laboratory.read_model("zoo:baird"), d=20).analysis.features.d == 1


def test_uploads(tmp_path):
    tk.save(tk.garnet(3, 2, seed=0), tmp_path / "model.npz")
    subject = laboratory.read_upload("model.npz", (tmp_path / "model.npz").read_bytes())
    assert subject.model.n_pairs == 6
    with pytest.raises(tk.KropeError):
        laboratory.read_upload("model.npz", b"nonsense")
    with pytest.raises(tk.KropeError, match="at most"):
        laboratory.compute(laboratory.read_model("garnet:200x5x3"))


@pytest.mark.parametrize("base", [4, 16, 20])
@pytest.mark.parametrize("shift", [0.0, 0.9])
def test_features_from_data_keep_the_certificate(base, shift):
    for d in (1, 4, 20):
        found = features_from_data.compute(1000, shift, base, d)
        assert found.made.certified
        assert found.krope.norm <= np.sqrt(features_from_data.GAMMA) + found.made.tolerance
        assert found.krope.norm == pytest.approx(found.made.norm, abs=1e-9)


def test_all_base_features_and_much_data_give_the_values():
    found = features_from_data.compute(20_000, 0.0, features_from_data.MOST_BASE, 20)
    assert np.sqrt(np.mean((found.q_krope - found.q) ** 2)) < 0.3 * found.q.std()


def test_every_picture_draws():
    bound, bench = false_bound.compute("1/2"), laboratory.compute(laboratory.read_model("zoo:c1-value-bound"), d=1)
    data = features_from_data.compute(500)
    laws, stable = what_distance_sees.compute("garnet", 0, 3), why_stable.compute(skew=4.0)
    for draw in (
        partial(false_bound.draw, bound),
        partial(only_rounding.draw, 0.9, 0, 5),
        partial(what_distance_sees.draw_laws, laws, 1, (0, 3)),
        partial(what_distance_sees.draw_terms, laws, 1),
        partial(why_stable.draw_paths, stable),
        partial(why_stable.draw_weights, stable),
        partial(features_from_data.draw_paths, data),
        partial(features_from_data.draw_values, data),
        partial(laboratory.draw_plane, bench),
        partial(laboratory.draw_path, bench),
    ):
        assert style.render(draw)[1:4] == b"PNG"
