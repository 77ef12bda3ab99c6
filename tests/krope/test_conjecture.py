import json
import re
from fractions import Fraction

import pytest

from krope.conjecture import late_progress
from krope.conjecture_tables import print_verdict
from krope.console import output
from proofs_check.conjectures import gathering
from proofs_check.conjectures.conjecture_verdict import ConjectureTrial, ConjectureVerdict
from proofs_check.conjectures.language import EXAMPLES, FUNCTIONS, QUANTITIES
from proofs_check.conjectures.matrix_language import MATRICES, MATRIX_EXAMPLES, MATRIX_FUNCTIONS
from proofs_check.conjectures.witnesses import verify
from proofs_check.search import extremes, spaces

FALSE = "d[x,z] <= d[x,y] + d[y,z]"


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(gathering, "GENERATIONS", 12)
    monkeypatch.setattr(gathering, "FEW_GENERATIONS", 6)
    monkeypatch.setattr(extremes, "LONG", (13,))
    monkeypatch.setattr(spaces, "SIZES", (2, 3))


def test_a_refutation_is_shown_with_its_witness(krope):
    found = krope("conjecture", FALSE, "--examples", 40)
    assert found.code == 0
    assert found.err == ""
    lines = found.out.splitlines()
    assert lines[0].startswith("REFUTED  on a chain of ")
    assert lines[1:3] == ["", f"claim    {FALSE}   for all pairs x, y, z"]
    assert "Witness (gamma = " in found.out
    assert "Tried" not in found.out  # nothing had to be searched
    left, right = (Fraction(line.split()[1]) for line in lines if line.startswith(("left", "right")))
    assert left > right
    assert "\x1b" not in found.out


def test_a_refutation_outside_the_theorem_shows_what_was_tried(krope):
    found = krope("conjecture", "q[x]*q[y] <= 1", "--examples", 24)
    assert "REFUTED" in found.out
    assert "Searched, because a product of two quantities is neither convex nor concave." in found.out
    assert all(word in found.out for word in ("Tried", "sampled", "adversarial", "exact", "Witness (gamma = "))


