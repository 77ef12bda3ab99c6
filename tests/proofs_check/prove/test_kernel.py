"""The checker, rule by rule: what each accepts, and what each refuses. The independent reader says the same."""

import pytest

from proofs_check.prove.kernel import check_certificate
from tabular_krope.errors import KropeError
from tests.proofs_check.prove.acceptance import accepts

N, XX = ["1", "1"], ["X", "X"]
ONE = [["1", [], []]]
GAMMA = [["1", ["gamma"], []]]
LETTERS = {
    "gamma": {"shape": N, "scalar": True},
    "P": {"shape": XX},
    "K": {"shape": XX, "symmetric": True},
    "C": {"shape": XX, "symmetric": True},
    "v": {"shape": ["X", "1"]},
    "W": {"shape": ["X", "d"]},
}


def letters(*names):
    return [["1", [], list(names)]]


def fact(kind, terms, shape=XX, **more):
    return {"kind": kind, "shape": list(shape), "terms": terms, **more}


PUSHED = [["1", [], ["K"]], ["-1", ["gamma"], ["P", "K", "P'"]]]
BASIC = {
    "gamma": fact("nonneg", GAMMA, N),
    "below": fact("positive", [["1", [], []], ["-1", ["gamma"], []]], N),
    "kernel": fact("zero", [*PUSHED, ["-1", [], ["C"]]]),
    "stable": fact("stable", letters("P"), by=[{"shape": N, "terms": GAMMA}]),
    "psd": fact("psd", letters("C")),
    "P": fact("nonneg", letters("P")),
}
#: Of a size that might be zero: it says nothing of gamma.
WIDE = fact("nonneg", GAMMA)


def total(name, kind, shape, terms, of):
    return {"name": name, "kind": kind, "shape": shape, "terms": terms, "of": of}


def lemma(name, which, given, facts, **sizes):
    return {"name": name, "lemma": which, "sizes": sizes, "with": given, "from": facts}


EQUATION = {"fact": "kernel", "left": ONE, "right": ONE}
SUMMAND = {"fact": "psd", "times": "1"}
FIRST = total("pushed", "psd", XX, PUSHED, [SUMMAND, EQUATION])
OF_K = {"c": GAMMA, "A": letters("P"), "X": letters("K")}
K = lemma("K", "stein psd", OF_K, {"stable": "stable", "pushed": "pushed"}, n="X")


def checked(steps, hypotheses=BASIC, conclusions=None, letters=LETTERS, alone=False):
    """The board of the steps; the reader accepts and refuses the same, but where the kernel ``alone`` is strict."""
    part = {"name": "part", "symbols": letters, "hypotheses": hypotheses, "steps": steps}
    said = {s["name"]: s for s in steps if "lemma" not in s} if conclusions is None else conclusions
    empty = {"none": fact("zero", [], N)}  # a part has to conclude something
    nothing = total("none", "zero", N, [], [])
    part = part if said else {**part, "steps": [*steps, nothing]}
    data = {"parts": [{**part, "conclusions": said or empty}]}
    try:
        found = check_certificate(data)["part"]
    except KropeError:
        assert alone or not accepts(data)
        raise
    assert accepts(data)
    return found


def refused(match, steps, **more):
    with pytest.raises(KropeError, match=match):
        checked(steps, **more)


def test_the_kernel_is_positive_semidefinite():
    assert checked([FIRST, K], conclusions={"K": fact("psd", letters("K"))}).facts["K"].kind == "psd"


def test_a_wrong_coefficient_is_refused():
    refused("sum to what", [total("pushed", "psd", XX, PUSHED, [{**SUMMAND, "times": "2"}, EQUATION])])
    half = [["1", [], ["K"]], ["-1/2", ["gamma"], ["P", "K", "P'"]]]
    refused("sum to what", [total("pushed", "psd", XX, half, [SUMMAND, EQUATION])])
    refused("sum to what", [total("pushed", "psd", XX, PUSHED, [SUMMAND, {**EQUATION, "right": [["2", [], []]]}])])


@pytest.mark.parametrize("weight", ["-1", "0", "0/3", "-1/2", 0, -1])
def test_a_weight_is_a_positive_number(weight):
    least = [[str(weight).replace("0/3", "0"), [], ["C"]]]
    refused("must", [total("s", "psd", XX, least, [{**SUMMAND, "times": weight}])])


@pytest.mark.parametrize("given", [[["-1", [], []]], [["-1", ["gamma"], []]], letters("v'", "v"), ONE])
def test_a_scale_is_known_to_be_non_negative(given):
    step = lemma("s", "square", {"c": given, "V": letters("v")}, {"scale": "gamma"}, n="X", m="1")
    refused("must", [step])


