"""PRISM and JANI through Storm: values equal those of its exact engine, as fractions."""

from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest

import tabular_krope as tk
from tabular_krope.data import storm_models
from tabular_krope.data.storm_models import read_symbolic
from tabular_krope.errors import KropeError

DIE = """dtmc
const double p;
module die
  s : [0..7] init 0;
  [] s=0 -> p : (s'=1) + 1-p : (s'=2);
  [] s=1 -> p : (s'=3) + 1-p : (s'=4);
  [] s=2 -> p : (s'=5) + 1-p : (s'=6);
  [] s=3 -> p : (s'=1) + 1-p : (s'=7);
  [] s=4 -> 1 : (s'=7);
  [] s=5 -> 1/7 : (s'=0) + 6/7 : (s'=7);
  [] s=6 -> p : (s'=2) + 1-p : (s'=7);
  [] s=7 -> 1 : true;
endmodule
rewards "flips"
  s<7 : 1;
endrewards
rewards "fees"
  s=1 : 1/3;
  [] s=6 : 2/9;
endrewards
label "done" = s=7;
"""
ERRANDS = """mdp
module m
  x : [0..3] init 0;
  [go] x=0 -> 1/3:(x'=1)+2/3:(x'=2);
  [stay] x=0 -> 1:(x'=0);
  [go] x=1 -> 1:(x'=3);
  [] x=2 -> 1/2:(x'=2)+1/2:(x'=3);
  [] x=2 -> 1:(x'=1);
  [loop] x=3 -> true;
endmodule
rewards "cost"
  x<3 : 1;
  [go] true : 1/7;
endrewards
label "goal" = x=3;
"""


def storms_values(path, formula, constants=""):
    storm = pytest.importorskip("stormpy", reason="stormpy (the storm extra) is not installed")
    program = storm.io.parse_prism_program(str(path))
    if constants:
        program, _ = storm.io.instantiate_constants(program, constants)
    (wanted,) = storm.parse_properties(formula, program)
    options = storm.BuilderOptions()
    options.set_build_all_reward_models(True)
    options.set_build_all_labels(True)
    model = storm.build_model[storm.Rational](program, options=options)
    found = storm.model_checking(model, wanted)
    return [Fraction(str(found.get_value(s))) for s in range(model.nr_states)]


def fractions_of(values):
    return [Fraction(str(v)) for v in values]


@pytest.mark.parametrize("p", ["1/2", "1/3", "2/7", "9/10"])
@pytest.mark.parametrize("reward", ["flips", "fees"])
def test_values_of_chains_are_storms_as_fractions(tmp_path, p, reward):
    path = tmp_path / "die.prism"
    path.write_text(DIE.replace("const double p;", f"const double p = {p};"))
    expected = storms_values(path, f'R{{"{reward}"}}=? [F "done"]')
    chain = read_symbolic(path, gamma=1, reward=reward, end="done")
    assert fractions_of(chain.q) == expected[:7]
    assert expected[7] == 0
    exported = tmp_path / "again.drn"
    tk.save(chain, exported)
    assert fractions_of(tk.load(exported).q) == expected[:7]


def test_optimal_values_are_storms_as_fractions(tmp_path):
    path = tmp_path / "errands.nm"
    path.write_text(ERRANDS)
    expected = storms_values(path, 'R{"cost"}min=? [F "goal"]')
    costs = read_symbolic(path, gamma=1, reward="cost", end="goal")
    gains = tk.ExactMDP(costs.P, [-v for v in costs.r], 1, costs.d0, costs.end, costs.pair_state, costs.pair_action)
    found = tk.policy_iteration(gains)
    assert [-v for v in fractions_of(found.values)] == expected[:3] == [Fraction(20, 7), Fraction(8, 7), 2]
    assert found.proved