def test_what_was_tried_is_one_table_in_80_columns(krope, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = krope("conjecture", "sqrt(q[x]**2) <= horizon*max(rmax, -rmin)", "--examples", 24).out.splitlines()
    assert sum("chains   vacuous   suspected   examined   confirmed   tightness" in line for line in lines) == 1
    assert max(map(len, lines)) <= 80
    assert any(re.match(r" adversarial +[1-9]", line) for line in lines)


def test_a_claim_that_is_proved(krope):
    found = krope("conjecture", "q[x] <= horizon*rmax", "--assume", "r[w] >= 0", "--expect", "holds")
    assert found.code == 0
    assert "PROVED for every chain of every size  certificate checked in rational arithmetic." in found.out
    assert krope("conjecture", "K[x,y] == K[y,x]", "--expect", "decided").code == 0
    assert krope("conjecture", "K[x,y] == K[y,x]", "--expect", "inconclusive").code == 1


def test_a_claim_that_holds(krope):
    words = ("--assume", "rmax >= 0", "--assume", "r[w] >= 0", "--examples", 24)
    found = krope("conjecture", "sqrt(q[x]) <= sqrt(horizon*rmax)", *words)
    assert found.code == 0
    assert found.out.startswith("HOLDS on everything tried (not a proof)\n  not refuted by ")
    assert "for every pair x" in found.out
    assert found.out.count("given    ") == 2
    assert "Witness" not in found.out


def test_settings_are_shown_and_respected(krope):
    words = ("--conservative", "--gamma", "0.5", "--dim", 1, "--examples", 24, "--seed", 4)
    found = krope("conjecture", "norm <= gamma/2", *words)
    assert found.code == 0
    assert all(line in found.out for line in ("no episode ends", "gamma = 1/2", "1 KROPE feature\n", " D "))
    assert "ends\n" not in found.out.split("Witness")[1]


def test_json_on_stdout_is_all_there_is_and_verifies(krope):
    found = krope("conjecture", FALSE, "--examples", 40, "--json", "-")
    document = json.loads(found.out)
    assert document["outcome"] == "refuted"
    assert document["claim"] == FALSE
    assert document["krope_version"]
    assert verify(document).refutes


def test_json_to_a_file(krope, tmp_path):
    path = tmp_path / "verdict.json"
    found = krope("conjecture", "K[x,y] == K[y,x]", "--examples", 16, "--json", path)
    assert "PROVED" in found.out
    document = json.loads(path.read_text())
    assert document["outcome"] == "proved"
    assert document["proof"]["certificates"]


@pytest.mark.parametrize(("expect", "code"), [("refuted", 0), ("holds", 1), ("inconclusive", 1)])
def test_expect(krope, expect, code):
    found = krope("conjecture", "gamma >= 1", "--examples", 8, "--expect", expect)
    assert found.code == code
    assert "REFUTED" in found.out


def test_list(krope):
    found = krope("conjecture", "--list")
    assert found.code == 0
    for quantity in QUANTITIES.values():
        assert quantity.written in found.out
        assert quantity.meaning in found.out
    for function in (*FUNCTIONS.values(), *MATRIX_FUNCTIONS.values(), *MATRICES.values()):
        assert function.written in found.out
    assert all(claim.split(" ")[0] in found.out for claim, *_ in (*EXAMPLES, *MATRIX_EXAMPLES))


def test_the_list_as_json(krope, tmp_path):
    found = json.loads(krope("conjecture", "--list", "--json", "-").out)
    assert [one["name"] for one in found["quantities"]] == list(QUANTITIES)
    assert [one["name"] for one in found["functions"]] == [*FUNCTIONS, *MATRIX_FUNCTIONS]
    assert [one["name"] for one in found["matrices"]] == list(MATRICES)
    assert [one["claim"] for one in found["examples"]] == [claim for claim, *_ in (*EXAMPLES, *MATRIX_EXAMPLES)]
    assert found["comparisons"] == ["<=", "<", ">=", ">", "==", "!="]
    assert "Quantities" in krope("conjecture", "--list", "--json", tmp_path / "l.json").out
    assert json.loads((tmp_path / "l.json").read_text()) == found


def test_a_claim_about_matrices_is_not_for_coq(krope, tmp_path):
    found = krope("conjecture", "psd(K)", "--examples", 8, "--coq", tmp_path / "claim.v")
    assert found.code == 2
    assert found.err.count("\n") == 1
    assert "coq must be asked for a claim that the small-model theorem proves" in found.err
    assert not (tmp_path / "claim.v").exists()


def test_claims_that_there_is_a_chain(krope):
    found = krope("conjecture", "exists K[x,y] > K[x,x]", "--examples", 8, "--expect", "proved")
    assert found.code == 0
    assert "for pairs x, y" in found.out
    assert found.out.startswith("PROVED  on a chain of ")
    none = krope("conjecture", "exists d[x,y] < 0", "--examples", 8)
    assert "REFUTED for every chain of every size" in none.out
    lost = krope("conjecture", "exists det(K) < 0", "--examples", 8)
    assert "NOT FOUND" in lost.out
    assert krope("conjecture", "exists K[x,y] > K[x,x]", "--examples", 8, "--coq", "-").code == 2


def test_features_of_a_witness_are_shown(krope):
    found = krope("conjecture", "radius(L) < 1", "--features", "any", "--examples", 20)
    assert "any features" in found.out
    assert "Phi 0" in found.out


def test_help_has_examples(krope):
    found = krope("conjecture", "--help")
    assert found.code == 0
    assert 'krope conjecture "q[x] == q[y]" --assume "d[x,y] == 0"' in found.out
    assert "Quote the claim" in found.out


def test_an_interrupt_is_told_and_leaves_nothing_half_written(krope, tmp_path, monkeypatch):
    def interrupted(*arguments, **options):
        arguments[-1]("sampled", 0.5)
        raise KeyboardInterrupt

    monkeypatch.setattr("krope.conjecture.judge", interrupted)
    found = krope("conjecture", FALSE, "--json", tmp_path / "verdict.json")
    assert (found.code, found.out) == (130, "")
    assert found.err == "krope: interrupted: no verdict; stopped at: sampled\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "claim must be given"),
        (["q[x]", "==", "q[y]"], 'quote the claim: krope conjecture "d[x,y] >= 0"; see krope conjecture --help)'),
        (["q[x] <= foo"], "claim[column 9] must name a known quantity; got 'foo'"),
        (["__import__('os') <= 1"], "must call a known function"),
        (["9**9**9 <= 1"], "whole exponent"),
        (["(" * 10_000], "at most 600 characters"),
        (["𝐪[x] <= 1"], "plain ASCII"),
        (["q[x] <= 1", "--assume", "r[x]"], "assume[0][column 1] must be a comparison"),
        (["q[x] <= 1", "--gamma", "1", "--conservative"], "gamma must be below 1 where no episode ends; got 1"),
        (["q[x] <= 1", "--gamma", "2"], "gamma must lie in [0, 1], and be 1 only where every episode ends; got 2"),
        (["q[x] <= 1", "--gamma", "half"], "gamma must be a rational"),
        (["q[x] <= 1", "--dim", "0"], "dim must"),
        (["q[x] <= 1", "--examples", "0"], "examples must"),
        (["q[x] <= 1", "--seed", "-1"], "seed must"),
        (["q[x] <= 1", "--expect", "refute"], "(did you mean 'refuted'?)"),
        (["q[x] <= 1", "--json", "/nowhere/at/all.json"], "json must lie in an existing folder"),
    ],
)
def test_bad_input_gets_one_line(krope, words, message):
    assert message in krope("conjecture", *words).refused