def test_a_scale_has_no_letters():
    number = {**BASIC, "number": fact("nonneg", letters("v'", "P", "v"), N)}
    given = {"c": letters("v'", "P", "v"), "V": letters("v")}
    refused("scalar", [lemma("s", "square", given, {"scale": "number"}, n="X", m="1")], hypotheses=number, alone=True)


def test_a_matrix_is_no_scale():
    wide = {**BASIC, "wide": WIDE}
    refused("know", [lemma("s", "square", {"c": GAMMA, "V": ONE}, {"scale": "wide"}, n="X", m="X")], hypotheses=wide)
    narrow = [total("s", "nonneg", N, GAMMA, [{"fact": "wide", "times": "1"}])]
    refused("one shape", narrow, hypotheses=wide)


def test_what_is_not_declared_is_refused():
    for item in ({**EQUATION, "fact": "another"}, {**EQUATION, "fact": "kernel'"}):
        refused("must", [total("pushed", "psd", XX, PUSHED, [SUMMAND, item])])
    refused("must", [total("s", "zero", N, [["1", ["R"], []], ["-1", ["R"], []]], [])])
    refused("must", [total("s", "zero", XX, [*letters("Q"), ["-1", [], ["Q"]]], [])])
    refused("must", [lemma("s", "of my own", {}, {})])


def test_a_matrix_is_no_scalar():
    refused("scalars", [total("s", "zero", XX, [["1", ["P"], []], ["-1", ["P"], []]], [])])
    for change in ({"shape": XX}, {"shape": ["1", "X"]}):
        refused("number", [FIRST], letters={**LETTERS, "gamma": {**change, "scalar": True}})


def test_a_hypothesis_is_no_square():
    for name in ("P", "stable"):
        refused("use", [total("s", "psd", XX, letters("P"), [{**SUMMAND, "fact": name}])])
    refused("use", [total("s", "zero", XX, letters("C"), [SUMMAND])])
    refused("use", [total("s", "nonneg", XX, letters("C"), [SUMMAND])])
    refused("must", [total("s", "psd", XX, PUSHED, [{"fact": "kernel", "times": "1"}])])
    given = {"c": ONE, "V": ONE, "F": letters("P")}
    one = lemma("one", "one", {}, {})
    refused("know", [one, lemma("s", "congruence", given, {"scale": "one", "psd": "P"}, n="X", m="X")])


@pytest.mark.parametrize("kind", ["positive", "stable", "rank", "anything"])
def test_sums_are_of_three_kinds(kind):
    refused("sum to zero, psd or nonneg", [total("s", kind, N, [], [])])


@pytest.mark.parametrize("word", [["v", "v"], ["P", "W'"], ["W", "v"], ["v'", "P"]])
def test_shapes_must_fit(word):
    refused("must", [total("s", "zero", XX, [["1", [], word], ["-1", [], word]], [])])


def test_a_word_ends_where_its_fact_does():
    refused("words from", [total("s", "zero", XX, [["1", [], ["W"]], ["-1", [], ["W"]]], [])])
    refused("sizes", [total("s", "zero", ["z", "z"], [], [])])


def test_squares():
    one, given = lemma("one", "one", {}, {}), {"c": ONE, "V": letters("v")}
    square = lemma("s", "square", given, {"scale": "one"}, n="X", m="1")
    said = {"s": fact("psd", letters("v", "v'"))}
    checked([one, square], conclusions=said)
    refused("conclusion", [one, square], conclusions={"s": fact("psd", letters("v'", "v"), N)})
    for sizes in ({"n": "d", "m": "1"}, {"n": "X", "m": "d"}, {"n": "X"}, {}):
        refused("must", [one, {**square, "sizes": sizes}], conclusions=said)
    congruence = lemma("t", "congruence", {"c": GAMMA, "V": letters("W'"), "F": letters("C")}, {}, n="d", m="X")
    congruence["from"] = {"scale": "gamma", "psd": "psd"}
    checked([congruence], conclusions={"t": fact("psd", [["1", ["gamma"], ["W'", "C", "W"]]], ["d", "d"])})
    refused("square", [total("s", "psd", ["X", "d"], [], [])], alone=True)


