"""The numbers of the teaching app against closed forms, the library and exact arithmetic."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from matplotlib.figure import Figure

import tabular_krope as tk
from figures.app.drawing.chart import SIZES
from figures.app.tours import (
    bench_pictures,
    bench_words,
    false_bound_tour,
    features_from_data_tour,
    grids,
    laboratory_tour,
    only_rounding_tour,
    uploads,
    what_distance_sees_tour,
    why_stable_tour,
)
from figures.app.tours.label_places import HEIGHT, WIDTH, label_places
from figures.app.tours.lspe_path import relative_path
from figures.parts import style
from tabular_krope.named.models import read_model


@pytest.mark.parametrize("e", ["1/20", "1/2", "19/20", "1"])
@pytest.mark.parametrize("gamma", ["1/10", "9/10"])
def test_false_bound_by_hand(e, gamma):
    e, g = Fraction(e), Fraction(gamma)
    found = false_bound_tour.compute(e, g)
    # After two steps the rewards are +-1 for ever: q(x) = e g^2/(1-g), and d = 2/R times the same with e^2 and width 2.
    assert found.gap == 2 * e * g**2 / (1 - g)
    assert found.distance == 2 * e**2 * g**2 / (1 - g)
    assert found.fails == (e < 1)
    assert found.gap**2 <= found.rkhs_squared


def test_false_bound_curves_pass_through_the_exact_points():
    lines = false_bound_tour.curves("9/10", points=20)
    for k in (0, 9, 19):
        exact = false_bound_tour.compute(Fraction(k + 1, 20))
        np.testing.assert_allclose(
            [lines[name][k] for name in ("gap", "distance", "rkhs")],
            [float(exact.gap), float(exact.distance), exact.rkhs],
            rtol=1e-12,
        )


def test_the_witness_of_the_tour_is_a_model_file(tmp_path):
    import json

    (tmp_path / "chain.json").write_text(json.dumps(false_bound_tour.compute("1/4").witness))
    assert (
        abs(tk.load(tmp_path / "chain.json").q[0] - tk.load(tmp_path / "chain.json").q[1])
        == tk.zoo("c1-value-bound", e="1/4").exact().q[0] * 2
    )


def test_only_rounding_is_gamma_exactly_and_by_singular_values():
    for digits in (0, 6, 12):
        found = only_rounding_tour.compute(digits, gamma=0.9, seed=1)
        assert found.radius["exact fractions"] == pytest.approx(0.9, abs=1e-12)
        assert found.radius["singular values in float64"] == pytest.approx(0.9, abs=1e-9)
    assert only_rounding_tour.compute(8, 0.9, 1).radius["covariance in float32"] > 1


def test_only_rounding_bad_condition():
    with pytest.raises(tk.KropeError, match=r"digits must lie in 0\.\.12; got 13"):
        only_rounding_tour.features(13, seed=0)


def test_why_stable_bound_for_every_skew_and_dimension():
    lost = set()
    for skew in (0.0, 2.0, 4.0, 6.0):
        for d in range(1, why_stable_tour.MOST_D + 1):
            found = why_stable_tour.compute(0.9, d, skew)
            assert found.norm[why_stable_tour.KINDS[0]] <= np.sqrt(0.9) + 1e-9
            guarantee = 0.9 ** (np.arange(why_stable_tour.STEPS + 1) / 2)
            assert np.all(found.paths[why_stable_tour.KINDS[0]] <= guarantee * (1 + 1e-9))
            lost |= {kind for kind, radius in found.radius.items() if radius > 1}
    assert lost == set(why_stable_tour.KINDS[1:])  # the page shows both others diverge


@pytest.mark.parametrize("name", what_distance_sees_tour.MODELS)
def test_the_terms_add_up_to_the_distance(name):
    found = what_distance_sees_tour.compute(name, 0, 1, gamma=0.5)
    assert found.terms.sum() == pytest.approx(found.distance, abs=4 * 0.5**what_distance_sees_tour.STEPS * 4 + 1e-12)
    np.testing.assert_allclose(found.laws.sum(axis=2), 1.0)


def test_unknown_model_of_the_distance():
    with pytest.raises(tk.KropeError, match="name must be one of"):
        what_distance_sees_tour.compute("c9")


@pytest.mark.parametrize("spec", ["garnet:4x3x2", "zoo:c4-unweighted-truncation", "zoo:four-rooms"])
@pytest.mark.parametrize("weights", laboratory_tour.WEIGHTS[:-1])
def test_laboratory_is_the_library(spec, weights):
    subject = read_model(spec)
    found = laboratory_tour.compute(subject, "random", weights, d=2, gamma=0.8)
    chain = found.analysis.mrp
    assert chain.gamma == 0.8
    D = found.analysis.weights
    out = tk.lspe(chain, tk.features(tk.krope_kernel(chain), 2, D), D)
    assert found.analysis.stability.norm == pytest.approx(out.norm, rel=1e-9)
    assert out.norm <= np.sqrt(0.8) + 1e-9
    assert "fails" not in {one.outcome for one in laboratory_tour.statements(found) if one.expected == "holds"}


def test_more_features_than_the_rank_are_cut():
    assert laboratory_tour.compute(read_model("zoo:baird"), d=20).analysis.features.d == 1
    assert laboratory_tour.compute(read_model("zoo:c2-not-a-metric"), d=20, kind="unweighted").analysis.features.d == 4
    assert laboratory_tour.compute(read_model("zoo:c2-not-a-metric"), d=20, kind="random").analysis.features.d == 5


def test_lspe_blows_up_on_other_features_and_not_on_krope():
    subject = read_model("zoo:c3-no-injectivity")
    lost = laboratory_tour.compute(subject, weights="lopsided", d=2, gamma=0.9, kind="random")
    assert lost.analysis.stability.spectral_radius == pytest.approx(3.188, abs=1e-3)
    assert lost.path[-1] > 1e20
    words, good = bench_words.stability_words(lost)
    assert ("<b>blows up</b>" in words, good) == (True, False)
    kept = laboratory_tour.compute(subject, weights="lopsided", d=2, gamma=0.9)
    assert np.all(kept.path <= 0.9 ** (np.arange(laboratory_tour.STEPS + 1) / 2) * (1 + 1e-9))
    assert "no data could make" in bench_words.stability_words(kept)[0]


def test_the_witness_of_unweighted_truncation_blows_up_on_its_own_features():
    found = laboratory_tour.compute(read_model("zoo:c4-unweighted-truncation"), weights="own", kind="own")
    assert found.analysis.stability.spectral_radius == pytest.approx(17.1)
    assert "number of features has no effect" in " ".join(bench_words.notes(found))


def test_stable_features_without_a_guarantee_are_called_stable_here():
    found = laboratory_tour.compute(read_model("zoo:c3-no-injectivity"), d=2, kind="unweighted")
    words, good = bench_words.stability_words(found)
    assert good
    assert "stable here" in words
    assert "no data could make" not in words


def test_what_a_model_does_not_have_is_said():
    subject = read_model("garnet:3x2")
    for options, what in (
        ({"policy": "own"}, "policy"),
        ({"weights": "own"}, "weights"),
        ({"kind": "own"}, "features"),
    ):
        with pytest.raises(tk.KropeError, match=f"This model has no .*{what} of its own"):
            laboratory_tour.compute(subject, **options)


def test_a_path_that_starts_at_its_limit_is_zero_and_baird_starts_elsewhere():
    chain = read_model("zoo:baird").model
    still = tk.lspe(tk.induce(chain, tk.Policy.uniform(7, 2)), np.ones((14, 1)), steps=3)
    np.testing.assert_array_equal(relative_path(still), np.zeros(4))
    found = laboratory_tour.compute(read_model("zoo:baird"), gamma=0.9)
    assert found.from_ones
    np.testing.assert_allclose(found.path, 0.9 ** np.arange(laboratory_tour.STEPS + 1), rtol=1e-9)


def test_the_guarantee_is_drawn_for_krope_features_only():
    for kind in ("krope", "unweighted", "random"):
        found = laboratory_tour.compute(read_model("zoo:c1-value-bound"), d=2, kind=kind)
        figure = bench_pictures.path_figure(found)
        assert any("guarantee" in words for _, words in figure.key) == (kind == "krope")
        assert ("ink dashed" in figure.html().split("<svg", 1)[1]) == (kind == "krope")
        other = bench_pictures.sweep_of(found).other
        assert (other is None) == (kind == "krope")


def test_a_path_at_its_limit_is_told_in_the_key():
    found = why_stable_tour.compute(0.9, 3, 0.0)
    still = replace(found, paths=dict.fromkeys(found.paths, np.zeros(why_stable_tour.STEPS + 1)))
    assert f"{why_stable_tour.KINDS[0]}: starts at its limit" in [
        words for _, words in why_stable_tour.figures(still)[0].key
    ]
    bench = replace(laboratory_tour.compute(read_model("zoo:c1-value-bound")), path=np.zeros(laboratory_tour.STEPS + 1))
    assert "LSPE: starts at its limit" in [words for _, words in bench_pictures.path_figure(bench).key]


def on_axes(draw, *arguments):
    return draw(*arguments, Figure().add_subplot())


def test_pairs_carry_names_in_the_plane():
    found = laboratory_tour.compute(read_model("zoo:c1-value-bound"), d=2)
    assert sorted(text.get_text() for text in on_axes(bench_pictures.draw_plane, found).texts) == sorted("xyab+-")
    found = laboratory_tour.compute(read_model("zoo:baird"), weights="own", kind="own")
    words = [text.get_text() for text in on_axes(bench_pictures.draw_plane, found).texts]
    assert "(3,0), (3,1), (4,0) and 7 more" in words


def test_words_in_the_plane_do_not_cover_one_another():
    rng = np.random.default_rng(0)
    dots = np.concatenate([rng.uniform(0, 300, (6, 2)), [[100, 100], [104, 101], [98, 103]]])
    words = [f"({k},{k})" for k in range(len(dots))]
    middles = dots + label_places(dots, words)
    for i in range(len(dots)):
        for j in range(i):
            apart = np.abs(middles[i] - middles[j])
            assert apart[0] >= WIDTH * 5 - 1e-9 or apart[1] >= HEIGHT - 1e-9


def test_grids_are_drawn_as_grids():
    rooms, lake = grids.grid_of("zoo:four-rooms"), grids.grid_of("gym:FrozenLake-v1")
    assert (rooms.marks == "G").nonzero() == (7, 9)
    assert sorted(rooms.states[rooms.states >= 0]) == list(range(103))
    assert ["".join(row) for row in lake.marks] == ["S...", ".H.H", "...H", "H..G"]
    ax = on_axes(grids.draw_grid, lake, np.arange(16.0))
    words = [text.get_text() for text in ax.texts]
    assert (words.count("hole"), words.count("goal"), words[0]) == (4, 1, "start\n0")
    assert grids.grid_of("own") is None


def test_uploads(tmp_path):
    tk.save(tk.garnet(3, 2, seed=0), tmp_path / "model.npz")
    subject = uploads.read_upload("model.npz", (tmp_path / "model.npz").read_bytes())
    assert subject.model.n_pairs == 6
    with pytest.raises(tk.KropeError, match=r"mine\.npz") as told:
        uploads.read_upload("mine.npz", b"nonsense")
    assert "upload" not in str(told.value)
    with pytest.raises(tk.KropeError, match=r"^mine\.json: gamma must .* got 2"):
        uploads.read_upload("mine.json", b'{"P_pi": [["1"]], "r": ["0"], "gamma": "2"}')
    with pytest.raises(tk.KropeError, match=r"notes\.txt must be a model file, \.npz or \.json"):
        uploads.read_upload("notes.txt", b"hello")
    with pytest.raises(tk.KropeError, match="at most"):
        laboratory_tour.compute(read_model("garnet:200x5x3"))


def test_an_own_file_keeps_its_discount_weights_and_reward_range():
    text = b"""{"P_pi": [["1/2", "1/2"], ["0", "1"]], "r": ["1", "0"], "gamma": "1/2",
                "weights": ["1/4", "3/4"], "reward_range": ["-1", "1"]}"""
    subject = uploads.read_upload("mine.json", text)
    found = laboratory_tour.compute(subject, weights="own", d=2)
    assert found.analysis.model.gamma == 0.5
    np.testing.assert_allclose(found.analysis.weights, [0.25, 0.75])
    np.testing.assert_allclose(
        found.analysis.K.matrix(), tk.krope_kernel(found.analysis.mrp, reward_range=(-1, 1)).matrix()
    )
    assert found.analysis.K.matrix()[0, 1] != pytest.approx(tk.krope_kernel(found.analysis.mrp).matrix()[0, 1])


def test_an_undiscounted_model_is_shown_without_statements():
    found = laboratory_tour.compute(read_model("zoo:van-roy"), "own", "own", kind="own")
    assert laboratory_tour.statements(found) == ()
    assert "below 1" in " ".join(bench_words.notes(found))
    assert bench_words.stability_words(found)[1] == found.analysis.stability.stable
    again = laboratory_tour.compute(read_model("zoo:van-roy"), "own", "own", d=2)
    assert "no data could make" not in bench_words.stability_words(again)[0]


def test_what_to_try_does_diverge():
    for gamma, d, skew in ((0.9, 4, 0.0), (0.9, 1, 6.0), (0.5, 1, 6.0), (0.99, 5, 2.0)):
        other, more = why_stable_tour.what_to_try(gamma, d, skew)
        assert more >= skew
        assert other in (d, why_stable_tour.MEAN_D)
        assert max(why_stable_tour.compute(gamma, other, more).radius.values()) >= 1


def test_rounding_is_told_by_the_distance_from_the_truth():
    found = only_rounding_tour.compute(12, 0.95, 0)
    assert found.radius["covariance in float64"] < 1
    assert found.off("covariance in float64")
    assert not found.off("singular values in float64")
    assert found.lost("singular values in float64")
    words = only_rounding_tour.words(found)
    assert "The covariance in float64 calls it stable, with a radius that is too small." in words
    assert "worse conditioned" not in words
    assert "worse conditioned" in only_rounding_tour.words(only_rounding_tour.compute(0, 0.95, 0))
    assert "values are lost" in words


def test_the_pictures_of_the_distance_page():
    assert "x to a (1/2)" in what_distance_sees_tour.graph("c3-no-injectivity", 0.9, 0, 1)
    assert what_distance_sees_tour.graph("garnet", 0.9, 0, 1).count("<svg") == 2
    blind = what_distance_sees_tour.compute("c3-no-injectivity", 0, 1)
    assert "adds nothing" in what_distance_sees_tour.figures(blind, "c3-no-injectivity", 0.9, (0, 1), 2)[0].title
    assert "no difference" in what_distance_sees_tour.words(blind, (0, 1))[0]
    seen = what_distance_sees_tour.compute("c1-value-bound", 0, 1)
    assert (
        "it adds 0.405 to the distance, 10%"
        in what_distance_sees_tour.figures(seen, "c1-value-bound", 0.9, (0, 1), 2)[0].title
    )
    assert what_distance_sees_tour.words(seen, (0, 1)) == (
        "x and y begin to differ after 2 steps; all steps together make the distance <b>4.05</b>.",
        True,
    )
    assert what_distance_sees_tour.words(seen, (1, 1))[0] == "These are the same pair."


def test_the_page_of_the_distance_opens_with_something_to_see():
    found = what_distance_sees_tour.compute()
    assert found.distance > 1
    assert found.terms[2] > 0.1


def test_features_from_data_open_on_a_case_that_works():
    found = features_from_data_tour.compute()
    assert not found.base.stable
    assert found.made.certified
    assert features_from_data_tour.rms(found.q_krope, found.q) < 0.5 * found.q.std()
    assert "follow the true values" in features_from_data_tour.figures(found)[0].title


@pytest.mark.parametrize("base", [4, 16, 20])
@pytest.mark.parametrize("shift", [0.0, 0.9])
def test_features_from_data_keep_the_certificate(base, shift):
    for d in (1, 4, 20):
        found = features_from_data_tour.compute(1000, shift, base, d)
        assert found.made.certified
        assert found.krope.norm <= np.sqrt(features_from_data_tour.GAMMA) + found.made.tolerance
        assert found.krope.norm == pytest.approx(found.made.norm, abs=1e-9)


def test_all_base_features_and_much_data_give_the_values():
    found = features_from_data_tour.compute(20_000, 0.0, features_from_data_tour.MOST_BASE, 20)
    assert np.sqrt(np.mean((found.q_krope - found.q) ** 2)) < 0.3 * found.q.std()


def test_every_picture_draws_in_every_size():
    bound, bench = false_bound_tour.compute("1/2"), laboratory_tour.compute(read_model("zoo:c1-value-bound"), d=1)
    laws, stable = what_distance_sees_tour.compute("garnet", 0, 3), why_stable_tour.compute(skew=4.0)
    for figure in (
        *false_bound_tour.figures(bound),
        *only_rounding_tour.figures(only_rounding_tour.compute(5, 0.9, 0, exact=False), 0),
        *what_distance_sees_tour.figures(laws, "garnet", 0.9, (0, 3), 1)[:2],
        *why_stable_tour.figures(stable),
        *features_from_data_tour.figures(features_from_data_tour.compute(500)),
        bench_pictures.path_figure(bench),
    ):
        drawn = figure.html()
        assert "nan" not in drawn
        assert drawn.count("<svg") == (len(SIZES) if "chart" in drawn else 1)
    assert style.render(lambda ax: bench_pictures.draw_plane(bench, ax))[1:4] == b"PNG"
