"""What adversaries may change, and how far: the cube of chains, and the range of gamma on the way up."""

import numpy as np
import pytest

import proofs_check as pc
from proofs_check.chains.class_members import RECIPES
from proofs_check.conjectures.question import ask
from proofs_check.search import adversary, premises
from proofs_check.search.spaces import FEATURED, LARGEST_FEATURE, LAYOUTS, SIZES, Space, distribution, spaces

N = 4000
FREE = ask("q[x] <= 1")


def decoded(question, S=3, A=1, d=0, points=N):
    space = Space(question, S, A, d)
    return space.decode(np.random.default_rng(0).uniform(-1, 1, (points, space.n)))


def test_half_of_all_chains_keep_small_rewards_and_half_their_own_range():
    batch = decoded(FREE)
    r = batch.chains.r
    small = np.abs(r).max(axis=1) <= 1
    assert 0.37 <= small.mean() <= 0.46  # not shifted, and not enlarged: three quarters of a half, and a few by luck
    own_low, own_high = batch.low == r.min(axis=1), batch.high == r.max(axis=1)
    assert abs(own_low.mean() - 0.5) < 0.03
    assert abs(own_high.mean() - 0.5) < 0.03
    assert (batch.low <= r.min(axis=1)).all()
    assert (batch.high >= r.max(axis=1)).all()
    spread = r.max(axis=1) - r.min(axis=1)
    assert (batch.high - batch.low <= 3 * spread * (1 + 1e-12)).all()
    assert (batch.high - batch.low).max() > 0


@pytest.mark.parametrize(
    ("scale", "factor"), [(-1.0, 0.01), (-0.5, 1.0), (0.0, 1.0), (0.5, 1.0), (0.75, 10.0), (1.0, 100.0)]
)
@pytest.mark.parametrize(("shift", "added"), [(-1.0, -10.0), (0.4, 0.0), (0.6, 2.0), (1.0, 10.0)])
def test_scale_and_shift_of_rewards(scale, factor, shift, added):
    """Dead zones up to one half; beyond, up to a factor of a hundred either way, and a shift of ten."""
    space = Space(FREE, 2)
    Z = np.zeros((1, space.n))
    Z[0, 6:8] = (-0.5, 1.0)
    Z[0, -5:-3] = scale, shift
    assert np.allclose(space.decode(Z).chains.r, [np.array([-0.5, 1.0]) * factor + added])


@pytest.mark.parametrize(
    ("g", "gamma"), [(-1.0, 0.0), (0.0, 0.55), (0.79, 0.99 * 0.895 / 0.9), (0.8, 0.99), (0.9, 0.999), (1.0, 0.9999)]
)
def test_nine_tenths_of_the_cube_have_usual_discount_factors(g, gamma):
    space = Space(FREE, 2)
    Z = np.zeros((1, space.n))
    Z[0, -1] = g
    assert space.decode(Z).chains.gamma[0] == pytest.approx(gamma, rel=1e-12)
    blurred = Space(ask("q[x] <= 1", ["q[x] >= 0"]), 2)
    assert blurred.decode(Z).chains.gamma[0] == pytest.approx(min(gamma, 0.99), rel=1e-12)
    asked = Space(ask("q[x] <= 1", gamma="1/3"), 2)
    assert asked.decode(Z).chains.gamma[0] == pytest.approx(1 / 3)
    laws = Space(ask("W1[x,y] <= 1"), 2, 1)
    assert laws.decode(Z).chains.gamma[0] == pytest.approx(0.7 * gamma, rel=1e-12)


@pytest.mark.parametrize(
    ("claim", "options", "layout", "n"),
    [
        ("q[x] <= 1", {}, (3, 1, 0), 3 * 4 + 6 + 5),
        ("q[x] <= 1", {"conservative": True}, (3, 1, 0), 3 * 3 + 6 + 5),
        ("pi[x] <= 1", {}, (2, 3, 0), 6 * 3 + 12 + 5 + 6),
        ("q_mu[x] <= 1", {"conservative": True}, (2, 3, 0), 6 * 2 + 12 + 5 + 6 + 6),
        ("D2[x] <= 1", {}, (3, 1, 0), 3 * 4 + 6 + 5 + 3),
        ("radius(L) < 1", {"features": "any"}, (4, 1, 2), 4 * 5 + 8 + 5 + 8),
    ],
)
def test_coordinates_of_every_kind(claim, options, layout, n):
    """Laws, with the end where episodes may, rewards and data, five more, policies, a distribution, features."""
    space = Space(ask(claim, **options), *layout)
    assert space.n == n
    batch = space.decode(np.random.default_rng(1).uniform(-1, 1, (50, n)))
    end = batch.chains.end
    assert np.allclose(batch.chains.P.sum(axis=2) + end, 1)
    assert (end > 0).any() == (not options.get("conservative", False))
    if "Phi" in batch.given:
        Phi = batch.given["Phi"]
        assert Phi.shape == (50, 4, 2)
        assert 0.5 * LARGEST_FEATURE < np.abs(Phi).max() <= LARGEST_FEATURE
        assert np.median(np.abs(Phi)) == pytest.approx(LARGEST_FEATURE / 8, rel=0.3)