def test_transposes():
    letter = [["1", [], ["P"]], ["-1", [], ["P'"]]]
    refused("sum to what", [total("s", "zero", XX, letter, [])])
    checked([total("s", "zero", XX, [["1", [], ["K"]], ["-1", [], ["K'"]]], [])])
    number = [["1", [], ["v'", "P", "v"]], ["-1", [], ["v'", "P'", "v"]]]
    checked([total("s", "zero", N, number, [])])
    refused("declare", [FIRST], letters={**LETTERS, "W": {"shape": ["X", "d"], "symmetric": True}})
    turned = lemma("t", "transposed nonneg", {"A": letters("P")}, {"of": "P"}, m="X", n="X")
    checked([turned], conclusions={"t": fact("nonneg", letters("P'"))})
    refused("know", [{**turned, "from": {"of": "psd"}}])
    refused("conclusion", [turned], conclusions={"t": fact("nonneg", letters("P"))})


def test_nonneg_products():
    product = lemma("s", "nonneg product", {"A": letters("P"), "B": letters("P")}, {}, m="X", k="X", n="X")
    product["from"] = {"first": "P", "second": "P"}
    scaled = lemma("t", "scaled", {"c": GAMMA, "A": letters("P")}, {"scale": "gamma", "nonneg": "P"}, m="X", n="X")
    said = {"s": fact("nonneg", letters("P", "P")), "t": fact("nonneg", [["1", ["gamma"], ["P"]]])}
    checked([product, scaled], conclusions=said)
    refused("know", [{**product, "from": {"first": "P", "second": "psd"}}])
    refused("know", [{**product, "with": {"A": letters("P"), "B": letters("P'")}}])


def test_strict_scalars():
    below = BASIC["below"]["terms"]
    product = lemma("s", "positive product", {"a": below, "b": below}, {"first": "below", "second": "below"})
    twice = [["1", [], []], ["-2", ["gamma"], []], ["1", ["gamma", "gamma"], []]]
    checked([product], conclusions={"s": fact("positive", twice, N)})
    weak = {"with": {"a": below, "b": GAMMA}, "from": {"first": "below", "second": "gamma"}}
    refused("know", [{**product, **weak}])
    weaker = lemma("w", "positive number", {"a": below}, {"of": "below"})
    checked([weaker], conclusions={"w": fact("nonneg", below, N)})
    refused("square where", [FIRST], hypotheses={**BASIC, "below": fact("positive", ONE)}, alone=True)


def test_numbers_only_change_their_kind():
    for which, kind, other in (("psd number", "psd", "nonneg"), ("nonneg number", "nonneg", "psd")):
        known = {**BASIC, "number": fact(kind, letters("v'", "P", "v"), N), "matrix": fact(kind, letters("P"))}
        step = lemma("s", which, {"a": letters("v'", "P", "v")}, {"of": "number"})
        checked([step], hypotheses=known, conclusions={"s": fact(other, letters("v'", "P", "v"), N)})
        matrix = lemma("s", which, {"a": letters("P")}, {"of": "matrix"})
        refused("must", [matrix], hypotheses=known)
        refused("must", [{**matrix, "sizes": {"1": "X"}}], hypotheses=known)


def test_only_positive_scalars_cancel():
    hypotheses = {**BASIC, "product": fact("zero", [["1", ["gamma"], ["K"]]])}
    step = lemma("s", "cancel zero", {"p": GAMMA, "A": letters("K")}, {}, m="X", n="X")
    step["from"] = {"positive": "gamma", "multiple": "product"}
    refused("know", [step], hypotheses=hypotheses)
    hypotheses["product"] = fact("zero", [["1", [], ["K"]], ["-1", ["gamma"], ["K"]]])
    step["with"]["p"], step["from"]["positive"] = BASIC["below"]["terms"], "below"
    checked([step], hypotheses=hypotheses, conclusions={"s": fact("zero", letters("K"))})
    refused("know", [{**step, "lemma": "cancel psd", "sizes": {"n": "X"}}], hypotheses=hypotheses)


def test_stein_asks_for_its_own_equation():
    for change in ({"stable": "psd"}, {"pushed": "kernel"}, {"pushed": "psd"}):
        refused("know", [FIRST, {**K, "from": {**K["from"], **change}}])
    for change in ({"X": letters("C")}, {"c": ONE}, {"A": letters("P'")}):
        refused("know", [FIRST, {**K, "with": {**OF_K, **change}}])
    faster = {**BASIC["stable"], "by": [{"shape": N, "terms": [["1/2", ["gamma"], []]]}]}
    refused("know", [FIRST, K], hypotheses={**BASIC, "stable": faster})
    refused("know", [FIRST, K], hypotheses={**BASIC, "stable": {**faster, "by": []}})
    refused("know", [FIRST, K], hypotheses={**BASIC, "stable": {**BASIC["stable"], "terms": letters("P'")}})
    refused("must", [FIRST, K], hypotheses={name: fact for name, fact in BASIC.items() if name != "stable"})


