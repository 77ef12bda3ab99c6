import ast
import builtins
import tracemalloc
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_check.conjectures import parse as parser
from proofs_check.conjectures.language import EXAMPLES, FUNCTIONS, INDICES, INSTEAD, QUANTITIES
from proofs_check.conjectures.parse import parse, require_together
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
        parse(claim)
    assert not set(QUANTITIES) & set(FUNCTIONS)
    assert not set(INDICES) & (set(QUANTITIES) | set(FUNCTIONS))
    assert not set(INSTEAD) & (set(QUANTITIES) | set(INDICES))


def test_spectral():
    assert parse("norm <= 1").spectral
    assert not parse("q[x] <= 1").spectral


HOSTILE = {
    "__import__('os')": "column 1",
    "__import__('os') <= 1": r"column 1\] must call a known function; got '__import__'",
    "q.__class__ <= 1": r"column 1\] .* got an attribute",
    "q[x].real <= 1": "got an attribute",
    "().__class__.__bases__[0] <= 1": "index a quantity",
    "9**9**9 <= 1": r"column 4\] must be a whole exponent from -16 to 16, or 1/2; got '9\*\*9'",
    "2**1000000000 <= 1": "whole exponent",
    "((((2**16)**16)**16)**16) <= 1": r"degree at most 64; got 256",
    "(" * 10_000 + "1" + ")" * 10_000 + "<= 1": "at most 600 characters; got",
    "(" * 100 + "1" + ")" * 100 + "<= 1": r"column 41\] must nest at most 40 brackets",
    "-" * 500 + "1 <= 1": "nest at most 40 operations",
    "not " * 100 + "1 <= 1": "must be",
    "(lambda: 1)() <= 1": "call a function by its name",
    "lambda <= 1": "column 8",
    "(y := 1) <= 2": "got an assignment",
    "f'{q}' <= 1": "got an f-string",
    "'q' <= 1": "decimal number",
    "b'q' <= 1": "decimal number",
    "True <= 1": "decimal number",
    "None <= 1": "decimal number",
    "... <= 1": "decimal number",
    "1j <= 1": "decimal number",
    "0x10 <= 1": "decimal number",
    "1e999999999 <= 1": "moderate exponent; got '1e999999999'",
    "1e-999999999 <= 1": "moderate exponent",
    "[q[x] for x in X] <= 1": "got a comprehension",
    "{x: 1} <= 1": "got a dictionary",
    "(1, 2) <= 1": "got a tuple",
    "(1 if 1 else 2) <= 1": "got an if",
    "(1 and 2) <= 1": "got and/or",
    "abs(*r) <= 1": r"must be abs\(a\)",
    "abs(a=1) <= 1": r"must be abs\(a\)",
    "q[x:y] <= 1": "be an index",
    "q[0] <= 1": r"column 3\] must be an index, one of x, y, .* got '0'",
    "q[x][y] <= 1": "index a quantity",
    "q[*x] <= 1": "be an index",
    "print(1) <= 1": "call a known function; got 'print'",
    "eval(1) <= 1": "call a known function",
    "os.system(1) <= 1": "call a function by its name",
    "q[x] <= 1; import os": "column 10",
    "import os": "must be an inequality",
    "𝐪[x] <= 1": r"column 1\] must be plain ASCII; got '𝐪' \(U\+1D42A\)",
    "q[х] <= 1": r"column 3\] must be plain ASCII; got 'х' \(U\+0445\)",
    "q[x] ≤ 1": r"write <=",
    "q[x]\x00 <= 1": r"plain ASCII; got '\\x00'",
    "1 <= 2\\\n": "must be an inequality",
    "X @ X <= 1": "follow one of",
    "X // 2 <= 1": "follow one of",
    "~X <= 1": "use the operators",
    "q[x] in 1": "follow <=, <, >=, > or ==; got in",
    "q[x] is 1": "got is",
    "q[x] != 1": "got !=",
}


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_refused(text):
    with pytest.raises(KropeError, match=HOSTILE[text]):
        parse(text)


