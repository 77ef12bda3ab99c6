"""A claim that the small-model theorem covers as a Coq file: the statement for chains of every size, and a proof.

The script applies a theorem of ``proofs_check/formal`` (`conservative_claim` or `ending_claim`), shows the curvature by
its rules and leaves the polynomial inequality to ``lra`` and ``nra``. Whether Coq accepts it, Coq says: the search of
``nra`` is not complete.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction

from proofs_check.conjectures.question import Question
from proofs_check.conjectures.tree import Claim, Named, Node, Number, Operation
from tabular_krope.errors import KropeError

_HEAD = """From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd chain reward_kernel stein kernel mico arith reduction small_model claims.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.
"""
_WHOLE = {"gamma": "g", "R": "R", "rho0": "(hi - lo)", "rmin": "lo", "rmax": "hi"}
_CHAIN = {
    "r": "r {0} 0",
    "q": "values P r g {0} 0",
    "life": "values P (const_mx 1) g {0} 0",
    "U": "mico P r g {0} {1}",
    "K": "krope_kernel P r R g {0} {1}",
    "d": "krope_dist P r R g {0} {1}",
    "K1": "(1 - `|r {0} 0 - r {1} 0| / R)",
}
_SIGNS = {"<=": "<=", ">=": ">=", "==": "="}
Name = Callable[[str, tuple[str, ...]], str]


def coq_file(question: Question) -> str:
    """The text of a ``.v`` file with one theorem for each comparison of the claim.

    Raises:
        KropeError: the claim is outside of what is written: strict comparisons, roots, ``min``, ``max``, powers other
            than squares, premises, and quantities other than q, U, K, d, K1, r, life, gamma, R, rho0, rmin, rmax.

    >>> from proofs_check.conjectures.question import ask
    >>> text = coq_file(ask("abs(q[x]-q[y]) <= U[x,y]", conservative=True))
    >>> print(text.splitlines()[11].strip())
    `|((values P r g x 0) - (values P r g y 0))| <= (mico P r g x y).
    """
    if question.premises or question.gamma is not None:
        raise KropeError("claim must have no premises to be written for Coq; got some")
    claim = question.claim
    parts = [_HEAD]
    for number, (small, large, sign) in enumerate(_comparisons(claim), start=1):
        parts.append(_theorem(question, small, large, sign, f"claim_{number}"))
    return "\n".join(parts)


def _comparisons(claim: Claim) -> Iterator[tuple[Node, Node, str]]:
    for comparison in claim.comparisons:
        if comparison.sign not in _SIGNS:
            raise KropeError(f"claim must compare by <=, >= or == to be written for Coq; got {comparison.sign}")
        small, sign, large = comparison.ordered
        yield small, large, "<="
        if sign == "==":
            yield large, small, "<="


def _text(node: Node, name: Name) -> str:
    if isinstance(node, Number):
        return _number(node.value)
    if isinstance(node, Named):
        return name(node.name, node.indices)
    if not isinstance(node, Operation):
        raise KropeError("claim must have no sum, min or max over pairs to be written for Coq; got one")
    parts = [_text(part, name) for part in node.parts]
    if node.name in ("+", "-", "*", "/"):
        return f"({parts[0]} {node.name} {parts[1]})"
    if node.name == "neg":
        return f"(- {parts[0]})"
    if node.name == "abs":
        return f"`|{parts[0]}|"
    if node.name == "power" and node.exponent == 2:
        return f"({parts[0]} ^+ 2)"
    raise KropeError(f"claim must be made of + - * / abs and squares to be written for Coq; got {node.name}")


def _number(value: Fraction) -> str:
    top = f"{abs(value.numerator)}%:R"
    out = top if value.denominator == 1 else f"({top} / {value.denominator}%:R)"
    return out if value >= 0 else f"(- {out})"


def _letter(index: str) -> str:
    return index if index in "xyz" else f"{index}_"