def test_sizes_that_are_tried_grow():
    assert [(s.S, s.A, s.d) for s in spaces(FREE)] == [(S, 1, 0) for S in SIZES]
    assert [(s.S, s.A) for s in spaces(ask("q_mu[x] <= 1"))] == list(LAYOUTS)
    featured = spaces(ask("radius(L) < 1", features="any"))
    assert [(s.S, s.d) for s in featured] == list(FEATURED)
    assert [(s.S, s.d) for s in spaces(ask("radius(L) < 1", features="any", dim=3))] == [(3, 3), (4, 3)]
    assert [(s.S, s.d) for s in spaces(ask("radius(L) < 1", features="any", dim=1))] == [(2, 1), (3, 1)]
    for tried in (SIZES, [S * A for S, A in LAYOUTS], [S for S, _ in FEATURED]):
        assert sorted(tried)[0] == tried[0] == 2
        assert max(tried) <= 6
    assert all(A >= 2 for _, A in LAYOUTS)
    assert all(d < S for S, d in FEATURED)


def test_weights_of_which_none_is_positive_put_all_on_the_largest():
    weights = np.array([[1.0, 3.0, -2.0], [-3.0, -1.0, -2.0], [0.0, 0.0, -1.0]])
    assert distribution(weights).tolist() == [[0.25, 0.75, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]


def test_the_range_of_gamma_grows_on_the_way_up(monkeypatch):
    """From 0.99 at the start of a climb to 0.999: its distance to one shrinks by equal factors, to a tenth."""
    made, seen, steps = {}, [], []
    change, look = adversary.changed, adversary._Search.look_at

    def recorded(case, rng, step, free, largest, place):
        near = change(case, rng, step, free, largest, place)
        made[id(near)] = near, largest, step
        return near

    def visited(self, case, drawn):
        if id(case) in made:  # those that were made ahead and forgotten are no steps
            seen.append(made[id(case)][1])
            steps.append(made[id(case)][2])
        return look(self, case, drawn)

    monkeypatch.setattr(adversary, "changed", recorded)
    monkeypatch.setattr(adversary._Search, "look_at", visited)
    adversary.attack(pc.STATEMENTS["value-bound-independent"], budget=150)
    assert len(made) > len(seen)
    starts = [k for k, largest in enumerate(seen) if largest == pytest.approx(0.99, abs=1e-12)]
    assert len(starts) == adversary.CLIMBS
    assert adversary.SMALLEST_STEP <= min(steps) < max(steps) == adversary.LARGEST_STEP
    for first, last in zip(starts, [*starts[1:], len(seen)], strict=True):
        left = 1 - np.array(seen[first:last])
        factors = left[1:] / left[:-1]
        assert np.allclose(factors, factors[0], rtol=1e-9)
        assert left[-1] * factors[0] == pytest.approx(0.001, rel=1e-6)


def test_the_tightest_instance_is_the_answer(monkeypatch):
    """Of all that was looked at, none is tighter than the one that is told."""
    seen, look = [], adversary._Search.look_at

    def watched(self, case, drawn):
        found = look(self, case, drawn)
        seen.extend([found.ratio] if found is not None else [])
        return found

    monkeypatch.setattr(adversary._Search, "look_at", watched)
    found = adversary.attack(pc.STATEMENTS["d-pseudometric"], budget=80)
    assert found.tally.tightness == max(seen)
    assert len(seen) > 20
    relations = list(pc.STATEMENTS["d-pseudometric"].pressure.sides(found.case))
    assert max(relation.tightness() for relation in relations) == pytest.approx(max(seen))


@pytest.mark.parametrize("claim", ["d[x,y] <= 3*rho0", "K[x,x] <= 5"])
def test_climbs_within_a_class_come_nearer_to_a_violation_with_each_generation(claim):
    """Of as many chains, the best first: each generation keeps what is no worse than what was there."""
    question, recipes, means = ask(claim), list(RECIPES)[:3], []
    for generations in (0, 4, 12):
        plans = list(premises.climbs(question, recipes, generations))
        sizes = {plan.X for plan in plans}
        assert sizes == set(premises.CLIMBED)
        scores = [premises._score(question, [plan for plan in plans if plan.X == n]) for n in sorted(sizes)]
        groups = [group for found in scores for group in found.reshape(-1, premises.POPULATION)]
        assert all((np.diff(group) <= 0).all() for group in groups)
        means.append([found.mean() for found in scores])
    assert (np.diff(means, axis=0) > 0.1).all()
