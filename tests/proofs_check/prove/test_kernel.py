"""The checker, rule by rule: what each accepts, and what each refuses."""

import pytest

from proofs_check.prove.kernel import check_certificate
from tabular_krope.errors import KropeError
from tests.proofs_check.prove.reader import accepts

ONE = [["1", [], []]]
LETTERS = {
    "P": {"shape": ["X", "X"]},
    "K": {"shape": ["X", "X"], "symmetric": True},
    "C": {"shape": ["X", "X"], "symmetric": True},
    "v": {"shape": ["X", "1"]},
    "W": {"shape": ["X", "d"]},
}
GAMMA = {"kind": "nonneg", "shape": ["1", "1"], "terms": [["1", ["gamma"], []]]}
BELOW_ONE = {"kind": "positive", "shape": ["1", "1"], "terms": [["1", [], []], ["-1", ["gamma"], []]]}
KERNEL = {
    "kind": "zero",
    "shape": ["X", "X"],
    "terms": [["1", [], ["K"]], ["-1", [], ["C"]], ["-1", ["gamma"], ["P", "K", "P'"]]],
}
STABLE = {"kind": "stable", "shape": ["X", "X"], "terms": [["1", [], ["P"]]], "scale": ["1", ["gamma"]]}
PSD = {"kind": "psd", "shape": ["X", "X"], "terms": [["1", [], ["C"]]]}
NONNEG = {"kind": "nonneg", "shape": ["X", "X"], "terms": [["1", [], ["P"]]]}
BASIC = {"gamma": GAMMA, "below": BELOW_ONE, "kernel": KERNEL, "stable": STABLE, "psd": PSD, "P": NONNEG}
#: Of a size that might be zero: it says nothing of gamma.
WIDE = {"kind": "nonneg", "shape": ["X", "X"], "terms": [["1", ["gamma"], []]]}
PUSHED = [["1", [], ["K"]], ["-1", ["gamma"], ["P", "K", "P'"]]]


def step(name, rule, shape, terms, **more):
    return {"name": name, "rule": rule, "shape": shape, "terms": terms, **more}


def total(name, kind, shape, terms, of, **more):
    return step(name, "sum", shape, terms, kind=kind, of=of, **more)


EQUATION = {"zero": "kernel", "left": ONE, "right": ONE}
SQUARE = {"scale": ["1", []], "square": ONE, "psd": "psd"}
FIRST = total("pushed", "psd", ["X", "X"], PUSHED, [SQUARE, EQUATION])
K = step("K", "stein", ["X", "X"], [["1", [], ["K"]]], **{"from": "pushed", "stable": "stable"})


def checked(steps, hypotheses=BASIC, conclusions=None, letters=LETTERS, parameters=("gamma",)):
    part = {"name": "part", "parameters": list(parameters), "symbols": letters, "hypotheses": hypotheses}
    said = {s["name"]: "" for s in steps} if conclusions is None else conclusions
    data = {"parts": [{**part, "steps": steps, "conclusions": said}]}
    try:
        found = check_certificate(data)["part"]
    except KropeError:
        assert not accepts(data)
        raise
    assert accepts(data)
    return found


def refused(match, steps, **more):
    with pytest.raises(KropeError, match=match):
        checked(steps, **more)


def test_the_kernel_is_positive_semidefinite():
    assert checked([FIRST, K]).facts["K"].kind == "psd"


def test_a_wrong_coefficient_is_refused():
    wrong = total("pushed", "psd", ["X", "X"], PUSHED, [{**SQUARE, "scale": ["2", []]}, EQUATION])
    refused("sum to what", [wrong])
    half = [["1", [], ["K"]], ["-1/2", ["gamma"], ["P", "K", "P'"]]]
    refused("sum to what", [total("pushed", "psd", ["X", "X"], half, [SQUARE, EQUATION])])


@pytest.mark.parametrize(
    "scale", [["-1", []], ["0", []], ["0/3", []], ["1", ["kernel"]], ["1", ["P"]], ["1", ["none"]], [1, []]]
)
def test_a_scale_is_a_non_negative_scalar(scale):
    refused("must", [total("pushed", "psd", ["X", "X"], PUSHED, [{**SQUARE, "scale": scale}, EQUATION])])


