import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

from tabular_krope.data import allowance
from tabular_krope.data.dataset import sample_dataset
from tabular_krope.data.files import load, save
from tabular_krope.data.offline import offline_problem
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.value_estimate import estimate_on_rows
from tabular_krope.models.gymnasium_tables import from_gymnasium
from tabular_krope.models.policy import Policy
from tests.tabular_krope.data.parts import parts
from tests.tabular_krope.data.transitions import continuous_data, tabular_data

HEADER = "s,a,r,s_next,done\n"


@pytest.mark.parametrize("extension", [".csv", ".parquet"])
@pytest.mark.parametrize("d0", [None, [0.1, 0.2, 0.3, 0.4]])
def test_round_trip_to_the_last_bit(tmp_path, extension, d0):
    lake = from_gymnasium("FrozenLake-v1")
    for data in (tabular_data(d0=d0), sample_dataset(lake, Policy.uniform(16, 4), 500)):
        save(data, tmp_path / f"a{extension}")
        assert parts(load(tmp_path / f"a{extension}")) == parts(data)


def test_more_rows_than_are_written_at_once(tmp_path):
    data = tabular_data(n=70_000)
    for extension in (".csv", ".parquet"):
        save(data, tmp_path / f"a{extension}")
        assert parts(load(tmp_path / f"a{extension}", kind="dataset")) == parts(data)


def write(tmp_path, text):
    path = tmp_path / "a.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_tables_from_elsewhere(tmp_path):
    text = "﻿# exported\nreward,state,action,next_state,terminated\n0.5,0,1,2,false\n-1e-3,1,0,0,True\n"
    data = load(write(tmp_path, text), gamma=0.5)
    assert (data.n_states, data.n_actions, data.gamma) == (3, 2, 0.5)
    assert (data.r.tolist(), data.done.tolist(), data.d0.tolist()) == ([0.5, -1e-3], [False, True], [0.5, 0.5, 0.0])
    assert load(write(tmp_path, '# {"gamma": 0.25, "n_states": 9}\n' + HEADER + "0,0,1,0,1\n")).n_states == 9
    assert load(write(tmp_path, '"s","a","r","s\'","done"\r\n0,0,1,0,1\r\n'), gamma=0.1).r.tolist() == [1.0]
    table = pyarrow.table({"s": np.array([0], "u1"), "a": np.array([0], "i2"), "r": [1], "s_next": [0], "done": [0]})
    parquet.write_table(table, tmp_path / "b.parquet")
    assert load(tmp_path / "b.parquet", gamma=0.5).done.tolist() == [False]


CHAIN = [(0, 0, 0, 1, 0), (1, 0, 0, 2, 0), (2, 0, 0, 3, 0), (3, 0, 0, 4, 0), (4, 0, 1, 4, 1)]


@pytest.mark.parametrize("apart", [1, 100])
def test_a_chain_is_worth_what_it_is_worth_where_its_episodes_begin(tmp_path, apart):
    rows = [(s * apart, a, r, s_next * apart, done) for s, a, r, s_next, done in CHAIN * 3]
    text = HEADER + "".join(",".join(map(str, row)) + "\n" for row in rows)
    data = load(write(tmp_path, text), gamma=0.9)
    problem = offline_problem(data)
    out = estimate_on_rows(problem.Phi, problem.Phi_next, problem.r, 0.9, problem.starts, problem.start_weights)
    assert out.value == pytest.approx(0.9**4)
    assert problem.start == "the first state of 3 episodes in the data (assumed: no initial distribution is given)"
    uniform = load(write(tmp_path, '# {"gamma": 0.9, "d0": [1, 1, 1, 1, 1]}\n' + text)) if apart == 1 else None
    assert uniform is None or uniform.d0.tolist() == [0.2] * 5


def test_columns_that_tell_episodes_apart(tmp_path):
    rows = "0,0,1,0,0,{}\n0,0,1,0,0,{}\n1,0,1,1,0,{}\n"
    cut = load(write(tmp_path, HEADER[:-1] + ",timeout\n" + rows.format("true", "false", "true")), gamma=0.5)
    assert cut.episode_numbers.tolist() == [0, 1, 2]
    named = load(write(tmp_path, HEADER[:-1] + ",episode\n" + rows.format("a", "a", "a")), gamma=0.5)
    assert (named.episode_numbers.tolist(), named.d0.tolist()) == ([0, 0, 0], [1.0, 0.0])
    for extension in (".csv", ".parquet", ".npz", ".json"):
        save(cut, tmp_path / f"b{extension}")
        assert load(tmp_path / f"b{extension}").episode_numbers.tolist() == [0, 1, 2]


NAMED = "when,room,move,score,to,over\n1,hall,go,0,kitchen,0\n2,kitchen,stay,1,007,1\n3,007,go,2,hall,1\n"
CALLED = {"s": "room", "a": "move", "r": "score", "s_next": "to", "done": "over"}


