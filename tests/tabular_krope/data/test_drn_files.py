"""Storm's DRN text, in and out, against Storm's exact engine where it is installed."""

from fractions import Fraction

import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.data.drn_files import read_drn
from tabular_krope.data.drn_text import parse_drn
from tabular_krope.errors import KropeError
from tests.tabular_krope.metrics.test_action_sets import ragged

HEADER = "@type: {}\n@parameters\n\n@reward_models\ncost time\n@nr_states\n{}\n@nr_choices\n9\n@model\n"
CHAIN = (
    "// a comment\n"
    + HEADER.format("DTMC", 3)
    + 'state 0 [1/3, 1] init\n//[x=0]\n\taction __NOLABEL__ [2, 0]\n\t\t1 : 1/7\n\t\t2 : 6/7\n'
    + 'state 1 [0,0.5] "two words" init\n\taction 0\n\t\t0 : 0.25\n\t\t1 : 1/4\n\t\t2 : 5e-1\n'
    + "state 2 done\n\taction 0 [0, 0]\n\t\t2 : 1\n"
)  # fmt: skip
PROCESS = (
    HEADER.format("MDP", 2)
    + "state 0 init\n\taction go [1]\n\t\t1 : 1\n\taction go [2]\n\t\t0 : 1\n\taction __NOLABEL__ [3]\n\t\t1 : 1\n"
    + "state 1 [1/9]\n\taction stay\n\t\t1 : 1\n"
)


def written(tmp_path, text, name="model.drn"):
    path = tmp_path / name
    path.write_text(text)
    return path


def texts(values):
    return [str(v) for v in values]


def test_a_chain_with_fractions_labels_rewards_and_an_end(tmp_path):
    path = written(tmp_path, CHAIN)
    chain = tk.load(path)
    assert isinstance(chain, tk.ExactMRP)
    assert (str(chain.gamma), texts(chain.r), texts(chain.d0)) == ("99/100", ["7/3", "0", "0"], ["1/2", "1/2", "0"])
    ends = read_drn(path, gamma="1", reward="time", end="done")
    # t0 = 1 + t1/7, t1 = 1/2 + t0/4 + t1/4
    t1 = (Fraction(1, 2) + Fraction(1, 4)) / (1 - Fraction(1, 4) - Fraction(1, 28))
    assert texts(ends.q) == texts([1 + t1 / 7, t1])
    assert read_drn(path, end="two words").n_pairs == 2
    assert str(tk.load(path, gamma=0.5).gamma) == "1/2"


def test_actions_by_name_each_once_a_state(tmp_path):
    mdp = tk.load(written(tmp_path, PROCESS))
    assert isinstance(mdp, tk.ExactMDP)
    assert mdp.action_names == ("go", "go#2", "unnamed", "stay")
    assert texts(mdp.r) == ["1", "2", "3", "1/9"]
    assert mdp.pair_state == (0, 0, 0, 1)


def test_placeholders_and_rows_that_are_cut(tmp_path):
    text = CHAIN.replace("@nr_states", "@placeholders\n$half : 1/2\n@nr_states", 1).replace("5e-1", "$half")
    assert texts(tk.load(written(tmp_path, text)).P.table()[1]) == ["1/4", "1/4", "1/2"]
    cut = tk.load(written(tmp_path, CHAIN.replace("1/7", "0.1428571428571").replace("6/7", "0.8571428571429")))
    assert isinstance(cut, tk.ExactMRP)  # these two happen to sum to 1
    cut = tk.load(written(tmp_path, CHAIN.replace("1/7", "0.142857142857").replace("6/7", "0.857142857142")))
    assert isinstance(cut, tk.MRP)
    np.testing.assert_allclose(cut.P.toarray()[0], [0, 1 / 7, 6 / 7], atol=1e-11)
    loose = tk.load(written(tmp_path, PROCESS.replace("1 : 1\n", "1 : 0.9999999999\n", 1)))
    assert isinstance(loose, tk.MDP)


def test_large_chains_are_floats(tmp_path, monkeypatch):
    monkeypatch.setattr("tabular_krope.data.drn_files.MOST_EXACT", 2)
    chain = tk.load(written(tmp_path, CHAIN))
    assert isinstance(chain, tk.MRP)
    np.testing.assert_allclose(chain.P.toarray()[1], [0.25, 0.25, 0.5])


def things():
    named = tk.MDP([[1, 0], [0, 1], [0.5, 0.5]], [1, 2, 0.1], 0.9, pair_state=[0, 0, 1], pair_action=[1, 0, 1],
                   action_names=["b c", "a"])  # fmt: skip
    exact = tk.ExactMDP([[["1/3", "1/3"], [1, 0]], [[0, 1]]], [["1/7", 0], [2]], "9/10", ["1/4", "3/4"],
                        [["1/3", 0], [0]])  # fmt: skip
    return {
        "ragged": ragged(3, ending=True),
        "garnet": tk.garnet(4, 3, seed=1),
        "named": named,
        "exact": exact,
        "exact-chain": tk.induce(exact, [["1/2", "1/2"], [1, 0]]),
        "chain": tk.zoo("two-state").mrp(),
        "float-chain": tk.MRP.from_matrix([[0.1, 0.6], [0.0, 1.0]], [0.1, 2.0], 0.9, [0.3, 0.0], [0.3, 0.7]),
    }


