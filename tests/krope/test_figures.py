import json
from pathlib import Path

import pytest

from figures.studies import running
from figures.studies.registry import STUDIES


def test_the_list_makes_nothing(krope, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = krope("figures", "--list")
    assert found.code == 0
    assert all(study.name in found.out for study in STUDIES)
    assert list(tmp_path.iterdir()) == []
    assert "exact-spectral" not in krope("figures", "van-roy", "--list").out


def test_the_list_as_json(krope, tmp_path):
    found = json.loads(krope("figures", "--list", "--json", "-").out)
    assert [one["name"] for one in found] == [study.name for study in STUDIES]
    assert all(one["about"] for one in found)
    (one,) = json.loads(krope("figures", "garnet-spectral", "--list", "--set", "sets=1", "--json", "-").out)
    assert one["settings"]["sets"] == "1"
    assert "van-roy" in krope("figures", "van-roy", "--list", "--json", tmp_path / "l.json").out
    assert json.loads((tmp_path / "l.json").read_text())[0]["name"] == "van-roy"


def test_a_quick_figure_goes_to_a_folder_of_its_own(krope, tmp_path):
    found = krope("figures", "bisimulation-intuition", "--quick", "--out", tmp_path)
    assert (found.code, found.err) == (0, "")
    for path in ("data/bisimulation-intuition.npz", "pictures/bisimulation-intuition.png"):
        assert (tmp_path / "quick" / path).is_file()
        assert str(tmp_path / "quick" / path) in found.out
    assert not (tmp_path / "data").exists()


def test_an_interrupt_says_what_is_kept_and_how_to_go_on(krope, tmp_path, monkeypatch):
    real = running.run_study

    def interrupted(study, settings, folder, *how):
        if study.name == "bisimulation-intuition":
            return real(study, settings, folder, *how)
        (folder / "data" / f"{study.name}.parts").mkdir()
        (folder / "data" / f"{study.name}.parts" / "0.npz").write_bytes(b"")
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "run_study", interrupted)
    found = krope("figures", "bisimulation-intuition", "van-roy", "tightness", "--quick", "--out", tmp_path)
    assert found.code == 130
    kept = f"1 figure and 1 piece of the next are kept in {tmp_path / 'quick'}; the same command resumes"
    assert found.err == f"krope: interrupted: {kept}\n"


def test_json_lists_the_files_and_nothing_else(krope, tmp_path):
    found = krope("figures", "bisimulation-intuition", "--quick", "--out", tmp_path, "--json", "-")
    files = json.loads(found.out)["bisimulation-intuition"]
    assert files[0] == str(tmp_path / "quick" / "data" / "bisimulation-intuition.npz")
    assert all(Path(file).is_file() for file in files)


def test_another_seed_in_the_same_folder_is_refused(krope, tmp_path):
    krope("figures", "bisimulation-intuition", "--out", tmp_path)
    assert "seed = 1; got 0" in krope("figures", "bisimulation-intuition", "--out", tmp_path, "--seed", 1).refused


def test_the_settings_of_a_figure_are_listed_as_they_are_given(krope):
    assert "  sets=3\n" in krope("figures", "garnet-spectral", "--list").out
    assert "  sets=1\n" in krope("figures", "garnet-spectral", "--list", "--set", "sets=1").out
    assert "sets=" not in krope("figures", "--list").out


def test_the_learned_study_of_another_set_of_seeds(krope, tmp_path):
    pytest.importorskip("torch")
    small = ["sets=1", "trials=2", "epochs=1", "transitions=400", "dimensions=2,3", "algorithms=krope"]
    words = [word for change in small for word in ("--set", change)]
    found = krope("figures", "garnet-orthogonality", "--seed", 7, "--out", tmp_path, *words)
    assert (found.code, found.err) == (0, "")
    runs = sorted(path.name for path in (tmp_path / "data" / "garnet" / "features").iterdir())
    assert runs == ["krope-d2-seeds7.npz", "krope-d3-seeds7.npz"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["garnet-spectral", "--set", "dimensions=0"], "set dimensions must be an integer of at least 1; got 0"),
        (["garnet-spectral", "--set", "algorithms=krop"], "got 'krop' (did you mean 'krope'?)"),
        (["nope"], "got 'nope' (krope figures --list shows all)"),
        (["vanroy"], "(did you mean 'van-roy'?): bisimulation-distances, "),
        (["van-roy", "--seed", "-1"], "seed must be an integer of at least 0; got -1"),
        (["van-roy", "--jobs", "0"], "jobs must be an integer of at least 1; got 0"),
        (["van-roy", "--out", "/dev/null/x"], "out must be a folder"),
    ],
)
def test_bad_settings(krope, words, message):
    assert message in krope("figures", *words).refused


def test_kinds_of_files_and_their_width(krope, tmp_path):
    how = ("--quick", "--out", tmp_path, "--format", "pdf, png", "--width", "6", "--style", "paper")
    files = [Path(file) for file in json.loads(krope("figures", "kernel-tour", *how, "--json", "-").out)["kernel-tour"]]
    assert [file.suffix for file in files] == [".npz", ".pdf", ".png"]
    assert files[1].read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(("option", "value", "word"), [("--format", "jpg", "format"), ("--style", "x", "style")])
def test_what_cannot_be_drawn_is_refused_before_anything_is_computed(krope, tmp_path, option, value, word):
    found = krope("figures", "kernel-tour", "--quick", "--out", tmp_path, option, value)
    assert found.code == 2
    assert found.err.startswith(f"krope: error: {word} must be one of")
    assert list(tmp_path.iterdir()) == []


def test_a_picture_too_narrow_for_its_panels(krope, tmp_path):
    found = krope("figures", "kernel-tour", "--quick", "--out", tmp_path, "--width", "1.5")
    assert found.code == 2
    assert "width must leave room for the panels of kernel-tour; got 1.5" in found.err
