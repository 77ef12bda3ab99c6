import os

import pytest

from tabular_krope.data import atomic
from tabular_krope.data.atomic import atomic_write, remove_abandoned
from tabular_krope.errors import KropeError


def test_writes_and_replaces(tmp_path):
    path = tmp_path / "a.bin"
    atomic_write(path, lambda stream: stream.write(b"one"))
    atomic_write(str(path), lambda stream: stream.write(b"two"))
    assert path.read_bytes() == b"two"
    assert os.listdir(tmp_path) == ["a.bin"]


@pytest.mark.parametrize("error", [RuntimeError("half way"), KeyboardInterrupt()])
def test_a_failure_leaves_what_was_there_and_nothing_else(tmp_path, error):
    path = tmp_path / "a.bin"
    path.write_bytes(b"before")

    def write(stream):
        stream.write(b"half")
        raise error

    with pytest.raises(type(error)):
        atomic_write(path, write)
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["a.bin"]


def test_the_bytes_reach_the_disk_before_the_name(tmp_path, monkeypatch):
    events = []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(atomic.os, "fsync", lambda handle: (events.append("sync"), fsync(handle)))
    monkeypatch.setattr(atomic.os, "replace", lambda a, b: (events.append("name"), replace(a, b)))
    atomic_write(tmp_path / "a", lambda stream: stream.write(b"x"))
    assert events == ["sync", "name", "sync"]


def test_a_link_stays_a_link(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    atomic_write(link, lambda stream: stream.write(b"new"))
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_the_usual_permissions(tmp_path):
    (tmp_path / "usual").write_bytes(b"")
    atomic_write(tmp_path / "ours", lambda stream: stream.write(b""))
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_folders_that_do_not_exist_or_are_in_the_way(tmp_path):
    with pytest.raises(
        KropeError, match=r"no/a must be a file in an existing folder that can be written; got .*No such"
    ):
        atomic_write(tmp_path / "no" / "a", lambda stream: None)
    (tmp_path / "folder").mkdir()
    with pytest.raises(KropeError, match=r"folder must be an ordinary file or not exist yet"):
        atomic_write(tmp_path / "folder", lambda stream: None)
    assert os.listdir(tmp_path) == ["folder"]


@pytest.mark.parametrize("refuses", ["open", "fsync"])
def test_a_system_that_cannot_sync_folders(tmp_path, monkeypatch, refuses):
    real = getattr(os, refuses)

    def refuse(what, *arguments):
        if refuses == "open" or os.path.isdir(f"/proc/self/fd/{what}"):
            raise OSError("not here")
        return real(what, *arguments)

    monkeypatch.setattr(atomic.os, refuses, refuse)
    atomic_write(tmp_path / "a", lambda stream: stream.write(b"x"))
    assert (tmp_path / "a").read_bytes() == b"x"


def test_only_old_temporary_files_of_ours_are_removed(tmp_path):
    left = []

    def killed(stream):
        left.extend(os.listdir(tmp_path))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        atomic_write(tmp_path / "a", killed)
    (name,) = left  # as a writer that is killed here would leave it
    others = [".krope-notes.tmp", "krope-0123456789abcdef.tmp", f"{name}.old", "result.json"]
    fresh = ".krope-0123456789abcdef.tmp"
    for other in (name, *others, fresh):
        (tmp_path / other).write_bytes(b"half")
    for other in (name, *others):
        os.utime(tmp_path / other, (0, 0))
    (tmp_path / ".krope-fedcba9876543210.tmp").mkdir()
    os.utime(tmp_path / ".krope-fedcba9876543210.tmp", (0, 0))
    remove_abandoned(tmp_path)
    assert sorted(os.listdir(tmp_path)) == sorted([*others, fresh, ".krope-fedcba9876543210.tmp"])


def test_a_folder_that_is_not_there_has_nothing_to_remove(tmp_path):
    (tmp_path / "file").touch()
    remove_abandoned(tmp_path / "none")
    remove_abandoned(tmp_path / "file")
    assert os.listdir(tmp_path) == ["file"]