def test_nothing_is_written_when_the_claim_is_bad(krope, tmp_path):
    krope("conjecture", "q[x] <= foo", "--json", tmp_path / "verdict.json")
    assert list(tmp_path.iterdir()) == []


def verdict(**changes):
    settings = {"conservative": False, "gamma": None, "dim": 3}
    base = {
        "claim": "rank <= S", "assume": (), "outcome": "refuted", "reason": "why", "ratio": float("nan"), "open": 1,
        "trials": (ConjectureTrial("sampled", 3, 0, 9, 0.0, examined=2),), "settings": settings, "acquitted": 2,
    }  # fmt: skip
    return ConjectureVerdict(**base | changes)


def shown(capsys, found):
    print_verdict(found, output())
    return capsys.readouterr().out


def test_notes(capsys):
    text = shown(capsys, verdict(outcome="holds"))
    sentences = " ".join(text.split())
    counts = "9 float chains seemed to violate the claim: 2 examined exactly (0 confirmed, 2 rounding), 7 not examined "
    assert f"{counts}(the worst ones were, and are rounding)." in sentences
    assert [line.split() for line in text.splitlines() if line.startswith(" sampled")] == [
        ["sampled", "3", "0", "9", "2", "0", "-"]
    ]
    assert "Reach" not in text
    assert f"{counts}(the claim is refuted without them)." in " ".join(shown(capsys, verdict()).split())
    reach = {"pairs": (1.0, 40.0), "gamma": (0.0, 0.999999), "rewards": (-1e6, 3.0), "R": (0.0, 1e6)}
    assert "Reach: chains of 1 to 40 pairs, gamma 0 to 0.999999, rewards -1e+06 to 3, " in shown(
        capsys, verdict(box=reach)
    )
    assert "1 exact comparison too close to be decided." in text
    assert "3 KROPE features" in text
    assert "claim    rank <= S\n" in text


