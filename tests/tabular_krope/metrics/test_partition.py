from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from tabular_krope.arrays import dense
from tabular_krope.errors import KropeError
from tabular_krope.metrics.partition import Partition, bisimulation_partition
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.induce import induce
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP
from tabular_krope.models.policy import Policy
from tabular_krope.notebook_tables import MOST_ROWS
from tests.cases import all_mrps

CHAINS = all_mrps()
#: THEORY C3: x, y, a, b, c, +, -; KROPE cannot tell x from y, a pi-bisimulation can.
C3 = [
    [0, 0, "1/2", "1/2", 0, 0, 0],
    [0, 0, 0, 0, 1, 0, 0],
    [0, 0, 0, 0, 0, 1, 0],
    [0, 0, 0, 0, 0, 0, 1],
    [0, 0, 0, 0, 0, "1/2", "1/2"],
    [0, 0, 0, 0, 0, 1, 0],
    [0, 0, 0, 0, 0, 0, 1],
]


def brute_force(P, r, end):
    """Coarsest lumping of A chains ``P`` [A, n, n] by comparing every two elements with Fractions or floats."""
    n = len(r[0])
    close = [[r[a][i] == r[a][j] and end[a][i] == end[a][j] for a in range(len(P))] for i in range(n) for j in range(n)]
    same = np.array([all(c) for c in close]).reshape(n, n)
    while True:
        blocks = {tuple(np.flatnonzero(row)) for row in same}
        finer = same.copy()
        for i, j in zip(*np.nonzero(same), strict=True):
            finer[i, j] = all(
                abs(sum(P[a][i][k] for k in block) - sum(P[a][j][k] for k in block)) < Fraction(1, 10**9)
                for a in range(len(P))
                for block in blocks
            )
        if (finer == same).all():
            return np.array([row.argmax() for row in same])
        same = finer


def same_blocks(labels, other):
    return np.array_equal(labels[:, None] == labels, np.asarray(other)[:, None] == np.asarray(other))


@st.composite
def lumpable_chains(draw):
    """A rational chain on 2-3 blocks, and a blown-up copy in which each member splits a block's mass as it likes."""
    B = draw(st.integers(2, 3))
    weight = st.integers(0, 3)
    base = [draw(st.lists(weight, min_size=B + 1, max_size=B + 1).filter(any)) for _ in range(B)]
    base = [[Fraction(w, sum(row)) for w in row] for row in base]
    r = [draw(st.integers(0, 1)) for _ in range(B)]
    home = [b for b in range(B) for _ in range(draw(st.integers(1, 3)))]
    P, rows = [], []
    for x in home:
        row = []
        for b in range(B):
            split = draw(st.lists(st.integers(1, 3), min_size=home.count(b), max_size=home.count(b)))
            row += [base[x][b] * Fraction(w, sum(split)) for w in split]
        P.append(row)
        rows.append(base[x][B])
    return (base, r), (P, home, rows)


def exact_chain(P, r, end):
    return ExactMRP.from_matrix(P, r, "1/2", end=end)


def test_witness_c3_keeps_all_seven_apart_and_injective_rewards_group():
    assert bisimulation_partition(ExactMRP.from_matrix(C3, [0, 0, 0, 0, 0, 1, -1], "9/10")).n_blocks == 7
    floats = [[float(Fraction(v)) for v in row] for row in C3]
    assert bisimulation_partition(MRP.from_matrix(floats, [0, 0, 0, 0, 0, 1, 1], 0.9)).blocks == (
        (0, 1),
        (2, 3, 4),
        (5, 6),
    )


def test_hand_made_mdp():
    # States 0 and 1 swap roles under action 0 and both fall into 2 under action 1; only state 3 has another reward.
    P = np.zeros((4, 2, 4))
    P[0, 0, 1] = P[1, 0, 0] = P[0, 1, 2] = P[1, 1, 2] = 1
    P[2, :, 2] = P[3, :, 3] = 1
    r = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.0, 2.0]])
    assert bisimulation_partition(MDP(P, r, 0.9)).blocks == ((0, 1), (2,), (3,))
    assert bisimulation_partition(MDP(sparse.csr_array(P.reshape(8, 4)), r, 0.9)).blocks == ((0, 1), (2,), (3,))
    # The same two states with the actions exchanged in one of them are not bisimilar.
    P[1] = P[1, ::-1]
    r[1] = r[1, ::-1]
    assert bisimulation_partition(MDP(P, r, 0.9)).n_blocks == 4


def test_ending_is_told_from_living_on_without_reward():
    chain = MRP.from_matrix([[0, 0, 0], [0, 0, 1], [0, 0, 1]], [1.0, 1.0, 0.0], 0.9, end=[1.0, 0.0, 0.0])
    assert bisimulation_partition(chain).n_blocks == 3


