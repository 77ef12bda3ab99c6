"""How small examples become, whatever the seed, and how long draws take."""

import random
import subprocess
import sys
import time

import pytest
from hypothesis import HealthCheck, find, given, seed, settings
from hypothesis import strategies as st

import tabular_krope as tk
from proofs_check.strategies import features, mdps, mrps, rational_mrps, weights

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


def test_an_episode_that_ends_needs_one_pair():
    sizes = [smallest(mdps(), lambda mdp: mdp.end.any(), k).r.shape for k in range(3)]
    assert sizes.count((1, 1)) >= 2


def test_unstable_features_end_at_two_pairs_or_three():
    drawn = mrps().flatmap(lambda mrp: st.tuples(st.just(mrp), features(mrp.n_pairs, 1), weights(mrp.n_pairs)))

    def breaks(parts):
        return not tk.lspe(parts[0], parts[1], weights=parts[2], steps=0).stable

    assert smallest(drawn, breaks, 0)[0].n_pairs <= 3


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
    assert sorted(times)[len(times) // 2] < 0.5  # any one may pay for what others left to be collected


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
