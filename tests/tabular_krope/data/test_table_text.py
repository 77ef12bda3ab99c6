"""Tables of transitions and of numbers as spreadsheets and scripts write them."""

import gzip

import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.data.files import load_array, load_policy

PLAIN = "s,a,r,s_next,done,note\n0,0,0.5,1,0,x\n1,1,-1.25e1,2,0,y\n2,0,3,0,1,z\n"


def rows(data):
    columns = (data.s, data.a, data.r, data.s_next, data.done)
    return [tuple(float(cell) for cell in row) for row in zip(*columns, strict=True)]


WANTED = [(0, 0, 0.5, 1, 0), (1, 1, -12.5, 2, 0), (2, 0, 3, 0, 1)]
WAYS = {
    "plain.csv": PLAIN.encode(),
    "plain.txt": PLAIN.encode(),
    "tabs.tsv": PLAIN.replace(",", "\t").encode(),
    "tabs.txt": PLAIN.replace(",", "\t").encode(),
    "packed.csv.gz": gzip.compress(PLAIN.encode()),
    "PACKED.TSV.GZ": gzip.compress(PLAIN.replace(",", "\t").encode()),
    "blanks.csv": PLAIN.replace(",", " , ").replace("\n", " \n ").encode(),
    "blanks-after.csv": PLAIN.replace(",", ", ").encode(),
    "blanks.tsv": PLAIN.replace(",", " \t ").encode(),
    "mark.csv": b"\xef\xbb\xbf" + PLAIN.encode(),
    "windows.csv": PLAIN.replace("\n", "\r\n").encode(),
    "windows-blanks.csv": PLAIN.replace(",", " ,").replace("\n", " \r\n").encode(),
    "old-mac.csv": PLAIN.replace("\n", "\r").encode(),
    "unicode.txt": PLAIN.replace(",", "\t").encode("utf-16"),
    "quoted.csv": "\n".join(",".join(f'"{cell}"' for cell in line.split(",")) for line in PLAIN.split()).encode(),
    "quoted-blanks.csv": PLAIN.replace("z", '"z , z"').replace(",", " , ").encode(),
    "comma.csv": PLAIN.replace(",", ";").replace("0.5", "0,5").replace("1.25e1", "1,25e1").encode(),
    "comma-blanks.csv": PLAIN.replace(",", " ; ").replace("0.5", "0,5").replace("1.25e1", "1,25e1").encode(),
    "no-end.csv": PLAIN.strip().encode(),
    "empty-lines.csv": PLAIN.replace("\n", "\n\n").encode(),
}


@pytest.mark.parametrize("name", WAYS)
def test_transitions_are_read_however_they_are_written(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(WAYS[name])
    data = tk.load(path, gamma=0.9)
    assert rows(data) == WANTED
    assert data.ignored == ("note",)
    mapped = tk.load(path, gamma=0.9, columns={"s": "s"})
    assert rows(mapped) == WANTED


def test_blanks_inside_quotes_and_names_stay(tmp_path):
    path = tmp_path / "names.csv"
    path.write_text(
        's, a, r, s_next, done\n"the , hall", go left , 1, cellar room, no\ncellar room, go left, 0, b, yes\n'
    )
    data = tk.load(path, gamma=0.5)
    assert data.state_names == ("b", "cellar room", "the , hall")
    assert data.action_names == ("go left",)


def test_what_is_no_gzip_or_far_too_much_is_refused(tmp_path):
    path = tmp_path / "x.csv.gz"
    whole = gzip.compress(PLAIN.encode())
    for content in (PLAIN.encode(), whole[:-12], b""):
        path.write_bytes(content)
        with pytest.raises(tk.KropeError, match=r"x.csv.gz: the (file must be whole gzip data|table must)"):
            tk.load(path, gamma=0.9)
    path.write_bytes(gzip.compress(bytes(900 * 2**20), 9))
    with pytest.raises(tk.KropeError, match="the table must not unfold to 100 times the file"):
        tk.load(path, gamma=0.9)


@pytest.mark.parametrize(
    "text",
    [
        "1,2.5\n3,4\n",
        "a,b\n1,2.5\n3,4",
        "# mine\n1 2.5\n3 4\n",
        "1\t2.5\n3\t4\n",
        "x;y\r\n1;2,5\r\n3;4\r\n",
        "1 , 2.5\n\n3 ,4",
    ],
)
def test_arrays_of_numbers(tmp_path, text):
    for name in ("phi.csv", "phi.csv.gz"):
        content = text.encode()
        (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
        assert load_array(tmp_path / name).tolist() == [[1, 2.5], [3, 4]]


def test_one_column_is_a_vector(tmp_path):
    (tmp_path / "w.txt").write_text("weight\n0.25\n0.75\n")
    assert load_array(tmp_path / "w.txt").tolist() == [0.25, 0.75]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must hold at least one number; got none"),
        ("a,b\n", "must hold at least one number; got 'a,b'"),
        ("1,2\n3\n", "row 2 of the table must be 2 numbers; got '3'"),
        ("1,2\n3,x\n", "row 2 of the table must be 2 numbers; got '3,x'"),
        ("1,nan\n", "must be finite"),
        (PLAIN, "must hold an array of numbers; got transitions"),
    ],
)
def test_arrays_that_are_none(tmp_path, text, message):
    (tmp_path / "phi.csv").write_text(text)
    with pytest.raises(tk.KropeError, match=message):
        load_array(tmp_path / "phi.csv")


def test_policies_in_arrays(tmp_path):
    np.save(tmp_path / "pi.npy", np.array([[0.5, 0.5]]))
    assert load_policy(tmp_path / "pi.npy").probs.tolist() == [[0.5, 0.5]]
    np.save(tmp_path / "w.npy", np.array([0.5, 0.5]))
    with pytest.raises(tk.KropeError, match=r"policy must be .* got an array \[X\] in"):
        load_policy(tmp_path / "w.npy")
