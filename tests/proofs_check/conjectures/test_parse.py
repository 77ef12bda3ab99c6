"""What a claim becomes: its tree, its indices, and how it is shown."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_check.conjectures.language import EXAMPLES, FUNCTIONS, INDICES, INSTEAD, QUANTITIES
from proofs_check.conjectures.parse import parse, require_together
from proofs_check.conjectures.question import ask
from proofs_check.conjectures.tree import Named, Number, Operation, Reduction
from tabular_krope.errors import KropeError


def test_a_claim_by_hand():
    claim = parse(" abs(q[x] - q[y]) <= 0.1*d[x,y] ")
    (comparison,) = claim.comparisons
    assert comparison.left == Operation("abs", (Operation("-", (Named("q", ("x",)), Named("q", ("y",)))),))
    assert comparison.sign == "<="
    assert comparison.right == Operation("*", (Number(Fraction(1, 10)), Named("d", ("x", "y"))))
    assert claim.indices == ("x", "y")
    assert claim.names == {"q", "d"}


def test_python_precedence_and_associativity():
    def right(text):
        return parse(f"0 <= {text}").comparisons[0].right

    a, b, c = (Number(Fraction(n)) for n in (1, 2, 3))
    assert right("1 - 2 - 3") == Operation("-", (Operation("-", (a, b)), c))
    assert right("1 / 2 * 3") == Operation("*", (Operation("/", (a, b)), c))
    assert right("1 + 2 * 3") == Operation("+", (a, Operation("*", (b, c))))
    assert right("-1**2") == Operation("neg", (Operation("power", (a,), 2),))
    assert right("+3") == c


def test_powers():
    def right(text):
        return parse(f"0 <= {text}").comparisons[0].right

    X = Named("X")
    assert right("X**3") == Operation("power", (X,), 3)
    assert right("X**0.5") == right("X**(1/2)") == right("sqrt(X)") == Operation("sqrt", (X,))
    assert right("X**-2") == Operation("/", (Number(Fraction(1)), Operation("power", (X,), 2)))
    assert right("X**1") == X


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("|q[x]-q[y]| ≤ U[x,y]", "abs(q[x]-q[y]) <= U[x,y]"),
        ("|q[x]|·|q[y]| ≥ −½", "abs(q[x])*abs(q[y]) >= -(1/2)"),
        ("d(x, z) <= 2*(d(x,y) + d(y,z))", "d[x,z] <= 2*(d[x,y] + d[y,z])"),
        ("sum(z, P(x,z)*q(z)) <= q(x)^2", "sum(z, P[x,z]*q[z]) <= q[x]**2"),
        ("√(d[x,y]) × γ² ≥ ρ0 ÷ 3", "sqrt(d[x,y])*gamma**2 >= rho0/3"),
        ("K(x,y)**2 ⩽ R", "K[x,y]**2 <= R"),
        ("K ⩾ γ·P·K·P′", "K >= gamma*P*K*P'"),
        ("K^2 >= P^T*P", "K**2 >= P'*P"),
        ("C(x,y) <= 3", "C[x,y] <= 3"),
        ("C(2) <= B", "C(2) <= B"),
        ("q(x) ≠ 3", "abs(q[x] - 3) > 0"),
    ],
)
def test_signs_of_mathematics_are_read_as_what_they_mean(written, plain):
    assert parse(written).comparisons[0] == parse(plain).comparisons[0]


def test_what_differs_has_a_distance():
    (apart,) = parse("q[x] != r[x]").comparisons
    assert apart == parse("abs(q[x] - r[x]) > 0").comparisons[0]
    (matrices,) = parse("P*K != K*P").comparisons
    assert (matrices.left, matrices.sign) == (parse("P*K == K*P").comparisons[0].left, ">")


def test_reductions_bind_their_index():
    claim = parse("q[x] == sum(z, P[x,z]*q[z]) + max(z, r[z]) - min(q[x], 1, 2)")
    assert claim.indices == ("x",)
    assert claim.bound == ("z",)
    assert any(node == Reduction("max", "z", Named("r", ("z",))) for node in claim.nodes())


def test_chains_of_comparisons_and_orientation():
    claim = parse("0 <= d[x,y] < 4 > 3 >= 2 == 2")
    assert [comparison.sign for comparison in claim.comparisons] == ["<=", "<", ">", ">=", "=="]
    left, right = Number(Fraction(4)), Number(Fraction(3))
    assert claim.comparisons[2].ordered == (right, "<", left)
    assert claim.comparisons[3].ordered == (Number(Fraction(2)), "<=", right)
    assert claim.comparisons[4].ordered[1] == "=="


def test_all_quantities_functions_and_examples_are_understood():
    for quantity in QUANTITIES.values():
        assert parse(f"{quantity.written} >= 0").names == {quantity.name}
    for claim, *_ in EXAMPLES:
        assert str(ask(claim).exists or ask(claim).claim) == str(parse(claim.removeprefix("exists ")))
    assert not set(QUANTITIES) & set(FUNCTIONS)
    assert not set(INDICES) & (set(QUANTITIES) | set(FUNCTIONS))
    assert not set(INSTEAD) & (set(QUANTITIES) | set(INDICES))


def test_spectral():
    assert parse("norm <= 1").spectral
    assert not parse("q[x] <= 1").spectral


def test_claim_and_premises_share_the_indices():
    require_together(parse("q[x] <= 1"), (parse("r[w] <= 1"),))
    with pytest.raises(KropeError, match="assume must use w only inside"):
        require_together(parse("max(w, q[w]) <= 1"), (parse("r[w] <= 1"),))
    with pytest.raises(KropeError, match="assume must use at most 4 indices"):
        require_together(parse("d[x,y] <= 1"), (parse("d[z,w] + d[u,v] <= 1"),))


def test_what_may_be_zero_is_not_refused():
    nobody_can_tell, about_chains = parse("1/(exp(log(2))-2) <= 1"), parse("1/(R-R) <= 1")
    assert nobody_can_tell.names == set()
    assert about_chains.comparisons[0].left.parts[1] == Operation("-", (Named("R"), Named("R")))


leaves = st.sampled_from(["q[x]", "r[y]", "K[x,y]", "d[y,x]", "gamma", "R", "2", "0.5", "sum(z, P[x,z])"])
expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from("+-*/"), inner),
        st.builds("abs({})".format, inner),
        st.builds("-({})".format, inner),
        st.builds("({})**2".format, inner),
        st.builds("max({}, {})".format, inner, inner),
    ),
    max_leaves=6,
)


@given(expressions, expressions, st.sampled_from(["<=", "<", ">=", ">", "=="]))
def test_what_is_shown_parses_to_what_was_meant(left, right, sign):
    claim = parse(f"{left} {sign} {right}")
    shown = str(claim)
    assert str(parse(shown)) == shown
    values = {"gamma": Fraction(1, 3), "R": Fraction(5, 2)}
    for one, two in zip(claim.comparisons, parse(shown).comparisons, strict=True):
        assert value_of(one.left, values) == value_of(two.left, values)


def value_of(node, values):
    """A naive evaluation that tells trees apart: indexed quantities are numbers made of their names."""
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Named):
        return values.get(node.name, Fraction(sum(map(ord, node.name + "".join(node.indices))), 7))
    if isinstance(node, Reduction):
        return 3 * value_of(node.body, values)
    parts = [value_of(part, values) for part in node.parts]
    if None in parts or (node.name == "/" and parts[1] == 0):
        return None
    actions = {
        "+": lambda: parts[0] + parts[1], "-": lambda: parts[0] - parts[1], "*": lambda: parts[0] * parts[1],
        "/": lambda: parts[0] / parts[1], "neg": lambda: -parts[0], "abs": lambda: abs(parts[0]),
        "power": lambda: parts[0] ** node.exponent, "max": lambda: max(parts),
    }  # fmt: skip
    return actions[node.name]()