@pytest.mark.parametrize(
    ("yes", "no"), [("1", "0"), ("1.0", "0.0"), ("True", "FALSE"), ("Yes", "no"), ("t", "F"), ("Y", "n")]
)
def test_spellings_of_done(tmp_path, yes, no):
    data = load(write(tmp_path, f"{HEADER}0,0,1,1,{no}\n1,0,2,0,{yes}\n"), gamma=0.9)
    assert data.done.tolist() == [False, True]
    with pytest.raises(KropeError, match="perhaps"):
        load(write(tmp_path, f"{HEADER}0,0,1,1,perhaps\n"), gamma=0.9)


@pytest.mark.parametrize("separator", [";", "\t"])
def test_other_separators(tmp_path, separator):
    text = HEADER + "0,0,0.5,1,0\n1,1,2,0,1\n"
    data = load(write(tmp_path, text.replace(",", separator)), gamma=0.9)
    assert parts(data) == parts(load(write(tmp_path, text), gamma=0.9))


def test_numbers_too_large_to_count_up_to_are_names(tmp_path):
    """A chain of three customers: 1 at the last of two steps, so 0.9 where episodes begin."""
    data = load(write(tmp_path, HEADER + "90000000001,0,0,17,0\n17,0,1,5000000000,1\n"), gamma=0.9)
    assert data.state_names == ("17", "5000000000", "90000000001")
    assert (data.s.tolist(), data.s_next.tolist(), data.n_states) == ([2, 0], [0, 1], 3)
    p = offline_problem(data, "behavior")
    out = estimate_on_rows(p.Phi, p.Phi_next, p.r, p.gamma, p.starts, p.start_weights, None, p.episodes, 0.9, 0)
    assert out.value == pytest.approx(0.9)


@pytest.mark.parametrize("extension", [".csv", ".parquet"])
def test_names_for_numbers_and_columns_by_other_names(tmp_path, extension):
    path = write(tmp_path, NAMED)
    if extension == ".parquet":
        rows = [line.split(",") for line in NAMED.splitlines()]
        table = dict(zip(rows[0], map(list, zip(*rows[1:], strict=True)), strict=True))
        table |= {"score": [0.0, 1.0, 2.0], "over": [False, True, True]}
        parquet.write_table(pyarrow.table(table), path := tmp_path / "a.parquet")
    data = load(path, gamma=0.5, columns=CALLED)
    assert (data.state_names, data.action_names) == (("007", "hall", "kitchen"), ("go", "stay"))
    assert [data.state_names[s] for s in data.s] == ["hall", "kitchen", "007"]
    assert (data.s_next.tolist(), data.a.tolist(), data.ignored) == ([2, 0, 1], [0, 1, 0], ("when",))
    assert offline_problem(data).start.startswith("the first state of 2 episodes")
    for kept in (".csv", ".parquet", ".npz", ".json"):
        save(data, tmp_path / f"b{kept}")
        again = load(tmp_path / f"b{kept}")
        assert (again.state_names, again.action_names, again.s.tolist()) == (
            data.state_names,
            ("go", "stay"),
            [1, 2, 0],
        )
    for columns, message in (
        ({"s": "raum"}, r"columns\[s\] must be a column of the table, .*; got 'raum'"),
        ({"state": "room"}, r"columns must be one of .*; got 'state'"),
    ):
        with pytest.raises(KropeError, match=message):
            load(path, gamma=0.5, columns=columns)
    with pytest.raises(KropeError, match=r"columns must be None unless the file is a \.csv or \.parquet; got"):
        load(tmp_path / "b.npz", columns=CALLED)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEADER + "0,0,1,0,1\n", r"gamma must be given for a file that states none, load\(path, gamma=0.99\)"),
        ("", "the table must have the column 's', .* got no columns"),
        (HEADER, "the table must hold at least one transition; got none"),
        ("0,0,1,0,1\n", "must begin with a line of column names, s,a,r,s_next,done; got numbers"),
        ("s,a,r,done\n", "the table must have the column 's_next', .* got s, a, r, done"),
        ("s,a,r,s_next,dnoe\n", "the table must have the column 'done', or one that columns names"),
        ("s,a,r,s_next,done,truncatd\n", r"column must be one of a, .*; got 'truncatd' \(did you mean 'truncated'\?\)"),
        (HEADER + ",0,1,0,1\n", r"s\[0\] must be a number or a name; got an empty text"),
        ('# {"state_names": 5}\n' + HEADER + "x,0,1,y,1\n", "state_names must be a list of texts; got 5"),
        ('# {"state_names": ["x"]}\n' + HEADER + "x,0,1,y,1\n", "s_next must be one of x; got 'y'"),
        ("s,state,a,r,s_next,done\n", "each column must be given once; got 's' and 'state' for 's'"),
        (HEADER + "0,0,1,0\n", "every row must be a transition s,a,r,s_next,done; got .* Expected 5 columns, got 4"),
        (HEADER + "0.5,0,1,0,1\n", "s must be a column of whole numbers or names; got numbers with a point"),
        (HEADER + "0,0,,0,1\n", "every row must be a transition .* invalid value ''"),
        (HEADER + "0,0,nan,0,1\n", r"r\[0\] must be finite; got nan"),
        (HEADER + "0,0,1,0,2\n", "every row must be a transition .* invalid value '2'"),
        (HEADER + "0,-1,1,0,1\n", "n_actions must be at least 1"),
        ('# {"n_states": 100000000000}\n' + HEADER + "0,0,1,0,1\n", "at most 10000000 pairs .* got 100000000000 x 1"),
        (b"\xff\xfe,\n", "must begin with a line of column names; got bytes that are no text"),
        ("# {\n" + HEADER, "the settings must be a JSON object; got a damaged one"),
        ("# {" + '"a":{' * 100_000 + "\n" + HEADER, "the settings must be JSON of a few levels"),
        ('# {"gama": 1}\n' + HEADER, r"setting must be one of .*; got 'gama' \(did you mean 'gamma'\?\)"),
        ('# {"kind": "mdp"}\n' + HEADER, "krope and kind must be 1 and 'dataset', .* got None and 'mdp'"),
        ('# {"n_states": 1}\n' + HEADER + "5,0,1,0,1\n", r"s\[0\] must lie in 0..0; got 5"),
        ('# {"n_states": true}\n' + HEADER + "0,0,1,0,1\n", "n_states must be an integer of at least 1; got True"),
        ('# {"gamma": 1' + "0" * 400 + "}\n" + HEADER + "0,0,1,0,1\n", "gamma must be a number"),
        (HEADER + "0" * 5_000_000, "every row must be a transition .* got .*"),
    ],
)  # fmt: skip
def test_bad_csv(tmp_path, text, message):
    gamma = None if "gamma" in message and "gama" not in message else 0.9
    with pytest.raises(KropeError, match=f"a.csv: .*{message}"):
        load(write(tmp_path, text), gamma=gamma)


