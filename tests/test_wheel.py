"""The wheel, built from the sources and installed into an empty environment, does the main job."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
SOURCES = ["pyproject.toml", "README.md", "LICENSE", "krope", "tabular_krope", "proofs_check", "deep", "figures"]
#: Imported somewhere in the sources, and not asked for by the wheel.
OPTIONAL = ("torch", "safetensors", "dask", "mkdocs", "pytest")


def run(*command, **settings):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **settings)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def asked_for(package: Distribution) -> list[Distribution]:
    """What a package requires, and what that requires, each in a version that whoever asks is content with."""
    found: dict[str, Distribution] = {}
    waiting = [(package, frozenset[str]())]
    done = set()
    while waiting:
        asking, extras = waiting.pop()
        if (asking.name, extras) in done:
            continue
        done.add((asking.name, extras))
        for requirement in map(Requirement, asking.requires or ()):
            wanted = requirement.marker
            if wanted is None or any(wanted.evaluate({"extra": extra}) for extra in extras | {""}):
                other = distribution(requirement.name)
                assert requirement.specifier.contains(other.version, prereleases=True), (asking.name, str(requirement))
                found[other.name] = other
                waiting.append((other, frozenset(requirement.extras)))
    return list(found.values())


def lend(packages: list[Distribution], site: Path) -> None:
    """Links in ``site`` to every module and folder of these packages."""
    for package in packages:
        tops = {file.parts[0] for file in package.files or () if file.parts[0] not in ("..", "__pycache__")}
        for top in tops:
            if not (site / top).exists():
                (site / top).symlink_to(Path(str(package.locate_file(top))).resolve())


def test_wheel_does_the_main_job_in_an_empty_environment(tmp_path):
    # A copy: building in place would leave build/ behind, and stale files there would end up in the wheel.
    source = tmp_path / "source"
    source.mkdir()
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, source / name)
    hurried = os.environ | {"PIP_NO_COMPILE": "1"}
    run(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path, source, env=hurried)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    data = ["tabular_krope/py.typed", "tabular_krope/__init__.pyi", "proofs_check/__init__.pyi"]
    data += ["proofs_check/formal/ledger.json", "proofs_check/formal/stability.v"]
    data += ["figures/app/static/app.css", "figures/app/static/app.js"]
    assert [name for name in data if name not in names] == []

    # The environment borrows this one's pip and the packages that the wheel requires, which takes no time, and no
    # others; it leaves compiling to whoever imports: most of the wheel is never imported.
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "empty")
    python = tmp_path / "empty" / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-compile", "--no-deps", wheel)
    (site,) = (tmp_path / "empty").glob("lib/python*/site-packages")
    (installed,) = distributions(name="krope-lab", path=[str(site)])
    lend(asked_for(installed), site)
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "COVERAGE_PROCESS_START")}
    seen = "import sys, importlib.util as found; print([name for name in sys.argv[1:] if found.find_spec(name)])"
    assert run(python, "-c", seen, "numpy", *OPTIONAL, cwd=tmp_path, env=clean) == "['numpy']\n"
    krope = tmp_path / "empty" / "bin" / "krope"
    few = ("theorem-1", "lemma-value-bound", "theorem-castro")  # by Coq, by a witness, by transport
    run(krope, "check", *few, "--examples", "20", "--json", tmp_path / "verdicts.json", cwd=tmp_path, env=clean)
    verdicts = json.loads((tmp_path / "verdicts.json").read_text())["statements"]
    assert [row["outcome"] for row in verdicts] == ["holds", "refuted", "holds"]
    out = run(krope, "analyze", "zoo:two-state", "--json", "-", cwd=tmp_path, env=clean)
    assert json.loads(out)["stable"] is True
