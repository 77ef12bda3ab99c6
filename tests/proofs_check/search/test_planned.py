"""What is crossed: chains that are what their traits say, of the sizes that can be judged."""

from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import floats
from proofs_check.chains.shapes import SHAPES, tight
from proofs_check.conjectures.question import ask
from proofs_check.search import crossing as module
from proofs_check.search import literals
from proofs_check.search.crossing import SQUARES, bearable, crossing, max_pairs
from tabular_krope.evaluation.lspe import lspe
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.models.zoo_tight import tight_radius
from tabular_krope.representations.features import features


@pytest.mark.parametrize("n", [7, 9, 11, 23])
@pytest.mark.parametrize("root", [(9, 10), (3, 4), (1, 2)])
def test_the_tight_shape_is_that_of_the_zoo(n, root):
    """Up to the thousandths in which its shares are written; the pairs stand in another order there."""
    N = (n - 5) // 2
    known = tight_radius((root[0] / root[1]) ** 2, N).mrp()
    moves = tight(n, root)
    assert not moves[:, n].any()
    P = np.array([[part / sum(row) for part in row[:n]] for row in moves.tolist()])
    order = [n - 1, *(place for sign in (0, 1) for place in (sign, *range(2 + sign, n - 1, 2)))]
    P = P[np.ix_(order, order)]
    theirs = np.asarray(known.P @ known.Pi)
    assert np.array_equal(P > 0, theirs > 0)
    assert np.allclose(P, theirs, atol=2e-3)


@pytest.mark.parametrize("n", [8, 10])
def test_even_numbers_of_pairs_have_one_more_that_keeps_to_itself(n):
    moves = tight(n)
    assert np.array_equal(moves[: n - 1, : n - 1], tight(n - 1)[:, : n - 1])
    assert moves[n - 1].tolist() == [*[0] * (n - 1), 1, 0]
    assert np.array_equal(tight(4), SHAPES["absorbing"](4))


def test_the_tight_chains_that_are_crossed_come_near_to_the_bound():
    """Two pairs with data, two features: the radius is sqrt(gamma) cos(pi/(N + 2)), for each of the squares."""
    plans = list(module._tight(ask("rho <= 2", dim=2), 23))
    assert {plan.gamma for plan in plans} == {fmpq(*map(int, square.split("/"))) for square in SQUARES}
    best = {}
    for plan in plans:
        assert sum(plan.r) == 0
        assert sorted(map(int, plan.r)) == [-1, *[0] * 21, 1]
        case = plan.case()
        chain, D = case.mrp(), floats(case.weights)
        limits = None if case.reward_range is None else tuple(float(floats(v)) for v in case.reward_range)
        radius = lspe(chain, features(krope_kernel(chain, reward_range=limits), 2, D), D).spectral_radius
        best[plan.gamma] = max(best.get(plan.gamma, 0.0), radius / float(floats(plan.gamma)) ** 0.5)
    bound = np.cos(np.pi / 11)
    assert all(bound - 0.02 <= found <= 1 for found in best.values())


@pytest.mark.parametrize("gamma", ["1/4", "9/16"])
def test_a_discount_factor_that_is_asked_for_is_that_of_the_tight_chains(gamma):
    plans = list(module._tight(ask("rho <= 2", gamma=gamma), 9))
    assert {str(plan.gamma) for plan in plans} == {gamma}
    ranges = {plan.limits for plan in plans}
    assert None in ranges
    assert len(ranges) == 4
    assert not list(module._tight(ask("rho <= 2", gamma=0), 9))
    assert not list(module._tight(ask("rho <= 2"), 6))
    assert list(module._tight(ask("rho <= 2"), 7))


@pytest.mark.parametrize(
    ("claim", "most", "named"),
    [
        ("X <= 5", 64, 64),
        ("q[x] <= 1", 64, 64),
        ("d[x,y] <= 1", 64, 64),
        ("d[x,z] <= d[x,y]", 32, 32),
        ("d[x,z] <= d[x,y] + d[z,w]", 13, 13),
        ("rho <= 1/2", 40, 40),  # of data and a spectrum, no number of pairs is too much to name but too many to judge
        ("rho_P <= 1/2", 40, 64),  # of the chain alone: exact arithmetic follows where the claim says how many
        ("lam(3) <= 1/2", 40, 40),
    ],
)
def test_how_many_pairs_are_crossed(claim, most, named):
    """33,000 entries hold 64, 181^2, 32^3 or 13^4."""
    assert (max_pairs(ask(claim)), max_pairs(ask(claim), named=True)) == (most, named)


def test_two_pairs_that_the_data_see_can_be_judged_and_three_cannot():
    question = ask("lam(2) == 0")
    plan = module._plan(
        SHAPES["mixing"](40), module.rewards("first", 40), fmpq(1, 2), ("mixing", "first", "own", "last")
    )
    for seen in range(1, 5):
        data = [1] * seen + [0] * (40 - seen)
        assert bearable(question, module.replace(plan, data=data)) == (seen <= 2 and _few_return(plan)), seen
    path = module.replace(plan, moves=SHAPES["path"](40))
    three = [1] * 3 + [0] * 37
    assert bearable(question, module.replace(path, data=three))
    crowd = module.replace(path, moves=SHAPES["layered"](40))
    assert [bearable(question, module.replace(crowd, data=data)) for data in ([1, 1, *[0] * 38], three)] == [
        True,
        False,
    ]


def _few_return(plan):
    return (np.asarray(plan.moves)[:, : plan.S] > 0).sum(axis=1).max() <= 1


