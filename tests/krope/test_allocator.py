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
def test_the_process_of_the_command_has_them():
    code = (
        "import os, sys; sys.argv = ['krope', 'deep', 'train', '--data', 'none.h5', '--out', 'x'];"
        "real = os.execve;"
        "os.execve = lambda path, words, env: print(words[1:], env['MALLOC_TOP_PAD_']) or sys.exit(0);"
        "from krope import main; main()"
    )
    clean = {name: value for name, value in os.environ.items() if name not in SETTINGS and name != allocator.CHOICE}
    done = subprocess.run([sys.executable, "-c", code], env=clean, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['-m', 'krope', 'deep', 'train', '--data', 'none.h5', '--out', 'x'] 268435456"
