import numpy as np
import pytest

from tabular_krope.data.continuous import ContinuousDataset
from tabular_krope.data.d4rl_rows import arrays_as_dataset, joined
from tabular_krope.data.files import load, save
from tabular_krope.data.streams import stream
from tabular_krope.errors import KropeError
from tests.tabular_krope.data.parts import parts
from tests.tabular_krope.data.transitions import FIELDS, GOOD, arrays, continuous_data
from tests.tabular_krope.data.written import write_hdf5


@pytest.mark.parametrize("extension", [".hdf5", ".h5", ".npz", ".json"])
@pytest.mark.parametrize("everything", [False, True])
def test_round_trip_to_the_last_bit(tmp_path, extension, everything):
    data = continuous_data(everything=everything)
    save(data, tmp_path / f"a{extension}")
    assert parts(load(tmp_path / f"a{extension}", kind="continuous")) == parts(data)
    assert load(tmp_path / f"a{extension}", gamma=0.5).gamma == 0.5


@pytest.mark.parametrize("extension", [".hdf5", ".npz"])
@pytest.mark.parametrize("size", [1, 3, 100])
def test_blocks_are_the_whole(tmp_path, extension, size):
    data = continuous_data(n=11, everything=True)
    save(data, tmp_path / f"a{extension}")
    blocks = list(stream(tmp_path / f"a{extension}", size))
    assert [len(block) for block in blocks[:-1]] == [size] * (len(blocks) - 1)
    assert parts(joined(blocks)) == parts(data) == parts(joined(list(data.blocks(size))))


def successor_by_hand(raw):
    """Row by row: the observation of the next row, None where there is none."""
    n, kept = len(raw["rewards"]), []
    for i in range(n):
        if raw["terminals"][i]:
            kept.append((i, raw["observations"][i]))
        elif not raw["timeouts"][i] and i + 1 < n:
            kept.append((i, raw["observations"][i + 1]))
    return kept


@pytest.mark.parametrize("size", [1, 2, 5, 100])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("extension", [".hdf5", ".npz"])
def test_missing_next_observations_are_shifted_within_episodes(tmp_path, extension, seed, size):
    raw = arrays(continuous_data(n=13, seed=seed), "next_observations")
    path = tmp_path / f"a{extension}"
    if extension == ".npz":
        np.savez(path, **raw, metadata=np.zeros(3))  # what D4RL does not speak of is left aside
    else:
        write_hdf5(path, raw | {"infos": np.zeros(2)}, compression="gzip", chunks=True)
    whole = load(path, gamma=0.9)
    expected = successor_by_hand(raw)
    assert whole.rewards.tolist() == [raw["rewards"][i] for i, _ in expected]
    np.testing.assert_array_equal(whole.next_observations, [after for _, after in expected])
    assert parts(joined(list(stream(path, size, gamma=0.9)))) == parts(whole)
    # episodes stay episodes: each kept row is in that of the raw rows, in order
    raw_episode = np.concatenate([[0], np.cumsum(raw["terminals"] | raw["timeouts"])[:-1]])
    same = np.diff(raw_episode[[i for i, _ in expected]]) == 0
    np.testing.assert_array_equal(np.diff(whole.episodes) == 0, same)


def test_without_timeouts_only_terminals_end_episodes():
    raw = arrays(continuous_data(), "next_observations", "timeouts")
    assert not arrays_as_dataset(raw, 0.9).timeouts.any()
    with pytest.raises(KropeError, match="must hold at least one transition with its successor; got none"):
        arrays_as_dataset({name: value[-1:] for name, value in raw.items()} | {"terminals": np.zeros(1)}, 0.9)


