import subprocess
import sys


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_the_package_itself_does_not_need_torch():
    out = run("import sys, deep; print('torch' in sys.modules)")
    assert out.stdout.strip() == "False"


def test_a_missing_torch_is_explained():
    hidden = "import importlib.abc\nclass No(importlib.abc.MetaPathFinder):\n def find_spec(self, name, *a):\n"
    hidden += "  if name == 'torch': raise ModuleNotFoundError('no', name='torch')\n"
    out = run(f"{hidden}import sys; sys.meta_path.insert(0, No())\nimport deep.losses.fqe")
    assert (
        "KropeError: this needs torch, which is not installed (pip install '.[deep]' in the clone of krope-lab)"
        in out.stderr
    )


def test_another_missing_module_is_not_blamed_on_torch():
    hidden = "import importlib.abc\nclass No(importlib.abc.MetaPathFinder):\n def find_spec(self, name, *a):\n"
    hidden += "  if name == 'torch': raise ModuleNotFoundError('no', name='sympy')\n"
    out = run(f"{hidden}import sys; sys.meta_path.insert(0, No())\nimport deep.losses.fqe")
    assert "ModuleNotFoundError: no" in out.stderr
    assert "KropeError" not in out.stderr