MISTAKES = {
    "qq[x] <= 1": "got 'qq'",
    "gama <= 1": r"column 1\] must name a known quantity; got 'gama' \(did you mean 'gamma'\?\)",
    "NORM <= 1": r"did you mean 'norm'\?",
    "abs(x) <= 1": r"inside brackets only; got 'x' \(write q\[x\]\)",
    "q <= 1": r"give q its indices; got 'q' \(write q\[x\]\)",
    "K[x] <= 1": r"give K two indices; got 'K\[x\]' \(write K\[x,y\]\)",
    "q[x,y] <= 1": "give q one index",
    "gamma[x] <= 1": "give gamma no index",
    "L <= 1": "norm and rho speak about L",
    "P_pi[x,y] <= 1": r"P\[x,y\]",
    "q(x) <= 1": r"write q\[x\]",
    "absolute(1) <= 1": "known function",
    "sqr(1) <= 1": r"did you mean 'sqrt'\?",
    "zzzz <= 1": "krope conjecture --list",
    "abs <= 1": r"call abs with brackets; got 'abs' \(write abs\(a\)\)",
    "abs(1, 2) <= 1": r"must be abs\(a\)",
    "min(1) <= 1": "must be min",
    "sum(q[x]) <= 1": r"must be sum\(z, a\)",
    "sum(X, 1) <= 1": r"index to sum over; got 'X'",
    "max(z, 1, 2) <= 1": r"must be max\(z, a\)",
    "sum(z, sum(z, q[z])) <= 1": "use another index",
    "sum(z, q[z]) <= q[z]": "only inside or only outside",
    "d[x,y] + d[z,w] + q[u] <= 1": "at most 4 indices; got x, y, z, w, u",
    "q[x] = 1": r"column 6\] .* \(write == for equality\)",
    "q[x] => 1": "write <= or >=",
    "|q[x]| <= 1": "absolute value",
    "X | X <= 1": "absolute value",
    "q[x]^2 <= 1": r"write \*\* for a power",
    "q[x]**gamma <= 1": "whole exponent",
    "q[x]**(1/3) <= 1": "whole exponent",
    "q[x]**(1/0) <= 1": "divide by something other than zero",
    "q[x]": "be a comparison",
    "q[x] <= 1 and q[x] >= 0": "be a comparison",
    "q[x] <=": r"column 8\] must be an inequality; got 'the end of the text'",
    "": "empty string",
    "   \n": "empty string",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_are_explained(text):
    with pytest.raises(KropeError, match=MISTAKES[text]):
        parse(text)


def test_columns_count_from_the_text_as_given():
    with pytest.raises(KropeError, match=r"column 8\] .* got 'foo'"):
        parse("   1 <= foo".replace("1 <=", "1<="))


def test_other_types_are_refused():
    with pytest.raises(KropeError, match="claim must be a string; got NoneType"):
        parse(None)


def test_a_premise_names_itself():
    with pytest.raises(KropeError, match=r"assume\[1\]\[column 1\]"):
        parse("foo <= 1", "assume[1]")


def test_claim_and_premises_share_the_indices():
    require_together(parse("q[x] <= 1"), (parse("r[w] <= 1"),))
    with pytest.raises(KropeError, match="assume must use w only inside"):
        require_together(parse("max(w, q[w]) <= 1"), (parse("r[w] <= 1"),))
    with pytest.raises(KropeError, match="assume must use at most 4 indices"):
        require_together(parse("d[x,y] <= 1"), (parse("d[z,w] + d[u,v] <= 1"),))


def test_nothing_is_executed_or_compiled(monkeypatch):
    def forbidden(*args, **kwargs):
        raise AssertionError("must not be called")

    for name in ("eval", "exec", "__import__"):
        monkeypatch.setattr(builtins, name, forbidden)
    for text in HOSTILE:
        with pytest.raises(KropeError):
            parse(text)


def test_a_parser_that_gives_up_is_bad_input(monkeypatch):
    def deep(*args, **kwargs):
        raise RecursionError

    monkeypatch.setattr(parser.ast, "parse", deep)
    with pytest.raises(KropeError, match="too deep"):
        parse("1 <= 2")


def test_refusals_need_little_memory():
    tracemalloc.start()
    for text in ("1e999999999 <= 1", "9**9**9 <= 1", "(" * 10_000):
        with pytest.raises(KropeError):
            parse(text)
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


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


@given(st.text(max_size=60))
def test_any_text_is_a_claim_or_bad_input(text):
    try:
        parse(text)
    except KropeError:
        return
    assert text.isascii()


@given(
    st.lists(
        st.sampled_from(["q[x]", "(", ")", "<=", "+", "**", "2", "x", "max(", ",", "z", "sum(", "=", "."]), max_size=12
    )
)
def test_any_sequence_of_tokens_is_a_claim_or_bad_input(tokens):
    try:
        claim = parse(" ".join(tokens))
    except KropeError:
        return
    assert ast.parse(str(claim), mode="eval")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1/0 <= 1", r"claim\[column 1\] must divide by something other than zero; got '1/0'"),
        ("q[x] <= d[x,y]/(2-sqrt(4))", r"claim\[column 9\] must divide by something other than zero"),
        ("q[x] <= 0**(-1)", r"claim\[column 9\] must divide by something other than zero"),
        ("sqrt(-1) <= q[x]", r"claim\[column 1\] must be defined; got 'sqrt\(-1\)'"),
        ("q[x]*log(1-1) <= 1", r"claim\[column 6\] must be defined; got 'log\(1-1\)'"),
        ("nan <= 1", "must name a known quantity; got 'nan'"),
    ],
)
def test_what_is_undefined_on_every_chain_is_refused(text, message):
    with pytest.raises(KropeError, match=message):
        parse(text)


def test_what_may_be_zero_is_not_refused():
    parse("1/(exp(log(2))-2) <= 1")  # nobody can tell
    parse("1/(R-R) <= 1")  # a question about chains
