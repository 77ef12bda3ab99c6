"""What `show` writes is read back as the same tree, for every kind of node."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from proofs_check.conjectures.parse import parse
from proofs_check.conjectures.tree import Named, Number, Operation, Reduction, show
from tabular_krope.errors import KropeError

LEAVES = (
    Named("q", ("x",)), Named("r", ("y",)), Named("K", ("x", "y")), Named("d", ("y", "x")), Named("gamma"), Named("X"),
)  # fmt: skip
leaves = st.one_of(
    st.sampled_from(LEAVES), st.builds(Number, st.fractions(0, 30, max_denominator=9)), st.just(Number(Fraction(7)))
)


def nodes(inner):
    binary = st.builds(lambda name, a, b: Operation(name, (a, b)), st.sampled_from("+-*/"), inner, inner)
    unary = st.builds(
        lambda name, a: Operation(name, (a,)), st.sampled_from(["neg", "abs", "sqrt", "exp", "log"]), inner
    )
    power = st.builds(lambda a, n: Operation("power", (a,), n), inner, st.integers(2, 5))
    several = st.builds(
        lambda name, parts: Operation(name, tuple(parts)),
        st.sampled_from(["min", "max"]),
        st.lists(inner, min_size=2, max_size=3),
    )
    reduction = st.builds(
        lambda name, body: Reduction(name, "z", Operation("*", (Named("P", ("x", "z")), body))),
        st.sampled_from(["sum", "min", "max"]),
        inner.filter(lambda node: "z, " not in show(node)),
    )
    return st.one_of(binary, unary, power, several, reduction)


trees = st.recursive(leaves, nodes, max_leaves=5)


def plain(node):
    """Quotients of whole numbers as the numbers that they are: `show` writes one half as ``1 / 2``."""
    if isinstance(node, Reduction):
        return replace(node, body=plain(node.body))
    if not isinstance(node, Operation):
        return node
    parts = tuple(plain(part) for part in node.parts)
    whole = all(isinstance(part, Number) and part.value.denominator == 1 for part in parts)
    if node.name == "/" and whole and parts[1].value:
        return Number(parts[0].value / parts[1].value)
    return replace(node, parts=parts)


def speaks_of_chains(tree):
    """A claim that is undefined on every chain, such as 1/0, is refused: nothing to read back."""
    return "[" in show(tree)


@given(trees.filter(speaks_of_chains))
def test_what_is_shown_is_read_back_as_the_same_tree(tree):
    try:
        read = parse(f"R <= {show(tree)}")
    except KropeError:  # a part of it is undefined on every chain, or it is too deep
        return
    assert plain(read.comparisons[0].right) == plain(tree)
    assert show(read.comparisons[0].right) == show(tree)
