import numpy as np

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.case import Case
from proofs_check.chains.stacked import Batch
from proofs_check.search.reach import box_words
from proofs_check.search.tally import Box


def chain(r, gamma):
    return Case.from_matrix(np.eye(len(r)), np.array(r, dtype=float), gamma)


def test_only_chosen_chains_of_a_batch_count():
    batch = Batch.of_cases([chain([0, 1], 0.5), chain([-7, 1], 0.25), chain([0, 9], 0.9)])
    box = Box()
    box.add_batch(batch, np.array([False, False, False]))
    assert box.limits == {}
    box.add_batch(batch, np.array([True, True, False]))
    assert box.limits == {"pairs": (2, 2), "gamma": (0.25, 0.5), "rewards": (-7, 1), "R": (1, 8)}


def test_boxes_join_and_rationals_are_read():
    box, other = Box(), Box()
    box.add_case(chain([0, 1, 2], 0.5))
    other.add_case(Case.from_matrix(rationals([["1"]]), rationals(["1/4"]), rationals(["3/4"])[0]))
    box.add(other)
    assert box.limits == {"pairs": (1, 3), "gamma": (0.5, 0.75), "rewards": (0, 2), "R": (0, 2)}


def test_a_discount_factor_is_never_rounded_to_one():
    limits = {"pairs": (1, 1), "gamma": (0.5, 1 - 1e-10), "rewards": (1, 1), "R": (0, 0)}
    assert box_words(limits) == "chains of 1 pairs, gamma 0.5 to 0.9999999999, rewards 1, reward range R 0"