def _theorem(question: Question, small: Node, large: Node, sign: str, title: str) -> str:
    indices = question.claim.indices
    if not indices:
        raise KropeError("claim must be about some pair to be written for Coq; got none")
    letters = [_letter(index) for index in indices]
    place = {index: f"(@Ordinal {len(indices)} {i} isT)" for i, index in enumerate(indices)}

    def on_chain(quantity: str, at: tuple[str, ...]) -> str:
        if quantity in _WHOLE:
            return _WHOLE[quantity]
        if quantity == "horizon" and question.conservative:
            return "(1 - g)^-1"
        if quantity not in _CHAIN:
            raise KropeError(f"claim must be about quantities that are written for Coq; got {quantity}")
        return f"({_CHAIN[quantity].format(*map(_letter, at))})"

    def at_point(quantity: str, at: tuple[str, ...]) -> str:
        spots = [place[index] for index in at]
        if quantity == "q":
            return f"q 0 {spots[0]}"
        if quantity == "life":
            return f"l 0 {spots[0]}"
        if quantity == "U":
            return f"U {spots[0]} {spots[1]}"
        if quantity == "K":
            return _kernel(*spots)
        if quantity == "d":
            x, y = spots
            return f"({_kernel(x, x)} + {_kernel(y, y)} - 2%:R * {_kernel(x, y)})"
        return on_chain(quantity, at)

    ending = "stochastic" if question.conservative else "substochastic"
    statement = f"{_text(small, on_chain)} {sign} {_text(large, on_chain)}"
    goal = f"{_text(large, at_point)} - {_text(small, at_point)}"
    rule = "conservative_claim" if question.conservative else "ending_claim"
    return f"""(* {question.claim.text} *)
Theorem {title} (F : archiFieldType) n (P : 'M[F]_n) (r : 'cV[F]_n) (R g lo hi : F) ({" ".join(letters)} : 'I_n) :
  {ending} P -> 0 <= g < 1 -> (forall z, lo <= r z 0 <= hi) ->
  (exists z, r z 0 = lo) -> (exists z, r z 0 = hi) -> hi - lo <= R ->
  {statement}.
Proof.
move=> chain g01 range _ _ hR; have /andP[g0 g1] := g01.
have sub : substochastic P by {"exact: stochastic_sub" if question.conservative else "exact: chain"}.
have lohi : lo <= hi by case/andP: (range {letters[0]}); apply: le_trans.
have rho0 : 0 <= hi - lo by rewrite subr_ge0.
have R0 : 0 <= R by lra.
have h1 : 0 <= 1 - g by lra.
rewrite ?/krope_dist ?/dist ?(kernel_quantities _ _ _ _ sub g0 g1).
have claim := @{rule} F n {len(indices)} P r g lo hi [tuple {"; ".join(letters)}]
  (fun q l U N => {goal}) g01 range lohi.
rewrite -subr_ge0; move: claim; rewrite !(row_entry, matrix_entry) /tnth /=; apply=> //.
  by curvature; signs.
{_arithmetic(question, letters, place)}
Qed.
"""


def _kernel(x: str, y: str) -> str:
    return f"(N {x} {y} - U {x} {y} / R)"


