"""Mistakes in the small-model prover: wrong formulas, holes in its checker, premises that are lost."""

from tests.mutants.mutation import Mutation

HOME = "proofs_check/prove/small_model"
CONDITIONS = "parameter_conditions.py"
MODEL = ("tests/proofs_check/prove/small_model/test_small_model.py",)
CHECKER = ("tests/proofs_check/prove/small_model/test_checker.py",)
EDGES = ("tests/proofs_check/prove/small_model/test_prover.py",)
OUTSIDE = ("tests/proofs_check/prove/small_model/test_bench.py::test_what_is_not_covered_says_why",)
CURVATURE = ("tests/proofs_check/prove/small_model/test_curvature.py",)


def _slip(name: str, file: str, old: str, new: str, tests: tuple[str, ...]) -> Mutation:
    return Mutation(f"small-model-{name}", f"{HOME}/{file}", old, new, tests)


SMALL_MODEL = (
    _slip("values-forget-the-mass", "quantities.py", 'w * (variable("lo") * (b + c)', 'w * (variable("lo")', MODEL),
    _slip("one-cross-term", "quantities.py", "cross, share = b * f + e * c", "cross, share = b * f", MODEL),
    _slip(
        "mmd2-with-gamma", "quantities.py", "return Ratio(ONE + w, ONE) * apart", "return Ratio(w, ONE) * apart", MODEL
    ),
    _slip("wider-range-forgotten", "small_chain.py", "None if point.t == 0 else", "None if point.t >= 0 else", MODEL),
    _slip("negative-weights", "checker.py", "weight >= 0", "weight >= -1000", CHECKER),
    _slip(
        "sides-may-differ",
        "checker.py",
        "scaled(total(parts), -1)]) == {}",
        "scaled(total(parts), -1)]) is not None",
        CHECKER,
    ),
    _slip("free-is-nonnegative", "checker.py", "not any(v in free for", "all(v for", CHECKER),
    _slip("sagging-between-corners", "checker.py", "_check(bend, below, part, False)", "pass", CHECKER),
    _slip("parts-without-proof", "checker.py", '_require(key in given, f"', '_require(True, f"', CHECKER),
    _slip("weak-is-strict", "checker.py", "_require(not strict or lasting,", "_require(True or lasting,", CHECKER),
    _slip(
        "any-variable-sorted-by", "checker.py", 'bool(of) and set(of) <= set(known["nonnegative"])', "bool(of)", CHECKER
    ),
    _slip("exceeds-by-nothing", "checker.py", '_require(by > 0, "exceeds', '_require(by >= 0, "exceeds', CHECKER),
    _slip(
        "undefined-premise-is-met", "parameter_conditions.py", "        yield bottom, True\n", "        pass\n", CHECKER
    ),
    _slip("any-proof-will-do", "recheck.py", "if not any(", "if False and not any(", CHECKER),
    _slip("products-are-convex", "curvature.py", "if node.parts[0] == node.parts[1]:", "if node.parts:", OUTSIDE),
    _slip("roots-anywhere", "curvature.py", "return Shape(CONCAVE, 1)", "return Shape(AFFINE, 1)", CURVATURE),
    _slip("equality-is-one-claim", "reduction.py", "[(small, large), (large, small)]", "[(small, large)]", EDGES),
    _slip("large-programs-first", "squares.py", "range(0 if in_steps else MOST_FACTORS", "range(MOST_FACTORS", EDGES),
    _slip("order-of-rewards-lost", "reduction.py", "part = replace(region, orders=order)", "part = region", EDGES),
)