def test_scales_are_refused_where_everything_sums_up():
    less = total("s", "psd", ["X", "X"], [["-1", [], ["C"]]], [{**SQUARE, "scale": ["-1", []]}])
    refused("non-negative", [less])
    product = total("s", "psd", ["X", "X"], [["1", [], ["P", "C"]]], [{**SQUARE, "scale": ["1", ["P"]]}])
    refused("non-negative", [product])
    wide = {**BASIC, "wide": WIDE}
    scaled = {**SQUARE, "scale": ["1", ["wide"]]}
    refused("non-negative", [total("s", "psd", ["X", "X"], [["1", ["gamma"], ["C"]]], [scaled])], hypotheses=wide)
    of = [{"scale": ["1", []], "product": ["wide"]}]
    refused("products that fit", [total("s", "nonneg", ["1", "1"], [["1", ["gamma"], []]], of)], hypotheses=wide)


def test_what_is_not_declared_is_refused():
    for item in ({**EQUATION, "zero": "another"}, {**EQUATION, "zero": "kernel''"}):
        refused("must", [total("pushed", "psd", ["X", "X"], PUSHED, [SQUARE, item])])
    refused("declare its parameters", [total("s", "zero", ["1", "1"], [["1", ["R"], []]], [])])
    refused("must", [total("s", "zero", ["X", "X"], [["1", [], ["Q"]]], [])])


def test_a_hypothesis_is_no_square():
    for name in ("kernel", "P", "stable"):
        refused("use", [total("s", "psd", ["X", "X"], PUSHED, [{**SQUARE, "psd": name}])])
    refused("use", [total("s", "zero", ["X", "X"], [["1", [], ["C"]]], [{**EQUATION, "zero": "psd"}])])
    refused("squares for psd only", [total("s", "zero", ["X", "X"], [["1", [], ["C"]]], [SQUARE])])
    refused("squares for psd only", [total("s", "nonneg", ["X", "X"], [["1", [], ["C"]]], [SQUARE])])
    product = {"scale": ["1", []], "product": ["P"]}
    refused("products", [total("s", "psd", ["X", "X"], [["1", [], ["P"]]], [product])])
    refused("use", [total("s", "nonneg", ["X", "X"], [["1", [], ["C"]]], [{**product, "product": ["psd"]}])])


@pytest.mark.parametrize("word", [["v", "v"], ["P", "W'"], ["W", "v"], ["v'", "P"]])
def test_shapes_must_fit(word):
    refused("must", [total("s", "zero", ["X", "X"], [["1", [], word], ["-1", [], word]], [])])


def test_a_square_has_the_shape_of_the_goal():
    v = [["1", [], ["v"]]]
    good = {"scale": ["1", []], "square": v, "size": "1"}
    checked([total("s", "psd", ["X", "X"], [["1", [], ["v", "v'"]]], [good])])
    refused("words from", [total("s", "psd", ["X", "X"], [["1", [], ["v", "v'"]]], [{**good, "size": "d"}])])
    refused("shapes that fit", [total("s", "psd", ["d", "d"], [], [good])])
    refused("square", [total("s", "psd", ["X", "d"], [], [])])


def test_transposes():
    letter = [["1", [], ["P"]], ["-1", [], ["P'"]]]
    refused("sum to what", [total("s", "zero", ["X", "X"], letter, [])])
    checked([total("s", "zero", ["X", "X"], [["1", [], ["K"]], ["-1", [], ["K'"]]], [])])
    number = [["1", [], ["v'", "P", "v"]], ["-1", [], ["v'", "P'", "v"]]]
    checked([total("s", "zero", ["1", "1"], number, [])])
    refused("declare", [FIRST], letters={**LETTERS, "W": {"shape": ["X", "d"], "symmetric": True}})


def test_nonneg_products():
    two = {"scale": ["2", ["gamma"]], "product": ["P", "P'"]}
    goal = [["2", ["gamma"], ["P", "P'"]]]
    assert checked([total("s", "nonneg", ["X", "X"], goal, [two])]).facts["s"].kind == "nonneg"
    refused("must", [total("s", "nonneg", ["X", "1"], [["1", [], ["P"]]], [{**two, "product": ["P"]}])])