def test_stein_is_for_both_sides():
    one_sided = [["1", [], ["K"]], ["-1", ["gamma"], ["P", "K", "P"]]]
    refused("know", [K], hypotheses={**BASIC, "pushed": fact("psd", one_sided)})


def test_stein_for_entries_asks_for_a_nonneg_matrix():
    hypotheses = {**BASIC, "pushed": fact("nonneg", PUSHED)}
    entries = {**K, "lemma": "stein nonneg", "from": {**K["from"], "entries": "P"}}
    checked([entries], hypotheses=hypotheses, conclusions={"K": fact("nonneg", letters("K"))})
    refused("must", [{**entries, "from": K["from"]}], hypotheses=hypotheses)
    refused("know", [K], hypotheses=hypotheses)
    hypotheses["P"] = fact("nonneg", letters("K"))
    refused("know", [entries], hypotheses=hypotheses)


FACTOR = lemma("factors", "factor", {"F": letters("C"), "G": "G", "H": "H"}, {"psd": "psd"}, n="X", k="rank")


def test_factors_are_new_letters():
    said = {
        "factors": fact("zero", [["1", [], ["C"]], ["-1", [], ["G", "G'"]]]),
        "factors, left inverse": fact("zero", [["1", [], ["H", "G"]], ["-1", [], []]], ["rank", "rank"]),
    }
    assert checked([FACTOR], conclusions=said).letters["G"] == ("X", "rank", False, False)
    for G, H in (("P", "H"), ("G", "v"), ("G", "G"), ("G", "gamma"), ("G'", "H"), ("P'", "H"), (letters("P"), "H")):
        refused("must", [{**FACTOR, "with": {**FACTOR["with"], "G": G, "H": H}}])
    for source in ("kernel", "P", "gamma"):
        refused("know", [{**FACTOR, "from": {"psd": source}}])
    refused("know", [{**FACTOR, "with": {**FACTOR["with"], "F": [["2", [], ["C"]]]}}])
    refused("must", [{**FACTOR, "with": {**FACTOR["with"], "F": letters("G", "G'")}}])


@pytest.mark.parametrize("size", ["X", "d", "1"])
def test_sizes_of_factors_are_their_own(size):
    refused("new sizes", [{**FACTOR, "sizes": {"n": "X", "k": size}}])


def test_sizes_of_factors_are_not_spoken_of_before():
    none = fact("zero", ONE, ["rank", "rank"])
    refused("sizes", [FACTOR], hypotheses={**BASIC, "none": none})
    refused("new sizes", [{**FACTOR, "sizes": {"n": "unheard of", "k": "rank"}}])
    refused("must", [{**FACTOR, "sizes": {"n": "X"}}])
    refused("must", [FACTOR, {**FACTOR, "name": "again", "with": {"F": letters("C"), "G": "I", "H": "J"}}])


BOUND = fact("psd", [["1", ["gamma"], ["K", "K"]], ["-1", [], ["P", "P'"]]])
OF_P = {"c": GAMMA, "A": letters("P"), "B": letters("K"), "M": "M"}
DOUGLAS = lemma("moved", "douglas", OF_P, {"scale": "gamma", "psd": "bound"}, m="X", n="X", k="X")


def test_douglas_asks_for_its_inequality():
    hypotheses = {**BASIC, "bound": BOUND}
    said = {"moved, bound": fact("psd", [["1", ["gamma"], []], ["-1", [], ["M'", "M"]]])}
    checked([DOUGLAS], hypotheses=hypotheses, conclusions=said)
    for change in ({"B": ONE}, {"A": ONE}, {"c": ONE}, {"c": [["2", ["gamma"], []]]}, {"M": "K"}):
        refused("must", [{**DOUGLAS, "with": {**OF_P, **change}}], hypotheses=hypotheses)
    for change in ({"scale": "below"}, {"psd": "psd"}, {"scale": "psd"}):
        refused("know", [{**DOUGLAS, "from": {**DOUGLAS["from"], **change}}], hypotheses=hypotheses)
    refused("declare", [DOUGLAS, {**DOUGLAS, "name": "again"}], hypotheses=hypotheses)


