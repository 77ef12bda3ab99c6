"""What is no claim: hostile text, mistakes, what is defined on no chain. Refused with the column, never executed."""

import ast
import builtins
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_check.conjectures import parse as parser
from proofs_check.conjectures.parse import parse
from tabular_krope.errors import KropeError

HOSTILE = {
    "__import__('os')": "column 1",
    "__import__('os') <= 1": r"column 1\] must call a known function; got '__import__'",
    "q.__class__ <= 1": r"column 1\] .* got an attribute",
    "q[x].real <= 1": "got an attribute",
    "().__class__.__bases__[0] <= 1": "index a quantity",
    "9**9**9 <= 1": r"column 4\] must be a whole exponent from -64 to 64, or 1/2; got '9\*\*9'",
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
    "b'q' <= 1": "an attribute",
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
    "q[x] ∈ 1": r"column 6\] must be plain ASCII; got '∈'",
    "∀x q[x] <= 1": "a claim is about every choice of its indices",
    "√q[x] <= 1": r"write sqrt\(...\)",
    "q[x]\x00 <= 1": r"plain ASCII; got '\\x00'",
    "1 <= 2\\\n": "must be an inequality",
    "X @ X <= 1": "follow one of",
    "X // 2 <= 1": "follow one of",
    "~X <= 1": "use the operators",
    "0 <= q[x] != 1": "must stand alone with !=; got .* \\(ask for one comparison at a time",
    "q[x] in 1": "follow <=, <, >=, >, == or !=; got in",
    "q[x] is 1": "got is",
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
    "L <= 1": r"write 1\*I for a matrix",
    "L[x,y] <= 1": "matrices stand without indices",
    "P_pi[x,y] <= 1": r"P\[x,y\]",
    "q(1) <= 1": r"write q\[x\]",
    "d(x) <= 1": r"give d two indices; got 'd\(x\)' \(write d\[x,y\]\)",
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
    "q[x] > 1 => q[x] > 0": "as a premise, with --assume",
    "forall x q[x] <= 1": "every choice of its indices",
    "lambda(2) <= 1": r"write lam\(1\)",
    "K % K >= K1": "got mod",
    "inv(K) >= 1": "multiply both sides",
    "rho(L) <= 1": r"write radius\(L\)",
    "norm(L) <= 1": r"write norm2\(L\)",
    "K <= sqrt(gamma)*K": r"rational numbers only; got 'sqrt\(gamma\)' \(fix gamma",
    "Sigma >= 1": "B is the covariance",
    "||q[x]| - 1| <= 1": "absolute value",
    "X | X <= 1": "absolute value",
    "q[x]**gamma <= 1": "whole exponent",
    "q[x]**(1/3) <= 1": "whole exponent",
    "q[x]**(1/0) <= 1": "divide by something other than zero",
    "q[x]": r"be a comparison with .*; got 'q\[x\]' \(quote the claim: a shell takes < and > for itself\)",
    "not gamma <= 1": r"be a comparison with <=, <, >=, >, == or !=; got 'not gamma <= 1'$",
    "q[x] >= 0 and r[x] >= 0": r"be one claim; got .* \(ask for one at a time, or write a chained comparison",
    "q[x] >= 0, r[x] >= 0": "be one claim",
    "2gamma <= 1": r"got '2gamma <= 1' \(write \* for a product\)",
    "2 gamma <= 1": r"write \* for a product",
    "2(gamma) <= 1": r"write \* for a product",
    "q[x]q[y] <= 1": r"write \* for a product",
    "(q[x])(q[y]) <= 1": r"write \* for a product",
    "abs q[x] <= 1": r"write abs\(a\)",
    "gamma <= 1 +": "got 'the end of the text'$",
    "q[x": r"column 2\] must close .*; got '\[x' \(the bracket is not closed: write \] where it ends\)",
    " abs(q[x] <= 1": r"column 5\] .* got '\(q\[x\] <= 1' \(the bracket is not closed: write \) where",
    "q[x]) <= 1": r"column 5\] must close .*; got '\)' \(no bracket is open there\)",
    "abs(q[x) <= 1": r"column 8\] must close .*; got '\)' \(\] is due there\)",
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