def test_values_are_frozen_and_checked():
    data = ContinuousDataset(**GOOD)
    with pytest.raises(ValueError, match="read-only"):
        data.rewards[0] = 1.0
    assert data.timeouts.tolist() == [False, False]
    assert ContinuousDataset(**(GOOD | {"timeouts": [True, False]})).episodes.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"observations": np.zeros((0, 1))}, "observations must have at least one row and one column; got"),
        ({"observations": None}, "observations must be given; got None"),
        ({"observations": np.zeros((2, 0))}, r"must have at least one row and one column; got shape \(2, 0\)"),
        ({"actions": [[1.0]]}, r"actions must have shape \(2, any\); got \(1, 1\)"),
        ({"rewards": [1.0, np.nan]}, r"rewards\[1\] must be finite; got nan"),
        ({"next_observations": [[1.0, 2.0]] * 2}, r"next_observations must have shape \(2, 1\); got \(2, 2\)"),
        ({"terminals": [0.0, 0.5]}, r"terminals\[1\] must be true or false; got 0.5"),
        ({"terminals": ["a", "b"]}, "terminals must be an array of numbers"),
        ({"gamma": 2}, r"gamma must lie in \[0, 1\]; got 2"),
        ({"next_actions": [[1.0, 1.0]] * 2}, r"next_actions must have shape \(2, 1\)"),
        ({"next_features": [[1.0]] * 2}, "features must be given when next_features or initial_features are; got none"),
        ({"features": [[1.0, 2.0]] * 2, "next_features": [1.0, 2.0]}, "next_features must have 2 columns; got one"),
        ({"features": [[1.0]] * 2, "initial_features": np.zeros((0, 1))}, "initial_features must have at least one"),
        ({"initial_observations": [[1.0]], "initial_actions": [[1.0]] * 2}, r"initial_actions must have shape \(1, 1"),
    ],
)  # fmt: skip
def test_bad_values(change, message):
    with pytest.raises(KropeError, match=message):
        ContinuousDataset(**(GOOD | change))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rewards": None}, "the file must have the array 'rewards' of D4RL's layout; got actions, next_observations"),
        ({"actions": np.zeros((3, 1))}, "actions must have 2 rows like rewards; got 3"),
        ({"rewards": np.array(["a", "b"], dtype="S1")}, "rewards must be a vector or a matrix of real numbers; got"),
        ({"rewards": np.zeros((2, 1, 1))}, "rewards must be a vector or a matrix"),
        ({"rewards": np.array([1.0, np.inf])}, r"rewards\[1\] must be finite; got inf"),
        ({"next_observations": None, "terminals": np.zeros((2, 1))}, r"terminals must be a vector; got shape \(2, 1\)"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("extension", [".hdf5", ".npz"])
def test_bad_files(tmp_path, extension, change, message):
    path = tmp_path / f"a{extension}"
    fields = {name: value for name, value in (FIELDS | change).items() if value is not None}
    if extension == ".hdf5":
        write_hdf5(path, fields)
    else:
        np.savez(path, **fields)
        message = message.replace(" of real numbers; got", "").replace(
            "a vector or a matrix", "a vector or a matrix|rewards.npy must hold real"
        )
    for read in (load, lambda path, gamma: list(stream(path, gamma=gamma))):
        with pytest.raises(KropeError, match=f"a{extension}: .*(?:{message})"):
            read(path, gamma=0.9)


@pytest.mark.parametrize("extension", [".hdf5", ".npz"])
def test_gamma_is_asked_for(tmp_path, extension):
    path = tmp_path / f"a{extension}"
    if extension == ".hdf5":
        write_hdf5(path, FIELDS)
    else:
        np.savez(path, **FIELDS)
    with pytest.raises(KropeError, match="gamma must be given for a file that states none"):
        load(path)
    with pytest.raises(KropeError, match="gamma must be given for a file that states none"):
        list(stream(path))
    assert load(path, gamma=0.5).gamma == 0.5


def test_paths_of_streams(tmp_path):
    with pytest.raises(KropeError, match=r"path must end in \.hdf5, \.h5 or \.npz to be read in blocks; got 'a.csv'"):
        stream("a.csv")
    with pytest.raises(KropeError, match="path must be an existing file; got"):
        stream(tmp_path / "a.npz")
    (tmp_path / "a.npz").write_bytes(b"x")
    with pytest.raises(KropeError, match=r"a.npz: the file must be a complete .npz"):
        list(stream(tmp_path / "a.npz"))
    with pytest.raises(KropeError, match="size must be an integer of at least 1; got 0"):
        stream(tmp_path / "a.npz", 0)


def test_arrays_in_fortran_order_are_not_streamed(tmp_path):
    fields = FIELDS | {"observations": np.asfortranarray(np.ones((2, 2))), "next_observations": np.ones((2, 2))}
    np.savez(tmp_path / "a.npz", **fields)
    assert load(tmp_path / "a.npz", gamma=0.5).observations.shape == (2, 2)
    with pytest.raises(
        KropeError, match=r"observations.npy must be in C order to be read in blocks; got Fortran order"
    ):
        list(stream(tmp_path / "a.npz", gamma=0.5))