def test_actions_are_not_interchangeable():
    # States 0 and 1 reach 2 and 3 by opposite actions, and all rewards there are equal.
    P = np.zeros((4, 2, 4))
    P[0, 0, 2] = P[0, 1, 3] = P[1, 0, 3] = P[1, 1, 2] = P[2, :, 2] = P[3, :, 3] = 1
    r = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])
    assert bisimulation_partition(MDP(P, r, 0.9)).n_blocks == 4
    # Nor when only the rewards are exchanged.
    P = np.eye(2)[:, None, :].repeat(2, axis=1)
    assert bisimulation_partition(MDP(P, [[0.0, 1.0], [1.0, 0.0]], 0.9)).n_blocks == 2


def test_a_long_chain_is_split_one_step_at_a_time():
    P = np.eye(8)[[1, 2, 3, 4, 5, 6, 7, 7]]
    chain = MRP.from_matrix(P, [0.0] * 7 + [1.0], 0.9)
    assert bisimulation_partition(chain).n_blocks == bisimulation_partition(chain.exact()).n_blocks == 8


def test_neighbors_are_sought_within_a_block_only():
    # Pairs 0 and 1 lie 0.15 apart; pair 2 lies between them but has another reward.
    P = [[0.7, 0, 0, 0.3], [0.55, 0, 0, 0.45], [0.625, 0, 0, 0.375], [0, 0, 0, 1]]
    chain = MRP.from_matrix(P, [0.0, 0.0, 1.0, 2.0], 0.9)
    assert bisimulation_partition(chain, tolerance=0.1).n_blocks == 4
    chain = MRP.from_matrix(P, [0.0, 0.0, 0.0, 2.0], 0.9)
    assert bisimulation_partition(chain, tolerance=0.1).blocks == ((0, 1, 2), (3,))


def test_gamma_does_not_matter():
    P = [[0, 1, 0], [0, 0, 1], [0, 0, 1]]
    for gamma in (0.0, 0.5, 0.99):
        assert bisimulation_partition(MRP.from_matrix(P, [0.0, 0.0, 1.0], gamma)).n_blocks == 3


@given(lumpable_chains())
def test_blown_up_chains_are_lumped_back(case):
    (base, r), (P, home, end) = case
    B = len(base)
    small = brute_force([[row[:B] for row in base]], [r], [[row[B] for row in base]])
    expected = small[home]
    chain = exact_chain(P, [r[b] for b in home], end)
    assert same_blocks(bisimulation_partition(chain).labels, expected)
    assert same_blocks(bisimulation_partition(chain.to_float()).labels, expected)


@pytest.mark.parametrize("seed", range(6))
def test_an_mdp_of_few_rewards_agrees_with_brute_force(seed):
    rng = np.random.default_rng(seed)
    S, A = 7, 2
    step = rng.integers(0, 3, size=(S, A))
    P = np.eye(S)[step] if seed % 2 else (np.eye(S)[step] + np.eye(S)[(step + 3) % S]) / 2
    r = rng.integers(0, 2, size=(S, 1)) * np.ones((S, A))
    end = rng.integers(0, 2, size=(S, A)) * 0.5
    P = P * (1 - end)[:, :, None]
    expected = brute_force(P.transpose(1, 0, 2), r.T, end.T)
    assert same_blocks(bisimulation_partition(MDP(P, r, 0.9, end=end)).labels, expected)


@pytest.mark.parametrize("seed", range(4))
def test_a_policy_of_several_actions_agrees_with_brute_force_and_with_csr(seed):
    rng = np.random.default_rng(seed)
    S, A = 4, 3
    P = np.eye(S)[rng.integers(0, 2, size=(S, A))]
    mdp = MDP(P, rng.integers(0, 2, size=(S, 1)) * np.ones((S, A)), 0.9)
    policy = Policy(rng.choice([[0.5, 0.25, 0.25], [0.25, 0.25, 0.5]], size=S))
    chain = induce(mdp, policy)
    expected = brute_force([dense(chain.P_pi)], [chain.r], [chain.end])
    assert same_blocks(bisimulation_partition(chain).labels, expected)
    csr = MRP(sparse.csr_array(chain.P), chain.Pi, chain.r, chain.gamma)
    assert same_blocks(bisimulation_partition(csr).labels, expected)


@pytest.mark.parametrize("name", CHAINS)
def test_floats_agree_with_rationals(name):
    chain = CHAINS[name]
    assert bisimulation_partition(chain).labels.tolist() == bisimulation_partition(chain.exact()).labels.tolist()