def test_actions_lead_one_state_further_each():
    law = SHAPES["cycle"](3)
    rolled = module._rolled(law, 4)
    assert rolled.shape == (12, 4)
    targets = rolled[:, :3].argmax(axis=1).reshape(3, 4)
    assert np.array_equal(targets, (np.arange(3)[:, None] + 1 + np.arange(4)) % 3)
    assert (rolled.sum(axis=1) == 1).all()
    assert not rolled[:, 3].any()


@pytest.mark.parametrize("leak", [2, 10, 1000])
def test_a_leak_ends_one_step_of_so_many(leak):
    for name in ("cycle", "walk", "ending path"):
        before, after = (moves / moves.sum(axis=1, keepdims=True) for moves in (SHAPES[name](5), _leaked(name, leak)))
        assert np.allclose(after[:, :5], before[:, :5] * (1 - 1 / leak))
        assert np.allclose(after[:, 5], before[:, 5] + (1 - before[:, 5]) / leak)


def _leaked(name, leak):
    return module._leaking(SHAPES[name](5), leak)


def test_every_two_traits_meet_where_chains_are_short():
    plans = list(module._crossed(ask("rho <= 1"), [4], [fmpq(0), fmpq(1, 2)], 3))
    for one, other in (
        ("shape", "rewards"),
        ("shape", "R"),
        ("rewards", "R"),
        ("rewards", "D"),
        ("shape", "D"),
        ("R", "D"),
    ):
        met = {(plan.traits[one], plan.traits[other]) for plan in plans}
        assert len(met) == len({a for a, _ in met}) * len({b for _, b in met}), (one, other)


def test_rewards_and_data_that_a_number_suggests():
    """Two fifths as a reward, an inverse and a probability; seven as a reward and an inverse."""
    zero, one, c = fmpq(0), fmpq(1), fmpq(2, 5)
    patterns = {(zero, one, c), (c, zero, one), (-c, c, zero), (c, c, c), (1 / c, zero, one)}
    for n, claim in ((3, "(D[x] - 2/5)**2 > 0"), (2, "(D[x] - 2/5)**2 > 0")):
        plans = [plan for plan in literals.suggested(ask(claim, gamma="1/2")) if plan.X == n]
        by_two_fifths = {plan.r for plan in plans}
        assert {r[:n] for r in patterns} <= by_two_fifths
        weights = {tuple(plan.case().weights) for plan in plans}
        pad = (zero,) * (n - 2)
        assert {(fmpq(1, n),) * n, (c, 1 - c, *pad), (1 - c, c, *pad), (one, zero, *pad)} <= weights
    large = {tuple(plan.case().weights) for plan in literals.suggested(ask("D[x] <= 7", gamma="1/2")) if plan.X == 2}
    assert (fmpq(1, 7), fmpq(6, 7)) in large
    rewards = {plan.r for plan in literals.suggested(ask("q[x] <= 7", gamma="1/2")) if plan.X == 2}
    assert rewards == {(zero, one), (fmpq(7), zero), (-fmpq(7), fmpq(7)), (fmpq(7), fmpq(7)), (fmpq(1, 7), zero)}


def test_planned_chains_are_chains_and_have_the_traits_that_they_name():
    question = ask("(D[x] - 2/5)**2 + R > 0", gamma="1/3")
    seen = set()
    for plan in crossing(question, 0.03):
        if plan.X > 13:
            continue
        case = plan.case()
        case.exact_mrp()  # validates
        assert case.gamma == fmpq(1, 3)
        assert sum(case.weights) == 1
        low, high = min(case.r), max(case.r)
        assert (plan.limits is None) == (case.reward_range is None)
        if plan.traits["R"] == "own":
            assert plan.limits is None or plan.traits["shape"] == "solved for"
        elif plan.traits["R"] == "wide":
            assert case.reward_range[0] <= low <= high <= case.reward_range[1]
            assert case.R > high - low
        if plan.traits["D"] == "uniform":
            assert len(set(case.weights)) == 1
        if plan.traits["D"] == "one-hot":
            assert sorted(map(str, case.weights)) == sorted(["1", *["0"] * (plan.X - 1)])
        if plan.traits["rewards"] == "distinct":
            assert len(set(case.r)) == plan.X
        seen.add((plan.traits["D"], plan.traits["R"]))
    assert len(seen) >= 6


@pytest.mark.parametrize("n", [3, 5, 7, 12])
def test_necklaces_are_cycles_with_two_rewards(n):
    plans = list(module._necklaces(ask("q[x] <= 1", gamma="1/2"), n))
    around = [plan for plan in plans if np.array_equal(plan.moves, SHAPES["cycle"](n))]
    beside = [plan for plan in plans if plan not in around]
    for some in (around, beside):
        words = {plan.r for plan in some}
        assert all(set(r) == {fmpq(0), fmpq(1)} and r[-1] == 0 for r in words)
        assert len(words) == 2 ** (n - 1) - 1 if n <= 7 else 50 <= len(words) <= module.NECKLACES
    shorter = SHAPES["cycle"](n - 1)
    for plan in beside:
        assert np.array_equal(plan.moves[:-1, : n - 1], shorter[:, :-1])
        assert plan.moves[-1].tolist() == [0] * (n - 1) + [1, 0]


def test_roots_of_the_squares_are_fractions():
    assert all((Fraction(square).numerator ** 0.5).is_integer() for square in SQUARES)
    assert all((Fraction(square).denominator ** 0.5).is_integer() for square in SQUARES)
