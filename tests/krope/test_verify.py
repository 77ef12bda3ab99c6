import json

import pytest

from krope import main
from proofs_check.prove.proof import load_certificate


@pytest.fixture
def verdict(krope, tmp_path):
    def stored(claim, *words):
        path = tmp_path / "verdict.json"
        assert krope("conjecture", claim, *words, "--json", path).code == 0
        return path

    return stored


def test_a_proof_is_verified_and_what_is_trusted_is_said(krope, verdict):
    found = krope("verify", verdict("abs(q[x]-q[y]) <= U[x,y]", "--conservative"))
    assert found.code == 0
    assert "VERIFIED  this proof stands." in found.out
    assert "abs(q[x] - q[y]) <= U[x,y], for every conservative chain of every size" in found.out
    assert "small-model theorem (B15)" in found.out
    _, _, rest = found.out.partition("\nTrusted\n")
    trusted, _, other = rest.partition("\nNot trusted\n")
    assert all(line.startswith(("  - ", "    ")) for line in (trusted + other).splitlines() if line)
    assert "solver" in other
    assert "solver" not in trusted


def test_a_refutation_is_verified(krope, verdict):
    found = krope("verify", verdict("abs(q[x]-q[y]) <= U[x,y]"))
    assert found.code == 0
    assert "VERIFIED  this refutation stands." in found.out


def test_a_certificate_of_operators_is_verified(krope, tmp_path):
    path = tmp_path / "theorem-1.json"
    path.write_text(json.dumps(load_certificate("theorem-1")))
    found = krope("verify", path)
    assert found.code == 0
    assert "rho(L) < 1" in found.out
    assert "hypothesis: " in found.out


def edited(path, change):
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))
    return path


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(claim="abs(q[x]-q[y]) <= U[x,y]/2"),
        lambda d: d["settings"].update(conservative=False),
        lambda d: d["proof"].update(certificates=[]),
        lambda d: d["proof"]["certificates"].pop(),
        lambda d: d["proof"]["certificates"][0].update(proof={"rule": "nonnegative"}),
        lambda d: d.update(assume=5),
        lambda d: d.update(outcome="holds"),
        lambda d: d.update(kind="nonsense"),
        lambda d: d.pop("settings"),
        lambda d: d["settings"].update(conservative="false"),
        lambda d: d["settings"].update(classes=["nonsense"]),
        lambda d: d["settings"].update(gamma="1e999"),
        lambda d: d["proof"].update(theorem="trust me"),
        lambda d: d["proof"]["certificates"][0]["problem"]["goal"][0].__setitem__(0, 1),
        lambda d: d["proof"]["certificates"][0]["problem"]["goal"][0].__setitem__(0, "1e999999999"),
        lambda d: d["proof"]["certificates"][0]["problem"]["goal"][0][1].update(w=10**9),
        lambda d: d["proof"]["certificates"][0]["problem"]["goal"][0][1].update(w=float("inf")),
        lambda d: d["proof"]["certificates"][0]["problem"].update(strict="no"),
    ],
)
def test_a_forged_proof_is_refused(krope, verdict, change):
    found = krope("verify", edited(verdict("abs(q[x]-q[y]) <= U[x,y]", "--conservative"), change))
    assert found.code == 1
    assert found.out.startswith("REFUSED  ")
    assert "Traceback" not in found.out + found.err


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(claim="abs(q[x]-q[y]) <= 2*U[x,y] + 100*R"),
        lambda d: d["at"].update(x=d["at"]["y"]),
        lambda d: d["witness"].update(gamma="0"),
        lambda d: d.update(witness=None),
    ],
)
def test_a_forged_refutation_is_refused(krope, verdict, change):
    assert krope("verify", edited(verdict("abs(q[x]-q[y]) <= U[x,y]"), change)).code == 1


def test_what_cannot_be_read_is_refused(krope, tmp_path):
    contents = {"bad": b"{", "empty": b"", "bytes": b"\xff\xfe{"}
    for name, content in contents.items():
        (tmp_path / f"{name}.json").write_bytes(content)
    wanted = {"missing": "no such file or directory", "bad": "in line 1", "empty": "an empty file", "bytes": "no text"}
    for name, told in wanted.items():
        refused = krope("verify", tmp_path / f"{name}.json").refused
        assert "file must be readable JSON; got " in refused
        assert refused.endswith(told)
    assert krope("verify", tmp_path).refused.endswith("is a directory")
    (tmp_path / "list.json").write_text("[]")
    assert krope("verify", tmp_path / "list.json").code == 1


def test_help_explains_the_exit_codes(krope):
    found = krope("verify", "--help")
    assert "Exit codes 0 the file establishes what it says 1 it does not, or holds no proof" in " ".join(
        found.out.split()
    )


def test_what_is_written_twice_is_refused(krope, verdict):
    path = verdict("abs(q[x]-q[y]) <= U[x,y]", "--conservative")
    path.write_text(path.read_text().replace("{", '{"claim": "q[x] == 0", ', 1))
    found = krope("verify", path)
    assert found.code == 1
    assert "each name once" in found.out


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(claim="P = NP"),
        lambda d: d.update(trusted="nothing"),
        lambda d: d["parts"][0]["conclusions"]["norm"].update(says="rho(L) = 0"),
        lambda d: d["parts"][0]["hypotheses"]["covariance"].update(because="obvious"),
        lambda d: d["parts"][0]["symbols"]["D"].update(meaning="any matrix"),
    ],
)
def test_other_words_beside_a_right_certificate_are_refused(krope, tmp_path, change):
    path = tmp_path / "theorem-1.json"
    path.write_text(json.dumps(load_certificate("theorem-1")))
    assert krope("verify", path).code == 0
    assert krope("verify", edited(path, change)).code == 1


def test_a_certificate_of_ones_own_speaks_for_itself(krope, tmp_path):
    path = tmp_path / "mine.json"
    document = load_certificate("theorem-1")
    document["parts"][0]["conclusions"]["norm"]["says"] = "rho(L) = 0"
    path.write_text(json.dumps({**document, "slug": "mine"}))
    found = krope("verify", path)
    assert found.code == 0
    assert "rho(L) = 0" not in found.out
    assert "norm: gamma - L L' is positive semidefinite" in found.out


@pytest.fixture(scope="module")
def best_constant(tmp_path_factory):
    """The document of a best constant that is verified as it stands."""
    path = tmp_path_factory.mktemp("worst") / "worst.json"
    for words in (("worst", "abs(q[x]-q[y]) / U[x,y]", "--conservative", "--json", path), ("verify", path)):
        with pytest.raises(SystemExit) as left:
            main([str(word) for word in words])
        assert left.value.code == 0
    return path.read_bytes()


@pytest.mark.parametrize(
    "change",
    [
        {"expression": "q[x] / r[x]"},
        {"upper_bound": "1/7"},
        {"upper": None},
        {"lower_bound": "12345"},
        {"conservative": False},
        {"conservative": "false"},
        {"gamma": "1/3"},
        {"assume": ["R == 7*rho0"]},
        {"fixed": ["R == 7*rho0"]},
    ],
)
def test_a_best_constant_for_another_question_is_refused(krope, tmp_path, best_constant, change):
    path = tmp_path / "worst.json"
    path.write_bytes(best_constant)
    assert krope("verify", edited(path, lambda d: d.update(change))).code == 1
