"""Counts of instances, against lists of them that are counted one by one."""

from dataclasses import fields
from math import inf, isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_check.chains.case import Case
from proofs_check.chains.stacked import Batch
from proofs_check.search.tally import Seen, Tally, larger, largest_number

rows = st.lists(
    st.tuples(
        st.booleans(), st.booleans(), st.sampled_from([-1.0, 0.5, 2.0]), st.sampled_from([nan, 0.25, 0.75, 1.5]),
        st.booleans(), st.booleans(),
    ),
    max_size=6,
)  # fmt: skip


def seen(stack):
    met, failed, excess, ratio, tied, _ = zip(*stack, strict=True)
    return Seen(np.array(met), np.array(failed), np.array(excess), np.array(ratio), np.array(tied))


def largest(values, nothing):
    numbers = [value for value in values if not isnan(value)]
    return max(numbers) if numbers else nothing


def alike(a, b):
    return a == b or (isnan(a) and isnan(b))


@given(st.lists(rows.filter(len), max_size=4))
def test_stacks_are_counted_row_by_row(stacks):
    tally = Tally("sampled")
    for stack in stacks:
        tally.add(seen(stack))
    every = [row for stack in stacks for row in stack]
    met = [row for row in every if row[0]]
    bad = [row for row in met if row[1]]
    assert (tally.tried, tally.vacuous, tally.failed) == (len(met), len(every) - len(met), len(bad))
    assert tally.ties == sum(row[4] for row in bad)
    assert tally.worst == largest([row[2] for row in met], -inf)
    assert alike(tally.tightness, largest([row[3] for row in met], nan))
    assert alike(tally.kept, largest([row[3] for row in met if not row[1]], nan))


@given(rows)
def test_one_by_one_is_the_same_as_stacked(stack):
    one, stacked = Tally("sampled"), Tally("sampled")
    met = [row for row in stack if row[0]]
    for _, failed, excess, ratio, _, _ in met:
        one.add_one(failed, excess, ratio)
    if met:
        stacked.add(seen(met))
    for name in ("tried", "failed", "worst", "tightness", "kept"):
        assert alike(getattr(one, name), getattr(stacked, name)), name


@given(rows.filter(len))
def test_what_is_not_settled_does_not_count(stack):
    batch = Batch.of_cases([Case.from_matrix(np.eye(1), np.array([float(k)]), 0.5) for k in range(len(stack))])
    settled = np.array([row[5] for row in stack])
    tally, by_hand = Tally("crossed"), Tally("crossed")
    tally.add_settled(seen(stack), batch, settled)
    chosen = [row for row in stack if row[0] and row[5]]
    for _, failed, excess, ratio, _, _ in chosen:
        by_hand.add_one(failed, excess, ratio)
    for name in ("tried", "failed", "worst", "tightness", "kept"):
        assert alike(getattr(tally, name), getattr(by_hand, name)), name
    assert tally.vacuous == sum(not row[0] for row in stack)
    numbers = [k for k, row in enumerate(stack) if row[0] and row[5]]
    assert tally.box.limits.get("rewards") == ((min(numbers), max(numbers)) if numbers else None)
    both = Tally("sampled")
    both.add_chains(seen(stack), batch)
    assert (both.tried, both.vacuous) == (sum(row[0] for row in stack), tally.vacuous)


def test_a_fresh_tally_has_seen_nothing():
    tally = Tally("exact")
    counts = [f.name for f in fields(Tally) if f.type in (int, "int")]
    assert len(counts) >= 10
    assert all(getattr(tally, name) == 0 for name in counts)
    trial = tally.trial()
    assert (trial.level, trial.tried, trial.vacuous, trial.failed, trial.worst) == ("exact", 0, 0, 0, -inf)
    assert isnan(trial.tightness)
    assert trial.undecided == 0


def test_a_trial_has_the_counts_of_its_tally():
    tally = Tally("sampled", tried=5, vacuous=3, failed=2, worst=1.5, tightness=0.75, open=4)
    trial = tally.trial()
    assert (trial.tried, trial.vacuous, trial.failed, trial.worst, trial.tightness) == (5, 3, 2, 1.5, 0.75)
    assert trial.undecided == 4


def test_traits_are_counted():
    tally = Tally("crossed")
    tally.add_traits([{"shape": "cycle", "R": "own"}, {"shape": "path"}, {"shape": "cycle"}])
    assert tally.crossed == {"shape": {"cycle": 2, "path": 1}, "R": {"own": 1}}


@pytest.mark.parametrize(
    ("counts", "soft", "left"),
    [
        ({}, False, 0),
        ({"failed": 5}, False, 5),  # nobody looked at them
        ({"failed": 5, "acquitted": 3}, False, 2),
        ({"failed": 5, "acquitted": 3, "doubtful": 1}, True, 1),  # the worst ones speak for the others
        ({"failed": 5, "doubtful": 1}, True, 5),
        ({"failed": 5, "ties": 5, "doubtful": 2}, False, 2),
        ({"failed": 5, "ties": 4, "doubtful": 2}, False, 5),
    ],
)
def test_what_is_left_unsettled(counts, soft, left):
    assert Tally("sampled", **counts).unsettled(soft) == left
    assert Tally("exact", **counts).unsettled(soft) == 0


@given(st.lists(st.sampled_from([nan, -1.0, 0.0, 2.5]), min_size=1))
def test_a_missing_number_is_seen_where_it_matters_and_skipped_elsewhere(values):
    assert alike(larger(*values), nan if any(map(isnan, values)) else max(values))
    assert alike(largest_number(*values), largest(values, nan))
