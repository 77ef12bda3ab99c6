"""From text to a claim: Python's grammar, a short list of what may occur in it, and nothing is ever executed.

The text is parsed by ``ast`` and translated node by node (`proofs_check.conjectures.translate`); what is not on the
list is refused with its column and, where one is near, the name that was probably meant.
"""

import ast
import re
import warnings
from contextlib import suppress
from fractions import Fraction

from proofs_check.conjectures.language import FUNCTIONS, INDICES, QUANTITIES
from proofs_check.conjectures.matrix_reading import MatrixReader, is_matrix_text
from proofs_check.conjectures.reading import TRANSPOSED, checked_text, refuse, with_transposes
from proofs_check.conjectures.translate import Reader
from proofs_check.conjectures.tree import Claim, Comparison, Number, Operation
from tabular_krope.errors import KropeError

SIGNS: dict[type, str] = {ast.LtE: "<=", ast.Lt: "<", ast.GtE: ">=", ast.Gt: ">", ast.Eq: "==", ast.NotEq: "!="}
BRACKETS = {"(": ")", "[": "]", "{": "}"}
#: Different indices that a claim and its premises may use.
MOST_INDICES = 4
#: A function without brackets.
_CALL = re.compile(rf"\b({'|'.join(FUNCTIONS)})\s+[A-Za-z0-9]")
#: A number, a bracket or a name, and then something that could only be multiplied by it.
_PRODUCT = re.compile(r"(\d|\)|\]|[A-Za-z_]\w*\s)\s*[A-Za-z_(]")


def parse(text: object, argument: str = "claim") -> Claim:
    """The claim that a text makes.

    Args:
        text: one comparison, or a chain of them, over the names of `proofs_check.conjectures.language`.
        argument: how errors call it.

    Raises:
        KropeError: with the column of the first thing that is not understood.

    >>> str(parse("abs(q[x]-q[y])<=0.5*d[x,y]"))
    'abs(q[x] - q[y]) <= 1 / 2 * d[x,y]'
    >>> parse("abs(q[x]) <= Kk[x,x]")
    Traceback (most recent call last):
    tabular_krope.errors.KropeError: claim[column 14] must name a known quantity; got 'Kk' (did you mean 'K'?)
    """
    line = with_transposes(checked_text(text, argument))
    body = _syntax(line, argument)
    reader = Reader(line, argument)
    if isinstance(body, ast.BoolOp | ast.Tuple):
        hint = "ask for one at a time, or write a chained comparison such as 0 <= d[x,y] <= 4"
        raise refuse(argument, reader.column(body), "be one claim", repr(reader.source(body)), hint)
    if isinstance(body, ast.Call) and isinstance(body.func, ast.Name) and body.func.id == "psd":
        comparisons: tuple[Comparison, ...] = (_psd(body, reader),)
    elif isinstance(body, ast.Compare):
        comparisons = _comparisons(body, reader)
    else:
        signs = "<=, <, >=, >, == or !="
        hint = "" if any(sign in line for sign in "<>=") else "quote the claim: a shell takes < and > for itself"
        raise refuse(argument, reader.column(body), f"be a comparison with {signs}", repr(reader.source(body)), hint)
    claim = Claim(line.strip().replace(TRANSPOSED, "'"), comparisons)
    _require_indices([claim], argument)
    return claim


def _psd(body: ast.Call, reader: Reader) -> Comparison:
    """``psd(M)``, or ``psd(M <= N)``."""
    matrices = MatrixReader(reader)
    inner = body.args[0] if len(body.args) == 1 and not body.keywords else body
    if isinstance(inner, ast.Compare):
        if len(inner.ops) != 1 or type(inner.ops[0]) not in (ast.LtE, ast.GtE):
            raise reader.refuse(inner, "compare two matrices with <= or >=")
        return matrices.order(inner.left, SIGNS[type(inner.ops[0])], inner.comparators[0])
    return matrices.definite(inner)


def _comparisons(body: ast.Compare, reader: Reader) -> tuple[Comparison, ...]:
    signs = []
    for operator, side in zip(body.ops, body.comparators, strict=True):
        if type(operator) not in SIGNS:
            raise reader.refuse(side, "follow <=, <, >=, >, == or !=", type(operator).__name__.lower())
        signs.append(SIGNS[type(operator)])
    sides = [body.left, *body.comparators]
    if any(is_matrix_text(side) for side in sides):
        if len(signs) != 1:
            raise reader.refuse(body, "compare two matrices", hint="ask for one comparison at a time")
        return (MatrixReader(reader).order(sides[0], signs[0], sides[1]),)
    if "!=" in signs and len(signs) != 1:
        raise reader.refuse(body, "stand alone with !=", hint="ask for one comparison at a time")
    trees = [reader.node(side, (), 0) for side in sides]
    parts = [Comparison(*part) for part in zip(trees, signs, trees[1:], strict=False)]
    return tuple(part if part.sign != "!=" else _apart(part) for part in parts)