def test_strict_scalars():
    terms = [["1", [], []], ["-1", ["gamma"], []]]
    scalar = {"scale": ["1", ["below"]], "product": []}
    assert checked([total("s", "positive", ["1", "1"], terms, [scalar])]).facts["s"].kind == "positive"
    weak = {"scale": ["1", ["gamma"]], "product": []}
    refused("sum to what", [total("s", "positive", ["1", "1"], [["1", ["gamma"], []]], [weak])])
    refused("must", [total("s", "positive", ["X", "X"], [["1", [], []]], [{"scale": ["1", []], "product": []}])])
    refused("must", [total("s", "positive", ["1", "1"], [["1", [], ["v'", "v"]]], [])])


def test_only_positive_scalars_cancel():
    zero = [["1", ["gamma"], ["K"]]]
    hypotheses = {**BASIC, "product": {"kind": "zero", "shape": ["X", "X"], "terms": zero}}
    item = {"zero": "product", "left": ONE, "right": ONE}
    refused(
        "use",
        [total("s", "zero", ["X", "X"], [["1", [], ["K"]]], [item], cancel=["1", ["gamma"]])],
        hypotheses=hypotheses,
    )
    hypotheses["product"]["terms"] = [["1", [], ["K"]], ["-1", ["gamma"], ["K"]]]
    checked(
        [total("s", "zero", ["X", "X"], [["1", [], ["K"]]], [item], cancel=["1", ["below"]])], hypotheses=hypotheses
    )


def test_stein_asks_for_its_own_equation():
    for change in ({"stable": "psd"}, {"from": "kernel"}, {"from": "psd"}, {"terms": [["1", [], ["C"]]]}):
        refused("must", [FIRST, {**K, **change}])
    faster = {**STABLE, "scale": ["1/2", ["gamma"]]}
    refused("know", [FIRST, K], hypotheses={**BASIC, "stable": faster})
    other = {**STABLE, "terms": [["1", [], ["P'"]]]}
    refused("know", [FIRST, K], hypotheses={**BASIC, "stable": other})
    refused("must", [FIRST, K], hypotheses={name: fact for name, fact in BASIC.items() if name != "stable"})


def test_stein_for_entries_asks_for_a_nonneg_matrix():
    hypotheses = {**BASIC, "pushed": {"kind": "nonneg", "shape": ["X", "X"], "terms": PUSHED}}
    assert checked([{**K, "nonneg": "P"}], hypotheses=hypotheses).facts["K"].kind == "nonneg"
    refused("must", [K], hypotheses=hypotheses)
    hypotheses["P"] = {**NONNEG, "terms": [["1", [], ["K"]]]}
    refused("A >= 0", [{**K, "nonneg": "P"}], hypotheses=hypotheses)


FACTOR = step("factors", "factor", ["X", "X"], [["1", [], ["C"]]], **{"from": "psd", "new": ["G", "H"]})


def test_factors_are_new_letters():
    board = checked([FACTOR], conclusions={"factors": ""})
    assert board.letters["G"] == ("X", "rank of factors", False)
    assert board.facts["factors, left inverse"].rows == "rank of factors"
    for new in (["P", "H"], ["G", "v"], ["G", "G"], ["G", "gamma"], ["G'", "H"]):
        refused("must", [{**FACTOR, "new": new}])
    for source in ("kernel", "P", "gamma"):
        refused("must", [{**FACTOR, "from": source}])
    refused("know", [{**FACTOR, "terms": [["2", [], ["C"]]]}])


def test_sizes_of_factors_are_their_own():
    letters = {**LETTERS, "E": {"shape": ["X", "rank of factors"]}}
    refused("sizes", [FACTOR], letters=letters, conclusions={"factors": ""})
    none = {"kind": "zero", "shape": ["rank of factors"] * 2, "terms": ONE}
    refused("sizes", [FACTOR], hypotheses={**BASIC, "none": none}, conclusions={"factors": ""})


BOUND = {"kind": "psd", "shape": ["X", "X"], "terms": [["1", ["gamma"], ["K", "K"]], ["-1", [], ["P", "P'"]]]}
DOUGLAS = step(
    "moved",
    "douglas",
    ["X", "X"],
    [["1", [], ["P"]]],
    **{"from": "bound", "left": [["1", [], ["K"]]], "size": "X", "scale": ["1", ["gamma"]], "new": "M"},
)