def _arithmetic(question: Question, letters: list[str], place: dict[str, str]) -> str:
    """The polynomial inequality: bounds, products of bounds and squares, then ``lra`` or ``nra``."""
    spots, conservative = list(place.values()), question.conservative
    bounds = ["f0", "f1"] if conservative else ["f0", "e0", "f1"]
    low = [f"a{i}" for i in range(len(spots))]
    high = [f"(1 - {a})" for a in low] if conservative else [f"b{i}" for i in range(len(spots))]
    lines = [
        f"move=> w f {'' if conservative else 'e '}ew w0 {' '.join(bounds)}; small_points.",
        "have nz : 1 - g != 0 by rewrite subr_eq0 gt_eqF.",
        "have eh : (1 - g)^-1 = 1 + w by rewrite ew; field.",
        "have eg : g * (1 + w) = w by rewrite ew; field.",
        *(f"have /andP[l{i} u{i}] := range {a}." for i, a in enumerate(letters)),
    ]
    for i, spot in enumerate(spots):
        stated = " ".join(f"have := {bound} {spot};" for bound in bounds)
        moved = f"(f {spot})" if conservative else f"(f {spot}) (e {spot})"
        named = low[i] if conservative else f"{low[i]} {high[i]}"
        lines.append(f"{stated} move: {moved} => {named} {' '.join(f'{bound}_{i}' for bound in reversed(bounds))}.")
    lines.append("rewrite ?invfM ?eh ?subrr ?normr0.")
    lines += [f"have eg{i} : {c} * (g * (1 + w)) = {c} * w by rewrite eg." for i, c in enumerate(("lo", "hi", "R"))]
    lines += [f"have c{i} : 0 <= {b} by lra." for i, b in enumerate(high)]
    lines += [f"have k{i} := mulr_ge0 (mulr_ge0 w0 rho0) f0_{i}." for i in range(len(spots))]
    lines += [line for i in range(len(spots)) for j in range(len(spots)) for line in _products(i, j, low, high)]
    lines += [
        "have [zR | nzR] := eqVneq R 0.",
        "  move: hR; rewrite zR ?invr0 ?mulr0 ?subr0 => hR; have eq : hi = lo by lra.",
        "  by move: eq {range lohi rho0}; without_norms; first [lra | nra].",
        "have v0 : 0 <= R^-1 by rewrite invr_ge0.",
        "have vR : R * R^-1 = 1 by rewrite divff.",
        "have s0 := mulr_ge0 rho0 v0.",
        "have s1 : 0 <= 1 - (hi - lo) * R^-1.",
        "  by rewrite subr_ge0 ler_pdivr_mulr ?mul1r // lt_neqAle eq_sym nzR.",
    ]
    for i in range(len(spots)):
        for j in range(len(spots)):
            lines += _shares(i, j, low, high, letters)
    lines.append("by without_norms; first [lra | nra].")
    return "\n".join(lines)


def _products(i: int, j: int, low: list[str], high: list[str]) -> list[str]:
    """Non-negative products for two pairs, whatever the divisor."""
    lasting = [f"({a} + {b})" for a, b in zip(low, high, strict=True)]
    other = high[i] if i == j else low[j]
    return [
        f"have p{i}{j} : 0 <= {low[i]} * {high[j]} by apply: mulr_ge0.",
        f"have q{i}{j} := mulr_ge0 (mulr_ge0 w0 rho0) p{i}{j}.",
        f"have d{i}{j} := mulr_ge0 (mulr_ge0 w0 rho0) (sqr_ge0 ({low[i]} - {other})).",
        f"have m{i}{j} := mulr_ge0 w0 (sqr_ge0 ({lasting[i]} - {lasting[j]})).",
        f"have n{i}{j} : 0 <= w * (1 - {lasting[i]} * {lasting[j]}).",
        "  by apply: mulr_ge0 => //; rewrite subr_ge0; apply: mulr_ile1; lra.",
    ]


def _shares(i: int, j: int, low: list[str], high: list[str], letters: list[str]) -> list[str]:
    """Non-negative products with ``1/R`` and with ``1 - rho0/R``."""
    lost = f"{low[i]} + {high[i]} - ({low[j]} + {high[j]})"
    return [
        f"have t{i}{j} := mulr_ge0 v0 q{i}{j}; have y{i}{j} := mulr_ge0 w0 (mulr_ge0 p{i}{j} s1).",
        f"have x{i}{j} := mulr_ge0 (mulr_ge0 w0 s1) (sqr_ge0 ({lost})).",
        f"have sa{i}{j} := mulr_ge0 (mulr_ge0 w0 s0) (sqr_ge0 ({low[i]} - {low[j]})).",
        f"have sb{i}{j} := mulr_ge0 (mulr_ge0 w0 s0) (sqr_ge0 ({high[i]} - {high[j]})).",
        f"have ra{i}{j} := mulr_ge0 (normr_ge0 (r {letters[i]} 0 - r {letters[j]} 0)) v0; move: ra{i}{j}.",
    ]
