"""How small examples become, whatever the seed, and how long draws take."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, find, given, seed, settings
from hypothesis import strategies as st

import tabular_krope as tk
from proofs_check.strategies import features, mdps, mrps, rational_mrps, weights

ROOT = Path(__file__).parents[3]
QUIET = settings(max_examples=1000, database=None, deadline=None, suppress_health_check=list(HealthCheck))
#: One strategy of each kind, by the words that make it.
KINDS = (
    "mdps()",
    "mrps()",
    "rational_mrps()",
    "policies(2, 2)",
    "features(2)",
    "weights(2)",
    "partitions(2)",
    "datasets()",
    "st.from_type(tk.MDP)",
)


def smallest(strategy, breaks, k):
    return find(strategy, breaks, random=random.Random(k), settings=QUIET)


def measured(strategy, breaks, seeds, size):
    """The size of what is left and the CPU time, for each seed, as a table (shown by ``pytest -s``)."""
    found = []
    for k in seeds:
        start = time.process_time()
        left = size(smallest(strategy, breaks, k))
        found.append((left, time.process_time() - start))
        print(f"seed {k:2}  {left!s:8} {found[-1][1]:5.2f} s")
    return [left for left, _ in found], sorted(seconds for _, seconds in found)


def with_data(models, columns):
    return models.flatmap(lambda mrp: st.tuples(st.just(mrp), features(mrp.n_pairs, columns), weights(mrp.n_pairs)))


def unstable(parts):
    return not tk.lspe(parts[0], parts[1], weights=parts[2], steps=0).stable


def unstable_by_hand(parts):
    """For one column: gamma |phi' D P phi| >= phi' D phi."""
    mrp, phi, D = parts[0], parts[1][:, 0], parts[2]
    size = phi @ (D * phi)
    return size > 0 and mrp.gamma * abs(phi @ (D * (mrp.P_pi @ phi))) >= size * (1 - 1e-12)


def test_an_episode_that_ends_needs_one_pair_in_nearly_every_one_of_twenty_seeds():
    sizes, seconds = measured(mdps(), lambda mdp: mdp.end.any(), range(20), lambda mdp: mdp.r.shape)
    assert sizes.count((1, 1)) >= 19
    assert seconds[10] < 1


def test_unstable_features_end_at_two_pairs_in_most_seeds():
    sizes, seconds = measured(with_data(mrps(), 1), unstable_by_hand, range(5), lambda parts: parts[0].n_pairs)
    assert sizes.count(2) >= 4  # 18 of 20
    assert seconds[2] < 5


def test_the_seconds_that_an_unstable_lspe_takes_to_shrink():
    sizes, seconds = measured(with_data(mrps(), None), unstable, range(3), lambda parts: parts[0].n_pairs)
    assert sizes.count(2) >= 2
    assert seconds[1] < 8


def test_instability_is_drawn_often():
    found = []

    @seed(0)
    @given(with_data(mrps(), 1))
    @settings(QUIET, max_examples=600, phases=[Phase.generate])
    def draw(parts):
        found.append(unstable_by_hand(parts))

    draw()
    assert sum(found) >= len(found) / 100  # measured: one in forty


@pytest.mark.parametrize("strategy", [mdps(n_states=100), mdps(max_states=100), rational_mrps(n_states=100)])
def test_a_hundred_states_are_drawn_at_once(strategy):
    times = []

    @seed(0)
    @given(st.data())
    @settings(QUIET, max_examples=5)
    def draw(data):
        start = time.process_time()
        data.draw(strategy)
        times.append(time.process_time() - start)

    draw()
    assert max(times) < 0.5


def test_no_first_draw_pays_for_what_is_loaded_late():
    """Each in a process of its own would take long: whatever loads a module in the first draw fails here."""
    code = f"""
import sys, time
from hypothesis import strategies as st
import tabular_krope as tk
from proofs_check.strategies import *
before = set(sys.modules)
from hypothesis import given, settings
for words in {KINDS}:
    @given(st.data())
    @settings(max_examples=1, database=None)
    def first(data):
        start = time.process_time()
        data.draw(eval(words))
        assert time.process_time() - start < 0.1, words
    first()
print(sorted(name for name in set(sys.modules) - before if name.split(".")[0] in ("tabular_krope", "scipy", "numpy")))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr[-2000:]


def test_importing_and_drawing_write_nothing(tmp_path):
    code = f"""
from hypothesis import given, settings, strategies as st
import tabular_krope as tk
from proofs_check.strategies import *
for words in {KINDS}:
    @given(eval(words))
    @settings(max_examples=3, database=None)
    def draw(value):
        pass
    draw()
"""
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert "unicode_data" not in {path.name for path in tmp_path.rglob("*")}
