import os
import subprocess
import sys

import pytest

from krope import allocator
from tabular_krope.control.process_settings import SETTINGS


@pytest.mark.parametrize("words", [["deep", "train", "--data", "x"], ["--debug", "deep", "sweep"]])
def test_training_commands_start_again_once_with_what_the_user_has_not_set(words):
    wanted = allocator.environment_for(words, {"PATH": "/bin", "OMP_NUM_THREADS": "2"}, "linux")
    assert wanted == {**SETTINGS, "PATH": "/bin", "OMP_NUM_THREADS": "2", allocator.CHOICE: "set"}
    assert allocator.environment_for(words, wanted, "linux") is None


@pytest.mark.parametrize(
    ("words", "environment", "platform"),
    [
        (["deep", "table"], {}, "linux"),
        (["check"], {}, "linux"),
        ([], {}, "linux"),
        (["deep", "train", "--help"], {}, "linux"),
        (["deep", "train"], {}, "darwin"),
        (["deep", "train"], {"KROPE_ALLOCATOR": "system"}, "linux"),
    ],
)
def test_nothing_else_does(words, environment, platform):
    assert allocator.environment_for(words, environment, platform) is None


def test_a_program_that_calls_the_command_is_left_alone(monkeypatch):
    import krope

    monkeypatch.setattr(os, "execve", lambda *given: pytest.fail("replaced the process"))
    monkeypatch.delenv(allocator.CHOICE, raising=False)
    with pytest.raises(SystemExit) as left:
        krope.main(["deep", "train", "--data", "none.h5", "--out", ""])
    assert left.value.code == 2


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's settings")
def test_the_process_of_the_command_has_them_and_is_started_as_it_was(tmp_path):
    """Files of the user's folder that are called like modules of Python stay unread."""
    (tmp_path / "queue.py").write_text("raise SystemExit('the wrong queue')")
    script = tmp_path / "bin" / "krope"
    script.parent.mkdir()
    script.write_text(
        "import os, sys\n"
        "if os.environ.get('KROPE_ALLOCATOR') == 'set':\n"
        "    print(sys.argv[1:], os.environ['MALLOC_TOP_PAD_'], str(os.getcwd()) in sys.path, flush=True)\n"
        "from krope import main\n"
        "main()\n"
    )
    clean = {name: value for name, value in os.environ.items() if name not in SETTINGS and name != allocator.CHOICE}
    words = ["deep", "train", "--data", "none.h5", "--out", "x"]
    done = subprocess.run(
        [sys.executable, str(script), *words], env=clean, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines()[0] == f"{words} 268435456 False"
    assert done.returncode == 2
    assert "none.h5" in done.stderr