def _apart(comparison: Comparison) -> Comparison:
    """``a != b`` as what the provers and the search know: the modulus of the difference is positive."""
    difference = Operation("-", (comparison.left, comparison.right))
    return Comparison(Operation("abs", (difference,)), ">", Number(Fraction(0)))


class _Indexed(ast.NodeTransformer):
    """``q(x)`` and ``d(x, y)`` are read as ``q[x]`` and ``d[x,y]``."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """A quantity that is called with indices only is a quantity at indices."""
        self.generic_visit(node)
        known = QUANTITIES.get(node.func.id) if isinstance(node.func, ast.Name) else None
        places = [place for place in node.args if isinstance(place, ast.Name) and place.id in INDICES]
        if known is None or not known.arity or node.keywords or not places or len(places) != len(node.args):
            return node
        inside = ast.Tuple(list[ast.expr](places), ast.Load()) if len(places) > 1 else places[0]
        return ast.copy_location(ast.Subscript(node.func, ast.copy_location(inside, node), ast.Load()), node)


def require_together(claim: Claim, premises: tuple[Claim, ...]) -> None:
    """Refuse premises that use more indices than can be held at once, or bind one that the claim leaves free."""
    _require_indices([claim, *premises], "assume")


def _require_indices(claims: list[Claim], argument: str) -> None:
    used = tuple(dict.fromkeys(index for claim in claims for index in (*claim.indices, *claim.bound)))
    if len(used) > MOST_INDICES:
        raise KropeError(f"{argument} must use at most {MOST_INDICES} indices; got {', '.join(used)}")
    free = {index for claim in claims for index in claim.indices}
    for claim in claims:
        for index in claim.bound:
            if index in free:
                raise KropeError(
                    f"{argument} must use {index} only inside or only outside of what runs over it; got both"
                )


def _syntax(line: str, argument: str) -> ast.expr:
    start = len(line) - len(line.lstrip())
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(line.strip(), mode="eval").body
    except SyntaxError as error:
        _require_brackets(line.replace(TRANSPOSED, "'"), argument)
        column = start + (error.offset or len(line.strip()) + 1)  # no offset: the text ends too early
        near = line[column - 1 : column + 14].strip().replace(TRANSPOSED, "'") or "the end of the text"
        column -= line[: column - 1].count(TRANSPOSED)
        raise refuse(argument, column, "be an inequality", repr(near), _syntax_hint(line)) from None
    except (ValueError, RecursionError, MemoryError):
        raise KropeError(f"{argument} must be an inequality that can be parsed; got one that is too deep") from None
    with suppress(RecursionError):  # who reads it says how deep it may be
        body = _Indexed().visit(body)
    return body


def _require_brackets(line: str, argument: str) -> None:
    """Refuse the first bracket that is not closed, or closes nothing."""
    waiting: list[int] = []
    for k, character in enumerate(line):
        if character in BRACKETS:
            waiting.append(k)
        elif character in BRACKETS.values():
            due = BRACKETS[line[waiting.pop()]] if waiting else ""
            if character != due:
                hint = f"{due} is due there" if due else "no bracket is open there"
                raise refuse(argument, k + 1, "close the brackets that it opens", repr(character), hint)
    if waiting:
        first = waiting[0]
        hint = f"the bracket is not closed: write {BRACKETS[line[first]]} where it ends"
        near = repr(line[first : first + 15].strip())
        raise refuse(argument, first + 1, "close the brackets that it opens", near, hint)


def _syntax_hint(line: str) -> str:
    if re.search(r"[<>=]=?[^<>=]*=>", line) or "->" in line:
        return "write what is assumed as a premise, with --assume"
    if re.search(r"\bfor ?all\b", line):
        return "leave it out: a claim is about every choice of its indices"
    if re.search(r"\blambda\b", line):
        return "write lam(1) for the largest eigenvalue"
    if "=<" in line or "=>" in line:
        return "write <= or >="
    if "|" in line:
        return "write abs(...) for an absolute value"
    if "=" in line.replace("==", "").replace("<=", "").replace(">=", "").replace(":=", ""):
        return "write == for equality"
    if called := _CALL.search(line):
        return f"write {FUNCTIONS[called[1]].written}"
    if _PRODUCT.search(line):
        return "write * for a product"
    return ""