@pytest.mark.parametrize("name", things())
def test_out_and_in_again(tmp_path, name):
    thing = things()[name]
    path = tmp_path / "thing.drn"
    tk.save(thing, path)
    again = tk.load(path)
    if isinstance(thing, tk.MRP | tk.ExactMRP):
        assert texts(again.q) == texts(thing.q) if isinstance(thing, tk.ExactMRP) else np.allclose(again.q, thing.q)
    assert type(again) is type(thing)
    if isinstance(thing, tk.MDP):
        for field in ("r_pairs", "end_pairs", "d0", "pair_state", "pair_action"):
            np.testing.assert_array_equal(getattr(again, field), getattr(thing, field))
        np.testing.assert_array_equal(again.P_pairs.toarray(), thing.P_pairs)
        assert again.gamma == thing.gamma
    if isinstance(thing, tk.ExactMDP):
        for field in ("P", "r", "end", "d0", "gamma", "pair_state", "pair_action"):
            assert getattr(again, field) == getattr(thing, field)


def test_exact_models_in_json_and_npz(tmp_path):
    exact = things()["exact"]
    named = tk.ExactMDP([[["1/2"]]], [[1]], "1/3", end=[["1/2"]], action_names=["only"])
    for thing in (exact, named):
        for form in ("json", "npz"):
            tk.save(thing, tmp_path / f"exact.{form}")
            again = tk.load(tmp_path / f"exact.{form}", kind="exact-mdp")
            for field in ("P", "r", "end", "d0", "gamma", "pair_state", "pair_action", "action_names"):
                assert getattr(again, field) == getattr(thing, field)


def test_a_large_exact_model_belongs_into_drn(tmp_path, monkeypatch):
    monkeypatch.setattr("tabular_krope.data.schema.MOST_PAIRS", 3)
    with pytest.raises(KropeError, match=r"thing must have at most 3 probabilities for this file, use .drn for more"):
        tk.save(things()["exact"], tmp_path / "exact.json")
    with pytest.raises(KropeError, match=r"thing must be a model for a .drn file; got Policy"):
        tk.save(tk.Policy([[1.0]]), tmp_path / "policy.drn")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file must have an @model section; got none"),
        (CHAIN.replace("DTMC", "CTMC"), "@type must be DTMC or MDP; got CTMC"),
        (CHAIN.replace("@parameters\n\n", "@parameters\np q\n"), "must have no parameters, instantiate them first"),
        (CHAIN.replace("@nr_states\n3", "@nr_states\nthree"), "must be the number of states; got 'three'"),
        (CHAIN.replace("@nr_states\n3", "@nr_states\n4"), "must have the 4 states that @nr_states claims; got 3"),
        (CHAIN.replace("@nr_choices", "@choices"), "must be a section of a DRN header; got '@choices'"),
        (CHAIN.replace("state 1", "state 2"), "must be state 1, states are in order; got '2'"),
        (CHAIN.replace("2 : 6/7", "3 : 6/7"), r"state 0 must lead to states 0..2; got 3"),
        (CHAIN.replace("2 : 6/7", "2 : 5/7"), "state 0, action __NOLABEL__ must have probabilities of sum 1; got 6/7"),
        (CHAIN.replace("2 : 6/7", "2 : p"), 'line 16 must be a rational such as "3/4" or 0.75; got'),
        (CHAIN.replace("2 : 6/7", "x : 6/7"), "must be a state, an action, or 'NEXT : PROBABILITY'; got 'x'"),
        (CHAIN.replace("[1/3, 1]", "[1/3, 1"), "must close its rewards with ]"),
        (CHAIN.replace("action 0 [0, 0]", "action 0 [0, 0] more"), r"must be 'action NAME \[rewards\]'"),
        (CHAIN.replace("state 0", "action 0"), "must begin with a state after @model"),
        (PROCESS.replace("MDP", "DTMC"), "a DTMC must have one action in each state; got more"),
        (PROCESS + "state 2\n", "the file must have the 2 states"),
        (PROCESS.replace("@nr_states\n2", "@nr_states\n3") + "state 2\n", "must have an action; got none for state 2"),
    ],
)  # fmt: skip
def test_damaged_files(tmp_path, text, message):
    with pytest.raises(KropeError, match=message):
        tk.load(written(tmp_path, text))


def test_wrong_names_and_unreadable_files(tmp_path, monkeypatch):
    path = written(tmp_path, CHAIN)
    with pytest.raises(KropeError, match="reward must be one of cost, time; got 'tim'"):
        read_drn(path, reward="tim")
    with pytest.raises(KropeError, match="end must be one of done, init, two words; got 'gone'"):
        read_drn(path, end="gone")
    with pytest.raises(KropeError, match="end must leave a state; got 'all', which all 1 have"):
        read_drn(
            written(tmp_path, HEADER.format("DTMC", 1) + "state 0 all\n\taction 0\n\t\t0 : 1\n", "one.drn"), end="all"
        )
    with pytest.raises(KropeError, match="the file must be readable"):
        read_drn(tmp_path / "none.drn")
    (tmp_path / "binary.drn").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(KropeError, match="the file must be text"):
        read_drn(tmp_path / "binary.drn")
    monkeypatch.setattr("tabular_krope.data.drn_files.LARGEST", 10)
    with pytest.raises(KropeError, match="the file must have at most 10 bytes; got"):
        read_drn(path)


def test_notes_of_this_program_are_read():
    notes = parse_drn("// krope gamma 1/2\n// krope floats\n" + CHAIN).notes
    assert notes == {"gamma": "1/2", "floats": ""}