def test_what_we_write_storm_reads(tmp_path):
    storm = pytest.importorskip("stormpy", reason="stormpy (the storm extra) is not installed")
    mdp = tk.ExactMDP([[["1/3", "1/3"], [1, 0]], [[0, 1]]], [["1/7", 0], [2]], "9/10", end=[["1/3", 0], [0]])
    tk.save(mdp, tmp_path / "model.drn")
    model = storm.build_model_from_drn[storm.Rational](str(tmp_path / "model.drn"))
    assert (model.nr_states, model.nr_choices) == (3, 4)
    rows = [{e.column: Fraction(str(e.value)) for e in model.transition_matrix.row_iter(x, x)} for x in range(3)]
    assert rows[0] == {0: Fraction(1, 3), 1: Fraction(1, 3), 2: Fraction(1, 3)}
    assert [str(v) for v in model.reward_models["r"].state_action_rewards] == ["1/7", "0", "2", "0"]


def test_the_blocks_that_storm_finds(tmp_path):
    """Storm merges states by their sets of behaviors; by name there are more blocks."""
    storm = pytest.importorskip("stormpy", reason="stormpy (the storm extra) is not installed")
    lines = [f"  [a{k}] x={k} -> 1/2:(x'={(k + 4) % 12})+1/2:(x'={(k + 1) % 12});" for k in range(12)]
    text = "\n".join(["mdp", "module m", "  x : [0..11] init 0;", *lines, "endmodule",
                      'label "four" = mod(x,4)=0;', 'rewards "r"', "  mod(x,4)=0 : 1;", "endrewards"])  # fmt: skip
    path = tmp_path / "ring.nm"
    path.write_text(text)
    mdp = read_symbolic(path, gamma="9/10")
    program = storm.io.parse_prism_program(str(path))
    model = storm.build_model[float](program)
    wanted = storm.parse_properties('R{"r"}max=? [C<=9]', program)
    smaller = storm.transformations.perform_bisimulation(model, wanted)
    assert tk.bisimulation_partition(mdp).n_blocks == 12
    assert tk.bisimulation_partition(mdp, actions="set").n_blocks == 4
    assert smaller.nr_states == 4


def test_jani_and_constants(tmp_path):
    pytest.importorskip("stormpy", reason="stormpy (the storm extra) is not installed")
    from stormpy.examples import files

    assert tk.load(files.jani_dtmc_die).n_pairs == 13
    path = tmp_path / "die.pm"
    path.write_text(DIE)
    assert read_symbolic(path, gamma=1, end="done", constants={"p": "1/3"}).n_pairs == 7
    with pytest.raises(KropeError, match="the file must be a model that Storm can build; got"):
        read_symbolic(path)
    path.write_text("no model")
    with pytest.raises(KropeError, match="the file must be a model that Storm can build; got"):
        tk.load(path)


def test_without_storm_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "stormpy", None)
    path = tmp_path / "die.prism"
    path.write_text(DIE)
    with pytest.raises(KropeError, match=r"this needs stormpy, which is not installed \(pip install '.\[storm\]'"):
        tk.load(path)


def test_the_steps_with_a_storm_of_our_own(tmp_path, monkeypatch):
    """What is asked of Storm, with a stand-in: parse, constants, build exactly, export."""
    asked = []
    text = "@type: DTMC\n@nr_states\n1\n@model\nstate 0 [1]\n\taction 0\n\t\t0 : 1\n"

    class Options:
        def __getattr__(self, name):
            return lambda value: asked.append((name, value))

    fake = SimpleNamespace(
        io=SimpleNamespace(
            parse_jani_model=lambda name: (f"jani {name}", []),
            parse_prism_program=lambda name: f"prism {name}",
            instantiate_constants=lambda model, constants: (f"{model} {constants}", []),
            export_to_drn=lambda model, path: Path(path).write_text(text),
        ),
        BuilderOptions=Options,
        Rational="rational",
        build_model={"rational": lambda model, options: asked.append(model)},
    )
    monkeypatch.setattr(storm_models, "needed", lambda name: fake)
    assert str(read_symbolic("a.jani", "1/2", constants={"N": 3, "b": True}).q[0]) == "2"
    assert asked[-1] == "jani a.jani N=3,b=true"
    read_symbolic("b.prism")
    assert asked[-1] == "prism b.prism"
    assert ("set_build_all_reward_models", True) in asked
