"""Where data do not cover a target: pairs by hand, nearest rows by brute force, and a known shift of one column."""

from dataclasses import replace

import numpy as np
import pytest

from tabular_krope.data.dataset import Dataset
from tabular_krope.estimation import uncovered as module
from tabular_krope.estimation.transitions import ContinuousTransitions, transitions_of
from tabular_krope.estimation.uncovered import uncovered


def test_pairs_without_data_by_how_often_the_target_steps_to_them():
    """State 1 is entered by two of four steps that go on, and the target takes its missing action with 3/4 there."""
    data = Dataset(
        s=[0, 0, 1, 1, 2], a=[0, 1, 0, 0, 1], r=[0.0] * 5, s_next=[1, 2, 1, 0, 0],
        done=[False, False, False, False, True], n_states=3, n_actions=2, gamma=0.9,
    )  # fmt: skip
    rows = transitions_of(data, [[0.5, 0.5], [0.25, 0.75], [0.1, 0.9]])
    found = uncovered(rows, np.ones(5))
    assert [(one.name, one.share) for one in found] == [
        ("state 1, action 1", pytest.approx(0.5 * 0.75)),
        ("state 2, action 0", pytest.approx(0.25 * 0.1)),
    ]
    assert all(np.isnan([one.shift, one.low, one.high]).all() for one in found)
    on_data = transitions_of(data, [[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]])
    assert uncovered(on_data, np.ones(5)) == ()


def test_at_most_five_pairs_are_named_the_worst_first():
    S = 9
    data = Dataset([0] * S, [0] * S, [0.0] * S, list(range(S)), [False] * S, n_states=S, n_actions=2, gamma=0.5)
    shares = np.linspace(0.1, 0.9, S)
    found = uncovered(transitions_of(data, np.column_stack([1 - shares, shares])), np.ones(S))
    assert len(found) == module.NAMED == 5
    told = [one.share for one in found]
    assert told == sorted(told, reverse=True)
    assert told[0] == pytest.approx(0.9 / S)


@pytest.mark.parametrize("m", [1, 255, 256, 257, 600])
def test_nearest_rows_of_other_episodes(m):
    rng = np.random.default_rng(m)
    x, data = rng.standard_normal((m, 3)), rng.standard_normal((40, 3))
    own, groups = rng.integers(0, 6, m), rng.integers(0, 6, 40)
    distance, near = module._nearest(x, data, own, groups)
    apart = np.linalg.norm(x[:, None] - data, axis=2)
    apart[own[:, None] == groups] = np.inf
    assert np.array_equal(near, apart.argmin(axis=1))
    assert distance == pytest.approx(apart.min(axis=1), abs=1e-6)


def walk(shift, n=1200, new=0.5):
    """States of unit normal numbers in two columns and one constant; a share of successors is shifted in the second."""
    rng = np.random.default_rng(0)
    inputs = np.column_stack([rng.standard_normal((n, 2)), np.full(n, 7.0)])
    after = np.column_stack([rng.standard_normal((n, 2)), np.full(n, 7.0)])
    moved = rng.random(n) < new
    after[moved, 1] += shift
    names = ("state[0]", "state[1]", "action[0]")
    return ContinuousTransitions(
        0.9, np.zeros(n), np.arange(n), inputs, after, np.ones(n), inputs[:1], names, "a start", "a policy"
    )


@pytest.mark.parametrize("shift", [40.0, -40.0])
def test_a_shift_of_one_column_is_named_with_its_size_and_sign(shift):
    rows = walk(shift)
    found = uncovered(rows, np.ones(len(rows.r)))
    first = found[0]
    assert first.name == "state[1]"
    assert np.sign(first.shift) == np.sign(shift)
    assert 36 < abs(first.shift) < 40  # from the nearest of the data, which lie up to three deviations out
    assert first.share == pytest.approx(0.5, abs=0.08)  # half of the steps, nearly all for this column
    assert all(one.name != "action[0]" for one in found)  # it never varies
    low, high = sorted((first.low, first.high))
    assert (first.low, first.high) == (low, high)
    assert abs(low - shift) < 3
    assert abs(high - shift) < 3
    assert low < shift < high


def test_where_the_weights_are_the_target_goes():
    rows = walk(40.0)
    moved = rows.next_inputs[:, 1] > 20
    none, only = uncovered(rows, np.where(moved, 0.0, 1.0)), uncovered(rows, np.where(moved, 1.0, 0.0))
    assert not none or none[0].share < 0.2
    assert only[0].share == pytest.approx(1.0, abs=0.02)
    for nothing in (np.zeros(len(moved)), np.full(len(moved), -1.0)):  # then all rows are looked at alike
        assert uncovered(rows, nothing)[0].share == pytest.approx(0.5, abs=0.08)


def test_successors_like_the_data_and_none_at_all():
    rows = walk(0.0)
    found = uncovered(rows, np.ones(len(rows.r)))
    assert sum(one.share for one in found) < 0.12  # beside the farthest twentieth of the data
    ended = replace(rows, alive=np.zeros(len(rows.r)))
    assert uncovered(ended, np.ones(len(rows.r))) == ()