def test_what_douglas_is_asked_of_knows_nothing_of_what_it_gives():
    zero = {**BASIC, "bound": fact("psd", [])}
    given = {"c": GAMMA, "A": letters("M"), "B": letters("M"), "M": "M"}
    refused("must", [{**DOUGLAS, "with": given}], hypotheses=zero)


NORM = fact("psd", [["1", ["gamma"], []], ["-1", [], ["P", "P'"]]])
RADIUS = lemma("radius", "radius", {"c": GAMMA, "L": letters("P")}, {"psd": "norm", "below": "below"}, n="X")


def test_a_radius_asks_for_a_bound_below_one():
    hypotheses = {**BASIC, "norm": NORM}
    said = {"radius": fact("stable", letters("P"), by=[{"shape": N, "terms": ONE}])}
    checked([RADIUS], hypotheses=hypotheses, conclusions=said)
    refused("conclusion", [RADIUS], hypotheses=hypotheses, conclusions={"radius": BASIC["stable"]})
    for change in ({"below": "gamma"}, {"psd": "psd"}):
        refused("know", [{**RADIUS, "from": {**RADIUS["from"], **change}}], hypotheses=hypotheses)
    for change in ({"c": ONE}, {"L": letters("K")}):
        refused("know", [{**RADIUS, "with": {**RADIUS["with"], **change}}], hypotheses=hypotheses)
    weaker = fact("positive", [["2", [], []], ["-1", ["gamma"], []]], N)
    refused("know", [RADIUS], hypotheses={**hypotheses, "below": weaker})


def test_a_rank_asks_for_both_inverses():
    more = {**LETTERS, "V": {"shape": ["d", "X"]}, "S": {"shape": ["d", "X"]}, "T": {"shape": ["X", "d"]}}
    hypotheses = {
        "product": fact("zero", [["1", [], ["K"]], ["-1", [], ["W", "V"]]]),
        "left": fact("zero", [["1", [], ["S", "W"]], ["-1", [], []]], ["d", "d"]),
        "right": fact("zero", [["1", [], ["V", "T"]], ["-1", [], []]], ["d", "d"]),
    }
    given = {"A": letters("K"), "U": letters("W"), **{letter: letters(letter) for letter in "VST"}}
    rank = lemma("rank", "rank", given, {role: role for role in hypotheses}, m="X", n="X", k="d")
    said = {"rank": fact("rank", letters("K"), by=[{"shape": ["d", "d"], "terms": ONE}])}
    checked([rank], hypotheses=hypotheses, letters=more, conclusions=said)
    full = {"rank": fact("rank", letters("K"), by=[{"shape": XX, "terms": ONE}])}
    refused("conclusion", [rank], hypotheses=hypotheses, letters=more, conclusions=full)
    for role, other in (("left", "right"), ("right", "left"), ("product", "left")):
        refused("know", [{**rank, "from": {**rank["from"], role: other}}], hypotheses=hypotheses, letters=more)
    refused("must", [{**rank, "sizes": {"m": "X", "n": "X", "k": "X"}}], hypotheses=hypotheses, letters=more)


def test_facts_have_one_name_and_conclusions_are_derived():
    refused("one fact", [FIRST, FIRST], alone=True)
    refused("one fact", [{**FIRST, "name": "psd"}], alone=True)
    refused("derive", [FIRST], conclusions={"psd": BASIC["psd"]}, alone=True)
    refused("must", [FIRST], conclusions={"K": fact("psd", letters("K"))})
    refused("known kind", [FIRST], hypotheses={**BASIC, "psd": {**BASIC["psd"], "kind": "rank"}})
    part = {"name": "part", "symbols": LETTERS, "hypotheses": BASIC, "steps": [FIRST], "conclusions": {}}
    with pytest.raises(KropeError, match="derive"):
        check_certificate({"parts": [part]})


def test_a_conclusion_is_what_was_derived():
    for said in (fact("psd", letters("K")), fact("zero", PUSHED), fact("psd", PUSHED, by=[{"shape": N, "terms": ONE}])):
        refused("conclusion", [FIRST], conclusions={"pushed": said})


@pytest.mark.parametrize("number", [1, 1.0, "1.0", "1e3", "1/0", "", "+1", "½", "1/-2", None])
def test_numbers_are_rationals_as_text(number):
    refused("must", [total("s", "zero", XX, [[number, [], ["K"]]], [])])


@pytest.mark.parametrize("data", [None, [], {}, {"parts": None}, {"parts": [{}]}, {"parts": [None]}, {"parts": "abc"}])
def test_damaged_files_are_refused(data):
    with pytest.raises(KropeError):
        check_certificate(data)