def test_rounding_is_forgiven_and_real_differences_are_not():
    third = 1 / 3
    P = [[third, third, 1 - 2 * third], [third + 2e-16, third - 2e-16, third], [0, 0, 1]]
    r = [0.1 * 3, 0.3, 0.0]
    assert bisimulation_partition(MRP.from_matrix(P, r, 0.9)).labels.tolist() == [0, 0, 1]
    r[1] += 1e-12
    assert bisimulation_partition(MRP.from_matrix(P, r, 0.9)).n_blocks == 3
    assert bisimulation_partition(MRP.from_matrix(P, r, 0.9), tolerance=1e-10).n_blocks == 2


def test_tiny_probabilities_count_as_zero_only_within_the_tolerance():
    for tiny, blocks in ((1e-17, 2), (1e-13, 3)):
        chain = MRP.from_matrix([[1 - tiny, 0, tiny], [1, 0, 0], [0, 0, 1]], [0.0, 0.0, 1.0], 0.9)
        assert bisimulation_partition(chain).n_blocks == blocks


def test_a_deep_chain_and_a_thin_dense_one():
    n = 300
    P = np.eye(n, k=1)
    P[-1, -1] = 1.0
    r = [*[0.0] * (n - 1), 1.0]
    assert bisimulation_partition(MRP.from_matrix(P, r, 0.9)).n_blocks == n  # one block splits off in each round
    assert bisimulation_partition(MRP.from_matrix(P, [0.0] * n, 0.9)).n_blocks == 1


def test_a_dense_chain_is_sliced_and_its_product_never_outgrows_p(monkeypatch):
    from tabular_krope.metrics import refinement

    chain = CHAINS["random-tied-rewards"]
    widths = []
    original = refinement._slices

    def spy(P, into):
        for part in original(P, into):
            widths.append(part.shape[1])
            yield part

    monkeypatch.setattr(refinement, "_slices", spy)
    assert bisimulation_partition(chain).n_blocks == chain.n_pairs > chain.n_states
    assert max(widths) <= chain.n_states


def test_partition_is_a_frozen_value_numbered_by_first_members():
    partition = Partition(np.array([5, 2, 5, 9, 2]))
    assert partition.labels.tolist() == [0, 1, 0, 2, 1]
    assert partition.blocks == ((0, 2), (1, 4), (3,))
    assert len(partition) == partition.n_blocks == 3
    indicator = partition.indicator()
    assert indicator.shape == (5, 3)
    assert np.array_equal(indicator.toarray().argmax(axis=1), partition.labels)
    assert (indicator.toarray().sum(axis=1) == 1).all()
    with pytest.raises(ValueError, match="read-only"):
        partition.labels[0] = 1


@pytest.mark.parametrize(("extra", "note"), [(0, ""), (1, "1 more block"), (3, "3 more blocks")])
def test_a_long_table_says_how_many_blocks_are_left_out(extra, note):
    _, facts, grid = Partition(np.arange(MOST_ROWS + extra))._table()
    assert facts["blocks"] == MOST_ROWS + extra
    assert len(grid.rows) == MOST_ROWS
    assert grid.note == note


@pytest.mark.parametrize("labels", [[0.5], [[1, 2]], []])
def test_bad_labels(labels):
    with pytest.raises(KropeError, match="labels must be a vector of integers; got"):
        Partition(labels)


def test_bad_input():
    with pytest.raises(KropeError, match="model must be an MDP, an ExactMDP, an MRP or an ExactMRP; got str"):
        bisimulation_partition("chain")
    with pytest.raises(KropeError, match="tolerance must be finite and non-negative; got -1"):
        bisimulation_partition(CHAINS["random"], tolerance=-1.0)
    with pytest.raises(KropeError, match="tolerance must be None for an exact model"):
        bisimulation_partition(CHAINS["random"].exact(), tolerance=1e-9)


@pytest.mark.parametrize("layout", ["dense", "sparse"])
def test_blocks_that_nobody_enters_split_no_further(layout):
    # 0 and 1 have no predecessor and part because of where they lead; 4 and 5 stay together
    P = np.eye(6)[[2, 3, 2, 3, 4, 5]]
    r = np.array([0.0, 0.0, 1.0, -1.0, 2.0, 2.0])
    mdp = MDP(P[:, None, :] if layout == "dense" else sparse.csr_array(P), r[:, None], 0.9)
    assert bisimulation_partition(mdp).blocks == ((0,), (1,), (2,), (3,), (4, 5))
    assert bisimulation_partition(MRP.from_matrix(P, r, 0.9)).blocks == ((0,), (1,), (2,), (3,), (4, 5))
