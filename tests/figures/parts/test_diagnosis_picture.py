import numpy as np
from matplotlib.figure import Figure

from figures.parts.diagnosis_picture import draw_errors, draw_spectrum, draw_values, render_diagnosis
from tabular_krope.data.dataset import sample_pairs
from tabular_krope.data.offline import offline_problem
from tabular_krope.models.zoo import zoo
from tabular_krope.report.diagnosis import diagnose


def diverging():
    entry = zoo("van-roy")
    data = sample_pairs(entry.model, entry.weights, 1000, seed=1)
    return diagnose(offline_problem(data, entry.policy, entry.features), replicates=20)


DIAGNOSIS = diverging()


def axes():
    return Figure().add_subplot()


def test_errors_grow_by_the_spectral_radius():
    ax = draw_errors(DIAGNOSIS, axes())
    believed = ax.lines[0].get_ydata()
    rate = believed[-1] / believed[-2]
    np.testing.assert_allclose(rate, DIAGNOSIS.routes[0].spectral_radius, rtol=1e-3)
    assert believed[0] == 1.0
    assert [text.get_text() for text in ax.texts] == [
        f"\u00d7{DIAGNOSIS.routes[0].spectral_radius:.3g} a step:\nevery solver"
    ]
    assert "diverges" in ax.get_title(loc="left") + ax.get_title()


def test_singular_values_and_the_ends_of_arithmetic():
    ax = draw_spectrum(DIAGNOSIS, axes())
    np.testing.assert_allclose(
        ax.lines[0].get_ydata() * DIAGNOSIS.facts.singular_values[0], DIAGNOSIS.facts.singular_values
    )
    assert len(ax.lines) == 3


def test_titles_say_what_was_found():
    panels = [draw(DIAGNOSIS, axes()) for draw in (draw_errors, draw_spectrum, draw_values)]
    titles = [ax.get_title(loc="left") + ax.get_title() for ax in panels]
    assert titles[0] == f"LSPE diverges: a step multiplies an error by {DIAGNOSIS.routes[0].spectral_radius:.3g}"
    given = sum(cure.estimate is not None for cure in DIAGNOSIS.cures)
    assert titles[1].endswith("above float32's rounding")
    assert titles[2].startswith(f"These features give no value; {given} of {len(DIAGNOSIS.cures)} cures give")


def test_values_with_their_intervals():
    ax = draw_values(DIAGNOSIS, axes())
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == ["as it is", *(cure.name for cure in DIAGNOSIS.cures)]
    said = [text.get_text() for text in ax.texts]
    assert said == ["no limit", "not stable"]
    works = [cure for cure in DIAGNOSIS.cures if cure.works]
    np.testing.assert_allclose(ax.lines[0].get_xdata(), [works[0].estimate.low, works[0].estimate.high])


def test_the_true_value_is_a_line_where_it_is_known():
    without, ax = draw_values(DIAGNOSIS, axes()), draw_values(DIAGNOSIS, axes(), truth=0.8)
    assert len(ax.lines) == len(without.lines) + 1
    assert list(ax.lines[-1].get_xdata()) == [0.8, 0.8]
    words = ax.texts[-1]
    assert (words.get_text(), words.xy[0]) == ("true value 0.8", 0.8)


def test_the_whole_picture():
    assert render_diagnosis(DIAGNOSIS)[1:4] == b"PNG"
    assert render_diagnosis(DIAGNOSIS, truth=0.8) != render_diagnosis(DIAGNOSIS)