def test_douglas_asks_for_its_inequality():
    hypotheses = {**BASIC, "bound": BOUND}
    board = checked([DOUGLAS], hypotheses=hypotheses)
    assert board.facts["moved, bound"].kind == "psd"
    changes = (
        {"left": ONE},
        {"terms": ONE},
        {"scale": ["1", []]},
        {"scale": ["2", ["gamma"]]},
        {"new": "K"},
        {"from": "psd"},
    )
    for change in changes:
        refused("must", [{**DOUGLAS, **change}], hypotheses=hypotheses)
    refused("must", [DOUGLAS, {**DOUGLAS, "name": "again"}], hypotheses=hypotheses)


NORM = {"kind": "psd", "shape": ["X", "X"], "terms": [["1", ["gamma"], []], ["-1", [], ["P", "P'"]]]}
RADIUS = step(
    "radius",
    "radius",
    ["X", "X"],
    [["1", [], ["P"]]],
    **{"from": "norm", "bound": [["1", ["gamma"], []]], "scale": ["1", []], "positive": "below"},
)


def test_a_radius_asks_for_a_bound_below_one():
    hypotheses = {**BASIC, "norm": NORM}
    assert checked([RADIUS], hypotheses=hypotheses).facts["radius"].kind == "stable"
    for change in (
        {"positive": "gamma"},
        {"scale": ["2", []]},
        {"bound": ONE},
        {"terms": [["1", [], ["K"]]]},
        {"from": "psd"},
    ):
        refused("must", [{**RADIUS, **change}], hypotheses=hypotheses)
    weaker = {**BELOW_ONE, "terms": [["2", [], []], ["-1", ["gamma"], []]]}
    refused("know", [RADIUS], hypotheses={**hypotheses, "below": weaker})


def test_a_rank_asks_for_both_inverses():
    def zero(*terms, shape=("d", "d")):
        return {"kind": "zero", "shape": list(shape), "terms": [list(term) for term in terms]}

    one = ("-1", [], [])
    letters = {**LETTERS, "V": {"shape": ["d", "X"]}, "S": {"shape": ["d", "X"]}, "T": {"shape": ["X", "d"]}}
    hypotheses = {
        "product": zero(("1", [], ["K"]), ("-1", [], ["W", "V"]), shape=("X", "X")),
        "left": zero(("1", [], ["S", "W"]), one),
        "right": zero(("1", [], ["V", "T"]), one),
    }
    factors = {
        "left": [["1", [], ["W"]]],
        "right": [["1", [], ["V"]]],
        "inverses": [[["1", [], ["S"]]], [["1", [], ["T"]]]],
    }
    rank = step(
        "rank", "rank", ["X", "X"], [["1", [], ["K"]]], size="d", **factors, **{"from": ["product", "left", "right"]}
    )
    assert checked([rank], hypotheses=hypotheses, letters=letters).facts["rank"].more == "d"
    for order in (["product", "left", "left"], ["product", "right", "right"], ["left", "left", "right"]):
        refused("know", [{**rank, "from": order}], hypotheses=hypotheses, letters=letters)
    refused("must", [{**rank, "size": "X"}], hypotheses=hypotheses, letters=letters)


def test_facts_have_one_name_and_conclusions_are_derived():
    refused("one fact", [FIRST, FIRST])
    refused("one fact", [{**FIRST, "name": "psd"}])
    refused("derive", [FIRST], conclusions={"psd": ""})
    refused("derive", [FIRST], conclusions={"K": ""})
    refused("derive", [FIRST], conclusions={})
    refused("known rules", [{**FIRST, "rule": "learn"}])
    refused("known kind", [FIRST], hypotheses={**BASIC, "psd": {**PSD, "kind": "rank"}})


@pytest.mark.parametrize("number", [1, 1.0, "1.0", "1e3", "1/0", "", "+1", "½", "1/-2", None])
def test_numbers_are_rationals_as_text(number):
    refused("must", [total("s", "zero", ["X", "X"], [[number, [], ["K"]]], [])])


@pytest.mark.parametrize("data", [None, [], {}, {"parts": None}, {"parts": [{}]}, {"parts": [None]}, {"parts": "abc"}])
def test_damaged_files_are_refused(data):
    with pytest.raises(KropeError):
        check_certificate(data)