def test_settings_that_are_no_object(tmp_path):
    table = pyarrow.table({"s": [0], "a": [0], "r": [1.0], "s_next": [0], "done": [True]})
    parquet.write_table(table.replace_schema_metadata({b"krope": b"[]"}), tmp_path / "a.parquet")
    with pytest.raises(KropeError, match="the settings must be a JSON object; got list"):
        load(tmp_path / "a.parquet")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"s": [0.5]}, "s must be a column of integers or names; got double"),
        ({"r": ["x"]}, "r must be a column of numbers; got string"),
        ({"done": [0.0]}, "done must be a column of booleans; got double"),
        ({"s": pyarrow.array([None], pyarrow.int64())}, "s must have a value in every row; got an empty one"),
        ({"r": [[1.0, 2.0]]}, "r must be a column of numbers; got list"),
        ({"done": [2]}, r"done\[0\] must be true or false; got 2"),
        ({"r": [float("inf")]}, r"r\[0\] must be finite; got inf"),
    ],
)  # fmt: skip
def test_bad_parquet(tmp_path, columns, message):
    table = pyarrow.table({"s": [0], "a": [0], "r": [1.0], "s_next": [0], "done": [True]} | columns)
    parquet.write_table(table, tmp_path / "a.parquet")
    with pytest.raises(KropeError, match=f"a.parquet: {message}"):
        load(tmp_path / "a.parquet", gamma=0.9)


def test_no_rows_and_too_many(tmp_path, monkeypatch):
    empty = pyarrow.table({"s": [0], "a": [0], "r": [1.0], "s_next": [0], "done": [True]}).slice(0, 0)
    parquet.write_table(empty, tmp_path / "a.parquet")
    with pytest.raises(KropeError, match="the table must hold at least one transition; got 0"):
        load(tmp_path / "a.parquet", gamma=0.9)
    monkeypatch.setattr(allowance, "ROOM", 2**20)
    zeros = np.zeros(1_400_000, dtype=np.int8)  # run lengths make of this a file of some kilobytes
    bomb = pyarrow.table(dict.fromkeys(("s", "a", "r", "s_next", "done"), zeros))
    parquet.write_table(bomb, tmp_path / "b.parquet")
    with pytest.raises(KropeError, match="the table must not unfold to 100 times the file; got 56000000 bytes"):
        load(tmp_path / "b.parquet", gamma=0.9)


def test_only_data_sets_fit_into_tables(tmp_path):
    with pytest.raises(KropeError, match=r"thing must be a Dataset for a \.csv file; got ContinuousDataset"):
        save(continuous_data(), tmp_path / "a.csv")
    with pytest.raises(KropeError, match=r"thing must be a ContinuousDataset for a \.h5 file; got Dataset"):
        save(tabular_data(), tmp_path / "a.h5")
    save(tabular_data(), tmp_path / "a.npz")
    assert load(tmp_path / "a.npz", gamma=0.75).gamma == 0.75
    save(Policy.uniform(2, 2), tmp_path / "b.json")
    with pytest.raises(
        KropeError, match=r"gamma must be None unless the file holds transitions; got .* for kind 'policy'"
    ):
        load(tmp_path / "b.json", gamma=0.5)