def test_everything_in_a_witness_is_shown(capsys):
    long = "123456789/1000000007"
    witness = {
        "P_pi": [["1/2", "1/4"], [long, "876543218/1000000007"]], "r": ["0", "-1"], "gamma": "9/10",
        "end": ["1/4", "0"], "weights": ["1", "0"], "reward_range": ["-2", "0"],
        "P": [["1"], ["1"]], "Pi": [["1/2", "1/2"]],
    }  # fmt: skip
    sides = {"left": long, "sign": "<=", "right": "1.5", "decimals": ("0.123456788", "1.5")}
    text = shown(capsys, verdict(witness=witness, at={"x": 1, "y": 1}, **sides))
    assert "Witness (gamma = 9/10, R = 2, reward range -2 to 0, 1 state)\n" in text
    rows = [line.split() for line in text.split("Witness")[1].splitlines() if line[:3] in (" 0 ", " 1 ")]
    assert rows[0] == ["0", "0", "1/2", "1/4", "1/4", "1"]
    assert rows[1] == ["1", "x,", "y", "-1", "~0.123457", "~0.876543", "0", "0"]
    assert "--json has the fractions" in text
    assert f"left     {long} ~ 0.123" in text
    assert "right    1.5\n" in text


def test_a_witness_of_many_pairs_lists_successors(capsys):
    X = 30
    law = [["1" if y == (x + 1) % X else "0" for y in range(X)] for x in range(X)]
    law[3][4] = law[3][5] = "1/2"
    witness = {"P_pi": law, "r": ["0"] * (X - 1) + ["5/2"], "gamma": "1/2"}
    text = shown(capsys, verdict(witness=witness, at={}, left="30", right="12", decimals=("30", "12")))
    assert "Witness (gamma = 1/2, R = 5/2)\n" in text
    assert ["3", "0", "4", "(1/2),", "5", "(1/2)"] in [line.split() for line in text.splitlines()]
    assert ["29", "5/2", "0"] in [line.split() for line in text.splitlines()]


def test_the_reach_is_shown_and_written(krope, tmp_path):
    path = tmp_path / "verdict.json"
    found = krope("conjecture", "sqrt(q[x]) <= 5 * horizon * rmax", "--examples", 8, "--gamma", "1/4", "--json", path)
    box = json.loads(path.read_text())["box"]
    assert box["gamma"] == [0.25, 0.25]
    assert box["pairs"][0] == 1
    assert f"Reach: chains of 1 to {box['pairs'][1]:g} pairs, gamma 0.25, rewards -1e+06 to " in found.out


def test_the_bar_comes_late_and_only_on_a_terminal(capsys, monkeypatch):
    with late_progress(patience=60.0) as report:
        report("exact", 0.5)
    assert capsys.readouterr().err == ""
    bars = []

    class Bar:
        task_ids = (0,)

        def __enter__(self):
            bars.append(self)
            self.seen = []
            return self

        def __exit__(self, *error):
            self.closed = True

        def update(self, task, description, completed):
            self.seen.append((description, completed))

    monkeypatch.setattr("krope.conjecture.progress", lambda description, total: Bar())
    with late_progress(patience=0.0) as report:
        report("exact", 0.5)
        report("shrinking", 3.0)
    assert len(bars) == 1
    assert bars[0].seen == [("exact", 5.0), ("shrinking", 100.0)]
    assert bars[0].closed


@pytest.mark.parametrize(("outcome", "indent"), [("refuted", 9), ("holds", 2)])
def test_a_long_reason_is_folded_in_line_with_its_beginning(outcome, indent, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    reason = " ".join(["reason"] * 15)
    lines = shown(capsys, verdict(outcome=outcome, reason=reason)).splitlines()
    folded = [line for line in lines if "reason" in line]
    assert len(folded) == 2
    assert {len(line) - len(line.lstrip()) for line in folded[1:]} == {indent}
    assert max(map(len, folded)) <= 80
