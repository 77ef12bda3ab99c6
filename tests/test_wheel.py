"""The wheel, built from the sources and installed into an empty environment, does the main job."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = ["pyproject.toml", "README.md", "LICENSE", "krope", "tabular_krope", "proofs_check", "deep", "figures"]


def run(*command, **settings):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **settings)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_wheel_does_the_main_job_in_an_empty_environment(tmp_path):
    # A copy: building in place would leave build/ behind, and stale files there would end up in the wheel.
    source = tmp_path / "source"
    source.mkdir()
    for name in SOURCES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, source / name)
    run(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path, source)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    data = ["tabular_krope/py.typed", "tabular_krope/__init__.pyi", "proofs_check/__init__.pyi"]
    data += ["proofs_check/formal/ledger.json", "proofs_check/formal/stability.v"]
    data += ["figures/app/static/app.css", "figures/app/static/app.js"]
    assert [name for name in data if name not in names] == []

    # The environment borrows this one's pip, and leaves compiling to whoever imports: most of it is never imported.
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "empty")
    python = tmp_path / "empty" / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-compile")
    run(*pip, "-c", ROOT / "constraints.txt", wheel)
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "COVERAGE_PROCESS_START")}
    krope = tmp_path / "empty" / "bin" / "krope"
    few = ("theorem-1", "lemma-value-bound", "theorem-castro")  # by Coq, by a witness, by transport
    run(krope, "check", *few, "--examples", "20", "--json", tmp_path / "verdicts.json", cwd=tmp_path, env=clean)
    verdicts = json.loads((tmp_path / "verdicts.json").read_text())["statements"]
    assert [row["outcome"] for row in verdicts] == ["holds", "refuted", "holds"]
    out = run(krope, "analyze", "zoo:two-state", "--json", "-", cwd=tmp_path, env=clean)
    assert json.loads(out)["stable"] is True
