import json

import pytest


@pytest.mark.parametrize(
    ("expression", "words", "constant"),
    [
        ("(q[x]-q[y])**2 / d[x,y]", ("--conservative",), "R * rho0 / (2 * (1 - gamma))"),
        ("d[x,z]/(d[x,y]+d[y,z])", (), "2"),
        ("abs(q[x]-q[y])/U[x,y]", ("--conservative",), "1"),
        ("U[x,x]", (), "gamma * rho0 / (2 * (1 - gamma))"),
        ("R*d[x,y]/U[x,y]", ("--conservative",), "2"),
        ("U[x,z]/(U[x,y]+U[y,z])", ("--conservative",), "1"),
        ("abs(r[x]-r[y])/U[x,y]", ("--conservative",), "1"),
        ("mmd2[x,y]", ("--conservative",), "2 * rho0 / ((1 - gamma) * R)"),
        ("abs(q[x]-q[y])", ("--conservative",), "rho0 / (1 - gamma)"),
        ("life[x]", (), "1 / (1 - gamma)"),
    ],
)
def test_the_best_constant_is_found_proved_and_verified(krope, tmp_path, expression, words, constant):
    path = tmp_path / "worst.json"
    found = krope("worst", expression, *words, "--json", path)
    assert found.code == 0
    assert found.out.startswith(f"BEST CONSTANT  {constant}\n")
    assert "Nothing exceeds it, and the chain attains it." in found.out
    document = json.loads(path.read_text())
    assert (document["status"], document["upper_bound"], document["gap"]) == ("best", constant, "0")
    assert document["attained"] is True
    again = krope("verify", path)
    assert again.code == 0
    assert "for every" in again.out
    assert "fails at" in again.out
    document["upper"]["claim"] = document["upper"]["claim"].replace("<=", "<= 1/2 *")
    path.write_text(json.dumps(document))
    assert krope("verify", path).code == 1


@pytest.mark.parametrize("words", [(), ("--conservative",)])
def test_no_finite_value_comes_with_a_family_of_chains(krope, tmp_path, words):
    path = tmp_path / "worst.json"
    found = krope("worst", "abs(q[x]-q[y])/d[x,y]", *words, "--json", path)
    assert "NO FINITE VALUE" in found.out
    assert "R / (2 * epsilon), which grows without bound as epsilon goes to 0" in " ".join(found.out.split())
    assert len(json.loads(path.read_text())["chains"]) == 3
    assert krope("verify", path).code == 0


def test_where_only_ends_make_it_infinite_the_constant_without_them_is_told(krope):
    """Adding a number to all rewards moves q of a pair that ends by another amount than q of one that does not."""
    found = krope("worst", "abs(q[x]-q[y])/U[x,y]")
    assert "NO FINITE VALUE" in found.out
    assert "no ends     1 is the best constant with --conservative." in found.out


def test_where_it_is_infinite_without_ends_too_no_constant_is_told(krope):
    assert "no ends" not in krope("worst", "abs(q[x]-q[y])/d[x,y]").out


def test_at_fixed_parameters(krope):
    found = krope("worst", "(q[x]-q[y])**2 / d[x,y]", "--conservative", "--gamma", "9/10", "--R", "rho0")
    assert "BEST CONSTANT  R * rho0 / (2 * (1 - gamma))\n" in found.out
    assert "where it is 5" in found.out


def test_a_reward_range_that_is_none_is_refused(krope):
    refused = krope("worst", "q[x]", "--R", "abc").refused
    assert refused == "R must be rho0, a multiple of it or a number; got 'abc'"


def test_spectral_quantities_have_a_bound_from_each_side(krope, tmp_path):
    path = tmp_path / "worst.json"
    found = krope("worst", "norm/sqrt(gamma)", "--dim", 2, "--json", path)
    assert found.out.startswith("BOUNDS  1 <= sup <= 1\nThe upper bound is truncation-stable")
    document = json.loads(path.read_text())
    assert document["upper_bound"] == "1"
    assert 0.9 < float(document["lower_bound"]) <= 1
    assert krope("verify", path).code == 0


def test_outside_the_theorem_it_is_a_lower_bound(krope):
    found = krope("worst", "K[x,y]**2/(K[x,x]*K[y,y])")
    assert "LOWER BOUND  1\n" in found.out
    assert "a lower bound: a product of two quantities is neither convex nor concave" in found.out


def test_bad_expressions_are_refused(krope):
    assert "without <=" in krope("worst", "d[x,y] <= 2").refused
    assert "known quantity" in krope("worst", "dd[x,y]").refused
    assert krope("worst", "q[x]+").refused == "expression[column 7] must be an expression; got the end"
    assert "got '[x' (the bracket" in krope("worst", "q[x").refused


@pytest.mark.parametrize("expression", ["gamma", "R*rho0", "horizon"])
def test_an_expression_without_a_pair_is_refused(krope, expression):
    words = "expression must name a pair, such as q[x]: the parameters alone have no supremum; got "
    assert krope("worst", expression).refused == f"{words}{expression!r}"


@pytest.mark.parametrize("words", [("worst", "q[x]"), ("bench", "--quick")])
def test_an_interrupt_is_told(krope, monkeypatch, words):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("krope.worst.best_constant", interrupted)
    monkeypatch.setattr("krope.bench.measured", interrupted)
    found = krope(*words)
    assert found.code == 130
    assert found.err.startswith("krope: interrupted: nothing is kept of what was computed")
