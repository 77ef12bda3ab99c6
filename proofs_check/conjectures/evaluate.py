"""Walking a tree with numbers: one interpreter, two arithmetics.

Every index of a claim has an axis of its own, so that ``K[x,y] + q[y]`` is one broadcast sum over all pairs at once.
Floats carry a leading axis more, over the chains of a batch.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from flint import fmpq

from proofs_check.arithmetic import reals
from proofs_check.arithmetic.rounding import Rounded, extreme_of
from proofs_check.conjectures.matrix_language import MATRIX_FUNCTIONS
from proofs_check.conjectures.tree import Letter, Named, Node, Number, Operation, Reduction


class Arithmetic(Protocol):
    """What the interpreter needs to know about numbers."""

    def number(self, value: Fraction) -> Any:
        """A constant."""

    def named(self, name: str, indices: tuple[str, ...]) -> Any:
        """A quantity on the axes of its indices."""

    def apply(self, name: str, parts: Sequence[Any], exponent: int) -> Any:
        """An operation, entry by entry."""

    def reduce(self, name: str, index: str, body: Any) -> Any:
        """``sum``, ``min`` or ``max`` along the axis of an index, which is kept."""

    def matrix(self, name: str, body: Node) -> Any:
        """A function of a whole matrix, which has no index."""


def evaluate(node: Node, arithmetic: Arithmetic) -> Any:
    """The value of a tree for all choices of its indices."""
    if isinstance(node, Number):
        return arithmetic.number(node.value)
    if isinstance(node, Named):
        return arithmetic.named(node.full, node.indices)
    if isinstance(node, Letter):
        assert node.name == "I"  # among numbers; every other letter stands in a function of a matrix
        return arithmetic.number(Fraction(1))
    if isinstance(node, Reduction):
        return arithmetic.reduce(node.name, node.index, evaluate(node.body, arithmetic))
    assert isinstance(node, Operation)
    if node.name in MATRIX_FUNCTIONS:
        return arithmetic.matrix(node.name, node.parts[0])
    return arithmetic.apply(node.name, [evaluate(part, arithmetic) for part in node.parts], node.exponent)


def place(array: Any, indices: tuple[str, ...], axes: Mapping[str, int], lead: int) -> Any:
    """An array [..., X] or [..., X, X] with its index axes moved to where ``axes`` says; all others have length 1.

    >>> place(np.arange(4).reshape(2, 2), ("y", "x"), {"x": 0, "y": 1}, 0).tolist()
    [[0, 2], [1, 3]]
    >>> place(np.arange(4).reshape(2, 2), ("y", "y"), {"x": 0, "y": 1}, 0).tolist()
    [[0, 3]]
    """
    if len(indices) == 2 and indices[0] == indices[1]:
        array, indices = np.diagonal(array, axis1=lead, axis2=lead + 1), indices[:1]
    if len(indices) == 2 and axes[indices[0]] > axes[indices[1]]:
        array = np.swapaxes(array, lead, lead + 1)
    used = {axes[index] for index in indices}
    shape = [array.shape[lead] if axis in used else 1 for axis in range(len(axes))]
    return array.reshape((*array.shape[:lead], *shape))


class Floats:
    """Float64 with error bounds, batched: values have shape [B, ...].

    Args:
        quantity: the Rounded array of a name, [B], [B, X] or [B, X, X].
        X: number of pairs.
        axes: axis of each index, after the batch's.
    """

    def __init__(self, quantity: Callable[[str], Rounded], X: int, axes: Mapping[str, int]) -> None:
        self.quantity, self.X, self.axes = quantity, X, axes

    def number(self, value: Fraction) -> Rounded:
        """A constant, rounded."""
        return Rounded.exact(np.full([1] * (1 + len(self.axes)), float(value)))

    def named(self, name: str, indices: tuple[str, ...]) -> Rounded:
        """A quantity on the axes of its indices."""
        base = self.quantity(name)
        return Rounded(place(base.value, indices, self.axes, 1), place(base.error, indices, self.axes, 1))

    def matrix(self, name: str, body: Node) -> Rounded:
        """A function of a whole matrix."""
        found = self.quantity.of_matrix(name, body)  # type: ignore[attr-defined]
        shape = (-1, *[1] * len(self.axes))
        return Rounded(found.value.reshape(shape), found.error.reshape(shape))

    def apply(self, name: str, parts: Sequence[Rounded], exponent: int) -> Rounded:
        """An operation, entry by entry; NaN where it is undefined."""
        a, b = parts[0], parts[-1]
        actions: Mapping[str, Callable[[], Rounded]] = {
            "+": lambda: a + b,
            "-": lambda: a - b,
            "*": lambda: a * b,
            "/": lambda: a / b,
            "neg": lambda: -a,
            "abs": lambda: abs(a),
            "sqrt": a.sqrt,
            "exp": a.exp,
            "log": a.log,
            "power": lambda: a.power(exponent),
            "min": lambda: extreme_of("min", parts),
            "max": lambda: extreme_of("max", parts),
        }
        return actions[name]()

    def reduce(self, name: str, index: str, body: Rounded) -> Rounded:
        """``sum``, ``min`` or ``max`` along the axis of an index."""
        axis = 1 + self.axes[index]
        spread = Rounded(stretch(body.value, axis, self.X), stretch(body.error, axis, self.X))
        return spread.total(axis) if name == "sum" else spread.extreme(name, axis)


class Exacts:
    """Exact numbers in object arrays: rationals, `reals.Real`, undefined and undecided entries.

    Args:
        quantity: the object array of a name, [], [X] or [X, X].
        X: number of pairs.
        axes: axis of each index.
    """

    UNARY: Mapping[str, Callable[[Any], Any]] = {
        "neg": reals.negate,
        "abs": reals.absolute,
        "sqrt": reals.root,
        "exp": reals.exponential,
        "log": reals.logarithm,
    }
    BINARY: Mapping[str, Callable[[Any, Any], Any]] = {
        "+": reals.add,
        "-": reals.subtract,
        "*": reals.multiply,
        "/": reals.divide,
        "min": reals.least,
        "max": reals.largest,
        "sum": reals.add,
    }

    def __init__(self, quantity: Callable[[str], Any], X: int, axes: Mapping[str, int]) -> None:
        self.quantity, self.X, self.axes = quantity, X, axes

    def number(self, value: Fraction) -> Any:
        """A constant."""
        return _object(fmpq(value.numerator, value.denominator)).reshape([1] * len(self.axes))

    def named(self, name: str, indices: tuple[str, ...]) -> Any:
        """A quantity on the axes of its indices."""
        return place(_object(self.quantity(name)), indices, self.axes, 0)

    def matrix(self, name: str, body: Node) -> Any:
        """A function of a whole matrix."""
        return _object(self.quantity.of_matrix(name, body)).reshape([1] * len(self.axes))  # type: ignore[attr-defined]

    def apply(self, name: str, parts: Sequence[Any], exponent: int) -> Any:
        """An operation, entry by entry."""
        if name == "power":
            return each(lambda a: reals.power(a, exponent), parts[0])
        if name in self.UNARY:
            return each(self.UNARY[name], parts[0])
        result = parts[0]
        for part in parts[1:]:
            result = each(self.BINARY[name], result, part)
        return result

    def reduce(self, name: str, index: str, body: Any) -> Any:
        """``sum``, ``min`` or ``max`` along the axis of an index."""
        axis = self.axes[index]
        slices = np.split(stretch(body, axis, self.X), self.X, axis=axis)
        result = slices[0]
        for part in slices[1:]:
            result = each(self.BINARY[name], result, part)
        return result


class Spot(Exacts):
    """Exact numbers at one choice of the indices, for trees that do not run over all pairs.

    Args:
        quantity: the object array of a name, [], [X] or [X, X].
        choice: the pair of each index.
    """

    def __init__(self, quantity: Callable[[str], Any], choice: Mapping[str, int]) -> None:
        super().__init__(quantity, 1, {})
        self.choice = choice

    def named(self, name: str, indices: tuple[str, ...]) -> Any:
        """A quantity at the chosen pairs."""
        return _object(_object(self.quantity(name))[tuple(self.choice[index] for index in indices)])


def each(function: Callable[..., Any], *arrays: Any) -> Any:
    """``function`` on every entry of arrays that broadcast, as an object array."""
    with np.errstate(all="ignore"):  # flint leaves floating-point flags behind that numpy would report
        return _object(np.frompyfunc(function, len(arrays), 1)(*arrays))


def stretch(array: Any, axis: int, n: int) -> Any:
    """An array whose axis of length 1 is repeated to length ``n``."""
    shape = list(array.shape)
    shape[axis] = n
    return np.broadcast_to(array, shape)


def _object(value: Any) -> Any:
    """An object array; numpy would otherwise unpack a lone entry."""
    if isinstance(value, np.ndarray):
        return value
    array = np.empty((), dtype=object)
    array[()] = value
    return array
